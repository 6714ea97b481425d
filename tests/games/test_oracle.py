"""The oracle itself, on trees small enough to do by hand."""

import random

import oracle
from gametree.games.nim import Nim
from gametree.games.tic_tac_toe import TicTacToe
from gametree.games.tree.game import Tree

LECTURE = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def test_minimax_looks_at_every_node_and_the_root_is_one() -> None:
    assert oracle.minimax(LECTURE) == (3, [0], 13)
    assert oracle.minimax(LECTURE, state=2) == (2, [0], 4)
    assert oracle.minimax(LECTURE, state=4) == (3, [], 1)


def test_minimax_names_every_best_action_in_order() -> None:
    assert oracle.minimax(Tree([1, 2, 2, 0])).best == [1, 2]


def test_alphabeta_skips_the_two_leaves_that_the_lecture_crosses_out() -> None:
    found = oracle.alphabeta(LECTURE)
    assert (found.value, found.action, found.nodes) == (3, 0, 11)
    assert found.visited == [0, 1, 4, 5, 6, 2, 7, 3, 10, 11, 12]


def test_ties_go_to_the_first_action() -> None:
    assert oracle.alphabeta(Tree([[2, 3], [2, 1], [4, 2]])).action == 0


def test_outside_the_window_fail_soft_gives_a_bound_and_fail_hard_the_window() -> None:
    assert oracle.alphabeta(LECTURE, alpha=6, beta=9).value == 5
    assert oracle.alphabeta(LECTURE, alpha=6, beta=9, fail="hard").value == 6
    assert oracle.alphabeta(LECTURE, alpha=-9, beta=1).value == 3
    assert oracle.alphabeta(LECTURE, alpha=-9, beta=1, fail="hard").value == 1


def test_at_the_depth_the_evaluation_judges() -> None:
    game = TicTacToe()
    # The lectures' look ahead of two plies: X takes the centre, and is 1 ahead after the best reply.
    assert oracle.minimax(game, depth=2) == (1, [4], 1 + 9 + 72)
    assert oracle.alphabeta(game, depth=2).action == 4
    assert oracle.minimax(game, depth=0) == (0, [], 1)


def test_perft_follows_the_actions() -> None:
    assert [oracle.perft(Nim(3), depth) for depth in range(5)] == [1, 3, 3, 1, 0]


def test_random_trees_are_ragged_and_the_same_for_the_same_seed() -> None:
    one, other = (oracle.random_tree_spec(random.Random(7), depth=5) for _ in range(2))
    assert one == other
    leaves = Tree(one).count == 0
    assert 1 < leaves.sum() < len(leaves)
    floats = Tree(oracle.random_tree_spec(random.Random(7), floats=True))
    assert (floats.payoff[floats.count == 0] % 1 != 0).all()
