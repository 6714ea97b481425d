"""Players by name: "level:6", "mcts:simulations=800", "mybot.py:Greedy", "uci:stockfish,UCI_Elo=1800".

A name is a kind, a colon and what belongs to it, with settings after commas. What it names is made anew in every
process that plays, so that a player by name can be sent anywhere.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gametree.arena.engines.program import command_of
from gametree.arguments import is_finite, is_number, is_whole
from gametree.errors import InputError
from gametree.game import Game, with_class
from gametree.own_code import import_file, import_module, is_file, split
from gametree.reading import parse, text_of
from gametree.result import Limit, as_html
from gametree.search.core.identity import code_digest
from gametree.search.methods import METHODS, keywords

ENGINES: Final = ("uci", "gtp", "ugi", "json")
SEARCHES: Final = ("analyze", *METHODS)
GOOD: Final = (
    "random",
    "level:1 to level:10",
    *(f"{name}" for name in SEARCHES),
    "mybot.py:Name",
    *(f"{name}:PROGRAM" for name in ENGINES),
)
"""What may be written, for people."""
_LIMITS: Final = {
    "seconds": "seconds",
    "depth": "depth",
    "nodes": "nodes",
    "simulations": "nodes",
    "iterations": "nodes",
}
_NOT_SETTINGS: Final = {"game", "state", "limit", "depth", "history", "on_progress", "moves", "lines", "actions",
                        "method", "names", "options", "simulations", "settings", "parts"}  # fmt: skip
_NUMBER: Final = re.compile(r"[+-]?(\d+)|[+-]?(\d+\.\d*|\.\d+|\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Player:
    """A player as it was named: how it is made, and what it is called.

    >>> one = player("mcts:simulations=800")
    >>> one.name, one.kind, one.settings, one.timed
    ('mcts:simulations=800', 'mcts', {'simulations': 800}, False)
    """

    name: str
    kind: str
    """random, level, a search, file, or the protocol of a program."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    """The command of a program; the file or module of a class or function."""
    factory: Any = field(default=None, compare=False, repr=False)
    """The class or function."""

    @property
    def limit(self) -> Limit | None:
        """How much it may think, by its own settings."""
        given = {_LIMITS[name]: value for name, value in self.settings.items() if name in _LIMITS}
        return Limit(**given) if given else None

    @property
    def timed(self) -> bool | None:
        """Whether its answers depend on how fast the machine is; None where the match decides that."""
        if self.kind == "random" or (self.kind == "level" and self.settings["level"] < 10):
            return False
        if self.kind == "level":
            return True
        if self.kind in ("file", *ENGINES):
            return None if self.limit is None else self.limit.seconds is not None
        return None if self.limit is None else self.limit.seconds is not None

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that makes it this player, as plain data."""
        found: dict[str, Any] = {"kind": self.kind, "settings": dict(self.settings)}
        if self.place:
            found["place"] = self.place
        if self.factory is not None:
            found["code"] = code_digest(self.factory)
        if weights := self.settings.get("weights"):
            found["weights"] = _weights(weights)
        return found

    def make(self, game: Game) -> Any:
        """The player itself, for a game; refused where it does not play that game."""
        # Slow to import, and few need all of them.
        from gametree.arena import thinkers

        settings = {name: value for name, value in self.settings.items() if name not in _LIMITS}
        game = _weighed(game, settings.pop("weights", None))
        if self.kind == "random":
            return thinkers.Random(game)
        if self.kind == "level":
            return thinkers.Levelled(game, self.settings["level"], self.settings.get("seconds", 1.0))
        if self.kind == "analyze":
            return thinkers.Fitting(game, self.limit, settings)
        if self.kind in METHODS:
            return thinkers.Searching(game, self.kind, self.limit, settings)
        if self.kind == "file":
            from gametree.arena.engines.seat import Seated

            return Seated(game, self.factory)
        return self._engine(game, settings)

    def _engine(self, game: Game, settings: dict[str, Any]) -> Any:
        command = command_of(self.place)
        if self.kind == "uci":
            from gametree.arena.engines.uci import Uci

            return Uci(game, command, settings, self.limit)
        if self.kind == "ugi":
            from gametree.arena.engines.ugi import Ugi

            return Ugi(game, command, settings, self.limit)
        if self.kind == "json":
            from gametree.arena.engines.json_lines import JsonLines

            return JsonLines(game, command, settings, self.limit)
        from gametree.arena.engines.gtp import Gtp

        return Gtp(game, command, self.limit)

    def require(self) -> None:
        """Refuses a program that is not there."""
        if self.kind in ENGINES:
            command_of(self.place)

    def __str__(self) -> str:
        return self.name

    def _repr_html_(self) -> str:
        rows = [("kind", self.kind), *((name, str(value)) for name, value in self.settings.items())]
        return as_html(self.name, [*rows, *([("place", self.place)] if self.place else [])])


