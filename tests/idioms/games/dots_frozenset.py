# mypy: ignore-errors
# ruff: noqa
"""Dots and Boxes on frozensets of edges."""
from typing import NamedTuple, FrozenSet, Tuple
import gametree as gt

Edge = Tuple[int, int, str]

class State(NamedTuple):
    drawn: FrozenSet[Edge]
    scores: Tuple[int, int]
    mover: int

def edges_of(r, c):
    return [(r, c, "h"), (r + 1, c, "h"), (r, c, "v"), (r, c + 1, "v")]

class DotsAndBoxes(gt.Game):
    def __init__(self, rows=2, cols=2):
        self.rows = rows
        self.cols = cols
        edges = []
        for r in range(rows + 1):
            for c in range(cols):
                edges.append((r, c, "h"))
        for r in range(rows):
            for c in range(cols + 1):
                edges.append((r, c, "v"))
        self.edges = tuple(edges)

    def initial(self):
        return State(frozenset(), (0, 0), 0)
    def player(self, s):
        return s.mover
    def actions(self, s):
        return [e for e in self.edges if e not in s.drawn]
    def result(self, s, a):
        drawn = s.drawn | {a}
        gained = 0
        for r in range(self.rows):
            for c in range(self.cols):
                box = edges_of(r, c)
                if a in box and all(e in drawn for e in box):
                    gained += 1
        if gained:
            scores = list(s.scores)
            scores[s.mover] += gained
            return State(drawn, tuple(scores), s.mover)
        return State(drawn, s.scores, 1 - s.mover)
    def is_terminal(self, s):
        return len(s.drawn) == len(self.edges)
    def utility(self, s, p):
        return s.scores[p] - s.scores[1 - p]
    def evaluate(self, s, p):
        return s.scores[p] - s.scores[1 - p]
GAME = DotsAndBoxes
DEPTH = 5
