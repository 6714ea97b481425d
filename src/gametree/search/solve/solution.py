"""What solving gives: `Solution`, and `Progress` while it is under way."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from gametree.game import Game, player_name
from gametree.result import Analysis, Move, Shown, Value, as_text, many, shortened
from gametree.search.solve.estimate import Estimate, duration

if TYPE_CHECKING:
    from gametree.search.hidden.equilibrium import EquilibriumProfile
    from gametree.search.solve.value_iteration import Policy

SCHEMA: Final = "gametree.solution/1"
Outcome = Literal["win", "draw", "loss"]

UNLISTED: Final = "sequence form"
"""The method of what was stopped while a game that hides something was still being listed."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far solving has come."""

    stage: Literal["exploring", "searching", "iterating"]
    """All positions are being listed, the tree is being searched, or bounds are being narrowed pass by pass."""
    nodes: int
    """Positions expanded, nodes searched, or passes done."""
    waiting: int | None = None
    """While exploring: how many positions are known that are still to be expanded."""
    depth: int | None = None
    """While searching by depth: how many plies are done."""
    low: float | None = None
    high: float | None = None
    """While an exact score is closed in on: between which two it lies, to the player who moves."""
    seconds: float
    seconds_left: float | None = None
    """A guess from the trend so far; None where there is none to go by."""

    def __str__(self) -> str:
        if self.stage == "exploring":
            text = f"{self.nodes:,} positions looked at, {self.waiting:,} waiting"
        elif self.stage == "iterating":
            text = f"{self.nodes:,} passes done, bounds are at most {(self.high or 0) - (self.low or 0):.2g} apart"
        elif self.low is not None:
            text = f"the score is {self.low:g} to {self.high:g}, {self.nodes:,} nodes"
        else:
            text = f"depth {self.depth} done, {self.nodes:,} nodes"
        if self.seconds_left is not None:
            text += f", {duration(math.log10(max(self.seconds_left, 1e-9)))} left at this rate"
        return text


