"""Chess compared with python-chess, position by position of random games."""

import random
from typing import Any

import pytest

from gametree.games.chess.rules import Chess

pytestmark = pytest.mark.same_in_all_modes

chess = pytest.importorskip("chess")


def begin(game: Chess, rng: random.Random) -> tuple[Any, Any]:
    if not game.chess960:
        return chess.Board(), game.initial()
    number = rng.randrange(960)
    return chess.Board.from_chess960_pos(number), game.parse_state(str(number))


def compare(game: Chess, seed: int, count: int) -> set[str]:
    """Plays random games, some of them with many captures, and compares all the way; how they ended."""
    rng = random.Random(seed)
    ends: set[str] = set()
    seen = 0
    while seen < count:
        board, state = begin(game, rng)
        greed = rng.choice((0.0, 0.1, 0.5))
        while True:
            seen += 1
            fen = board.fen()
            assert game.fen(state) == fen
            assert game.parse_state(fen) == state
            legal = {game.uci(state, action): action for action in game.actions(state)}
            moves = {board.uci(move): move for move in board.legal_moves}
            assert legal.keys() == moves.keys(), fen
            over = board.is_insufficient_material() or board.is_seventyfive_moves() or not moves
            assert game.is_terminal(state) == over, fen
            if over:
                won = {"1-0": 1, "0-1": -1}.get(board.result(), 0)
                assert (game.utility(state, 0), game.utility(state, 1)) == (won, -won), fen
                ends.add(game.show(state).splitlines()[-1])
                break
            for name in rng.sample(sorted(moves), min(2, len(moves))):
                san = board.san(moves[name])
                assert game.name_action(state, legal[name]) == san, fen
                assert game.parse_action(state, san) == game.parse_action(state, name) == legal[name], fen
            captures = [name for name, move in moves.items() if board.is_capture(move)]
            name = rng.choice(sorted(captures) if captures and rng.random() < greed else sorted(moves))
            board.push(moves[name])
            state = game.result(state, legal[name])
    return ends


def test_standard_chess_agrees_with_python_chess() -> None:
    assert compare(Chess(), 1, 2_000)


def test_chess960_agrees_with_python_chess() -> None:
    assert compare(Chess(chess960=True), 2, 1_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 7))
def test_100_000_positions_agree_with_python_chess(seed: int) -> None:
    ends = compare(Chess(chess960=seed % 2 == 0), seed, 25_000)
    assert len(ends) == 5, "White mates, Black mates, stalemate, 75 moves, insufficient material"


def test_all_starts_of_chess960_are_those_of_python_chess() -> None:
    game = Chess(chess960=True)
    starts = [game.fen(game.parse_state(str(number))) for number in range(960)]
    assert starts == [chess.Board.from_chess960_pos(number).fen() for number in range(960)]
    assert len(set(starts)) == 960


@pytest.mark.parametrize("seed", range(3))
def test_positions_that_python_chess_calls_valid_are_read_and_others_with_its_reasons_are_not(
    seed: int,
) -> None:
    # Pieces thrown on a board at random. What python-chess knows to be impossible, we refuse.
    rng = random.Random(seed)
    game = Chess()
    read = 0
    for _ in range(400):
        board = chess.Board(None)
        for letter in "Kk" + "".join(rng.choices("PpNnBbRrQqKk", k=rng.randrange(8))):
            board.set_piece_at(rng.randrange(64), chess.Piece.from_symbol(letter))
        board.turn = rng.random() < 0.5
        try:
            state = game.parse_state(board.fen())
        except ValueError:
            assert not board.is_valid(), board.fen()
        else:
            read += 1
            assert game.fen(state) == board.fen()
            assert {game.uci(state, a) for a in game.actions(state)} == {m.uci() for m in board.legal_moves}
    assert read > 50
