# mypy: ignore-errors
# ruff: noqa
"""Connect Three: like Connect Four, on a board with four columns of four."""

from typing import Iterable, NamedTuple

import numpy as np

from gametree import Game


class State(NamedTuple):
    cells: tuple[int, ...]
    heights: tuple[int, int, int, int]
    mover: int
    last: int  # where the last stone lies


class ConnectThree(Game):
    COLUMNS = 4
    ROWS = 4
    payoffs = (-1, 1)

    def __init__(self) -> None:
        self.weights_of_cells = np.array([1, 2, 2, 1, 2, 4, 4, 2, 2, 4, 4, 2, 1, 2, 2, 1]) / 100

    @property
    def squares(self) -> int:
        return self.COLUMNS * self.ROWS

    def initial(self) -> State:
        return State((0,) * self.squares, (0, 0, 0, 0), 0, -1)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterable[int]:
        for column in sorted(range(self.COLUMNS), key=lambda c: abs(2 * c - 3)):
            if state.heights[column] < self.ROWS:
                yield column

    def result(self, state: State, column: int) -> State:
        cell = state.heights[column] * self.COLUMNS + column
        cells = tuple(state.mover + 1 if i == cell else old for i, old in enumerate(state.cells))
        heights = tuple(h + (i == column) for i, h in enumerate(state.heights))
        return State(cells, heights, 1 - state.mover, cell)

    def ray(self, state: State, dr: int, dc: int) -> int:
        """How many equal stones follow the last one in this direction."""
        r, c = divmod(state.last, self.COLUMNS)
        n = 0
        while True:
            r, c = r + dr, c + dc
            if not (0 <= r < self.ROWS and 0 <= c < self.COLUMNS):
                return n
            if state.cells[r * self.COLUMNS + c] != state.cells[state.last]:
                return n
            n += 1

    def won(self, state: State) -> bool:
        if state.last < 0:
            return False
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if 1 + self.ray(state, dr, dc) + self.ray(state, -dr, -dc) >= 3:
                return True
        return False

    def is_terminal(self, state: State) -> bool:
        return self.won(state) or min(state.heights) == self.ROWS

    def utility(self, state: State, player: int) -> float:
        if not self.won(state):
            return 0
        return -1 if player == state.mover else 1

    def evaluate(self, state: State, player: int) -> float:
        score = 0.0
        for i in range(self.squares):
            if state.cells[i] == player + 1:
                score += self.weights_of_cells[i]
            elif state.cells[i] == 2 - player:
                score -= self.weights_of_cells[i]
        return score


GAME = ConnectThree
DEPTH = 10
