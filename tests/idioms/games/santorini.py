# mypy: ignore-errors
# ruff: noqa
"""A tiny Santorini with tuples of tuples and nested tuples as actions."""
from typing import NamedTuple
import gametree as gt

SIZE = 3
DIRS = {"n": (-1, 0), "s": (1, 0), "w": (0, -1), "e": (0, 1)}

class Pos(NamedTuple):
    r: int
    c: int
    def step(self, d):
        dr, dc = DIRS[d]
        return Pos(self.r + dr, self.c + dc)
    def inside(self):
        return 0 <= self.r < SIZE and 0 <= self.c < SIZE

class State(NamedTuple):
    heights: tuple
    workers: tuple
    player: int

class Santorini(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return State(tuple(tuple(0 for _ in range(SIZE)) for _ in range(SIZE)), (Pos(0, 1), Pos(2, 1)), 0)
    def player(self, s):
        return s.player
    def actions(self, s):
        me = s.workers[s.player]
        other = s.workers[1 - s.player]
        for move in DIRS:
            to = me.step(move)
            if not to.inside() or to == other:
                continue
            if s.heights[to.r][to.c] > min(3, s.heights[me.r][me.c] + 1):
                continue
            for build in DIRS:
                at = to.step(build)
                if at.inside() and at != other and s.heights[at.r][at.c] < 4:
                    yield (move, build)
    def result(self, s, a):
        move, build = a
        to = s.workers[s.player].step(move)
        at = to.step(build)
        heights = tuple(
            tuple(h + 1 if (r, c) == (at.r, at.c) else h for c, h in enumerate(row))
            for r, row in enumerate(s.heights)
        )
        workers = (to, s.workers[1]) if s.player == 0 else (s.workers[0], to)
        return State(heights, workers, 1 - s.player)
    def is_terminal(self, s):
        before = s.workers[1 - s.player]
        return s.heights[before.r][before.c] == 3 or not list(self.actions(s))
    def utility(self, s, p):
        return -1 if p == s.player else 1
    def evaluate(self, s, p):
        mine, theirs = s.workers[p], s.workers[1 - p]
        return (s.heights[mine.r][mine.c] - s.heights[theirs.r][theirs.c]) / 10
GAME = Santorini
DEPTH = 4
