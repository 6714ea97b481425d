# mypy: ignore-errors
# ruff: noqa
"""Othello (Reversi) on a 4 x 4 board. A player who cannot turn anything has to pass."""

from typing import NamedTuple

import gametree as gt

SIZE = 4
PASS = -1
DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
CORNERS = (0, SIZE - 1, SIZE * (SIZE - 1), SIZE * SIZE - 1)


class State(NamedTuple):
    board: tuple[int, ...]
    player: int


def flips(board, square, me):
    """All the stones which a move would turn over."""
    turned = []
    if board[square] != 0:
        return turned
    row, col = divmod(square, SIZE)
    for dr, dc in DIRECTIONS:
        line = []
        r, c = row + dr, col + dc
        while 0 <= r < SIZE and 0 <= c < SIZE and board[r * SIZE + c] == 3 - me:
            line.append(r * SIZE + c)
            r += dr
            c += dc
        if line and 0 <= r < SIZE and 0 <= c < SIZE and board[r * SIZE + c] == me:
            turned.extend(line)
    return turned


def can_move(board, me):
    return any(len(flips(board, square, me)) > 0 for square in range(SIZE * SIZE))


class Othello(gt.Game):
    def initial(self):
        board = [0] * (SIZE * SIZE)
        board[5] = board[10] = 2
        board[6] = board[9] = 1
        return State(tuple(board), 0)

    def player(self, state):
        return state.player

    def actions(self, state):
        moves = [sq for sq in range(SIZE * SIZE) if flips(state.board, sq, state.player + 1)]
        return moves if moves else [PASS]

    def result(self, state, action):
        if action == PASS:
            return State(state.board, 1 - state.player)
        me = state.player + 1
        board = list(state.board)
        for square in flips(state.board, action, me):
            board[square] = me
        board[action] = me
        return State(tuple(board), 1 - state.player)

    def is_terminal(self, state):
        return not can_move(state.board, 1) and not can_move(state.board, 2)

    def utility(self, state, player):
        return 10 * (state.board.count(player + 1) - state.board.count(2 - player))

    def evaluate(self, state, player):
        score = 0
        for square, stone in enumerate(state.board):
            if stone != 0:
                worth = 5 if square in CORNERS else 1
                score += worth if stone == player + 1 else -worth
        return score


GAME = Othello
DEPTH = 8