def player(name: str | Player) -> Player:
    """A player by its name.

    `random`, `level:6`, any search with its parameters (`analyze:seconds=0.1`, `mcts:simulations=800`,
    `alphabeta:depth=4,evaluation=lolli`), a class or function of a file or module (`mybot.py:Greedy`, which has
    `move(state)` and is made with the game where it takes one), or a program (`uci:stockfish,UCI_Elo=1800`,
    `gtp:gnugo`, `ugi:COMMAND`, `json:COMMAND`). Where a search has no limit of its own, the match sets it.
    `weights=FILE` are the weights that `gametree tune` found.

    >>> print(player("level:6"))
    level:6
    >>> player("mtcs")
    Traceback (most recent call last):
    ...
    gametree.errors.InputError: there is no player 'mtcs'; did you mean mcts?
    """
    if isinstance(name, Player):
        return name
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"{name!r} is no name of a player; there are: {', '.join(GOOD)}")
    text = name.strip()
    kind, colon, rest = text.partition(":")
    if kind in ENGINES and colon:
        place, settings = _program(rest)
        return _checked(Player(text, kind, settings, place))
    if kind in ("random", "level") or kind in SEARCHES:
        return _checked(_thinking(text, kind, rest))
    place, _ = split(text.partition(",")[0])
    if (
        is_file(place)
        or (":" in text and "." in place)
        or (colon and kind.isidentifier() and _is_module(kind))
    ):
        return _checked(_own(text))
    close = difflib.get_close_matches(kind, ["random", "level", *SEARCHES, *ENGINES], n=2)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(GOOD)}"
    raise InputError(f"there is no player {text!r}; {hint}")


