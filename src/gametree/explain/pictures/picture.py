"""What a picture of a tree says: at its nodes and edges, above and below, and to those who do not see it.

Within one trace all steps have the same places for everything, so that nothing jumps when one is shown after
the other. `drawing` draws the picture, `svg` and `tikz` write it down, `ascii` has its own way to draw.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import METHODS, Method
from gametree.explain.traces.notation import number
from gametree.explain.traces.trace import Cut, Mark, Snapshot, Trace, suggest, unsearched
from gametree.games.tree.outline import Outline, Path, outline

ESTIMATE: Final = "≈"
"""Before the value of a state at the depth limit, which `evaluate` has judged."""
_MOST_LETTERS: Final = 24
_MOST_WORDS: Final = 40
_MOST_TOLD: Final = 100
"""Larger trees are counted, not told leaf by leaf, to those who do not see them."""


def short(value: float | str | tuple[float, ...] | None) -> str:
    """A value as it is written in a picture, where there is little room.

    >>> short(3.0), short(1 / 3), short(1.5621744), short("x" * 30)
    ('3', '1/3', '1.562', 'xxxxxxxxxxxxxxxxxxxxxxx…')
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(short, value))})"
    if isinstance(value, float) and not value.is_integer() and "/" not in (exact := number(value)):
        return number(float(f"{value:.4g}")) if math.isfinite(value) else exact
    return clipped(shown(number(value)), _MOST_LETTERS)


def payoff(leaf: Outline) -> str:
    """What is written at a leaf. An estimate looks different from what the rules of the game say."""
    return leaf.word or (ESTIMATE if leaf.estimated else "") + short(leaf.payoff)


@dataclass(frozen=True)
class Writing:
    """What is written in a node and on both sides of it."""

    inside: str = ""
    left: tuple[tuple[str, str], ...] = ()
    """Lines of text with their roles."""
    right: tuple[str, ...] = ()


class Picture:
    """The words of a tree, or of a trace after some of its events; without a `step`, at its end.

    With `steps` there is room for what is written at any step, so that nothing moves between them. `moves` says whether
    moves are named at the edges; None names those that have a name of their own. `method` is what a tree is to be
    searched with that has not been: its conventions stand below.
    """

    def __init__(
        self,
        subject: Any,
        *,
        conventions: Conventions | None = None,
        boards: bool = False,
        title: str = "",
        moves: bool | None = None,
        step: int | None = None,
        steps: bool = False,
        method: Method | None = None,
    ):
        self.trace: Trace | None = subject if isinstance(subject, Trace) else None
        self.root: Outline = self.trace.outline if self.trace else outline(subject)
        self.conventions: Conventions = conventions or (
            self.trace.conventions if self.trace else Conventions()
        )
        self.boards = boards
        self.steps: bool = steps or step is not None
        self.snapshot: Snapshot = self.at(step)
        """The moment that is shown."""
        self.labels: dict[Path, str] = {
            node.path: label for node in self.root.walk() if (label := _label(node, moves))
        }
        """What is written at the edges: moves that have a name, and how likely they are."""
        self.rows: list[str] = _row_names(self.root)
        """For each level who moves there; "" where several do, or where there are leaves only."""
        self.title: str = ""
        if title:
            self.title = " ".join(clipped(word, _MOST_LETTERS) for word in shown(title).split()[:_MOST_WORDS])
        told = f"{METHODS[self.trace.method].title} on a game tree" if self.trace else "A game tree"
        self.heading: str = self.title or told
        words = self._words()
        self.written: dict[Path, Writing] = {
            node.path: self.writing(node, self.snapshot) for node in self.root.walk()
        }
        """What is written at the nodes."""
        self.widest: dict[Path, Writing] = (
            self._widest_of_all_steps(self.trace) if self.trace and self.steps else self.written
        )
        """The widest that is ever written there."""
        self.notes: dict[Path, str] = {node.path: _note(node) for node in self.root.walk()}
        """All that the picture has shortened at a node."""
        self.caption: str = self._caption(method)
        """The conventions that the picture keeps to, and the signs that not every tree has."""
        self.description: str = f"{words}. {self.caption}."
        """The picture for those who do not see it."""

    def _caption(self, method: Method | None) -> str:
        kinds = {node.kind for node in self.root.walk()}
        method = self.trace.method if self.trace else method or suggest(self.root)
        settings = self.conventions.describe(method, kinds)
        estimates = any(leaf.estimated for leaf in self.root.leaves)
        return f"{settings} · {ESTIMATE} estimated" if estimates else settings

    def _words(self) -> str:
        """The tree in words, and where not every step is shown what the search has found."""
        leaves = len(self.root.leaves)
        words = f"{self.root.size} nodes, {leaves} {'leaf' if leaves == 1 else 'leaves'}"
        if self.root.size <= _MOST_TOLD:
            words += f": {_nested(self.root)}"
        if self.trace is not None and not self.steps:
            words += f". Value {short(self.trace.value)}"
            for cut in self.trace.cuts:
                words += f"; {cut.depth} {cut_name(cut)} at {shown(self.root.at(cut.path).name)}"
        return words

    # --- at nodes -----------------------------------------------------------------------------------

    def at(self, step: int | None) -> Snapshot:
        """The tree after `step` events of the trace; at its end without a step."""
        if self.trace is None:
            return unsearched(self.root)
        return self.trace.at(len(self.trace.events) if step is None else step)

    def writing(self, node: Outline, snapshot: Snapshot) -> Writing:
        """What is written at a node at a moment of the search."""
        mark = snapshot.marks[node.path]
        if node.is_leaf:
            return Writing(payoff(node), (), mark.beside)
        left = _left(node, snapshot.cut_at.get(node.path))
        if mark.beside:
            return Writing(_found(node, mark), left, mark.beside)
        if mark.status in ("", "unseen", "cut"):
            return Writing("", left)
        return Writing(_found(node, mark), left, self._beside(mark))

    def _beside(self, mark: Mark) -> tuple[str, ...]:
        if self.conventions.bounds == "intervals":
            if mark.low is None or mark.high is None:
                return ()
            return (f"[{short(mark.low)}, {short(mark.high)}]",)
        return _window(mark.alpha, mark.beta)

    def _widest_of_all_steps(self, told: Trace) -> dict[Path, Writing]:
        inside: dict[Path, set[str]] = {}
        beside: dict[Path, set[str]] = {}
        for event in told.events:
            signs = ("≥", "≤") if self.root.at(event.path).children else ("",)
            inside.setdefault(event.path, set()).update(sign + short(event.value) for sign in signs)
            beside.setdefault(event.path, set()).update(_window(event.alpha, event.beta))
        ends = {short(event.value) for event in told.events} | {"−∞", "∞"}
        end = max(ends, key=lambda text: width(text, 1))
        for event in told.events:
            for path, lines in event.beside:
                beside.setdefault(path, set()).update(lines)
        intervals = self.conventions.bounds == "intervals" and METHODS[told.method].ranges
        cuts = {cut.path: cut for cut in told.cuts}
        widest = {}
        for node in self.root.walk():
            texts = {payoff(node)} if node.is_leaf else inside.get(node.path, {""})
            right = (
                (f"[{end}, {end}]",) if intervals and not node.is_leaf else tuple(beside.get(node.path, ()))
            )
            widest[node.path] = Writing(
                max(texts, key=lambda text: width(text, 1)),
                () if node.is_leaf else _left(node, cuts.get(node.path)),
                right if not node.is_leaf or METHODS[told.method].repeats else (),
            )
        return widest


