"""The kernel of `analyze`: principal-variation search with a transposition table and ordered actions.

Principal-variation search (Marsland & Campbell 1982; NegaScout, Reinefeld 1983): the first action gets the whole
window, the others only have to show that they are no better; the table finds states again; the order comes from the
table's action, the game's `order`, killers, and the history of cut-offs. No action is left out and no depth is
reduced: the value is that of minimax to the same depth.

The ledger of this kernel is longer than others:

    0 …           the ledger proper (see `primitives.py`)
    BUCKETS, AGE, CAPACITY, SELECTIVE           settings
    HISTORY …     2 × 2048 counters: how often an action of a player cut
    KILLERS …     2 × 1024 plies: the last two actions that cut there, by code
    SHELF …       the actions of every node on the path: rank, place, action
"""

import math
from typing import Any

from gametree.compiled.primitives import (
    BY_STACK,
    CODES,
    ESTIMATED,
    LEDGER_SIZE,
    NEXT,
    NODES,
    STOP,
    WON,
    Choice,
    Ints,
    above,
    action_code,
    action_words,
    has_order,
    horizon,
    identity,
    keep,
    outcome,
    poll,
    take,
)
from gametree.search.table import (
    ACTION_MASK,
    ACTION_SHIFT,
    BOUND_SHIFT,
    DEPTH_MASK,
    EXACT,
    LOWER,
    PROVEN,
    UPPER,
    probe,
    remember,
    stored_value,
)

INFINITY = math.inf
STOPPED = math.nan

BUCKETS, AGE, CAPACITY, SELECTIVE = range(LEDGER_SIZE, LEDGER_SIZE + 4)
KILLER_PLIES = 1024
HISTORY = LEDGER_SIZE + 8
KILLERS = HISTORY + 2 * CODES
SHELF = KILLERS + 2 * KILLER_PLIES
GREATEST = WON - 1.0
QUIESCENT_PLIES = 1 << 12
HISTORY_BOUND = 1 << 20
FROM_TABLE, KILLER_1, KILLER_2 = 1 << 50, 1 << 30, 1 << 29


def value(
    game: Any,
    state: Any,
    depth: int,
    plies: int,
    alpha: float,
    beta: float,
    top: int,
    table: Ints,
    ledger: Ints,
    path: Ints,
) -> float:
    """The score to player 0 of a state that is not terminal and lies `plies` below the root; nan when told to stop.

    With α < β on entry, the result v proves: α < v < β, the score is v; v ≤ α, it is at most v; v ≥ β, it is at least
    v. `top` is where the shelf is free.
    """
    if depth == 0:
        return at_horizon(game, state, plies, alpha, beta, ledger)  # type: ignore[no-any-return]
    if depth == 1:
        return _frontier(game, state, plies, alpha, beta, ledger)

    # Step 1. Has this state been searched to this depth before?
    key = identity(game, state)
    slot = probe(table, ledger[BUCKETS], key)
    hint = -1
    if slot >= 0:
        about = table[slot + 2]
        hint = (about >> ACTION_SHIFT & ACTION_MASK) - 1
        if about & DEPTH_MASK == depth:
            v = stored_value(table, slot, plies)
            bound = about >> BOUND_SHIFT & 3
            if bound == EXACT or (bound == LOWER and v >= beta) or (bound == UPPER and v <= alpha):
                if about & PROVEN == 0:
                    ledger[ESTIMATED] = 1
                return v

    # Step 2. Put the actions on the shelf, each with its rank.
    mover = 0 if game.player(state) == 0 else 1
    width = action_words(game) + 2
    n = 0
    for action in game.actions(state):
        at = top + n * width
        if at + width > ledger[CAPACITY]:
            ledger[STOP] = BY_STACK
            return STOPPED
        keep(game, action, ledger, at + 2)
        ledger[at + 1] = n
        ledger[at] = FROM_TABLE if n == hint else _rank(game, state, action, mover, plies, ledger)
        n += 1
    if n == 0:
        raise ValueError("a state that is not terminal has no actions")

    # Step 3. Search them in order of rank, from the mover's side: sign turns scores to player 0 around.
    sign = 1.0 if mover == 0 else -1.0
    floor = alpha if mover == 0 else -beta
    ceiling = beta if mover == 0 else -alpha
    low = floor
    best = -INFINITY
    chosen = -1
    estimated = ledger[ESTIMATED]
    ledger[ESTIMATED] = 0
    for k in range(n):
        at = _bring_up(ledger, top, k, n, width)
        i = ledger[at + 1]
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        action = take(game, ledger, at + 2)
        child = game.result(state, action)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            path[depth] = i
            high = ceiling if k == 0 else above(low)
            a = low if mover == 0 else -high
            b = high if mover == 0 else -low
            v = sign * value(game, child, depth - 1, plies + 1, a, b, top + n * width, table, ledger, path)
            if k > 0 and v > low and v < ceiling:
                a = low if mover == 0 else -ceiling
                b = ceiling if mover == 0 else -low
                v = sign * value(
                    game, child, depth - 1, plies + 1, a, b, top + n * width, table, ledger, path
                )
        if v != v:
            return STOPPED
        if v > best:
            best = v
            chosen = i
            if v > low:
                low = v
            if v >= ceiling:
                _note_cut(action, mover, plies, depth, ledger)
                break

    # Step 4. Remember.
    bound = EXACT
    if best <= floor:
        bound = UPPER if mover == 0 else LOWER
    elif best >= ceiling:
        bound = LOWER if mover == 0 else UPPER
    extra = (chosen + 1 & ACTION_MASK) << ACTION_SHIFT
    if ledger[ESTIMATED] == 0:
        extra |= PROVEN
        ledger[ESTIMATED] = estimated
    remember(table, ledger[BUCKETS], key, sign * best, plies, depth, bound, extra, ledger[AGE])
    return sign * best


