"""The script that measures best-first searches: its trees are what it says, and its tables come out."""

import doctest
import math

import best_first
import gametree as gt
import oracle
from best_first import Kind, Question


def test_trees_have_the_value_and_the_order_that_they_are_said_to_have() -> None:
    for order in best_first.ORDERS:
        tree, value = Kind(3, 4, order, 5).tree(1)
        assert oracle.minimax(tree).value == value
        assert len(tree.count) == 1 + 3 + 9 + 27 + 81
    tree, _ = Kind(3, 4, "perfect", None).tree(2)
    visited = oracle.alphabeta(tree).visited
    assert sum(tree.is_terminal(state) for state in visited) == best_first.minimal_leaves(3, 4) == 17
    assert doctest.testmod(best_first).failed == 0


def test_leaves_are_counted_without_those_of_the_line() -> None:
    kind = Kind(3, 4, "random", 4)
    for seed in range(10):
        tree, value = kind.tree(seed)
        seen = oracle.alphabeta(tree).visited
        leaves, nodes = best_first._leaves(tree, value, best_first.ON_TREES["alpha-beta"])
        assert (leaves, nodes) == (sum(tree.is_terminal(state) for state in seen), len(seen))
        fewer, _ = best_first._leaves(tree, value, best_first.ON_TREES["SSS*"])
        assert fewer <= leaves


def test_a_question_has_one_answer() -> None:
    game = gt.games.TicTacToe()
    for text, goal, answer in (
        ("XX./OO./...", "win", True),
        ("X.O/.X./..O", "draw", True),
        ("X../.O./...", "win", False),
    ):
        question = Question(text, game, game.parse_state(text), goal)
        for search in (gt.alphabeta, best_first.with_memory):
            found, _ = best_first.by_alphabeta(question, search, compile="never")
            assert found is answer


def test_alpha_beta_with_memory_finds_the_value_too() -> None:
    nim = gt.games.Nim(counters=9)
    found = best_first.with_memory(nim, compile="never")
    assert found.values[0] == gt.alphabeta(nim, compile="never").values[0]
    assert found.nodes < gt.alphabeta(nim, compile="never").nodes
    assert best_first.asked_once((0, math.nextafter(0, 1)), nim, compile="never").values[0] >= 0
