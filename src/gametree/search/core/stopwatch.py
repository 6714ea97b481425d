"""The clock of a long task: what is left of a limit, whether somebody has called it off, when to report."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from gametree.result import Limit, StoppedBy

LOOK_UP = 64
"""How many steps pass between two looks at the clock."""
REPORT = 0.1
"""Seconds between two reports."""


class Watch:
    """Counts the steps of a task and says when it has to stop, and why.

    >>> watch = Watch(Limit(nodes=2))
    >>> [watch.step() for _ in range(3)], watch.reason
    ([True, True, False], 'nodes')
    """

    def __init__(self, limit: Limit):
        self.limit = limit
        self.report: Callable[[], None] | None = None
        """Called now and then."""
        self.steps: int = 0
        self.reason: StoppedBy | None = None
        """Why the task has to stop; None where it has not."""
        self._begun = time.perf_counter()
        self._reported = self._begun
        self._cancelled = threading.Event()

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self._begun

    def cancel(self) -> None:
        """Calls the task off; any thread may."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether the task was called off."""
        return self._cancelled.is_set()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Within this block the clock stands still: compiling is not thinking."""
        since = time.perf_counter()
        try:
            yield
        finally:
            self._begun += time.perf_counter() - since

    def step(self) -> bool:
        """Counts a step; False where the task has to stop instead."""
        if self.limit.nodes is not None and self.steps >= self.limit.nodes:
            self.reason = "nodes"
            return False
        if self.steps % LOOK_UP == 0 and not self.look_up():
            return False
        self.steps += 1
        return True

    def look_up(self) -> bool:
        """Looks at the clock and reports; False where the task has to stop."""
        now = time.perf_counter()
        if self._cancelled.is_set():
            self.reason = "cancelled"
        elif self.limit.seconds is not None and now - self._begun >= self.limit.seconds:
            self.reason = "seconds"
        elif self.report is not None and now - self._reported >= REPORT:
            self._reported = now
            self.report()
            return not self._cancelled.is_set() or self.look_up()
        return self.reason is None

    def left(self, **more: Any) -> Limit | None:
        """What is left of the limit, and no more than `more` says; None where nothing is."""
        seconds, nodes = self.limit.seconds, self.limit.nodes
        if self.cancelled:
            self.reason = "cancelled"
            return None
        if seconds is not None:
            seconds -= self.seconds
        if nodes is not None:
            nodes -= self.steps
        if (seconds is not None and seconds <= 0) or (nodes is not None and nodes < 1):
            self.reason = self.reason or ("nodes" if nodes is not None and nodes < 1 else "seconds")
            return None
        given = {"seconds": seconds, "nodes": nodes, "depth": self.limit.depth}
        for name, most in more.items():
            given[name] = most if given[name] is None else min(given[name], most)
        return Limit(**given)  # type: ignore[arg-type]
