# mypy: ignore-errors
# ruff: noqa
"""Chopsticks with an Enum of players and named-tuple actions."""
from enum import Enum
from typing import NamedTuple
import gametree as gt

class Side(Enum):
    LEFT = "left"
    RIGHT = "right"

class Who(Enum):
    FIRST = 0
    SECOND = 1
    @property
    def other(self):
        return Who.SECOND if self is Who.FIRST else Who.FIRST

class Hands(NamedTuple):
    left: int
    right: int

class Tap(NamedTuple):
    source: Side
    target: Side

class State(NamedTuple):
    first: Hands
    second: Hands
    turn: Who
    ply: int

class Chopsticks(gt.Game):
    payoffs = (-1, 1)
    def initial(self): return State(Hands(1, 1), Hands(1, 1), Who.FIRST, 0)
    def player(self, s): return s.turn.value
    def hand(self, hands, side):
        return hands.left if side is Side.LEFT else hands.right
    def actions(self, s):
        mine, theirs = (s.first, s.second) if s.turn is Who.FIRST else (s.second, s.first)
        return [Tap(a, b) for a in Side for b in Side if self.hand(mine, a) > 0 and self.hand(theirs, b) > 0]
    def result(self, s, a):
        mine, theirs = (s.first, s.second) if s.turn is Who.FIRST else (s.second, s.first)
        total = (self.hand(mine, a.source) + self.hand(theirs, a.target)) % 5
        if a.target is Side.LEFT:
            theirs = theirs._replace(left=total)
        else:
            theirs = theirs._replace(right=total)
        if s.turn is Who.FIRST:
            return State(mine, theirs, s.turn.other, s.ply + 1)
        return State(theirs, mine, s.turn.other, s.ply + 1)
    def is_terminal(self, s):
        return s.first == Hands(0, 0) or s.second == Hands(0, 0) or s.ply >= 30
    def utility(self, s, p):
        if s.first == Hands(0, 0):
            return -1 if p == 0 else 1
        if s.second == Hands(0, 0):
            return 1 if p == 0 else -1
        return 0
    def evaluate(self, s, p):
        return 0
GAME = Chopsticks
DEPTH = 7
