"""The memory of df-pn: for each state its proof number and disproof number.

An entry of the transposition table has four words, a bucket four entries:

    word 1   numbers    bit 0–30  proof number    32–62  disproof number
    word 2   size       of the tree that proves or disproves the state; 0 where neither is known
    word 3   about      bit 0–33  tag    34  in use    35–54  place    55–60  effort

The tag is that of `bound_table.py`. `place` is that of the action that decided, plus one. `effort` is the logarithm of
the nodes that it took: of four entries the cheapest goes.
"""

from gametree.kernel.primitives import Ints
from gametree.search.core.bound_table import IN_USE, SCATTER, TAG_MASK
from gametree.search.core.table import Layout, functions, write_more

NUMBERS, SIZE, ABOUT = 1, 2, 3
INFINITE = (1 << 31) - 1
DISPROOF_SHIFT = 32
PLACE_SHIFT = 35
PLACE_MASK = (1 << 20) - 1
EFFORT_SHIFT = 55
LAYOUT = Layout(4, 4, worth_shift=EFFORT_SHIFT, worth_mask=63, tag_mask=TAG_MASK)
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)
LARGEST = 1 << 60
"""A tree of so many nodes or more: nobody counts any further."""


def find(memory: Ints, buckets: int, key: int, tag: int) -> int:
    """Where the entry of a state lies; −1 where there is none."""
    return _probe(memory, _home(key + tag * SCATTER, buckets), key, tag)


def proof_number(memory: Ints, slot: int) -> int:
    """The proof number of an entry; 1 for a state of which nothing is known."""
    return memory[slot + NUMBERS] & INFINITE if slot >= 0 else 1


def disproof_number(memory: Ints, slot: int) -> int:
    """The disproof number of an entry; 1 for a state of which nothing is known."""
    return memory[slot + NUMBERS] >> DISPROOF_SHIFT if slot >= 0 else 1


def size_of(memory: Ints, slot: int) -> int:
    """The size of the proof or disproof of an entry."""
    return memory[slot + SIZE] if slot >= 0 else 0


def place_of(memory: Ints, slot: int) -> int:
    """The place of the action that decided; −1 where none did."""
    return (memory[slot + ABOUT] >> PLACE_SHIFT & PLACE_MASK) - 1


def remember(
    memory: Ints,
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
    effort = 0
    while nodes > 1 and effort < 62:
        nodes >>= 1
        effort += 1
    slot = _place_for(memory, _home(key + tag * SCATTER, buckets), key, tag, 0)
    if _holds(memory, slot, key, tag):
        effort = max(effort, memory[slot + ABOUT] >> EFFORT_SHIFT)
    about = tag | IN_USE | (place + 1 & PLACE_MASK) << PLACE_SHIFT | effort << EFFORT_SHIFT
    write_more(memory, slot, key, proof | disproof << DISPROOF_SHIFT, size, about)
