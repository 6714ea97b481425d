"""What the kernel of the engine keeps besides its clock and its path."""

import functools
import math
from collections import defaultdict
from typing import Any, Final

from gametree.kernel.memory import Memory
from gametree.kernel.primitives import CODES, NOTHING, Floats, Ints, bits
from gametree.search.core.memory import block
from gametree.search.databases.shelf import Shelf

MOST_REDUCED: Final = 64
FRAME_PLIES: Final = 1024
"""Beyond so many plies nobody asks for killers and estimates any more."""
LINE_PLIES: Final = 256
PATH_PLIES: Final = 4096
SHELF_WORDS: Final = 1 << 18
PLIES: Final = SHELF_WORDS // 3 + 64
"""No path is longer: every ply takes three words of the shelf or more."""
NOT_JUDGED: Final = bits(NOTHING)
STEP_SHIFT: Final = 20
"""A word of a line is the place of an action in the order of `actions`, and above these bits the action plus one where
it is a number, 0 where it is not."""
STEP_MASK: Final = (1 << STEP_SHIFT) - 1
PASSED: Final = -1
"""Instead of the code of an action: the player before has passed."""


class EngineMemory(Memory):
    """The memory of one thread; the table is that of all. What goes by ply begins with the root."""

    features: int
    """Which steps the search takes: see `profiles.py`."""
    root_depth: int
    first: int
    """The place of the root's action to begin with, plus one."""

    table: Ints
    """See `core/table.py`; behind it are the marks of `threads.py`."""
    buckets: int
    age: int
    salt: int
    """Part of every key."""

    endings: Shelf
    """The endgame databases that are open."""

    reductions: Ints
    """MOST_REDUCED × MOST_REDUCED: by how much a late action is reduced, by depth and place."""
    history: Ints
    """For each player and code of an action: how often it cut, less how often it did not."""
    answers: Ints
    """For each player and code of the action before: the code of the answer that cut, plus one."""

    shelf: Ints
    """The actions of every node on the path: rank, place, estimate of what follows, action."""
    top: Ints
    """By ply: where the shelf is free."""
    before: Ints
    """By ply: the code of the action that led there, plus one; PASSED after a pass."""
    excluded: Ints
    """By ply: the place of the action that is not to be searched, plus one."""
    killers: Ints
    """By ply: the codes of the last two actions that cut there, plus one."""
    judged: Floats
    """By ply: the estimate of the state on the path; nan where unknown."""
    lines: Ints
    """By ply: the best line from there, its length, then a word for each of its actions."""
    given: float = NOTHING
    """The estimate of the state that is searched next; nan where unknown."""

    deepest: int
    """The plies of the longest line."""
    reach: int
    """The plies of the longest line below the node, where a clock runs."""
    evaluations: int
    """How many estimates were made for the order's sake."""
    swing: float
    """By how much estimates changed from one ply to the next, in `swings` steps."""
    swings: int
    spread: float
    """By how much the estimates of two actions of one state differed, `spreads` times."""
    spreads: int

    chosen: int
    """At the root, where the kernel walks over it: the place of the best action so far, plus one, and its score."""
    reached: float
    rising: int
    """The same of one that is better, but nobody knows yet by how much."""
    risen: float


_SMALL: Final = {"history": 2 * CODES, "answers": 2 * CODES, "killers": 2 * FRAME_PLIES}
_LARGE: Final = (
    {"shelf": SHELF_WORDS, "lines": LINE_PLIES * LINE_PLIES},
    {"top": PLIES, "before": PLIES, "excluded": PLIES},
)
"""Of these most is never written to; a search of few nodes must not wait until megabytes are cleared."""


def allocate(compiled: bool, wary: bool, learned: Any = None, **given: Any) -> EngineMemory:
    """New memory, with what an earlier search has learned about actions."""
    arrays: dict[str, Any] = {name: defaultdict(int) for part in (_SMALL, *_LARGE) for name in part}
    judged: Any = defaultdict(float)
    if compiled:
        import numpy as np

        arrays = {name: np.zeros(size, np.int64) for name, size in _SMALL.items()}
        for part in _LARGE:
            words = block(sum(part.values()))
            for name, size in part.items():
                arrays[name], words = words[:size], words[size:]
        judged = np.zeros(FRAME_PLIES)
    judged[0] = NOTHING
    if learned is not None:
        arrays["history"], arrays["answers"] = (array.copy() for array in learned)
    return EngineMemory.allocate(
        compiled, **arrays, judged=judged, reductions=_reductions(compiled, wary), **given
    )


def learned(memory: EngineMemory) -> Any:
    """What a search has learned about actions, for the next one."""
    history, answers = memory.history, memory.answers
    return history.copy(), answers.copy()


@functools.cache
def _reductions(compiled: bool, wary: bool) -> Any:
    if not compiled:
        return reductions(wary)
    import numpy as np

    return np.array(reductions(wary), np.int64)


def reductions(wary: bool) -> list[int]:
    """By how many plies the k-th action is reduced at a depth."""
    slowness = 2.2 if wary else 1.7
    return [
        int(0.5 + math.log(depth) * math.log(place) / slowness) if depth > 2 and place > 1 else 0
        for depth in range(MOST_REDUCED)
        for place in range(1, MOST_REDUCED + 1)
    ]
