"""What is known at one moment of a search: the nodes seen, the branches cut, the best line."""

from gametree.explain.traces.outline import Path
from gametree.explain.traces.trace import Cut, Mark, Snapshot, Trace


class Moment:
    """A trace after some of its events, as pictures need it; without a trace, a tree that nobody has searched."""

    def __init__(self, trace: Trace | None, snapshot: Snapshot | None = None):
        self.marks: dict[Path, Mark] = {}
        self.cuts: dict[Path, Cut] = {}
        """The cut made at a node, where there was one."""
        self.skipped: set[Path] = set()
        """The children that a cut passed over."""
        self.best: set[Path] = set()
        """The nodes of the best line, once the search is over."""
        if trace is None:
            return
        snapshot = snapshot or trace.at(len(trace.events))
        self.marks = snapshot.marks
        for cut in trace.cuts[: snapshot.cuts]:
            self.cuts[cut.path] = cut
            self.skipped.update(cut.skipped)
        if snapshot.step == len(trace.events) and trace.line:
            self.best = {(), *trace.line}

    def status(self, path: Path) -> str:
        """ "unseen", "open", "current", "done" or "cut"; "" where there is no search."""
        mark = self.marks.get(path)
        return "" if mark is None else mark.status
