"""MTD: the value of the root by searches with windows of no width, each of which says "at least" or "less".

Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996), figure 4. Where the first question
is asked makes the algorithm: at +∞ it is SSS*, at −∞ DUAL*, at a guess MTD(f).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gametree.arguments import megabytes
from gametree.game import Game
from gametree.kernel.clock import RUNNING
from gametree.result import Analysis, Bound
from gametree.search.best_first import alphabeta_with_memory as memory
from gametree.search.core.answer import Walk, Window
from gametree.search.core.bound_table import LAYOUT, BoundTable
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.root import Payoffs
from gametree.search.core.task import Task

Guess = Callable[[Game, Any], float]
"""Where the first question is asked, as a payoff to player 0."""


@dataclass
class Bounds:
    """What is known of the value of the root to player 0, and by which action of the root."""

    lower: float = -math.inf
    upper: float = math.inf
    value: float = math.nan
    best: int | None = None
    """The place of the action that attains the bound on the mover's side."""
    estimated: bool = False
    stopped: int = RUNNING
    passes: int = 0


class Converging(Payoffs):
    """A root whose value is found by narrow searches from a first guess on, with a table of bounds."""

    kernel: Any = staticmethod(memory.value)

    def __init__(self, task: Task, first_guess: Guess, hash_mb: float):
        self.first: float = first_guess(task.game, task.state)
        self.buckets: int = buckets_for(hash_mb, LAYOUT.bucket_bytes)
        self.table: Any = None
        super().__init__(task)

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run = self.run
        return run.call(state, depth, *bounds, self.table, run.clock, run.path)  # type: ignore[no-any-return]

    def deepen(self, window: Window) -> Walk[float]:
        # A search that is tried again is as the first.
        compiled = self.run.compiled
        self.table = BoundTable.allocate(
            compiled,
            entries=block(self.buckets * LAYOUT.bucket_words) if compiled else Sparse(),
            buckets=self.buckets,
            salt=0 if self.past is None else self.past.salt,
        )
        bounds = narrowed(self, self.deepest, self.first)
        self.parameters["passes"] = bounds.passes
        return _unfinished(self, bounds) if bounds.stopped != RUNNING else _walk(self, self.deepest, bounds)


def converge(task: Task, first_guess: Guess, hash_mb: float, **parameters: Any) -> Analysis:
    """The value of a state by MTD from a first guess."""
    megabytes(hash_mb)
    return Converging.search(task, first_guess, hash_mb, **parameters, hash_mb=hash_mb)


def narrowed(root: Payoffs, depth: int, first: float) -> Bounds:
    """Asks until both bounds are one: is the value at least β? If g < β is found, it is at most g, else at least g."""
    bounds = Bounds()
    g = first
    while bounds.lower < bounds.upper:
        beta = math.nextafter(g, math.inf) if g == bounds.lower else g
        walk = root.walk(depth, (math.nextafter(beta, -math.inf), beta))
        bounds.estimated = bounds.estimated or walk.estimated
        if walk.stopped != RUNNING:
            bounds.stopped = walk.stopped
            break
        bounds.passes += 1
        assert walk.score is not None
        bounds.value = g = walk.score
        if g < beta:
            bounds.upper = g
        else:
            bounds.lower = g
        if (g >= beta) == (root.player == 0):
            bounds.best = walk.best
    return bounds


def _walk(root: Payoffs, depth: int, bounds: Bounds) -> Walk[float]:
    """What was found, with the first of the actions that attain it; looking for that one is not counted."""
    g = bounds.value
    with root.run.apart():
        again = root.walk(depth, root.attaining(g, root.mover))
    best = again.best if again.stopped == RUNNING else bounds.best
    best = best or 0
    return Walk(depth, scores={best: g}, best=best, score=g, estimated=bounds.estimated)


def _unfinished(root: Payoffs, bounds: Bounds) -> Walk[float]:
    """What is known of a search that was stopped: a bound, a lower one to the player who moves rather than an upper."""
    low, high = bounds.lower, bounds.upper
    sides: list[tuple[float, Bound]] = [(low, "lower"), (high, "upper")]
    if root.player == 1:
        sides = [(high, "lower"), (low, "upper")]
    known, bound = sides[0] if math.isfinite(sides[0][0]) else sides[1]
    found: Walk[float] = Walk(root.deepest, estimated=bounds.estimated, stopped=bounds.stopped)
    if math.isfinite(known):
        found.score, found.bound, found.best = known, bound, bounds.best
    return found
