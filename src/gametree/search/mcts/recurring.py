"""Positions that recur on the way of a simulation, tree and playout alike.

`repetition.recurs` compares a position with all before it. In a long playout that would be most of the work, so a small
table of what this simulation has seen comes first: only what is in there, or was there before the root, is looked at.
"""

from typing import Any

from gametree.kernel.clock import Clock
from gametree.kernel.primitives import recurrence
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.mcts.memory import Thread

HERE = 1 << 10
"""How many places the small table has."""


def begin_way(thread: Thread, clock: Clock, path: Path) -> None:
    """A simulation begins: the root is on its way."""
    thread.here[path.keys[0] & HERE - 1] = clock.nodes + 1


def comes_back(game: Any, state: Any, ply: int, thread: Thread, clock: Clock, path: Path) -> bool:
    """Puts a state on the way; whether the rule of the game on repeated positions applies to it."""
    key = recurrence(game, state)
    path.keys[ply] = key
    slot = key & HERE - 1
    new = thread.here[slot] != clock.nodes + 1
    thread.here[slot] = clock.nodes + 1
    if new and (path.mask == 0 or repetition.occurrences(key, path) == 0):
        return False
    return repetition.recurs(game, state, ply, path) != repetition.NOWHERE
