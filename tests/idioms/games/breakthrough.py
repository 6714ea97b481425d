# mypy: ignore-errors
# ruff: noqa
"""Breakthrough on 4 x 4 with bitboards. White moves up (to higher bits), black moves down."""

from typing import NamedTuple

from gametree import Game

N = 4
FULL = (1 << N * N) - 1
LEFT_EDGE = 0x1111
RIGHT_EDGE = 0x8888
TOP = 0xF000
BOTTOM = 0x000F


class State(NamedTuple):
    white: int
    black: int
    side: int


def squares(bits):
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Breakthrough(Game):
    payoffs = (-1000, 1000)

    def initial(self):
        return State(0x00FF, 0xFF00, 0)

    def player(self, s):
        return s.side

    def actions(self, s):
        if s.side == 0:
            for a in squares(s.white):
                b = 1 << a
                straight = b << N & ~(s.white | s.black)
                left = (b & ~LEFT_EDGE) << (N - 1) & ~s.white
                right = (b & ~RIGHT_EDGE) << (N + 1) & ~s.white
                for to in squares((straight | left | right) & FULL):
                    yield (a, to)
        else:
            for a in squares(s.black):
                b = 1 << a
                straight = b >> N & ~(s.white | s.black)
                left = (b & ~LEFT_EDGE) >> (N + 1) & ~s.black
                right = (b & ~RIGHT_EDGE) >> (N - 1) & ~s.black
                for to in squares(straight | left | right):
                    yield (a, to)

    def result(self, s, move):
        start, to = 1 << move[0], 1 << move[1]
        if s.side == 0:
            return State(s.white ^ start | to, s.black & ~to, 1)
        return State(s.white & ~to, s.black ^ start | to, 0)

    def is_terminal(self, s):
        return bool(s.white & TOP or s.black & BOTTOM) or s.white == 0 or s.black == 0

    def utility(self, s, p):
        # the last move won
        return -1000 if p == s.side else 1000

    def evaluate(self, s, p):
        score = 10 * (s.white.bit_count() - s.black.bit_count())
        for sq in squares(s.white):
            score += sq // N
        for sq in squares(s.black):
            score -= N - 1 - sq // N
        return score if p == 0 else -score


GAME = Breakthrough
DEPTH = 6
