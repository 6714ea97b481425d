"""The table of the exact solver: between which margins a state was proven to lie.

One block of 64-bit words. A bucket is a cache line with four entries of two words:

    word 0   key ^ word 1     a torn or foreign entry does not give back its key and is no entry
    word 1   about            bit 0–15  low    16–31  high    32–39  action    40–47  work    48–63  generation

`low` and `high` are the proven bounds plus OFFSET. `action` is the place of the action that was best among the
`sensible` ones, plus one. `work` is how many bits the number of nodes below takes: what was cheap to find gives way
first. `generation` changes with every new task: what an earlier task left behind is not seen, so that a table of a
gigabyte is empty again at no cost.

A task begins with FEW buckets, and gets twice as many whenever half of the entries are taken: a short search stays in
the processor's cache.
"""

from gametree.kernel.primitives import Ints

WORDS = 2
ENTRIES = 4
BUCKET_WORDS = WORDS * ENTRIES
BUCKET_BYTES = 8 * BUCKET_WORDS
OFFSET = 1 << 15
BOUND_MASK = (1 << 16) - 1
HIGH_SHIFT = 16
ACTION_SHIFT = 32
BYTE = 255
WORK_SHIFT = 40
GENERATION_SHIFT = 48
FEW = 1 << 10
DESKS = 1 << 10
"""Behind the buckets: what other threads are at work on, by the low bits of its key."""
GENERATIONS = 1 << 15
"""So many tasks until the table has to be cleared."""


def words_for(buckets: int) -> int:
    """How long the block has to be."""
    return buckets * BUCKET_WORDS + DESKS


def home(buckets: int, key: int) -> int:
    """Where the bucket of a key begins."""
    return (key & (buckets - 1)) * BUCKET_WORDS


def probe(table: Ints, first: int, key: int, generation: int) -> int:
    """What the bucket that begins at `first` says about a key; 0 where it says nothing."""
    for slot in range(first, first + BUCKET_WORDS, WORDS):
        about = table[slot + 1]
        if table[slot] ^ about == key and about >> GENERATION_SHIFT == generation:
            return about
    return 0


def lower(about: int) -> int:
    """The margin is at least this."""
    return (about & BOUND_MASK) - OFFSET


def upper(about: int) -> int:
    """The margin is at most this."""
    return (about >> HIGH_SHIFT & BOUND_MASK) - OFFSET


def remember(
    table: Ints, first: int, key: int, low: int, high: int, action: int, nodes: int, generation: int
) -> None:
    """Keeps bounds; the entry of the same key goes, or one of another generation, or the one that was least work."""
    work = nodes.bit_length()
    about = (
        (low + OFFSET)
        | (high + OFFSET) << HIGH_SHIFT
        | (action + 1 & BYTE) << ACTION_SHIFT
        | work << WORK_SHIFT
        | generation << GENERATION_SHIFT
    )
    chosen = first
    least = 1 << 30
    for slot in range(first, first + BUCKET_WORDS, WORDS):
        there = table[slot + 1]
        if table[slot] ^ there == key:
            chosen = slot
            break
        worth = there >> WORK_SHIFT & BYTE if there >> GENERATION_SHIFT == generation else -1
        if worth < least:
            least = worth
            chosen = slot
    table[chosen] = key ^ about
    table[chosen + 1] = about


def grow(table: Ints, buckets: int, first: int, end: int, generation: int) -> None:
    """Makes room in twice as many buckets, for those from `first` to `end`.

    About half of their entries move to the same place in the new half.
    """
    for slot in range(first * BUCKET_WORDS, end * BUCKET_WORDS, WORDS):
        about = table[slot + 1]
        if about >> GENERATION_SHIFT == generation and (table[slot] ^ about) & buckets != 0:
            table[slot + buckets * BUCKET_WORDS] = table[slot]
            table[slot + buckets * BUCKET_WORDS + 1] = about
            table[slot] = 0
            table[slot + 1] = 0