def _is_module(name: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(name) is not None


# --- reading ----------------------------------------------------------------------------------------


def _thinking(text: str, kind: str, rest: str) -> Player:
    if kind == "level":
        word, _, more = rest.partition(",")
        word = word.removeprefix("level=")
        if not word.isdecimal() or not 1 <= int(word) <= 10:
            raise InputError(f"{text}: a level is 1 to 10, level:6")
        settings = {"level": int(word), **_settings(text, more)}
        unknown = [name for name in settings if name not in ("level", "seconds")]
        if unknown:
            raise InputError(f"{text}: a level has no setting {unknown[0]!r}; it has: seconds")
        return Player(text, kind, settings)
    settings = _settings(text, rest)
    known = ["seed"] if kind == "random" else known_settings(kind)
    for name in settings:
        if name not in known:
            raise InputError(f"{text}: {kind} has no setting {name!r}; it has: {', '.join(sorted(known))}")
    return Player(text, kind, settings)


def known_settings(kind: str) -> list[str]:
    """What a search may be told.

    >>> known_settings("analyze")
    ['seconds', 'depth', 'nodes', 'weights', 'hash_mb', 'threads', 'seed', 'evaluation', 'selective']
    """
    limits = [name for name in _LIMITS if name not in ("simulations", "iterations")]
    if kind in ("mcts", "ismcts"):
        limits.append("simulations")
    own: Iterable[str] = ("hash_mb", "threads", "seed", "evaluation", "selective")
    if kind != "analyze":
        own = [name for name in keywords(kind) if name not in _NOT_SETTINGS]
    return list(dict.fromkeys([*limits, "weights", *own]))


def _program(rest: str) -> tuple[str, dict[str, Any]]:
    """The command, which may have blanks, quotes and commas in quotes, and the settings after it."""
    parts = _parts(rest)
    return parts[0].strip(), _pairs(rest, parts[1:])


def _own(text: str) -> Player:
    target, *more = _parts(text)
    if more:
        raise InputError(f"{text}: a player of your own takes no settings; write a class for each")
    place, name = split(target)
    module = import_file(place) if is_file(place) else import_module(place)
    if name is None:
        having = [key for key, member in vars(module).items() if _plays(member, module.__name__)]
        if len(having) != 1:
            which = " or ".join(f"{place}:{key}" for key in having) or f"{place}:Name"
            raise InputError(f"{place} has {len(having)} classes with `move`; name the player: {which}")
        name = having[0]
    factory = vars(module).get(name)
    if factory is None:
        having = [
            key
            for key, member in vars(module).items()
            if getattr(member, "__module__", "") == module.__name__
        ]
        raise InputError(f"{place} has no {name!r}; it has: {', '.join(having) or 'nothing'}")
    if not callable(factory) and not callable(getattr(factory, "move", None)):
        raise InputError(
            f"{place}:{name} is no player: a player has `move(state)`, or is a function of (state, history)"
        )
    if isinstance(factory, type) and not callable(getattr(factory, "move", None)):
        raise InputError(f"{place}:{name} is no player: the class has no `move(state)`")
    return Player(text, "file", {}, f"{Path(place).name if is_file(place) else place}:{name}", factory)


def _plays(member: Any, module: str) -> bool:
    return (
        isinstance(member, type) and callable(getattr(member, "move", None)) and member.__module__ == module
    )


def _parts(text: str) -> list[str]:
    """What stands between commas, but for those in quotes."""
    return [part.strip() for part in re.findall(r"""(?:[^,"']|"[^"]*"|'[^']*')+""", text)] or [""]


def _settings(text: str, rest: str) -> dict[str, Any]:
    return _pairs(text, _parts(rest) if rest.strip() else [])


def _pairs(text: str, parts: Iterable[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise InputError(f"{text}: {part!r} is no setting; write a name and a value, seconds=0.1")
        if name in found:
            raise InputError(f"{text}: {name} stands twice")
        found[name] = _value(value.strip())
    return found


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text.strip("\"'")
    return int(text) if number[1] else float(text)


def _checked(made: Player) -> Player:
    """Refuses settings of the wrong kind before anything is played."""
    for name, value in made.settings.items():
        if name == "seconds" and not (is_number(value) and value > 0):
            raise InputError(f"{made.name}: seconds={value!r}: a number above 0")
        if name in _LIMITS and name != "seconds" and not (is_whole(value) and value >= 1):
            raise InputError(f"{made.name}: {name}={value!r}: a whole number of at least 1")
    if "weights" in made.settings:
        _weights(made.settings["weights"])
    return made


# --- weights that were learned ----------------------------------------------------------------------


def _weights(given: Any) -> list[float]:
    """Weights as they are, or those in a file that `gametree tune` wrote."""
    if isinstance(given, tuple):
        return list(given)
    file = str(given)
    data = parse(text_of(Path(file), 1 << 20, "file of weights"), file)
    found = data.get("parameters", {}).get("weights") if isinstance(data, dict) else None
    if not isinstance(found, list) or not found or not all(is_finite(one) for one in found):
        raise InputError(f"{file} has no weights: it is no file that `gametree tune` wrote")
    return [float(one) for one in found]


def _weighed(game: Game, file: Any) -> Game:
    """The game with other weights."""
    if file is None:
        return game
    return with_weights(game, _weights(file))


def with_weights(game: Game, weights: Any) -> Game:
    """The same game, whose features are weighed otherwise."""
    import numpy as np

    if game.weights is None:
        raise InputError(f"{type(game).__name__} has no `features` with `weights` to be weighed otherwise")
    if len(game.weights) != len(weights):
        raise InputError(f"{type(game).__name__} has {len(game.weights)} weights, not {len(weights)}")
    return with_class(game, type(game), weights=np.asarray(weights, dtype=np.float64))
