"""Alpha-beta with memory: the search that MTD(f), SSS* and DUAL* call again and again.

Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996), figure 3: alpha-beta that looks up
what is known of a state before it searches, and notes what it has found. Called with windows of no width it is a
best-first search: what is left over from the last call decides where the next one goes.
"""

import math
from typing import Any

from gametree.kernel.clock import Clock, horizon, poll
from gametree.kernel.primitives import identity
from gametree.search.core import repetition
from gametree.search.core.bound_table import BoundTable, find, lower_bound, remember, tag_of, upper_bound
from gametree.search.core.repetition import Path

INFINITY = math.inf
STOPPED = math.nan


def value(
    game: Any, state: Any, depth: int, alpha: float, beta: float, table: BoundTable, clock: Clock, path: Path
) -> float:
    """What a state that is not terminal is worth to player 0, `depth` ≥ 1 plies deep; nan when told to stop.

    With α < β on entry, the result v proves: α < v < β, the value is v; v ≤ α, it is at most v; v ≥ β, it is at
    least v.
    """
    # Step 1. What is known may be enough.
    key = identity(game, state) ^ table.salt
    tag = tag_of(game, state, depth, clock)
    slot = find(table.entries, table.buckets, key, tag)
    lower = lower_bound(table.entries, slot)
    upper = upper_bound(table.entries, slot)
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    alpha = max(alpha, lower)
    beta = min(beta, upper)

    # Step 2. Alpha-beta, seen from the mover: sign turns values to player 0 around.
    plies = path.full_depth - depth
    taint = path.taint
    path.taint = repetition.CLEAN
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    low = alpha if mover == 0 else -beta
    high = beta if mover == 0 else -alpha
    best = -INFINITY
    floor = low
    i = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, action)
        again = repetition.NOWHERE
        if game.is_terminal(child):
            v = sign * game.utility(child, 0)
        else:
            if game.repetition is not None:
                again = repetition.recurs(game, child, plies + 1, path)
            if again != repetition.NOWHERE:
                repetition.note(again, path)
                v = sign * repetition.payoff(mover, path)
            elif depth == 1:
                v = sign * horizon(game, child, clock)
            else:
                path.places[depth] = i
                a = low if mover == 0 else -high
                b = high if mover == 0 else -low
                v = sign * value(game, child, depth - 1, a, b, table, clock, path)
        if v != v:
            return STOPPED
        i += 1
        if v > best:
            best = v
            if v >= high:
                break
            if v > low:
                low = v
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")

    # Step 3. Remember what this proves, unless it is true on this path alone.
    found = sign * best
    at_least = best > floor
    at_most = best < high
    if at_least if mover == 0 else at_most:
        lower = max(lower, found)
    if at_most if mover == 0 else at_least:
        upper = min(upper, found)
    tainted = path.taint < plies
    path.taint = min(taint, path.taint) if tainted else taint
    if not tainted:
        remember(table.entries, table.buckets, key, tag, lower, upper, depth, 0)
    return found
