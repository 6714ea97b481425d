# mypy: ignore-errors
"""Rules that do not compile, as people write them. `# here` marks the line that is to blame."""

from collections import Counter, defaultdict, deque
from typing import NamedTuple

import numpy as np

from gametree import Game


class Nim(Game):
    """Take one to three; whoever takes the last one wins."""

    def initial(self):
        return (5, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        return range(1, min(3, s[0]) + 1)

    def result(self, s, a):
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, p):
        return -1 if p == s[1] else 1


class Counters(NamedTuple):
    left: int
    mover: int


class Board(NamedTuple):
    stones: np.uint64
    mover: int


class TextState(Nim):
    def initial(self):  # here
        return (5, 0, "●")


class ListInState(Nim):
    def initial(self):  # here
        return (5, [0])


class FloatAtFirst(Nim):
    def initial(self):  # here
        return Counters(5, 0.5)


class FloatLater(Nim):
    def result(self, s, a):
        left = s[0] - a
        return (left / 2, 1 - s[1])  # here


class NamedFloatLater(Nim):
    def initial(self):
        return Counters(5, 0)

    def result(self, s, a):
        return Counters(s[0] / 2, 1 - s[1])  # here


class OtherKind(Nim):
    def result(self, s, a):
        if a == 1:
            return (s[0] - a, 1 - s[1])
        return s[0]  # here


class NoReturn(Nim):
    def result(self, s, a):  # noqa: RET503  # here
        if a > 0:
            return (s[0] - a, 1 - s[1])


class MixedSigns(Nim):
    def initial(self):
        return Board(np.uint64(5), 0)

    def result(self, s, a):
        mover = 1 - s.mover
        return Board(s.stones ^ a, mover)  # here


class MixedSignsOfVariables(Nim):
    def initial(self):
        return Board(np.uint64(5), 0)

    def result(self, s, a):
        stones = s.stones
        step = a + 1
        return Board(stones | step, 1 - s.mover)  # here


class Tally(Nim):
    def utility(self, s, p):
        tally = Counter(s)  # here
        return tally[s[1]] - 2 if p == s[1] else 2 - tally[s[1]]


class Queue(Nim):
    def is_terminal(self, s):
        queue = deque([1], maxlen=3)  # here
        return s[0] == 0 and len(queue) == 1


class TwoTypes(Nim):
    def utility(self, s, p):
        best = 1
        if s[0] == 0:
            best = (1, 2)  # here
        return 1 if best else -1


class TwoKindsOfActions(Nim):
    def actions(self, s):
        yield 1  # here
        yield (2, 3)


class NoActions(Nim):
    def actions(self, s):
        return 5  # here


class ImportsLate(Nim):
    def utility(self, s, p):
        import math  # here

        return math.floor(s[0])


class WithStatement(Nim):
    def utility(self, s, p):
        value = 1
        with open("notes.txt"):  # noqa: PTH123  # here
            return value


class ChangesGlobal(Nim):
    def utility(self, s, p):
        global SEEN
        SEEN = 1  # here
        return SEEN


class ChangesItself(Nim):
    def utility(self, s, p):
        self.seen = 1  # here
        return 1


class DeletesItem(Nim):
    def utility(self, s, p):
        items = [1, 2]
        del items[0]  # here
        return items[0]


class Catches(Nim):
    def utility(self, s, p):
        try:
            return 1 // s[0]
        except ZeroDivisionError:  # here
            return 0


class DictAttribute(Nim):
    def __init__(self):
        self.worth = {"king": object()}

    def utility(self, s, p):
        return 1 if self.worth else -1  # here


class ObjectAttribute(Nim):
    def __init__(self):
        self.thing = object()

    def utility(self, s, p):
        return 1 if self.thing else -1  # here


class AttributeMissing(Nim):
    def evaluate(self, s, p):
        return self.nothing  # here


class NameMissing(Nim):
    def utility(self, s, p):
        return whatever(s)  # noqa: F821  # here


class MixedIndex(Nim):
    def initial(self):
        return (5, 0, 1.5)

    def result(self, s, a):
        return (s[0] - a, 1 - s[1], s[a])  # here


class TextAsUtility(Nim):
    def utility(self, s, p):
        return "won"  # here


class AddsNothing(Nim):
    def utility(self, s, p):
        return s[0] + None  # here


def count(s):
    found = defaultdict(int)  # here: in a helper
    return found[s[0]]


class InHelper(Nim):
    def utility(self, s, p):
        return count(s)


class TwoFaults(Nim):
    def utility(self, s, p):
        return Counter(s)[0]

    def is_terminal(self, s):
        return len(deque([1], maxlen=1)) == 0
