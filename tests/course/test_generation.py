"""Exercises: the same seed makes the same one, and what a recipe asks for is in it or refused."""

import random
from collections import Counter
from typing import Any

import pytest

from course.homework import all_orders, children, order_count, run
from gametree.course.exercise import METHODS, POSSIBLE, Exercise
from gametree.course.generation import cuts, make, make_set
from gametree.course.key import best_moves, solve, value_with
from gametree.course.ordering import extreme, reorder
from gametree.course.random_numbers import Draws
from gametree.course.recipe import Depends, Recipe, span
from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from oracle import random_tree_spec

SEEDS = range(12)


@pytest.mark.parametrize("kind", METHODS)
def test_the_same_seed_makes_the_same_exercise_and_another_seed_another(kind: str) -> None:
    recipe = Recipe(kind=kind)
    for seed in SEEDS:
        one, other = make(recipe, seed), make(recipe, seed)
        assert one.to_dict() == other.to_dict() and one.id == other.id
    assert len({make(recipe, seed).id for seed in SEEDS}) == len(SEEDS)


def test_a_seed_means_the_same_exercise_for_ever() -> None:
    assert make(Recipe(), 7).spec == [
        [[17, 19], [13, 19, 16], [18, 3, 15]],
        [[0, 9], [9, 19]],
        [[11, 12], [6, 7]],
    ]
    assert make(Recipe(), 7).id == "alphabeta-f1e0694c73"


def test_draws_are_spread_evenly() -> None:
    draws = Draws(1)
    counts = Counter(draws.between(-3, 3) for _ in range(7000))
    assert set(counts) == set(range(-3, 4)) and all(850 < count < 1150 for count in counts.values())
    assert sorted(Draws(2).sample(5, 9, 5)) == [5, 6, 7, 8, 9]


def levels(spec: Any) -> set[int]:
    if not children(spec):
        return {0}
    return {1 + level for child in children(spec) for level in levels(child)}


@pytest.mark.parametrize("kind", METHODS)
def test_depth_branching_and_values_are_as_asked(kind: str) -> None:
    for seed in SEEDS:
        exercise = make(Recipe(kind=kind, depth=2, branching=(2, 4), values=(-5, 5)), seed)
        assert levels(exercise.spec) == {2}
        for node in exercise.outline.walk():
            assert not node.children or 2 <= len(node.children) <= 4
            if not node.children and not isinstance(node.payoff, str):
                payoffs = node.payoff if isinstance(node.payoff, tuple) else (node.payoff,)
                assert all(payoff is not None and -5 <= payoff <= 5 for payoff in payoffs)


@pytest.mark.parametrize("cuts", [0, 1, 2, 3])
def test_the_number_of_cuts_can_be_asked_for(cuts: int) -> None:
    for seed in SEEDS:
        assert len(run(make(Recipe(cuts=cuts), seed)).crossed) == cuts


def test_a_deep_cut_can_be_asked_for() -> None:
    for seed in SEEDS:
        exercise = make(Recipe(depth=4, branching=(2, 2), deep_cut=True, cuts=3), seed)
        assert "deep" in {cut.depth for cut in run(exercise).crossed}
        assert len(run(exercise).crossed) == 3


def test_an_alpha_beta_exercise_cuts_something_unless_none_is_asked_for() -> None:
    assert all(run(make(Recipe(depth=2), seed)).crossed for seed in SEEDS)


def test_ties_can_be_forbidden_or_asked_for() -> None:
    for seed in SEEDS:
        leaves = make(Recipe(kind="minimax", ties="none"), seed).outline.leaves
        assert len({leaf.payoff for leaf in leaves}) == len(leaves)
        assert len(best_moves(make(Recipe(kind="minimax", ties="best"), seed))) > 1
        vectors = [leaf.payoff for leaf in make(Recipe(kind="maxn", ties="none"), seed).outline.leaves]
        for column in zip(*(vector for vector in vectors if isinstance(vector, tuple)), strict=True):
            assert len(set(column)) == len(column) == len(vectors)


