"""The memory of expectiminimax: for each state and depth a lower and an upper bound, and the action to begin with.

One block of 64-bit words. A bucket is a cache line with two entries of four words:

    word 0   key ^ the other words   an entry that does not give back its key is none
    word 1   lower                   the bits of a float, to player 0: the value is at least this
    word 2   upper                   … and at most this
    word 3   about                   bit 0–16  plies left    17–33  clock    34  in use    35  proven
                                     36–51  action    52–62  worth

`action` is the place of the best action in the order of `actions`, plus one. An entry counts only for the very depth it
was found at, so that a search finds what it finds without a table. Of two entries the one with less below it goes.
"""

import math
from typing import Any

from gametree.compiled.primitives import ENDLESS, Ints, bits, clock, has_clock, unbits

INFINITY = math.inf
WORDS = 4
ENTRIES = 2
BUCKET_BYTES = 8 * WORDS * ENTRIES
PLIES_BITS = 17
PLIES_MASK = (1 << PLIES_BITS) - 1
TAG_MASK = (1 << 2 * PLIES_BITS) - 1
IN_USE = 1 << 34
PROVEN = 1 << 35
ACTION_SHIFT = 36
ACTION_MASK = (1 << 16) - 1
WORTH_SHIFT = 52
WORTH_MOST = (1 << 11) - 1
SCATTER = 0x9E3779B1
"""Spreads the tags of one state over the table."""


def tag_of(game: Any, state: Any, depth: int, ledger: Ints) -> int:
    """What besides the state decides about its value: the depth, unless the search goes to the end, and the clock."""
    tag = depth if ledger[ENDLESS] == 0 else 0
    if has_clock(game):
        tag += min(clock(game, state) + 1, PLIES_MASK) << PLIES_BITS
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
    table: Ints, buckets: int, key: int, tag: int, lower: float, upper: float, extra: int, depth: int
) -> None:
    """Keeps the bounds of a state in the place of the entry it has, or of the one with the least below it.

    `extra` holds the bits for the action and PROVEN.
    """
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
            worth = about >> WORTH_SHIFT
        if worth < least:
            least = worth
            chosen = slot
    low, high = bits(lower), bits(upper)
    about = tag | IN_USE | extra | min(depth, WORTH_MOST) << WORTH_SHIFT
    table[chosen] = key ^ low ^ high ^ about
    table[chosen + 1] = low
    table[chosen + 2] = high
    table[chosen + 3] = about


def lower_bound(table: Ints, slot: int) -> float:
    """The lower bound of an entry, −∞ where there is none."""
    return unbits(table[slot + 1]) if slot >= 0 else -INFINITY


def upper_bound(table: Ints, slot: int) -> float:
    """The upper bound of an entry, ∞ where there is none."""
    return unbits(table[slot + 2]) if slot >= 0 else INFINITY


def is_proven(table: Ints, slot: int) -> bool:
    """Whether no estimate is in the bounds of an entry; also where there is none."""
    return slot < 0 or table[slot + 3] & PROVEN != 0


def first_action(table: Ints, buckets: int, key: int, tag: int, slot: int) -> int:
    """The place of the action to begin with, by this entry or that of the depth before; −1 where nobody knows."""
    if slot < 0 and tag & PLIES_MASK > 1:
        slot = find(table, buckets, key, tag - 1)
    return (table[slot + 3] >> ACTION_SHIFT & ACTION_MASK) - 1 if slot >= 0 else -1
