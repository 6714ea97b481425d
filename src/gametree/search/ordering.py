"""Which action is looked at first: the better the order, the more of the tree is never looked at.

The action that the table remembers comes first. The others follow by the game's `order`; where it has none, by what
`evaluate` says one ply further on; among equals killers, the answer that worked against the action before (the
counter-move), and the history of cut-offs decide.
"""

from typing import Any

from gametree.compiled.primitives import (
    CODES,
    WON,
    Ints,
    action_code,
    estimate,
    has_evaluation,
    has_order,
    outcome,
    rising,
    take,
)
from gametree.search.ledger import (
    BY_COUNTER,
    BY_EVALUATION,
    BY_HISTORY,
    BY_KILLERS,
    COUNTERS,
    EVALUATIONS,
    FEATURES,
    HISTORY,
    KILLER_PLIES,
    KILLERS,
)

FROM_TABLE = 1 << 62
WINNING, LOSING = 1 << 60, -(1 << 60)
KILLER_1, KILLER_2, COUNTER = 1 << 19, (1 << 19) - 1, (1 << 19) - 2
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
    judged = (
        depth >= 3 and has_evaluation(game) and not has_order(game) and ledger[FEATURES] & BY_EVALUATION != 0
    )
    for at in range(first, end, width):
        action = take(game, ledger, at + 2)
        rank = _remembered(action_code(action), mover, plies, before, ledger)
        if has_order(game):
            wish = max(-1e6, min(1e6, game.order(state, action)))
            rank += int(wish * 1024.0) * (1 << 21)
        elif judged:
            rank = _judged(game, game.result(state, action), mover, rank, ledger)
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


def _judged(game: Any, child: Any, mover: int, rank: int, ledger: Ints) -> int:
    """The rank of an action by the estimate of the state that it leads to."""
    ledger[EVALUATIONS] += 1
    sign = 1.0 if mover == 0 else -1.0
    if game.is_terminal(child):
        worth = sign * outcome(game, child, 1)
        if worth > WON:
            return WINNING
    else:
        worth = sign * estimate(game, child)
    if worth != worth:
        return 0
    return max(LOSING, min(WINNING - 1, (rising(worth) >> 24 << 20) + rank))


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
    game: Any, mover: int, plies: int, depth: int, before: int, first: int, at: int, width: int, ledger: Ints
) -> None:
    """The action at `at` cut: it is a killer at its ply and the answer to the one before, and counts in the history.

    Those from `first` on that were looked at before it count against themselves.
    """
    on = ledger[FEATURES]
    code = action_code(take(game, ledger, at + 2))
    if on & BY_KILLERS and plies < KILLER_PLIES and ledger[KILLERS + 2 * plies] != code + 1:
        ledger[KILLERS + 2 * plies + 1] = ledger[KILLERS + 2 * plies]
        ledger[KILLERS + 2 * plies] = code + 1
    if on & BY_COUNTER and before > 0:
        ledger[COUNTERS + mover * CODES + before - 1] = code + 1
    if on & BY_HISTORY:
        bonus = min(depth * depth * 16, 1 << 13)
        _credit(mover, code, bonus, ledger)
        for other in range(first, at, width):
            _credit(mover, action_code(take(game, ledger, other + 2)), -bonus, ledger)


def _credit(mover: int, code: int, bonus: int, ledger: Ints) -> None:
    """Adds to the history so that it never leaves its bounds: the nearer to one, the smaller the step."""
    at = HISTORY + mover * CODES + code
    ledger[at] += bonus * 16 - (ledger[at] * abs(bonus) >> 14)
