"""When a game of a match is over."""

import chess
import pytest

from strength import ended


def after(moves: str, fen: str = chess.STARTING_FEN) -> chess.Board:
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


TWICE = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"


def test_a_draw_that_could_be_claimed_is_none_before_the_position_is_there() -> None:
    board = after(TWICE)
    assert board.can_claim_threefold_repetition()
    assert ended(board) is None
    board.push_uci("f6g8")
    assert ended(board) == ("1/2-1/2", "threefold repetition")


@pytest.mark.parametrize(
    ("fen", "moves", "end"),
    [
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", ("0-1", "checkmate")),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7", ("1/2-1/2", "stalemate")),
        ("7k/8/8/8/8/8/8/K6R w - - 98 80", "a1b1", None),
        ("7k/8/8/8/8/8/8/K6R w - - 99 80", "a1b1", ("1/2-1/2", "fifty moves")),
        ("7k/7R/8/8/8/8/8/K7 b - - 0 80", "h8h7", ("1/2-1/2", "insufficient material")),
    ],
)
def test_ends(fen: str, moves: str, end: tuple[str, str] | None) -> None:
    assert ended(after(moves, fen)) == end
