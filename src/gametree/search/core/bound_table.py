"""A memory of bounds, for the MTD searches and expectiminimax: for each state and depth a lower and an upper one.

One block of 64-bit words. A bucket is a cache line with two entries of four words:

    word 0   key ^ the other words   an entry that does not give back its key is none
    word 1   lower                   the bits of a float, to player 0: the value is at least this
    word 2   upper                   … and at most this
    word 3   about                   bit 0–33  tag    34  in use    35–51  extra    52–62  plies that were left

The tag tells apart what one state is worth with so many plies left, and with so many until a rule ends the game. What
else a search wants to know is `extra`. Of two entries the one with fewer plies left goes.
"""

import math
from typing import Any

from gametree.kernel.primitives import ENDLESS, Ints, bits, has_clock, plies_left, unbits

INFINITY = math.inf
WORDS = 4
ENTRIES = 2
BUCKET_BYTES = 8 * WORDS * ENTRIES
TAG_BITS = 17
"""How many bits it takes to tell the plies of a search."""
TAG_MASK = (1 << 2 * TAG_BITS) - 1
IN_USE = 1 << 34
EXTRA_SHIFT = 35
LEFT_SHIFT = 52
MOST_EXTRA = (1 << LEFT_SHIFT - EXTRA_SHIFT) - 1
MOST_LEFT = (1 << 11) - 1
SCATTER = 0x9E3779B1
"""Spreads the tags of one state over the table."""


def tag_of(game: Any, state: Any, depth: int, ledger: Ints) -> int:
    """What besides the state decides about its value: the plies left, unless the search goes to the end, and the clock.

    A clock that cannot run out within `depth` plies makes no difference.
    """
    tag = depth if ledger[ENDLESS] == 0 else 0
    if has_clock(game):
        left = plies_left(game, state)
        if left <= depth:
            tag += left + 1 << TAG_BITS
    return tag


def find(table: Ints, buckets: int, key: int, tag: int) -> int:
    """Where the entry of a state lies; −1 where there is none."""
    first = (key + tag * SCATTER & buckets - 1) * (WORDS * ENTRIES)
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        about = table[slot + 3]
        if (
            about & IN_USE
            and about & TAG_MASK == tag
            and table[slot] ^ table[slot + 1] ^ table[slot + 2] ^ about == key
        ):
            return slot
    return -1


def remember(
    table: Ints, buckets: int, key: int, tag: int, lower: float, upper: float, depth: int, extra: int
) -> None:
    """Keeps the bounds of a state in the place of the entry it has, or of the one with the fewest plies left."""
    first = (key + tag * SCATTER & buckets - 1) * (WORDS * ENTRIES)
    chosen = first
    least = 1 << 40
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        about = table[slot + 3]
        if about & IN_USE == 0:
            worth = -1
        elif about & TAG_MASK == tag and table[slot] ^ table[slot + 1] ^ table[slot + 2] ^ about == key:
            chosen = slot
            break
        else:
            worth = about >> LEFT_SHIFT
        if worth < least:
            least = worth
            chosen = slot
    low, high = bits(lower), bits(upper)
    about = tag | IN_USE | extra << EXTRA_SHIFT | min(depth, MOST_LEFT) << LEFT_SHIFT
    table[chosen] = key ^ low ^ high ^ about
    table[chosen + 1] = low
    table[chosen + 2] = high
    table[chosen + 3] = about


def extra_of(table: Ints, slot: int) -> int:
    """What a search noted beside the bounds of an entry; 0 where there is none."""
    return table[slot + 3] >> EXTRA_SHIFT & MOST_EXTRA if slot >= 0 else 0


def lower_bound(table: Ints, slot: int) -> float:
    """The lower bound of an entry, −∞ where there is none."""
    return unbits(table[slot + 1]) if slot >= 0 else -INFINITY


def upper_bound(table: Ints, slot: int) -> float:
    """The upper bound of an entry, ∞ where there is none."""
    return unbits(table[slot + 2]) if slot >= 0 else INFINITY
