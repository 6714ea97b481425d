"""The transposition table: what was found about a state, for when it comes up again on another path.

One block of 64-bit words. A bucket is a cache line with two entries of four words:

    word 0   key ^ the other words   a torn or foreign entry does not give back its key and is no entry
    word 1   value                   the bits of a float, to player 0; wins and losses counted from this state
    word 2   about                   see below
    word 3   estimate                the bits of what `evaluate` says of the state, or NOT_JUDGED

    about:   bit 0–15  depth    16–17  bound    18  proven    19  in use    20–39  action    40–47  age
             48  full    49–62  reach

`action` is the place of the best action in the order of `actions`, plus one; `full` says that nothing was pruned;
`reach` is how many plies below the state were looked at, in games with a clock. A
search without selectivity uses values of its own depth only, so that it finds what it finds without the table.
"""

from gametree.kernel.primitives import WIN, WON, Ints, bits, unbits

WORDS = 4
ENTRIES = 2
BUCKET_BYTES = 8 * WORDS * ENTRIES

EXACT, LOWER, UPPER, NO_BOUND = 0, 1, 2, 3
"""What an entry proves; NO_BOUND: it knows an action only."""
DEPTH_MASK = (1 << 16) - 1
BOUND_SHIFT = 16
PROVEN = 1 << 18
IN_USE = 1 << 19
ACTION_SHIFT = 20
ACTION_MASK = (1 << 20) - 1
AGE_SHIFT = 40
AGE_MASK = 255
FULL = 1 << 48
FARTHEST = float(1 << 20)
"""No win is so many plies away."""
REACH_SHIFT = 49
REACH_MASK = (1 << 13) - 1


def bucket(key: int, buckets: int) -> int:
    """Where the bucket of a key begins."""
    return (key & (buckets - 1)) * (WORDS * ENTRIES)


def probe(table: Ints, buckets: int, key: int) -> int:
    """Where the entry of a key lies; −1 where there is none."""
    first = bucket(key, buckets)
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        about = table[slot + 2]
        if about & IN_USE and table[slot] ^ table[slot + 1] ^ about ^ table[slot + 3] == key:
            return slot if _is_sane(unbits(table[slot + 1]), unbits(table[slot + 3])) else -1
    return -1


def _is_sane(value: float, estimate: float) -> bool:
    """Whether numbers are such as a search stores: no chance hit, however unlikely, may do harm."""
    size = abs(value)
    return (size < WON or WIN - FARTHEST < size <= WIN) and not abs(estimate) > WON


def stored_value(table: Ints, slot: int, plies: int) -> float:
    """The value of an entry for a state `plies` below the root."""
    v = unbits(table[slot + 1])
    if v > WON:
        return v - plies
    return v + plies if v < -WON else v


def remember(
    table: Ints,
    buckets: int,
    key: int,
    value: float,
    plies: int,
    depth: int,
    bound: int,
    extra: int,
    age: int,
    judged: int,
) -> None:
    """Keeps what was found; the entry of the same key goes, or else the older and shallower of the two.

    `extra` holds the bits for the action, PROVEN and FULL; `judged` is the estimate. What was found at the horizon does
    not replace what was found above it in the same search.
    """
    v = value
    if value > WON:
        v = value + plies
    elif value < -WON:
        v = value - plies
    word = bits(v)
    about = depth | bound << BOUND_SHIFT | IN_USE | extra | age << AGE_SHIFT
    first = bucket(key, buckets)
    chosen = first
    lowest = 1 << 40
    for slot in range(first, first + WORDS * ENTRIES, WORDS):
        there = table[slot + 2]
        if there & IN_USE and table[slot] ^ table[slot + 1] ^ there ^ table[slot + 3] == key:
            chosen = slot
            lowest = 0
            break
        worth = there & DEPTH_MASK if there & IN_USE else -1
        if (there >> AGE_SHIFT & AGE_MASK) != age:
            worth -= 1 << 20
        if worth < lowest:
            lowest = worth
            chosen = slot
    if depth == 0 and lowest > 0:
        return
    table[chosen] = key ^ word ^ about ^ judged
    table[chosen + 1] = word
    table[chosen + 2] = about
    table[chosen + 3] = judged
