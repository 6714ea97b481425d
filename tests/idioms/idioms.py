# mypy: ignore-errors
# ruff: noqa
"""Fifty ways in which people write rules in plain Python, each as a tiny two-player zero-sum game."""

import functools
import itertools
import math
from collections import Counter, namedtuple
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from gametree import Game


class TwoPiles(NamedTuple):
    left: int
    right: int
    mover: int


class Cells(NamedTuple):
    board: tuple[int, ...]
    mover: int


class ReplaceState(Game):
    """The next state with s._replace(...)."""

    def initial(self):
        return TwoPiles(3, 3, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for k in range(1, s.left + 1):
            yield k
        for k in range(1, s.right + 1):
            yield -k

    def result(self, s, a):
        if a > 0:
            return s._replace(left=s.left - a, mover=1 - s.mover)
        return s._replace(right=s.right + a, mover=1 - s.mover)

    def is_terminal(self, s):
        return s.left == 0 and s.right == 0

    def utility(self, s, p):
        return -1 if p == s.mover else 1


class TupleFromList(Game):
    """A copy of the board as a list, changed, and made a tuple again."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(5):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def has_pair(self, board, mark):
        for i in range(4):
            if board[i] == mark and board[i + 1] == mark:
                return True
        return False

    def is_terminal(self, s):
        return 0 not in s.board or self.has_pair(s.board, 1) or self.has_pair(s.board, 2)

    def utility(self, s, p):
        if self.has_pair(s.board, p + 1):
            return 1
        return -1 if self.has_pair(s.board, 2 - p) else 0


class SlicePut(Game):
    """One cell of a tuple replaced with b[:i] + (x,) + b[i+1:]."""

    def initial(self):
        return Cells((0,) * 6, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for i in range(6):
            if not state.board[i]:
                yield i

    def result(self, state, i):
        b = state.board
        return Cells(b[:i] + (1,) + b[i + 1:], 1 - state.mover)

    def is_terminal(self, state):
        b = state.board
        for i in range(4):
            if b[i] and b[i + 1] and b[i + 2]:
                return True
        return False

    def utility(self, state, player):
        # whoever made three in a row loses
        return 1 if player == state.mover else -1


ROWS_AND_COLUMNS = ((0, 1, 2), (3, 4, 5), (0, 3), (1, 4), (2, 5))


class AnyAllGenerator(Game):
    """any and all over generator expressions."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(6):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        board = tuple(s.mover + 1 if i == a else s.board[i] for i in range(6))
        return Cells(board, 1 - s.mover)

    def won(self, s, p):
        return any(all(s.board[i] == p + 1 for i in line) for line in ROWS_AND_COLUMNS)

    def is_terminal(self, s):
        return self.won(s, 0) or self.won(s, 1) or all(c != 0 for c in s.board)

    def utility(self, s, p):
        return int(self.won(s, p)) - int(self.won(s, 1 - p))


class SumGenerator(Game):
    """sum over a generator expression."""

    def initial(self):
        return (0, 0, 0, 0, 0)

    def player(self, owner):
        return sum(1 for o in owner if o != 0) % 2

    def actions(self, owner):
        for i in range(5):
            if owner[i] == 0:
                yield i

    def result(self, owner, a):
        mark = self.player(owner) + 1
        new = list(owner)
        new[a] = mark
        return tuple(new)

    def is_terminal(self, owner):
        return 0 not in owner

    def score(self, owner, p):
        return sum((i + 1) * (i + 1) for i in range(5) if owner[i] == p + 1)

    def utility(self, owner, p):
        return self.score(owner, p) - self.score(owner, 1 - p)


class TwoMasks(NamedTuple):
    first: int
    second: int


class BitCountMethod(Game):
    """Counting bits with .bit_count()."""

    def initial(self):
        return TwoMasks(0, 0)

    def player(self, s):
        return 0 if s.first.bit_count() == s.second.bit_count() else 1

    def actions(self, s):
        for i in range(6):
            if not (s.first | s.second) & (1 << i):
                yield i

    def result(self, s, a):
        if self.player(s) == 0:
            return TwoMasks(s.first | 1 << a, s.second)
        return TwoMasks(s.first, s.second | 1 << a)

    def is_terminal(self, s):
        return (s.first | s.second).bit_count() == 6

    def utility(self, s, p):
        # two neighbouring cells are worth a point
        points = (s.first & s.first >> 1).bit_count() - (s.second & s.second >> 1).bit_count()
        return points if p == 0 else -points


class YieldFrom(Game):
    """actions made of other generators with yield from."""

    def initial(self):
        return (0, 0)

    def player(self, s):
        return s[1]

    def steps(self, s):
        for k in (1, 2):
            if s[0] + k <= 7:
                yield k

    def leaps(self, s):
        if s[0] % 2 == 1 and s[0] + 4 <= 7:
            yield 4

    def actions(self, s):
        yield from self.leaps(s)
        yield from self.steps(s)

    def result(self, s, a):
        return (s[0] + a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 7

    def utility(self, s, p):
        return -1 if p == s[1] else 1


class ReversedRange(Game):
    """reversed(range(...)) to find where a stone lands, reversed over a column to see the top."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0, 0), 0)  # two columns of three, top row first

    def player(self, s):
        return s.mover

    def actions(self, s):
        for column in range(2):
            if s.board[column] == 0:
                yield column

    def result(self, s, column):
        board = list(s.board)
        for row in reversed(range(3)):
            if board[2 * row + column] == 0:
                board[2 * row + column] = s.mover + 1
                break
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return s.board[0] != 0 and s.board[1] != 0

    def utility(self, s, p):
        weight, total = 1, 0
        for stone in reversed(s.board):
            total += weight if stone == 1 else -weight
            weight += 2
        return total if p == 0 else -total


class Walrus(Game):
    """An assignment expression in an if and in a while."""

    def initial(self):
        return (9, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        k = 1
        while (rest := s[0] - k) >= 0:
            if rest != 4:
                yield k
            k *= 2

    def result(self, s, a):
        if (left := s[0] - a) > 5:
            left -= 1
        return (left, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, p):
        return 1 if p != s[1] else -1


EXITS = {0: (1, 2), 1: (3,), 2: (3, 4), 3: (4, 5, 6), 4: (6,), 5: (6, 7), 6: (7,), 7: ()}


class GlobalDict(Game):
    """A dict at module level from int to a tuple."""

    def initial(self):
        return (0, 0)

    def player(self, state):
        node, mover = state
        return mover

    def actions(self, state):
        node, mover = state
        return EXITS[node]

    def result(self, state, action):
        node, mover = state
        return (action, 1 - mover)

    def is_terminal(self, state):
        node, mover = state
        return len(EXITS[node]) == 0

    def utility(self, state, player):
        node, mover = state
        return -1 if player == mover else 1


DIRECTIONS = [(-1, 0), (1, 0), (0, -1), (0, 1)]


class Walk(NamedTuple):
    row: int
    col: int
    visited: int
    mover: int


class GlobalListOfTuples(Game):
    """A list of tuples at module level, unpacked in a loop."""

    def initial(self):
        return Walk(0, 0, 1, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for dr, dc in DIRECTIONS:
            r, c = s.row + dr, s.col + dc
            if 0 <= r < 3 and 0 <= c < 3 and not s.visited >> (3 * r + c) & 1:
                yield (r, c)

    def result(self, s, a):
        r, c = a
        return Walk(r, c, s.visited | 1 << (3 * r + c), 1 - s.mover)

    def is_terminal(self, s):
        for move in self.actions(s):
            return False
        return True

    def utility(self, s, p):
        return -1 if p == s.mover else 1


class ReturnEmptyList(Game):
    """`return []` where nothing can be done, and a list filled with append otherwise."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def decided(self, s):
        return s.board[0] == s.board[4] and s.board[0] != 0

    def actions(self, s):
        if self.decided(s):
            return []
        moves = []
        for i in range(len(s.board)):
            if s.board[i] == 0:
                moves.append(i)
        return moves

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return len(self.actions(s)) == 0

    def utility(self, s, p):
        return 0 if not self.decided(s) else 1 if s.board[0] == p + 1 else -1


class TupleCount(Game):
    """tuple.count for whose turn it is, whether the board is full and who has more."""

    def initial(self):
        return (0, 0, 0, 0, 0)

    def player(self, board):
        return 0 if board.count(1) == board.count(2) else 1

    def actions(self, board):
        for i in range(len(board)):
            if board[i] == 0:
                yield i

    def result(self, board, i):
        mark = self.player(board) + 1
        cells = list(board)
        cells[i] = mark
        # a stone converts its right neighbour
        if i < 4 and cells[i + 1] != 0:
            cells[i + 1] = mark
        return tuple(cells)

    def is_terminal(self, board):
        return board.count(0) == 0 or board.count(1) > 3 or abs(board.count(1) - board.count(2)) > 1

    def utility(self, board, p):
        return board.count(p + 1) - board.count(2 - p)


class ListComprehension(Game):
    """actions returns a list comprehension with a condition."""

    def initial(self):
        return (1, 0)

    def player(self, state):
        return state[1]

    def actions(self, state):
        return [factor for factor in range(2, 6) if state[0] * factor <= 60]

    def result(self, state, action):
        return (state[0] * action, 1 - state[1])

    def is_terminal(self, state):
        return state[0] * 2 > 60

    def utility(self, state, player):
        return 1 if state[1] != player else -1


class NestedLoops(Game):
    """A generator with nested loops that yields tuples."""

    def initial(self):
        return Cells((1, 2, 3), 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for heap in range(3):
            for amount in range(1, state.board[heap] + 1):
                yield (heap, amount)

    def result(self, state, action):
        heap, amount = action
        heaps = list(state.board)
        heaps[heap] -= amount
        return Cells(tuple(heaps), 1 - state.mover)

    def is_terminal(self, state):
        return state.board == (0, 0, 0)

    def utility(self, state, player):
        if state.mover == player:
            return -1
        else:
            return 1


class MinMaxKeyDefault(Game):
    """max with key= and min with default=."""

    def initial(self):
        return Cells((2, 3, 4), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        biggest = max(range(3), key=lambda i: s.board[i])
        smallest = min((i for i in range(3) if 0 < s.board[i] < s.board[biggest]), default=biggest)
        yield biggest
        if smallest != biggest:
            yield smallest

    def result(self, s, a):
        heaps = list(s.board)
        heaps[a] -= 1
        return Cells(tuple(heaps), 1 - s.mover)

    def is_terminal(self, s):
        return max(s.board) == 1 or s.board[0] == 0

    def utility(self, s, p):
        worth = 1 if min(s.board) == 0 else 2
        return worth if p == s.mover else -worth


class SortedKeyLambda(Game):
    """The moves sorted with a key, the centre first."""

    def initial(self):
        return Cells((0,) * 5, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        empty = [i for i in range(5) if s.board[i] == 0]
        return sorted(empty, key=lambda i: abs(i - 2))

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        # the middle three decide
        mine = 0
        for i in (1, 2, 3):
            if s.board[i] == p + 1:
                mine += 1
        return 1 if mine >= 2 else -1


PRICES = (3, 1, 4, 1, 5)


class EnumerateZip(Game):
    """enumerate over the board and zip of two tuples."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i, owner in enumerate(s.board):
            if owner == 0:
                yield i

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        total = 0
        for owner, price in zip(s.board, PRICES):
            if owner == p + 1:
                total += price
            else:
                total -= price
        return total


BLOCKED = (3, 8)


class Membership(Game):
    """`in` and `not in` with a tuple, a set literal and a range."""

    def initial(self):
        return (0, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        for step in (1, 2, 3):
            if s[0] + step not in BLOCKED and s[0] + step in range(12):
                yield step

    def result(self, s, a):
        place = s[0] + a
        if place in {5, 10}:  # a ladder
            place += 1
        return (place, 1 - s[1])

    def is_terminal(self, s):
        return s[0] in (11, 12)

    def utility(self, s, p):
        return 1 if s[1] != p else -1


class NestedFunction(Game):
    """A function and a lambda defined inside methods."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        free = lambda i: s.board[i] == 0
        for i in range(5):
            if free(i):
                yield i

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        def run(mark):
            best, now = 0, 0
            for c in s.board:
                now = now + 1 if c == mark else 0
                best = max(best, now)
            return best

        return run(p + 1) - run(2 - p)


class StaticAndProperty(Game):
    """Class constants, a static method and a property of the game."""

    GOAL = 10
    STEPS = (1, 2, 3)

    @staticmethod
    def other(player):
        return 1 - player

    @property
    def last_start(self):
        return self.GOAL - min(self.STEPS)

    def initial(self):
        return (0, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        return [k for k in self.STEPS if s[0] + k <= self.GOAL]

    def result(self, s, a):
        return (s[0] + a, self.other(s[1]))

    def is_terminal(self, s):
        return s[0] > self.last_start

    def utility(self, s, p):
        return 1 if StaticAndProperty.other(s[1]) == p else -1


class Stone(IntEnum):
    EMPTY = 0
    BLACK = 1
    WHITE = 2


class IntEnumMembers(Game):
    """Members of an IntEnum in the board and in comparisons."""

    def initial(self):
        return Cells((Stone.EMPTY,) * 5, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(5):
            if s.board[i] == Stone.EMPTY:
                yield i

    def result(self, s, a):
        stone = Stone.BLACK if s.mover == 0 else Stone.WHITE
        board = list(s.board)
        board[a] = stone
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return Stone.EMPTY not in s.board

    def utility(self, s, p):
        # black wants neighbours of different colours
        changes = 0
        for i in range(4):
            if s.board[i] != s.board[i + 1]:
                changes += 1
        black = 1 if changes >= 3 else -1
        return black if p == 0 else -black


def flood(board, i, mark, seen):
    """The set of cells (as bits) connected with cell i of a 2 x 3 board."""
    if seen >> i & 1 or board[i] != mark:
        return seen
    seen |= 1 << i
    if i % 3 > 0:
        seen = flood(board, i - 1, mark, seen)
    if i % 3 < 2:
        seen = flood(board, i + 1, mark, seen)
    return flood(board, (i + 3) % 6, mark, seen)


class FloodFill(Game):
    """A recursive helper function: flood fill."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(6):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def largest(self, s, mark):
        best = 0
        for i in range(6):
            best = max(best, bin(flood(s.board, i, mark, 0)).count("1"))
        return best

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        return self.largest(s, p + 1) - self.largest(s, 2 - p)


class TernaryChain(Game):
    """Ternaries inside each other, chained comparisons and early returns."""

    def initial(self):
        return (5, 5, 0)  # a tug of war: rope, rounds left, mover

    def player(self, s):
        return s[2]

    def actions(self, s):
        return (1, 2) if 3 <= s[0] <= 7 else (1,)

    def result(self, s, a):
        rope = s[0] + a if s[2] == 0 else s[0] - a
        if rope < 0:
            return (0, s[1] - 1, 1 - s[2])
        return (rope, s[1] - 1, 1 - s[2])

    def is_terminal(self, s):
        if s[1] == 0:
            return True
        return not 0 < s[0] < 8

    def utility(self, s, p):
        first = 1 if s[0] > 5 else -1 if s[0] < 5 else 0
        return first if p == 0 else -first


class WhileSlide(Game):
    """while loops, one with continue."""

    def initial(self):
        return (0, 7, 0)  # two rooks on a line of eight

    def player(self, s):
        return s[2]

    def gap(self, s):
        n = 0
        while s[0] + n + 1 < s[1]:
            n += 1
        return n

    def actions(self, s):
        k = 0
        while k < min(self.gap(s), 4):
            k += 1
            if k == 3:
                continue
            yield k

    def result(self, s, a):
        return (s[0] + a, s[1], 1) if s[2] == 0 else (s[0], s[1] - a, 0)

    def is_terminal(self, s):
        return self.gap(s) == 0

    def utility(self, s, p):
        return -1 if p == s[2] else 1


class ForElse(Game):
    """A for loop with else."""

    def initial(self):
        return (2, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        # go on to another prime, at most six further
        for n in range(s[0] + 1, s[0] + 7):
            for d in range(2, n):
                if n % d == 0:
                    break
            else:
                yield n

    def result(self, s, a):
        return (a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] >= 23

    def utility(self, s, p):
        return -1 if p == s[1] else 1


class MatchInt(Game):
    """A match statement on an int."""

    def initial(self):
        return TwoPiles(2, 4, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        if s.left > 0:
            yield 0
        if s.right > 0:
            yield 1
        if s.left > 0 and s.right > 0:
            yield 2

    def result(self, s, a):
        match a:
            case 0:
                return TwoPiles(s.left - 1, s.right, 1 - s.mover)
            case 1:
                return TwoPiles(s.left, s.right - 1, 1 - s.mover)
            case _:
                return TwoPiles(s.left - 1, s.right - 1, 1 - s.mover)

    def is_terminal(self, s):
        return s.left + s.right == 0

    def utility(self, s, p):
        return -1 if s.mover == p else 1


class DivmodWrap(Game):
    """divmod for row and column, % and // of negative numbers on a board that wraps around."""

    def initial(self):
        return (0, 1, 0)  # where the token is, visited cells, mover

    def player(self, s):
        return s[2]

    def actions(self, s):
        row, col = divmod(s[0], 3)
        for to in (row * 3 + (col - 1) % 3, (row - 1) % 3 * 3 + col):
            if not s[1] & 1 << to:
                yield to

    def result(self, s, a):
        return (a, s[1] | 1 << a, 1 - s[2])

    def is_terminal(self, s):
        return len(list(self.actions(s))) == 0

    def utility(self, s, p):
        balance = (s[0] - 5) // 2  # rounds down: -3 .. 1
        return balance if p == 0 else -balance


class FloatPayoffs(Game):
    """Payoffs with decimals: round, abs, min, max and true division."""

    def initial(self):
        return (0.0, 0)

    def player(self, s):
        return s[1] % 2

    def actions(self, s):
        return range(1, 5)

    def result(self, s, a):
        temperature, turn = s
        if turn % 2 == 0:
            temperature += a / 2
        else:
            temperature -= abs(a - 3) * 0.75
        return (max(-2.0, min(3.0, temperature)), turn + 1)

    def is_terminal(self, s):
        return s[1] == 4

    def utility(self, s, p):
        gain = round(s[0] / 3, 2)
        return gain if p == 0 else -gain


class BinCountInt(Game):
    """A state which is only an int, and bin(x).count("1")."""

    def initial(self):
        return 0

    def player(self, state):
        return bin(state).count("1") % 2

    def actions(self, state):
        for i in range(6):
            if not state & (1 << i):
                yield i

    def result(self, state, action):
        return state | (1 << action)

    def is_terminal(self, state):
        # three in a row
        return state & (state >> 1) & (state >> 2) != 0

    def utility(self, state, player):
        return 1 if self.player(state) != player else -1


class LowestBit(Game):
    """Bit tricks: x & -x, x & (x - 1), bit_length."""

    def initial(self):
        return TwoMasks(0, 0b110110)

    def player(self, s):
        return s.first

    def actions(self, s):
        rest = s.second
        while rest:
            low = rest & -rest
            yield low.bit_length() - 1
            rest &= rest - 1

    def result(self, s, a):
        mask = s.second ^ (1 << a)
        if a > 0:
            mask &= ~(1 << (a - 1))
        return TwoMasks(s.first ^ 1, mask)

    def is_terminal(self, s):
        return s.second == 0

    def utility(self, s, p):
        return -1 if p == s.first else 1


class MathFunctions(Game):
    """Functions of the math module: isqrt, gcd, sqrt, floor."""

    def initial(self):
        return (14, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        for root in range(1, math.isqrt(s[0]) + 1):
            yield root * root
        if math.gcd(s[0], 6) == 3:
            yield s[0] - math.floor(math.sqrt(s[0]))

    def result(self, s, a):
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, p):
        return 1 if p != s[1] else -1


class Runner(NamedTuple):
    place: int
    fuel: int


class Race(NamedTuple):
    first: Runner
    second: Runner
    mover: int


class NestedNamedTuple(Game):
    """A NamedTuple inside a NamedTuple."""

    def initial(self):
        return Race(Runner(0, 3), Runner(1, 3), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        me = s.first if s.mover == 0 else s.second
        for speed in range(1, min(2, me.fuel) + 1):
            yield speed
        yield 0

    def result(self, s, a):
        if s.mover == 0:
            return Race(Runner(s.first.place + 2 * a + 1, s.first.fuel - a), s.second, 1)
        return Race(s.first, Runner(s.second.place + 2 * a + 1, s.second.fuel - a), 0)

    def is_terminal(self, s):
        return s.first.place >= 6 or s.second.place >= 6

    def utility(self, s, p):
        lead = s.first.place - s.second.place
        return lead if p == 0 else -lead


class Tug(NamedTuple):
    board: tuple[int, ...]
    mover: int

    @property
    def empty(self):
        return [i for i, c in enumerate(self.board) if c == 0]

    @property
    def mark(self):
        return self.mover + 1

    def full(self):
        return 0 not in self.board

    def place(self, i):
        board = list(self.board)
        board[i] = self.mark
        return Tug(tuple(board), 1 - self.mover)


class StateMethods(Game):
    """Methods and properties on the NamedTuple of the state."""

    def initial(self):
        return Tug((0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        return s.empty

    def result(self, s, a):
        return s.place(a)

    def is_terminal(self, s):
        return s.full()

    def utility(self, s, p):
        # whoever owns both neighbours of the middle; otherwise the middle itself counts
        owner = s.board[1] if s.board[1] == s.board[3] else s.board[2]
        return 1 if owner == p + 1 else -1


class StarUnpack(Game):
    """Unpacking with a star: take a coin from either end of a row which gets shorter."""

    def initial(self):
        return ((4, 2, 7, 1, 5, 3), 0, 0, 0)

    def player(self, state):
        *_, mover = state
        return mover

    def actions(self, state):
        return (0, 1)

    def result(self, state, action):
        row, first, second, mover = state
        if action == 0:
            coin, *rest = row
        else:
            *rest, coin = row
        if mover == 0:
            return (tuple(rest), first + coin, second, 1)
        return (tuple(rest), first, second + coin, 0)

    def is_terminal(self, state):
        return len(state[0]) == 0

    def utility(self, state, player):
        _, first, second, _ = state
        return first - second if player == 0 else second - first


class TupleRepeat(Game):
    """Repetition and concatenation of tuples: pins falling over."""

    def initial(self):
        return Cells((1,) * 7, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(7):
            for n in (1, 2):
                if s.board[i:i + n] == (1,) * n:
                    yield (i, n)

    def result(self, s, a):
        i, n = a
        return Cells(s.board[:i] + (0,) * n + s.board[i + n:], 1 - s.mover)

    def is_terminal(self, s):
        return sum(s.board) <= 3

    def utility(self, s, p):
        value = 1 if sum(s.board) == 3 else -1
        return value if p == s.mover else -value


class ItertoolsProduct(Game):
    """itertools.product instead of two loops."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for r, c in itertools.product(range(2), range(3)):
            if s.board[r * 3 + c] == 0:
                yield (r, c)

    def result(self, s, a):
        r, c = a
        board = list(s.board)
        board[r * 3 + c] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        # a point for each column with two different owners goes to the second player
        split = 0
        for c in range(3):
            if s.board[c] != s.board[c + 3]:
                split += 1
        return 1 - split if p == 0 else split - 1


GRAPH = [[1, 2], [0, 2, 3], [0, 1, 3, 4], [1, 2, 4], [2, 3, 5], [4]]


class RaggedGraph(Game):
    """Neighbours as a list of lists of different lengths at module level."""

    def initial(self):
        return Cells((0,) * 6, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        # colour a vertex that has no neighbour of the other colour
        for v in range(len(GRAPH)):
            if s.board[v] == 0:
                clashes = 0
                for w in GRAPH[v]:
                    clashes += s.board[w] == 2 - s.mover
                if clashes == 0:
                    yield v

    def result(self, s, v):
        board = list(s.board)
        board[v] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        for v in self.actions(s):
            return False
        return True

    def utility(self, s, p):
        return -1 if p == s.mover else 1


class SuperCall(TupleFromList):
    """Inheritance: a variant of another game which calls super()."""

    def is_terminal(self, s):
        if s.board[2] != 0 and s.board[0] == s.board[4] == s.board[2]:
            return True
        return super().is_terminal(s)

    def result(self, s, a):
        after = super().result(s, a)
        if a == 2 and s.board[1] != 0:
            return Cells(after.board, s.mover)  # move again
        return after

    def utility(self, s, p):
        return 2 * super().utility(s, p)


@functools.cache
def fibonacci(n):
    if n < 2:
        return 1
    return fibonacci(n - 1) + fibonacci(n - 2)


class CachedHelper(Game):
    """A helper function with functools.cache."""

    def initial(self):
        return (11, 0)

    def player(self, s):
        return s[1]

    def actions(self, s):
        n = 1
        while fibonacci(n) <= s[0]:
            yield fibonacci(n)
            n += 1

    def result(self, s, a):
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] <= 1

    def utility(self, s, p):
        # the last counter is poison
        winner = s[1] if s[0] == 0 else 1 - s[1]
        return 1 if p == winner else -1


class RaiseAndAssert(Game):
    """raise with an f-string, assert with a message."""

    def initial(self):
        return Cells((0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(4):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        if s.board[a] != 0:
            raise ValueError(f"cell {a} is already taken by {s.board[a]}")
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        assert self.is_terminal(s), "utility is only for finished games"
        assert p in (0, 1), f"there is no player {p}"
        return 1 if (s.board[0] == s.board[3]) == (p == 0) else -1


class DefaultArguments(Game):
    """Default and keyword arguments in calls of helpers."""

    def initial(self):
        return Cells((0,) * 6, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(6):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        board = list(s.board)
        board[a] = s.mover + 1
        return Cells(board=tuple(board), mover=1 - s.mover)

    def stones(self, s, p, start=0, stop=6, step=1):
        n = 0
        for i in range(start, stop, step):
            if s.board[i] == p + 1:
                n += 1
        return n

    def is_terminal(self, s):
        return self.stones(s, 0) + self.stones(s, 1, step=1) == 6

    def utility(self, s, p):
        mine = self.stones(s, p, step=2) + self.stones(s, p, start=3)
        return mine - self.stones(s, 1 - p, step=2) - self.stones(s, 1 - p, 3, stop=6)


class Lamps(NamedTuple):
    red: bool
    green: bool
    blue: bool
    turn: int


class BoolNumbers(Game):
    """Bools as numbers: 1 - flag, not flag, sums and differences of bools."""

    def initial(self):
        return Lamps(False, False, True, 0)

    def player(self, s):
        return s.turn % 2

    def actions(self, s):
        yield 0
        if s.red:
            yield 1
        if s.green != s.blue:
            yield 2

    def result(self, s, a):
        if a == 0:
            return Lamps(not s.red, s.green, s.blue, s.turn + 1)
        if a == 1:
            return Lamps(s.red, 1 - s.green, s.blue, s.turn + 1)
        return Lamps(s.red, s.green, s.blue ^ s.red, s.turn + 1)

    def is_terminal(self, s):
        return s.turn == 6 or s.red + s.green + s.blue == 3

    def utility(self, s, p):
        lit = sum((s.red, s.green, s.blue))
        value = (lit > 1) - (lit < 1)
        return value if p == 0 else -value


class SliceStep(Game):
    """Slices with a step for columns, slices for rows, compared with tuples."""

    def initial(self):
        return Cells((0,) * 6, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for i in range(6):
            if s.board[i] == 0:
                yield i

    def result(self, s, a):
        return Cells(s.board[:a] + (s.mover + 1,) + s.board[a + 1:], 1 - s.mover)

    def won(self, b, m):
        for c in range(3):
            if b[c::3] == (m, m):
                return True
        for r in range(2):
            if b[r * 3:r * 3 + 3] == (m, m, m):
                return True
        return False

    def is_terminal(self, s):
        return 0 not in s.board or self.won(s.board, 1) or self.won(s.board, 2)

    def utility(self, s, p):
        return self.won(s.board, p + 1) - self.won(s.board, 2 - p)


class Grid(NamedTuple):
    rows: tuple[tuple[int, ...], ...]
    mover: int


class TwoDBoard(Game):
    """A board as a tuple of tuples, changed with nested comprehensions and counted in loops."""

    def initial(self):
        return Grid(((0, 0, 0), (0, 0, 0)), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        return [(r, c) for r in range(2) for c in range(3) if s.rows[r][c] == 0]

    def result(self, s, a):
        rows = [list(row) for row in s.rows]
        rows[a[0]][a[1]] = s.mover + 1
        return Grid(tuple(tuple(row) for row in rows), 1 - s.mover)

    def is_terminal(self, s):
        empty = 0
        for row in s.rows:
            for cell in row:
                if cell == 0:
                    empty += 1
        return empty == 0

    def utility(self, s, p):
        points = 0
        for row in s.rows:
            if row[0] == row[1]:
                points += 1 if row[0] == p + 1 else -1
        return points


class NumpyTable(Game):
    """A table in a NumPy array which __init__ makes."""

    def __init__(self, size=6):
        self.size = size
        self.bonus = np.array([[3, -1, 2], [-2, 4, 1]])

    def initial(self):
        return TwoMasks(0, 0)

    def player(self, s):
        return 0 if bin(s.first).count("1") <= bin(s.second).count("1") else 1

    def actions(self, s):
        for i in range(self.size):
            if not (s.first | s.second) >> i & 1:
                yield i

    def result(self, s, a):
        if self.player(s) == 0:
            return TwoMasks(s.first | 1 << a, s.second)
        return TwoMasks(s.first, s.second | 1 << a)

    def is_terminal(self, s):
        return s.first | s.second == (1 << self.size) - 1

    def utility(self, s, p):
        total = 0
        for i in range(self.size):
            sign = 1 if s.first >> i & 1 else -1
            total += sign * int(self.bonus[i // 3, i % 3])
        return total if p == 0 else -total


Duel = namedtuple("Duel", ["mine", "yours", "turn"])


class CollectionsNamedtuple(Game):
    """A state from collections.namedtuple, without annotations."""

    def initial(self):
        return Duel(mine=5, yours=5, turn=0)

    def player(self, s):
        return s.turn % 2

    def actions(self, s):
        strength = s.mine if s.turn % 2 == 0 else s.yours
        return range(1, min(3, strength) + 1)

    def result(self, s, hit):
        if s.turn % 2 == 0:
            return Duel(mine=s.mine - (hit == 3), yours=s.yours - hit, turn=s.turn + 1)
        return Duel(mine=s.mine - hit, yours=s.yours - (hit == 3), turn=s.turn + 1)

    def is_terminal(self, s):
        return s.mine <= 0 or s.yours <= 0

    def utility(self, s, p):
        gap = s.mine - s.yours
        return gap if p == 0 else -gap


WORTH = {"X": 1, "O": -1}


class StringBoard(Game):
    """A board which is a string, and a dict with letters as keys."""

    def initial(self):
        return "....."

    def player(self, board):
        return 0 if board.count("X") == board.count("O") else 1

    def actions(self, board):
        return [i for i, c in enumerate(board) if c == "."]

    def result(self, board, i):
        mark = "XO"[self.player(board)]
        return board[:i] + mark + board[i + 1:]

    def is_terminal(self, board):
        return "XX" in board or "OO" in board or "." not in board

    def utility(self, board, p):
        value = 0
        for letter in "XO":
            if letter * 2 in board:
                value = WORTH[letter]
        return value if p == 0 else -value


class FrozensetState(Game):
    """Frozensets in the state: whoever first holds three numbers which sum to 12."""

    def initial(self):
        return (frozenset(), frozenset())

    def player(self, s):
        return 0 if len(s[0]) == len(s[1]) else 1

    def actions(self, s):
        return sorted({2, 3, 4, 5, 6} - s[0] - s[1])

    def result(self, s, a):
        if self.player(s) == 0:
            return (s[0] | {a}, s[1])
        return (s[0], s[1] | {a})

    def won(self, numbers):
        return any(sum(three) == 12 for three in itertools.combinations(numbers, 3))

    def is_terminal(self, s):
        return self.won(s[0]) or self.won(s[1]) or len(s[0] | s[1]) == 5

    def utility(self, s, p):
        return self.won(s[p]) - self.won(s[1 - p])


class CounterTally(Game):
    """collections.Counter to count a hand of dice faces."""

    def initial(self):
        return Cells((0, 0, 0, 0, 0, 0), 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        used = Counter(s.board)
        return [face for face in (1, 2, 3) if used[face] < 2]

    def result(self, s, a):
        i = s.board.index(0)
        board = list(s.board)
        board[i] = a
        return Cells(tuple(board), 1 - s.mover)

    def is_terminal(self, s):
        return 0 not in s.board

    def utility(self, s, p):
        face, times = Counter(s.board[:3]).most_common(1)[0]
        value = face if times == 2 else -face
        return value if p == 0 else -value


IDIOMS: list[type[Game]] = [
    thing
    for thing in list(globals().values())
    if isinstance(thing, type) and issubclass(thing, Game) and thing is not Game
]
