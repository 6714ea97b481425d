"""The kernel of best-reply search: between two moves of our side one opponent moves, and the others pass.

Schadd & Winands, Best Reply Search for Multiplayer Games (2011).
"""

import math
from typing import Any

from gametree.kernel.primitives import (
    BY_RULES,
    NEXT,
    NODES,
    STOP,
    Ints,
    has_null,
    has_repetition,
    passed,
    poll,
)
from gametree.search.core.repetition import FORBID, Path, bars
from gametree.search.many.sides import OURS, estimate_to, payoff_to, side_of

INFINITY = math.inf
STOPPED = math.nan


def next_opponent(game: Any, state: Any, ledger: Ints) -> Any:
    """The state in which an opponent has passed and another is to move; the state itself where there is none."""
    if not has_null(game):
        return state
    after = passed(game, state)
    if game.is_terminal(after) or game.player(after) == game.player(state):
        return state
    return state if side_of(game, after, ledger) == ledger[OURS] else after


def back_to_us(game: Any, state: Any, ledger: Ints) -> Any:
    """The state after one opponent has moved and those who are left have passed, as far as they can."""
    if not has_null(game):
        return state
    while not game.is_terminal(state):
        side = side_of(game, state, ledger)
        if side < 0 or side == ledger[OURS]:
            return state
        after = passed(game, state)
        if game.player(after) == game.player(state):
            return state
        state = after
    return state


def value(game: Any, state: Any, depth: int, alpha: float, beta: float, ledger: Ints, path: Path) -> float:
    """What a state that is not terminal is worth to our side, `depth` ≥ 1 plies deep; nan when told to stop.

    A reply of the opponents is one ply. The result proves what that of alpha-beta does, in the tree in which one
    opponent at a time replies. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    ours = ledger[OURS]
    side = side_of(game, state, ledger)
    if side < 0:
        return STOPPED
    maximizing = side == ours
    best = -INFINITY if maximizing else INFINITY
    i = 0
    found = False
    more = True
    while more:
        for action in game.actions(state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, action)
            if not maximizing:
                child = back_to_us(game, child, ledger)
            if game.is_terminal(child):
                v = payoff_to(game, child, ours, ledger)
            elif has_repetition(game) and bars(game, child, depth, path):
                if path.rule == FORBID:
                    i += 1
                    continue
                v = path.even
            elif depth == 1:
                v = estimate_to(game, child, ours, ledger)
            else:
                path.places[depth] = i
                v = value(game, child, depth - 1, alpha, beta, ledger, path)
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
        after = state if maximizing else next_opponent(game, state, ledger)
        more = game.player(after) != game.player(state)
        state = after
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if not found:
        ledger[STOP] = BY_RULES
        return STOPPED
    return best
