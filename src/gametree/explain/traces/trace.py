"""A search as a sequence of events, each with one sentence in plain words."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.conventions import STANDARD, Conventions
from gametree.explain.traces.outline import Outline, Path, outline

Worth = float | tuple[float, ...]
"""A value for MAX, or one for each player."""
Method = Literal["minimax", "alphabeta", "expectiminimax", "maxn"]
Status = Literal["unseen", "open", "current", "done", "cut"]


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

    kind: Literal["enter", "leaf", "backup", "raise", "lower", "cut", "leave"]
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

    @property
    def proven(self) -> Literal["=", "≤", "≥", ""]:
        """How the node's value compares with the value so far, by the leaves seen so far; "" where that is open.

        A node that has returned its bound (fail-hard) is worth less or more than it, also if all of it was seen.
        """
        if self.low is None or self.high is None or self.value is None or isinstance(self.value, tuple):
            return ""
        if self.low == self.high and (self.alpha is None or self.value == self.low):
            return "="
        return "≤" if self.value >= self.high else "≥" if self.value <= self.low else ""


@dataclass(frozen=True)
class Snapshot:
    """The tree after a number of events."""

    step: int
    event: Event | None
    marks: dict[Path, Mark]
    nodes: int
    leaves: int
    cuts: int


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
        return _snapshot(self, step)

    def _repr_svg_(self) -> str:
        from gametree.explain.pictures.svg import svg

        return svg(self)

    def snapshots(self) -> Iterator[Snapshot]:
        """The tree after 0, 1, 2 … events."""
        from gametree.explain.traces.film import film

        return film(self)


def trace(
    tree: Any,
    method: Method = "alphabeta",
    conventions: Conventions = STANDARD,
    values: Mapping[str, float] | None = None,
) -> Trace:
    """Runs a textbook search on an outline, a tree, a game or nested lists, and tells every step.

    `values` gives numbers to unknown leaves. A search that needs one without a number is refused; the message
    says what the root's value is as far as it can be known.
    """
    from gametree.explain.traces.alphabeta import trace_alphabeta
    from gametree.explain.traces.expectiminimax import trace_expectiminimax
    from gametree.explain.traces.maxn import trace_maxn
    from gametree.explain.traces.minimax import trace_minimax

    if method not in get_args(Method):
        raise InputError(f"method={method!r}: a trace is of {', '.join(get_args(Method))}")
    root = outline(tree)
    if values:
        root = root.with_values(values)
    require(root, method)
    searches = {
        "minimax": trace_minimax,
        "alphabeta": trace_alphabeta,
        "expectiminimax": trace_expectiminimax,
        "maxn": trace_maxn,
    }
    return searches[method](root, conventions)


def suggest(root: Outline) -> Method:
    """The search that fits a tree.

    >>> suggest(outline([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]]))
    'maxn'
    """
    kinds = {node.kind for node in root.walk()}
    if "player" in kinds or any(isinstance(leaf.payoff, tuple) for leaf in root.leaves):
        return "maxn"
    return "expectiminimax" if "chance" in kinds else "alphabeta"


def require(root: Outline, method: Method) -> None:
    """Refuses a tree that a method is not defined for."""
    fits = suggest(root)
    if fits == method or (fits == "alphabeta" and method in ("minimax", "expectiminimax")):
        return
    why = {
        "maxn": "the leaves have a payoff for each player",
        "expectiminimax": "the tree has chance nodes",
        "alphabeta": "the leaves are payoffs of MAX alone",
    }[fits]
    raise UnsuitableError(f"{why}; {method} is not for such a tree. Use method={fits!r}")


# --- the tree after a number of events --------------------------------------------------------------


def _snapshot(trace: Trace, step: int) -> Snapshot:
    events = trace.events[:step]
    last: dict[Path, Event] = {}
    done: set[Path] = set()
    skipped: set[Path] = set()
    for event in events:
        last[event.path] = event
        if event.kind in ("leave", "leaf"):
            done.add(event.path)
        if event.cut is not None:
            skipped.update(event.cut.skipped)
    current = events[-1].path if events and step < len(trace.events) else None
    ranges = _intervals(trace, done)
    marks: dict[Path, Mark] = {}
    gone: set[Path] = set()
    for node in trace.outline.walk():
        path = node.path
        if path in skipped or path[:-1] in gone:
            gone.add(path)
        status: Status = "unseen"
        if path in gone:
            status = "cut"
        elif path == current:
            status = "current"
        elif path in done:
            status = "done"
        elif path in last:
            status = "open"
        low, high = ranges.get(path, (None, None))
        latest = last.get(path)
        if latest is None:
            marks[path] = Mark(status, low=low, high=high)
        else:
            marks[path] = Mark(status, latest.value, latest.alpha, latest.beta, latest.best, low, high)
    return Snapshot(
        step,
        events[-1] if events else None,
        marks,
        len(last),
        sum(event.kind == "leaf" for event in events),
        sum(event.cut is not None for event in events),
    )


def _intervals(trace: Trace, done: set[Path]) -> dict[Path, tuple[float, float]]:
    """What the leaves seen so far prove about the value of every node."""
    if trace.method == "maxn":
        return {}
    ranges: dict[Path, tuple[float, float]] = {}
    for node in reversed(list(trace.outline.walk())):
        if node.is_leaf:
            seen = isinstance(node.payoff, float) and node.path in done
            ranges[node.path] = (node.payoff, node.payoff) if seen else (-math.inf, math.inf)  # type: ignore[assignment]
        else:
            ranges[node.path] = combine(node, [ranges[child.path] for child in node.children])
    return ranges


def combine(node: Outline, ranges: list[tuple[float, float]]) -> tuple[float, float]:
    """The interval of a node's value from those of its children."""
    lows, highs = [low for low, _ in ranges], [high for _, high in ranges]
    if node.kind == "max":
        return max(lows), max(highs)
    if node.kind == "min":
        return min(lows), min(highs)
    odds = [child.probability or 0.0 for child in node.children]
    return average(odds, lows), average(odds, highs)


def average(odds: list[float], values: list[float]) -> float:
    """The expected value. Outcomes are added from the first to the last, as a student would."""
    total = 0.0
    for probability, value in zip(odds, values, strict=True):
        total += probability * value
    return total
