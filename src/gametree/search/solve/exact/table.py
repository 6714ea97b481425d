"""The table of the exact solver: between which margins a state was proven to lie.

An entry of the transposition table has two words, a bucket four entries; it is a cache line:

    word 1   about    bit 0–15  low    16–31  high    32–39  action    40–47  work    48–63  generation

`low` and `high` are the proven bounds plus OFFSET. `action` is the place of the action that was best among the
`sensible` ones, plus one. `work` is how many bits the number of nodes below takes: what was cheap to find gives way
first. `generation` changes with every new task: what an earlier task left behind is not seen, so that a table of a
gigabyte is empty again at no cost.

A task begins with FEW buckets, and gets twice as many whenever half of the entries are taken: a short search stays in
the processor's cache.
"""

from gametree.kernel.primitives import Ints
from gametree.search.core.table import Layout, functions, write

ABOUT = 1
OFFSET = 1 << 15
BOUND_MASK = (1 << 16) - 1
HIGH_SHIFT = 16
ACTION_SHIFT = 32
BYTE = 255
WORK_SHIFT = 40
GENERATION_SHIFT = 48
LAYOUT = Layout(
    2,
    4,
    worth_shift=WORK_SHIFT,
    worth_mask=BYTE,
    age_shift=GENERATION_SHIFT,
    age_mask=(1 << 16) - 1,
    forgets=1,
)
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)
BUCKET_WORDS = LAYOUT.bucket_words
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
    return _home(key, buckets)


def probe(memory: Ints, first: int, key: int, generation: int) -> int:
    """What the bucket that begins at `first` says about a key; 0 where it says nothing."""
    slot = _probe(memory, first, key, 0)
    if slot < 0 or memory[slot + ABOUT] >> GENERATION_SHIFT != generation:
        return 0
    return memory[slot + ABOUT]


def lower(about: int) -> int:
    """The margin is at least this."""
    return (about & BOUND_MASK) - OFFSET


def upper(about: int) -> int:
    """The margin is at most this."""
    return (about >> HIGH_SHIFT & BOUND_MASK) - OFFSET


def remember(
    memory: Ints, first: int, key: int, low: int, high: int, action: int, nodes: int, generation: int
) -> None:
    """Keeps bounds; the entry of the same key goes, or one of another generation, or the one that was least work."""
    about = (
        (low + OFFSET)
        | (high + OFFSET) << HIGH_SHIFT
        | (action + 1 & BYTE) << ACTION_SHIFT
        | nodes.bit_length() << WORK_SHIFT
        | generation << GENERATION_SHIFT
    )
    write(memory, _place_for(memory, first, key, 0, generation), key, about)


def grow(memory: Ints, buckets: int, first: int, end: int, generation: int) -> None:
    """Makes room in twice as many buckets, for those from `first` to `end`.

    About half of their entries move to the same place in the new half.
    """
    for slot in range(first * BUCKET_WORDS, end * BUCKET_WORDS, LAYOUT.words):
        about = memory[slot + ABOUT]
        if about >> GENERATION_SHIFT == generation and (memory[slot] ^ about) & buckets != 0:
            memory[slot + buckets * BUCKET_WORDS] = memory[slot]
            memory[slot + buckets * BUCKET_WORDS + 1] = about
            memory[slot] = 0
            memory[slot + ABOUT] = 0
