"""The kernel for opponents who err: our side takes the best, the others draw lots, good actions more often than bad.

With an error ε an opponent takes what is best for it, and with probability ε anything, all actions alike (ε = 1 is
uniform play). With a temperature T the odds of an action of value v are exp(v / T), the logit or quantal response of
McKelvey & Palfrey (1998). What is best for an opponent is told by the values of this very search, or at a glance, by
the evaluation of the state that follows.
"""

import math
from typing import Any

from gametree.game import CHANCE
from gametree.kernel.primitives import BY_RULES as NO_WAY_OUT
from gametree.kernel.primitives import (
    NEXT,
    NODES,
    STOP,
    Floats,
    Ints,
    chance_outcomes,
    estimate_for,
    has_chance,
    has_repetition,
    poll,
)
from gametree.search.core.repetition import FORBID, Path, bars
from gametree.search.many.maxn_kernel import KNOWN, STOPPED, share
from gametree.search.many.sides import OURS, SIDES, estimates, paid, side_of

ERROR, TEMPERATURE, _PAID, GLANCE, ROWS = range(5)
"""Places in the scratch array; between them lies what a draw pays. GLANCE is not 0 where evaluations tell."""


def value(game: Any, state: Any, depth: int, at: int, scratch: Floats, ledger: Ints, path: Path) -> int:
    """Writes the expected vector of a state that is not terminal, `depth` ≥ 1 plies deep, into scratch[at], ….

    KNOWN or STOPPED. The row behind it keeps the best vector of an opponent who errs.
    """
    sides = ledger[SIDES]
    best, below = at + sides, at + 2 * sides
    mover = game.player(state)
    i = 0
    if has_chance(game) and mover == CHANCE:
        for side in range(sides):
            scratch[at + side] = 0.0
        for outcome, probability in chance_outcomes(game, state):
            if ledger[NODES] == ledger[NEXT] and poll(ledger):
                return STOPPED
            ledger[NODES] += 1
            child = game.result(state, outcome)
            if game.is_terminal(child):
                known = paid(game, child, scratch, below, ledger)
            elif has_repetition(game) and bars(game, child, depth, path):
                known = share(scratch, below, ledger)
            elif depth == 1:
                known = estimates(game, child, scratch, below, ledger)
            else:
                path.places[depth] = i
                known = value(game, child, depth - 1, below, scratch, ledger, path) == KNOWN
            if not known:
                return STOPPED
            i += 1
            for side in range(sides):
                scratch[at + side] += probability * scratch[below + side]
        return KNOWN
    mine = side_of(game, state, ledger)
    if mine < 0:
        return STOPPED
    ours = mine == ledger[OURS]
    top = -math.inf
    weight = 0.0
    count = 0
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        over = game.is_terminal(child)
        if over:
            known = paid(game, child, scratch, below, ledger)
        elif has_repetition(game) and bars(game, child, depth, path):
            if path.rule == FORBID:
                i += 1
                continue
            known = share(scratch, below, ledger)
        elif depth == 1:
            known = estimates(game, child, scratch, below, ledger)
        else:
            path.places[depth] = i
            known = value(game, child, depth - 1, below, scratch, ledger, path) == KNOWN
        if not known:
            return STOPPED
        i += 1
        own = scratch[below + mine]
        if not ours and scratch[GLANCE] != 0.0 and not over:
            own = estimate_for(game, child, mover)
            if own != own:
                return STOPPED
        better = count == 0 or exceeds(own, top)
        if ours:
            if better:
                copy(scratch, below, at, sides)
        elif scratch[TEMPERATURE] > 0.0:
            if better:
                shrunk = math.exp((top - own) / scratch[TEMPERATURE]) if count > 0 else 0.0
                weight *= shrunk
                for side in range(sides):
                    scratch[at + side] = shrunk * scratch[at + side] if count > 0 else 0.0
                top = own
            odds = math.exp((own - top) / scratch[TEMPERATURE])
            weight += odds
            for side in range(sides):
                scratch[at + side] += odds * scratch[below + side]
        else:
            if better:
                copy(scratch, below, best, sides)
            weight += 1.0
            for side in range(sides):
                so_far = scratch[at + side] if count > 0 else 0.0
                scratch[at + side] = so_far + scratch[below + side]
        if better:
            top = own
        count += 1
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if count == 0:
        ledger[STOP] = NO_WAY_OUT
        return STOPPED
    if not ours:
        for side in range(sides):
            mean = scratch[at + side] / weight
            if scratch[TEMPERATURE] > 0.0:
                scratch[at + side] = mean
            else:
                scratch[at + side] = (1.0 - scratch[ERROR]) * scratch[best + side] + scratch[ERROR] * mean
    return KNOWN


def exceeds(value: float, best: float) -> bool:
    """Whether an expectation is more than another: more than rounding explains, so that ties go to the first."""
    return value > best + 1e-12 * max(1.0, abs(best))


def copy(scratch: Floats, source: int, target: int, sides: int) -> None:
    """Copies a vector."""
    for side in range(sides):
        scratch[target + side] = scratch[source + side]
