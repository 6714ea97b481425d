"""Every arithmetic operator between a uint64 and a literal, and between an int and a literal."""

from typing import NamedTuple

import numpy as np

from gametree import Game


class Words(NamedTuple):
    high: np.uint64
    low: int
    ply: int


class Literals(Game):
    """Each action is one operator, on a word whose highest bit is set."""

    def initial(self) -> Words:
        return Words(np.uint64((1 << 63) + 12345), 7, 0)

    def player(self, s: Words) -> int:
        return s.ply & 1

    def actions(self, s: Words) -> range:
        return range(10)

    def result(self, s: Words, a: int) -> Words:
        high, low = s.high, s.low
        if a == 0:
            return Words((high ^ 8) >> 60, low ^ 8, s.ply + 1)
        if a == 1:
            return Words(high & 12, low & 12, s.ply + 1)
        if a == 2:
            return Words(high | 6, low | 6, s.ply + 1)
        if a == 3:
            return Words(high + 3, low + 3, s.ply + 1)
        if a == 4:
            return Words(high - 3, low - 3, s.ply + 1)
        if a == 5:
            return Words(high // 7, low // 7, s.ply + 1)
        if a == 6:
            return Words(high % 1000, low % 1000, s.ply + 1)
        if a == 7:
            return Words((high >> 60) * 3, low * 3, s.ply + 1)
        if a == 8:
            return Words(1 | high, 1 - low, s.ply + 1)
        high ^= 5
        low ^= 5
        return Words(high, low, s.ply + 1)

    def is_terminal(self, s: Words) -> bool:
        return s.ply == 2

    def utility(self, s: Words, p: int) -> float:
        return 0
