"""Where the nodes of a tree stand: a tidy drawing, level by level, whatever the sizes of the nodes.

The algorithm is that of Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in linear time"
(2002), with nodes that reach a different distance to the left and to the right. A node stands midway between
its first and its last child, subtrees come as close as their outlines allow, room between two large subtrees
is shared among the small ones between them, and equal subtrees are drawn alike.

Nothing here recurses: a tree may be as deep as it is long.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gametree.games.tree.outline import Outline, Path

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Size:
    """How far a node reaches from its middle to the left and to the right, and how high it is."""

    left: float
    right: float
    height: float


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a node stands: its middle, its upper edge, and what it covers."""

    x: float
    y: float
    left: float
    """How far the node reaches to the left of its middle."""
    right: float
    height: float

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class Layout:
    """The places of all nodes. x grows to the right and y downwards, from 0."""

    places: dict[Path, Spot]
    rows: tuple[tuple[float, float], ...]
    """For each level the y at which its nodes begin and the y at which the highest of them ends."""
    width: float
    height: float

    def edge(self, path: Path) -> tuple[Point, ...]:
        """The line from the parent of a node to the node.

        It goes straight down to the end of the parent's row, where higher nodes may stand beside the parent,
        and from there straight to the node.
        """
        above, here = self.places[path[:-1]], self.places[path]
        start, end = (above.x, above.bottom), (here.x, here.y)
        row = self.rows[len(path) - 1][1]
        return (start, end) if row <= above.bottom else (start, (above.x, row), end)

    def runs(self) -> list[float]:
        """For each level but the first how far aside the edges to it go at most."""
        runs = [0.0] * (len(self.rows) - 1)
        for path, place in self.places.items():
            if path:
                run = abs(place.x - self.places[path[:-1]].x)
                runs[len(path) - 1] = max(runs[len(path) - 1], run)
        return runs

    def stretched(self, drops: Sequence[float]) -> "Layout":
        """The same places with the levels so far apart, one distance for each level but the first."""
        rows: list[tuple[float, float]] = []
        for (top, bottom), drop in zip(self.rows, (0.0, *drops)):
            start = rows[-1][1] + drop if rows else 0.0
            rows.append((start, start + bottom - top))
        places = {path: replace(place, y=rows[len(path)][0]) for path, place in self.places.items()}
        return Layout(places, tuple(rows), self.width, rows[-1][1])


GAP: Final = 14.0
"""Between two children of one node."""
APART: Final = 26.0
"""Between two nodes of a level that have different parents."""
DROP: Final = 52.0
"""Between two levels."""


def layout(
    root: Outline,
    size: Callable[[Outline], Size],
    *,
    gap: float = GAP,
    apart: float = APART,
    drop: float = DROP,
    mirrored: bool = False,
) -> Layout:
    """Places a tree whose nodes have the sizes that `size` says.

    >>> from gametree.games.tree.outline import outline
    >>> from gametree.games.tree.game import Tree
    >>> plan = layout(outline(Tree([[3, 12], [2, 4]])), lambda node: Size(10, 10, 20))
    >>> plan.places[(0,)].x, plan.places[()].x, plan.places[(1,)].x
    (27.0, 67.0, 107.0)
    """
    tidy = _Tidy(root, size, gap, apart, mirrored)
    middles = tidy.middles()
    left = min(middle - one.left for middle, one in zip(middles, tidy.sizes))
    right = max(middle + one.right for middle, one in zip(middles, tidy.sizes))
    places = {
        node.path: Spot(middle - left, 0.0, one.left, one.right, one.height)
        for node, middle, one in zip(tidy.nodes, middles, tidy.sizes)
    }
    flat = Layout(places, tuple((0.0, high) for high in tidy.highest), right - left, 0.0)
    return flat.stretched([drop] * (len(tidy.highest) - 1))


