# mypy: ignore-errors
# ruff: noqa
"""Konane (Hawaiian checkers) on a small board, with two stones already taken away.

Jump over a stone of the opponent into a hole, also several times in one direction. No jump: lost."""

import gametree as gt

NORTH, SOUTH, WEST, EAST = (-1, 0), (1, 0), (0, -1), (0, 1)


def opponent(stone):
    return 3 - stone


class Konane(gt.Game):
    payoffs = (-50, 50)

    def __init__(self, rows=4, columns=5):
        self.rows = rows
        self.columns = columns

    def initial(self):
        board = []
        for r in range(self.rows):
            for c in range(self.columns):
                board.append(1 if (r + c) % 2 == 0 else 2)
        middle = (self.rows // 2) * self.columns + self.columns // 2
        board[middle] = 0
        board[middle - 1] = 0
        return (tuple(board), 0)

    def player(self, state):
        return state[1]

    def at(self, board, r, c):
        """The stone there, or -1 outside of the board."""
        if 0 <= r < self.rows and 0 <= c < self.columns:
            return board[r * self.columns + c]
        return -1

    def jumps(self, board, stone):
        for r in range(self.rows):
            for c in range(self.columns):
                if board[r * self.columns + c] != stone:
                    continue
                for dr, dc in (NORTH, SOUTH, WEST, EAST):
                    n = 1
                    while (
                        self.at(board, r + (2 * n - 1) * dr, c + (2 * n - 1) * dc) == opponent(stone)
                        and self.at(board, r + 2 * n * dr, c + 2 * n * dc) == 0
                    ):
                        yield (r, c, dr, dc, n)
                        n += 1

    def actions(self, state):
        return self.jumps(state[0], state[1] + 1)

    def result(self, state, action):
        board, turn = state
        r, c, dr, dc, n = action
        new = list(board)
        for k in range(2 * n):
            new[(r + k * dr) * self.columns + c + k * dc] = 0
        new[(r + 2 * n * dr) * self.columns + c + 2 * n * dc] = turn + 1
        return (tuple(new), 1 - turn)

    def is_terminal(self, state):
        return next(iter(self.actions(state)), None) is None

    def utility(self, state, player):
        return -50 if state[1] == player else 50

    def evaluate(self, state, player):
        mine = len(list(self.jumps(state[0], player + 1)))
        return mine - len(list(self.jumps(state[0], 2 - player)))


GAME = Konane
DEPTH = 8
