"""The star of Chinese checkers: its holes, their names, and how far they are from each other.

A star of size 4 (121 holes), row by row from the top; a hole is named by its row (a letter, a at the top) and its place
in the row from 1:

               a              the north triangle: rows a to d
              b b
             …
    e e e e e e e e e e e e e     13 holes
"""

from string import ascii_lowercase
from typing import NamedTuple

DIRECTIONS = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))
"""Six steps, clockwise from east, as (rows down, half holes to the right)."""
NOWHERE = -1


class Hole(NamedTuple):
    """A hole: its row from the top, and how far right it is, in halves of the distance between two holes of a row."""

    row: int
    across: int


class Star:
    """The holes of a star whose triangles have `size` rows, numbered row by row from the top."""

    def __init__(self, size: int):
        self.size = size
        self.centre: Hole = Hole(2 * size, 0)
        # Two large triangles, one pointing up and one down.
        up = {Hole(row, across) for row in range(3 * size + 1) for across in range(-row, row + 1, 2)}
        down = {Hole(4 * size - row, across) for row, across in up}
        self.holes: tuple[Hole, ...] = tuple(sorted(up | down))
        self.number: dict[Hole, int] = {hole: number for number, hole in enumerate(self.holes)}
        self.names: tuple[str, ...] = self._names()

    def _names(self) -> tuple[str, ...]:
        names = []
        for hole in self.holes:
            row = [other for other in self.holes if other.row == hole.row]
            names.append(f"{ascii_lowercase[hole.row]}{row.index(hole) + 1}")
        return tuple(names)

    def next_to(self, number: int, direction: int) -> int:
        """The hole one step away, or NOWHERE."""
        hole, (down, right) = self.holes[number], DIRECTIONS[direction]
        return self.number.get(Hole(hole.row + down, hole.across + right), NOWHERE)

    def tip(self, triangle: int) -> int:
        """The outermost hole of a triangle, clockwise from the north, which is 0."""
        size = self.size
        rows_and_sides = (
            (0, 0),
            (size, 3 * size),
            (3 * size, 3 * size),
            (4 * size, 0),
            (3 * size, -3 * size),
            (size, -3 * size),
        )
        return self.number[Hole(*rows_and_sides[triangle])]

    def triangle(self, triangle: int) -> tuple[int, ...]:
        """The holes of a triangle: those fewer than `size` steps from its tip."""
        tip = self.tip(triangle)
        return tuple(hole for hole in range(len(self.holes)) if self.distance(tip, hole) < self.size)

    def distance(self, one: int, other: int) -> int:
        """How many steps two holes are apart."""
        rows = abs(self.holes[one].row - self.holes[other].row)
        across = abs(self.holes[one].across - self.holes[other].across)
        return rows + max(0, across - rows) // 2
