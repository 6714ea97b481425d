"""Unknown leaves: what the value of the root is without them."""

import itertools
import math
import random
from typing import Any

import pytest

import gametree as gt
from gametree.errors import InputError, UnsuitableError
from gametree.explain.unknowns import lattice
from gametree.explain.unknowns.dependence import Dependence, dependence
from gametree.games.tree.outline import Outline, outline

FAR = 1e6
"""Beyond every number in a tree, as good as infinite."""


def random_tree(rng: random.Random, depth: int, chance: bool, names: str) -> Any:
    """A tree with some unknown leaves; the same name may stand at several."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names) if rng.random() < 0.35 else rng.randint(-4, 4)
    children = [random_tree(rng, depth - 1, chance, names) for _ in range(rng.randint(1, 3))]
    if chance and rng.random() < 0.3:
        return gt.Chance([(1 / len(children), child) for child in children])
    return children


def value(node: Outline, values: dict[str, float]) -> float:
    """Brute force: the value for these numbers, by the definition."""
    if node.is_leaf:
        return values[node.payoff] if isinstance(node.payoff, str) else node.payoff  # type: ignore[return-value]
    below = [value(child, values) for child in node.children]
    if node.kind == "chance":
        return math.fsum(
            (child.probability or 0) * one for child, one in zip(node.children, below, strict=True)
        )
    return max(below) if node.kind == "max" else min(below)


def close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def check(rng: random.Random, tree: Outline, found: Dependence) -> None:
    names = tree.unknowns
    assert found.unknowns == names
    for _ in range(8):
        values = {name: rng.choice((rng.randint(-5, 5), rng.uniform(-6, 6), -FAR, FAR)) for name in names}
        assert close(found.value(values), value(tree, values))
        assert found.low <= found.value(values) <= found.high or math.isinf(found.high)
    check_ends(tree, found)
    # An unknown matters if and only if it changes the value for some values of the others; where there are only
    # min and max, values beyond all numbers show it.
    changing = set()
    for corner in itertools.product((-FAR, FAR), repeat=len(names)):
        values = dict(zip(names, corner, strict=True))
        for name in names:
            if value(tree, values) != value(tree, {**values, name: -values[name]}):
                changing.add(name)
    if not any(node.kind == "chance" for node in tree.walk()):
        assert set(found.matters) == changing
    else:
        assert set(found.matters) >= changing


def check_ends(tree: Outline, found: Dependence) -> None:
    for end, corner in ((found.low, -FAR), (found.high, FAR)):
        real = value(tree, dict.fromkeys(tree.unknowns, corner))
        if math.isinf(end):
            assert abs(real) > 1000
        else:
            assert close(end, real)


def sweep(trees: int, seed: int, chance: bool = False) -> dict[str, int]:
    rng = random.Random(seed)
    met = {"constant": 0, "one": 0, "several": 0, "refused": 0}
    while sum(met.values()) < trees:
        tree = outline(random_tree(rng, rng.randint(1, 4), chance, "xyzu"[: rng.randint(1, 4)]))
        if not tree.unknowns:
            continue
        try:
            found = dependence(tree)
        except UnsuitableError:
            assert chance
            met["refused"] += 1
            continue
        check(rng, tree, found)
        met[("constant", "one", "several")[min(2, len(found.matters))]] += 1
    return met


def test_the_answer_is_that_of_brute_force() -> None:
    met = sweep(1000, seed=1)
    assert min(met["constant"], met["one"], met["several"]) > 100, met
    assert met["refused"] == 0


@pytest.mark.slow
def test_the_answer_is_that_of_brute_force_on_10000_trees() -> None:
    sweep(10_000, seed=2)
    sweep(10_000, seed=3, chance=True)


def test_with_chance_nodes_the_answer_is_that_of_brute_force_too() -> None:
    met = sweep(400, seed=4, chance=True)
    assert met["refused"] < 150 < met["one"], met


@pytest.mark.parametrize(
    ("tree", "sentence"),
    [
        ([[3, 12, 8], [2, "x", "y"], [14, 5, 2]], "The value is 3 whatever x and y are."),
        ([[3, 12, 8], [2, "x"]], "The value is 3 whatever x is."),
        ([[5, 9], ["x", 9]], "The value is 5 if x ≤ 5, else x, at most 9."),
        ([[5, 9], ["x"]], "The value is 5 if x ≤ 5, else x."),
        ([["x", 9]], "The value is x if x ≤ 9, else 9."),
        (["x"], "The value is x."),
        ([[5, 9], ["x", 9, "y"], [2, "z"]], "The value is max(5, min(9, x, y)), between 5 and 9. z does not matter."),
        ([["x", "y"], ["x"]], "The value is x. y does not matter."),
        ([["x", "y"], ["z", "w"], [1, "u"], [4]],
         "The value is max(4, min(w, z), min(x, y)), 4 or more. u does not matter."),
        ([[["x", "y"], ["z", "w"]]], "The value is min(max(w, z), max(x, y))."),
        ([[3, 12], [14, 5]], "The value is 5."),
        (gt.Chance([(0.5, [3, "x"]), (0.5, 4)]), "The value is 3.5 if x ≤ 3, else 2 + 0.5·x."),
        (
            [gt.Chance([(0.5, ["x", 8]), (0.5, 4)]), 3],
            "The value is 3 if x ≤ 2, else 2 + 0.5·x, at most 6.",
        ),
        ([gt.Chance([(0.5, ["x", 2]), (0.5, 4)]), 3], "The value is 3 whatever x is."),
        ([gt.Chance([(0.5, 2), (0.5, [4, 6])]), "x"], "The value is 3 if x ≤ 3, else x."),
        (gt.Chance([(0.5, [["x", -2]]), (0.5, -4)]), "The value is 0.5·x − 2 if x ≤ −2, else −3."),
    ],
)  # fmt: skip
def test_the_answer_in_words(tree: Any, sentence: str) -> None:
    assert dependence(tree).sentence == sentence


def test_the_same_name_is_the_same_number() -> None:
    found = dependence([["x", 5], ["x", 7]])
    assert found.formula == "x if x ≤ 7, else 7"


def test_a_constant_is_told_apart() -> None:
    assert dependence([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]).constant == 3
    assert dependence([3, "x"]).constant is None


def test_states_at_the_depth_of_a_game_without_evaluation_are_unknown() -> None:
    found = dependence(outline(gt.games.load("nim", counters=4), depth=2))
    assert found.unknowns == ("x1", "x2", "x3")
    assert found.constant == -1


def test_a_value_needs_the_unknowns_that_matter_and_no_others() -> None:
    found = dependence([[5, 9], ["x", 9, "y"], [2, "z"]])
    assert found.value({"x": 7, "y": 8}) == 7
    with pytest.raises(InputError, match="the value depends on y: give a number for it"):
        found.value({"x": 7, "z": 1})
    with pytest.raises(InputError, match="the value depends on x and y: give numbers for them"):
        found.value({})


def test_payoff_vectors_are_refused() -> None:
    with pytest.raises(UnsuitableError, match="a payoff for each player"):
        dependence([(1, 2), "x"])


def test_several_unknowns_that_chance_mixes_are_refused_with_what_is_known() -> None:
    tree = [gt.Chance([(0.5, "x"), (0.5, ["y", 3])]), 2]
    with pytest.raises(
        UnsuitableError, match=r"may depend on x and y together \(it is 2 or more\): give numbers"
    ):
        dependence(tree)
    assert dependence(outline(tree).with_values({"y": 3})).formula == "2 if x ≤ 1, else 1.5 + 0.5·x"


def test_a_value_in_too_many_words_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "MOST_TERMS", 20)
    tree = [[[f"a{i}", f"b{i}"] for i in range(8)]]
    with pytest.raises(InputError, match="in more than 20 ways: give numbers to some of them"):
        dependence(tree)
