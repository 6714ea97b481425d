"""Writes down the events of a traced search, each with one sentence: what has happened, and what follows from it."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.notation import count, number
from gametree.explain.traces.pseudocode import listing
from gametree.explain.traces.trace import Bound as Bounding
from gametree.explain.traces.trace import Cut, Event, Trace, Worth
from gametree.games.tree.outline import Interval, Outline, Path
from gametree.result import capital

Vector = tuple[float, ...]


class Recorder:
    """Takes notes while a search runs, and makes a `Trace` of them at the end."""

    code: tuple[str, ...]
    lines: dict[str, int]

    def __init__(self, method: Method, root: Outline, conventions: Conventions):
        self.method = method
        self.root = root
        self.conventions = conventions
        self.code, self.lines = listing(
            method, conventions, {node.kind for node in root.walk()}, _alternates(root)
        )
        self.events: list[Event] = []
        self.values: dict[Path, Worth] = {}
        self.best: dict[Path, Path] = {}
        self.visited: list[Path] = []
        self.so_far: dict[Path, Worth] = {}

    def note(
        self,
        kind: str,
        node: Outline,
        sentence: str,
        *,
        window: Interval | None = None,
        line: str = "",
        cut: Cut | None = None,
        **more: Any,
    ) -> None:
        """Writes down an event at a node, with the node's value so far; `more` is what else an event can have."""
        alpha, beta = window or (None, None)
        self.events.append(
            Event(
                kind,  # type: ignore[arg-type]
                node.path,
                self.so_far.get(node.path),
                alpha,
                beta,
                self._line(node, line or f"{node.kind} {kind}"),
                sentence,
                cut,
                self.best.get(node.path),
                **more,
            )
        )

    def _line(self, node: Outline, tag: str) -> int:
        """The line of the code where an event happens; some methods have one line for MAX and MIN."""
        return self.lines.get(tag) or self.lines[f"* {tag.partition(' ')[2]}"]

    def enter(self, node: Outline) -> list[Outline]:
        """A node has been called. Its children, in the order in which the convention has them looked at."""
        if node.kind == "chance":
            outcomes = count(len(node.children), "outcome", "outcomes")
            self.note("enter", node, f"Chance decides at {node.where}, between {outcomes}.")
        else:
            self.note("enter", node, capital(f"{node.who} is to move at {node.where}."))
        return self._in_order(node)

    def _in_order(self, node: Outline) -> list[Outline]:
        self.visited.append(node.path)
        return list(node.children if self.conventions.direction == "left-to-right" else node.children[::-1])

    def payoff(self, node: Outline) -> Worth:
        """What a leaf is worth; refused where that is not known."""
        if isinstance(node.payoff, str):
            raise InputError(self._needs(node))
        return cast(Worth, node.payoff)

    def leaf(self, node: Outline, window: Interval | None = None) -> Worth:
        """A leaf has been looked at."""
        value = self.payoff(node)
        self.visited.append(node.path)
        self.values[node.path] = self.so_far[node.path] = value
        shown = number(value)
        if node.estimated:
            terms = f" = {node.terms}" if node.terms else ""
            sentence = f"The search stops here, and the evaluation says {shown}{terms}."
        elif isinstance(value, tuple):
            sentence = f"A leaf: the players get {shown}."
        elif node.word:
            sentence = f"A leaf: {node.word}, which is worth {shown} to MAX."
        else:
            sentence = f"A leaf: it is worth {shown} to MAX."
        self.note("leaf", node, sentence, window=window, line=f"{self._called(node)} leaf")
        return value

    def _called(self, leaf: Outline) -> str:
        """Which function of the pseudo-code a leaf is handed to: MIN's below MAX, MAX's below MIN."""
        parent = self.root.at(leaf.path[:-1])
        return {"max": "min", "min": "max"}.get(parent.kind, "max" if self.method != "maxn" else "player")

    def _needs(self, leaf: Outline) -> str:
        from gametree.explain.unknowns.dependence import dependence

        parent = self.root.at(leaf.path[:-1])
        place = f"move {leaf.move} at {parent.where}" if leaf.path else "the root"
        return (
            f"{self.method} has to look at the unknown leaf {leaf.payoff!r} ({place}) and cannot go on without a"
            f" number for it. What is known without: {dependence(self.root).sentence} To trace the search, give"
            f" it a number, for example values={{{leaf.payoff!r}: 4}}"
        )

    def back_up(self, node: Outline, child: Outline, value: float, better: bool) -> None:
        """A child's value has come back to a MAX or MIN node."""
        kept = number(self.so_far.get(node.path))
        if better:
            self.so_far[node.path] = value
            self.best[node.path] = child.path
        self.note("backup", node, _heard(node, number(value), kept, better))

    def add_outcome(self, node: Outline, child: Outline, value: Worth, total: Worth) -> None:
        """The value of an outcome has come back to a chance node: `total` is the sum so far."""
        self.so_far[node.path] = total
        sentence = (
            f"{number(value)} with probability {number(child.probability)}: the outcomes so far add up to"
            f" {number(total)} at {node.where}."
        )
        self.note("backup", node, sentence)

    def choose(self, node: Outline, child: Outline, value: Vector, old: Vector | None, better: bool) -> None:
        """The payoffs of a child have come back to a player of several, who had `old`."""
        me = node.player or 0
        if better:
            self.so_far[node.path] = value
            self.best[node.path] = child.path
        if old is None:
            said = f"can get {number(value[me])} at {node.where}: {number(value)}."
        elif better:
            said = f"prefers {number(value)} at {node.where}: {number(value[me])} is more than {number(old[me])}."
        else:
            said = (
                f"keeps {number(old)} at {node.where}: {number(value[me])} is no more than {number(old[me])}."
            )
        self.note("backup", node, capital(f"{node.who} {said}"))

    def leave(self, node: Outline, value: Worth) -> None:
        self.values[node.path] = self.so_far[node.path] = value
        self.note("leave", node, capital(f"{node.where} is worth {number(value)}."))

    def trace(self) -> Trace:
        line: list[Path] = []
        path: Path | None = self.best.get(())
        while path is not None:
            line.append(path)
            path = self.best.get(path)
        return Trace(
            self.method,
            self.root,
            self.conventions,
            tuple(self.events),
            self.code,
            self.values[()],
            self.best.get(()),
            tuple(line),
            self.values,
            tuple(self.visited),
            tuple(event.path for event in self.events if event.kind == "leaf"),
            tuple(event.cut for event in self.events if event.cut is not None),
        )


