"""The tree: a struct of arrays, in memory that is set aside beforehand and touched only where nodes are.

A node is a number, the root is 0 to begin with. The children of a node follow each other; all are made at once.

    visits    how many simulations went through the node
    sums      what they brought: to player 0 where two players share a constant total, else to each player in turn;
              counted from the payoff that is worst for who moved here (see `worst`)
    about     bit 0–35   its first child; 0 where it has none, BUSY while a thread makes them
              bit 36–53  how many children      54–60  kind: who moves here
              bit 61     something is proven of its children      62  the rules on repeated positions bar it
    parent    bit 0–35   the node above      36–53  the place of its action there; DEAD, ROOT_HERE
    actions   the action that leads here, as many words as it takes
    low, high what is proven of its value, as many numbers as `sums` has
    prior     how likely its action is before anything is known; at a chance node the probability
    squares   the sum of squares of what the simulations brought, for UCB1-tuned
    heard, echoes   AMAF: simulations in which the action was played later on, and what these brought to who plays it
"""

from gametree.kernel.primitives import RUNNING, STOP, Floats, Ints, unbits
from gametree.kernel.random import add_word
from gametree.search.mcts.words import (
    AMAF,
    LOSS,
    OTHERS_LOSS,
    PRIORS,
    ROOT,
    SOLVER,
    SWEEP_FROM,
    SWEEP_LEAST,
    SWEEP_TO,
    TUNED,
    USED,
    WIDTH,
)

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


def worst(mover: int, player: int, ledger: Ints) -> float:
    """From which payoff the sum of a player is counted at a node to which `mover` moved: −1 where nobody did.

    A visit that has brought nothing yet is thus a loss to the mover, as threads want it.
    """
    if mover < 0:
        return 0.0
    if ledger[WIDTH] == 1:
        return unbits(ledger[LOSS] if mover == 0 else ledger[OTHERS_LOSS])
    return unbits(ledger[LOSS]) if mover == player else 0.0


def room_for(count: int, capacity: int, threads: int, shared: Ints) -> int:
    """Sets so many nodes aside: the first of them, 0 where there is no room."""
    if threads > 1:
        begin = add_word(shared, USED, count)
        if begin + count > capacity:
            add_word(shared, USED, -count)
            return 0
        return begin
    begin = shared[USED]
    if begin + count > capacity:
        return 0
    shared[USED] = begin + count
    return begin


# --- making room --------------------------------------------------------------------------------------


def least_visits(visits: Ints, about: Ints, shared: Ints, room: int, at: int, ledger: Ints) -> int:
    """So many visits a node has to have to keep its children, if at most `room` nodes are to be left: a power of 2.

    No node has more visits than its parent, so the children that are kept are those of nodes with many visits. The
    ledger is free from index `at` on.
    """
    for size in range(64):
        ledger[at + size] = 0
    for node in range(shared[USED]):
        if first_of(about[node]) > 0:
            ledger[at + visits[node].bit_length()] += count_of(about[node])
    kept = 1
    size = 63
    while size > 1 and kept + ledger[at + size] <= room:
        kept += ledger[at + size]
        size -= 1
    return 1 << size


def begin_sweep(least: int, parent: Ints, shared: Ints) -> None:
    """Whatever is not below the root is left behind; nodes with fewer than `least` visits lose their children."""
    if shared[ROOT] != 0:
        parent[0] = DEAD
        parent[shared[ROOT]] = ROOT_HERE
    shared[SWEEP_TO] = 0
    shared[SWEEP_LEAST] = least


def sweep(
    words: int,
    visits: Ints,
    sums: Floats,
    about: Ints,
    parent: Ints,
    actions: Ints,
    low: Floats,
    high: Floats,
    prior: Floats,
    squares: Floats,
    heard: Ints,
    echoes: Floats,
    shared: Ints,
    ledger: Ints,
) -> bool:
    """Moves what is kept to the front. False when stopped on the way.

    Parents stand before their children and keep doing so: one pass in place is enough. At the beginning of every
    block of children the tree is whole, and there the pass may be stopped; it then has to be taken up again.
    """
    width = ledger[WIDTH]
    node = shared[SWEEP_FROM]
    free = shared[SWEEP_TO]
    end = shared[USED]
    least = shared[SWEEP_LEAST]
    while node < end:
        above = parent[node]
        begin = first_of(about[node])
        count = count_of(about[node])
        if above == DEAD:
            _disown(begin, count, parent)
            node += 1
            continue
        if above == ROOT_HERE:
            shared[ROOT] = free
        elif first_of(about[above & FIRST]) == node:
            if ledger[STOP] != RUNNING:
                shared[SWEEP_FROM] = node
                shared[SWEEP_TO] = free
                return False
            about[above & FIRST] = about[above & FIRST] ^ node ^ free
        if node != free:
            visits[free] = visits[node]
            about[free] = about[node]
            parent[free] = above
            for i in range(words):
                actions[free * words + i] = actions[node * words + i]
            for i in range(width):
                sums[free * width + i] = sums[node * width + i]
                if ledger[TUNED] != 0:
                    squares[free * width + i] = squares[node * width + i]
                if ledger[SOLVER] != 0:
                    low[free * width + i] = low[node * width + i]
                    high[free * width + i] = high[node * width + i]
            if ledger[PRIORS] != 0:
                prior[free] = prior[node]
            if ledger[AMAF] != 0:
                heard[free] = heard[node]
                echoes[free] = echoes[node]
        if begin > 0:
            if above == ROOT_HERE or (visits[free] >= least and not is_settled(free, low, high, ledger)):
                for child in range(begin, begin + count):
                    parent[child] = parent[child] & ~FIRST | free
            else:
                _disown(begin, count, parent)
                about[free] = about[free] & (KIND << KIND_SHIFT)
        node += 1
        free += 1
    shared[SWEEP_FROM] = 0
    shared[USED] = free
    return True


def is_settled(node: int, low: Floats, high: Floats, ledger: Ints) -> bool:
    """Whether the value of a node is proven."""
    if ledger[SOLVER] == 0:
        return False
    width = ledger[WIDTH]
    settled = True
    for i in range(node * width, node * width + width):
        settled = settled and low[i] >= high[i]
    return settled


def _disown(begin: int, count: int, parent: Ints) -> None:
    for child in range(begin, begin + count):
        if parent[child] != ROOT_HERE:
            parent[child] = DEAD
