"""A process that is spoken to in lines. It may hang, die, or print without an end."""

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from gametree.arena.asking import Forfeit
from gametree.errors import InputError

MOST: Final = 1 << 20
"""So many bytes without an answer are too many."""
START: Final = 20.0
"""Seconds in which a program has to say that it is there."""
_LINES_AHEAD: Final = 64
_PLACES: Final = ("/usr/games", "/usr/local/games")
"""Where Debian keeps games, which a path often leaves out."""
KNOWN: Final = {
    "gnugo": "gnugo --mode gtp --chinese-rules --positional-superko --capture-all-dead",
    "grhino": "gtp-rhino",
    "gnuchess": "gnuchess --uci",
    "gametree": f"{shlex.quote(sys.executable)} -m gametree",
}
"""What has to be written for some programs, whose plain name is for people."""


def command_of(text: str) -> list[str]:
    """The words of a command; refused where there is no such program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"{text}: {error}") from None
    if not words:
        raise InputError("a program is missing: uci:stockfish, gtp:gnugo, ugi:'my-engine --fast'")
    if len(words) == 1 or words[0] == "gametree":
        words = [*shlex.split(KNOWN.get(words[0], shlex.quote(words[0]))), *words[1:]]
    path = os.pathsep.join([os.environ.get("PATH", ""), *_PLACES])
    found = shutil.which(words[0], path=path)
    if found is None:
        raise InputError(
            f"there is no program {words[0]!r}: install it, or write where it is (uci:/path/to/engine)"
        )
    return [found, *words[1:]]


class Program:
    """A program at the other end of a pipe."""

    def __init__(self, command: Sequence[str]):
        self.command: list[str] = list(command)
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us, and what it starts ends with it
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue(_LINES_AHEAD)
        threading.Thread(target=self._read, daemon=True, name="gametree engine").start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, *lines: str) -> None:
        """Writes lines; a program that has ended forfeits."""
        self.write("".join(line + "\n" for line in lines).encode())

    def write(self, data: bytes) -> None:
        """Writes bytes."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(data)
            stdin.flush()
        except (OSError, ValueError):
            raise Forfeit(self._ended()) from None

    def hear(self, wanted: Callable[[str], bool], patience: float) -> str:
        """The first line that is wanted; all before it are read over."""
        end = time.monotonic() + patience
        heard = 0
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Forfeit(f"no answer in {patience:.1f} s: the program hangs") from None
            if line is None:
                self._lines.put(None)
                raise Forfeit(self._ended())
            text = line.decode("utf-8", "replace").strip()
            if wanted(text):
                return text
            heard += len(line)
            if heard > MOST:
                raise Forfeit(f"the program printed {MOST // 2**20} MB without an answer")

    def close(self, farewell: str = "quit") -> None:
        """Ends the program, by asking for it and then by force."""
        if self.alive:
            with contextlib.suppress(Forfeit):
                self.send(farewell)
            with contextlib.suppress(OSError):
                assert self._process.stdin is not None
                self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(0.5)
        self.kill()

    def kill(self) -> None:
        """Ends the program and what it has started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()

    def _ended(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.returncode
        how = "" if code is None else f" (signal {-code})" if code < 0 else f" (code {code})"
        return f"the program ended{how}"

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := stdout.readline(MOST):
                self._lines.put(line)
        self._lines.put(None)


class Engine:
    """What engines of all protocols share: a program that is started when it is needed, and again after it failed."""

    def __init__(self, command: Sequence[str]):
        self._command = list(command)
        self._program: Program | None = None

    def begin(self, seed: int) -> None:
        """A new game."""
        self.running()

    def running(self) -> Program:
        """The program, started where it does not run."""
        if self._program is not None and not self._program.alive:
            self._drop()
        if self._program is None:
            try:
                self._program = Program(self._command)
            except OSError as error:
                raise Forfeit(f"the program cannot be started: {error.strerror or error}") from None
            try:
                self.greet(self._program)
            except Forfeit:
                self._drop()
                raise
        return self._program

    def greet(self, program: Program) -> None:
        """What is said once, when the program has been started."""

    def failed(self) -> None:
        """After a failure nobody knows what the program is doing: the next game has a new one."""
        self._drop()

    def close(self) -> None:
        """Ends the program."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def _drop(self) -> None:
        if self._program is not None:
            self._program.kill()
            self._program = None
