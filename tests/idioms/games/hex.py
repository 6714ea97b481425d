# mypy: ignore-errors
# ruff: noqa
"""Hex 3x3 with a dict-like frozenset of (cell, colour) and flood fill by sets."""
import gametree as gt
from functools import lru_cache

N = 3

@lru_cache(maxsize=None)
def neighbours(cell):
    r, c = cell
    around = [(r-1,c),(r-1,c+1),(r,c-1),(r,c+1),(r+1,c-1),(r+1,c)]
    return tuple((a, b) for a, b in around if 0 <= a < N and 0 <= b < N)

def connected(cells, starts, is_goal):
    stack = [c for c in cells if c in starts]
    seen = set(stack)
    while stack:
        cell = stack.pop()
        if is_goal(cell):
            return True
        for n in neighbours(cell):
            if n in cells and n not in seen:
                seen.add(n)
                stack.append(n)
    return False

class Hex(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return (frozenset(), frozenset())
    def player(self, s):
        red, blue = s
        return 0 if len(red) == len(blue) else 1
    def actions(self, s):
        return [(r, c) for r in range(N) for c in range(N) if (r, c) not in s[0] and (r, c) not in s[1]]
    def result(self, s, a):
        red, blue = s
        if self.player(s) == 0:
            return (red | {a}, blue)
        return (red, blue | {a})
    def won(self, s, p):
        if p == 0:
            return connected(s[0], {(0, c) for c in range(N)}, lambda cell: cell[0] == N - 1)
        return connected(s[1], {(r, 0) for r in range(N)}, lambda cell: cell[1] == N - 1)
    def is_terminal(self, s):
        return self.won(s, 0) or self.won(s, 1)
    def utility(self, s, p):
        return 1 if self.won(s, p) else -1
GAME = Hex
DEPTH = 5
