"""Vectors of payoffs, one number a side, as the kernels that value a state for everybody keep them.

They lie in rows, one behind the other: a kernel writes the vector of a state into `rows` from `at` on, and those of its
children behind it.
"""

from typing import Any

from gametree.kernel.clock import BY_PLIES, Clock
from gametree.kernel.primitives import Floats, estimate_for
from gametree.search.many.children import HORIZON, OVER
from gametree.search.many.sides import BY_PROMISE, BY_TEAMS, SideTable

STOPPED, CUT, KNOWN = range(-1, 2)
"""What a kernel returns: told to stop; left early, the vector is of no use; the vector is there."""
OFF, IMMEDIATE, SHALLOW = range(3)
"""What a search may prune; each includes the one before."""


class Vectors(SideTable, frozen=True):
    """The rows, and what may be in them."""

    rows: Floats
    promised: int = OFF
    """What may be pruned because evaluations, too, keep to the bounds; they are held to it."""
    lowest: float
    """The least payoff, the (greatest) sum of all, and the most that each side can get."""
    total: float
    ceilings: Floats


def known(game: Any, child: Any, kind: int, at: int, memory: Vectors, clock: Clock) -> int:
    """Writes the vector of a child that is not to be searched; KNOWN, or STOPPED where it is not sound."""
    if kind == OVER:
        return KNOWN if paid(game, child, at, memory, clock) else STOPPED
    if kind == HORIZON:
        return KNOWN if estimated(game, child, at, memory, clock) else STOPPED
    for side in range(memory.count):
        memory.rows[at + side] = memory.even
    return KNOWN


def paid(game: Any, state: Any, at: int, memory: Vectors, clock: Clock) -> bool:
    """Writes what each side gets at a terminal state; False where that is no sound payoff."""
    rows = memory.rows
    for player in range(memory.players):
        payoff = game.utility(state, player)
        side = memory.of[player]
        if memory.leaders[side] == player:
            if payoff != payoff:
                return False
            rows[at + side] = payoff
        elif rows[at + side] != payoff:
            clock.stop = BY_TEAMS
            return False
    return True


def estimated(game: Any, state: Any, at: int, memory: Vectors, clock: Clock) -> bool:
    """Writes each side's estimate of a state at the horizon; False where there is none."""
    if clock.endless:
        clock.stop = BY_PLIES
        return False
    clock.estimated = True
    total = 0.0
    for side in range(memory.count):
        estimate = estimate_for(game, state, memory.leaders[side])
        if estimate != estimate:
            return False
        memory.rows[at + side] = estimate
        if memory.promised != OFF:
            total += memory.sizes[side] * estimate
            if estimate < memory.lowest or estimate > memory.ceilings[side]:
                clock.stop = BY_PROMISE
                return False
    if memory.promised == SHALLOW and total > memory.total + 1e-9 * max(1.0, abs(memory.total)):
        clock.stop = BY_PROMISE
        return False
    return True


def clear(at: int, memory: Vectors) -> None:
    """Makes a vector 0."""
    for side in range(memory.count):
        memory.rows[at + side] = 0.0


def add(share: float, source: int, target: int, memory: Vectors) -> None:
    """Adds a share of one vector to another."""
    for side in range(memory.count):
        memory.rows[target + side] += share * memory.rows[source + side]


def copy(source: int, target: int, memory: Vectors) -> None:
    """Copies a vector."""
    for side in range(memory.count):
        memory.rows[target + side] = memory.rows[source + side]
