# mypy: ignore-errors
# ruff: noqa
"""Pig with a target of 10: chance, texts as actions."""
from dataclasses import dataclass
import gametree as gt

@dataclass(frozen=True)
class Turn:
    scores: tuple[int, int]
    pot: int
    mover: int
    rolling: bool

class Pig(gt.Game):
    payoffs = (-1, 1)
    target = 6
    def initial(self): return Turn((0, 0), 0, 0, False)
    def player(self, s): return gt.CHANCE if s.rolling else s.mover
    def chance(self, s): return [(face, 1 / 6) for face in range(1, 7)]
    def actions(self, s):
        if s.rolling:
            return list(range(1, 7))
        return [1, 2] if s.pot else [1]
    def result(self, s, a):
        if s.rolling:
            if a == 1:
                return Turn(s.scores, 0, 1 - s.mover, False)
            return Turn(s.scores, s.pot + a, s.mover, False)
        if a == 1:
            return Turn(s.scores, s.pot, s.mover, True)
        scores = tuple(x + s.pot if i == s.mover else x for i, x in enumerate(s.scores))
        return Turn(scores, 0, 1 - s.mover, False)
    def is_terminal(self, s): return max(s.scores) >= self.target
    def utility(self, s, p): return 1 if s.scores[p] >= self.target else -1
    def evaluate(self, s, p): return (s.scores[p] - s.scores[1 - p]) / 100
GAME = Pig
DEPTH = 6
