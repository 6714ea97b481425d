"""One `go`: an engine thinks on a thread of its own until it is done, stopped or out of time, then `bestmove` is said.

The engine gets ready without keeping anybody waiting (`arena/standby.py`).
"""

import functools
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gametree.app.uci.options import Options
from gametree.app.uci.protocol import Go, Position, info_lines, legal, line_text, read_uci
from gametree.arena import budget as clock
from gametree.arena.standby import Standby
from gametree.arena.strength import Strength, at_rating, choose, usual_step
from gametree.errors import GametreeError
from gametree.games.chess.moves import in_check
from gametree.games.chess.rules import Chess
from gametree.result import Analysis, Limit
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import Profile

Write = Callable[[str], None]
CANDIDATES: Final = 6
"""So many moves are considered where the strength is limited and would weigh all, which are too many lines."""
PATIENT: Final = 0.5
"""Seconds for a move from which on actions without an equal are followed further: that solves more problems, and loses
depth that fast games need (docs/benchmarks.md)."""
_DEEPEST: Final = 1000
"""Plies that no search reaches."""


# --- the engine ---------------------------------------------------------------------------------------


class UciEngine(Protocol):
    """What the protocol needs of a search engine: `gametree.Engine`, or a stand-in in tests."""

    threads: int
    profile: Profile

    def analyze(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        actions: Sequence[Any] | None = None,
        history: Sequence[Any] = (),
        on_progress: Callable[[Analysis], None] | None = None,
        names: bool = True,
    ) -> Analysis: ...

    def stop(self, after: float | None = None) -> None: ...

    def clear(self) -> None: ...

    def resize(self, hash_mb: float) -> None: ...


def profile(seconds: float) -> Profile:
    """The profile of the engine for a move that has so much time.

    >>> profile(0.1), profile(1.0)
    ('fast', 'patient')
    """
    return "patient" if seconds >= PATIENT else "fast"


Make = Callable[[Options, str], UciEngine]
"""Makes an engine from options and from how to compile: "auto" or "never"."""


def make(options: Options, compile: str) -> UciEngine:
    """The real engine."""
    return Engine(
        Chess(),
        threads=options.threads,
        hash_mb=options.hash,
        evaluation=options.evaluation,
        compile=compile,
        profile="fast",
    )


class Engines(Standby[UciEngine]):
    """Two engines: one that is there at once, and one of machine code that gets ready on a thread."""

    def __init__(self, make: Make, options: Options, on_ready: Callable[[], None]):
        super().__init__(lambda mode: make(self._options, mode), _warmed_up)
        self._options = self._first = options
        self._on_ready = on_ready
        self.start()

    def configure(self, options: Options) -> None:
        """Sets what can be set without a new engine: the size of the table and the number of threads."""
        with self._lock:
            before, self._options = self._options, options
            if self._best is not None:
                try:
                    _apply(self._best, before, options)
                except MemoryError:
                    self._options = before
                    raise

    def clear(self) -> None:
        """Forgets what was learned from earlier positions."""
        for engine in self.made():
            engine.clear()

    def _settle(self, search: UciEngine) -> None:
        _apply(search, self._first, self._options)

    def _got_ready(self) -> None:
        if self.failure is not None:
            # The interpreted engine goes on; what is wrong is for the one who looks after the program.
            traceback.print_exception(self.failure)
        self._on_ready()


def _warmed_up(engine: UciEngine) -> bool:
    engine.analyze(limit=Limit(depth=1))
    return True


def _apply(engine: UciEngine, before: Options, after: Options) -> None:
    if after.hash != before.hash:
        engine.resize(after.hash)
    if after.threads != before.threads:
        engine.threads = after.threads


# --- one `go` -----------------------------------------------------------------------------------------


def budget_of(go: Go, turn: int, overhead: float) -> clock.Budget:
    """The time for a move: of its own, from the clock of the player to move, or without an end."""
    if go.infinite:
        return clock.UNLIMITED
    if go.movetime is not None:
        return clock.fixed(go.movetime / 1000, overhead)
    left, increment = (go.wtime, go.winc) if turn == 0 else (go.btime, go.binc)
    if left is None:
        # A program that sends one clock only means the one that is running.
        left, increment = (go.btime, go.binc) if turn == 0 else (go.wtime, go.winc)
    if left is None:
        return clock.UNLIMITED
    return clock.share(left / 1000, (increment or 0) / 1000, go.movestogo or None, overhead)


