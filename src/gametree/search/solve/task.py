"""A position that somebody wants solved: what is asked, within which limit, and how answers are put together."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from gametree.result import Analysis, Limit
from gametree.search.core.stopwatch import StopWatch
from gametree.search.core.task import Task, asked_for
from gametree.search.solve.estimate import Estimate, estimate_within
from gametree.search.solve.solution import Outcome, Progress, Solution, outcome_of

ESTIMATING: Final = 0.05
"""Seconds for an estimate of what is left, once somebody has told the search to stop."""
WHO_WINS: Final = "alphabeta to the end, asked who wins"


@dataclass(frozen=True, kw_only=True)
class SolveTask(Task):
    """What a position is worth, and how much of that is wanted."""

    method: str = "solve"
    strong: bool
    """By how much, or only who wins?"""
    report: Callable[[Progress], None] | None = None
    """Told how far the proof has come."""
    watch: StopWatch

    @property
    def unlimited(self) -> bool:
        """Whether nobody says when to stop."""
        return not asked_for(self.limit)

    @property
    def player(self) -> int:
        """Who moves."""
        return self.game.player(self.state)

    @property
    def parameters(self) -> dict[str, Any]:
        """How to ask the same again."""
        return {**asked_for(self.limit), "strong": self.strong, "moves": self.moves}

    def answered_by(self, found: Analysis | None) -> bool:
        """Whether what was asked is proven."""
        if found is None or found.value is None:
            return False
        if not self.strong and not self.moves and (found.value.outcome or self.leans(found)):
            return True
        return found.exact and all(move.exact for move in found.moves)

    def leans(self, found: Analysis) -> Outcome | None:
        """Win or loss, where a bound shows that it is more or less than half."""
        assert self.game.total is not None and found.value is not None
        half = self.game.total / 2
        if found.method == WHO_WINS and found.value.payoff == half and found.bound != "exact":
            return "win" if found.bound == "lower" else "loss"
        return None

    def solution(self, found: Analysis, **more: Any) -> Solution:
        """The answer, where it is proven."""
        return Solution(
            analysis=self._whole(found),
            strong=self.strong,
            solved=True,
            outcome=self.leans(found) or outcome_of(found.value, self.game),
            **more,
        )

    def unsolved(self, found: Analysis | None, method: str, speed: float = 0.0, **more: Any) -> Solution:
        """How far it came, with an estimate of what the rest would take."""
        speed = speed or max(1.0, self.watch.nodes / max(self.watch.seconds, 1e-3))
        outcome = None
        if found is not None and (found.exact or found.method == WHO_WINS):
            outcome = self.leans(found) or outcome_of(found.value, self.game)
        return Solution(
            analysis=self._nothing(method) if found is None else self._whole(found),
            strong=self.strong,
            solved=False,
            outcome=outcome,
            estimate=self._estimate(speed),
            **more,
        )

    def _estimate(self, speed: float) -> Estimate | None:
        """What the rest would take, by random plays in the time that is left for them."""
        left = Limit()
        if self.watch.cancelled:
            left = Limit(seconds=ESTIMATING)
        elif self.limit.seconds is not None:
            left = Limit(seconds=max(1e-3, self.limit.seconds - self.watch.seconds))
        return estimate_within(StopWatch(left).begin(aside=True), self.game, self.state, speed)

    def _whole(self, found: Analysis) -> Analysis:
        """A finding with what all attempts together took."""
        return dataclasses.replace(
            found, nodes=self.watch.nodes, seconds=self.watch.seconds, parameters=self.parameters
        )

    def _nothing(self, method: str) -> Analysis:
        """An analysis that knows nothing yet."""
        return self.analysis(
            method=method,
            player=self.player,
            value=None,
            values=(),
            depth=None,
            nodes=self.watch.nodes,
            seconds=self.watch.seconds,
            exact=False,
            stopped_by=self.watch.stopped_by or "cancelled",
            parameters=self.parameters,
        )
