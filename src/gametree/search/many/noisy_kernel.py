"""The kernel for opponents who err: our side takes the best, the others draw lots, good actions more often than bad.

With an error ε an opponent takes what is best for it, and with probability ε anything, all actions alike (ε = 1 is
uniform play). With a temperature T the odds of an action of value v are exp(v / T), the logit or quantal response of
McKelvey & Palfrey (1998). What is best for an opponent is told by the values of this very search, or at a glance, by
the evaluation of the state that follows.
"""

import math
from typing import Any

from gametree.game import CHANCE
from gametree.kernel.clock import BY_RULES, Clock, poll
from gametree.kernel.primitives import chance_outcomes, estimate_for
from gametree.search.core.repetition import Path
from gametree.search.many.children import BARRED, INNER, OVER, kind_of
from gametree.search.many.sides import side_of
from gametree.search.many.vectors import KNOWN, STOPPED, Vectors, add, clear, copy, known


class Erring(Vectors, frozen=True):
    """What opponents are taken to do."""

    error: float
    temperature: float
    glances: bool
    """Whether evaluations tell them what is best, and not the values of the search."""


def value(game: Any, state: Any, depth: int, at: int, memory: Erring, clock: Clock, path: Path) -> int:
    """Writes the expected vector of a state that is not terminal, `depth` ≥ 1 plies deep, into the row at `at`.

    KNOWN or STOPPED. The row behind it keeps the best vector of an opponent who errs.
    """
    rows, temperature = memory.rows, memory.temperature
    best, below = at + memory.count, at + 2 * memory.count
    mover = game.player(state)
    i = 0
    if game.offered.chance and mover == CHANCE:
        clear(at, memory)
        for outcome, probability in chance_outcomes(game, state):
            if clock.nodes == clock.next and poll(clock):
                return STOPPED
            clock.nodes += 1
            child = game.result(state, outcome)
            kind = kind_of(game, child, depth, path)
            if kind == INNER:
                path.places[depth] = i
                code = value(game, child, depth - 1, below, memory, clock, path)
            else:
                code = known(game, child, kind, below, memory, clock)
            if code != KNOWN:
                return STOPPED
            i += 1
            add(probability, below, at, memory)
        return KNOWN
    mine = side_of(game, state, memory, clock)
    if mine < 0:
        return STOPPED
    ours = mine == memory.ours
    top = -math.inf
    weight = 0.0
    count = 0
    clear(at, memory)
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
            code = value(game, child, depth - 1, below, memory, clock, path)
        else:
            code = known(game, child, kind, below, memory, clock)
        if code != KNOWN:
            return STOPPED
        i += 1
        own = rows[below + mine]
        if not ours and memory.glances and kind != OVER:
            own = estimate_for(game, child, mover)
            if own != own:
                return STOPPED
        better = count == 0 or exceeds(own, top)
        if ours:
            if better:
                copy(below, at, memory)
        elif temperature > 0.0:
            if better:
                shrunk = math.exp((top - own) / temperature) if count > 0 else 0.0
                weight *= shrunk
                for side in range(memory.count):
                    rows[at + side] *= shrunk
                top = own
            odds = math.exp((own - top) / temperature)
            weight += odds
            add(odds, below, at, memory)
        else:
            if better:
                copy(below, best, memory)
            weight += 1.0
            add(1.0, below, at, memory)
        if better:
            top = own
        count += 1
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if count == 0:
        clock.stop = BY_RULES
        return STOPPED
    if not ours:
        for side in range(memory.count):
            mean = rows[at + side] / weight
            if temperature > 0.0:
                rows[at + side] = mean
            else:
                rows[at + side] = (1.0 - memory.error) * rows[best + side] + memory.error * mean
    return KNOWN


def exceeds(value: float, best: float) -> bool:
    """Whether an expectation is more than another: more than rounding explains, so that ties go to the first."""
    return value > best + 1e-12 * max(1.0, abs(best))
