"""Chess positions for the tests of what fits the network, as python-chess has them and as the lab does."""

import random

import chess
import numpy as np

from teacher_network import Array


def random_boards(count: int, seed: int) -> list[chess.Board]:
    """Positions of games played at random."""
    rng = random.Random(seed)
    found: list[chess.Board] = []
    board = chess.Board()
    while len(found) < count:
        if board.is_game_over():
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            found.append(board.copy(stack=False))
    return found


def board_of(board: chess.Board) -> Array:
    """The 64 numbers of `judge_by_teacher`."""
    codes = np.zeros(64, np.int8)
    for square, piece in board.piece_map().items():
        codes[square] = piece.piece_type + (0 if piece.color else 6)
    return codes
