# mypy: ignore-errors
# ruff: noqa
"""Grundy's game: heaps split into unequal parts; a sorted tuple of changing length."""
import gametree as gt

class Grundy(gt.Game):
    payoffs = (-1, 1)
    def __init__(self, start=9):
        self.start = start
    def initial(self):
        return ((self.start,), 0)
    def player(self, s):
        return s[1]
    def actions(self, s):
        heaps, mover = s
        for i, h in enumerate(heaps):
            if i > 0 and heaps[i - 1] == h:
                continue
            for k in range(1, (h + 1) // 2):
                yield (i, k)
    def result(self, s, a):
        heaps, mover = s
        i, k = a
        rest = heaps[:i] + heaps[i + 1:]
        return (tuple(sorted(rest + (k, heaps[i] - k))), 1 - mover)
    def is_terminal(self, s):
        return all(h < 3 for h in s[0])
    def utility(self, s, p):
        return -1 if p == s[1] else 1
GAME = Grundy
DEPTH = None
