"""The engine behind the protocol, which gets ready without keeping anybody waiting (`arena/standby.py`)."""

import traceback
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gametree.app.uci.options import Options
from gametree.arena.standby import Standby
from gametree.games.chess.rules import Chess
from gametree.result import Analysis, Limit
from gametree.search.engine.profiles import Profile


class Thinker(Protocol):
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


PATIENT: Final = 0.5
"""Seconds for a move from which on actions without an equal are followed further: that solves more problems, and loses
depth that fast games need (docs/benchmarks.md)."""


def profile(seconds: float) -> Profile:
    """The profile of the engine for a move that has so much time.

    >>> profile(0.1), profile(1.0)
    ('fast', 'patient')
    """
    return "patient" if seconds >= PATIENT else "fast"


Make = Callable[[Options, str], Thinker]
"""Makes an engine from options and from how to compile: "auto" or "never"."""


def make(options: Options, compile: str) -> Thinker:
    """The real engine."""
    from gametree.search.analyze import Engine

    return Engine(
        Chess(),
        threads=options.threads,
        hash_mb=options.hash,
        evaluation=options.evaluation,
        compile=compile,
        profile="fast",
    )


class Engines(Standby[Thinker]):
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

    def _settle(self, search: Thinker) -> None:
        _apply(search, self._first, self._options)

    def _get_ready(self) -> None:
        super()._get_ready()
        if self.failure is not None:
            # The interpreted engine goes on; what is wrong is for the one who looks after the program.
            traceback.print_exception(self.failure)
        self._on_ready()


def _warmed_up(engine: Thinker) -> bool:
    engine.analyze(limit=Limit(depth=1))
    return True


def _apply(engine: Thinker, before: Options, after: Options) -> None:
    if after.hash != before.hash:
        engine.resize(after.hash)
    if after.threads != before.threads:
        engine.threads = after.threads
