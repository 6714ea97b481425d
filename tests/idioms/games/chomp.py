# mypy: ignore-errors
# ruff: noqa
"""Chomp: bite a square and everything below and to the right. The top left square is poisoned."""
from collections import namedtuple

from gametree import Game

Bar = namedtuple("Bar", "rows turn")


class Chomp(Game):
    def __init__(self, width=4, height=3):
        self.width = width
        self.height = height

    def initial(self):
        return Bar((self.width,) * self.height, 0)

    def player(self, state):
        return state.turn

    def actions(self, state):
        return [(r, c) for r in range(self.height) for c in range(state.rows[r])]

    def result(self, state, action):
        r, c = action
        rows = state.rows[:r] + tuple(min(length, c) for length in state.rows[r:])
        return Bar(rows, 1 - state.turn)

    def is_terminal(self, state):
        return state.rows[0] == 0

    def utility(self, state, player):
        # the other one has eaten the poison
        return 1 if state.turn == player else -1

    def show(self, state):
        return "\n".join("#" * length for length in state.rows)


GAME = Chomp
DEPTH = None