def test_ragged_trees_and_a_root_for_min() -> None:
    assert any(len(levels(make(Recipe(ragged=True), seed).spec)) > 1 for seed in SEEDS)
    assert {make(Recipe(root="min"), seed).outline.kind for seed in SEEDS} == {"min"}


@pytest.mark.parametrize("depends", ["yes", "no"])
def test_whether_x_matters_can_be_asked_for(depends: Depends) -> None:
    for seed in SEEDS:
        exercise = make(Recipe(kind="unknown", depends=depends), seed)
        values = {value_with(exercise.outline, x) for x in (-1e6, *range(-1, 22), 1e6)}
        assert (len(values) > 1) == (depends == "yes")


def test_a_set_has_a_seed_for_each_student() -> None:
    made = make_set(Recipe(), 5, ["Ann", "Bob"])
    assert [(one.student, one.seed) for one in made] == [("Ann", 5), ("Bob", 6)]
    assert made[1].spec == make(Recipe(), 6).spec


@pytest.mark.parametrize("kind", METHODS)
def test_every_possible_part_can_be_asked_and_solved(kind: str) -> None:
    exercise = make(Recipe(kind=kind, depth=2, parts=POSSIBLE[kind]), 3)
    assert exercise.parts == POSSIBLE[kind] and solve(exercise) is not None


