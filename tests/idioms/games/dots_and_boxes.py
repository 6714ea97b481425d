# mypy: ignore-errors
# ruff: noqa
"""Dots and Boxes with 2 x 2 boxes. Whoever closes a box scores and moves again.

The edges:   . 0 . 1 .
             2   3   4
             . 5 . 6 .
             7   8   9
             . 10. 11.
"""

from typing import NamedTuple

from gametree import Game

EDGES = 12
BOXES = [(0, 2, 3, 5), (1, 3, 4, 6), (5, 7, 8, 10), (6, 8, 9, 11)]
BOXES_OF_EDGE = {e: tuple(i for i, box in enumerate(BOXES) if e in box) for e in range(EDGES)}


class State(NamedTuple):
    drawn: int
    score0: int
    score1: int
    mover: int


class DotsAndBoxes(Game):
    def initial(self):
        return State(0, 0, 0, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        return [e for e in range(EDGES) if not s.drawn >> e & 1]

    def is_closed(self, drawn, box):
        return all(drawn >> e & 1 for e in BOXES[box])

    def result(self, s, edge):
        drawn = s.drawn | (1 << edge)
        closed = sum(self.is_closed(drawn, box) for box in BOXES_OF_EDGE[edge])
        if closed == 0:
            return s._replace(drawn=drawn, mover=1 - s.mover)
        if s.mover == 0:
            return s._replace(drawn=drawn, score0=s.score0 + closed)
        return s._replace(drawn=drawn, score1=s.score1 + closed)

    def is_terminal(self, s):
        return s.drawn == (1 << EDGES) - 1

    def utility(self, s, p):
        difference = s.score0 - s.score1
        return difference if p == 0 else -difference

    def evaluate(self, s, p):
        return self.utility(s, p)

    def show(self, s):
        return f"{s.drawn:012b} {s.score0}:{s.score1}"


GAME = DotsAndBoxes
DEPTH = 7
