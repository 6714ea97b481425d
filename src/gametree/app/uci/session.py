"""The conversation with a chess program: one command after the other, while a search may be under way.

Commands are read on a thread and obeyed on the main one, which therefore hears Ctrl-C. Searching and getting ready have
threads of their own. Whatever is wrong with a line is answered by `info string error: …`, changes nothing, and the next
line is obeyed.
"""

import codecs
import logging
import os
import queue
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import IO, Final

from gametree.app.uci import protocol
from gametree.app.uci.options import Options, announced, changed, is_clear_hash
from gametree.app.uci.protocol import Debug, Go, SetOption, SetPosition, Word
from gametree.app.uci.search import Engines, Make, Search, Write, make
from gametree.errors import GametreeError, InputError
from gametree.games.chess.rules import Chess

PATIENCE: Final = 2.0
"""Seconds to wait for a search to end when the program ends."""


class Session:
    """One program at the other end."""

    def __init__(
        self,
        write: Write,
        options: Options | None = None,
        *,
        make: Make = make,
        rng: random.Random | None = None,
        now: Callable[[], float] = time.monotonic,
    ):
        self.options: Options = options or Options()
        self.position: protocol.Position = protocol.start()
        self.search: Search | None = None
        self.debug: bool = False
        self._write = write
        self._make = make
        self._rng = rng or random.Random()
        self._now = now
        self._game = Chess()
        self._lock = threading.Lock()
        self._owed = 0
        """How many times `readyok` has been asked for and not said yet."""
        self.engines: Engines = Engines(make, self.options, self._answer_owed)

    def run(self, lines: Iterable[str]) -> None:
        """Obeys until `quit` or the end of the input."""
        arrived: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_forward, args=(lines, arrived), name="reader", daemon=True).start()
        try:
            while True:
                line = _next(arrived)
                if line is None or not self.obey(line):
                    return
        finally:
            self.close()

    def obey(self, line: str) -> bool:
        """Obeys one line; False where it is `quit`."""
        try:
            command = protocol.read(line)
            return command is None or self._obey(command)
        except GametreeError as error:
            self._write(f"info string error: {' '.join(str(error).split())}")
        except MemoryError:
            self._write("info string error: there is not enough memory for that")
        return True

    def close(self) -> None:
        """Ends the search under way."""
        if self.search is not None:
            if not self.search.done:
                self.search.stop()
            self.search.join(PATIENCE)

    # --- commands -----------------------------------------------------------------------------------

    def _obey(self, command: protocol.Command) -> bool:
        match command:
            case Word("quit"):
                return False
            case Word(name):
                self._words[name]()
            case Debug(on):
                self.debug = on
            case SetOption():
                self._set(command)
            case SetPosition():
                self.position = protocol.arranged(command, self.options.chess960, self.position)
            case Go():
                self._go(command)
        return True

    @property
    def _words(self) -> dict[str, Callable[[], None]]:
        return {
            "uci": self._introduce,
            "isready": self._ready,
            "ucinewgame": self._new_game,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._show,
            "eval": self._judge,
        }

    def _introduce(self) -> None:
        from gametree import __version__

        lines = [f"id name gametree {__version__}", "id author the gametree authors"]
        for line in (*lines, *announced(self.options), "uciok"):
            self._write(line)

    def _ready(self) -> None:
        with self._lock:
            if not self.engines.ready:
                self._owed += 1
                return
        self._write("readyok")

    def _answer_owed(self) -> None:
        with self._lock:
            owed, self._owed = self._owed, 0
        for _ in range(owed):
            self._write("readyok")

    def _new_game(self) -> None:
        self._require_idle("ucinewgame")
        self.position = protocol.start(self.options.chess960)
        self.engines.clear()

    def _stop(self) -> None:
        if self.search is not None:
            self.search.stop()

    def _ponderhit(self) -> None:
        if self.search is None or self.search.done:
            raise InputError("`ponderhit` without a search")
        self.search.ponderhit()

    def _show(self) -> None:
        state = self.position.state
        chess = Chess(chess960=self.position.chess960)
        for line in (*chess.show(state).splitlines(), f"FEN {chess.fen(state)}"):
            self._write(f"info string {line}")

    def _judge(self) -> None:
        from gametree.game import with_evaluation

        judged = with_evaluation(self._game, self.options.evaluation)
        worth = judged.evaluate(self.position.state, 0)
        self._write(f"info string evaluation {worth:+.2f} pawns for White, before any search")

    def _set(self, command: SetOption) -> None:
        self._require_idle("setoption")
        if is_clear_hash(command):
            self.engines.clear()
            return
        options = changed(self.options, command)
        if options.evaluation != self.options.evaluation:
            self.engines = Engines(self._make, options, self._answer_owed)
        else:
            self.engines.configure(options)
        if options.chess960 != self.options.chess960:
            self.position = protocol.start(options.chess960)
        self.options = options

    def _require_idle(self, command: str) -> None:
        if self._searching:
            raise InputError(f"`{command}` during a search: send `stop` first")

    @property
    def _searching(self) -> bool:
        return self.search is not None and not self.search.done

    def _go(self, go: Go) -> None:
        if go.unknown:
            self._write(f"info string error: {protocol.unknown_words(go)}")
        search = Search(go, self.position, self.options, self.engines, self._write, self._rng, self._now)
        if self.search is not None:
            # Who asks again has no more use for the answer, but has to get it.
            self.search.stop()
            self.search.join()
        self.search = search
        if self.debug:
            budget = search.budget
            self._write(f"info string budget {budget.soft:.3f} s, at most {budget.hard:.3f} s")
        search.start()


