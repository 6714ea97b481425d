"""What the engine keeps of a state in the transposition table: an entry of four words, two in a bucket.

    word 1   value       the bits of a float, to player 0; wins and losses counted from this state
    word 2   estimate    the bits of what `evaluate` says of the state, or NOT_JUDGED
    word 3   about       bit 0–15  depth    16–17  bound    18  proven    19  in use    20–39  action    40–47  age
                         48  full    49–62  reach

`action` is the place of the best action in the order of `actions`, plus one; `full` says that nothing was pruned;
`reach` is how many plies below the state were looked at, in games with a clock. A search without selectivity uses
values of its own depth only, so that it finds what it finds without the table.
"""

from gametree.kernel.primitives import WIN, WON, Ints, bits, unbits
from gametree.search.core.table import Layout, functions, write_more

VALUE, ESTIMATE, ABOUT = 1, 2, 3

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
LAYOUT = Layout(4, 2, worth_mask=DEPTH_MASK, age_shift=AGE_SHIFT, age_mask=AGE_MASK)
_home, _holds, _probe, _worth_of, _place_for = functions(LAYOUT)


def bucket(key: int, buckets: int) -> int:
    """Where the bucket of a key begins."""
    return _home(key, buckets)


def probe(memory: Ints, buckets: int, key: int) -> int:
    """Where the entry of a key lies; −1 where there is none."""
    slot = _probe(memory, _home(key, buckets), key, 0)
    if slot < 0:
        return -1
    return slot if _is_sane(unbits(memory[slot + VALUE]), unbits(memory[slot + ESTIMATE])) else -1


def _is_sane(value: float, estimate: float) -> bool:
    """Whether numbers are such as a search stores: no chance hit, however unlikely, may do harm."""
    size = abs(value)
    return (size < WON or WIN - FARTHEST < size <= WIN) and not abs(estimate) > WON


def stored_value(memory: Ints, slot: int, plies: int) -> float:
    """The value of an entry for a state `plies` below the root."""
    v = unbits(memory[slot + VALUE])
    if v > WON:
        return v - plies
    return v + plies if v < -WON else v


def remember(
    memory: Ints,
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
    slot = _place_for(memory, _home(key, buckets), key, 0, age)
    if depth == 0 and _worth_of(memory[slot + ABOUT], age) > 0 and not _holds(memory, slot, key, 0):
        return
    about = depth | bound << BOUND_SHIFT | IN_USE | extra | age << AGE_SHIFT
    write_more(memory, slot, key, bits(v), judged, about)
