"""MTD(f), SSS* and DUAL* find what minimax finds."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree import Analysis, Limit, Tree
from gametree.games import ConnectFour, Nim, TicTacToe
from search.best_first.trees import (
    BEST_MODE,
    COMPILES,
    MOVERS,
    check_value,
    meeting_trees,
    ragged_tree,
)

Search = Callable[..., Analysis]
FORMS: dict[str, tuple[Search, dict[str, Any]]] = {
    "mtdf": (gt.mtdf, {}),
    "mtdf, guess far off": (gt.mtdf, {"guess": 1e6}),
    "mtdf, tiny table": (gt.mtdf, {"hash_mb": 1e-6}),
    "sss": (gt.sss, {}),
    "sss, tiny table": (gt.sss, {"hash_mb": 1e-6}),
    "dual": (gt.dual, {}),
    "sss as a list": (gt.sss, {"form": "list"}),
    "dual as a list": (gt.dual, {"form": "list"}),
}
SHARE = 640 if COMPILES else 160


def sweep(seed: int, count: int) -> int:
    """Searches trees whose branches meet, each by one form after the other; how many values were checked."""
    names = list(FORMS)
    checked = 0
    for number, (game, root) in enumerate(meeting_trees(seed, count)):
        name = names[number % len(names)]
        search, options = FORMS[name]
        mode = {} if options.get("form") == "list" else {"compile": BEST_MODE}
        check_value(game, root, search(game, root, **options, **mode), (name, seed, root))
        checked += 1
    return checked


def test_trees_whose_branches_meet_have_the_value_of_minimax() -> None:
    assert sweep(61, SHARE) == SHARE


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", FORMS)
def test_a_hundred_thousand_trees_have_the_value_of_minimax(name: str, part: int) -> None:
    search, options = FORMS[name]
    mode = {} if options.get("form") == "list" else {"compile": BEST_MODE}
    for game, root in meeting_trees(600 + 10 * part, 10_000):
        check_value(game, root, search(game, root, **options, **mode), (name, part, root))


@pytest.mark.parametrize("name", FORMS)
def test_ragged_trees_with_ties_have_the_value_of_minimax(name: str) -> None:
    search, options = FORMS[name]
    rng = random.Random(62)
    for _ in range(60):
        tree = ragged_tree(rng)
        check_value(tree, 0, search(tree, compile="never", **options), tree.spec())


LEAVES = st.integers(-3, 3) | st.floats(-1e6, 1e6) | st.sampled_from([0.1 + 0.2, 0.3, -0.0, 1e300, 5e-324])
SPECS = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=20)


@given(spec=SPECS, movers=st.sampled_from(MOVERS), total=st.sampled_from([0, 1, -7, 0.3]))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_any_tree_has_one_value(spec: Any, movers: tuple[int, ...], total: float) -> None:
    tree = Tree(spec, movers, total=total)
    for name, (search, options) in FORMS.items():
        check_value(tree, 0, search(tree, compile="never", **options), name)


@pytest.mark.parametrize("name", FORMS)
def test_to_a_depth_the_value_is_that_of_minimax_to_this_depth(name: str) -> None:
    search, options = FORMS[name]
    for game, root in meeting_trees(63, 12):
        for depth in (1, 2, 3, 9):
            found = search(game, root, depth=depth, compile="never", **options)
            assert found.values[0] == oracle.minimax(game, root, depth).value
            assert found.exact == (found.stopped_by == "end")
            if depth == 9:
                assert found.exact


@pytest.mark.parametrize("name", FORMS)
def test_positions_of_real_games(name: str) -> None:
    search, options = FORMS[name]
    mode = {"compile": "never"}
    tic_tac_toe = TicTacToe()
    state = tic_tac_toe.parse_state("XO./.X./..O")
    for game, at, depth in (
        (tic_tac_toe, state, None),
        (Nim(counters=9), None, None),
        (ConnectFour(width=4, height=4), None, 4),
    ):
        found = search(game, at, depth=depth, **mode, **options)
        known = gt.alphabeta(game, at, depth=depth, compile="never")
        assert (found.value, found.action, found.line) == (known.value, known.action, known.line)


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_tic_tac_toe_and_small_boards_of_connect_four_are_draws() -> None:
    for game in (TicTacToe(), ConnectFour(width=4, height=4), ConnectFour(width=5, height=4)):
        for search in (gt.mtdf, gt.sss, gt.dual):
            found = search(game, compile="always")
            assert found.exact
            assert found.values == (0, 0)


# --- what they tell besides ---------------------------------------------------------------------------


def test_a_better_guess_takes_fewer_questions() -> None:
    tree = Tree([[[3, 17], [2, 12]], [[15], [25, 0]], [[2, 5], [3]]])
    value = oracle.minimax(tree).value
    asked = {
        guess: gt.mtdf(tree, guess=guess, compile="never").parameters["passes"]
        for guess in (value, -100.0, 100.0)
    }
    assert asked[value] == 2
    assert asked[value] <= asked[-100.0]
    assert asked[value] < asked[100.0]


def test_a_search_that_is_stopped_has_a_bound_or_nothing() -> None:
    for game, root in meeting_trees(64, 16):
        truth = oracle.minimax(game, root).value
        for name, (search, options) in FORMS.items():
            whole = search(game, root, compile="never", **options).nodes
            for nodes in (1, whole // 2, whole - 1):
                if nodes < 1:
                    continue
                found = search(game, root, limit=Limit(nodes=nodes), compile="never", **options)
                assert found.nodes == nodes, name
                assert found.stopped_by == "nodes"
                assert not found.exact
                if found.value is not None:
                    mine = truth if found.player == 0 else -truth
                    assert found.value <= mine if found.bound == "lower" else found.value >= mine, name


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_searches_are_the_same_to_the_node() -> None:
    for game, root in meeting_trees(65, 30):
        for search in (gt.mtdf, gt.sss, gt.dual):
            for options in ({}, {"hash_mb": 1e-6}, {"limit": Limit(nodes=30)}):
                one = search(game, root, compile="always", **options)
                other = search(game, root, compile="never", **options)
                assert (one.values, one.line, one.nodes, one.bound) == (
                    other.values,
                    other.line,
                    other.nodes,
                    other.bound,
                )