class Bound(NamedTuple):
    """α or β, and the node that set it; None where nobody has yet."""

    value: float
    by: Path | None


class Window(NamedTuple):
    """What MAX and MIN can count on so far."""

    alpha: Bound
    beta: Bound

    @property
    def ends(self) -> Interval:
        return self.alpha.value, self.beta.value


class WindowRecorder(Recorder):
    """Takes notes of a search with a window."""

    def __init__(self, method: Method, root: Outline, conventions: Conventions):
        super().__init__(method, root, conventions)
        self.called: dict[Path, Interval] = {}
        """The window with which each node was entered."""
        self.truths: dict[Path, Interval] = {}
        """What is proven about each node that has been left."""
        self.stopped: set[Path] = set()
        """Where the value has met a bound, also where nothing was left to be cut."""
        self.found: dict[Path, str] = {}
        """What each node returned, in words: "3", "at most 2"."""

    def enter_within(self, node: Outline, window: Window) -> list[Outline]:
        """A node has been called with a window. Its children, in the order in which they are looked at."""
        self.called[node.path] = window.ends
        does = "Chance decides" if node.kind == "chance" else f"{node.who} is to move"
        sentence = (
            f"{does} at {node.where}; {' and '.join(self.known_before(window)) or 'nothing is known yet'}:"
            f" α = {number(window.alpha.value)} and β = {number(window.beta.value)}."
        )
        self.note("enter", node, sentence, window=window.ends)
        return self._in_order(node)

    def known_before(self, window: Window) -> list[str]:
        """What the window says, in words."""
        known = []
        if window.alpha.by is not None:
            known.append(f"MAX already has {number(window.alpha.value)} at {self._where(window.alpha)}")
        if window.beta.by is not None:
            held = f"MIN can already hold MAX to {number(window.beta.value)}"
            known.append(f"{held} at {self._where(window.beta)}")
        return known

    def _where(self, bound: Bound) -> str:
        assert bound.by is not None
        return self.root.at(bound.by).where

    def leaf_within(self, node: Outline, window: Window) -> float:
        payoff = cast(float, self.leaf(node, window.ends))
        self.truths[node.path] = payoff, payoff
        self.found[node.path] = number(payoff)
        return payoff

    def back_up_within(
        self, node: Outline, child: Outline, value: float, better: bool, window: Window
    ) -> None:
        """A child's value has come back to a node."""
        best = self.best.get(node.path)
        kept = "" if best is None else self.found[best]
        if better:
            self.so_far[node.path] = value
            self.best[node.path] = child.path
        elif best is None:
            # Fail-hard: no child has beaten the bound with which the node was called.
            bound = (window.alpha if node.kind == "max" else window.beta).value
            self.so_far[node.path] = bound
            kept = f"its bound {number(bound)}"
        sentence = _heard(node, self.found[child.path], kept, better)
        if better and self.conventions.fail == "hard":
            # One line of the code takes the value in and moves the bound.
            kind, moved = ("raise", "α rises") if node.kind == "max" else ("lower", "β falls")
            said = f"{sentence.removesuffix('.')}: {moved} to {number(value)}."
            self.note(kind, node, said, window=window.ends, line=f"{node.kind} bound")
        else:
            self.note("backup", node, sentence, window=window.ends)

    def move_bound(self, node: Outline, window: Window) -> None:
        """MAX has raised α, or MIN has lowered β."""
        if node.kind == "max":
            kind, value = "raise", number(window.alpha.value)
            sentence = f"MAX can count on {value} at {node.where}: α rises to {value}."
        else:
            kind, value = "lower", number(window.beta.value)
            sentence = f"MIN can hold MAX to {value} at {node.where}: β falls to {value}."
        self.note(kind, node, sentence, window=window.ends, line=f"{node.kind} bound")

    def cut_off(self, node: Outline, value: float, left: Sequence[Outline], window: Window) -> None:
        """The value has met a bound: a cut, where something is left to be cut."""
        self.stopped.add(node.path)
        limit = window.beta if node.kind == "max" else window.alpha
        if not left or limit.by is None:
            return
        cut = Cut(
            node.path,
            "beta" if node.kind == "max" else "alpha",
            "shallow" if limit.by == node.path[:-1] else "deep",
            limit.by,
            tuple(child.path for child in left),
        )
        here, known = ("MIN can hold MAX to", "MAX already has")
        if node.kind == "max":
            here, known = ("MAX can get", "MIN can already hold MAX to")
        sentence = (
            f"{here} {number(value)} here, and {known} {number(limit.value)} at {self._where(limit)}:"
            f" {_others(left)} cannot matter."
        )
        self.note("cut", node, sentence, window=window.ends, cut=cut)

    def truth(self, node: Outline, value: float) -> Interval:
        """What the search has proven of a node that it leaves."""
        unseen = (-math.inf, math.inf)
        return node.combine([self.truths.get(child.path, unseen) for child in node.children])

    def worth(self, node: Outline, value: float, truth: Interval) -> str:
        """What a node has returned, in words."""
        return _bounded(value, truth, self.called[node.path])

    def leave_within(self, node: Outline, value: float, window: Window) -> float:
        self.truths[node.path] = truth = self.truth(node, value)
        self.found[node.path] = worth = self.worth(node, value, truth)
        self.values[node.path] = self.so_far[node.path] = value
        sentence = f"{node.where} is worth {worth}."
        if self.conventions.fail == "hard" and truth[0] == truth[1] != value:
            returned = f"fail-hard, it returns its bound {number(value)}"
            sentence = f"{node.where} is worth {number(truth[0])}; {returned}."
        line = f"{node.kind} cut" if node.path in self.stopped else ""
        self.note("leave", node, capital(sentence), window=window.ends, line=line, proven=_sign(worth))
        return value


