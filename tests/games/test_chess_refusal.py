"""Why a move is not legal: each reason, and python-chess as the judge of the ones that need the rules."""

import random
import re

import chess
import pytest

from gametree.errors import InputError
from gametree.games import Chess

pytestmark = pytest.mark.same_in_all_modes

GAME = Chess()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PINNED = "4k3/8/8/8/1b6/8/3P4/R3K2R w KQ - 0 1"
CHECK = "4k3/8/8/8/1b6/8/8/R3K2R w KQ - 0 1"


def refused(fen: str, move: str) -> str:
    with pytest.raises(InputError) as caught:
        GAME.parse_action(GAME.parse_state(fen), move)
    return str(caught.value)


@pytest.mark.parametrize(
    ("fen", "move", "why"),
    [
        (START, "e4e5", "there is nothing on e4; near are: e4"),
        (START, "e7e5", "Black's pawn stands on e7, and White is to move; legal are: a3"),
        (START, "Ke2", "White's own pawn stands on e2"),
        (START, "Nd5", "no knight can go to d5; near are: Na3, Nc3, Nf3, Nh3"),
        (START, "e2e5", "the pawn on e2 cannot go to e5; near are: e3, e4"),
        (START, "Bc4", "something stands between f1 and c4; near are: c4"),
        (START, "e2e4q", "no pawn is promoted on e4; near are: e4, e3"),
        (START, "O-O", "there are pieces between king and rook"),
        (START, "Nbf6", "the knight on b1 cannot go to f6"),
        (CHECK, "Qd4", "White has no queen; legal are: Kd1"),
        (CHECK, "Rb3", "no rook can go to b3"),
        (CHECK, "Rb1", "White is in check, and that does not help"),
        (CHECK, "O-O-O", "White is in check; legal are"),
        (CHECK, "Kd2", "d2 is attacked; near are: Kd1"),
        (PINNED, "d3", "the pawn is pinned: the king would be in check"),
        ("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "would pass or reach a square that is attacked; near are: O-O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "White may not castle on the king's side any more"),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "0-0-0", "White may not castle on the queen's side any more"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kh2", "the king on e1 cannot go to h2; near are: Rh2, O-O-O"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=K", "is no chess move"),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_what_is_near(fen: str, move: str, why: str) -> None:
    assert why in refused(fen, move)


def test_reasons_agree_with_python_chess_and_near_moves_are_legal() -> None:
    """A move that the piece itself could make is refused for the king's sake, and no other is."""
    rng = random.Random(4)
    seen = 0
    for _ in range(40):
        board = chess.Board()
        for _ in range(rng.randrange(80)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if board.is_game_over():
            continue
        legal = {board.san(move) for move in board.legal_moves}
        tries = [move for move in board.pseudo_legal_moves if not board.is_castling(move)][:40]
        for source in rng.choices(list(chess.SquareSet(board.occupied_co[board.turn])), k=5):
            target = rng.randrange(64)
            last = board.piece_type_at(source) == chess.PAWN and chess.square_rank(target) in (0, 7)
            tries.append(chess.Move(source, target, chess.QUEEN if last else None))
        for move in tries:
            if move.from_square == move.to_square or board.is_legal(move) or board.is_castling(move):
                continue
            message = refused(board.fen(), move.uci())
            for_the_king = re.search("pinned|is attacked|does not help", message) is not None
            assert for_the_king == board.is_pseudo_legal(move), (board.fen(), message)
            seen += for_the_king
            near = re.sub(r".*(near|legal) are: ", "", message).removesuffix(", …").split(", ")
            assert set(near) <= legal, (board.fen(), message)
    assert seen > 10
