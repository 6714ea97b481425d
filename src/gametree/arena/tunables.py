"""Parameters that can be tuned: the weights of a game's features, or numbers that a player is told."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gametree.arena.players import ENGINES, SEARCHES, Player, known_settings, player
from gametree.arguments import is_finite, is_whole
from gametree.errors import InputError
from gametree.game import Game

WEIGHTS: Final = "weights"
_LIMITS: Final = ("seconds", "depth", "nodes", "simulations")
_PART: Final = 20
"""At the end a parameter is moved by such a part of its range."""
_USUAL: Final = {"mcts": {"simulations": 400}, "analyze": {"depth": 2}, "alphabeta": {"depth": 2}}


@dataclass(frozen=True)
class Tunable:
    """A parameter: where it begins, and between which bounds it stays."""

    name: str
    start: float
    low: float
    high: float
    whole: bool = False

    @property
    def step(self) -> float:
        """How far it is moved up and down at the end."""
        step = (self.high - self.low) / _PART
        return max(step, 0.5) if self.whole else step

    def inside(self, steps: float) -> float:
        """So many steps, or as many as there are up to the bound."""
        return min((self.high - self.start) / self.step, max((self.low - self.start) / self.step, steps))

    def value(self, steps: float) -> float:
        """What it is so many steps from its start."""
        found = min(self.high, max(self.low, self.start + steps * self.step))
        return round(found) if self.whole else found


@dataclass(frozen=True)
class Tuned:
    """A player some of whose parameters are open."""

    player: Player
    parameters: tuple[Tunable, ...]
    weights: tuple[float, ...] | None = None
    """The weights of the game's features, where it is these that are tuned: the first one is kept."""

    def settings(self, values: Sequence[float]) -> dict[str, Any]:
        """What the player is told."""
        if self.weights is not None:
            return {WEIGHTS: (self.weights[0], *values)}
        return {one.name: value for one, value in zip(self.parameters, values)}

    def at(self, values: Sequence[float], name: str = "") -> Player:
        """The player with these values."""
        settings = {**self.player.settings, **self.settings(values)}
        return replace(self.player, name=name or self.player.name, settings=settings)

    def values(self, point: Sequence[float]) -> tuple[float, ...]:
        """The values at a point in steps."""
        return tuple(one.value(steps) for one, steps in zip(self.parameters, point))


def tuned(game: Game, parameters: str, given: str | Player | None) -> Tuned:
    """What is to be tuned, as the user writes it; refused where there is nothing of the name.

    >>> from gametree.games import TicTacToe
    >>> for one in tuned(TicTacToe(), "mcts:exploration=0.2..1.4..4", None).parameters: print(one)
    Tunable(name='exploration', start=1.4, low=0.2, high=4, whole=False)
    """
    if not isinstance(parameters, str) or not parameters.strip():
        raise InputError(
            f"parameters={parameters!r}: `weights`, or the parameters of a player with what they begin with:"
            " mcts:exploration=1.4"
        )
    text = parameters.strip()
    if text == WEIGHTS:
        return _weights_of(game, player(given) if given is not None else _usual("analyze"))
    kind, colon, rest = text.partition(":")
    if not colon or kind not in (*SEARCHES, *ENGINES):
        kind, rest = "", text
    one = player(given) if given is not None else _usual(kind)
    if kind and one.kind != kind:
        raise InputError(f"parameters={text!r} are those of {kind}, but the player is {one.name}")
    found = tuple(_read(part.strip(), text) for part in rest.split(","))
    _require_known(one, found)
    return Tuned(one, found)


def _usual(kind: str) -> Player:
    if not kind:
        raise InputError("whose parameters are they? Write mcts:exploration=1.4, or name the player")
    if kind in ENGINES:
        raise InputError(f"which engine? Name the player with its limit: {kind}:PROGRAM,nodes=1000")
    settings = _USUAL.get(kind, {"nodes": 1_000})
    written = ",".join(f"{name}={value}" for name, value in settings.items())
    return player(f"{kind}:{written}")


def _weights_of(game: Game, one: Player) -> Tuned:
    import numpy as np

    name = type(game).__name__
    if game.weights is None:
        raise InputError(
            f"{name} has no `features` with `weights` to be tuned; name parameters of a player, mcts:exploration=1.4"
        )
    if one.kind not in SEARCHES:
        raise InputError(f"{one.name} does not judge by the game's weights; take a search, analyze:depth=2")
    if WEIGHTS in one.settings:
        raise InputError(
            f"{one.name} has weights already; leave them out: the game's are where tuning begins"
        )
    weights = np.asarray(game.weights, dtype=np.float64)
    if weights.ndim != 1 or len(weights) < 2 or not np.isfinite(weights).all():
        raise InputError(f"{name}.weights are w0, w1 … wn: finite numbers in one row, at least two")
    sizes = sorted(abs(float(one)) for one in weights[1:] if one)
    usual = sizes[len(sizes) // 2] if sizes else 1.0
    found = []
    for place, weight in enumerate(map(float, weights[1:]), 1):
        reach = 2 * max(abs(weight), usual)
        found.append(Tunable(f"w{place}", weight, weight - reach, weight + reach))
    return Tuned(one, tuple(found), tuple(map(float, weights)))


def _read(part: str, text: str) -> Tunable:
    name, equals, value = part.partition("=")
    if not equals or not name.strip():
        raise InputError(
            f"parameters={text!r}: {part!r} is no parameter with what it begins with; write exploration=1.4, or with"
            " bounds exploration=0.2..1.4..4"
        )
    try:
        numbers = [_number(one) for one in value.split("..")]
    except ValueError:
        raise InputError(f"parameters={text!r}: {value!r} is no number, and no range 0.2..1.4..4") from None
    match numbers:
        case [start]:
            if not start:
                raise InputError(f"parameters={text!r}: from 0 no range can be told; write {name}=0..0..1")
            low, high = sorted((0 * start, 2 * start))
        case [low, high]:
            start = (low + high) / 2
            start = round(start) if is_whole(low) and is_whole(high) else start
        case [low, start, high]:
            pass
        case _:
            raise InputError(f"parameters={text!r}: {value!r} is no number, and no range 0.2..1.4..4")
    if not low <= start <= high or low == high:
        raise InputError(f"parameters={text!r}: {value!r} has to rise from its least to its most")
    whole = all(is_whole(number) for number in numbers)
    return Tunable(name.strip(), start, low, high, whole)


def _number(text: str) -> float:
    try:
        return int(text)
    except ValueError:
        found = float(text)
        if not is_finite(found):
            raise
        return found


def _require_known(one: Player, found: Sequence[Tunable]) -> None:
    if one.kind not in (*SEARCHES, *ENGINES):
        raise InputError(f"{one.name} has no parameters to be tuned: a search has, or an engine with options")
    names = [parameter.name for parameter in found]
    for name in names:
        if name in _LIMITS:
            raise InputError(
                f"{name}={one.settings.get(name, '…')}: more is always better, there is nothing to tune"
            )
        if names.count(name) > 1:
            raise InputError(f"{name} stands twice")
        if one.kind in SEARCHES and name not in known_settings(one.kind):
            known = [known for known in known_settings(one.kind) if known not in _LIMITS]
            raise InputError(f"{one.kind} has no parameter {name!r}; it has: {', '.join(sorted(known))}")
