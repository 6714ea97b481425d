"""The clock of a search: what a running kernel and its driver tell each other.

A kernel counts its nodes. Whenever their number reaches `next`, it polls: has it been told to stop, is the node limit
reached, the time over, the stack used up? `next` never lies beyond the limit, so that node limits are exact.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from gametree.kernel.marking import primitive
from gametree.kernel.memory import Memory
from gametree.kernel.primitives import NOTHING, estimate

# Why a search stopped.
RUNNING, BY_DRIVER, BY_NODES, BY_STACK, BY_CLOCK, BY_PLIES, BY_RULES = range(7)

UNLIMITED = 1 << 62
"""A limit in nodes or nanoseconds that is never reached."""

now: Final[Callable[[], int]] = time.perf_counter_ns
"""The one clock that searches go by: nanoseconds that never go back. (`time.monotonic` is a coarse one on Windows.)"""


class Clock(Memory):
    """Shared by a kernel and its driver: the driver may write `stop` while the kernel runs."""

    nodes: int
    """How many have been visited."""
    next: int
    """At this number of nodes the kernel polls."""
    limit: int = UNLIMITED
    stride: int
    """How many nodes lie between two polls."""
    stop: int = RUNNING
    """Why the search has to stop, or RUNNING."""
    stack: int
    """The lowest address that the stack may reach; the entry of a kernel reckons it from `budget`."""
    budget: int
    estimated: bool
    """Whether an estimate was asked for: then nothing is proven."""
    endless: bool
    """Whether the search goes to the end of the game and has no use for estimates."""
    deadline: int = UNLIMITED
    """When to stop, in nanoseconds of `now`."""
    patience: int = UNLIMITED
    """When a loop in the rules has taken too long, in the same."""
    over: bool
    """Whether time is over for good: users' rules are not to begin any more."""
    depth: int
    """How many calls of the rules' own in a circle are under way."""
    rounds: int
    """Of loops that `yield`, between two looks at the time."""


@primitive
def expired(clock: Clock) -> int:
    """Why the run has to stop now (BY_STACK, BY_CLOCK), or RUNNING."""
    return BY_CLOCK if now() >= clock.deadline else RUNNING


def poll(clock: Clock) -> bool:
    """Whether the search has to stop; called whenever `nodes` reaches `next`."""
    if clock.stop != RUNNING:
        return True
    if clock.nodes >= clock.limit:
        clock.stop = BY_NODES
        return True
    reason = expired(clock)
    if reason != RUNNING:
        clock.stop = reason
        return True
    # The first looks follow closely: rules may be slow.
    clock.next = min(clock.nodes + min(clock.stride, clock.nodes + 1), clock.limit)
    return False


def horizon(game: Any, state: Any, clock: Clock) -> float:
    """The estimate that stands for a state at depth 0; nan where there is none to be had."""
    if clock.endless:
        clock.stop = BY_PLIES
        return NOTHING
    clock.estimated = True
    return estimate(game, state)
