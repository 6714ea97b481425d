"""What the engine keeps in its ledger besides the ledger proper, and where.

    settings, counters      a word each, see the names below
    REDUCTIONS …            64 × 64: by how much a late action is reduced, by depth and place
    HISTORY …               for each player and code of an action: how often it cut, less how often it did not
    COUNTERS …              for each player and code of the action before: the code of the answer that cut
    KILLERS …               for each ply the last two actions that cut there, by code
    JUDGED …                for each ply the estimate of the state on the path, as bits; NOT_JUDGED where unknown
    LINES …                 for each ply the best line from there: its length, then a word for each of its actions
    SHELF …                 the actions of every node on the path: rank, place, estimate of what follows, action

Behind it is the path, in games with a rule on repeated positions (see `repeats.py`).
"""

import math
from collections.abc import Sequence
from typing import Final

from gametree.kernel.primitives import CODES, LEDGER_SIZE, bits

(
    BUCKETS,
    AGE,
    CAPACITY,
    FEATURES,
    SALT,
    ROOT_DEPTH,
    DEEPEST,
    EVALUATIONS,
    SWING,
    SWINGS,
    REACH,
    SPREAD,
    SPREADS,
    GIVEN,
    FIRST,
    CHOSEN,
    REACHED,
    RISING,
    RISEN,
) = range(LEDGER_SIZE, LEDGER_SIZE + 19)

# The last five are of the root, where the kernel walks over it itself: the place of the action to begin with, plus one;
# the place of the best so far, plus one, and its score as bits; the same of one that is better, but nobody knows yet by
# how much.

MOST_REDUCED: Final = 64
KILLER_PLIES: Final = 1024
LINE_PLIES: Final = 256
PATH_PLIES: Final = 4096
SHELF_WORDS: Final = 1 << 18

REDUCTIONS: Final = LEDGER_SIZE + 20
HISTORY: Final = REDUCTIONS + MOST_REDUCED * MOST_REDUCED
COUNTERS: Final = HISTORY + 2 * CODES
KILLERS: Final = COUNTERS + 2 * CODES
JUDGED: Final = KILLERS + 2 * KILLER_PLIES
LINES: Final = JUDGED + KILLER_PLIES
SHELF: Final = LINES + LINE_PLIES * LINE_PLIES
END: Final = SHELF + SHELF_WORDS
NOT_JUDGED: Final = bits(math.nan)
STEP_SHIFT: Final = 20
"""A word of a line is the place of an action in the order of `actions`, and above these bits the action plus one where
it is a number, 0 where it is not."""
STEP_MASK: Final = (1 << STEP_SHIFT) - 1

LEARNED: Final = slice(HISTORY, KILLERS)
"""What a search has learned about actions, for the next one."""


def reductions(wary: bool) -> Sequence[int]:
    """By how many plies the k-th action is reduced at a depth."""
    slowness = 2.2 if wary else 1.7
    return [
        int(0.5 + math.log(depth) * math.log(place) / slowness) if depth > 2 and place > 1 else 0
        for depth in range(MOST_REDUCED)
        for place in range(1, MOST_REDUCED + 1)
    ]
