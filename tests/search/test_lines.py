"""The line of a result: told by the search itself, with and without names."""

import random
from typing import Any

import numpy as np
import pytest

import gametree as gt
from gametree.compiled import native
from gametree.games import Checkers, Chess, ConnectFour, Othello
from gametree.kernel.primitives import NUMBER_BITS, action_number

MODES = ["never"] if native.unavailable() else ["never", "always"]
GAMES = [
    (Chess(), 3),
    (ConnectFour(), 5),
    pytest.param(Checkers(), 5, marks=pytest.mark.slow),
    pytest.param(Othello(), 4, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("compile", MODES)
@pytest.mark.parametrize("selective", [False, True])
@pytest.mark.parametrize("game, depth", GAMES, ids=lambda it: type(it).__name__)
def test_without_names_everything_else_is_the_same(
    game: gt.Game, depth: int, selective: bool, compile: str
) -> None:
    told: list[gt.Analysis] = []
    results = [
        gt.Engine(game, hash_mb=1, compile=compile, selective=selective).analyze(
            depth=depth, lines=2, names=names, on_progress=told.append
        )
        for names in (True, False)
    ]
    named, bare = results
    assert named.names and not bare.names
    assert bare.line == named.line
    assert [(move.action, move.value, move.line) for move in bare.lines] == [
        (move.action, move.value, move.line) for move in named.lines
    ]
    assert not any(move.name or move.names for move in bare.lines)
    assert [seen.line for seen in told[:depth]] == [seen.line for seen in told[depth:]]
    state = game.initial()
    for action, name in zip(named.line, named.names, strict=True):
        assert action in list(game.actions(state)) and game.name_action(state, action) == name
        state = game.result(state, action)


class Countdown(gt.Game):
    """Takes 1 or 2 away from a pile, or passes once in a while: by a number, or by a number that no line can hold."""

    payoffs = (-1, 1)

    def __init__(self, passing: int):
        self.passing = np.array([passing])  # an array, so that one piece of machine code does for all of them

    def initial(self) -> tuple[int, int]:
        return 9, 0

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> Any:
        yield 1
        if state[0] >= 2:
            yield 2
        if state[0] % 3 == 2:
            yield int(self.passing[0])

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] - 1 if action == int(self.passing[0]) else state[0] - action), 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] <= 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return 1 if player != state[1] else -1

    def evaluate(self, state: tuple[int, int], player: int) -> float:
        return 0.01 * (state[0] % 4) * (1 if player == state[1] else -1)


@pytest.mark.parametrize("compile", MODES)
@pytest.mark.parametrize("passing", [-1, 7, (1 << NUMBER_BITS) - 1, 1 << NUMBER_BITS])
def test_numbers_of_every_size_are_told_right(passing: int, compile: str) -> None:
    game = Countdown(passing)
    for names in (True, False):
        result = gt.Engine(game, compile=compile, hash_mb=1).analyze(depth=9, names=names)
        state = game.initial()
        for action in result.line:
            assert action in list(game.actions(state))
            state = game.result(state, action)
        assert result.value is not None and result.value.payoff == float(gt.minimax(game).value or 0)


def test_what_is_a_number() -> None:
    assert [action_number(one) for one in (0, 5, (1 << NUMBER_BITS) - 1)] == [0, 5, (1 << NUMBER_BITS) - 1]
    for other in (-1, 1 << NUMBER_BITS, True, 1.0, "a", (1,)):
        assert action_number(other) == -1


@pytest.mark.parametrize("compile", ["auto", "never"])
def test_asking_for_every_move_leaves_a_proven_win_proven(compile: str) -> None:
    game = ConnectFour(5, 4)
    rng, seen = random.Random(3), 0
    while seen < 12:
        state = game.initial()
        for _ in range(rng.randrange(8, 16)):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(list(game.actions(state))))
        if game.is_terminal(state):
            continue
        found = gt.analyze(game, state, gt.Limit(nodes=20_000), moves=True, compile=compile)
        if found.value is None or found.value.outcome is None:
            continue
        seen += 1
        truth = gt.solve(game, state, moves=True, method="graph", compile="never")
        values = {move.action: move.value for move in truth.moves}
        assert (found.exact, found.bound, found.value) == (True, "exact", truth.value)
        assert all(move.value == values[move.action] for move in found.moves if move.exact)
