"""What a backgammon position is worth before the dice are thrown: races by their pips, contact by its features."""

import math
from typing import Final

from gametree.games.backgammon_board import (
    HALF,
    HOME,
    PLANE,
    POINTS,
    Side,
    number,
    occupied,
    pips,
    seen_by_other,
    towers,
)

HIT: Final = (0.0, 0.31, 0.53, 0.70, 0.84, 0.94, 1.0)
"""About how likely a blot is hit from so many different distances of up to six."""
BACK: Final = 0b1111_111 << 18
"""The points 18 to 24, from which checkers have to escape."""
KEY_POINTS: Final = 0b1111_0000
"""The points 4 to 7: who holds them blocks the other."""


def equity(mine: Side, theirs: Side) -> float:
    """The payoff to the side that is about to throw, between −2.9 and 2.9."""
    my_pips, their_pips = pips(mine), pips(theirs)
    if in_contact(occupied(mine), occupied(theirs)):
        worth = 0.08 + strength(mine, theirs, my_pips) - strength(theirs, mine, their_pips)
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
    enemies, their_points = seen & PLANE, seen >> HALF & POINTS
    worth = -0.0085 * side_pips
    worth -= 0.013 * exposure(here & ~made & POINTS, enemies)
    home = (made & HOME).bit_count()
    worth += 0.055 * home + 0.06 * (made & KEY_POINTS).bit_count()
    worth += 0.045 * prime(made)
    worth += 0.09 if made & BACK else 0.0
    # The deeper they are, the harder to get out past what blocks them.
    back = here & BACK
    if back:
        first = back.bit_length() - 1
        ahead = their_points >> max(0, first - 6) & 63
        worth -= 0.035 * ahead.bit_count()
    bar = number(side, 25)
    if bar:
        entry = (their_points >> 19).bit_count()
        worth -= bar * (0.05 + 0.05 * entry)
    return worth + 0.02 * number(side, 0)


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
