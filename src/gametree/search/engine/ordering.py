"""Which action is looked at first: the better the order, the more of the tree is never looked at.

The action that the table remembers comes first. The others follow by the game's `order`, and among equals killers, the
answer that worked against the action before (the counter-move), and the history of cut-offs decide. Where a game has no
`order`, what `evaluate` says one ply further on and the history decide together.
"""

import math
from typing import Any

from gametree.kernel.primitives import (
    CODES,
    WON,
    Ints,
    action_code,
    bits,
    estimate,
    has_evaluation,
    has_order,
    outcome,
    take,
    unbits,
)
from gametree.search.engine.memory import (
    COUNTERS,
    EVALUATIONS,
    FEATURES,
    HISTORY,
    KILLER_PLIES,
    KILLERS,
    SPREAD,
    SPREADS,
)
from gametree.search.engine.profiles import BY_COUNTER, BY_EVALUATION, BY_HISTORY, BY_KILLERS

RANK, PLACE, ESTIMATE, ACTION = range(4)
"""What lies on the shelf for an action, from where it begins."""
FROM_TABLE = 1 << 62
WINNING = 1 << 60
STOPPED = math.nan
KILLER_1, KILLER_2, COUNTER = 1 << 19, (1 << 19) - 1, (1 << 19) - 2
ORDERED = 1 << 21
"""What 1/1024 of the game's `order` counts: more than everything that is remembered."""
BOUND = 1 << 18
"""The greatest number in the history, on either side."""


def rank_all(
    game: Any,
    state: Any,
    mover: int,
    depth: int,
    plies: int,
    before: int,
    first: int,
    end: int,
    width: int,
    ledger: Ints,
) -> None:
    """Ranks the actions on the shelf from `first` to `end`: the greater, the earlier."""
    on = ledger[FEATURES]
    judged = depth >= 2 and has_evaluation(game) and not has_order(game) and on & BY_EVALUATION != 0
    before_it = STOPPED
    for at in range(first, end, width):
        action = take(game, ledger, at + ACTION)
        code = action_code(action)
        if judged:
            child = game.result(state, action)
            worth = _judged(game, child, mover, ledger)
            if abs(worth) < WON:
                ledger[at + ESTIMATE] = bits(worth if mover == 0 else -worth)
            _note_spread(abs(worth - before_it), ledger)
            before_it = worth
            rank = _on_scale(worth, ledger)
            if on & BY_HISTORY:
                rank += ledger[HISTORY + mover * CODES + code]
            if on & BY_COUNTER and before > 0 and ledger[COUNTERS + mover * CODES + before - 1] == code + 1:
                rank += BOUND // 8
        else:
            rank = _remembered(code, mover, plies, before, ledger)
            if has_order(game):
                wish = max(-1e6, min(1e6, game.order(state, action)))
                rank += int(wish * 1024.0) * ORDERED
        ledger[at] = rank


def _remembered(code: int, mover: int, plies: int, before: int, ledger: Ints) -> int:
    """What happened to an action elsewhere in the tree."""
    on = ledger[FEATURES]
    if on & BY_KILLERS and plies < KILLER_PLIES:
        if ledger[KILLERS + 2 * plies] == code + 1:
            return KILLER_1
        if ledger[KILLERS + 2 * plies + 1] == code + 1:
            return KILLER_2
    if on & BY_COUNTER and before > 0 and ledger[COUNTERS + mover * CODES + before - 1] == code + 1:
        return COUNTER
    return ledger[HISTORY + mover * CODES + code] if on & BY_HISTORY else 0


def spared(game: Any, rank: int) -> int:
    """How many plies less an action is reduced for its rank; negative where the history speaks against it.

    It says something only of an action that the game's `order` does not set apart from others.
    """
    if not has_order(game) or abs(rank) >= ORDERED // 2:
        return 0
    if rank >= COUNTER:
        return 1
    return rank // (BOUND // 2) if rank >= 0 else -(-rank // (BOUND // 2))


def _judged(game: Any, child: Any, mover: int, ledger: Ints) -> float:
    """What the mover would get by the estimate of the state that an action leads to."""
    ledger[EVALUATIONS] += 1
    sign = 1.0 if mover == 0 else -1.0
    return sign * (outcome(game, child, 1) if game.is_terminal(child) else estimate(game, child))


def _note_spread(step: float, ledger: Ints) -> None:
    """Counts by how much the estimates of two actions of one state differ."""
    if step > 0.0 and step < WON:
        ledger[SPREAD] = bits(unbits(ledger[SPREAD]) + step)
        ledger[SPREADS] += 1
        if ledger[SPREADS] >= 1 << 16:
            ledger[SPREAD] = bits(unbits(ledger[SPREAD]) / 2.0)
            ledger[SPREADS] //= 2


def _on_scale(worth: float, ledger: Ints) -> int:
    """An estimate as a rank: the usual difference between two actions weighs as much as the whole history."""
    if worth > WON:
        return WINNING
    if worth != worth or ledger[SPREADS] == 0:
        return 0
    unit = unbits(ledger[SPREAD]) / ledger[SPREADS]
    return int(max(-1e9, min(1e9, worth / unit)) * (BOUND // 2))


def bring_up(ledger: Ints, top: int, k: int, n: int, width: int) -> int:
    """Moves the highest rank from place k on to place k, the others keeping their order among equals."""
    at = top + k * width
    pick = at
    for other in range(at + width, top + n * width, width):
        if ledger[other] > ledger[pick]:
            pick = other
    if pick != at:
        swap(ledger, at, pick, width)
    return at


def swap(ledger: Ints, one: int, other: int, width: int) -> None:
    """Exchanges two actions on the shelf."""
    for word in range(width):
        kept = ledger[one + word]
        ledger[one + word] = ledger[other + word]
        ledger[other + word] = kept


def note_cut(
    game: Any,
    state: Any,
    mover: int,
    plies: int,
    depth: int,
    before: int,
    first: int,
    at: int,
    width: int,
    ledger: Ints,
) -> None:
    """The action at `at` cut: it is a killer at its ply and the answer to the one before, and counts in the history.

    Those from `first` on that were looked at before it count against themselves. Killers and answers are calm
    actions: the others have their place by the game's order.
    """
    on = ledger[FEATURES]
    action = take(game, ledger, at + ACTION)
    code = action_code(action)
    calm = on & (BY_KILLERS | BY_COUNTER) != 0 and is_calm(game, state, action)
    if calm and on & BY_KILLERS and plies < KILLER_PLIES and ledger[KILLERS + 2 * plies] != code + 1:
        ledger[KILLERS + 2 * plies + 1] = ledger[KILLERS + 2 * plies]
        ledger[KILLERS + 2 * plies] = code + 1
    if calm and on & BY_COUNTER and before > 0:
        ledger[COUNTERS + mover * CODES + before - 1] = code + 1
    bonus = min(depth * depth * 16, 1 << 13)
    if on & BY_HISTORY:
        _credit(HISTORY + mover * CODES + code, bonus, ledger)
        for other in range(first, at, width):
            _credit(HISTORY + mover * CODES + action_code(take(game, ledger, other + ACTION)), -bonus, ledger)


def is_calm(game: Any, state: Any, action: Any) -> bool:
    """Whether the game's `order` does not set an action apart."""
    return not has_order(game) or game.order(state, action) == 0.0


def _credit(at: int, bonus: int, ledger: Ints) -> None:
    """Adds to the history so that it never leaves its bounds: the nearer to one, the smaller the step."""
    ledger[at] += bonus * 16 - (ledger[at] * abs(bonus) >> 14)
