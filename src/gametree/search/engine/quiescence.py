"""Past the horizon: an estimate counts only where nothing is about to change it.

Where a game names its `tactical` actions, these are played out until none is left; the mover may stand pat unless he is
threatened. Where it does not, the estimate counts as it is.
"""

from typing import Any

from gametree.kernel.clock import BY_STACK, Clock, horizon, poll
from gametree.kernel.primitives import (
    WON,
    Choice,
    above,
    action_words,
    bits,
    fetch,
    has_clock,
    has_order,
    has_symmetries,
    identity,
    is_checked,
    keep,
    outcome,
    plies_left,
    take,
    threatened,
    unbits,
)
from gametree.search.engine.entries import (
    ABOUT,
    BOUND_SHIFT,
    ESTIMATE,
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
from gametree.search.engine.memory import SHELF_WORDS, EngineMemory
from gametree.search.engine.node import INFINITY, STOPPED, turned
from gametree.search.engine.ordering import bring_up
from gametree.search.engine.profiles import QUIESCENCE, TABLE

GREATEST = WON - 1.0
QUIESCENT_PLIES = 32
"""Past the horizon tactical actions are followed so many plies at most: they may go in circles."""
FEW = 64
"""So many steps have to be seen before any is called usual."""
RANK, ACTION = 0, 2
"""What lies on the shelf for an action past the horizon, from where it begins; in between nothing."""


def settle(
    game: Any, state: Any, plies: int, alpha: float, beta: float, memory: EngineMemory, clock: Clock
) -> float:
    """The score of a state at the horizon once its tactical actions are played out.

    The player to move may stand pat, that is, take the estimate rather than play one of them, but not where he is
    threatened: there all actions are played out. The result proves within the window what `kernel.value` proves.
    """
    if is_checked(game):
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
        in_time = not has_clock(game) or reached < plies_left(game, state)
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
            remember(memory.table, memory.buckets, key, v, plies, 0, bound, FULL, memory.age, judged)
        return v

    # Step 4. Play out.
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
    if on & TABLE and slot < 0 and (not has_clock(game) or reached < plies_left(game, state)):
        bound = EXACT
        if best <= floor:
            bound = UPPER if mover == 0 else LOWER
        elif best >= ceiling:
            bound = LOWER if mover == 0 else UPPER
        extra = FULL | (reached & REACH_MASK) << REACH_SHIFT
        remember(memory.table, memory.buckets, key, sign * best, plies, 0, bound, extra, memory.age, judged)
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
    if has_order(game):
        memory.shelf[at + RANK] = int(max(-1e6, min(1e6, game.order(state, action))) * 1024.0)
    return True


def estimated(
    game: Any, state: Any, plies: int, alpha: float, beta: float, memory: EngineMemory, clock: Clock
) -> float:
    """The score at the horizon of a game that names no tactical actions: its estimate."""
    return within(horizon(game, state, clock))


at_horizon: Choice = Choice("tactical", settle, estimated)


def expect(game: Any, state: Any, memory: EngineMemory) -> None:
    """Sends for the bucket of a state that is about to be looked up, so that it is there in time.

    A key that takes a walk over the symmetries costs more than waiting.
    """
    if not has_symmetries(game) and memory.features & TABLE:
        fetch(memory.table, bucket(identity(game, state) ^ memory.salt, memory.buckets))


def within(estimate: float) -> float:
    """An estimate is never a win, however great it is."""
    if estimate > GREATEST:
        return GREATEST
    return -GREATEST if estimate < -GREATEST else estimate


def usual_step(memory: EngineMemory) -> float:
    """By how much an estimate changes from one ply to the next, on average; infinite while nobody knows."""
    return memory.swing / memory.swings if memory.swings >= FEW else INFINITY


def note_step(step: float, memory: EngineMemory) -> None:
    """Counts one more change of the estimate."""
    memory.swing += step
    memory.swings += 1
    if memory.swings >= 1 << 16:
        memory.swing /= 2.0
        memory.swings //= 2
