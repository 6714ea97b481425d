"""A search as a sequence of events, each with one sentence in plain words."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gametree.documents.teaching import EventKind as EventKind
from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.conventions import STANDARD, Conventions
from gametree.explain.traces.methods import METHODS, Method
from gametree.explain.traces.settings import USUAL, Settings
from gametree.games.tree.outline import Outline, Path

Worth = float | tuple[float, ...]
"""A value for MAX, or one for each player."""
Status = Literal["", "unseen", "open", "current", "done", "cut"]
"""How far a search is with a node; "" in a tree that nobody has searched."""
Bound = Literal["=", "≤", "≥", ""]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where alpha-beta stopped looking, and why. A node whose children have all been seen is not cut."""

    path: Path
    """The node at which the search stopped looking."""
    kind: Literal["alpha", "beta"]
    """An α-cut is at a MIN node (its value is α or less), a β-cut at a MAX node (its value is β or more)."""
    depth: Literal["shallow", "deep"]
    """Shallow where the parent set the bound, deep where a node further up did."""
    by: Path
    """The node that set the bound: the last that raised α, or lowered β, on the way here."""
    skipped: tuple[Path, ...]
    """The children that were not looked at, in the order in which they would have been."""


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a search."""

    kind: EventKind
    path: Path
    value: Worth | None
    """The node's value so far; what it returns, where the event is "leave"."""
    alpha: float | None
    """At the node, after the event; None in searches without a window."""
    beta: float | None
    line: int
    """The line of the pseudo-code, counted from 1."""
    sentence: str
    cut: Cut | None = None
    best: Path | None = None
    """The child that the value so far comes from."""
    proven: Bound = ""
    """How the node's value compares with the value so far, in searches that say so themselves."""
    skipped: tuple[Path, ...] = ()
    """What is left out here for another reason than α and β."""
    beside: tuple[tuple[Path, tuple[str, ...]], ...] = ()
    """What stands beside nodes from now on: visits and UCT terms, proof numbers, merits."""
    fresh: bool = False
    """Whether the search begins at the root again, as if nothing had been looked at."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn at one node."""

    status: Status
    value: Worth | None = None
    alpha: float | None = None
    beta: float | None = None
    best: Path | None = None
    low: float | None = None
    """The least that the node's value can be, by the leaves seen so far; None where payoffs are vectors."""
    high: float | None = None
    proven: Bound = ""
    """How the node's value compares with the value so far, by the leaves seen so far; "" where that is open."""
    beside: tuple[str, ...] = ()
    """What stands beside the node in the place of α and β."""


@dataclass(frozen=True)
class Snapshot:
    """The tree after a number of events, as it is drawn."""

    step: int
    event: Event | None
    marks: Mapping[Path, Mark]
    nodes: int
    leaves: int
    cut_at: Mapping[Path, Cut]
    """The cut made at a node, where there was one."""
    skipped: frozenset[Path]
    """The children that a cut passed over."""
    best: frozenset[Path]
    """The nodes of the best line, once the search is over."""

    @property
    def cuts(self) -> int:
        return len(self.cut_at)


def unsearched(root: Outline) -> Snapshot:
    """A tree that nobody has searched."""
    marks = {node.path: Mark("") for node in root.walk()}
    return Snapshot(0, None, marks, 0, 0, {}, frozenset(), frozenset())


@dataclass(frozen=True)
class Trace:
    """A search, told from its first event to its last.

    >>> told = trace([[3, 12, 8], [2, "x", "y"], [14, 5, 2]])
    >>> told.value, told.move, told.leaves[3:]
    (3.0, (0,), ((1, 0), (2, 0), (2, 1), (2, 2)))
    >>> print(next(event.sentence for event in told.events if event.cut))
    MIN can hold MAX to 2 here, and MAX already has 3 at the root: the other two leaves cannot matter.
    """

    method: Method
    outline: Outline
    conventions: Conventions
    events: tuple[Event, ...]
    code: tuple[str, ...]
    """The pseudo-code, line by line."""
    value: Worth
    move: Path | None
    """The best child of the root; None where the root is a leaf or chance decides."""
    line: tuple[Path, ...]
    """The best line of play: the nodes after the root, as far as players decide."""
    values: Mapping[Path, Worth]
    """What each visited node returned."""
    visited: tuple[Path, ...]
    """The nodes in the order of entering, leaves included."""
    leaves: tuple[Path, ...]
    """The visited leaves in order."""
    cuts: tuple[Cut, ...]

    def at(self, step: int) -> Snapshot:
        """The state of every node after the first `step` events, 0 to all of them."""
        if not 0 <= step <= len(self.events):
            raise InputError(f"step {step}: the trace has the steps 0 to {len(self.events)}")
        replay = _Replay(self)
        for event in self.events[:step]:
            replay.advance(event)
        return replay.snapshot()

    def _repr_svg_(self) -> str:
        from gametree.explain.pictures.svg import svg

        return svg(self)

    def snapshots(self) -> Iterator[Snapshot]:
        """The tree after 0, 1, 2 … events."""
        replay = _Replay(self)
        yield replay.snapshot()
        for event in self.events:
            replay.advance(event)
            yield replay.snapshot()


