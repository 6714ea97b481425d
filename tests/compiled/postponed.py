# mypy: ignore-errors
"""Annotations that are text, as `from __future__ import annotations` makes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gametree import Game


class Position(NamedTuple):
    stones: np.uint64
    mover: int
    swapped: bool
    cells: tuple[int, ...]


class Postponed(Game):
    """Take one of the upper bits; the last one wins."""

    def initial(self) -> Position:
        return Position(np.uint64(0b111 << 61), 0, False, (0, 0, 0))

    def player(self, s: Position) -> int:
        return s.mover

    def actions(self, s: Position):
        for i in range(3):
            if s.stones >> np.uint64(61 + i) & np.uint64(1):
                yield i

    def result(self, s: Position, a: int) -> Position:
        cells = tuple(c + 1 if i == a else c for i, c in enumerate(s.cells))
        return Position(s.stones ^ np.uint64(1) << np.uint64(61 + a), 1 - s.mover, not s.swapped, cells)

    def is_terminal(self, s: Position) -> bool:
        return s.stones == 0

    def utility(self, s: Position, p: int) -> float:
        return -1 if p == s.mover else 1
