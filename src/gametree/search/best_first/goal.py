"""What `pns` and `dfpn` set out to prove, and what they come back with: `Proof`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gametree.arguments import number
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.result import Analysis, Bound, StoppedBy, Value
from gametree.search.core.task import Task

WIN, DRAW = "win", "draw"


@dataclass(frozen=True)
class Goal:
    """A yes-or-no question: does `player`, who moves at the root, get at least `bar`?"""

    name: str
    player: int
    bar: float

    def reached_by(self, payoff: float) -> bool:
        """Whether a payoff to the player answers it with yes."""
        return payoff >= self.bar

    def parameters(self) -> dict[str, Any]:
        """How it was asked for."""
        return {"goal": self.name} if self.name in (WIN, DRAW) else {"at_least": self.bar}


def goal_of(task: Task, goal: str | None, at_least: float | None) -> Goal:
    """The goal of whoever moves (player 0 where the game is over); a win where nothing else was asked for."""
    game, method = task.game, task.method
    player = 0 if game.is_terminal(task.state) or game.player(task.state) == 0 else 1
    if goal is not None and at_least is not None:
        raise InputError(
            f"goal={goal!r} and at_least={at_least!r}: {method} proves one thing; give one of them"
        )
    if at_least is not None:
        number("at_least", at_least, "the payoff to be proven, a finite number")
        return Goal(f"at least {at_least:g}", player, float(at_least))
    if goal is None or goal == WIN:
        return Goal(WIN, player, _win(game, player, method))
    if goal == DRAW:
        return Goal(DRAW, player, _even(game))
    raise InputError(f'goal={goal!r}: it is "win" or "draw" (a draw at least); at_least=… takes any payoff')


def _win(game: Game, player: int, method: str) -> float:
    if game.payoffs is None:
        name = type(game).__name__
        raise UnsuitableError(
            f"{name} does not say what a win is worth, so {method} cannot prove one: declare"
            " `payoffs = (lowest, highest)`, or ask for a payoff: at_least=…"
        )
    low, high = game.payoffs
    return float(high if player == 0 else (game.total or 0) - low)


def _even(game: Game) -> float:
    return float(game.total or 0) / 2


@dataclass
class Ends:
    """The payoffs at the ends of the game that a search has seen: the least that is enough, the greatest that is not.

    Who has proven the goal gets the one at least; who has disproven it, the other at most.
    """

    least: float = math.inf
    greatest: float = -math.inf

    def see(self, payoff: float, enough: bool) -> None:
        """Takes note of one more."""
        if enough:
            self.least = min(self.least, payoff)
        else:
            self.greatest = max(self.greatest, payoff)


@dataclass(frozen=True, kw_only=True, repr=False)
class Proof(Analysis):
    """What a search for a proof found: an `Analysis` that also says whether the goal is proven.

    `value` is what the proof shows of the value of the root: a lower bound where the goal is proven, an upper one where
    it is disproven, exact where that is a win or a loss.
    """

    goal: str
    """"win", "draw" (a draw at least), or "at least …"."""
    at_least: float
    """The payoff that the goal asks for."""
    proven: bool | None
    """True: the player to move gets it against every defence. False: there is a defence. None: not known yet."""
    proof_number: float
    """How many open ends have to turn out well, at least, for the goal to be proven; 0 where it is."""
    disproof_number: float
    """How many have to turn out badly for it to be disproven; 0 where it is."""
    size: int | None
    """The nodes of the tree that is the proof, or the disproof: one action of the one, every reply of the other."""

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, by the schema of every analysis; the proof is among the parameters."""
        data = super().to_dict()
        data["parameters"] = {
            **data["parameters"],
            "proof": {
                "goal": self.goal,
                "at_least": self.at_least,
                "proven": self.proven,
                "proof_number": _whole(self.proof_number),
                "disproof_number": _whole(self.disproof_number),
                "size": self.size,
            },
        }
        return data

    def _rows(self) -> list[tuple[str, str]]:
        who = f"{self.goal} for {self.viewer}"
        if self.proven is None and self.stopped_by == "depth":
            answer = f"not within {self.depth} plies, and beyond that not known"
        elif self.proven is None:
            answer = (
                f"not known (proof number {self.proof_number:g}, disproof number {self.disproof_number:g})"
            )
        else:
            answer = f"{'proven' if self.proven else 'disproven'} by a tree of {self.size:,} nodes"
        return [("goal", f"{who}: {answer}"), *super()._rows()]


def _whole(number: float) -> int | str:
    return int(number) if math.isfinite(number) else "inf"


def conclude(
    task: Task,
    goal: Goal,
    *,
    proven: bool | None,
    numbers: tuple[float, float],
    size: int | None,
    ends: Ends,
    line: Sequence[Any],
    nodes: int,
    seconds: float,
    stopped_by: StoppedBy,
    parameters: dict[str, Any],
) -> Proof:
    """The result of a search for a proof."""
    value, bound = _shown(task.game, goal, proven, ends)
    found = task.analysis(
        player=goal.player,
        value=value,
        values=_to_all(task.game, goal.player, value),
        bound=bound,
        line=line,
        depth=task.limit.depth,
        nodes=nodes,
        seconds=seconds,
        exact=proven is not None and bound == "exact",
        stopped_by=stopped_by,
        parameters={**goal.parameters(), **parameters},
    )
    return Proof(
        **vars(found),
        goal=goal.name,
        at_least=goal.bar,
        proven=proven,
        proof_number=numbers[0],
        disproof_number=numbers[1],
        size=size,
    )


def _shown(game: Game, goal: Goal, proven: bool | None, ends: Ends) -> tuple[Value | None, Bound]:
    """What a proof or disproof says of the value of the root to the player of the goal."""
    if proven is None:
        return None, "exact"
    payoff = ends.least if proven else ends.greatest
    if proven and _is_win(game, goal.player, payoff):
        return Value.win(payoff), "exact"
    if not proven and _is_loss(game, goal.player, payoff):
        return Value.loss(payoff), "exact"
    return Value(payoff), "lower" if proven else "upper"


def _is_win(game: Game, player: int, payoff: float) -> bool:
    return game.payoffs is not None and payoff >= _win(game, player, "")


def _is_loss(game: Game, player: int, payoff: float) -> bool:
    if game.payoffs is None:
        return False
    low, high = game.payoffs
    return payoff <= (low if player == 0 else (game.total or 0) - high)


def _to_all(game: Game, player: int, value: Value | None) -> tuple[float, ...]:
    """A value to one player as what every player gets."""
    if value is None:
        return ()
    other = float((game.total or 0) - value.payoff)
    return (value.payoff, other) if player == 0 else (other, value.payoff)
