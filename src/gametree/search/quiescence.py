"""Past the horizon: an estimate counts only where nothing is about to change it.

Where a game names its `tactical` actions, these are played out until none is left; the mover may always stand pat.
Where it does not, a state is turbulent, as the lectures have it, when its estimate differs much from the one before;
then all its actions are followed for another ply.
"""

import math
from typing import Any

from gametree.compiled.primitives import (
    BY_STACK,
    NEXT,
    NODES,
    STOP,
    WON,
    Choice,
    Ints,
    action_words,
    bits,
    has_order,
    horizon,
    keep,
    outcome,
    poll,
    take,
    unbits,
)
from gametree.search.ledger import (
    CAPACITY,
    DEEPEST,
    FEATURES,
    QUIESCENCE,
    ROOT_DEPTH,
    SWING,
    SWINGS,
    TURBULENCE,
)
from gametree.search.ordering import bring_up

STOPPED = math.nan
INFINITY = math.inf
GREATEST = WON - 1.0
QUIESCENT_PLIES = 1 << 12
TURBULENT_PLIES = 4
TURBULENT = 3.0
"""A step of the estimate is turbulent from this many usual steps on."""
FEW = 64
"""So many steps have to be seen before any is called usual."""


def settle(
    game: Any, state: Any, plies: int, alpha: float, beta: float, previous: float, top: int, ledger: Ints
) -> float:
    """The score of a state at the horizon once its tactical actions are played out.

    The player to move may always stand pat, that is, take the estimate rather than play one of them. The result
    proves within the window what `engine.value` proves.
    """
    v = within(horizon(game, state, ledger))
    if v != v or ledger[FEATURES] & QUIESCENCE == 0 or plies >= QUIESCENT_PLIES:
        return v
    if plies > ledger[DEEPEST]:
        ledger[DEEPEST] = plies
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    best = sign * v
    if best >= ceiling:
        return v
    low = max(best, alpha if mover == 0 else -beta)
    width = action_words(game) + 2
    n = 0
    for action in game.tactical(state):
        at = top + n * width
        if at + width > ledger[CAPACITY]:
            ledger[STOP] = BY_STACK
            return STOPPED
        keep(game, action, ledger, at + 2)
        ledger[at] = 0
        if has_order(game):
            ledger[at] = int(max(-1e6, min(1e6, game.order(state, action))) * 1024.0)
        n += 1
    for k in range(n):
        at = bring_up(ledger, top, k, n, width)
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, take(game, ledger, at + 2))
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            a = low if mover == 0 else -ceiling
            b = ceiling if mover == 0 else -low
            v = sign * settle(game, child, plies + 1, a, b, previous, top + n * width, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
            if v > low:
                low = v
    return sign * best


def waver(
    game: Any, state: Any, plies: int, alpha: float, beta: float, previous: float, top: int, ledger: Ints
) -> float:
    """The score at the horizon of a game that names no tactical actions: its estimate, where it does not waver.

    `previous` is the estimate one ply before; nan where nobody asked for it.
    """
    v = within(horizon(game, state, ledger))
    if previous != previous or v != v:
        return v
    step = abs(v - previous)
    calm = step <= TURBULENT * usual_step(ledger)
    note_step(step, ledger)
    if calm or ledger[FEATURES] & TURBULENCE == 0 or plies >= ledger[ROOT_DEPTH] + TURBULENT_PLIES:
        return v
    if plies > ledger[DEEPEST]:
        ledger[DEEPEST] = plies
    mover = 0 if game.player(state) == 0 else 1
    sign = 1.0 if mover == 0 else -1.0
    ceiling = beta if mover == 0 else -alpha
    low = alpha if mover == 0 else -beta
    best = -INFINITY
    here = v
    for action in game.actions(state):
        if ledger[NODES] == ledger[NEXT] and poll(ledger):
            return STOPPED
        ledger[NODES] += 1
        child = game.result(state, action)
        if game.is_terminal(child):
            v = sign * outcome(game, child, plies + 1)
        else:
            a = low if mover == 0 else -ceiling
            b = ceiling if mover == 0 else -low
            v = sign * waver(game, child, plies + 1, a, b, here, top, ledger)
        if v != v:
            return STOPPED
        if v > best:
            best = v
            if v >= ceiling:
                break
            if v > low:
                low = v
    if best == -INFINITY:
        raise ValueError("a state that is not terminal has no actions")
    return sign * best


at_horizon = Choice("tactical", settle, waver)


def within(estimate: float) -> float:
    """An estimate is never a win, however great it is."""
    if estimate > GREATEST:
        return GREATEST
    return -GREATEST if estimate < -GREATEST else estimate


def usual_step(ledger: Ints) -> float:
    """By how much an estimate changes from one ply to the next, on average; infinite while nobody knows."""
    return unbits(ledger[SWING]) / ledger[SWINGS] if ledger[SWINGS] >= FEW else INFINITY


def note_step(step: float, ledger: Ints) -> None:
    """Counts one more change of the estimate."""
    ledger[SWING] = bits(unbits(ledger[SWING]) + step)
    ledger[SWINGS] += 1
    if ledger[SWINGS] >= 1 << 16:
        ledger[SWING] = bits(unbits(ledger[SWING]) / 2.0)
        ledger[SWINGS] //= 2