def _label(node: Outline, moves: bool | None) -> str:
    """What is written at the edge to a node: the move where it has a name, and how likely it is."""
    if not node.path:
        return ""
    words = []
    named = bool(node.shown) or node.move != str(node.path[-1] + 1)
    if moves or (moves is None and named):
        words.append(clipped(shown(node.move), _MOST_LETTERS))
        if node.alike > 1:
            words.append(f"×{node.alike}")
    if node.probability is not None:
        words.append(short(node.probability))
    return " ".join(words)


def _note(node: Outline) -> str:
    texts = [node.move] if node.path and clipped(shown(node.move), _MOST_LETTERS) != node.move else []
    if node.payoff is not None and short(node.payoff) != number(node.payoff):
        texts.append(number(node.payoff))
    return ": ".join(map(shown, texts))


def _left(node: Outline, cut: Cut | None) -> tuple[tuple[str, str], ...]:
    """The name of a node, and which cut was made there."""
    lines = [(clipped(shown(node.name), _MOST_LETTERS), "name")] if node.name else []
    if cut is not None:
        lines += [(cut.depth, "cut"), (cut_name(cut), "cut")]
    return tuple(lines)


def cut_name(cut: Cut) -> str:
    """What the lectures call a cut."""
    return "α-cut" if cut.kind == "alpha" else "β-cut"


def _window(alpha: float | None, beta: float | None) -> tuple[str, ...]:
    if alpha is None or beta is None:
        return ()
    return f"α={short(alpha)}", f"β={short(beta)}"


def _found(node: Outline, mark: Mark) -> str:
    """The value so far, with a sign where it is only a bound."""
    if mark.value is None or isinstance(mark.value, tuple):
        return short(mark.value)
    if math.isinf(mark.value) or (node.kind == "chance" and mark.low != mark.high):
        return ""
    return mark.proven.removeprefix("=") + short(mark.value)


def _nested(node: Outline) -> str:
    """A tree of few nodes as nested lists."""
    if node.is_leaf:
        return payoff(node)
    return f"[{', '.join(map(_nested, node.children))}]"


def _row_names(root: Outline) -> list[str]:
    levels: list[set[str]] = []
    for node in root.walk():
        while len(levels) <= len(node.path):
            levels.append(set())
        if not node.is_leaf:
            levels[len(node.path)].add(node.who)
    return [level.pop() if len(level) == 1 else "" for level in levels]
