# mypy: ignore-errors
# ruff: noqa
"""Tic-tac-toe with a tuple of nine cells."""

from typing import NamedTuple

from gametree import Game

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)


class State(NamedTuple):
    board: tuple[int, ...]  # 0 empty, 1 = X, 2 = O
    to_move: int


class TicTacToe(Game):
    payoffs = (-1, 1)

    def initial(self):
        return State((0,) * 9, 0)

    def player(self, state):
        return state.to_move

    def actions(self, state):
        return [i for i in range(9) if state.board[i] == 0]

    def result(self, state, action):
        board = state.board[:action] + (state.to_move + 1,) + state.board[action + 1:]
        return State(board, 1 - state.to_move)

    def winner(self, board):
        for a, b, c in LINES:
            if board[a] != 0 and board[a] == board[b] == board[c]:
                return board[a] - 1
        return None

    def is_terminal(self, state):
        return self.winner(state.board) is not None or 0 not in state.board

    def utility(self, state, player):
        w = self.winner(state.board)
        if w is None:
            return 0
        return 1 if w == player else -1

    def evaluate(self, state, player):
        """Open lines of mine minus open lines of the opponent."""
        mine = sum(1 for line in LINES if all(state.board[i] != 2 - player for i in line))
        theirs = sum(1 for line in LINES if all(state.board[i] != player + 1 for i in line))
        return (mine - theirs) / 10

    def show(self, state):
        signs = ".XO"
        rows = ["".join(signs[c] for c in state.board[r:r + 3]) for r in (0, 3, 6)]
        return "\n".join(rows)


GAME = TicTacToe
DEPTH = 9
