"""While machine code is being made, an interpreted search answers.

Turning rules and a search into machine code takes seconds the first time. It happens on a thread. Who asks in the
meantime is answered by the same rules and the same search, interpreted; as soon as the machine code is there, a search
under way that can be stopped goes on with it.

What comes out depends on the limit. By seconds: the answer is there in time, from whoever is ready. By nodes: whoever
is done first answers, and both give the same answer. By depth, or where a search cannot be stopped: machine code is
waited for.

Most seconds may be given besides: they end a search for which nothing better is to come.
"""

import math
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Generic, Protocol, TypeVar

from gametree.compiled import notices
from gametree.kernel.clock import now
from gametree.result import Analysis, Limit
from gametree.search.core.overtime import wake_at

GRACE: Final = 0.05
"""Seconds in which machine code that was made before is there: then no interpreted search needs to begin."""
SHORTEST: Final = 0.01
"""Seconds that a search gets at least."""
_done: "weakref.WeakSet[threading.Event]" = weakref.WeakSet()
"""For each thread that makes machine code, what tells that it is done. (`Thread.join`, interrupted, takes a thread for
ended.)"""


class Stoppable(Protocol):
    """A search that can be ended from another thread."""

    def stop(self) -> None: ...


S = TypeVar("S", bound=Stoppable)


class Standby(Generic[S]):
    """Two searches with the same face: one interpreted, which is there at once, and one of machine code.

    `make` takes how to compile ("never" or "auto"). `prepare` makes the machine code of a search, and says whether
    there is any. `same`: whether both give the same answer after so many nodes.
    """

    def __init__(self, make: Callable[[str], S], prepare: Callable[[S], bool], *, same: bool = True):
        self._make = make
        self._prepare = prepare
        self._same = same
        self._lock = threading.RLock()
        self._interpreted: S | None = None
        self._best: S | None = None
        """The search of machine code; where there is none, the interpreted one."""
        self.ready: bool = False
        """Whether there is nothing better to wait for."""
        self._done: threading.Event | None = None
        self._running: S | None = None
        self._stopped = False
        self.failure: Exception | None = None
        """Why there is no machine code, where nobody foresaw it."""

    def start(self) -> None:
        """Begins to make machine code, once."""
        with self._lock:
            if self._done is None:
                self._done = threading.Event()
                _done.add(self._done)
                threading.Thread(target=self._run, name="gametree machine code").start()

    def join(self, seconds: float | None = None) -> bool:
        """Waits until nothing is compiled any more; whether that is so."""
        return self._done is None or _wait(self._done, seconds)

    def current(self) -> S:
        """The best search there is."""
        with self._lock:
            if self._best is not None:
                return self._best
            if self._interpreted is None:
                self._interpreted = self._make("never")
            return self._interpreted

    def made(self) -> list[S]:
        """The searches that were made so far."""
        with self._lock:
            return [one for one in {id(one): one for one in (self._best, self._interpreted)}.values() if one]

    def stop(self) -> None:
        """Ends the thinking under way, from any thread."""
        self._stopped = True
        if self._running is not None:
            self._running.stop()

    def think(self, ask: Callable[[S, Limit], Analysis], limit: Limit, most: float | None = None) -> Analysis:
        """What a search answers; `ask` puts the question to it, with what is left of the limit.

        `most` seconds may pass if nothing better is to come; for machine code, which gets farther, is waited.
        """
        begun = time.monotonic()
        self._stopped = False
        if most is not None:
            if self.ready:
                seconds = most if limit.seconds is None else min(most, limit.seconds)
                limit = replace(limit, seconds=seconds)
            else:
                cap = _Cap(self, most)
                wake_at(cap, now() + int(most * 1e9))
        self.current()  # what a search refuses is refused before anything is compiled
        if not self.ready:
            self.start()
            at_once = limit.seconds is not None or (limit.nodes is not None and self._same)
            self.join(GRACE if at_once else None)
        found: Analysis | None = None
        try:
            while True:
                running = self._running = self.current()
                answer = ask(running, _left(limit, begun))
                if found is None or (answer.action is not None and _reach(answer) >= _reach(found)):
                    found = answer
                late = limit.seconds is not None and time.monotonic() - begun >= limit.seconds - SHORTEST
                if self._stopped or late or answer.stopped_by != "cancelled" or running is self.current():
                    break
        finally:
            self._running = None
        if self.failure is not None:
            notices.once(f"no machine code: {type(self.failure).__name__}: {self.failure}")
        return found

    @property
    def thinks(self) -> bool:
        """Whether a search is under way."""
        return self._running is not None

    # --- on the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._get_ready()
            self._got_ready()
        finally:
            assert self._done is not None
            self._done.set()

    def _get_ready(self) -> None:
        try:
            search = self._make("auto")
            if not self._prepare(search):
                search = self.current()
        except Exception as error:
            # The interpreted search goes on. Where the rules are to blame, it meets the same trouble and reports it.
            self.failure = error
            search = self.current()
        with self._lock:
            self._settle(search)
            self._best, self.ready = search, True
            old = self._interpreted
        if old is not None and old is not search:
            old.stop()
            while self._running is old:  # it was about to begin, and has not heard it
                time.sleep(0.001)
                old.stop()

    def _settle(self, search: S) -> None:
        """A last touch before a search takes over."""

    def _got_ready(self) -> None:
        """Whoever waits may hear of it."""


class _Cap:
    """Ends a search that has taken long enough, once it is known that no machine code will take over."""

    def __init__(self, standby: "Standby[Any]", seconds: float):
        self._standby = standby
        self.seconds = seconds

    def ring(self) -> int | None:
        """Time is over, if nothing better is to come."""
        if self._standby.ready:
            self._standby.stop()
            return None
        return now() + int(GRACE * 1e9)


def _reach(analysis: Analysis) -> float:
    return math.inf if analysis.depth is None else analysis.depth


def _left(limit: Limit, begun: float) -> Limit:
    if limit.seconds is None:
        return limit
    return replace(limit, seconds=max(SHORTEST, limit.seconds - (time.monotonic() - begun)))


def making() -> bool:
    """Whether machine code is being made for somebody."""
    return any(not done.is_set() for done in list(_done))


def finish() -> None:
    """Waits until all machine code is made and kept on disk, so that the next run finds it there."""
    for done in list(_done):
        _wait(done)


def _wait(done: threading.Event, seconds: float | None = None) -> bool:
    """Waits by and by, or Windows would not hear Ctrl-C."""
    until = math.inf if seconds is None else time.monotonic() + seconds
    while not done.is_set() and time.monotonic() < until:
        done.wait(min(0.2, max(0.0, until - time.monotonic())))
    return done.is_set()