def _alternates(root: Outline) -> bool:
    """Whether MAX and MIN take turns, as the textbook's two functions that call each other take for granted."""
    return not any(
        child.kind == node.kind for node in root.walk() for child in node.children if child.children
    )


# --- words ------------------------------------------------------------------------------------------


def _heard(node: Outline, found: str, kept: str, better: bool) -> str:
    """MAX or MIN has heard what a child is worth: `found`, such as "3" or "at most 2"; `kept` is what was there."""
    at = node.where
    if not better:
        return f"{capital(found)} changes nothing at {at}: {node.who} keeps {kept}."
    instead = f", better than {kept}" if kept else ""
    limit = found.removeprefix("at most ").removeprefix("at least ")
    if node.kind == "max":
        if found.startswith("at most"):
            return f"So far MAX cannot get more than {limit} at {at}."
        return f"MAX can get {found} at {at}{instead}."
    if found.startswith("at least"):
        return f"So far MIN cannot hold MAX below {limit} at {at}."
    return f"MIN can hold MAX to {limit}{' or less' if found != limit else ''} at {at}{instead}."


def _others(skipped: Sequence[Outline]) -> str:
    one, many = ("leaf", "leaves") if all(node.is_leaf for node in skipped) else ("branch", "branches")
    return f"the other {one}" if len(skipped) == 1 else f"the other {count(len(skipped), one, many)}"


def _sign(worth: str) -> Bounding:
    """The sign for "at most 2" and the like."""
    signs: dict[str, Bounding] = {"at most": "≤", "at least": "≥", "anything": ""}
    return next((sign for word, sign in signs.items() if worth.startswith(word)), "=")


def _bounded(value: float, truth: Interval, window: Interval) -> str:
    """A value that a node returned, with what it proves: "3", "at most 2", "at least 14".

    A value inside the window is exact. Outside of it, and where the window is empty (α = β, as fail-hard with a cut
    at > can have it), what was looked at proves one side.
    """
    low, high = window
    if truth[0] == truth[1] == value or low < value < high:
        return number(value)
    if truth[1] <= value:
        return f"at most {number(value)}"
    assert truth[0] >= value
    return f"at least {number(value)}"
