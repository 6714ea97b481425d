"""Time: what a player has for a game or a move, and whose time is up.

A time control is written as people write it: "5+0.05" (five seconds for the game and 0.05 more for each move), "40/60"
(60 seconds for 40 moves, and again), or it is a time, a number of nodes or a depth for each move.
"""

import re
from dataclasses import dataclass, fields
from typing import Any, Final

from gametree.arena.budget import fixed, share
from gametree.arguments import is_whole, number
from gametree.errors import InputError
from gametree.result import Limit

MARGIN: Final = 0.05
"""Seconds that a move may take to arrive, beyond what is on the clock."""
PATIENCE: Final = 60.0
"""Seconds after which a player without a clock is taken to hang."""
GRACE: Final = 2.0
"""The same beyond what is on a clock: so long after its time is up a player is not even waited for."""
_WRITTEN: Final = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?)(?:\+(?P<increment>\d+(?:\.\d+)?))?"
)


@dataclass(frozen=True)
class Control:
    """How much every player may think. What is not given is not limited.

    >>> print(Control.read("40/60+0.5"))
    40 moves in 60 s + 0.5 s a move
    """

    seconds: float | None = None
    """For the game, or for `moves` moves."""
    increment: float = 0.0
    moves: int | None = None
    each: float | None = None
    """Seconds for each move."""
    nodes: int | None = None
    depth: int | None = None
    margin: float = MARGIN
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        for name in ("seconds", "each"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), "seconds, more than 0", least=0.001)
        number("increment", self.increment, "seconds, at least 0", least=0)
        number("margin", self.margin, "seconds for a move to arrive, at least 0", least=0)
        number("patience", self.patience, "seconds, more than 0", least=0.001)
        for name in ("moves", "nodes", "depth"):
            value = getattr(self, name)
            if value is not None and (not is_whole(value) or value < 1):
                raise InputError(f"{name}={value!r}: a whole number of at least 1")
        if self.seconds is not None and self.each is not None:
            raise InputError("a clock for the game and a time for each move: choose one of them")

    @classmethod
    def read(cls, text: str, **more: Any) -> "Control":
        """A clock for the game, as it is written."""
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise InputError(
                f"tc={text!r}: write seconds and an increment, 5+0.05, or so many moves in a time, 40/60+0.5"
            )
        seconds = 60 * float(found["minutes"] or 0) + float(found["seconds"])
        moves = None if found["moves"] is None else int(found["moves"])
        return cls(seconds, float(found["increment"] or 0), moves, **more)

    @property
    def timed(self) -> bool:
        """Whether the answers depend on how fast the machine is."""
        return self.seconds is not None or self.each is not None

    def limit(self) -> Limit | None:
        """What a search may do for a move, apart from a clock for the game."""
        if self.each is None and self.nodes is None and self.depth is None:
            return None
        seconds = None if self.each is None else fixed(self.each, min(0.01, self.each / 4)).hard
        return Limit(seconds=seconds, nodes=self.nodes, depth=self.depth)

    def to_dict(self) -> dict[str, Any]:
        """What is given, as plain data."""
        return {
            one.name: getattr(self, one.name)
            for one in fields(self)
            if getattr(self, one.name) != one.default
        }

    def __str__(self) -> str:
        parts = []
        if self.seconds is not None:
            parts.append((f"{self.moves} moves in " if self.moves else "") + f"{self.seconds:g} s")
            if self.increment:
                parts[-1] += f" + {self.increment:g} s a move"
        parts += [f"{self.each:g} s a move"] if self.each is not None else []
        parts += [
            f"{value:,} {name}" for name in ("nodes", "depth") if (value := getattr(self, name)) is not None
        ]
        return ", ".join(parts) or "no limit"


@dataclass(frozen=True)
class Clock:
    """What the clocks show a player who is to move."""

    left: tuple[float, ...]
    """Seconds of every side."""
    side: int
    """Whose turn it is."""
    increment: float = 0.0
    moves: int | None = None
    """To the next time control."""

    @property
    def own(self) -> float:
        return self.left[self.side]

    def limit(self) -> Limit:
        """Seconds for a search that cannot do better than to take its share."""
        return Limit(seconds=share(self.own, self.increment, self.moves, overhead=0.02).soft)


class Clocks:
    """The clocks of a game under way."""

    def __init__(self, control: Control, sides: int):
        self.control = control
        self._left = [control.seconds or 0.0] * sides
        self._made = [0] * sides

    def shown(self, side: int) -> Clock | None:
        """What a player sees; None where there is no clock for the game."""
        control = self.control
        if control.seconds is None:
            return None
        moves = None if control.moves is None else control.moves - self._made[side] % control.moves
        return Clock(tuple(max(0.0, left) for left in self._left), side, control.increment, moves)

    def allowed(self, side: int) -> float | None:
        """Seconds until the time for a move is up; None without an end."""
        if self.control.seconds is not None:
            return self._left[side] + self.control.margin
        return None if self.control.each is None else self.control.each + self.control.margin

    def patience(self, side: int) -> float:
        """Seconds after which nobody waits any longer."""
        allowed = self.allowed(side)
        return self.control.patience if allowed is None else allowed + GRACE

    def take(self, side: int, seconds: float) -> str:
        """Takes the time of a move off the clock; why the game is lost, where it is."""
        allowed = self.allowed(side)
        if allowed is not None and seconds > allowed:
            had = allowed - self.control.margin
            return f"lost on time: {seconds:.2f} s for a move, with {had:.2f} s left"
        if self.control.seconds is not None:
            self._made[side] += 1
            self._left[side] = max(0.0, self._left[side] - seconds) + self.control.increment
            if self.control.moves is not None and self._made[side] % self.control.moves == 0:
                self._left[side] += self.control.seconds
        return ""
