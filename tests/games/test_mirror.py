"""With the colours exchanged, every evaluation of every game changes its sign and nothing else."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gametree.game import Game, evaluations, with_evaluation
from gametree.games import Checkers, Chess, ConnectFour, Othello, TicTacToe
from gametree.games.checkers.notation import bits, squares_of
from gametree.games.chess.board import squares, zobrist

pytestmark = pytest.mark.same_in_all_modes

FEW, MANY = 300, 100_000

Mirror = Callable[[Any], Any]


def chess(state: Any) -> Any:
    """The board turned upside down, and the colours exchanged."""
    boards = [sum(1 << (square ^ 56) for square in squares(board)) for board in state[:9]]
    kinds, (white, black, castling) = boards[:6], boards[6:]
    passant = state.passant if state.passant < 0 else state.passant ^ 56
    made = type(state)._make((*kinds, black, white, castling, 1 - state.turn, passant, *state[11:]))
    return made._replace(hash=zobrist(made))


def checkers(state: Any) -> Any:
    """The board turned around, and the colours exchanged."""
    white, black, kings = (
        bits(*(33 - square for square in squares_of(pieces)))
        for pieces in (state.black, state.white, state.kings)
    )
    return state._replace(black=black, white=white, kings=kings, mover=1 - state.mover)


def othello(state: Any) -> Any:
    """The discs are the mover's and the other's: another mover exchanges them."""
    return state._replace(mover=1 - state.mover)


def connect_four(state: Any) -> Any:
    """The stones change hands."""
    return state._replace(mine=(state.mask & ConnectFour().full) ^ state.mine)


def tic_tac_toe(state: Any) -> Any:
    return state._replace(x=state.o, o=state.x)


CASES: list[tuple[Game, Mirror]] = [
    (Chess(), chess),
    (Checkers(), checkers),
    (Othello(), othello),
    (ConnectFour(), connect_four),
    (TicTacToe(4, 4, 4), tic_tac_toe),
]


def played(game: Game, seed: int) -> Iterator[Any]:
    """The states of random games, without end."""
    rng = random.Random(seed)
    while True:
        state = game.initial()
        while not game.is_terminal(state):
            yield state
            state = game.result(state, rng.choice(list(game.actions(state))))


def compare(game: Game, mirror: Mirror, count: int) -> None:
    judges = [with_evaluation(game, name) for name in evaluations(game)]
    assert judges
    values = set()
    for state, _ in zip(played(game, 1), range(count)):
        image = mirror(state)
        assert mirror(image) == state
        for judge in judges:
            value = judge.evaluate(state, 0)
            assert value is not None
            assert judge.evaluate(image, 0) == -value
            values.add(value)
    assert len(values) > 5


@pytest.mark.parametrize(("game", "mirror"), CASES, ids=lambda case: getattr(type(case), "__name__", ""))
def test_evaluations_change_sign_with_the_colours(game: Game, mirror: Mirror) -> None:
    compare(game, mirror, FEW)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "mirror"), CASES, ids=lambda case: getattr(type(case), "__name__", ""))
def test_evaluations_change_sign_with_the_colours_on_100_000_positions(game: Game, mirror: Mirror) -> None:
    compare(game, mirror, MANY)
