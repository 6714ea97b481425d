# mypy: ignore-errors
# ruff: noqa
"""Sim: two players colour the edges between six points. A triangle in your own colour loses."""

from itertools import combinations
from typing import NamedTuple

import gametree as gt

POINTS = 6
EDGES = list(combinations(range(POINTS), 2))
NUMBER = {edge: i for i, edge in enumerate(EDGES)}
TRIANGLES = [
    1 << NUMBER[a, b] | 1 << NUMBER[a, c] | 1 << NUMBER[b, c] for a, b, c in combinations(range(POINTS), 3)
]


class Coloured(NamedTuple):
    red: int = 0
    blue: int = 0


class Sim(gt.Game):
    payoffs = (-1.0, 1.0)

    def initial(self):
        return Coloured()

    def player(self, s):
        return (s.red | s.blue).bit_count() % 2

    def actions(self, s):
        taken = s.red | s.blue
        return (i for i in range(len(EDGES)) if not taken >> i & 1)

    def result(self, s, i):
        if self.player(s) == 0:
            return s._replace(red=s.red | 1 << i)
        return s._replace(blue=s.blue | 1 << i)

    def has_triangle(self, edges):
        return any(edges & t == t for t in TRIANGLES)

    def is_terminal(self, s):
        return self.has_triangle(s.red) or self.has_triangle(s.blue)

    def utility(self, s, p):
        loser = 0 if self.has_triangle(s.red) else 1
        return -1.0 if p == loser else 1.0

    def danger(self, edges, other):
        """How many triangles are two thirds full and still open."""
        return sum((edges & t).bit_count() == 2 and not other & t for t in TRIANGLES)

    def evaluate(self, s, p):
        h = (self.danger(s.blue, s.red) - self.danger(s.red, s.blue)) / len(TRIANGLES)
        return h if p == 0 else -h

    def name_action(self, s, i):
        a, b = EDGES[i]
        return f"{a + 1}-{b + 1}"


GAME = Sim
DEPTH = 5
