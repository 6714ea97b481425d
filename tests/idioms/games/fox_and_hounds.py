# mypy: ignore-errors
# ruff: noqa
"""Fox and Hounds on the dark squares of a 6 x 6 board.

Three hounds come down and only move forward; the fox moves both ways and wants to get past them."""

from typing import NamedTuple

import gametree as gt

SIZE = 6
FOX, HOUNDS = 0, 1


class Square(NamedTuple):
    row: int
    col: int

    def on_board(self):
        return 0 <= self.row < SIZE and 0 <= self.col < SIZE

    def step(self, rows, cols):
        return Square(self.row + rows, self.col + cols)


class State(NamedTuple):
    fox: Square
    hound_a: Square
    hound_b: Square
    hound_c: Square
    turn: int


class FoxAndHounds(gt.Game):
    payoffs = (-10, 10)

    def initial(self):
        return State(Square(5, 2), Square(0, 1), Square(0, 3), Square(0, 5), FOX)

    def player(self, state):
        return state.turn

    def is_free(self, state, square):
        if not square.on_board():
            return False
        return square not in (state.fox, state.hound_a, state.hound_b, state.hound_c)

    def actions(self, state):
        """(which animal, rows, columns), the fox being number 0."""
        if state.turn == FOX:
            for rows in (-1, 1):
                for cols in (-1, 1):
                    if self.is_free(state, state.fox.step(rows, cols)):
                        yield (0, rows, cols)
            return
        for i, hound in enumerate((state.hound_a, state.hound_b, state.hound_c), start=1):
            for cols in (-1, 1):
                if self.is_free(state, hound.step(1, cols)):
                    yield (i, 1, cols)

    def result(self, state, action):
        animal, rows, cols = action
        if animal == 0:
            return state._replace(fox=state.fox.step(rows, cols), turn=HOUNDS)
        elif animal == 1:
            return state._replace(hound_a=state.hound_a.step(rows, cols), turn=FOX)
        elif animal == 2:
            return state._replace(hound_b=state.hound_b.step(rows, cols), turn=FOX)
        else:
            return state._replace(hound_c=state.hound_c.step(rows, cols), turn=FOX)

    def escaped(self, state):
        return state.fox.row <= min(state.hound_a.row, state.hound_b.row, state.hound_c.row)

    def is_terminal(self, state):
        if self.escaped(state):
            return True
        return len(list(self.actions(state))) == 0

    def utility(self, state, player):
        fox_wins = self.escaped(state) or state.turn == HOUNDS
        return 10 if fox_wins == (player == FOX) else -10

    def evaluate(self, state, player):
        value = 5 - state.fox.row + (state.hound_a.row + state.hound_b.row + state.hound_c.row) / 5 - 2
        return value if player == FOX else -value


GAME = FoxAndHounds
DEPTH = 10
