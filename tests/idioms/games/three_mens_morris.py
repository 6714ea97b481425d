# mypy: ignore-errors
# ruff: noqa
"""Three Men's Morris: place three men each, then slide them along the lines. Three in a row win.

After LIMIT moves it is a draw; the number of moves is part of the state."""

from typing import NamedTuple

from gametree import Game

LIMIT = 20
NEIGHBOURS = [
    [1, 3, 4], [0, 2, 4], [1, 4, 5],
    [0, 4, 6], [0, 1, 2, 3, 5, 6, 7, 8], [2, 4, 8],
    [3, 4, 7], [4, 6, 8], [4, 5, 7],
]
MILLS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
HAND = 9  # moves from here place a new man


class State(NamedTuple):
    board: tuple[int, ...]
    moves: int


class ThreeMensMorris(Game):
    payoffs = (-1, 1)

    def initial(self):
        return State((0,) * 9, 0)

    def player(self, state):
        return state.moves % 2

    def slides(self, state):
        me = state.moves % 2 + 1
        for start in range(9):
            if state.board[start] == me:
                for to in NEIGHBOURS[start]:
                    if state.board[to] == 0:
                        yield (start, to)

    def actions(self, state):
        if state.moves < 6:
            for to in range(9):
                if state.board[to] == 0:
                    yield (HAND, to)
        else:
            yield from self.slides(state)

    def result(self, state, action):
        start, to = action
        board = list(state.board)
        board[to] = state.moves % 2 + 1
        if start != HAND:
            board[start] = 0
        return State(tuple(board), state.moves + 1)

    def mill(self, board, man):
        for x, y, z in MILLS:
            if board[x] == man and board[y] == man and board[z] == man:
                return True
        return False

    def is_stuck(self, state):
        return state.moves >= 6 and not any(True for _ in self.slides(state))

    def is_terminal(self, state):
        if self.mill(state.board, 1) or self.mill(state.board, 2):
            return True
        return state.moves >= LIMIT or self.is_stuck(state)

    def utility(self, state, player):
        if self.mill(state.board, player + 1):
            return 1
        if self.mill(state.board, 2 - player):
            return -1
        if self.is_stuck(state):
            return -1 if player == state.moves % 2 else 1
        return 0

    def evaluate(self, state, player):
        # the centre is worth a lot
        if state.board[4] == 0:
            return 0
        return 0.5 if state.board[4] == player + 1 else -0.5


GAME = ThreeMensMorris
DEPTH = 7
