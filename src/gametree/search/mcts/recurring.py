"""Positions that recur on the way of a simulation, tree and playout alike.

`repeats.recurs` compares a position with all before it. In a long playout that would be most of the work, so a small
table of what this simulation has seen comes first: only what is in there, or was there before the root, is looked at.
"""

from typing import Any

from gametree.kernel.primitives import NODES, Ints, recurrence
from gametree.search.core import repetition
from gametree.search.core.repetition import Path
from gametree.search.mcts.words import SEEN_HERE, SEEN_SLOTS


def begin_way(ledger: Ints, path: Path) -> None:
    """A simulation begins: the root is on its way."""
    ledger[SEEN_HERE + (path.keys[0] & SEEN_SLOTS - 1)] = ledger[NODES] + 1


def comes_back(game: Any, state: Any, ply: int, ledger: Ints, path: Path) -> bool:
    """Puts a state on the way; whether the rule of the game on repeated positions applies to it."""
    key = recurrence(game, state)
    path.keys[ply] = key
    slot = SEEN_HERE + (key & SEEN_SLOTS - 1)
    new = ledger[slot] != ledger[NODES] + 1
    ledger[slot] = ledger[NODES] + 1
    if new and (path.mask == 0 or repetition.occurrences(key, path) == 0):
        return False
    return repetition.recurs(game, state, ply, path) != repetition.NOWHERE
