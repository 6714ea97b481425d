"""Past the horizon: an estimate counts only where nothing is about to change it.

Where a game names its `tactical` actions, these are played out until none is left; the mover may stand pat unless he is
threatened. Where it does not, the estimate counts as it is.
"""

import math
from typing import Any

from gametree.kernel.primitives import (
    BY_STACK,
    ESTIMATED,
    NEXT,
    NODES,
    STOP,
    WON,
    Choice,
    Ints,
    above,
    action_words,
    bits,
    fetch,
    has_clock,
    has_order,
    has_symmetries,
    horizon,
    identity,
    keep,
    outcome,
    plies_left,
    poll,
    take,
    threatened,
    unbits,
)
from gametree.search.core.table import (
    BOUND_SHIFT,
    EXACT,
    FULL,
    LOWER,
    REACH_MASK,
    REACH_SHIFT,
    UPPER,
    bucket,
    probe,
    remember,
    stored_value,
)
from gametree.search.engine.memory import (
    AGE,
    BUCKETS,
    CAPACITY,
    DEEPEST,
    FEATURES,
    REACH,
    ROOT_DEPTH,
    SALT,
    SWING,
    SWINGS,
)
from gametree.search.engine.ordering import bring_up
from gametree.search.engine.profiles import QUIESCENCE, TABLE

STOPPED = math.nan
INFINITY = math.inf
GREATEST = WON - 1.0
QUIESCENT_PLIES = 32
"""Past the horizon tactical actions are followed so many plies at most: they may go in circles."""
FEW = 64
"""So many steps have to be seen before any is called usual."""


def settle(
    game: Any,
    state: Any,
    plies: int,
    alpha: float,
    beta: float,
    top: int,
    table: Ints,
    ledger: Ints,
) -> float:
    """The score of a state at the horizon once its tactical actions are played out.

    The player to move may stand pat, that is, take the estimate rather than play one of them, but not where he is
    threatened: there all actions are played out. The result proves within the window what `engine.value` proves.
    """
    on = ledger[FEATURES]
    if on & QUIESCENCE == 0 or plies >= 2 * ledger[ROOT_DEPTH] + QUIESCENT_PLIES:
        return within(horizon(game, state, ledger))
    if plies > ledger[DEEPEST]:
        ledger[DEEPEST] = plies
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    floor = alpha if mover == 0 else -beta
    key = 0
    slot = -1
    v = STOPPED
    if on & TABLE:
        key = identity(game, state) ^ ledger[SALT]
        slot = probe(table, ledger[BUCKETS], key)
    if slot >= 0:
        about = table[slot + 2]
        bound = about >> BOUND_SHIFT & 3
        known = stored_value(table, slot, plies)
        reached = about >> REACH_SHIFT & REACH_MASK
        in_time = not has_clock(game) or reached < plies_left(game, state)
        if abs(known) < WON and beta <= above(alpha) and in_time:
            at_least = bound in (EXACT, LOWER)
            at_most = bound in (EXACT, UPPER)
            if (at_least and known >= beta) or (at_most and known <= alpha):
                ledger[ESTIMATED] = 1
                ledger[REACH] = max(ledger[REACH], plies + reached)
                return known
        ledger[ESTIMATED] = 1
        v = unbits(table[slot + 3])
    urgent = threatened(game, state)
    if v != v and not urgent:
        v = within(horizon(game, state, ledger))
        if v != v:
            return v
    judged = bits(v)
    best = -INFINITY if urgent else sign * v
    if best >= ceiling:
        if on & TABLE and slot < 0:
            bound = LOWER if mover == 0 else UPPER
            remember(table, ledger[BUCKETS], key, v, plies, 0, bound, FULL, ledger[AGE], judged)
        return v
    low = max(best, floor)
    reach = ledger[REACH]
    ledger[REACH] = plies
    width = action_words(game) + 2
    n = 0
    if urgent:
        for action in game.actions(state):
            _shelve(game, state, action, top + n * width, ledger)
            n += 1
        if n == 0:
            raise ValueError("a state that is not terminal has no actions")
    else:
        for action in game.tactical(state):
            _shelve(game, state, action, top + n * width, ledger)
            n += 1
    if ledger[STOP] == BY_STACK:
        return STOPPED
    for k in range(n):
        at = bring_up(ledger, top, k, n, width)
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        if plies >= ledger[REACH]:
            ledger[REACH] = plies + 1
        child = game.result(state, take(game, ledger, at + 2))
        expect(game, child, table, ledger)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            a = low if mover == 0 else -ceiling
            b = ceiling if mover == 0 else -low
            v = sign * settle(game, child, plies + 1, a, b, top + n * width, table, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
            if v > low:
                low = v
    reached = ledger[REACH] - plies
    ledger[REACH] = max(reach, ledger[REACH])
    if on & TABLE and slot < 0 and (not has_clock(game) or reached < plies_left(game, state)):
        bound = EXACT
        if best <= floor:
            bound = UPPER if mover == 0 else LOWER
        elif best >= ceiling:
            bound = LOWER if mover == 0 else UPPER
        extra = FULL | (reached & REACH_MASK) << REACH_SHIFT
        remember(table, ledger[BUCKETS], key, sign * best, plies, 0, bound, extra, ledger[AGE], judged)
    return sign * best


def _shelve(game: Any, state: Any, action: Any, at: int, ledger: Ints) -> None:
    """Puts an action on the shelf with its rank, if there is room."""
    if at + action_words(game) + 2 > ledger[CAPACITY]:
        ledger[STOP] = BY_STACK
        return
    keep(game, action, ledger, at + 2)
    ledger[at] = 0
    if has_order(game):
        ledger[at] = int(max(-1e6, min(1e6, game.order(state, action))) * 1024.0)


def estimated(
    game: Any, state: Any, plies: int, alpha: float, beta: float, top: int, table: Ints, ledger: Ints
) -> float:
    """The score at the horizon of a game that names no tactical actions: its estimate."""
    return within(horizon(game, state, ledger))


def expect(game: Any, state: Any, table: Ints, ledger: Ints) -> None:
    """Sends for the bucket of a state that is about to be looked up, so that it is there in time.

    A key that takes a walk over the symmetries costs more than waiting.
    """
    if not has_symmetries(game) and ledger[FEATURES] & TABLE:
        fetch(table, bucket(identity(game, state) ^ ledger[SALT], ledger[BUCKETS]))


at_horizon = Choice("tactical", settle, estimated)


def within(estimate: float) -> float:
    """An estimate is never a win, however great it is."""
    if estimate > GREATEST:
        return GREATEST
    return -GREATEST if estimate < -GREATEST else estimate


def usual_step(ledger: Ints) -> float:
    """By how much an estimate changes from one ply to the next, on average; infinite while nobody knows."""
    if ledger[SWINGS] < FEW:
        return INFINITY
    return unbits(ledger[SWING]) / ledger[SWINGS]


def note_step(step: float, ledger: Ints) -> None:
    """Counts one more change of the estimate."""
    ledger[SWING] = bits(unbits(ledger[SWING]) + step)
    ledger[SWINGS] += 1
    if ledger[SWINGS] >= 1 << 16:
        ledger[SWING] = bits(unbits(ledger[SWING]) / 2.0)
        ledger[SWINGS] //= 2