def _frontier(game: Any, state: Any, plies: int, alpha: float, beta: float, ledger: Ints) -> float:
    """The score of a state one ply above the horizon: nothing below it is worth remembering or ordering."""
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    best = -INFINITY
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            low = max(best, alpha if mover == 0 else -beta)
            a = low if mover == 0 else -ceiling
            b = ceiling if mover == 0 else -low
            v = sign * at_horizon(game, child, plies + 1, a, b, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
    if best == -INFINITY:
        raise ValueError("a state that is not terminal has no actions")
    return sign * best


def settle(game: Any, state: Any, plies: int, alpha: float, beta: float, ledger: Ints) -> float:
    """Quiescence: the score of a state at the horizon once its tactical actions are played out.

    The player to move may always stand pat, that is, take the estimate rather than play one of them. The result
    proves within the window what `value` proves.
    """
    v = _within(horizon(game, state, ledger))
    if v != v or ledger[SELECTIVE] == 0 or plies >= QUIESCENT_PLIES:
        return v
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    best = sign * v
    if best >= ceiling:
        return v
    low = max(best, alpha if mover == 0 else -beta)
    for action in game.tactical(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            a = low if mover == 0 else -ceiling
            b = ceiling if mover == 0 else -low
            v = sign * settle(game, child, plies + 1, a, b, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
            if v > low:
                low = v
    return sign * best


def stand(game: Any, state: Any, plies: int, alpha: float, beta: float, ledger: Ints) -> float:
    """The score at the horizon of a game that names no tactical actions: its estimate."""
    return _within(horizon(game, state, ledger))


def _within(estimate: float) -> float:
    """An estimate is never a win, however great it is."""
    if estimate > GREATEST:
        return GREATEST
    return -GREATEST if estimate < -GREATEST else estimate


at_horizon = Choice("tactical", settle, stand)


def _rank(game: Any, state: Any, action: Any, mover: int, plies: int, ledger: Ints) -> int:
    """How early an action is looked at: the greater, the earlier."""
    code = action_code(action)
    rank = ledger[HISTORY + mover * CODES + code]
    if plies < KILLER_PLIES:
        if ledger[KILLERS + 2 * plies] == code + 1:
            rank = KILLER_1
        elif ledger[KILLERS + 2 * plies + 1] == code + 1:
            rank = KILLER_2
    if has_order(game):
        wish = max(-1e6, min(1e6, game.order(state, action)))
        return int(wish * 1024.0) * 2048 + min(rank >> 10, 2047)
    return rank


def _bring_up(ledger: Ints, top: int, k: int, n: int, width: int) -> int:
    """Moves the highest rank from place k on to place k, the others keeping their order among equals."""
    at = top + k * width
    pick = at
    for other in range(at + width, top + n * width, width):
        if ledger[other] > ledger[pick]:
            pick = other
    if pick != at:
        for word in range(width):
            kept = ledger[at + word]
            ledger[at + word] = ledger[pick + word]
            ledger[pick + word] = kept
    return at


def _note_cut(action: Any, mover: int, plies: int, depth: int, ledger: Ints) -> None:
    """An action that cut is a killer at its ply, and counts in the history."""
    code = action_code(action)
    if plies < KILLER_PLIES and ledger[KILLERS + 2 * plies] != code + 1:
        ledger[KILLERS + 2 * plies + 1] = ledger[KILLERS + 2 * plies]
        ledger[KILLERS + 2 * plies] = code + 1
    at = HISTORY + mover * CODES + code
    ledger[at] += depth * depth
    if ledger[at] > HISTORY_BOUND:
        for place in range(HISTORY, HISTORY + 2 * CODES):
            ledger[place] //= 2
