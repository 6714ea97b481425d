"""A memory of bounds, for the MTD searches and expectiminimax: for each state and depth a lower and an upper one.

An entry of the transposition table has four words, a bucket two entries:

    word 1   lower    the bits of a float, to player 0: the value is at least this
    word 2   upper    … and at most this
    word 3   about    bit 0–33  tag    34  in use    35–51  extra    52–62  plies that were left

The tag tells apart what one state is worth with so many plies left, and with so many until a rule ends the game. What
else a search wants to know is `extra`. Of two entries the one with fewer plies left goes.
"""

import math
from typing import Any

from gametree.kernel.clock import Clock
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import Ints, bits, plies_left, unbits
from gametree.search.core.table import Layout, functions, write_more

INFINITY = math.inf
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
LAYOUT = Layout(4, 2, worth_shift=LEFT_SHIFT, worth_mask=MOST_LEFT, tag_mask=TAG_MASK)
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)


class BoundTable(Memory, frozen=True):
    """The table of one search, as its kernel knows it."""

    entries: Ints
    buckets: int
    salt: int
    """Part of every key: see `Past`."""


def tag_of(game: Any, state: Any, depth: int, clock: Clock) -> int:
    """What besides the state decides about its value: the plies left, unless the search goes to the end, and the clock.

    A clock that cannot run out within `depth` plies makes no difference.
    """
    tag = depth if not clock.endless else 0
    if game.offered.clock:
        left = plies_left(game, state)
        if left <= depth:
            tag += left + 1 << TAG_BITS
    return tag


def find(memory: Ints, buckets: int, key: int, tag: int) -> int:
    """Where the entry of a state lies; −1 where there is none."""
    return _probe(memory, _home(key + tag * SCATTER, buckets), key, tag)


def remember(
    memory: Ints, buckets: int, key: int, tag: int, lower: float, upper: float, depth: int, extra: int
) -> None:
    """Keeps the bounds of a state in the place of the entry it has, or of the one with the fewest plies left."""
    slot = _place_for(memory, _home(key + tag * SCATTER, buckets), key, tag, 0)
    about = tag | IN_USE | extra << EXTRA_SHIFT | min(depth, MOST_LEFT) << LEFT_SHIFT
    write_more(memory, slot, key, bits(lower), bits(upper), about)


def extra_of(memory: Ints, slot: int) -> int:
    """What a search noted beside the bounds of an entry; 0 where there is none."""
    return memory[slot + 3] >> EXTRA_SHIFT & MOST_EXTRA if slot >= 0 else 0


def lower_bound(memory: Ints, slot: int) -> float:
    """The lower bound of an entry, −∞ where there is none."""
    return unbits(memory[slot + 1]) if slot >= 0 else -INFINITY


def upper_bound(memory: Ints, slot: int) -> float:
    """The upper bound of an entry, ∞ where there is none."""
    return unbits(memory[slot + 2]) if slot >= 0 else INFINITY
