"""What a kernel may call besides the game's own methods.

Each function has a body for interpreted runs; `overloads.py` gives the same name a compiled one.
Annotations of kernel parameters use `Ints`, `Floats` and `Words` for arrays.
"""

import time
from typing import Any, TypeVar

F = TypeVar("F")

Ints = list[int]
"""A C-contiguous int64 array; interpreted, a list."""
Floats = list[float]
"""A C-contiguous float64 array; interpreted, a list."""
Words = list[int]
"""A C-contiguous uint64 array; interpreted, a list."""

# What a ledger, the int64 array that a running search shares with its driver, holds at which index.
NODES, NEXT, LIMIT, STRIDE, STOP, STACK, BUDGET, ESTIMATED, LEAVES = range(9)
LEDGER_SIZE = 16

# Why a search stopped: values of ledger[STOP].
RUNNING, BY_DRIVER, BY_NODES, BY_STACK, BY_CLOCK = range(5)


def primitive(function: F) -> F:
    """Marks a function whose compiled body is written in `overloads.py`."""
    function.is_primitive = True  # type: ignore[attr-defined]
    return function


class Ledger(list[int]):
    """The ledger of an interpreted run; it keeps the deadline itself, as nobody else may be running."""

    deadline: float = float("inf")


@primitive
def expired(ledger: Any) -> int:
    """Why the run has to stop now (BY_STACK, BY_CLOCK), or RUNNING."""
    return BY_CLOCK if time.perf_counter() >= ledger.deadline else RUNNING


def poll(ledger: Ints) -> bool:
    """Whether the search has to stop; called whenever ledger[NODES] reaches ledger[NEXT]."""
    if ledger[STOP] != RUNNING:
        return True
    if ledger[NODES] >= ledger[LIMIT]:
        ledger[STOP] = BY_NODES
        return True
    reason = expired(ledger)
    if reason != RUNNING:
        ledger[STOP] = reason
        return True
    ledger[NEXT] = min(ledger[NODES] + ledger[STRIDE], ledger[LIMIT])
    return False


@primitive
def estimate(game: Any, state: Any) -> float:
    """The game's evaluation for player 0; `nan` where it has none."""
    from gametree.game import offers

    return float(game.evaluate(state, 0)) if offers(game, "evaluate") else float("nan")
