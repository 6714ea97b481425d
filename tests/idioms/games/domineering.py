# mypy: ignore-errors
# ruff: noqa
"""Domineering 4 x 4: one player puts dominoes upright, the other one flat. Who cannot move loses."""

from gametree import Game


class Domineering(Game):
    """The state is (rows, turn) where rows is a tuple of tuples of 0 and 1."""

    N = 4
    payoffs = (-100, 100)

    def initial(self):
        row = (0,) * self.N
        return ((row,) * self.N, 0)

    def player(self, state):
        return state[1]

    def places(self, rows, who):
        dr, dc = (1, 0) if who == 0 else (0, 1)
        for r in range(self.N - dr):
            for c in range(self.N - dc):
                if rows[r][c] == 0 and rows[r + dr][c + dc] == 0:
                    yield (r, c)

    def actions(self, state):
        rows, turn = state
        yield from self.places(rows, turn)

    def result(self, state, action):
        rows, turn = state
        r, c = action
        grid = [list(row) for row in rows]
        grid[r][c] = 1
        if turn == 0:
            grid[r + 1][c] = 1
        else:
            grid[r][c + 1] = 1
        return (tuple(tuple(row) for row in grid), 1 - turn)

    def is_terminal(self, state):
        for place in self.actions(state):
            return False
        return True

    def utility(self, state, player):
        return -100 if state[1] == player else 100

    def evaluate(self, state, player):
        rows, _ = state
        mine = sum(1 for _ in self.places(rows, player))
        theirs = sum(1 for _ in self.places(rows, 1 - player))
        return mine - theirs


GAME = Domineering
DEPTH = None
