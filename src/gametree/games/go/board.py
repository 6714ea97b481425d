"""The Go board as sets of points in two words, for boards of up to 9 by 9."""

from collections.abc import Iterator
from typing import Final, NamedTuple

# Point 10 · row + column; rows and columns count from 0 at the lower left corner, A1. Nothing stands on column 9, so a
# step over the edge falls on a bit that is no point.
#
#                  bits of `high`                                  bits of `low`
#     row 8   30 31 32 33 34 35 36 37 38               row 4   40 41 42 43 44 45 46 47 48
#     row 7   20 21 22 23 24 25 26 27 28               row 3   30 31 32 33 34 35 36 37 38
#     row 6   10 11 12 13 14 15 16 17 18               row 2   20 21 22 23 24 25 26 27 28
#     row 5    0  1  2  3  4  5  6  7  8               row 1   10 11 12 13 14 15 16 17 18
#                                                      row 0    0  1  2  3  4  5  6  7  8
WIDTH: Final = 10
"""From one row to the next."""
SPLIT: Final = 50
"""From this point on a point is a bit of `high`."""
ROW: Final = (1 << WIDTH) - 1
ABOVE: Final = SPLIT - WIDTH
LARGEST: Final = 9


class Points(NamedTuple):
    """A set of points."""

    low: int
    high: int


NONE: Final = Points(0, 0)


def at(point: int) -> Points:
    """The set of one point."""
    return Points(1 << point, 0) if point < SPLIT else Points(0, 1 << point - SPLIT)


def both(a: Points, b: Points) -> Points:
    """What is in both sets."""
    return Points(a.low & b.low, a.high & b.high)


def either(a: Points, b: Points) -> Points:
    """What is in at least one of the sets."""
    return Points(a.low | b.low, a.high | b.high)


def without(a: Points, b: Points) -> Points:
    """What is in the first set and not in the second."""
    return Points(a.low & ~b.low, a.high & ~b.high)


def size(a: Points) -> int:
    """How many points a set has."""
    return a.low.bit_count() + a.high.bit_count()


def is_empty(a: Points) -> bool:
    """Whether a set has no point."""
    return a.low | a.high == 0


def is_single(a: Points) -> bool:
    """Whether a set has exactly one point."""
    if a.high == 0:
        return a.low != 0 and a.low & a.low - 1 == 0
    return a.low == 0 and a.high & a.high - 1 == 0


def first(a: Points) -> int:
    """The least point of a set that is not empty."""
    if a.low:
        return ((a.low & -a.low) - 1).bit_count()
    return SPLIT + ((a.high & -a.high) - 1).bit_count()


def rest(a: Points) -> Points:
    """A set without its least point."""
    if a.low:
        return Points(a.low & a.low - 1, a.high)
    return Points(0, a.high & a.high - 1)


def members(a: Points) -> Iterator[int]:
    """The points of a set, from the least on."""
    while not is_empty(a):
        yield first(a)
        a = rest(a)


def beside(a: Points) -> Points:
    """All neighbours of a set of points; what is off the board is for the caller to mask."""
    low, high = a.low, a.high
    return Points(
        low << 1 | low >> 1 | low << WIDTH | low >> WIDTH | (high & ROW) << ABOVE,
        high << 1 | high >> 1 | high << WIDTH | high >> WIDTH | low >> ABOVE,
    )


def up(a: Points) -> Points:
    """A set moved up by a row; what is off the board is for the caller to mask."""
    return Points(a.low << WIDTH, a.high << WIDTH | a.low >> ABOVE)


def down(a: Points) -> Points:
    """A set moved down by a row; what is off the board is for the caller to mask."""
    return Points(a.low >> WIDTH | (a.high & ROW) << ABOVE, a.high >> WIDTH)


def across(a: Points) -> Points:
    """All points that touch a set at a corner; what is off the board is for the caller to mask."""
    rows = either(up(a), down(a))
    return Points(rows.low << 1 | rows.low >> 1, rows.high << 1 | rows.high >> 1)


def connected(seed: Points, among: Points) -> Points:
    """All points of `among` that are connected with `seed`, which is part of it."""
    group = seed
    while True:
        grown = both(either(group, beside(group)), among)
        if grown == group:
            return group
        group = grown


def beside_two(a: Points) -> Points:
    """What has two neighbours or more in a set of points; what is off the board is for the caller to mask."""
    low, high = a.low, a.high
    left, right = Points(low << 1, high << 1), Points(low >> 1, high >> 1)
    below, above = up(a), down(a)
    pairs = either(both(left, right), both(below, above))
    return either(pairs, both(either(left, right), either(below, above)))


def last_breath(seed: Points, stones: Points, empty: Points, wide: Points) -> Points:
    """The group of `seed` where it has exactly one liberty, else nothing.

    `wide` is what has two empty points beside it: a group with such a stone need not be followed to its end.
    """
    group = seed
    while is_empty(both(group, wide)):
        around = beside(group)
        grown = both(either(group, around), stones)
        if grown == group:
            return group if is_single(both(around, empty)) else NONE
        group = grown
    return NONE
