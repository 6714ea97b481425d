"""The kernel of paranoid search: one side against everybody else, by alpha-beta.

Every node belongs to the side that asks, which wants its own payoff to be great, or to somebody else, who is taken to
want it small; chance is averaged over. Sturtevant & Korf, On Pruning Techniques for Multi-Player Games (2000).
"""

import math
from typing import Any

from gametree.game import CHANCE
from gametree.kernel.primitives import (
    BY_RULES,
    NEXT,
    NODES,
    STOP,
    Ints,
    chance_outcomes,
    has_chance,
    has_repetition,
    poll,
)
from gametree.search.core.repetition import FORBID, Path, bars
from gametree.search.many.sides import OURS, estimate_to, payoff_to, side_of

INFINITY = math.inf
STOPPED = math.nan


def value(game: Any, state: Any, depth: int, alpha: float, beta: float, ledger: Ints, path: Path) -> float:
    """What a state that is not terminal is worth to our side, `depth` ≥ 1 plies deep, if all others are against it.

    nan when told to stop. With α < β on entry, the result v proves: α < v < β, the value is v; v ≤ α, it is at most v;
    v ≥ β, it is at least v. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    mover = game.player(state)
    ours = ledger[OURS]
    i = 0
    if has_chance(game) and mover == CHANCE:
        mean = 0.0
        for outcome, probability in chance_outcomes(game, state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, outcome)
            if game.is_terminal(child):
                v = payoff_to(game, child, ours, ledger)
            elif has_repetition(game) and bars(game, child, depth, path):
                v = path.even
            elif depth == 1:
                v = estimate_to(game, child, ours, ledger)
            else:
                path.places[depth] = i
                v = value(game, child, depth - 1, -INFINITY, INFINITY, ledger, path)
            if v != v:
                return STOPPED
            i += 1
            mean += probability * v
        return mean
    side = side_of(game, state, ledger)
    if side < 0:
        return STOPPED
    maximizing = side == ours
    best = -INFINITY if maximizing else INFINITY
    found = False
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
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
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if not found:
        ledger[STOP] = BY_RULES
        return STOPPED
    return best
