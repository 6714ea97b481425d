"""Rules that are asked when time is over do not answer any more: they raise `OutOfTime`.

A search looks at the clock between two nodes. Where rules take milliseconds that is too late, for at one node many of
them are asked. So a search asks a stand-in of the game: an object of the same attributes and of a class like the
game's. When time is over, another thread gives the stand-in another class, in which each rule raises `OutOfTime`. Until
then it costs nothing. Machine code is told by a word of its clock, which users' rules look at whenever they are called.
"""

import contextlib
import functools
import heapq
import os
import threading
import weakref
from typing import Any, Final, Protocol

from gametree.game import ESSENTIAL, OPTIONAL, Game
from gametree.kernel.clock import now

LATE: Final = 2_000_000
"""Nanoseconds after the end: by then a search with fast rules has looked at the clock by itself."""
_QUICK: Final = (
    "initial",
    "name_action",
    "parse_action",
    "parse_state",
    "show",
    "show_observation",
    "board",
    "touches",
)
"""Members that no search asks in a loop; a result needs the names of its actions, however late it is."""


class OutOfTime(BaseException):
    """Raised by rules that are asked when time is over; no `except Exception` of theirs stops it."""


def stand_in(game: Game) -> Game:
    """An object that answers as the game does, until `expire`; the game itself where it allows no such class."""
    classes = _classes(type(game))
    if classes is None:
        return game
    made: Game = object.__new__(classes[0])
    object.__setattr__(made, "__dict__", game.__dict__)
    return made


def expire(made: Game) -> None:
    """From now on the rules of a stand-in raise `OutOfTime`."""
    classes = _expired.get(type(made))
    if classes is not None:
        object.__setattr__(made, "__class__", classes)


_expired: "weakref.WeakKeyDictionary[type[Game], type[Game]]" = weakref.WeakKeyDictionary()


@functools.lru_cache(maxsize=128)
def _classes(cls: type[Game]) -> tuple[type[Game], type[Game]] | None:
    """Two classes like a game's: one that answers, and one whose rules raise."""
    rules = [name for name in (*ESSENTIAL, *OPTIONAL) if callable(getattr(cls, name)) and name not in _QUICK]
    rules += [name for name in dir(cls) if name.startswith("evaluate_")]
    about = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "__doc__": cls.__doc__}
    kind: Any = type(cls)
    try:
        lively, late = (
            kind(cls.__name__, (cls,), {**about, **members}) for members in ({}, dict.fromkeys(rules, _raise))
        )
    except Exception:  # a class that wants no heirs
        return None
    for made in (lively, late):
        type.__setattr__(made, "offered", cls.offered)
    _expired[lively] = late
    return lively, late


def _raise(*_: Any, **__: Any) -> Any:
    raise OutOfTime


# --- the alarm --------------------------------------------------------------------------------------


class Sleeper(Protocol):
    """Who wants to be told that its time is over."""

    def ring(self) -> int | None:
        """Called when it is time; gives another time where that was too early."""


class _Alarm:
    """One thread that waits for all."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._times: list[tuple[int, int, weakref.ref[Sleeper]]] = []
        self._count = 0
        self._thread: threading.Thread | None = None

    def set(self, sleeper: Sleeper, when: int) -> None:
        """`sleeper.ring()` will be called at a time of `clock.now`, or a little later."""
        with self._changed:
            self._count += 1
            heapq.heappush(self._times, (when, self._count, weakref.ref(sleeper)))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True, name="gametree alarm")
                try:
                    self._thread.start()
                except RuntimeError:  # where there are no threads: searches look at the clock by themselves
                    self._thread = None
                    self._times.clear()
            elif self._times[0][1] == self._count:
                self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._times or self._times[0][0] > now():
                    self._changed.wait((self._times[0][0] - now()) / 1e9 if self._times else None)
                sleeper = heapq.heappop(self._times)[2]()
            again = None if sleeper is None else sleeper.ring()
            if sleeper is not None and again is not None:
                self.set(sleeper, again)
            sleeper = None


_alarms: Final = [_Alarm()]


def wake_at(sleeper: Sleeper, when: int) -> None:
    """Has `sleeper.ring()` called at a time of `clock.now`."""
    _alarms[0].set(sleeper, when)


with contextlib.suppress(
    AttributeError
):  # after a fork there is no thread, and perhaps a lock that nobody gives back
    os.register_at_fork(after_in_child=lambda: _alarms.__setitem__(0, _Alarm()))