class Search:
    """A search under way. `stop` and `ponderhit` may be called from any thread."""

    def __init__(
        self,
        go: Go,
        position: Position,
        options: Options,
        engines: Engines,
        write: Write,
        rng: random.Random,
        now: Callable[[], float] = time.monotonic,
    ):
        self.go = go
        self.position = position
        self.options = options
        self.done: bool = False
        self._engines = engines
        self._write = write
        self._rng = rng
        self._now = now
        self._started = now()
        self._choices = [read_uci(position.state, text) for text in go.searchmoves]
        """The moves to search; empty where all of them are."""
        self._count = len(self._choices) or len(legal(position.state))
        self._endless = go.endless
        self.budget: clock.Budget = budget_of(go, position.state.turn, options.overhead / 1000)
        self._limited: Strength | None = at_rating(options.elo, Chess()) if options.limit_strength else None
        self._pace = clock.Pace()
        self._lock = threading.Lock()
        self._stopped = False
        self._content = False
        self._running: UciEngine | None = None
        self._pondering = go.ponder
        self._deadline: float | None = None if go.ponder else self._started + self.budget.hard
        self._released = threading.Event()
        if not (go.ponder or self._endless):
            self._released.set()
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)

    def start(self) -> None:
        """Begins to think."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the search; `bestmove` follows."""
        with self._lock:
            self._stopped = True
        self._released.set()
        if self._running is not None:
            self._running.stop()

    def ponderhit(self) -> None:
        """The move that was expected has been played: from now on the clock runs."""
        with self._lock:
            if not self._pondering:
                return
            self._pondering = False
            now = self._now()
            # What was found on the other's time counts: who has thought long enough moves at once.
            enough = clock.content(self.budget, self._pace, now - self._started, self._count)
            self._deadline = now if enough else now + self.budget.hard
        if not self._endless:
            self._released.set()
            self._apply_deadline()

    def join(self, seconds: float | None = None) -> bool:
        """Waits for `bestmove`; whether it was said."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
        return not self._thread.is_alive()

    # --- on the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        found = None
        try:
            if self._count:
                found = self._think()
        except GametreeError as error:
            self._write(f"info string error: {' '.join(str(error).split())}")
        except Exception:
            # A fault of ours must not lose the game: some move is played, and the details are on stderr.
            self._write("info string error: a fault in the search; a legal move is played instead")
            traceback.print_exc(file=sys.stderr)
        if not self._count:
            self._write("info depth 0 score " + ("mate 0" if in_check(self.position.state) else "cp 0"))
        # The protocol wants no answer before `stop` or `ponderhit`.
        self._released.wait()
        text = self._best(found)
        self.done = True
        self._write(text)

    def _think(self) -> Analysis | None:
        """Searches, with the best engine there is; a better one that gets ready in the meantime goes on."""
        found = None
        while True:
            engine = self._running = self._engines.current()
            profiled, limit, lines = profile(self.budget.soft), self._limit(), self._lines
            engine.profile = profiled
            analysis = engine.analyze(
                self.position.state,
                limit,
                lines=lines,
                actions=self._choices or None,
                history=self.position.history,
                on_progress=self._progress,
                names=False,
            )
            if analysis.action is not None:
                found = analysis
            if engine is self._engines.current() or self._over():
                return found

    @property
    def _lines(self) -> int:
        wanted = self.options.multipv
        if self._limited:
            wanted = max(wanted, self._limited.lines or CANDIDATES)
        return max(1, min(wanted, self._count))

    def _limit(self) -> Limit:
        """What is left of the limits; never nothing at all, because some move has to be found."""
        seconds = None
        if self._deadline is not None and self.budget is not clock.UNLIMITED:
            seconds = max(self._deadline - self._now(), clock.SHORTEST)
        nodes = self.go.nodes
        if self._limited:
            nodes = min(nodes or self._limited.nodes, self._limited.nodes)
        # Without any limit the engine would take its default.
        depth = self.go.depth if self.go.depth is not None or seconds or nodes else _DEEPEST
        return Limit(seconds=seconds, depth=depth, nodes=nodes)

    def _over(self) -> bool:
        late = self._deadline is not None and self._now() >= self._deadline
        return self._stopped or self._content or late

    def _progress(self, analysis: Analysis) -> None:
        """A depth is finished: says what it found, and decides whether to go on."""
        elapsed = self._now() - self._started
        for line in info_lines(analysis, self.position.state, self.position.chess960, elapsed)[
            : self.options.multipv
        ]:
            self._write(line)
        with self._lock:
            self._pace = self._pace.after(
                analysis.action, 0.0 if analysis.value is None else analysis.value.payoff
            )
            self._content = not self._pondering and (
                clock.content(self.budget, self._pace, elapsed, self._count) or self._settled(analysis)
            )
            finish = self._stopped or self._content
        # `stop` may have been called before the engine was under way: then it is repeated here.
        if self._running is not None and (finish or self._running is not self._engines.current()):
            self._running.stop()
        elif self.go.ponder:
            self._apply_deadline()

    def _settled(self, analysis: Analysis) -> bool:
        """Whether there is nothing more to find: the mate that was asked for, or the nearest one on a clock."""
        value = analysis.value
        if value is None or value.outcome is None or value.plies is None:
            return False
        if self.go.mate is not None and (value.plies + 1) // 2 <= self.go.mate:
            return True
        timed = self.budget is not clock.UNLIMITED
        return timed and value.outcome == "win" and (analysis.depth or 0) >= value.plies

    def _apply_deadline(self) -> None:
        """Tells the engine when to stop, where that was not known when it began."""
        if self._deadline is not None and self._running is not None:
            self._running.stop(after=max(0.0, self._deadline - self._now()))

    # --- the answer ---------------------------------------------------------------------------------

    def _best(self, found: Analysis | None) -> str:
        if not self._count:
            return "bestmove (none)"
        state, chess960 = self.position.state, self.position.chess960
        if found is None:
            action = (self._choices or legal(state))[0]
            return f"bestmove {line_text(state, (action,), chess960)}"
        line = tuple(found.line) or (found.action,)
        if self._limited and found.lines:
            chosen = choose(found.lines, self._limited, _usual_step(), self._rng)
            line = chosen.line or (chosen.action,)
        best, *expected = line_text(state, line[:2], chess960).split()
        return f"bestmove {best}" + (f" ponder {expected[0]}" if expected else "")


@functools.cache
def _usual_step() -> float:
    return usual_step(Chess())
