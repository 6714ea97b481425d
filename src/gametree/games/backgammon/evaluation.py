"""What a backgammon position is worth before the dice are thrown: races by their pips, contact by its features."""

import math
from typing import Final

from gametree.games.backgammon.board import (
    HALF,
    HOME,
    PLANE,
    POINTS,
    Side,
    lowest,
    number,
    occupied,
    pips,
    seen_by_other,
    towers,
)

HIT: Final = (0.0, 0.31, 0.53, 0.70, 0.84, 0.94, 1.0)
"""About how likely a blot is hit from so many different distances of up to six."""
BACK: Final = 0b1111_1111 << 18
"""The points from 18 on and the bar, from which checkers have to escape."""

# A least-squares fit to the results of games that this program played against itself, one ply deep: 12,600 a round,
# one turn in 150 drawn at random, each round with the weights of the one before.
ALONE: Final = (
    0.000, -0.056, -0.011, 0.007, 0.007, 0.020, -0.009,
    0.022, 0.041, 0.039, 0.030, 0.024, 0.012,
    0.027, -0.017, -0.044, -0.060, -0.055, -0.034,
    -0.039, 0.005, -0.003, -0.019, -0.058, -0.105,
)  # fmt: skip
"""What a checker alone on a point is worth, the points from 0 on; six a line from point 7 on."""
PAIR: Final = (
    0.000, 0.093, 0.077, 0.115, 0.175, 0.215, 0.153,
    0.063, 0.086, 0.062, 0.059, 0.047, 0.058,
    0.071, -0.071, -0.095, -0.118, -0.027, 0.001,
    -0.119, 0.036, 0.032, -0.062, -0.118, -0.187,
)  # fmt: skip
"""What two checkers on a point are worth."""
THREE: Final = (
    0.000, 0.044, 0.041, 0.113, 0.184, 0.265, 0.217,
    0.043, 0.115, -0.012, 0.004, 0.126, -0.039,
    0.100, -0.072, -0.156, -0.161, -0.133, -0.052,
    -0.165, 0.010, -0.063, -0.110, -0.177, -0.265,
)  # fmt: skip
"""What three are worth."""
MORE: Final = (
    0.000, 0.052, 0.056, 0.026, 0.041, 0.018, 0.011,
    -0.169, 0.005, 0.032, -0.044, 0.066, 0.027,
    -0.024, -0.043, 0.017, 0.008, -0.071, -0.025,
    -0.119, -0.105, -0.088, -0.080, -0.020, 0.014,
)  # fmt: skip
"""What each one more is worth."""


def equity(mine: Side, theirs: Side) -> float:
    """The payoff to the side that is about to throw, between −2.9 and 2.9."""
    my_pips, their_pips = pips(mine), pips(theirs)
    if in_contact(occupied(mine), occupied(theirs)):
        worth = 0.111 + strength(mine, theirs, my_pips) - strength(theirs, mine, their_pips)
    else:
        worth = race(my_pips, their_pips)
        worth += rout(mine, theirs, their_pips) - rout(theirs, mine, my_pips)
    return 2.9 * math.tanh(worth / 2.9)


def in_contact(mine: int, theirs: int) -> bool:
    """Whether a checker of one side still has to pass one of the other."""
    return mine.bit_length() + theirs.bit_length() - 2 > 25


def race(mine: int, theirs: int) -> float:
    """Twice the chance to win a race less one, by Kleinman's formula, for the side that is about to throw."""
    ahead = theirs - mine + 4
    return math.erf(ahead / math.sqrt(max(4.0, mine + theirs - 4.0)))


def rout(winner: Side, loser: Side, loser_pips: int) -> float:
    """How likely a race is won doubly: the other has borne off none, and the winner needs fewer turns to be done than
    the other to bring the last checker home and one off."""
    if number(loser, 0) > 0:
        return 0.0
    turns = (15 - number(winner, 0)) / 2.2
    outside = occupied(loser) & ~HOME
    need = loser_pips / 8.2 - 6.5 if outside else 0.8
    return 1 / (1 + math.exp(2.0 * (turns - need)))


def strength(side: Side, other: Side, side_pips: int) -> float:
    """What the checkers of one side are worth while there is contact; the difference of both sides counts."""
    here = occupied(side)
    made = towers(side) & POINTS
    walls = towers(other)
    seen = seen_by_other(occupied(other) | walls << HALF)
    enemies, blocked = seen & PLANE, seen >> HALF & POINTS
    worth = -0.0090 * side_pips + 0.163 * number(side, 0)
    worth += stacks(side, here & POINTS)
    worth -= 0.0105 * exposure(here & ~made & POINTS, enemies)
    worth += 0.013 * prime(made)
    if here & BACK:
        # What stands in the way of the last checker.
        last = min(24, here.bit_length() - 1)
        ahead = (blocked >> last - 6 & 63).bit_count()
        worth -= 0.075 * ahead + 0.0043 * ahead * ahead
    bar = number(side, 25)
    if bar:
        worth -= bar * (0.141 + 0.023 * (blocked >> 19).bit_count())
    return worth


def stacks(side: Side, points: int) -> float:
    """What the checkers are worth, point by point."""
    worth = 0.0
    while points:
        point = lowest(points)
        points &= points - 1
        count = number(side, point)
        if count == 1:
            worth += ALONE[point]
        elif count == 2:
            worth += PAIR[point]
        else:
            worth += THREE[point] + (count - 3) * MORE[point]
    return worth


def exposure(blots: int, enemies: int) -> float:
    """The pips that blots may lose: from how many distances each can be hit, and how far it has come."""
    lost = 0.0
    while blots:
        point = blots.bit_length() - 1
        blots ^= 1 << point
        # An enemy that still has to pass stands on a lower point of ours.
        near = enemies >> max(0, point - 6) & (1 << min(6, point)) - 1
        far = (enemies & (1 << max(0, point - 6)) - 1) >> max(0, point - 12)
        lost += (25 - point) * min(1.0, HIT[near.bit_count()] + (0.09 if far else 0.0))
    return lost


def prime(made: int) -> int:
    """The square of the longest row of points made from 2 to 11, beyond three."""
    row = made & 0b1111_1111_1100
    length = 0
    while row:
        row &= row >> 1
        length += 1
    return max(0, length - 3) ** 2
