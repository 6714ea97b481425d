"""Who takes part: what a player is called, what makes it this player, and how every process makes its own."""

import functools
import re
import types
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from gametree.arena.clocks import Control
from gametree.arena.players import Player, player
from gametree.arena.playing import player_of
from gametree.errors import InputError
from gametree.game import Game
from gametree.search.core.identity import code_digest, digest


@dataclass(frozen=True)
class Contestant:
    """A name, and how to make the player; every process makes its own.

    What makes a player has to be picklable for more than one process: a class or function of a module, or a
    `functools.partial` of one.
    """

    name: str
    make: Callable[[], Any]


@dataclass(frozen=True)
class Entrant:
    """A player as it is entered for a match."""

    name: str
    source: Any

    @classmethod
    def of(cls, given: Any) -> "Entrant":
        """Who was given: the name of a player, a `Player`, a `Contestant`, or an object or function that plays."""
        if isinstance(given, str):
            given = player(given)
        if isinstance(given, Player):
            given.require()
            return cls(given.name, given)
        if isinstance(given, Contestant):
            return cls(given.name, given)
        if not callable(given) and not callable(getattr(given, "move", None)):
            raise InputError(
                f"{given!r} is no player: write a name such as 'level:6', or give an object with `move(state)`, or a"
                " function of (state, history)"
            )
        return cls(_called(given), given)

    def timed(self, control: Control) -> bool:
        """Whether the answers may depend on how fast the machine is."""
        if not isinstance(self.source, Player):
            return True
        if self.source.timed is not None:
            return self.source.timed
        limited = control.nodes is not None or control.depth is not None
        return control.timed or not (limited or self.source.kind == "file")

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that makes it this player, as plain data."""
        if isinstance(self.source, Player):
            return self.source.identity
        if isinstance(self.source, Contestant):
            return {"kind": "made", "code": _code(self.source.make)}
        return {"kind": "given", "code": _code(self.source)}

    def make(self, game: Game) -> Any:
        """The player itself."""
        if isinstance(self.source, Player):
            return self.source.make(game)
        return self.source.make() if isinstance(self.source, Contestant) else player_of(self.source, game)


def entered(given: Iterable[Any]) -> tuple[Entrant, ...]:
    """All who take part; who is called alike is numbered.

    >>> [one.name for one in entered(["level:2", "random", "level:2"])]
    ['level:2', 'random', 'level:2 (2)']
    """
    found: list[Entrant] = []
    count: Counter[str] = Counter()
    for one in map(Entrant.of, given):
        count[one.name] += 1
        found.append(one if count[one.name] == 1 else replace(one, name=f"{one.name} ({count[one.name]})"))
    return tuple(found)


def _called(player: Any) -> str:
    if isinstance(level := getattr(player, "level", None), int):
        return f"level {level}"
    return str(getattr(player, "__name__", type(player).__name__))


def _code(thing: Any) -> Any:
    """What tells something that plays from another: its code and, of an object, how it writes itself."""
    if isinstance(thing, functools.partial):
        named = {name: _code(value) for name, value in sorted(thing.keywords.items())}
        return [_code(thing.func), [_code(value) for value in thing.args], named]
    if isinstance(thing, (type, types.FunctionType)):
        return code_digest(thing)
    if isinstance(thing, types.MethodType):
        return [_code(thing.__func__), _code(thing.__self__)]
    if isinstance(thing, (Game, int, float, str, bytes, bool, tuple, list, dict, type(None))):
        return digest(thing)
    # What an object holds may change while it plays; how it writes itself is what it wants to be known by.
    written = repr(thing) if any("__repr__" in vars(base) for base in type(thing).__mro__[:-1]) else ""
    return [code_digest(type(thing)), re.sub(r" at 0x[0-9a-fA-F]+", "", written)]
