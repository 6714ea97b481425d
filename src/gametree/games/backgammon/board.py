"""The backgammon board: checkers on points as planes of bits, and what a die can move."""

from typing import Final, NamedTuple

# Each side counts the points from its own end: 1 to 6 is its home board, it moves from 24 down to 1, the bar is 25 and
# what was borne off is 0. Point p of one side is point 25 − p of the other.
#
# How many checkers stand on a point is a number of four bits. The bits of one worth, for all points, are a plane:
#
#     low    bits 0–25 the ones     bits 32–57 the twos         bit p belongs to point p
#     high   bits 0–25 the fours    bits 32–57 the eights
#
# So one step of arithmetic answers a question about all points, such as "where do two or more stand?".
HALF: Final = 32
PLANE: Final = (1 << 26) - 1
BAR: Final = 25
ON_BAR: Final = 1 << BAR
POINTS: Final = PLANE ^ 1 ^ ON_BAR
"""The points 1 to 24."""
OUTSIDE: Final = 1 << 7
"""A set that is less has no checker outside the home board."""
HOME: Final = 0b111_1110
ALL_OFF: Final = 1 | 1 << HALF
COUNTERS: Final = tuple(sum(1 << point for point in range(26) if point >> i & 1) for i in range(5))

NO_DICE: Final = 0
OPENING: Final = 1
"""Instead of dice: both players throw one die, and the higher begins with the two."""

# An action is a whole turn: up to four sources of five bits, 0 for none.
#
#     two dice   bits 0–4 the source of the higher die   bits 5–9 that of the lower one
#     doubles    bits 0–4, 5–9, 10–14, 15–19 the sources in falling order
#
# The order in which two dice are played does not matter for the position that results, so two sources tell it all.
SOURCE: Final = 5
MASK: Final = 31
PASS: Final = 0


class Side(NamedTuple):
    """The checkers of one player, in four planes."""

    low: int
    high: int


class State(NamedTuple):
    """The checkers of the player to move and of the other, who moves, and the dice: 63 for six and three."""

    mine: Side
    theirs: Side
    mover: int
    dice: int


# --- checkers on points -----------------------------------------------------------------------------


def added(side: Side, point: int) -> Side:
    """One checker more on a point."""
    one = 1 << point
    two = (side.low & one) << HALF
    four = (side.low & two) >> HALF
    eight = (side.high & four) << HALF
    return Side(side.low ^ (one | two), side.high ^ (four | eight))


def removed(side: Side, point: int) -> Side:
    """One checker less on a point. Below none the number wraps, until the next `added`."""
    one = 1 << point
    two = (~side.low & one) << HALF
    four = (~side.low & two) >> HALF
    eight = (~side.high & four) << HALF
    return Side(side.low ^ (one | two), side.high ^ (four | eight))


def number(side: Side, point: int) -> int:
    """How many checkers stand on a point."""
    low, high = side.low >> point, side.high >> point
    return low & 1 | (low >> HALF & 1) << 1 | (high & 1) << 2 | (high >> HALF & 1) << 3


def towers(side: Side) -> int:
    """Where two or more stand."""
    return (side.low >> HALF | side.high | side.high >> HALF) & PLANE


def occupied(side: Side) -> int:
    """Where any stand, what was borne off not counted."""
    return (side.low | side.low >> HALF | side.high | side.high >> HALF) & PLANE & ~1


def pips(side: Side) -> int:
    """How far the checkers have to go, all together."""
    low, high = side.low, side.high
    total = 0
    for i in range(5):
        # The points whose number has bit i, which stands for 2 to the power i.
        share = COUNTERS[i]
        ones, twos = (low & share).bit_count(), (low >> HALF & share).bit_count()
        fours, eights = (high & share).bit_count(), (high >> HALF & share).bit_count()
        total += (ones + 2 * twos + 4 * fours + 8 * eights) << i
    return total


def seen_by_other(points: int) -> int:
    """Sets of points in both halves of a word, as the other side numbers them: p becomes 25 − p."""
    points <<= 3
    points = points >> 1 & 0x5555_5555_5555_5555 | (points & 0x5555_5555_5555_5555) << 1
    points = points >> 2 & 0x3333_3333_3333_3333 | (points & 0x3333_3333_3333_3333) << 2
    points = points >> 4 & 0x0F0F_0F0F_0F0F_0F0F | (points & 0x0F0F_0F0F_0F0F_0F0F) << 4
    points = points >> 8 & 0x00FF_00FF_00FF_00FF | (points & 0x00FF_00FF_00FF_00FF) << 8
    points = points >> 16 & 0x0000_FFFF_0000_FFFF | (points & 0x0000_FFFF_0000_FFFF) << 16
    return points >> 3 & (PLANE | PLANE << HALF)


def sources(mine: int, landing: int, die: int) -> int:
    """From where a die can be played: `mine` is where checkers stand, `landing` where they may go."""
    if mine & ON_BAR:
        return ON_BAR & landing << die
    found = mine & landing << die
    if 0 < mine < OUTSIDE:
        found |= mine & 1 << die
        if mine < 1 << die:
            found |= 1 << mine.bit_length() - 1
    return found


def moved(mine: int, single: int, point: int, die: int) -> int:
    """Where checkers stand after one has moved; `single` is where it leaves nothing behind."""
    here = 1 << point
    return (mine ^ single & here | here >> die) & ~1


def lowest(points: int) -> int:
    """The least point of a set that is not empty."""
    return ((points & -points) - 1).bit_count()
