"""What is proven: MCTS-Solver (Winands, Björnsson & Saito 2008) in its score-bounded form (Cazenave & Saffidine 2010).

Each node has a lower and an upper bound of its value, for every player: a terminal state both at its payoff, any other
at first the ends of `payoffs`, or nothing. Who moves takes the child that is best for him, so that for him both bounds
of the node are the greatest among the children. What the others get is what one of the children gives that he may
choose. At a chance node bounds are averages. A node whose bounds meet is settled.

With more than two players this holds for max^n whatever the rule by which ties are broken.
"""

import math

from gametree.search.mcts.memory import Settings, Thread, Tree
from gametree.search.mcts.tree import BARRED, BY_CHANCE, PLAYER, count_of, first_of, kind_of

INFINITY = math.inf


def open_bounds(node: int, tree: Tree, settings: Settings) -> None:
    """Nothing is known of a node yet."""
    width = settings.width
    for i in range(node * width, node * width + width):
        tree.low[i] = settings.least
        tree.high[i] = settings.greatest


def close_bounds(node: int, tree: Tree, settings: Settings, thread: Thread) -> None:
    """The value of a node is known."""
    width = settings.width
    for i in range(width):
        tree.low[node * width + i] = thread.gains[i]
        tree.high[node * width + i] = thread.gains[i]


def tighten(node: int, tree: Tree, settings: Settings) -> bool:
    """Draws from the bounds of the children what follows for their parent; whether that is anything new."""
    width = settings.width
    begin = first_of(tree.about[node])
    end = begin + count_of(tree.about[node])
    kind = kind_of(tree.about[node])
    if kind == BY_CHANCE:
        return _average(node, begin, end, width, tree)
    mover = kind - PLAYER
    if width == 1:
        return _two_players(node, begin, end, mover, tree)
    return _many_players(node, begin, end, mover, width, tree)


def _two_players(node: int, begin: int, end: int, mover: int, tree: Tree) -> bool:
    least = INFINITY if mover != 0 else -INFINITY
    most = least
    for child in range(begin, end):
        if tree.about[child] & BARRED:
            continue
        if mover == 0:
            least = max(least, tree.low[child])
            most = max(most, tree.high[child])
        else:
            least = min(least, tree.low[child])
            most = min(most, tree.high[child])
    return _narrow(node, least, most, tree)


def _average(node: int, begin: int, end: int, width: int, tree: Tree) -> bool:
    changed = False
    for i in range(width):
        least = 0.0
        most = 0.0
        for child in range(begin, end):
            if tree.prior[child] > 0.0:
                least += tree.prior[child] * tree.low[child * width + i]
                most += tree.prior[child] * tree.high[child * width + i]
        changed = _narrow(node * width + i, least, most, tree) or changed
    return changed


def _many_players(node: int, begin: int, end: int, mover: int, width: int, tree: Tree) -> bool:
    best = -INFINITY
    most = -INFINITY
    for child in range(begin, end):
        if tree.about[child] & BARRED == 0:
            best = max(best, tree.low[child * width + mover])
            most = max(most, tree.high[child * width + mover])
    changed = _narrow(node * width + mover, best, most, tree)
    for i in range(width):
        if i == mover:
            continue
        least = INFINITY
        most = -INFINITY
        for child in range(begin, end):
            # Only what is not worse for the mover than another child comes into question.
            if tree.about[child] & BARRED == 0 and tree.high[child * width + mover] >= best:
                least = min(least, tree.low[child * width + i])
                most = max(most, tree.high[child * width + i])
        changed = _narrow(node * width + i, least, most, tree) or changed
    return changed


def _narrow(at: int, least: float, most: float, tree: Tree) -> bool:
    """Bounds only ever become tighter: children that were given up for their room may have known more."""
    changed = False
    if least > tree.low[at]:
        tree.low[at] = least
        changed = True
    if most < tree.high[at]:
        tree.high[at] = most
        changed = True
    return changed
