"""The minimal proof tree: how much of a position's tree has to be seen to know its minimax value.

A value v is proven by two strategies: one of MAX that earns at least v whatever MIN does (one action at every MAX node,
all of them at every MIN node), and one of MIN that holds MAX to v. Whoever claims v without having seen two such
trees has guessed. They overlap: both follow one line of best play. The fewest nodes in their union, with `ge` for
"is at least v", `le` for "is at most v" and `both`, are at a MAX node

    ge(n)   = 1 + min ge(c)                                    one action is enough
    le(n)   = 1 + Σ le(c)                                      no action may be better
    both(n) = 1 + Σ le(c) + min (both(c) − le(c))              one child gets both proofs, the others one

over its children c, the same with ge and le exchanged at a MIN node, 1 at a leaf, and infinite where the bound does not
hold. On a uniform tree with distinct values it is the minimal tree of Knuth & Moore (An Analysis of Alpha-Beta
Pruning, 1975). Alpha-beta that looks at the right child first sees exactly this tree, and no search sees less that
does not remember positions and knows no bounds of the payoffs.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gametree.game import Game
from gametree.kernel.primitives import estimate, outcome
from position_graph import Flags, Graph, Indices, Numbers

INFINITY = math.inf


class Proofs(NamedTuple):
    """The least it takes to prove that a node is worth at least v, at most v, and v; infinite where it is not."""

    at_least: float
    at_most: float
    exactly: float


def plain_minimal_tree(game: Game, state: Any = None, depth: int = 1000, *, leaves: bool = False) -> int:
    """The nodes of the minimal proof tree by recursion over the rules; for small trees.

    Wins and losses count by their distance, as `analyze` counts them. `leaves=True` counts leaves only, with the proof
    that has the fewest.

    >>> from gametree import Tree
    >>> plain_minimal_tree(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    9
    """

    def children(state: Any) -> list[Any]:
        return [game.result(state, action) for action in game.actions(state)]

    def score(state: Any, plies: int) -> float:
        return outcome(game, state, plies) if game.is_terminal(state) else estimate(game, state)

    def value(state: Any, plies: int) -> float:
        if plies == depth or game.is_terminal(state):
            return score(state, plies)
        found = [value(child, plies + 1) for child in children(state)]
        return max(found) if game.player(state) == 0 else min(found)

    def proofs(state: Any, plies: int, v: float) -> Proofs:
        if plies == depth or game.is_terminal(state):
            worth = score(state, plies)
            high, low = 1 if worth >= v else INFINITY, 1 if worth <= v else INFINITY
            return Proofs(high, low, max(high, low))
        found = [proofs(child, plies + 1, v) for child in children(state)]
        here = 0 if leaves else 1
        if game.player(state) == 0:
            one = here + min(f.at_least for f in found)
            all_of_them = here + sum(f.at_most for f in found)
            step = min((f.exactly - f.at_most for f in found if f.exactly < INFINITY), default=INFINITY)
            return Proofs(one, all_of_them, all_of_them + step)
        one = here + min(f.at_most for f in found)
        all_of_them = here + sum(f.at_least for f in found)
        step = min((f.exactly - f.at_least for f in found if f.exactly < INFINITY), default=INFINITY)
        return Proofs(all_of_them, one, all_of_them + step)

    root = game.initial() if state is None else state
    return int(proofs(root, 0, value(root, 0)).exactly)


# --- the same, layer by layer -----------------------------------------------------------------------


@dataclass(frozen=True)
class Costs:
    """What proofs cost below every node of a graph, and which child to look at first (a place in its row)."""

    at_least: Numbers
    at_most: Numbers
    exactly: Numbers
    cut: Indices
    """Where one child is enough: the cheapest that is."""
    best: Indices
    """Where both proofs are needed: the child that gets both."""


def costs(
    graph: Graph, v: float, *, edge: float, leaf: float, shares: tuple[Numbers, Numbers] | None = None
) -> Costs:
    """The recursion for all nodes at once: `edge` is the price of a look at a child, `leaf` that of a leaf.

    `shares` weighs what the proofs of a node (at least v, at most v) cost each of its parents: 1 in a tree, less
    where several parents share the proof.
    """
    high = np.where(graph.scores >= v, leaf, INFINITY)
    low = np.where(graph.scores <= v, leaf, INFINITY)
    exact = np.maximum(high, low)
    cut, best = np.zeros((2, len(graph.scores)), dtype=np.int64)
    for ply in range(graph.depth - 1, -1, -1):
        nodes = graph.inner(ply)
        rows = graph.children[nodes]
        absent = rows < 0
        maximizing = graph.maximizing[nodes]
        ge, le = high[rows], low[rows]
        if shares is not None:
            ge, le = ge * shares[0][rows], le * shares[1][rows]
        turn = maximizing[:, None]
        for_one = np.where(absent, INFINITY, edge + np.where(turn, ge, le))
        for_all = np.where(absent, 0.0, edge + np.where(turn, le, ge))
        with np.errstate(invalid="ignore"):  # ∞ − ∞, which is not looked at
            more = np.where(absent | (exact[rows] == INFINITY), INFINITY, edge + exact[rows] - for_all)
        one, every = for_one.min(axis=1), for_all.sum(axis=1)
        cut[nodes], best[nodes] = for_one.argmin(axis=1), more.argmin(axis=1)
        high[nodes] = np.where(maximizing, one, every)
        low[nodes] = np.where(maximizing, every, one)
        exact[nodes] = every + more.min(axis=1)
    return Costs(high, low, exact, cut, best)


def minimal_tree(graph: Graph, *, leaves: bool = False) -> int:
    """The nodes of the minimal proof tree of a graph's root: of its tree, in which no position is remembered."""
    v = float(graph.values()[0])
    if leaves:
        return int(costs(graph, v, edge=0, leaf=1).exactly[0])
    return 1 + int(costs(graph, v, edge=1, leaf=0).exactly[0])


@dataclass(frozen=True)
class Proof:
    """A proof of the root's value, every position in it once."""

    looks: int
    """The root, and for every position that is expanded the children looked at: what a search with a perfect order
    and a perfect table counts as nodes, a look that the table answers included."""
    at_least: Indices
    """How many positions of the proof need a bound from below for this one; 0 where it is not needed."""
    at_most: Indices
    rows: Indices
    """The children of every node, the one that the proof needs first in front."""


def proof_by(graph: Graph, choice: Costs) -> Proof:
    """Follows the cheapest proofs down from the root."""
    at_least, at_most = np.zeros((2, len(graph.scores)), dtype=np.int64)
    at_least[0] = at_most[0] = 1
    rows = graph.children.copy()
    looks = 1
    for ply in range(graph.depth):
        nodes = graph.inner(ply)
        nodes = nodes[(at_least[nodes] > 0) | (at_most[nodes] > 0)]
        maximizing = graph.maximizing[nodes]
        ge, le = at_least[nodes] > 0, at_most[nodes] > 0
        one, every = np.where(maximizing, ge, le), np.where(maximizing, le, ge)
        first = np.where(one & every, choice.best[nodes], choice.cut[nodes])
        chosen = rows[nodes, first]
        rows[nodes[one], first[one]] = rows[nodes[one], 0]
        rows[nodes[one], 0] = chosen[one]
        present = rows[nodes] >= 0
        looks += int(np.where(every, present.sum(axis=1), 1).sum())
        for mover, for_one, for_all in ((maximizing, at_least, at_most), (~maximizing, at_most, at_least)):
            np.add.at(for_one, chosen[one & mover], 1)
            needed: Flags = present & (every & mover)[:, None]
            np.add.at(for_all, rows[nodes][needed], 1)
    return Proof(looks, at_least, at_most, rows)


def cheapest_proof(graph: Graph) -> Proof:
    """The minimal proof tree, its equal positions merged; in a tree there are none."""
    return proof_by(graph, costs(graph, float(graph.values()[0]), edge=1, leaf=0))


def merged_proof(graph: Graph, rounds: int = 12) -> Proof:
    """A small proof in which every position counts once, however many ways lead to it.

    The smallest one is out of reach: with shared parts the problem is NP-hard (Sahni, Computationally Related
    Problems, 1974). This one starts from the minimal proof tree with equal positions merged; then the price of a
    position is shared by those that needed it, the cheapest proof is looked for at those prices, and so on; the
    smallest found counts. So the true minimum may be less, and is not more.
    """
    v = float(graph.values()[0])
    found = smallest = cheapest_proof(graph)
    high, low = np.ones((2, len(graph.scores)))
    for _ in range(rounds):
        high = np.sqrt(high / np.maximum(1, found.at_least))
        low = np.sqrt(low / np.maximum(1, found.at_most))
        found = proof_by(graph, costs(graph, v, edge=1, leaf=0, shares=(high, low)))
        smallest = min(smallest, found, key=lambda proof: proof.looks)
    return smallest
