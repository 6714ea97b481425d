"""What is proven: MCTS-Solver (Winands, Björnsson & Saito 2008) in its score-bounded form (Cazenave & Saffidine 2010).

Each node has a lower and an upper bound of its value, for every player: a terminal state both at its payoff, any other
at first the ends of `payoffs`, or nothing. Who moves takes the child that is best for him, so that for him both bounds
of the node are the greatest among the children. What the others get is what one of the children gives that he may
choose. At a chance node bounds are averages. A node whose bounds meet is settled.

With more than two players this holds for max^n whatever the rule by which ties are broken.
"""

import math

from gametree.kernel.primitives import Floats, Ints, unbits
from gametree.search.mcts.tree import BARRED, BY_CHANCE, PLAYER, count_of, first_of, kind_of
from gametree.search.mcts.words import GREATEST, LEAST, WIDTH

INFINITY = math.inf


def open_bounds(node: int, low: Floats, high: Floats, ledger: Ints) -> None:
    """Nothing is known of a node yet."""
    width = ledger[WIDTH]
    for i in range(node * width, node * width + width):
        low[i] = unbits(ledger[LEAST])
        high[i] = unbits(ledger[GREATEST])


def close_bounds(node: int, low: Floats, high: Floats, gains: Floats, ledger: Ints) -> None:
    """The value of a node is known."""
    width = ledger[WIDTH]
    for i in range(width):
        low[node * width + i] = gains[i]
        high[node * width + i] = gains[i]


def tighten(node: int, about: Ints, low: Floats, high: Floats, prior: Floats, ledger: Ints) -> bool:
    """Draws from the bounds of the children what follows for their parent; whether that is anything new."""
    width = ledger[WIDTH]
    begin = first_of(about[node])
    end = begin + count_of(about[node])
    kind = kind_of(about[node])
    if kind == BY_CHANCE:
        return _average(node, begin, end, low, high, prior, width)
    mover = kind - PLAYER
    if width == 1:
        return _two_players(node, begin, end, mover, about, low, high)
    return _many_players(node, begin, end, mover, about, low, high, width)


def _two_players(node: int, begin: int, end: int, mover: int, about: Ints, low: Floats, high: Floats) -> bool:
    least = INFINITY if mover != 0 else -INFINITY
    most = least
    for child in range(begin, end):
        if about[child] & BARRED:
            continue
        if mover == 0:
            least = max(least, low[child])
            most = max(most, high[child])
        else:
            least = min(least, low[child])
            most = min(most, high[child])
    return _narrow(node, least, most, low, high)


def _average(node: int, begin: int, end: int, low: Floats, high: Floats, prior: Floats, width: int) -> bool:
    changed = False
    for i in range(width):
        least = 0.0
        most = 0.0
        for child in range(begin, end):
            if prior[child] > 0.0:
                least += prior[child] * low[child * width + i]
                most += prior[child] * high[child * width + i]
        changed = _narrow(node * width + i, least, most, low, high) or changed
    return changed


def _many_players(
    node: int, begin: int, end: int, mover: int, about: Ints, low: Floats, high: Floats, width: int
) -> bool:
    best = -INFINITY
    most = -INFINITY
    for child in range(begin, end):
        if about[child] & BARRED == 0:
            best = max(best, low[child * width + mover])
            most = max(most, high[child * width + mover])
    changed = _narrow(node * width + mover, best, most, low, high)
    for i in range(width):
        if i == mover:
            continue
        least = INFINITY
        most = -INFINITY
        for child in range(begin, end):
            # Only what is not worse for the mover than another child comes into question.
            if about[child] & BARRED == 0 and high[child * width + mover] >= best:
                least = min(least, low[child * width + i])
                most = max(most, high[child * width + i])
        changed = _narrow(node * width + i, least, most, low, high) or changed
    return changed


def _narrow(at: int, least: float, most: float, low: Floats, high: Floats) -> bool:
    """Bounds only ever become tighter: children that were given up for their room may have known more."""
    changed = False
    if least > low[at]:
        low[at] = least
        changed = True
    if most < high[at]:
        high[at] = most
        changed = True
    return changed
