"""What the searches of many players share: who plays with whom, and what a score is.

A score is a tuple of payoffs: of all sides, or of the side that asks alone.
"""

from abc import abstractmethod
from typing import Any

from gametree.game import CHANCE
from gametree.kernel.clock import RUNNING
from gametree.kernel.primitives import chance_outcomes
from gametree.result import Analysis, Value
from gametree.search.core.answer import WHOLE, Walk, Window
from gametree.search.core.root import Root
from gametree.search.core.runner import MAX_PLIES, Run
from gametree.search.many import sides, vectors
from gametree.search.many.sides import Sides, SideTable
from gametree.search.many.task import ManyTask
from gametree.search.many.vectors import Vectors

Score = tuple[float, ...]
WORSE: Score = ()
"""The score of an action that was left early: it is no better than the best so far."""


class ManyRoot(Root[Score]):
    """A root whose scores are payoffs of sides."""

    player: int
    shown: int

    keeps: type[SideTable] = SideTable
    """The block of memory that the kernel keeps."""
    task: ManyTask
    tells_line = True

    def __init__(self, task: ManyTask):
        self.sides: Sides = task.sides
        self.ours: int = self.sides.of[task.player]
        self.deepens: bool = task.deepens
        super().__init__(task)
        self.player, self.shown = task.player, task.shown
        if self.mover == CHANCE and task.capabilities.chance:
            self.actions: list[Any] = []  # what it throws is nobody's choice
        elif sides.side_of(self.game, self.state, self.run.memory, self.run.clock) < 0:
            raise self.trouble()

    def furnish(self, run: Run) -> SideTable:
        if self.deepens:
            run.clock.endless = False  # every depth ends at its horizon
        even = float(self.game.total or 0) / self.game.players
        return self.sides.table(self.keeps, run.compiled, ours=self.ours, even=even, **self.settings(run))

    def settings(self, run: Run) -> dict[str, Any]:
        """What the kernel keeps besides."""
        return {}

    # --- what tells one search from another -----------------------------------------------------------

    @abstractmethod
    def takes(self, mover: int, score: Score, best: Score) -> bool:
        """Whether a mover takes a score rather than the best so far."""

    def is_enough(self, best: Score) -> bool:
        """Whether the mover at the root, who has this, need not look any further."""
        return False

    @abstractmethod
    def payoff(self, score: Score) -> float:
        """What a score is worth to the side that asks."""

    @abstractmethod
    def payoffs(self, score: Score) -> tuple[float, ...]:
        """What a score is worth to every player; empty where it does not say."""

    # --- what a score is ------------------------------------------------------------------------------

    def bounds(self, walk: Walk[Score], i: int) -> Score | None:
        """What the mover at the root has already."""
        return None if walk.each else walk.score

    def prefers(self, walk: Walk[Score], i: int, score: Score) -> bool:
        assert walk.score is not None
        return score != WORSE and self.takes(self.mover, score, walk.score)

    def attaining(self, target: Score, mover: int) -> None:
        return None

    def is_settled(self, walk: Walk[Score]) -> bool:
        return walk.score is not None and self.is_enough(walk.score)

    def value(self, score: Score) -> Value:
        return Value(self.payoff(score))

    def values(self, walk: Walk[Score]) -> tuple[float, ...]:
        return self.payoffs(walk.score) if walk.score is not None and walk.stopped == RUNNING else ()

    @property
    def maximizes(self) -> bool:
        return self.mover != CHANCE and self.sides.of[self.mover] == self.ours

    def chooses(self) -> bool:
        return self.mover != CHANCE

    def mean(self, walk: Walk[Score]) -> Score | None:
        """The mean over what chance throws at the root, which takes a ply."""
        sums: list[float] = []
        for outcome, probability in chance_outcomes(self.game, self.state) if self.count() else ():
            self.run.approach = (self.state, [outcome])
            child = self.game.result(self.state, outcome)
            score = self.score(child, walk.depth - 1, 1, CHANCE, None)
            if score is None:
                return None
            sums = sums or [0.0] * len(score)
            sums = [so_far + probability * part for so_far, part in zip(sums, score, strict=True)]
        return tuple(sums) or None

    def trouble(self) -> Exception:
        return sides.refusal(self.game, self.sides, self.run.clock.stop) or super().trouble()

    def found(self, window: Window = WHOLE) -> Analysis:
        if self.deepens:
            self.parameters["deepening"] = True
        return super().found(window)


class VectorRoot(ManyRoot):
    """A root whose scores are the payoffs of all sides."""

    keeps: type[Vectors] = Vectors
    rows = 1
    """How many vectors a ply takes."""
    _rows: Any = None

    def settings(self, run: Run) -> dict[str, Any]:
        if self._rows is None:
            self._rows = {}
            if run.compiled:
                import numpy as np

                depth = self.task.limit.depth
                plies = MAX_PLIES if depth is None else min(depth, MAX_PLIES)
                self._rows = np.empty(self.rows * (plies + 2) * len(self.sides.members))
        return {"rows": self._rows}

    def _read(self) -> Score:
        rows = self.run.memory.rows
        return tuple(float(rows[side]) + 0.0 for side in range(len(self.sides.members)))

    def final(self, state: Any, plies: int) -> Score | None:
        return self._read() if vectors.paid(self.game, state, 0, self.run.memory, self.run.clock) else None

    def recurred(self, mover: int, plies: int) -> Score:
        return (float(self.run.memory.even),) * len(self.sides.members)

    def judged(self, state: Any) -> Score | None:
        sound = vectors.estimated(self.game, state, 0, self.run.memory, self.run.clock)
        return self._read() if sound else None

    def payoff(self, score: Score) -> float:
        return score[self.ours]

    def payoffs(self, score: Score) -> tuple[float, ...]:
        return self.sides.to_players(score)
