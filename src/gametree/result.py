"""What goes into a search and what comes out: `Limit`, `Value`, `Move`, `Analysis`."""

import functools
import html
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gametree.errors import InputError
from gametree.game import player_name

LONGEST_LINE: Final = 60
"""How many actions of a line are printed."""
LONGEST_DISTRIBUTION: Final = 12
"""How many payoffs of a distribution are printed."""
SCHEMA: Final = "gametree.analysis/1"

Bound = Literal["exact", "lower", "upper"]
_SIGNS: Final = {"exact": "", "lower": "≥ ", "upper": "≤ "}
StoppedBy = Literal["end", "depth", "nodes", "seconds", "cancelled"]


@dataclass(frozen=True, kw_only=True)
class Limit:
    """When to stop: after so many seconds, plies or nodes, whichever comes first.

    >>> Limit(seconds=1, depth=8)
    Limit(seconds=1, depth=8)
    """

    seconds: float | None = None
    depth: int | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        for name, least in (("seconds", 0), ("depth", 0), ("nodes", 1)):
            value = getattr(self, name)
            if value is None:
                continue
            whole = name != "seconds"
            number = hasattr(value, "__index__" if whole else "__float__") and not isinstance(value, bool)
            if number and type(value) not in (int, float):  # NumPy's numbers
                value = int(value) if whole else float(value)
                object.__setattr__(self, name, value)
            if not number or math.isnan(value) or value < least:
                kind = "a whole number" if whole else "a number"
                raise InputError(f"Limit({name}={value!r}): {name} must be {kind} of at least {least}")

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in ("seconds", "depth", "nodes"))
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"


