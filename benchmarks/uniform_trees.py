"""Uniform trees, b actions everywhere and all leaves at one depth, and what theory says of alpha-beta on them.

Every node has a score, so that a tree cut off at a lesser depth is again such a tree (`Graph.cut`).
"""

import numpy as np

from position_graph import Graph, Numbers

BITS = 52
MASK = (1 << BITS) - 1
MULTIPLIER = 0x9E3779B97F4A7C15
"""Odd, so that multiplying by it loses nothing."""


def scramble(numbers: Numbers, seed: int) -> Numbers:
    """Whole numbers below 2^52 mapped one to one onto fractions k/2^52 in [0, 1): different ones stay different."""
    x = numbers.astype(np.uint64)
    for turn in range(3):
        x += np.uint64((3 * seed + turn + 1) * MULTIPLIER & MASK)
        x = x * np.uint64(MULTIPLIER) & np.uint64(MASK)
        x ^= x >> np.uint64(BITS // 2)
    return x.astype(np.float64) / 2.0**BITS


def _uniform(branching: int, height: int, scores: Numbers) -> Graph:
    starts = [0]
    for ply in range(height + 1):
        starts.append(starts[-1] + branching**ply)
    parents = np.arange(starts[height], dtype=np.int64)[:, None]
    plies = np.repeat(np.arange(height + 1), np.diff(starts))
    return Graph(
        tuple(starts), parents * branching + 1 + np.arange(branching), plies % 2 == 0, scores[: starts[-1]]
    )


def _size(branching: int, height: int) -> int:
    return sum(branching**ply for ply in range(height + 1))


def independent(branching: int, height: int, seed: int) -> Graph:
    """The tree of the theory: scores in [0, 1), all different, none of which tells of another. MAX begins.

    >>> independent(2, 2, seed=0).children.tolist()
    [[1, 2], [3, 4], [5, 6]]
    """
    return _uniform(branching, height, scramble(np.arange(_size(branching, height), dtype=float), seed))


def running_sums(branching: int, height: int, seed: int) -> Graph:
    """A tree with an informative evaluation: every action is worth something in (−½, ½), a node the sum on its path.

    What a node is worth now says something of what lies below it, as in games: the score is an estimate.
    """
    tree = independent(branching, height, seed)
    scores = tree.scores - 0.5
    scores[0] = 0.0
    for ply in range(1, height + 1):
        here, above = tree.layer(ply), tree.layer(ply - 1)
        scores[here] += np.repeat(scores[above], branching)
    return Graph(tree.starts, tree.children, tree.maximizing, scores)


# --- theory -----------------------------------------------------------------------------------------


def minimal_leaves(branching: float, depth: int) -> float:
    """The leaves of the minimal tree (Knuth & Moore 1975): b^⌈m/2⌉ + b^⌊m/2⌋ − 1.

    >>> [minimal_leaves(3, depth) for depth in range(5)]
    [1, 3, 5, 11, 17]
    """
    return branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def random_order_rate(branching: int) -> float:
    """By what factor the leaves seen in random order grow with each ply, in the limit: ξ/(1 − ξ) with ξ^b + ξ = 1.

    Pearl, The Solution for the Branching Factor of the Alpha-Beta Pruning Algorithm and its Optimality (1982), for
    independent leaf values from a continuous distribution.

    >>> round(random_order_rate(2), 4)
    1.618
    """
    low, high = 0.0, 1.0
    while high - low > 1e-15:
        middle = (low + high) / 2
        if middle**branching + middle < 1:
            low = middle
        else:
            high = middle
    return low / (1 - low)


def effective_branching(nodes: float, depth: int) -> float:
    """The b* of a uniform tree with so many nodes: 1 + b* + b*² + … + b*^depth = nodes (Russell & Norvig).

    >>> round(effective_branching(1 + 3 + 9 + 27, 3), 9)
    3.0
    """
    low, high = 0.0, max(1.0, float(nodes))
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if sum(middle**ply for ply in range(depth + 1)) < nodes:
            low = middle
        else:
            high = middle
    return high
