"""The tree: what its words say, room for more nodes, and what is given up where there is none.

A node is a number, the root is 0 to begin with. The children of a node follow each other; all are made at once.
What is kept of a node is in `memory.py`.
"""

from gametree.kernel.clock import RUNNING, Clock
from gametree.kernel.random import add_to
from gametree.search.mcts.memory import Settings, Thread, Tree

FIRST_BITS = 36
FIRST = (1 << FIRST_BITS) - 1
COUNT_BITS = 18
COUNT = (1 << COUNT_BITS) - 1
KIND_SHIFT = FIRST_BITS + COUNT_BITS
KIND = 127
KNOWN = 1 << 61
BARRED = 1 << 62

# Kinds of nodes; PLAYER + p where player p moves.
UNSEEN, TERMINAL, REPEATED, BY_CHANCE, PLAYER = range(5)

BUSY = FIRST
ROOT_HERE = -2
DEAD = -1
"""The parent of a node that nobody needs any more."""


def first_of(about: int) -> int:
    """The first child of a node; 0 where it has none."""
    first = about & FIRST
    return 0 if first == BUSY else first


def count_of(about: int) -> int:
    """How many children a node has."""
    return about >> FIRST_BITS & COUNT


def kind_of(about: int) -> int:
    """What kind of node it is."""
    return about >> KIND_SHIFT & KIND


def place_of(parent: int) -> int:
    """The place of a node's action among those of its parent."""
    return parent >> FIRST_BITS & COUNT if parent >= 0 else 0


def worst(mover: int, player: int, settings: Settings) -> float:
    """From which payoff the sum of a player is counted at a node to which `mover` moved: −1 where nobody did.

    A visit that has brought nothing yet is thus a loss to the mover, as threads want it.
    """
    if mover < 0:
        return 0.0
    if settings.width == 1:
        return settings.loss if mover == 0 else settings.others_loss
    return settings.loss if mover == player else 0.0


def room_for(count: int, threads: int, tree: Tree) -> int:
    """Sets so many nodes aside: the first of them, 0 where there is no room."""
    growth = tree.growth
    if threads > 1:
        begin = add_to(growth, "used", count)
        if begin + count > tree.capacity:
            add_to(growth, "used", -count)
            return 0
        return begin
    begin = growth.used
    if begin + count > tree.capacity:
        return 0
    growth.used = begin + count
    return begin


# --- making room --------------------------------------------------------------------------------------


def least_visits(room: int, tree: Tree, thread: Thread) -> int:
    """So many visits a node has to have to keep its children, if at most `room` nodes are to be left: a power of 2.

    No node has more visits than its parent, so the children that are kept are those of nodes with many visits.
    """
    counts = thread.shelf
    for size in range(64):
        counts[size] = 0
    for node in range(tree.growth.used):
        if first_of(tree.about[node]) > 0:
            counts[tree.visits[node].bit_length()] += count_of(tree.about[node])
    kept = 1
    size = 63
    while size > 1 and kept + counts[size] <= room:
        kept += counts[size]
        size -= 1
    return 1 << size


def begin_sweep(least: int, tree: Tree) -> None:
    """Whatever is not below the root is left behind; nodes with fewer than `least` visits lose their children."""
    growth = tree.growth
    if growth.root != 0:
        tree.parent[0] = DEAD
        tree.parent[growth.root] = ROOT_HERE
    growth.sweep_to = 0
    growth.sweep_least = least


def sweep(words: int, tree: Tree, settings: Settings, clock: Clock) -> bool:
    """Moves what is kept to the front. False when stopped on the way.

    Parents stand before their children and keep doing so: one pass in place is enough. At the beginning of every
    block of children the tree is whole, and there the pass may be stopped; it then has to be taken up again.
    """
    width = settings.width
    growth = tree.growth
    node = growth.sweep_from
    free = growth.sweep_to
    end = growth.used
    least = growth.sweep_least
    while node < end:
        above = tree.parent[node]
        begin = first_of(tree.about[node])
        count = count_of(tree.about[node])
        if above == DEAD:
            _disown(begin, count, tree)
            node += 1
            continue
        if above == ROOT_HERE:
            growth.root = free
        elif first_of(tree.about[above & FIRST]) == node:
            if clock.stop != RUNNING:
                growth.sweep_from = node
                growth.sweep_to = free
                return False
            tree.about[above & FIRST] = tree.about[above & FIRST] ^ node ^ free
        if node != free:
            tree.visits[free] = tree.visits[node]
            tree.about[free] = tree.about[node]
            tree.parent[free] = above
            for i in range(words):
                tree.actions[free * words + i] = tree.actions[node * words + i]
            for i in range(width):
                tree.sums[free * width + i] = tree.sums[node * width + i]
                if settings.tuned:
                    tree.squares[free * width + i] = tree.squares[node * width + i]
                if settings.solver:
                    tree.low[free * width + i] = tree.low[node * width + i]
                    tree.high[free * width + i] = tree.high[node * width + i]
            if settings.priors:
                tree.prior[free] = tree.prior[node]
            if settings.amaf:
                tree.heard[free] = tree.heard[node]
                tree.echoes[free] = tree.echoes[node]
        if begin > 0:
            if above == ROOT_HERE or (tree.visits[free] >= least and not is_settled(free, tree, settings)):
                for child in range(begin, begin + count):
                    tree.parent[child] = tree.parent[child] & ~FIRST | free
            else:
                _disown(begin, count, tree)
                tree.about[free] = tree.about[free] & (KIND << KIND_SHIFT)
        node += 1
        free += 1
    growth.sweep_from = 0
    growth.used = free
    return True


def is_settled(node: int, tree: Tree, settings: Settings) -> bool:
    """Whether the value of a node is proven."""
    if not settings.solver:
        return False
    width = settings.width
    settled = True
    for i in range(node * width, node * width + width):
        settled = settled and tree.low[i] >= tree.high[i]
    return settled


def _disown(begin: int, count: int, tree: Tree) -> None:
    for child in range(begin, begin + count):
        if tree.parent[child] != ROOT_HERE:
            tree.parent[child] = DEAD
