"""A tree in letters, for the terminal: from the top downwards where that fits, else one node a line.

MAX stands in square brackets, MIN in round ones, chance in pointed ones; with triangles by convention, behind
them. The line to a node says what became of it: a heavy one is the best line, one with a double stroke across
was cut, a broken one has not been looked at.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from gametree.explain.pictures.layout import Layout, Size, layout
from gametree.explain.pictures.lettering import broken, shown
from gametree.explain.pictures.lettering import columns as taken
from gametree.explain.pictures.picture import Picture, cut_name
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.games.tree.outline import Outline, Path


@dataclass(frozen=True, slots=True)
class _Signs:
    """The signs of which lines are made."""

    edge: str
    best: str
    cut: str
    unseen: str
    across: str
    branch: str
    last: str
    here: str
    joints: str
    """By what meets at a point: 1 above, 2 right, 4 below, 8 left."""


_UNICODE: Final = _Signs("│", "┃", "╪", "┊", "─", "├", "└", "►", " ╵╶└╷│┌├╴┘─┴┐┤┬┼")
_ASCII: Final = _Signs("|", "*", "#", ":", "-", "+", "`", ">", " ||+||++|+-+++++")
_SPELLED: Final = {
    "−": "-",
    "∞": "inf",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "α": "alpha",
    "β": "beta",
    "…": "...",
    "·": "|",
    "×": "x",
    "△": "/\\",
    "▽": "\\/",
    "○": "o",
    "⟨": "<",
    "⟩": ">",
    "→": "->",
}


def text_tree(
    subject: Any,
    *,
    step: int | None = None,
    columns: int = 80,
    unicode: bool = True,
    style: Literal["auto", "down", "side"] = "auto",
    conventions: Conventions | None = None,
    moves: bool | None = None,
    method: Method | None = None,
) -> str:
    """A tree, or a trace at its end or at one of its steps, in letters.

    "down" draws it from the top downwards, "side" one node a line; "auto" takes the first where it fits into the
    given columns. `method` is for a tree that is still to be searched: the conventions that it needs are named.

    >>> print(text_tree([[3, 12, 8], [2, 4, "x"]]).split("cut at")[0])
    MAX        A [ ]
            ┌─────┴─────┐
    MIN  B ( )       C ( )
         ┌───┼──┐    ┌──┼──┐
         3  12  8    2  4  x
    <BLANKLINE>
    """
    picture = Picture(subject, conventions=conventions, moves=moves, step=step, method=method)
    letters = _Letters(picture, unicode)
    down = letters.downwards() if style != "side" else None
    if down is not None and (style == "down" or max(map(taken, down)) <= columns):
        lines = [*down, *letters.cuts()]
    else:
        lines = list(letters.sideways())
    return "\n".join([*(line.rstrip() for line in lines), *letters.legend(columns)])


def spelled(text: str) -> str:
    """A text in ASCII letters.

    >>> spelled("α ≥ −∞"), spelled("é象")
    ('alpha >= -inf', 'e?')
    """
    plain = "".join(_SPELLED.get(sign, sign) for sign in shown(text))
    apart = unicodedata.normalize("NFD", plain)
    return (
        "".join(sign for sign in apart if not unicodedata.combining(sign)).encode("ascii", "replace").decode()
    )


class _Letters:
    """A picture at a moment, in letters."""

    def __init__(self, picture: Picture, unicode: bool):
        self._picture = picture
        self._snapshot = picture.snapshot
        self._unicode = unicode
        self._signs = _UNICODE if unicode else _ASCII

    def _write(self, text: str) -> str:
        return text if self._unicode else spelled(text)

    # --- words --------------------------------------------------------------------------------------

    def _figure(self, node: Outline) -> str:
        """A node with its value: [3], (≤2), a leaf's number."""
        inside = self._write(self._picture.written[node.path].inside)
        here = self._signs.here if self._snapshot.marks[node.path].status == "current" else ""
        if node.is_leaf:
            return here + inside + self._write(f" = {node.terms}" if node.terms else "")
        if self._picture.conventions.shapes == "triangles" and node.kind in ("max", "min"):
            return here + self._write({"max": "△", "min": "▽"}[node.kind]) + inside
        pair = {"min": "()", "chance": "<>"}.get(node.kind, "[]")
        return f"{here}{pair[0]}{inside or ' '}{pair[1]}"

    def _before(self, node: Outline) -> str:
        name = self._write(shown(node.name))
        return f"{name} " if name and not node.is_leaf else ""

    def _after(self, node: Outline) -> str:
        right = " ".join(self._picture.written[node.path].right)
        return f" {self._write(right)}" if right else ""

    def _line(self, path: Path) -> str:
        """The sign for the line to a node."""
        status = self._snapshot.marks[path].status
        if path in self._snapshot.best:
            return self._signs.best
        if path in self._snapshot.skipped:
            return self._signs.cut
        return self._signs.unseen if status in ("unseen", "cut") else self._signs.edge

    def cuts(self) -> Iterator[str]:
        """Which cuts were made, a line each."""
        for path, cut in self._snapshot.cut_at.items():
            where = shown(self._picture.root.at(path).name)
            yield self._write(f"{where}: {cut.depth} {cut_name(cut)}")

    def legend(self, columns: int) -> Iterator[str]:
        """What the signs mean, and the conventions."""
        used = []
        if self._snapshot.best:
            used.append(f"{self._signs.best} best line")
        if self._snapshot.skipped:
            used.append(f"{self._signs.cut} cut")
        if any(mark.status == "unseen" for mark in self._snapshot.marks.values()):
            used.append(f"{self._signs.unseen} not looked at yet")
        if used:
            yield "   ".join(used)
        yield from broken(self._write(self._picture.caption), columns, taken, self._write(" · "))

    # --- one node a line ----------------------------------------------------------------------------

    def sideways(self) -> Iterator[str]:
        """The tree from left to right."""
        signs = self._signs
        stack: list[tuple[Outline, str, str]] = [(self._picture.root, "", "")]
        while stack:
            node, lead, indent = stack.pop()
            yield lead + self._told(node)
            for child in reversed(node.children):
                last = child is node.children[-1]
                line = self._line(child.path)
                joint = signs.last if last else signs.branch
                mark = signs.across if line == signs.edge else line
                further = indent + ("    " if last else f"{signs.edge}   ")
                stack.append((child, f"{indent}{joint}{signs.across}{mark} ", further))

    def _told(self, node: Outline) -> str:
        label = self._picture.labels.get(node.path)
        words = (f"{self._write(label)}: " if label else "") + self._before(node) + self._figure(node)
        words += self._after(node)
        cut = self._snapshot.cut_at.get(node.path)
        return words + (f"  {self._write(f'{cut.depth} {cut_name(cut)}')}" if cut else "")

    # --- from the top downwards ---------------------------------------------------------------------

    def downwards(self) -> list[str]:
        """The tree from its root to its leaves."""
        plan = layout(self._picture.root, self._size, gap=2, apart=4, drop=0)
        names = [self._write(name) for name in self._picture.rows]
        margin = max(map(len, names), default=0)
        margin += 2 if margin else 0
        lines: list[str] = []
        levels: list[list[Outline]] = [[] for _ in plan.rows]
        for node in self._picture.root.walk():
            levels[len(node.path)].append(node)
        labelled = {len(path) for path in self._picture.labels}
        plain = self._picture.trace is None
        for level, nodes in enumerate(levels):
            if level:
                rows = [self._joints(plan, levels[level - 1])]
                if not plain:
                    rows.append(self._lines(plan, nodes))
                if level in labelled:
                    rows.append(self._moves(plan, nodes))
                lines += [" " * margin + row for row in rows]
            row = _Row()
            for node in nodes:
                figure, before = self._figure(node), self._before(node)
                text = before + figure + self._after(node)
                row.put(_at(plan, node.path) - taken(figure) // 2 - taken(before), text)
            lines.append(names[level].ljust(margin) + row.text())
        return lines

    def _size(self, node: Outline) -> Size:
        figure = taken(self._figure(node))
        left = figure // 2 + taken(self._before(node))
        right = figure - figure // 2 + taken(self._after(node))
        label = taken(self._write(self._picture.labels.get(node.path, "")))
        return Size(max(left, label // 2), max(right, label - label // 2), 1)

    def _joints(self, plan: Layout, parents: list[Outline]) -> str:
        """The line under a row that leads from each parent to all of its children."""
        row = _Row()
        for parent in parents:
            if not parent.children:
                continue
            here = _at(plan, parent.path)
            ends = [_at(plan, child.path) for child in parent.children]
            # A child that rounding has put one column beside the middle is drawn from the middle.
            here = next((end for end in ends[1:-1] if abs(end - here) == 1), here)
            first, last = min(here, *ends), max(here, *ends)
            for x in range(first, last + 1):
                meeting = (x == here) + 2 * (x < last) + 4 * (x in ends) + 8 * (x > first)
                row.put(x, self._signs.joints[meeting])
        return row.text()

    def _lines(self, plan: Layout, nodes: list[Outline]) -> str:
        row = _Row()
        for node in nodes:
            row.put(_at(plan, node.path), self._line(node.path))
        return row.text()

    def _moves(self, plan: Layout, nodes: list[Outline]) -> str:
        row = _Row()
        for node in nodes:
            label = self._write(self._picture.labels.get(node.path, ""))
            row.put(_at(plan, node.path) - taken(label) // 2, label or self._line(node.path))
        return row.text()


def _at(plan: Layout, path: Path) -> int:
    """The column of a node. Nodes are two columns apart, so that rounding down never makes them touch."""
    return int(plan.places[path].x)


class _Row:
    """One line of a terminal, written in any order."""

    def __init__(self) -> None:
        self._cells: list[str] = []

    def put(self, x: int, text: str) -> None:
        """Writes a text from column x on."""
        for sign in text:
            wide = taken(sign)
            if wide == 0:
                # What belongs to the sign before it takes no column of its own.
                self._cells[x - 1] += sign
                continue
            self._cells += [" "] * (x + wide - len(self._cells))
            self._cells[x] = sign
            for filler in range(x + 1, x + wide):
                self._cells[filler] = ""
            x += wide

    def text(self) -> str:
        return "".join(self._cells)
