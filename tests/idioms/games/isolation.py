# mypy: ignore-errors
# ruff: noqa
"""Isolation 4 x 4: move like a chess king, the square you leave is gone. Who cannot move has lost."""
from typing import NamedTuple

from gametree import Game


class State(NamedTuple):
    pos: tuple[int, int]
    gone: int  # a bit for every square which nobody may enter any more
    turn: int


def king_moves(square, size):
    result = []
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            r = square // size + dr
            c = square % size + dc
            if (dr, dc) != (0, 0) and r in range(size) and c in range(size):
                result.append(r * size + c)
    return result


class Isolation(Game):
    SIZE = 4
    payoffs = (-20, 20)

    def __init__(self):
        # a table, so that it need not be computed again and again
        self.table = [king_moves(square, self.SIZE) for square in range(self.SIZE**2)]

    def initial(self):
        last = self.SIZE**2 - 1
        return State((0, last), 1 << 0 | 1 << last, 0)

    def player(self, state):
        return state.turn

    def free(self, state, who):
        return [sq for sq in self.table[state.pos[who]] if not state.gone & (1 << sq)]

    def actions(self, state):
        return self.free(state, state.turn)

    def result(self, state, action):
        first, second = state.pos
        if state.turn == 0:
            first = action
        else:
            second = action
        return State((first, second), state.gone | 1 << action, 1 - state.turn)

    def is_terminal(self, state):
        return not self.free(state, state.turn)

    def utility(self, state, player):
        return 20 if state.turn != player else -20

    def evaluate(self, state, player):
        return len(self.free(state, player)) - len(self.free(state, 1 - player))


GAME = Isolation
DEPTH = 8
