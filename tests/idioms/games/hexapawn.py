# mypy: ignore-errors
# ruff: noqa
"""Hexapawn: three pawns each on a 3 x 3 board. Reach the other side, or leave no move."""

from enum import IntEnum
from typing import NamedTuple

from gametree import Game


class Piece(IntEnum):
    EMPTY = 0
    WHITE = 1
    BLACK = 2


class Move(NamedTuple):
    start: int
    end: int


class State(NamedTuple):
    board: tuple[int, ...]
    turn: int

    @property
    def me(self):
        return Piece.WHITE if self.turn == 0 else Piece.BLACK

    @property
    def enemy(self):
        return Piece.BLACK if self.turn == 0 else Piece.WHITE

    def moves(self):
        forward = -3 if self.turn == 0 else 3
        for start in range(9):
            if self.board[start] != self.me:
                continue
            ahead = start + forward
            if not 0 <= ahead < 9:
                continue
            if self.board[ahead] == Piece.EMPTY:
                yield Move(start, ahead)
            if start % 3 > 0 and self.board[ahead - 1] == self.enemy:
                yield Move(start, ahead - 1)
            if start % 3 < 2 and self.board[ahead + 1] == self.enemy:
                yield Move(start, ahead + 1)


class Hexapawn(Game):
    payoffs = (-1, 1)

    def initial(self):
        black, white = (Piece.BLACK,) * 3, (Piece.WHITE,) * 3
        return State(black + (Piece.EMPTY,) * 3 + white, 0)

    def player(self, state):
        return state.turn

    def actions(self, state):
        return state.moves()

    def result(self, state, move):
        board = list(state.board)
        board[move.end] = board[move.start]
        board[move.start] = Piece.EMPTY
        return State(tuple(board), 1 - state.turn)

    def is_terminal(self, state):
        if Piece.WHITE in state.board[:3] or Piece.BLACK in state.board[6:]:
            return True
        return not any(True for _ in state.moves())

    def utility(self, state, player):
        # all three ways to end are won by the one who has just moved
        return -1 if player == state.turn else 1


GAME = Hexapawn
DEPTH = None