def trace(
    tree: Any,
    method: Method = "alphabeta",
    conventions: Conventions = STANDARD,
    values: Mapping[str, float] | None = None,
    settings: Settings = USUAL,
    state: Any = None,
) -> Trace:
    """Runs a textbook search on an outline, a tree, a game or nested lists, and tells every step.

    `values` gives numbers to unknown leaves. A search that needs one without a number is refused; the message
    says what the root's value is as far as it can be known. `settings` has what some searches ask besides: a depth,
    estimates of inner nodes, how many simulations. With a game, `state` is where the search begins.

    >>> told = trace([[3, 12, 8], [2, 4, 6], [14, 5, 2]], "sss")
    >>> told.value, told.leaves
    (3.0, ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 1), (0, 2)))
    """
    from gametree.explain.traces.running import run

    if method not in METHODS:
        raise InputError(f"method={method!r}: a trace is of {', '.join(METHODS)}")
    return run(tree, method, conventions, values or {}, settings, state)


def suggest(root: Outline) -> Method:
    """The search that fits a tree.

    >>> from gametree.games.tree.outline import outline
    >>> suggest(outline([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]]))
    'maxn'
    """
    kinds = {node.kind for node in root.walk()}
    if "player" in kinds or any(isinstance(leaf.payoff, tuple) for leaf in root.leaves):
        return "maxn"
    return "expectiminimax" if "chance" in kinds else "alphabeta"


def require(root: Outline, method: Method) -> None:
    """Refuses a tree that a method is not defined for."""
    kinds = ("one number", "chance", "vectors")
    fits = {"alphabeta": "one number", "expectiminimax": "chance", "maxn": "vectors"}[suggest(root)]
    takes = METHODS[method].trees
    if fits == takes or (method != "maxn" and kinds.index(fits) < kinds.index(takes)):
        return
    why = {
        "vectors": "the leaves have a payoff for each player",
        "chance": "the tree has chance nodes",
        "one number": "the leaves are payoffs of MAX alone",
    }[fits]
    raise UnsuitableError(f"{why}; {method} is not for such a tree. Use method={suggest(root)!r}")


# --- the tree after a number of events --------------------------------------------------------------


class _Replay:
    """The marks of all nodes, kept up to date event by event: only what an event changes is changed."""

    def __init__(self, trace: Trace):
        self.trace = trace
        self.nodes: dict[Path, Outline] = {node.path: node for node in trace.outline.walk()}
        free = (-math.inf, math.inf) if METHODS[trace.method].ranges else None
        self.ranges = dict.fromkeys(self.nodes, free)
        """What the leaves seen so far prove about the value of every node."""
        self.step = 0
        self.last: dict[Path, Event] = {}
        self.done: set[Path] = set()
        self.gone: set[Path] = set()
        self.leaves = 0
        self.cut_at: dict[Path, Cut] = {}
        self.skipped: frozenset[Path] = frozenset()
        self.beside: dict[Path, tuple[str, ...]] = {}
        self.marks: dict[Path, Mark] = {}
        for path in self.nodes:
            self.refresh(path)

    @property
    def current(self) -> Path | None:
        """The node of the last event; nothing is current at the start and at the end."""
        events = self.trace.events
        return events[self.step - 1].path if 0 < self.step < len(events) else None

    def advance(self, event: Event) -> None:
        path, before = event.path, self.current
        self.step += 1
        if event.fresh:
            self.begin_anew()
        for other, texts in event.beside:
            self.beside[other] = texts
            self.refresh(other)
        if event.kind in ("start", "end"):
            for one in {path, before or path}:
                self.refresh(one)
            return
        self.last[path] = event
        if event.kind == "enter":
            self.done.discard(path)
        if event.kind in ("leave", "leaf"):
            self.done.add(path)
        if event.kind == "leaf":
            self.leaves += 1
            self.learn(path)
        if event.cut is not None:
            self.cut_at = {**self.cut_at, path: event.cut}
        left_out = event.cut.skipped if event.cut is not None else event.skipped
        self.skipped |= frozenset(left_out)
        for skipped in left_out:
            for node in self.nodes[skipped].walk():
                self.gone.add(node.path)
                self.refresh(node.path)
        if before is not None:
            self.refresh(before)
        self.refresh(path)

    def begin_anew(self) -> None:
        """Nothing has been looked at: what stands beside nodes stays."""
        self.last, self.done, self.gone = {}, set(), set()
        self.leaves, self.cut_at, self.skipped = 0, {}, frozenset()
        for path in self.nodes:
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
            narrower = node.combine([one for one in ranges if one is not None])
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
        elif path in self.last or self.beside.get(path):
            status = "open"
        low, high = self.ranges[path] or (None, None)
        event, beside = self.last.get(path), self.beside.get(path, ())
        if event is None:
            self.marks[path] = Mark(status, low=low, high=high, beside=beside)
        else:
            sign = _proven(event, low, high)
            self.marks[path] = Mark(
                status, event.value, event.alpha, event.beta, event.best, low, high, sign, beside
            )

    def snapshot(self) -> Snapshot:
        trace, step = self.trace, self.step
        over = step == len(trace.events) and trace.line
        return Snapshot(
            step,
            trace.events[step - 1] if step else None,
            dict(self.marks),
            len(self.last),
            self.leaves,
            self.cut_at,
            self.skipped,
            frozenset(((), *trace.line)) if over else frozenset(),
        )


def _proven(event: Event, low: float | None, high: float | None) -> Bound:
    """A node that has returned its bound (fail-hard) is worth less or more than it, also if all of it was seen."""
    if low is None or high is None or event.value is None or isinstance(event.value, tuple):
        return event.proven
    if low == high and (event.alpha is None or event.value == low):
        return "="
    return "≤" if event.value >= high else "≥" if event.value <= low else ""
