"""Threads that share a table keep out of each other's way.

Two threads that search one tree in one order would find the same at the same time. So whoever begins to search an
action that is not the first of its state leaves a mark, and who finds it marked takes another one first; when it comes
back to the action, the value is mostly in the table (after ABDADA, Weill 1996, in the simple form of Kerrigan 2017).

The marks lie behind the table. Losing one, or finding an old one, costs time and nothing else.
"""

from typing import Any

from gametree.kernel.primitives import action_code, take
from gametree.search.engine.entries import LAYOUT
from gametree.search.engine.memory import EngineMemory
from gametree.search.engine.ordering import ACTION, bring_up, shelf_width

MARKS = 1 << 12
BUCKET_WORDS = LAYOUT.bucket_words
SHALLOWEST = 3
"""Below this depth an action is searched sooner than asked about."""
PUT_OFF = -(1 << 62)
"""The rank of an action that was put off: once is enough."""


def undisturbed(game: Any, key: int, top: int, k: int, n: int, memory: EngineMemory) -> int:
    """Brings an action to place k that no other thread is searching, where there is one."""
    at = top + k * shelf_width(game)
    while memory.shelf[at] > PUT_OFF:
        mark = _mark(game, key, at, memory)
        if memory.table[_place(mark, memory)] != mark:
            break
        memory.shelf[at] = PUT_OFF
        at = bring_up(memory.shelf, top, k, n, shelf_width(game))
    return at


def begin(game: Any, key: int, at: int, memory: EngineMemory) -> None:
    """Tells the others that the action at `at` is being searched."""
    mark = _mark(game, key, at, memory)
    memory.table[_place(mark, memory)] = mark


def end(game: Any, key: int, at: int, memory: EngineMemory) -> None:
    """Takes the mark away."""
    memory.table[_place(_mark(game, key, at, memory), memory)] = 0


def _mark(game: Any, key: int, at: int, memory: EngineMemory) -> int:
    return key ^ action_code(take(game, memory.shelf, at + ACTION))


def _place(mark: int, memory: EngineMemory) -> int:
    return BUCKET_WORDS * memory.buckets + (mark & (MARKS - 1))
