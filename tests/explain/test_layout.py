"""Tidy trees: nothing overlaps, nothing crosses, parents stand in the middle, equal subtrees look alike."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest

from gametree.explain.pictures.layout import APART, DROP, GAP, Layout, Point, Size, Spot, layout
from gametree.games.tree.outline import Outline, Path, outline

CLOSE = 1e-6
"""Lengths are sums of floats."""


def node(path: Path, children: tuple[Outline, ...] = ()) -> Outline:
    kind = "max" if children else "leaf"
    return Outline(path, kind, 0, "", "", None, None if children else 0.0, False, "", None, children)  # type: ignore[arg-type]


def random_tree(rng: random.Random, most: int = 40) -> Outline:
    """A tree of 1 to `most` nodes: each new node hangs under one that is there, sometimes a recent one."""
    children: list[list[int]] = [[]]
    deep = rng.random()
    for number in range(1, rng.randint(1, most)):
        under = rng.randrange(number) if rng.random() > deep else max(0, number - rng.randint(1, 3))
        children[under].append(number)
        children.append([])

    def build(number: int, path: Path) -> Outline:
        return node(path, tuple(build(child, (*path, at)) for at, child in enumerate(children[number])))

    return build(0, ())


def random_sizes(rng: random.Random) -> Callable[[Outline], Size]:
    """A size for each path; of one shape for all, or ragged."""
    uniform = Size(rng.uniform(5, 30), rng.uniform(5, 30), rng.uniform(10, 50))
    ragged = rng.random() < 0.7
    known: dict[Path, Size] = {}

    def size(node: Outline) -> Size:
        if not ragged:
            return uniform
        return known.setdefault(
            node.path, Size(rng.uniform(1, 80), rng.uniform(1, 80), rng.choice((10, 30, 90)))
        )

    return size


def overlaps(plan: Layout) -> list[tuple[Path, Path]]:
    """Every pair of nodes whose boxes share more than an edge: each with each."""
    boxes = [(p, one.x - one.left, one.x + one.right, one.y, one.bottom) for p, one in plan.places.items()]
    return [
        (p, q)
        for at, (p, left, right, top, bottom) in enumerate(boxes)
        for q, left2, right2, top2, bottom2 in boxes[at + 1 :]
        if left + CLOSE < right2 and left2 + CLOSE < right and top + CLOSE < bottom2 and top2 + CLOSE < bottom
    ]


Segment = tuple[Point, Point]


def crossings(plan: Layout) -> list[tuple[Path, Path]]:
    """Every pair of edges that meet elsewhere than in a common end: each with each."""
    segments = [(path, one) for path in plan.places if path for one in pairwise(plan.edge(path))]
    return [
        (p, q)
        for at, (p, one) in enumerate(segments)
        for q, other in segments[at + 1 :]
        if p[:-1] != q[:-1] and p != q and p[:-1] != q and q[:-1] != p and meet(one, other)
    ]


def meet(one: Segment, other: Segment) -> bool:
    if max(one[0][1], other[0][1]) > min(one[1][1], other[1][1]) + CLOSE:
        return False  # Edges run downwards: these are at different heights.
    turns = [
        turn(*one, other[0]) * turn(*one, other[1]),
        turn(*other, one[0]) * turn(*other, one[1]),
    ]
    return all(product <= 0 for product in turns)


def turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def runs_over(plan: Layout) -> list[tuple[Path, Path]]:
    """Every edge that runs through the box of a node which it does not join."""
    found = []
    for path in plan.places:
        for one in pairwise(plan.edge(path)) if path else ():
            for other, place in plan.places.items():
                if other in (path, path[:-1]):
                    continue
                top, bottom = max(one[0][1], place.y), min(one[1][1], place.bottom)
                if top + CLOSE >= bottom:
                    continue
                xs = [x_at(one, y) for y in (top, bottom)]
                if min(xs) + CLOSE < place.x + place.right and max(xs) - CLOSE > place.x - place.left:
                    found.append((path, other))
    return found


def x_at(segment: Segment, y: float) -> float:
    (x1, y1), (x2, y2) = segment
    return x1 if y1 == y2 else x1 + (x2 - x1) * (y - y1) / (y2 - y1)


def check_many(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        tree = random_tree(rng)
        plan = layout(tree, random_sizes(rng), mirrored=rng.random() < 0.5)
        assert len(plan.places) == tree.size
        assert not overlaps(plan) and not crossings(plan) and not runs_over(plan), tree
        for inner in tree.walk():
            if inner.children:
                first, last = (plan.places[inner.children[at].path].x for at in (0, -1))
                assert abs(plan.places[inner.path].x - (first + last) / 2) < CLOSE
        assert min(place.x - place.left for place in plan.places.values()) == pytest.approx(0)
        assert max(place.x + place.right for place in plan.places.values()) == pytest.approx(plan.width)


def test_nothing_overlaps_and_nothing_crosses_on_random_trees() -> None:
    check_many(400, seed=1)


@pytest.mark.slow
def test_nothing_overlaps_and_nothing_crosses_on_ten_thousand_random_trees() -> None:
    check_many(10_000, seed=2)


def test_the_checks_see_an_overlap_a_crossing_and_an_edge_through_a_node() -> None:
    tree = outline([[1, 2], [3, 4]])
    plan = layout(tree, lambda _: Size(10, 10, 20))
    places = dict(plan.places)
    places[(0, 0)], places[(1, 1)] = places[(1, 1)], places[(0, 0)]
    assert crossings(Layout(places, plan.rows, plan.width, plan.height))
    places[(0, 1)] = places[(0, 0)]
    assert overlaps(Layout(places, plan.rows, plan.width, plan.height))
    between = {**plan.places, (0,): Spot(87, 40, 10, 10, 20)}
    assert runs_over(Layout(between, plan.rows, plan.width, plan.height))


def test_equal_subtrees_are_drawn_alike() -> None:
    rng = random.Random(3)
    for _ in range(200):
        shape = random_tree(rng, 12)
        others = [random_tree(rng, 12) for _ in range(rng.randint(0, 3))]
        pieces = [shape, *others, shape]
        tree = node((), tuple(moved(piece, (at,)) for at, piece in enumerate(pieces)))
        plan = layout(tree, lambda one: Size(6 + 3 * len(one.children), 8, 10 + 5 * len(one.children)))
        last = len(pieces) - 1
        for one in shape.walk():
            here, there = plan.places[(0, *one.path)], plan.places[(last, *one.path)]
            assert here.y == there.y
            assert here.x - plan.places[(0,)].x == pytest.approx(there.x - plan.places[(last,)].x)


def moved(tree: Outline, under: Path) -> Outline:
    """The same tree, under another path."""
    return node((*under, *tree.path), tuple(moved(child, under) for child in tree.children))


def test_neighbours_come_as_close_as_they_may() -> None:
    plan = layout(outline([[1, 2], [3, 4]]), lambda _: Size(10, 10, 20))
    xs = [plan.places[path].x for path in ((0, 0), (0, 1), (1, 0), (1, 1))]
    assert [b - a for a, b in pairwise(xs)] == [20 + GAP, 20 + APART, 20 + GAP]
    assert plan.rows == ((0, 20), (20 + DROP, 40 + DROP), (40 + 2 * DROP, 60 + 2 * DROP))


def test_a_small_subtree_stands_midway_between_two_large_ones() -> None:
    plan = layout(outline([[1, 2, 3, 4, 5], 6, [1, 2, 3, 4, 5]]), lambda _: Size(10, 10, 20))
    left, middle, right = (plan.places[(at,)].x for at in range(3))
    assert middle - left == pytest.approx(right - middle)


def test_a_mirrored_tree_has_its_first_child_on_the_right() -> None:
    tree = outline([[1, 2, 3], 4])
    plain, mirrored = (layout(tree, lambda _: Size(10, 10, 20), mirrored=turn) for turn in (False, True))
    assert plain.width == mirrored.width
    for path, place in plain.places.items():
        assert mirrored.places[path].x == pytest.approx(plain.width - place.x)


def test_an_edge_goes_around_a_higher_node_beside_its_parent() -> None:
    high: dict[Path, float] = {(1,): 90.0}
    plan = layout(outline([[1, 2, 3, 4, 5], 6]), lambda one: Size(10, 10, high.get(one.path, 20)))
    start, bend, end = plan.edge((0, 4))
    assert (
        start[0] == bend[0] == plan.places[(0,)].x
        and bend[1] == plan.rows[1][1]
        and end[1] == plan.rows[2][0]
    )
    assert not runs_over(plan)


def test_a_single_node_and_a_long_chain_are_drawn() -> None:
    assert layout(node(()), lambda _: Size(10, 10, 20)).width == 20
    chain = node((0,) * 3000)
    for length in range(2999, -1, -1):
        chain = node((0,) * length, (chain,))
    assert {place.x for place in layout(chain, lambda _: Size(10, 10, 20)).places.values()} == {10}