REFUSALS: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown kind": ({"kind": "magic"}, "no kind of exercise 'magic'; there are: minimax, alphabeta"),
    "an unknown part": ({"parts": ("cats",)}, "alphabeta has no part 'cats'; it can ask: values, move"),
    "a part of another kind": ({"kind": "minimax", "parts": ("cuts",)}, "minimax has no part 'cuts'"),
    "no levels": ({"depth": 0}, "1 to 8 levels"),
    "too many levels": ({"depth": 9}, "1 to 8 levels"),
    "too wide": ({"branching": (2, 10)}, "1 to 9 children"),
    "no choice": ({"branching": (1, 1)}, "no exercise; take 2"),
    "too many leaves": ({"depth": 5, "branching": (3, 3)}, "at least 243 leaves; an exercise has at most 60"),
    "a chance without levels": ({"kind": "expectiminimax", "depth": 1}, "depth=2 or more"),
    "too many outcomes": ({"kind": "expectiminimax", "branching": (2, 6)}, "at most 5 outcomes"),
    "huge values": ({"values": (0, 10**10)}, "at most nine digits"),
    "too few values to differ": ({"ties": "none", "values": (0, 6)}, "8 leaves have to differ"),
    "an unknown tie": ({"ties": "some"}, "ties='some': it is any, none, best"),
    "an unknown root": ({"root": "mid"}, "root='mid': it is max, min"),
    "x where there is none": ({"depends": "yes"}, "depends='yes' is about the unknown leaf"),
    "a dependence that is none": ({"kind": "unknown", "depends": "maybe"}, "depends='maybe'"),
    "max^n from MIN": (
        {"kind": "maxn", "root": "min"},
        "every player maximises, and the first one moves at the root",
    ),
    "negative cuts": ({"cuts": -1}, "0 or more"),
    "cuts in minimax": ({"kind": "minimax", "cuts": 1}, "minimax has no cuts"),
    "a deep cut in minimax": ({"kind": "minimax", "deep_cut": True}, "are for alpha-beta"),
    "a deep cut of none": ({"deep_cut": True, "cuts": 0, "depth": 4}, "asks for a cut and cuts=0 for none"),
    "a deep cut where none can be": ({"deep_cut": True}, "needs a depth of at least 4"),
    "a cut at the root": ({"cuts": 1, "depth": 1}, "needs a depth of at least 2"),
    "no attempts": ({"attempts": 0}, "attempts=0: at least 1"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_what_cannot_be_had_is_refused_before_anything_is_made(what: str) -> None:
    wishes, message = REFUSALS[what]
    with pytest.raises(InputError) as refused:
        Recipe(**wishes)
    assert message in str(refused.value)


UNFOUND: dict[str, tuple[dict[str, Any], str]] = {
    "too many cuts": ({"cuts": 30, "attempts": 40}, "exactly 30 cuts in 40 tries; the number of cuts was"),
    "no tie": ({"ties": "best", "kind": "minimax", "values": (0, 10**8), "attempts": 30}, "with two best moves"),
    "no room": ({"depth": 5, "branching": (2, 9), "attempts": 3}, "at most 60 leaves"),
    "no room for differences": (
        {"branching": (2, 9), "depth": 2, "ties": "none", "values": (0, 3), "attempts": 9},
        "all different, out of the range of values",
    ),
    "no cut at all": (
        {"values": (1, 1), "attempts": 20, "conventions": Conventions(cut=">")},
        "with a cut in 20 tries; the number of cuts was 0 to 0",
    ),
    "orders that are all alike": (
        {"kind": "ordering", "branching": (2, 2), "values": (1, 1), "attempts": 5},
        "with orders that differ in 5 tries",
    ),
    "an x that must matter": (
        {"kind": "unknown", "depends": "no", "depth": 1, "attempts": 20},
        "a root that does not depend on x",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", UNFOUND)
def test_what_is_not_found_is_refused_after_the_attempts(what: str) -> None:
    wishes, message = UNFOUND[what]
    with pytest.raises(InputError) as refused:
        make(Recipe(**wishes), 1)
    assert message in str(refused.value) and "try" not in message.split("tries")[0]


@pytest.mark.parametrize("text", ["", "two", "2-", "2..x", "1.5", "3-2", "9" * 50])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--branching"):
        span(text, "--branching")


def test_ranges_in_every_spelling() -> None:
    assert span("−9..−2", "--values") == (-9, -2) and span("-9--2", "--values") == (-9, -2)
    assert span(" 4 ", "--values") == (4, 4)


# --- the best and the worst order -------------------------------------------------------------------

CONVENTIONS = [
    Conventions(cut=cut, fail=fail, direction=direction)
    for cut in (">=", ">")
    for fail in ("soft", "hard")
    for direction in ("left-to-right", "right-to-left")
]


def small_trees(count: int, seed: int) -> list[Any]:
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        spec = random_tree_spec(rng, depth=3, branching=3, low=0, high=rng.choice((2, 6, 20)))
        if 4 <= order_count(spec) <= 300:
            found.append(spec)
    return found


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=lambda one: f"{one.cut} {one.fail} {one.direction}")
def test_the_extreme_orders_are_those_of_brute_force(conventions: Conventions) -> None:
    for spec in small_trees(15, seed=3):
        exercise = Exercise("ordering", spec, conventions=conventions)
        counts = [len(run(exercise, tree).leaves) for tree, _ in all_orders(spec)]
        for most, wanted in ((False, min(counts)), (True, max(counts))):
            found = extreme(exercise.outline, conventions, most=most)
            assert found.leaves == wanted, (spec, most)
            tree = reorder(exercise.outline, spec, list(found.order))
            assert tree is not None and len(run(exercise, tree).leaves) == wanted


def test_an_order_is_possible_exactly_where_moving_children_makes_it() -> None:
    rng = random.Random(5)
    for spec in small_trees(40, seed=4):
        root = Exercise("ordering", spec).outline
        possible = {tuple(leaves): tree for tree, leaves in all_orders(spec)}
        assert len(possible) == order_count(spec)
        some = [leaf.path for leaf in root.leaves]
        rng.shuffle(some)
        for order in (some, list(rng.choice(list(possible)))):
            assert reorder(root, spec, order) == possible.get(tuple(order))


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=lambda one: f"{one.cut} {one.fail} {one.direction}")
def test_cuts_are_counted_as_the_textbook_makes_them(conventions: Conventions) -> None:
    rng = random.Random(6)
    for _ in range(150):
        spec = random_tree_spec(rng, depth=5, branching=3, low=0, high=rng.choice((2, 9)))
        movers = rng.choice(((0, 1), (1, 0), (0, 0, 1)))
        if isinstance(spec, list):
            exercise = Exercise("alphabeta", spec, movers, conventions)
            assert cuts(spec, movers, conventions) == [cut.depth for cut in run(exercise).crossed]