@dataclass(frozen=True, kw_only=True, repr=False)
class Solution(Shown):
    """What a position is worth, proven; or how far the proof has come, where `solved` is False."""

    analysis: Analysis
    """The value, the line and the moves as every search gives them."""
    strong: bool
    """Whether it was asked by how much, and not only who wins."""
    solved: bool
    """Whether what was asked is proven; in games that hide something: whether the profile is as good as was asked."""
    outcome: Outcome | None
    """What best play comes to for the player who moves; None where it is not known."""
    margin: float | None = None
    """The exact score to the player who moves, where the game counts by how much it is won (`margin`)."""
    margins: tuple[float, ...] = ()
    """The exact scores of `moves`, in the same order, where the game counts so."""
    bounds: tuple[float, float] | None = None
    """Between which scores the value lies, where a game that counts so is not solved yet."""
    positions: int | None = None
    """How many positions the game has from here, symmetric ones counted once, where all were looked at."""
    proof: int | None = None
    """How many positions have to be checked to believe the value: those that come up when the side that claims it
    plays its strategy against every reply (both sides, where neither wins)."""
    circular: bool | None = None
    """Whether play can go in circles; None where not all positions were looked at."""
    assumed: float | None = None
    """What play that never ends was taken to be worth to player 0, where the value rests on that and no rule of the
    game says it."""
    estimate: Estimate | None = None
    """What the rest would take, where it is not solved."""
    error: float | None = None
    """In games with chance, and in games of two players that hide something: how far from the truth `value` can be; it
    is proven up to that."""
    policy: "Policy | None" = field(default=None, compare=False)
    """In games with chance: what to play in every position that can follow."""
    equilibrium: "EquilibriumProfile | None" = field(default=None, compare=False)
    """In games that hide something: how likely to do what at every information set."""

    @property
    def game(self) -> str:
        """The game's name."""
        return self.analysis.game

    @property
    def player(self) -> int:
        """Who moves."""
        return self.analysis.player

    @property
    def value(self) -> Value | None:
        """What the position is worth to the player who moves; None where that is not known."""
        return self.analysis.value

    @property
    def values(self) -> tuple[float, ...]:
        """What it is worth to every player; `values[0]` is the lectures' value for MAX."""
        return self.analysis.values

    @property
    def exact(self) -> bool:
        """Whether `value` is proven, distance or score included."""
        return self.analysis.exact

    @property
    def action(self) -> Any:
        """A best action; None at the end of the game or where none is known."""
        return self.analysis.action

    @property
    def name(self) -> str | None:
        """The best action as people write it."""
        return self.analysis.name

    @property
    def line(self) -> tuple[Any, ...]:
        """Best play from here on."""
        return self.analysis.line

    @property
    def names(self) -> tuple[str, ...]:
        """The actions of the line as people write them."""
        return self.analysis.names

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every action with its value, where asked for."""
        return self.analysis.moves

    @property
    def nodes(self) -> int:
        """Positions expanded or nodes searched."""
        return self.analysis.nodes

    @property
    def seconds(self) -> float:
        """How long it took."""
        return self.analysis.seconds

    @property
    def stopped_by(self) -> str:
        """Why it ended: "end" where all is proven."""
        return self.analysis.stopped_by

    def to_dict(self) -> dict[str, Any]:
        """The solution as plain data, by the schema `gametree.solution/1`; `analysis` is by `gametree.analysis/1`."""
        return {
            "schema": SCHEMA,
            "solved": self.solved,
            "strong": self.strong,
            "outcome": self.outcome,
            "margin": self.margin,
            "margins": list(self.margins),
            "bounds": None if self.bounds is None else list(self.bounds),
            "positions": self.positions,
            "proof": self.proof,
            "circular": self.circular,
            "assumed": self.assumed,
            "estimate": None if self.estimate is None else self.estimate.to_dict(),
            **({} if self.error is None else {"error": self.error}),
            **({} if self.equilibrium is None else {"equilibrium": self.equilibrium.to_dict()}),
            "analysis": self.analysis.to_dict(),
        }

    # --- as people see it -----------------------------------------------------------------------------

    def _title(self) -> str:
        return f"{self.game}, {'solved' if self.solved else 'not solved'} by {self.analysis.method}"

    def _rows(self) -> list[tuple[str, str]]:
        if self.equilibrium is not None:
            return self.equilibrium.rows()
        rows = [("value", self._worth())]
        rows.append(("best", self.name or ("chance decides" if self.player < 0 else "none")))
        rows.append(("line", shortened(self.names) or "none"))
        rows += [("note", note) for note in self._notes()]
        rows.append(("looked at", self._effort()))
        if self.proof is not None:
            rows.append(
                ("proof", f"{many(self.proof, 'position', 'positions')} to check, every reply considered")
            )
        if self.estimate is not None:
            rows.append(("estimate", self.estimate.sentence()))
        return rows + [("move", text) for text in self.move_texts()]

    def move_texts(self) -> list[str]:
        """Every move with its value, in words."""
        if not self.margins:
            return [str(move) for move in self.moves]
        return [f"{move.name}: {_by(margin)}" for move, margin in zip(self.moves, self.margins)]

    def _worth(self) -> str:
        if self.value is None:
            if self.bounds is None:
                return "not known"
            return f"between {self.bounds[0]:g} and {self.bounds[1]:g} for {self.analysis.viewer}"
        words = str(self.value)
        if self.outcome == "draw":
            words = "draw" if self.value == 0 else f"draw, {self.value}"
        elif self.outcome is not None and self.value.outcome is None:
            sign = {"lower": "at least ", "upper": "at most "}.get(self.analysis.bound, "")
            words = f"{self.outcome}, {sign}{self.value}"
        if self.margin is not None:
            words = _by(self.margin)
        if self.solved or self.exact:
            return f"{words} for {self.analysis.viewer}"
        if self.outcome is not None:
            return f"{self.outcome} for {self.analysis.viewer}; how soon or by how much is not proven"
        return f"not proven; so far {words} for {self.analysis.viewer}"

    def _notes(self) -> list[str]:
        notes = []
        if self.error is not None:
            notes.append(f"an expected payoff; the error is at most {self.error:.1e}")
        if self.assumed is not None:
            notes.append(
                f"play that never ends counts as {self.assumed:g} for {player_name(self.analysis.players, 0)}:"
                " the rules do not say what it is worth"
                ' (`repetition = ("draw", 2)` would), and the value rests on it'
            )
        if self.analysis.method == UNLISTED:
            notes.append(
                f"stopped by {self.stopped_by} while the game was being listed: give a larger limit; where it is too"
                " large to be listed, gt.mccfr comes near to an equilibrium, and gt.analyze plays it"
            )
        elif not self.solved and self.stopped_by in ("nodes", "seconds", "cancelled", "depth"):
            notes.append(
                f"stopped by {self.stopped_by}: the same Solver takes it up again, or give a larger limit"
            )
        return notes

    def _effort(self) -> str:
        if self.positions is not None:
            circles = ", play can go in circles" if self.circular else ""
            what = f"all {many(self.positions, 'position', 'positions')} of the game from here{circles}"
        else:
            what = many(self.nodes, "node", "nodes")
        return f"{what}, in {self.seconds:.3g} s"

    def __str__(self) -> str:
        if self.equilibrium is not None:
            return as_text(self._title(), self._rows(), wide=11) + self.equilibrium.table()
        return super().__str__()


def outcome_of(value: Value | None, game: Game) -> Outcome | None:
    """Win, draw or loss: more or less than half of what there is to share; None where no payoff is called a win."""
    if value is None or game.payoffs is None:
        return None
    if value.outcome is not None:
        return value.outcome
    half = (game.total or 0) / 2
    return "win" if value.payoff > half else "loss" if value.payoff < half else "draw"


def _by(margin: float) -> str:
    """By how much: "win by 3"."""
    if margin == 0:
        return "draw"
    return f"{'win' if margin > 0 else 'loss'} by {abs(margin):g}"
