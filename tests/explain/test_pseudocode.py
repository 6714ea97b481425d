"""Every step of a trace against an interpreter of the pseudo-code that stands beside it."""

import dataclasses
import itertools
import random
from typing import Any

import pytest

import gametree as gt
from explain.pseudocode import mismatches
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.trace import trace
from gametree.games.tree.outline import outline

SETTINGS = [
    Conventions(form=form, fail=fail, cut=cut, direction=direction)  # type: ignore[arg-type]
    for form, fail, cut, direction in itertools.product(
        ("aima", "bound", "value-move"),
        ("soft", "hard"),
        (">=", ">"),
        ("left-to-right", "right-to-left"),
    )
]


def random_tree(rng: random.Random, method: Method) -> gt.Tree:
    """A random tree that fits a method: payoffs of one or of three players, with and without chance."""
    chance = rng.random() < 0.5 and method in ("expectiminimax", "maxn")

    def leaf() -> Any:
        if method == "maxn":
            return tuple(rng.randint(0, 5) for _ in range(3))
        return rng.choice((rng.randint(-5, 5), rng.randint(0, 2), round(rng.uniform(-3, 3), 2)))

    def grow(depth: int) -> Any:
        if depth == 0 or rng.random() < 0.25:
            return leaf()
        below = [grow(depth - 1) for _ in range(rng.randint(1, 3))]
        if chance and rng.random() < 0.4:
            return gt.Chance([(1 / len(below), one) for one in below])
        return below

    movers = rng.choice([(0, 1, 2), (0, 2)] if method == "maxn" else [(0, 1), (1, 0), (0, 1, 1), (0, 0, 1)])
    return gt.Tree(grow(rng.randint(1, 4)), movers=movers)


def sweep(trees: int, seed: int, every_setting: bool) -> None:
    rng = random.Random(seed)
    for number in range(trees):
        method: Method = ("alphabeta", "alphabeta", "minimax", "expectiminimax", "maxn")[number % 5]
        tree = outline(random_tree(rng, method), most=5000)
        for kept in SETTINGS if every_setting else (rng.choice(SETTINGS),):
            told = trace(tree, method, kept)
            assert list(mismatches(told)) == [], (tree, kept, told.code)


def test_every_variable_is_true_at_every_step_of_every_form() -> None:
    sweep(60, seed=1, every_setting=True)


def test_every_variable_is_true_in_500_more_trees() -> None:
    sweep(500, seed=2, every_setting=False)


@pytest.mark.slow
def test_every_variable_is_true_in_100000_trees() -> None:
    sweep(100_000, seed=3, every_setting=False)


def test_mondals_alpha_has_its_value_when_its_line_has_run() -> None:
    kept = Conventions(form="bound", fail="hard")
    told = trace([[[6, 4], [8, 6]], [[4, 0], [2, 2]]], "alphabeta", kept)
    step = next(event for event in told.events if event.path == (0, 1) and event.kind == "raise")
    assert told.code[step.line - 1].strip() == "α ← max(α, V(K, α, β))"
    assert (step.alpha, step.beta, step.value) == (8, 6, 8)
    cut = next(event for event in told.events if event.cut is not None)
    assert (cut.alpha, cut.beta, cut.value) == (8, 6, 8)
    assert told.values[(0, 1)] == 6


@pytest.mark.parametrize("stale", ["alpha", "beta", "value", "line"])
def test_the_interpreter_notices_a_step_that_is_not_true(stale: str) -> None:
    told = trace([[[6, 4], [8, 6]], [[4, 0], [2, 2]]], "alphabeta", Conventions(form="bound", fail="hard"))
    at = next(at for at, event in enumerate(told.events) if event.kind == "lower")
    lie: dict[str, Any] = {stale: 7}
    wrong = dataclasses.replace(told.events[at], **lie)
    told = dataclasses.replace(told, events=(*told.events[:at], wrong, *told.events[at + 1 :]))
    assert list(mismatches(told))
