"""The kernel of paranoid search: one side against everybody else, by alpha-beta.

Every node belongs to the side that asks, which wants its own payoff to be great, or to somebody else, who is taken to
want it small; chance is averaged over. Sturtevant & Korf, On Pruning Techniques for Multi-Player Games (2000).
"""

import math
from typing import Any

from gametree.game import CHANCE
from gametree.kernel.clock import Clock, poll
from gametree.kernel.primitives import chance_outcomes
from gametree.search.core.repetition import Path, dead_end
from gametree.search.many.children import BARRED, INNER, kind_of, worth
from gametree.search.many.sides import SideTable, side_of

INFINITY = math.inf
STOPPED = math.nan


def value(
    game: Any, state: Any, depth: int, alpha: float, beta: float, sides: SideTable, clock: Clock, path: Path
) -> float:
    """What a state that is not terminal is worth to our side, `depth` ≥ 1 plies deep, if all others are against it.

    nan when told to stop. With α < β on entry, the result v proves: α < v < β, the value is v; v ≤ α, it is at most v;
    v ≥ β, it is at least v. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    i = 0
    if game.offered.chance and game.player(state) == CHANCE:
        mean = 0.0
        for outcome, probability in chance_outcomes(game, state):
            if clock.nodes == clock.next and poll(clock):
                return STOPPED
            clock.nodes += 1
            child = game.result(state, outcome)
            kind = kind_of(game, child, depth, path)
            if kind == INNER:
                path.places[depth] = i
                v = value(game, child, depth - 1, -INFINITY, INFINITY, sides, clock, path)
            else:
                v = worth(game, child, kind, sides, clock)
            if v != v:
                return STOPPED
            i += 1
            mean += probability * v
        return mean
    side = side_of(game, state, sides, clock)
    if side < 0:
        return STOPPED
    maximizing = side == sides.ours
    best = -INFINITY if maximizing else INFINITY
    found = False
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, action)
        kind = kind_of(game, child, depth, path)
        if kind == BARRED:
            i += 1
            continue
        if kind == INNER:
            path.places[depth] = i
            v = value(game, child, depth - 1, alpha, beta, sides, clock, path)
        else:
            v = worth(game, child, kind, sides, clock)
        if v != v:
            return STOPPED
        i += 1
        found = True
        if (v > best) if maximizing else (v < best):
            best = v
            if maximizing:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if alpha >= beta:
                return best
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    return best if found else dead_end(clock)
