"""Interpreted = compiled = oracle, on random trees and on random positions of every game."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import oracle
from gametree import Game, Tree, games
from gametree.compiled import native
from search.agreement import COMPILES, assert_agreement

MOVERS = [(0, 1), (1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1, 0), (0,), (1,)]
SLOW = pytest.mark.slow
SWEEPS = [0, *(pytest.param(sweep, marks=SLOW) for sweep in range(1, 10))]
SHARES = [0, *(pytest.param(part, marks=SLOW) for part in range(1, 4))]
TREES = 10_000 if COMPILES else 1_000
"""How many trees a sweep has."""
BOTH = 5
"""Every so many trees of the sweep are searched by both methods, the others by one."""
POSITIONS = 10_000 if COMPILES else 1_000


# --- random trees -----------------------------------------------------------------------------------

LEAVES = (
    st.integers(-3, 3) | st.floats(-1e6, 1e6) | st.sampled_from([0.1, 0.2, 0.1 + 0.2, -0.0, 1e300, 5e-324])
)
SPECS = st.recursive(LEAVES, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=20)


@given(
    spec=SPECS,
    movers=st.sampled_from(MOVERS),
    total=st.sampled_from([0, 1, -7, 0.3]),
)
@example(spec=5, movers=(1, 0), total=0)
@example(spec=[[[[[-2.5]]]]], movers=(0, 0, 1), total=0)
@example(spec=[[0.1, 0.7], 0.1], movers=(1, 0), total=1)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_tree_has_one_answer(spec: Any, movers: tuple[int, ...], total: float) -> None:
    tree = Tree(spec, movers, total=total)
    assert_agreement(tree, tree.initial())


def sweep_tree(rng: random.Random) -> Tree:
    """A tree of about ten nodes: often tied, sometimes with floats, sometimes with one player moving twice."""
    spec = oracle.random_tree_spec(
        rng,
        depth=rng.choice([0, 1, 2, 3, 3, 3, 4, 4, 5]),
        branching=rng.choice([1, 2, 3, 3, 4]),
        low=-rng.randint(0, 4),
        high=rng.randint(0, 4),
        leaf=rng.choice([0.2, 0.4]),
        floats=rng.random() < 0.25,
    )
    return Tree(spec, rng.choice(MOVERS))


@pytest.mark.parametrize("sweep", SWEEPS)
def test_a_hundred_thousand_trees_have_one_answer_each(sweep: int) -> None:
    rng = random.Random(sweep)
    for number in range(TREES):
        tree = sweep_tree(rng)
        one = ("minimax", "alphabeta")[number % 2]
        methods = ("minimax", "alphabeta") if number % BOTH == 0 else (one,)
        assert_agreement(tree, 0, methods=methods)


@pytest.mark.needs_compiler
def test_all_trees_share_one_compilation_a_method() -> None:
    assert_agreement(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), 0)
    before = set(native._natives)
    rng = random.Random(7)
    for _ in range(200):
        assert_agreement(sweep_tree(rng), 0)
    assert_agreement(Tree([[(1, 2), (2, 1)], [(3, 0)]], movers=(1, 0)), 0)
    assert set(native._natives) == before


# --- random positions of the games ------------------------------------------------------------------


def positions(game: Game, rng: random.Random) -> Iterator[Any]:
    """States along random games, the last of each included; of the first three plies, which recur, few."""
    opening = 0
    while True:
        state, ply = game.initial(), 0
        while not game.is_terminal(state):
            if ply >= opening:
                yield state
            state, ply = game.result(state, rng.choice(list(game.actions(state)))), ply + 1
        yield state
        opening = rng.choice([0, 3, 3, 3, 3, 3, 3, 3])


@pytest.mark.parametrize(
    ("game", "depths"),
    [
        (games.TicTacToe(), (2, 3)),
        (games.TicTacToe(width=4, height=3), (2, 2)),
        (games.ConnectFour(), (2, 2)),
        (games.ConnectFour(width=5, height=4), (2, 3)),
        (games.Nim(counters=5, take=3), (None, None)),
    ],
    ids=["tic-tac-toe", "4,3,3", "connect four", "connect four 5x4", "nim"],
)
@pytest.mark.parametrize("part", SHARES)
def test_ten_thousand_positions_of_each_game_have_one_answer_each(
    game: Game, depths: tuple[int | None, int | None], part: int
) -> None:
    rng = random.Random(2 + part)
    source = positions(game, rng)
    for number in range(POSITIONS // len(SHARES)):
        methods: tuple[str, ...] = (("minimax", "alphabeta")[number % 2],)
        if number % 100 == 0:
            methods = ("minimax", "alphabeta")
        assert_agreement(game, next(source), depths[number % 2], methods)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_deeper_searches_have_one_answer_too(name: str) -> None:
    game = games.load(name)
    source = positions(game, random.Random(3))
    for _ in range(20):
        assert_agreement(game, next(source), depth=4)
