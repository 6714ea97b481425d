"""The memory of expectiminimax: bounds (`bounds.py`), whether they are proven, and the action to begin with.

`extra` of an entry is 1 where no estimate is in its bounds, plus twice the place of the best action in the order of
`actions`, plus two. An entry counts only for the very depth it was found at, so that a search finds what it finds
without a table.
"""

from typing import Any

from gametree.kernel.clock import Clock
from gametree.kernel.primitives import Ints, plies_left
from gametree.search.core.bound_table import MOST_EXTRA, TAG_BITS, extra_of, find

PLIES_MASK = (1 << TAG_BITS) - 1


def tag_of(game: Any, state: Any, depth: int, clock: Clock) -> int:
    """What besides the state decides about its value: the depth, unless the search goes to the end, and the clock.

    Depth counts the actions of players and the clock throws too, so that the one does not bound the other.
    """
    tag = depth if not clock.endless else 0
    if game.offered.clock:
        tag += min(plies_left(game, state) + 1, PLIES_MASK) << TAG_BITS
    return tag


def noted(place: int, proven: bool) -> int:
    """What is kept beside the bounds: the place of the action to begin with, where there is room for it."""
    extra = place + 1 << 1 if place >= 0 and place + 1 << 1 < MOST_EXTRA else 0
    return extra + 1 if proven else extra


def is_proven(table: Ints, slot: int) -> bool:
    """Whether no estimate is in the bounds of an entry; also where there is none."""
    return slot < 0 or extra_of(table, slot) & 1 != 0


def first_action(table: Ints, buckets: int, key: int, tag: int, slot: int) -> int:
    """The place of the action to begin with, by this entry or that of the depth before; −1 where nobody knows."""
    if slot < 0 and tag & PLIES_MASK > 1:
        slot = find(table, buckets, key, tag - 1)
    return (extra_of(table, slot) >> 1) - 1
