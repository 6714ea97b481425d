"""What the solver proves is true: on random trees, with dice, with three players, and in real games."""

import math
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree.games import ConnectFour, Nim, TicTacToe
from search.agreement import COMPILES
from search.mcts.forest import random_tree, truth

WAY = "always" if COMPILES else "never"


def prove(
    seeds: range, players: int, chance: float, ties: bool, compile: str = "never", **options: Any
) -> int:
    """Searches trees to the end of the proof; how many were proven."""
    proven = 0
    for seed in seeds:
        game = random_tree(seed, 3, players, chance, ties)
        found = gt.mcts(game, simulations=300, seed=seed, memory_mb=1, compile=compile, moves=True, **options)
        values = truth(game, game.initial())
        if found.exact:
            proven += 1
            assert found.values == pytest.approx(values, abs=1e-9), seed
            assert found.stopped_by == "end"
        for move in found.moves:
            if move.exact:
                child = truth(game, game.result(0, move.action))
                assert float(move.value) == pytest.approx(child[found.player], abs=1e-9)
    return proven


@pytest.mark.parametrize("chance", [0.0, 0.3])
def test_proven_values_are_those_of_minimax_and_of_expectiminimax(chance: float) -> None:
    assert prove(range(40), 2, chance, ties=True) >= 36


@pytest.mark.parametrize("chance", [0.0, 0.3])
def test_proven_values_of_three_players_are_those_of_maxn(chance: float) -> None:
    assert prove(range(24), 3, chance, ties=False) >= 20


def test_proofs_hold_under_every_tree_policy_and_where_transpositions_are_one() -> None:
    for policy in ("ucb1-tuned", "epsilon-greedy", "boltzmann", "puct"):
        assert prove(range(6), 2, 0.2, True, tree_policy=policy) >= 4
    assert prove(range(6), 2, 0.2, True, transpositions=True) >= 4
    assert prove(range(6), 2, 0.2, True, amaf="grave", widening=(1, 0.5), bias=1.0) >= 4


def test_proofs_hold_where_the_tree_is_too_small_to_keep_what_was_proven() -> None:
    for seed in range(12):
        game = random_tree(seed, 4, 2, 0.2)
        found = gt.mcts(game, simulations=600, seed=seed, memory_mb=0.03, compile="never")
        low, high = -math.inf, math.inf
        if found.exact:
            low = high = found.values[0]
        assert low - 1e-9 <= truth(game, 0)[0] <= high + 1e-9


@pytest.mark.parametrize("compile", ["never", WAY])
def test_a_proof_by_the_last_simulation_is_the_end(compile: str) -> None:
    for seed in range(10):
        game = random_tree(seed, 3, 2, 0.0)
        needed = gt.mcts(game, simulations=3000, seed=seed, compile=compile).nodes
        found = gt.mcts(game, simulations=needed, seed=seed, compile=compile)
        assert found.exact and found.stopped_by == "end" and found.nodes == needed, seed


@pytest.mark.needs_compiler
def test_compiled_proofs_are_true() -> None:
    assert prove(range(150), 2, 0.2, ties=True, compile="always") >= 130
    assert prove(range(150, 300), 3, 0.2, ties=False, compile="always") >= 120


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_every_proof_on_thousands_of_trees_is_true(players: int) -> None:
    assert prove(range(10_000), players, 0.25, ties=players == 2, compile=WAY) >= 8_000


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_tic_tac_toe_is_proven_a_draw() -> None:
    for options in ({}, {"transpositions": True}, {"tree_policy": "puct"}, {"threads": 2}):
        found = gt.mcts(TicTacToe(), simulations=300_000, **options)
        assert found.exact and found.value == 0 and found.stopped_by == "end", options


def test_endings_of_tic_tac_toe_have_the_value_of_minimax() -> None:
    game = TicTacToe()
    for text in ("XO./.X./..O", "X.O/.X./O..", "XOX/.O./...", "X../.O./..X"):
        state = game.parse_state(text)
        found = gt.mcts(game, state, simulations=1500, compile="never", transpositions=True)
        value = oracle.minimax(game, state).value
        assert found.exact and found.values[0] == value
        assert found.action in oracle.minimax(game, state).best


def test_nim_is_proven_and_a_win_is_called_one() -> None:
    for counters in range(1, 9):
        game = Nim(counters=counters)
        found = gt.mcts(game, simulations=2000, compile="never")
        assert found.exact and found.value is not None
        assert found.values[0] == oracle.minimax(game).value
        assert found.value.outcome == ("win" if float(found.value) > 0 else "loss")


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_small_connect_four_is_proven_a_draw() -> None:
    found = gt.mcts(ConnectFour(4, 4), simulations=5_000_000, transpositions=True, memory_mb=512)
    assert found.exact and found.value == 0
