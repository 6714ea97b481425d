"""The tree: its numbers add up, it stays within its memory, and it survives a move."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree.games import Nim, TicTacToe
from gametree.search.mcts.view import SearchTree
from search.mcts.forest import PAYOFFS, random_tree, truth

POLICIES = ("ucb1", "ucb1-tuned", "epsilon-greedy", "boltzmann", "puct")


def each(tree: SearchTree) -> list[tuple[int, Any]]:
    """All nodes below the root with their states."""
    found = [(tree.root, tree.state)]
    for node, state in found:
        if tree.count(node):
            found += [(child, tree.game.result(state, action)) for child, action in tree.steps(node, state)]
    return found


def assert_consistent(tree: SearchTree, own: int | None = None) -> None:
    """Visits and sums of a node are those of its children and its own; `own` of them where that is known."""
    for node, state in each(tree):
        children = tree.children(node)
        rest = tree.visits(node) - sum(map(tree.visits, children))
        assert rest >= 0
        if len(children):
            assert sorted(map(tree.place, children)) == list(range(len(children)))
            assert len(children) == len(tree.choices(state))
            if own is not None:
                assert rest == (0 if node == tree.root else own)
        for player in range(tree.game.players):
            low, high = tree.bounds(node, player)
            assert low <= high
            if tree.visits(node):
                assert PAYOFFS[0] <= tree.mean(node, player) <= PAYOFFS[1]
                assert low <= tree.mean(node, player) <= high


@given(
    seed=st.integers(0, 10_000),
    players=st.sampled_from([2, 2, 3]),
    chance=st.sampled_from([0.0, 0.4]),
    policy=st.sampled_from(POLICIES),
    own=st.integers(1, 3),
    amaf=st.sampled_from([None, "rave", "grave"]),
    widening=st.sampled_from([None, (1, 0.5)]),
    bias=st.sampled_from([0.0, 0.5]),
)
@settings(max_examples=25, deadline=None)
def test_visits_and_sums_add_up(
    seed: int,
    players: int,
    chance: float,
    policy: str,
    own: int,
    amaf: str | None,
    widening: tuple[float, float] | None,
    bias: float,
) -> None:
    game = random_tree(seed, 3, players, chance)
    search = gt.MonteCarlo(
        game,
        seed=seed,
        solver=False,
        tree_policy=policy,
        expand_after=own,
        amaf=amaf,
        widening=widening,
        bias=bias,
        memory_mb=8,
        compile="never",
    )
    found = search.analyze(simulations=60)
    tree = search.tree
    assert tree.visits(tree.root) == found.nodes == 60
    assert_consistent(tree, own)
    # What is not the children's is the playouts' own: it, too, is made of payoffs.
    for node, _ in each(tree):
        if node != tree.root and tree.count(node):
            for player in range(players):
                below = [
                    (tree.visits(c), tree.mean(c, player)) for c in tree.children(node) if tree.visits(c)
                ]
                rest = tree.visits(node) * tree.mean(node, player) - sum(n * mean for n, mean in below)
                assert own * PAYOFFS[0] - 1e-6 <= rest <= own * PAYOFFS[1] + 1e-6


@given(st.integers(0, 10_000), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.4]))
@settings(max_examples=15, deadline=None)
def test_bounds_contain_the_truth_at_every_node(seed: int, players: int, chance: float) -> None:
    game = random_tree(seed, 3, players, chance, ties=players == 2)
    search = gt.MonteCarlo(game, seed=seed, memory_mb=8, compile="never")
    search.analyze(simulations=40)
    assert_consistent(search.tree)
    for node, state in each(search.tree):
        values = truth(game, state)
        for player in range(players):
            low, high = search.tree.bounds(node, player)
            assert low - 1e-9 <= values[player] <= high + 1e-9


# --- memory -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("when_full", ["recycle", "stop"])
@pytest.mark.parametrize("seed", range(4))
def test_the_tree_never_takes_more_than_its_memory(when_full: str, seed: int) -> None:
    megabytes = 0.04
    game = random_tree(seed, 5, 2, 0.2, ragged=False)
    search = gt.MonteCarlo(game, memory_mb=megabytes, when_full=when_full, compile="never", solver=seed > 1)
    seen = []
    for _ in range(6):
        search.analyze(simulations=60)
        tree = search.tree
        assert tree.size <= tree.capacity and tree.bytes <= megabytes * (1 << 20)
        assert_consistent(tree)
        seen.append(tree.size)
    assert max(seen) > tree.capacity // 2
    if when_full == "stop":
        assert seen == sorted(seen)
    assert tree.visits(tree.root) == 360 or tree.is_settled(tree.root)


@pytest.mark.needs_compiler
def test_a_compiled_tree_that_is_recycled_again_and_again_stays_whole() -> None:
    for seed in range(10):
        game = random_tree(seed, 6, 2 + seed % 2, 0.3, ragged=False)
        search = gt.MonteCarlo(
            game, memory_mb=0.005, solver=seed % 3 == 0, compile="always", tree_policy=POLICIES[seed % 5]
        )
        for _ in range(3):
            search.analyze(simulations=2_000)
            assert search.tree.bytes <= 0.005 * (1 << 20) and search.tree.size <= search.tree.capacity
            assert_consistent(search.tree)


def test_a_memory_without_room_for_the_root_is_refused() -> None:
    with pytest.raises(gt.InputError, match="memory_mb is too small for 9 actions: it takes at least"):
        gt.mcts(TicTacToe(), simulations=10, memory_mb=0.001, compile="never")


# --- after a move -------------------------------------------------------------------------------------


def test_what_was_found_below_a_move_is_kept() -> None:
    game = TicTacToe()
    search = gt.MonteCarlo(game, compile="never", solver=False)
    first = search.analyze(simulations=300)
    tree = search.tree
    after = game.result(game.initial(), first.action)
    child = next(c for c, action in tree.steps(tree.root, tree.state) if action == first.action)
    visits, means = tree.visits(child), tree.means(child)
    second = search.analyze(after, simulations=1)
    assert second.parameters["kept"] == visits
    assert search.tree.visits(search.tree.root) == visits + 1
    payoff = search.tree.means(search.tree.root)[0] * (visits + 1) - means[0] * visits
    assert payoff == pytest.approx(round(payoff)) and round(payoff) in (-1, 0, 1)


def test_the_tree_is_kept_over_two_plies_and_found_by_the_history() -> None:
    game = TicTacToe()
    rng = random.Random(5)
    search = gt.MonteCarlo(game, compile="never")
    state = game.initial()
    path: list[Any] = []
    for _ in range(3):
        found = search.analyze(state, simulations=400, history=path)
        if path:
            assert found.parameters["kept"] > 0
        for _ in range(2):
            path.append(state)
            legal = list(game.actions(state))
            state = game.result(state, found.action if found.action in legal else rng.choice(legal))
    far = game.parse_state("XOX/OXO/...")
    assert "kept" not in search.analyze(far, simulations=10).parameters
    search.clear()
    with pytest.raises(gt.InputError, match="there is no tree yet"):
        _ = search.tree
    assert "kept" not in search.analyze(far, simulations=10).parameters


def test_a_search_of_the_same_state_goes_on_where_it_was() -> None:
    search = gt.MonteCarlo(Nim(counters=12), compile="never", solver=False)
    search.analyze(simulations=100)
    found = search.analyze(simulations=100)
    assert found.parameters["kept"] == 100 and found.nodes == 100
    assert search.tree.visits(search.tree.root) == 200