class _Tidy:
    """The algorithm's variables, under the names of the paper; nodes are numbers in preorder."""

    def __init__(
        self, root: Outline, size: Callable[[Outline], Size], gap: float, apart: float, mirrored: bool
    ):
        self.gap, self.apart = gap, apart
        self.nodes: list[Outline] = []
        self.parent: list[int] = []
        self.number: list[int] = []
        self.level: list[int] = []
        self.children: list[list[int]] = []
        stack = [(root, -1, 0, 0)]
        while stack:
            node, parent, number, level = stack.pop()
            here = len(self.nodes)
            self.nodes.append(node)
            self.parent.append(parent)
            self.number.append(number)
            self.level.append(level)
            self.children.append([])
            if parent >= 0:
                self.children[parent].append(here)
            ordered = node.children[::-1] if mirrored else node.children
            stack += [(child, here, at, level + 1) for at, child in enumerate(ordered)][::-1]
        self.sizes = [size(node) for node in self.nodes]
        self.highest = [0.0] * (max(self.level) + 1)
        for level, one in zip(self.level, self.sizes):
            self.highest[level] = max(self.highest[level], one.height)
        count = len(self.nodes)
        self.prelim = [0.0] * count
        self.mod = [0.0] * count
        self.shift = [0.0] * count
        self.change = [0.0] * count
        self.thread: list[int | None] = [None] * count
        self.ancestor = list(range(count))
        self.default = [children[0] if children else -1 for children in self.children]

    def middles(self) -> list[float]:
        """The x of every node, relative to nothing in particular."""
        for node in self._postorder():
            self._first_walk(node)
            if self.number[node] > 0:
                self._apportion(node)
        middles = [0.0] * len(self.nodes)
        moved = [0.0] * len(self.nodes)
        # Preorder: a parent comes before its children.
        for node, parent in enumerate(self.parent):
            moved[node] = moved[parent] + self.mod[parent] if parent >= 0 else 0.0
            middles[node] = self.prelim[node] + moved[node]
        return middles

    def _postorder(self) -> list[int]:
        order: list[int] = []
        stack = [0]
        while stack:
            node = stack.pop()
            order.append(node)
            stack += self.children[node]
        return order[::-1]

    def _first_walk(self, node: int) -> None:
        """Places a node over its children, then beside its left sibling."""
        children = self.children[node]
        middle = 0.0
        if children:
            self._execute_shifts(children)
            middle = (self.prelim[children[0]] + self.prelim[children[-1]]) / 2
        if self.number[node] == 0:
            self.prelim[node] = middle
        else:
            beside = self._left_sibling(node)
            self.prelim[node] = self.prelim[beside] + self._distance(beside, node)
            self.mod[node] = self.prelim[node] - middle

    def _left_sibling(self, node: int) -> int:
        return self.children[self.parent[node]][self.number[node] - 1]

    def _distance(self, left: int, right: int) -> float:
        """How far apart the middles of two neighbours have to be."""
        gap = self.gap if self.parent[left] == self.parent[right] else self.apart
        return self.sizes[left].right + gap + self.sizes[right].left

    def _apportion(self, node: int) -> None:
        """Moves the subtree of a node to the right until its outline is clear of all subtrees before it."""
        parent = self.parent[node]
        inner_right = outer_right = node
        inner_left, outer_left = self._left_sibling(node), self.children[parent][0]
        by_inner_right = by_outer_right = self.mod[node]
        by_inner_left, by_outer_left = self.mod[inner_left], self.mod[outer_left]
        while True:
            next_left, next_right = self._next_right(inner_left), self._next_left(inner_right)
            if next_left is None or next_right is None:
                break
            inner_left, inner_right = next_left, next_right
            # Where one outline goes on, so does the other one on its side.
            outer_left = self._certain(self._next_left(outer_left))
            outer_right = self._certain(self._next_right(outer_right))
            self.ancestor[outer_right] = node
            shift = (
                self.prelim[inner_left]
                + by_inner_left
                - self.prelim[inner_right]
                - by_inner_right
                + self._distance(inner_left, inner_right)
            )
            if shift > 0:
                self._move_subtree(self._ancestor_of(inner_left, parent), node, shift)
                by_inner_right += shift
                by_outer_right += shift
            by_inner_left += self.mod[inner_left]
            by_inner_right += self.mod[inner_right]
            by_outer_left += self.mod[outer_left]
            by_outer_right += self.mod[outer_right]
        if next_left is not None and self._next_right(outer_right) is None:
            self.thread[outer_right] = next_left
            self.mod[outer_right] += by_inner_left - by_outer_right
        if next_right is not None and self._next_left(outer_left) is None:
            self.thread[outer_left] = next_right
            self.mod[outer_left] += by_inner_right - by_outer_left
            self.default[parent] = node

    def _certain(self, node: int | None) -> int:
        assert node is not None
        return node

    def _next_left(self, node: int) -> int | None:
        """The node below on the left outline."""
        return self.children[node][0] if self.children[node] else self.thread[node]

    def _next_right(self, node: int) -> int | None:
        """The node below on the right outline."""
        return self.children[node][-1] if self.children[node] else self.thread[node]

    def _ancestor_of(self, node: int, parent: int) -> int:
        """Under which child of `parent` a node of the right outline of the subtrees so far stands."""
        found = self.ancestor[node]
        return found if self.parent[found] == parent else self.default[parent]

    def _move_subtree(self, left: int, right: int, shift: float) -> None:
        """Moves the right subtree, and writes down that those between it and the left one share the room."""
        share = shift / (self.number[right] - self.number[left])
        self.change[right] -= share
        self.shift[right] += shift
        self.change[left] += share
        self.prelim[right] += shift
        self.mod[right] += shift

    def _execute_shifts(self, children: list[int]) -> None:
        shift = change = 0.0
        for child in reversed(children):
            self.prelim[child] += shift
            self.mod[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change
