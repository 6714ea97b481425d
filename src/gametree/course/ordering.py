"""The best and the worst order of a tree: children put so that alpha-beta looks at the fewest or the most leaves.

The orders below different nodes do not depend on each other. For a node and a window it is therefore enough to know,
for every value that the node can return, the best count of leaves with which it can; the children of a node are
then put in order one after the other, as subsets. That finds the true optimum, also in ragged trees and with ties,
where "the best child first" does not.
"""

import math
from dataclasses import dataclass
from typing import Any

from gametree.explain.traces.conventions import Conventions
from gametree.games.tree.outline import Outline, Path

Order = tuple[Path, ...]
"""The leaves in the order in which the search would meet them."""
Found = dict[float, tuple[int, Order]]
"""For each value that a node may return: a count of leaves, and an order that has it."""


@dataclass(frozen=True)
class Extreme:
    """The fewest or the most leaves, and one order of all leaves, from left to right as drawn, that does it."""

    leaves: int
    order: Order


def extreme(root: Outline, conventions: Conventions, *, most: bool = False) -> Extreme:
    """The order with the fewest leaves visited, or with the most.

    >>> from gametree.games.tree.outline import outline
    >>> tree = outline([[9, 3], [2, 7], [5, 1]])
    >>> extreme(tree, Conventions()).leaves, extreme(tree, Conventions(), most=True).leaves
    (4, 6)
    """
    found = _Search(conventions, most).node(root, -math.inf, math.inf)
    better = max if most else min
    leaves, order = better(found.values(), key=lambda one: one[0])
    return Extreme(leaves, order if conventions.direction == "left-to-right" else order[::-1])


class _Search:
    def __init__(self, conventions: Conventions, most: bool):
        self.equal_cuts = conventions.cut == ">="
        self.hard = conventions.fail == "hard"
        self.sign = -1 if most else 1
        self.known: dict[tuple[Path, float, float], Found] = {}

    def node(self, node: Outline, alpha: float, beta: float) -> Found:
        if not node.children:
            assert isinstance(node.payoff, float)
            return {self._seen(node.payoff, alpha, beta): (1, (node.path,))}
        at = (node.path, alpha, beta)
        if at not in self.known:
            self.known[at] = self._inner(node, alpha, beta)
        return self.known[at]

    def _inner(self, node: Outline, alpha: float, beta: float) -> Found:
        """Children are added to those already searched, which are a set of bits; the value so far tells the window."""
        is_max = node.kind == "max"
        begin = -math.inf if is_max else math.inf
        children = node.children
        full = (1 << len(children)) - 1
        ahead: list[Found] = [{} for _ in range(full + 1)]
        ahead[0][begin] = (0, ())
        done: Found = {}
        for searched in range(full):
            for value, (count, order) in ahead[searched].items():
                low, high = (max(alpha, value), beta) if is_max else (alpha, min(beta, value))
                for index, child in enumerate(children):
                    if searched >> index & 1:
                        continue
                    now = searched | 1 << index
                    for returned, (more, below) in self.node(child, low, high).items():
                        best = max(value, returned) if is_max else min(value, returned)
                        reached = (count + more, order + below)
                        if now == full:
                            self._keep(done, self._returned(best, alpha, beta), reached)
                        elif self._cuts(best, low, high, is_max):
                            rest = tuple(
                                leaf.path
                                for place, other in enumerate(children)
                                if not now >> place & 1
                                for leaf in other.leaves
                            )
                            self._keep(
                                done, self._returned(best, alpha, beta), (reached[0], reached[1] + rest)
                            )
                        else:
                            self._keep(ahead[now], best, reached)
        return done

    def _cuts(self, value: float, alpha: float, beta: float, is_max: bool) -> bool:
        if is_max:
            return value >= beta if self.equal_cuts else value > beta
        return value <= alpha if self.equal_cuts else value < alpha

    def _returned(self, value: float, alpha: float, beta: float) -> float:
        return self._seen(min(max(value, alpha), beta) if self.hard else value, alpha, beta)

    def _seen(self, value: float, alpha: float, beta: float) -> float:
        """How far outside the window a value is makes no difference to what is visited."""
        if self.equal_cuts:
            return -math.inf if value <= alpha else math.inf if value >= beta else value
        return -math.inf if value < alpha else math.inf if value > beta else value

    def _keep(self, found: Found, value: float, one: tuple[int, Order]) -> None:
        known = found.get(value)
        if known is None or self.sign * one[0] < self.sign * known[0]:
            found[value] = one


# --- trees in another order -------------------------------------------------------------------------


def reorder(root: Outline, spec: Any, order: list[Path]) -> Any | None:
    """The tree whose leaves, from left to right, are in this order; None where moving children cannot do it."""
    place = {path: index for index, path in enumerate(order)}
    made: list[Path] = []

    def build(node: Outline, spec: Any) -> Any:
        if not node.children:
            made.append(node.path)
            return spec
        pairs = sorted(
            zip(node.children, spec), key=lambda pair: min(place[leaf.path] for leaf in pair[0].leaves)
        )
        return [build(child, below) for child, below in pairs]

    other = build(root, spec)
    return other if made == order else None
