"""The kernel of best-reply search: between two moves of our side one opponent moves, and the others pass.

Schadd & Winands, Best Reply Search for Multiplayer Games (2011).
"""

import math
from typing import Any

from gametree.kernel.clock import Clock, poll
from gametree.kernel.primitives import passed
from gametree.search.core.repetition import Path, dead_end
from gametree.search.many.children import BARRED, INNER, kind_of, worth
from gametree.search.many.sides import SideTable, side_of

INFINITY = math.inf
STOPPED = math.nan


def next_opponent(game: Any, state: Any, sides: SideTable, clock: Clock) -> Any:
    """The state in which an opponent has passed and another is to move; the state itself where there is none."""
    if not game.offered.null:
        return state
    after = passed(game, state)
    if game.is_terminal(after) or game.player(after) == game.player(state):
        return state
    return state if side_of(game, after, sides, clock) == sides.ours else after


def back_to_us(game: Any, state: Any, sides: SideTable, clock: Clock) -> Any:
    """The state after one opponent has moved and those who are left have passed, as far as they can."""
    if not game.offered.null:
        return state
    while not game.is_terminal(state):
        side = side_of(game, state, sides, clock)
        if side < 0 or side == sides.ours:
            return state
        after = passed(game, state)
        if game.player(after) == game.player(state):
            return state
        state = after
    return state


def value(
    game: Any, state: Any, depth: int, alpha: float, beta: float, sides: SideTable, clock: Clock, path: Path
) -> float:
    """What a state that is not terminal is worth to our side, `depth` ≥ 1 plies deep; nan when told to stop.

    A reply of the opponents is one ply. The result proves what that of alpha-beta does, in the tree in which one
    opponent at a time replies. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    side = side_of(game, state, sides, clock)
    if side < 0:
        return STOPPED
    maximizing = side == sides.ours
    best = -INFINITY if maximizing else INFINITY
    i = 0
    found = False
    more = True
    while more:
        for action in game.actions(state):
            if clock.nodes == clock.next and poll(clock):
                return STOPPED
            clock.nodes += 1
            child = game.result(state, action)
            if not maximizing:
                child = back_to_us(game, child, sides, clock)
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
        after = state if maximizing else next_opponent(game, state, sides, clock)
        more = game.player(after) != game.player(state)
        state = after
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    return best if found else dead_end(clock)
