"""The memory of df-pn: for each state its proof number and disproof number.

One block of 64-bit words. A bucket has four entries of four words:

    word 0   key ^ the other words   an entry that does not give back its key is none
    word 1   numbers                 bit 0–30  proof number    32–62  disproof number
    word 2   about                   bit 0–33  tag    34  in use    35–54  place    55–60  effort
    word 3   size                    of the tree that proves or disproves the state; 0 where neither is known

The tag is that of `bounds.py`. `place` is that of the action that decided, plus one. `effort` is the logarithm of the
nodes that it took: of four entries the cheapest goes.
"""

from gametree.kernel.primitives import Ints
from gametree.search.core.bound_table import IN_USE, SCATTER, TAG_MASK

WORDS = 4
ENTRIES = 4
BUCKET_BYTES = 8 * WORDS * ENTRIES
INFINITE = (1 << 31) - 1
DISPROOF_SHIFT = 32
PLACE_SHIFT = 35
PLACE_MASK = (1 << 20) - 1
EFFORT_SHIFT = 55
LARGEST = 1 << 60
"""A tree of so many nodes or more: nobody counts any further."""


def find(table: Ints, buckets: int, key: int, tag: int) -> int:
    """Where the entry of a state lies; −1 where there is none."""
    first = (key + tag * SCATTER & buckets - 1) * (WORDS * ENTRIES)
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        about = table[slot + 2]
        if (
            about & IN_USE
            and about & TAG_MASK == tag
            and table[slot] ^ table[slot + 1] ^ about ^ table[slot + 3] == key
        ):
            return slot
    return -1


def proof_number(table: Ints, slot: int) -> int:
    """The proof number of an entry; 1 for a state of which nothing is known."""
    return table[slot + 1] & INFINITE if slot >= 0 else 1


def disproof_number(table: Ints, slot: int) -> int:
    """The disproof number of an entry; 1 for a state of which nothing is known."""
    return table[slot + 1] >> DISPROOF_SHIFT if slot >= 0 else 1


def size_of(table: Ints, slot: int) -> int:
    """The size of the proof or disproof of an entry."""
    return table[slot + 3] if slot >= 0 else 0


def place_of(table: Ints, slot: int) -> int:
    """The place of the action that decided; −1 where none did."""
    return (table[slot + 2] >> PLACE_SHIFT & PLACE_MASK) - 1


def remember(
    table: Ints,
    buckets: int,
    key: int,
    tag: int,
    proof: int,
    disproof: int,
    place: int,
    size: int,
    nodes: int,
) -> None:
    """Keeps the numbers of a state in the place of the entry it has, or of the one that cost least."""
    first = (key + tag * SCATTER & buckets - 1) * (WORDS * ENTRIES)
    effort = 0
    while nodes > 1 and effort < 62:
        nodes >>= 1
        effort += 1
    chosen = first
    least = 1 << 10
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        about = table[slot + 2]
        if about & IN_USE == 0:
            worth = -1
        elif about & TAG_MASK == tag and table[slot] ^ table[slot + 1] ^ about ^ table[slot + 3] == key:
            chosen = slot
            effort = max(effort, about >> EFFORT_SHIFT)
            break
        else:
            worth = about >> EFFORT_SHIFT
        if worth < least:
            least = worth
            chosen = slot
    numbers = proof | disproof << DISPROOF_SHIFT
    about = tag | IN_USE | (place + 1 & PLACE_MASK) << PLACE_SHIFT | effort << EFFORT_SHIFT
    table[chosen] = key ^ numbers ^ about ^ size
    table[chosen + 1] = numbers
    table[chosen + 2] = about
    table[chosen + 3] = size