@functools.total_ordering
@dataclass(frozen=True, eq=False)
class Value:
    """What a state or a move is worth to a player, and how far off a proven win or loss is.

    Losses come first (the later the better), then everything between by payoff, then wins (the sooner the
    better). A plain number compares like a value that is neither won nor lost; `float(value)` is the payoff.

    >>> Value.win(1, plies=3) > Value.win(1, plies=7) > Value(0.5) > Value.loss(-1, plies=7)
    True
    >>> Value.loss(-1, plies=7) > Value.loss(-1, plies=3)
    True
    >>> Value(3) == 3 and float(Value.win(1, plies=3)) == 1.0
    True
    """

    payoff: float
    outcome: Literal["win", "loss"] | None = None
    plies: int | None = None
    """How many plies away the proven end is; None where the distance is not known."""

    def __post_init__(self) -> None:
        if math.isnan(self.payoff):
            raise InputError("a value cannot be nan: what did `utility` or `evaluate` return?")
        if self.outcome not in ("win", "loss", None):
            raise InputError(f"outcome must be 'win', 'loss' or None, not {self.outcome!r}")
        if self.plies is not None and (self.outcome is None or self.plies < 0):
            raise InputError("plies is the distance of a win or a loss: a whole number of at least 0")
        object.__setattr__(self, "payoff", float(self.payoff))

    @classmethod
    def win(cls, payoff: float = 1, plies: int | None = None) -> "Value":
        """A proven win, `plies` away."""
        return cls(payoff, "win", plies)

    @classmethod
    def loss(cls, payoff: float = -1, plies: int | None = None) -> "Value":
        """A proven loss, `plies` away."""
        return cls(payoff, "loss", plies)

    def _rank(self) -> tuple[int, float, float]:
        if self.outcome is None:
            return 0, self.payoff, 0.0
        distance = math.inf if self.plies is None else float(self.plies)
        return (1, -distance, self.payoff) if self.outcome == "win" else (-1, distance, self.payoff)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (int, float)):
            return self.outcome is None and self.payoff == other
        return self._rank() == other._rank() if isinstance(other, Value) else NotImplemented

    def __lt__(self, other: "Value | float") -> bool:
        if isinstance(other, (int, float)):
            other = Value(other)
        return self._rank() < other._rank() if isinstance(other, Value) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.payoff) if self.outcome is None else hash(self._rank())

    def __float__(self) -> float:
        return self.payoff

    def __round__(self, digits: int | None = None) -> float:
        return round(self.payoff, digits)

    def __format__(self, spec: str) -> str:
        return format(self.payoff, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.outcome is None:
            return f"{self.payoff:.6g}"
        return self.outcome if self.plies is None else f"{self.outcome} in {self.plies}"

    def to_dict(self) -> dict[str, Any]:
        """The value for JSON; infinite payoffs as text."""
        return {"payoff": plain(self.payoff), "outcome": self.outcome, "plies": self.plies}


@dataclass(frozen=True)
class Move:
    """An action at the root and what it is worth to the player who moves there."""

    action: Any
    value: Value
    bound: Bound
    """`exact`, or on which side of the true value it lies: a `lower` bound is at most the true value."""
    name: str
    exact: bool = False
    """True only where `value` is proven to the end of the game."""
    line: tuple[Any, ...] = ()
    """What follows when both play what the search found best, this action first; only in `Analysis.lines`."""
    names: tuple[str, ...] = ()
    """The actions of `line` as people write them."""

    def __str__(self) -> str:
        return f"{self.name}: {_SIGNS[self.bound]}{self.value}"


class Shown:
    """A result as people and programs see it: a title and rows in a terminal and in a notebook, and a JSON text."""

    _wide = 9
    """How much room the labels of the rows take."""

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        raise NotImplementedError

    def to_json(self, indent: int | None = None) -> str:
        """The result as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, allow_nan=False, ensure_ascii=False)

    def _title(self) -> str:
        raise NotImplementedError

    def _rows(self) -> "Rows":
        raise NotImplementedError

    def __str__(self) -> str:
        return as_text(self._title(), self._rows(), self._wide)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return as_html(self._title(), self._rows())


@dataclass(frozen=True, kw_only=True, repr=False)
class Analysis(Shown):
    """What a search found, how far it looked, and how sure it is."""

    game: str
    players: tuple[str, ...] = ()
    """What the players are called, by the game's `player_names`; empty where it names nobody."""
    method: str
    player: int
    """Who moves at the root."""
    action: Any
    """The best action; None at a terminal state or where depth is 0."""
    value: Value | None
    """What the root is worth to `player`; None where the search was stopped before it knew."""
    values: tuple[float, ...]
    """What the root is worth to every player; `values[0]` is the lectures' value for MAX."""
    bound: Bound = "exact"
    """`lower` or `upper` where `value` is only a bound: the window was left, or the time was up."""
    line: tuple[Any, ...]
    """The principal variation: what follows when everybody plays what the search found best."""
    names: tuple[str, ...]
    """The actions of `line` as people write them."""
    moves: tuple[Move, ...] = ()
    """Every root action with its value, where asked for."""
    lines: tuple[Move, ...] = ()
    """The best lines, the best first; as many as were asked for."""
    depth: int | None
    """How many plies were searched; None means to the end of the game."""
    selective_depth: int | None = None
    """How many plies the longest line had that was looked at; None where all have the same length."""
    table_fill: float | None = None
    """Which share of the transposition table this search has filled, from 0 to 1; None without a table."""
    nodes: int
    seconds: float
    exact: bool
    """True only where `value` is proven to the end of the game, no estimate in it."""
    stopped_by: StoppedBy
    distribution: tuple[tuple[float, float], ...] | None = None
    """Where asked for, in games with chance: what best play can end with for `player` (at a chance node, for player 0),
    the least payoff first, each with its probability."""
    strategy: tuple[tuple[str, float], ...] | None = None
    """Where the best is to mix actions: the names of the actions, each with the probability to play it."""
    notes: tuple[str, ...] = ()
    """What there is to say about the search besides, a sentence each."""
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    """What the method was asked for: how to get this result again."""

    @property
    def name(self) -> str | None:
        """The best action as people write it."""
        return self.names[0] if self.names else None

    @property
    def viewer(self) -> str:
        """What the player is called to whom `value` is worth that; where chance decides it is the first."""
        return player_name(self.players, max(self.player, 0))

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, by the schema `gametree.analysis/1`."""
        return {
            "schema": SCHEMA,
            "game": self.game,
            "players": list(self.players),
            "method": self.method,
            "player": self.player,
            "action": self.name,
            "value": None if self.value is None else self.value.to_dict(),
            "values": [plain(value) for value in self.values],
            "bound": self.bound,
            "line": list(self.names),
            "moves": [
                {
                    "action": move.name,
                    "value": move.value.to_dict(),
                    "bound": move.bound,
                    "exact": move.exact,
                }
                for move in self.moves
            ],
            "lines": [
                {
                    "action": move.name,
                    "value": move.value.to_dict(),
                    "bound": move.bound,
                    "exact": move.exact,
                    "line": list(move.names),
                }
                for move in self.lines
            ],
            "depth": self.depth,
            "selective_depth": self.selective_depth,
            "table_fill": self.table_fill,
            "nodes": self.nodes,
            "seconds": self.seconds,
            "exact": self.exact,
            "stopped_by": self.stopped_by,
            "parameters": self.parameters,
            **self._optional(),
        }

    def _optional(self) -> dict[str, Any]:
        """What only some searches have to say."""
        said: dict[str, Any] = {}
        if self.distribution is not None:
            said["distribution"] = [
                {"payoff": plain(payoff), "probability": probability}
                for payoff, probability in self.distribution
            ]
        if self.strategy is not None:
            said["strategy"] = [{"action": name, "probability": odds} for name, odds in self.strategy]
        if self.notes:
            said["notes"] = list(self.notes)
        return said

    def _title(self) -> str:
        return f"{self.game}, {self.method}"

    def _rows(self) -> list[tuple[str, str]]:
        if self.value is None:
            value = "not known: stopped too early"
        else:
            sign = _SIGNS[self.bound]
            value = f"{sign}{self.value} for {self.viewer}"
            value += " (exact)" if self.exact else " (estimate)" if self.bound == "exact" else " (bound)"
        cut = self.stopped_by in ("nodes", "seconds", "cancelled")
        depth = "not to the end" if cut else "to the end"
        if self.depth is not None:
            depth = many(self.depth, "ply", "plies")
        why = {"end": "", "depth": "", "nodes": ", stopped by the node limit"}.get(
            self.stopped_by, f", stopped by {self.stopped_by}"
        )
        rate = f", {_human(self.nodes / self.seconds)} nodes/s" if self.seconds > 1e-3 else ""
        rows = [
            ("best", self.name if self.name is not None else "chance decides" if self.player < 0 else "none"),
            ("value", value),
            *([("payoffs", _to_each(self.values, self.players))] if len(self.values) > 2 else []),
            ("line", shortened(self.names) or "none"),
            ("searched", f"{depth}, {many(self.nodes, 'node', 'nodes')} in {self.seconds:.3g} s{rate}{why}"),
        ]
        if self.distribution is not None:
            rows.append(("outcomes", _outcomes(self.distribution)))
        if self.strategy is not None:
            rows.insert(1, ("strategy", percentages(self.strategy)))
        rows += [("note", note) for note in self.notes]
        if "why" in self.parameters and not self.method.startswith("iterative deepening"):
            rows.insert(0, ("why", str(self.parameters["why"])))
        rows += [("line", f"{move}  {' '.join(move.names[:LONGEST_LINE])}") for move in self.lines[1:]]
        rows += [("move", str(move)) for move in self.moves]
        return rows


def _outcomes(distribution: Sequence[tuple[float, float]]) -> str:
    """Payoffs with their probabilities, the likeliest where they are many."""
    shown = list(distribution)
    if len(shown) > LONGEST_DISTRIBUTION:
        likeliest = sorted(shown, key=lambda pair: -pair[1])[:LONGEST_DISTRIBUTION]
        shown = sorted(likeliest)
    text = ", ".join(f"{payoff:.6g}: {probability:.4g}" for payoff, probability in shown)
    rest = len(distribution) - len(shown)
    return f"{text} and {rest:,} less likely ones" if rest else text


def percentages(strategy: Sequence[tuple[str, float]]) -> str:
    """A mixed strategy, the likeliest action first, without what is never played.

    >>> percentages((("pass", 0.25), ("bet", 0.75), ("fold", 0)))
    'bet 75 %, pass 25 %'
    """
    played = sorted((pair for pair in strategy if pair[1] > 0), key=lambda pair: -pair[1])
    return ", ".join(f"{name} {100 * odds:.3g} %" for name, odds in played)


def _to_each(values: Sequence[float], players: Sequence[str]) -> str:
    """What every player gets.

    >>> _to_each((1, -2.5, 0), ("X", "O", "Y"))
    '1 to X, -2.5 to O, 0 to Y'
    >>> _to_each((1, -2.5, 0), ())
    '1, -2.5, 0 to players 0 to 2'
    """
    if len(players) == len(values):
        return ", ".join(f"{value:.6g} to {name}" for value, name in zip(values, players))
    return f"{', '.join(f'{value:.6g}' for value in values)} to players 0 to {len(values) - 1}"


def plain(number: float) -> float | str:
    """A number for JSON, which knows no infinity."""
    return number if math.isfinite(number) else str(number)


def best_first(moves: Sequence[Move]) -> list[Move]:
    """Moves by value, the best first; equal ones keep the order of `actions`."""
    return sorted(moves, key=lambda move: move.value, reverse=True)


Rows = Sequence[tuple[str, str]]
"""What a result says, each with a label."""


def as_text(title: str, rows: Rows, wide: int = 9) -> str:
    """A result in a terminal."""
    return "\n".join([title, *(f"  {label:<{wide}} {text}" for label, text in rows)])


def as_html(title: str, rows: Rows) -> str:
    """A result in a notebook."""
    cells = "".join(
        f"<tr><th style='text-align:left'>{html.escape(label)}</th>"
        f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
        for label, text in rows
    )
    return f"<table><caption>{html.escape(title)}</caption>{cells}</table>"


def shortened(names: Sequence[str]) -> str:
    """The beginning of a line of play."""
    return " ".join(names[:LONGEST_LINE]) + (" …" if len(names) > LONGEST_LINE else "")


def capital(sentence: str) -> str:
    """A sentence with a great letter at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def many(count: int, one: str, several: str) -> str:
    """How many there are, in words.

    >>> many(1, "ply", "plies"), many(1200, "ply", "plies")
    ('1 ply', '1,200 plies')
    """
    return f"{count:,} {one if count == 1 else several}"


def _human(number: float) -> str:
    for unit in ("", " k", " M", " G"):
        if number < 1000:
            return f"{number:.3g}{unit}"
        number /= 1000
    return f"{number:.3g} T"
