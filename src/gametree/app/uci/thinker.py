"""The engine behind the protocol, and how it gets ready without keeping anybody waiting.

Turning chess into machine code takes seconds the first time. It happens on a thread. Who asks for a move in the
meantime is answered by the same rules and the same search, interpreted; as soon as the machine code is there, the
search under way goes on with it.
"""

import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from gametree.app.uci.options import Options
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


class Engines:
    """Two engines: one that is there at once, and one of machine code that gets ready on a thread."""

    def __init__(self, make: Make, options: Options, on_ready: Callable[[], None]):
        self._make = make
        self._options = options
        self._on_ready = on_ready
        self._lock = threading.Lock()
        self._cold: Thinker | None = None
        self._hot: Thinker | None = None
        self._thread = threading.Thread(target=self._warm_up, name="warm-up", daemon=True)
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether the engine of machine code is there."""
        return self._hot is not None

    def current(self) -> Thinker:
        """The best engine there is."""
        with self._lock:
            if self._hot is not None:
                return self._hot
            if self._cold is None:
                self._cold = self._make(self._options, "never")
            return self._cold

    def configure(self, options: Options) -> None:
        """Sets what can be set without a new engine: the size of the table and the number of threads."""
        with self._lock:
            before, self._options = self._options, options
            if self._hot is not None:
                try:
                    _apply(self._hot, before, options)
                except MemoryError:
                    self._options = before
                    raise

    def clear(self) -> None:
        """Forgets what was learned from earlier positions."""
        with self._lock:
            for engine in (self._hot, self._cold):
                if engine is not None:
                    engine.clear()

    def join(self, seconds: float | None = None) -> bool:
        """Waits until nothing is compiled any more; whether that is so."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _warm_up(self) -> None:
        options = self._options
        try:
            engine = self._make(options, "auto")
            engine.analyze(limit=Limit(depth=1))
        except Exception:
            # The interpreted engine goes on; what is wrong is for the one who looks after the program.
            traceback.print_exc()
            engine = self.current()
        with self._lock:
            _apply(engine, options, self._options)
            self._hot = engine
            if self._cold is not None and self._cold is not engine:
                self._cold.stop()
        self._on_ready()


def _apply(engine: Thinker, before: Options, after: Options) -> None:
    if after.hash != before.hash:
        engine.resize(after.hash)
    if after.threads != before.threads:
        engine.threads = after.threads
