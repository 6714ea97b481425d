"""All moments of a trace one after the other, each made from the one before: only what an event changes is changed."""

import math
from collections.abc import Iterator

from gametree.explain.traces.outline import Outline, Path
from gametree.explain.traces.trace import Event, Mark, Snapshot, Status, Trace, combine


def film(trace: Trace) -> Iterator[Snapshot]:
    """The snapshots after 0, 1, 2 … events: the same as `trace.at(step)` for every step."""
    reel = _Reel(trace)
    yield reel.snapshot(0, None)
    for step, event in enumerate(trace.events, start=1):
        reel.advance(event, final=step == len(trace.events))
        yield reel.snapshot(step, event)


class _Reel:
    """The marks of all nodes, kept up to date event by event."""

    def __init__(self, trace: Trace):
        self.nodes: dict[Path, Outline] = {node.path: node for node in trace.outline.walk()}
        free = None if trace.method == "maxn" else (-math.inf, math.inf)
        self.ranges = dict.fromkeys(self.nodes, free)
        self.last: dict[Path, Event] = {}
        self.done: set[Path] = set()
        self.gone: set[Path] = set()
        self.current: Path | None = None
        self.leaves = self.cuts = 0
        self.marks: dict[Path, Mark] = {}
        for path in self.nodes:
            self.refresh(path)

    def advance(self, event: Event, final: bool) -> None:
        path, before = event.path, self.current
        self.last[path] = event
        self.current = None if final else path
        if event.kind in ("leave", "leaf"):
            self.done.add(path)
        if event.kind == "leaf":
            self.leaves += 1
            self.learn(path)
        if event.cut is not None:
            self.cuts += 1
            for skipped in event.cut.skipped:
                for node in self.nodes[skipped].walk():
                    self.gone.add(node.path)
                    self.refresh(node.path)
        if before is not None:
            self.refresh(before)
        self.refresh(path)

    def learn(self, path: Path) -> None:
        """A leaf has been seen: the intervals from it up to the root get narrower."""
        payoff = self.nodes[path].payoff
        if self.ranges[path] is None or not isinstance(payoff, float):
            return
        self.ranges[path] = payoff, payoff
        while path:
            path = path[:-1]
            node = self.nodes[path]
            ranges = [self.ranges[child.path] for child in node.children]
            narrower = combine(node, [one for one in ranges if one is not None])
            if narrower == self.ranges[path]:
                return
            self.ranges[path] = narrower
            self.refresh(path)

    def refresh(self, path: Path) -> None:
        status: Status = "unseen"
        if path in self.gone:
            status = "cut"
        elif path == self.current:
            status = "current"
        elif path in self.done:
            status = "done"
        elif path in self.last:
            status = "open"
        low, high = self.ranges[path] or (None, None)
        event = self.last.get(path)
        if event is None:
            self.marks[path] = Mark(status, low=low, high=high)
        else:
            self.marks[path] = Mark(status, event.value, event.alpha, event.beta, event.best, low, high)

    def snapshot(self, step: int, event: Event | None) -> Snapshot:
        return Snapshot(step, event, dict(self.marks), len(self.last), self.leaves, self.cuts)
