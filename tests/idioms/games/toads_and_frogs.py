# mypy: ignore-errors
# ruff: noqa
"""Toads and Frogs on a string: toads T move right, frogs F move left, both can hop over one enemy."""

from gametree import Game


class ToadsAndFrogs(Game):
    payoffs = (-1, 1)

    def __init__(self, start="TTT___FFF"):
        self.start = start

    def initial(self):
        return (self.start, "T")

    def player(self, state):
        return "TF".index(state[1])

    def actions(self, state):
        """The square from which a piece moves: it can move in one way only."""
        row, who = state
        moves = []
        for i in range(len(row)):
            if row[i] == who and self.target(row, i) is not None:
                moves.append(i)
        return moves

    def target(self, row, i):
        step = 1 if row[i] == "T" else -1
        enemy = "F" if row[i] == "T" else "T"
        if 0 <= i + step < len(row) and row[i + step] == "_":
            return i + step
        if 0 <= i + 2 * step < len(row) and row[i + step] == enemy and row[i + 2 * step] == "_":
            return i + 2 * step
        return None

    def result(self, state, i):
        row, who = state
        squares = list(row)
        squares[self.target(row, i)] = who
        squares[i] = "_"
        return ("".join(squares), "F" if who == "T" else "T")

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        # no move, no win
        return -1 if self.player(state) == player else 1

    def show(self, state):
        return state[0]


GAME = ToadsAndFrogs
DEPTH = None
