"""MTD: the value of the root by searches with windows of no width, each of which says "at least" or "less".

Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996), figure 4. Where the first question
is asked makes the algorithm: at +∞ it is SSS*, at −∞ DUAL*, at a guess MTD(f).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gametree.game import Game
from gametree.kernel.primitives import RUNNING
from gametree.result import Analysis, Bound, Value
from gametree.search.best_first import alphabeta_with_memory as memory
from gametree.search.core.bound_table import BUCKET_BYTES
from gametree.search.core.memory import Sparse, block, buckets_for
from gametree.search.core.plays import rehearse
from gametree.search.core.repetition import Past
from gametree.search.core.root import Method, Payoffs, Root, Walk, leaf
from gametree.search.core.runner import MAX_PLIES, Run
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


class Memory:
    """A table for one search."""

    def __init__(self, hash_mb: float):
        self.buckets = buckets_for(hash_mb, BUCKET_BYTES)
        self.table: Any = None

    def clear(self, compiled: bool) -> None:
        """Forgets everything: a search that is tried again is as the first."""
        self.table = block(self.buckets * BUCKET_BYTES // 8) if compiled else Sparse()

    def search(self, run: Run, state: Any, depth: int, plies: int, alpha: float, beta: float) -> float:
        """The score of a state: what `Root` asks a method for."""
        return run.call(state, depth, alpha, beta, self.table)  # type: ignore[no-any-return]


def converge(task: Task, first_guess: Guess, hash_mb: float, **parameters: Any) -> Analysis:
    """The value of a state by MTD from a first guess."""
    name, game, state, limit = task.method, task.game, task.state, task.limit
    table = Memory(hash_mb)
    parameters = {**parameters, "hash_mb": hash_mb}
    result = leaf(name, game, state, limit, **parameters)
    if result is not None:
        return result
    first = first_guess(game, state)
    past = Past(game, state, task.history, MAX_PLIES)

    def furnish(ledger: Any) -> None:
        ledger[memory.BUCKETS] = table.buckets
        ledger[memory.SALT] = past.salt

    method = Method(name, memory.value, table.search, prunes=True, scale=Payoffs())
    root = Root(method, game, state, limit, task.compile, rehearse(game, state), past, memory.ROOM, furnish)
    plies = MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES)

    def search() -> Analysis:
        start = time.perf_counter()
        table.clear(root.run.compiled)
        bounds = narrowed(root, plies, first)
        nodes, seconds = root.run.nodes, time.perf_counter() - start
        if bounds.stopped != RUNNING:
            return _unfinished(root, plies, bounds, nodes, seconds, **parameters)
        walk = _walk(root, plies, bounds)
        return root.analysis(walk, root.line(walk), nodes, seconds, passes=bounds.passes, **parameters)

    return root.run.execute(search)


def narrowed(root: Root, depth: int, first: float) -> Bounds:
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
        bounds.value = g = walk.score
        if g < beta:
            bounds.upper = g
        else:
            bounds.lower = g
        if (g >= beta) == (root.player == 0):
            bounds.best = walk.best
    return bounds


def _walk(root: Root, depth: int, bounds: Bounds) -> Walk:
    """What was found, with the first of the actions that attain it; looking for that one is not counted."""
    g = bounds.value
    if root.player == 0:
        window = (math.nextafter(g, -math.inf), g)
    else:
        window = (g, math.nextafter(g, math.inf))
    with root.run.apart():
        again = root.walk(depth, window)
    best = again.best if again.stopped == RUNNING else bounds.best
    best = best or 0
    return Walk(depth, (-math.inf, math.inf), False, {best: g}, best=best, estimated=bounds.estimated)


def _unfinished(
    root: Root, depth: int, bounds: Bounds, nodes: int, seconds: float, **parameters: Any
) -> Analysis:
    """The result of a search that was stopped: the bound that it has, a lower one rather than an upper one."""
    game, player = root.game, root.player
    total = game.total or 0
    low, high = bounds.lower, bounds.upper
    if player == 1:
        low, high = total - high, total - low
    nothing = Walk(
        depth, (-math.inf, math.inf), False, {}, estimated=bounds.estimated, stopped=bounds.stopped
    )
    found = root.analysis(nothing, (), nodes, seconds, passes=bounds.passes, **parameters)
    bound: Bound = "lower" if low > -math.inf else "upper"
    known = low if bound == "lower" else high
    if math.isinf(known):
        return found
    action = None if bounds.best is None else root.actions[bounds.best]
    line = () if action is None else (action,)
    return replace(
        found,
        value=Value(known),
        values=(known, total - known) if player == 0 else (total - known, known),
        bound=bound,
        action=action,
        line=line,
        names=tuple(game.name_action(root.state, a) for a in line),
    )