# --- standard input and output ----------------------------------------------------------------------


def serve(options: Options) -> None:
    """Speaks the protocol on standard input and output until `quit` or the end of the input."""
    out = sys.stdout
    gate = threading.Lock()
    unread = threading.Event()

    def write(line: str) -> None:
        with gate:
            try:
                print(line, file=out, flush=True)
            except (OSError, ValueError):
                unread.set()

    # Nothing but the protocol goes to standard output.
    with redirect_stdout(sys.stderr), _notices(write):
        Session(write, options).run(_until(unread, _lines(sys.stdin)))
    if unread.is_set():
        raise BrokenPipeError


def _until(unread: threading.Event, lines: Iterator[str]) -> Iterator[str]:
    """The lines, as long as somebody reads the answers."""
    for line in lines:
        if unread.is_set():
            return
        yield line


def _lines(stream: IO[str]) -> Iterator[str]:
    """The lines of a stream. A real one is read below Python's buffers: a thread that waits in them when the program
    ends would bring it down with an error."""
    try:
        number = stream.fileno()
    except (OSError, ValueError, AttributeError):
        yield from stream
        return
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    begun: list[str] = []
    while chunk := os.read(number, 1 << 16):
        first, *others = decode(chunk).split("\n")
        begun.append(first)
        for other in others:
            yield "".join(begun)
            begun = [other]
    if any(begun):
        yield "".join(begun)


def _forward(lines: Iterable[str], arrived: "queue.SimpleQueue[str | None]") -> None:
    try:
        for line in lines:
            arrived.put(line)
    finally:
        arrived.put(None)


def _next(arrived: "queue.SimpleQueue[str | None]") -> str | None:
    while True:
        try:
            # With a timeout, or Windows would not hear Ctrl-C.
            return arrived.get(timeout=3600 if os.name == "posix" else 0.2)
        except queue.Empty:
            continue


@contextmanager
def _notices(write: Write) -> Iterator[None]:
    """What the library has to say, such as that it compiles, as `info string`."""

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            write(f"info string {' '.join(record.getMessage().split())}")

    log, handler = logging.getLogger("gametree"), Handler()
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
