"""Past the horizon: an estimate counts only where nothing is about to change it.

Where a game names its `tactical` actions, these are played out until none is left; the mover may stand pat unless he is
threatened. Where it does not, the estimate counts as it is.
"""

from typing import Any

from gametree.kernel.clock import BY_STACK, Clock, horizon, poll
from gametree.kernel.primitives import (
    NEVER,
    WON,
    above,
    action_words,
    bits,
    identity,
    keep,
    outcome,
    plies_left,
    take,
    threatened,
    unbits,
)
from gametree.search.engine.actions import bring_up
from gametree.search.engine.memory import SHELF_WORDS, EngineMemory
from gametree.search.engine.node import (
    ABOUT,
    BOUND_SHIFT,
    ESTIMATE,
    EXACT,
    FULL,
    INFINITY,
    LOWER,
    REACH_MASK,
    REACH_SHIFT,
    STOPPED,
    UPPER,
    expect,
    probe,
    proves,
    remember,
    stored_value,
    turned,
    within,
)
from gametree.search.engine.profiles import QUIESCENCE, TABLE

QUIESCENT_PLIES = 32
"""Past the horizon tactical actions are followed so many plies at most: they may go in circles."""
RANK, ACTION = 0, 2
"""What lies on the shelf for an action past the horizon, from where it begins; in between nothing."""


def at_horizon(
    game: Any, state: Any, plies: int, alpha: float, beta: float, memory: EngineMemory, clock: Clock
) -> float:
    """The score of a state at the horizon; it proves within the window what `kernel.value` proves."""
    if game.offered.tactical:
        return settle(game, state, plies, alpha, beta, memory, clock)
    return within(horizon(game, state, clock))


def settle(
    game: Any, state: Any, plies: int, alpha: float, beta: float, memory: EngineMemory, clock: Clock
) -> float:
    """The score of a state at the horizon once its tactical actions are played out.

    The player to move may stand pat, that is, take the estimate rather than play one of them, but not where he is
    threatened: there all actions are played out.
    """
    assert alpha < beta
    # Step 1. Not selective, or too far: the estimate counts as it is.
    on = memory.features
    if on & QUIESCENCE == 0 or plies >= 2 * memory.root_depth + QUIESCENT_PLIES:
        return within(horizon(game, state, clock))
    memory.deepest = max(memory.deepest, plies)
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    floor, ceiling = turned(mover, alpha, beta)

    # Step 2. Does the table answer, or know the estimate?
    key = 0
    slot = -1
    v = STOPPED
    if on & TABLE:
        key = identity(game, state) ^ memory.salt
        slot = probe(memory.table, memory.buckets, key)
    if slot >= 0:
        about = memory.table[slot + ABOUT]
        bound = about >> BOUND_SHIFT & 3
        known = stored_value(memory.table, slot, plies)
        reached = about >> REACH_SHIFT & REACH_MASK
        in_time = not game.offered.clock or reached < plies_left(game, state)
        clock.estimated = True
        if abs(known) < WON and beta <= above(alpha) and in_time:
            at_least = bound in (EXACT, LOWER)
            at_most = bound in (EXACT, UPPER)
            if (at_least and known >= beta) or (at_most and known <= alpha):
                memory.reach = max(memory.reach, plies + reached)
                return known
        v = unbits(memory.table[slot + ESTIMATE])

    # Step 3. Stand pat.
    urgent = threatened(game, state)
    if v != v and not urgent:
        v = within(horizon(game, state, clock))
        if v != v:
            return v
    judged = bits(v)
    best = -INFINITY if urgent else sign * v
    if best >= ceiling:
        if on & TABLE and slot < 0:
            bound = LOWER if mover == 0 else UPPER
            remember(key, v, plies, bound << BOUND_SHIFT | FULL, judged, memory)
        return v

    # Step 4. Play out.
    left = plies_left(game, state) if game.offered.clock else NEVER
    low = max(best, floor)
    reach = memory.reach
    memory.reach = plies
    top = memory.top[plies]
    width = ACTION + action_words(game)
    n = _shelve(game, state, urgent, top, memory)
    if n < 0:
        clock.stop = BY_STACK
        return STOPPED
    memory.top[plies + 1] = top + n * width
    for k in range(n):
        at = bring_up(memory.shelf, top, k, n, width)
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        memory.reach = max(memory.reach, plies + 1)
        child = game.result(state, take(game, memory.shelf, at + ACTION))
        expect(game, child, memory)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            a, b = turned(mover, low, ceiling)
            v = sign * settle(game, child, plies + 1, a, b, memory, clock)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
            low = max(low, v)

    # Step 5. Remember.
    reached = memory.reach - plies
    memory.reach = max(reach, memory.reach)
    if on & TABLE and slot < 0 and reached < left:
        bound = proves(best, floor, ceiling, mover)
        about = bound << BOUND_SHIFT | FULL | (reached & REACH_MASK) << REACH_SHIFT
        remember(key, sign * best, plies, about, judged, memory)
    return sign * best


def _shelve(game: Any, state: Any, urgent: bool, top: int, memory: EngineMemory) -> int:
    """Puts the actions to be played out on the shelf, with their ranks; how many, −1 where there is no room."""
    width = ACTION + action_words(game)
    n = 0
    if urgent:
        for action in game.actions(state):
            if not _put(game, state, action, top + n * width, memory):
                return -1
            n += 1
        if n == 0:
            raise ValueError("a state that is not terminal has no actions")
    else:
        for action in game.tactical(state):
            if not _put(game, state, action, top + n * width, memory):
                return -1
            n += 1
    return n


def _put(game: Any, state: Any, action: Any, at: int, memory: EngineMemory) -> bool:
    """Puts an action on the shelf; whether there is room."""
    if at + ACTION + action_words(game) > SHELF_WORDS:
        return False
    keep(game, action, memory.shelf, at + ACTION)
    memory.shelf[at + RANK] = 0
    if game.offered.order:
        memory.shelf[at + RANK] = int(max(-1e6, min(1e6, game.order(state, action))) * 1024.0)
    return True
