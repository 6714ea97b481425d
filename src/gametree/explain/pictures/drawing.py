"""From a picture to its scene: figures, lines and letters at their places."""

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Final, Literal

from gametree.explain.pictures import figures
from gametree.explain.pictures.boards import Board
from gametree.explain.pictures.lettering import broken, width
from gametree.explain.pictures.picture import ALONG, BESIDE, LEAF, SMALL, UNDER, VALUE, Picture, row_names
from gametree.explain.pictures.scene import Anchor, Box, Group, Item, Line, Point, Scene, Text
from gametree.explain.traces.trace import Snapshot
from gametree.games.tree.outline import Outline, Path

_TITLE: Final = 18.0
_MARGIN: Final = 16.0
_NARROWEST: Final = 340.0
_LEADING: Final = 1.4
_REACH: Final = 9.0
"""Half the length of the strokes across an edge that was cut."""


class Drawing:
    """Draws a picture, as often as there are steps to be shown: what has not changed is not drawn again."""

    def __init__(self, picture: Picture):
        self._picture = picture
        self._frame = frame = _Frame(picture)
        self._before, self._after = tuple(frame.rows()), tuple(frame.lettering())
        self._nodes = [(node, ".".join(map(str, node.path))) for node in picture.root.walk()]
        self._kept: dict[str, tuple[Hashable, Group]] = {}
        self._heading = picture.heading()
        self._description = picture.description(at_end=not picture.steps)

    def scene(self, step: int | None = None) -> Scene:
        """The scene after `step` events of the trace; at its end without a step."""
        return self.at(self._picture.at(step))

    def at(self, snapshot: Snapshot) -> Scene:
        """The scene at a moment of the search."""
        pen = _Pen(self._picture, snapshot, self._frame.left, self._frame.top)
        edges = [self._group("edge", node, key, pen, snapshot) for node, key in self._nodes if node.path]
        nodes = [self._group("node", node, key, pen, snapshot) for node, key in self._nodes]
        groups = (*self._before, *edges, *nodes, *self._after)
        return Scene(self._frame.width, self._frame.height, groups, self._heading, self._description)

    def _group(
        self, kind: Literal["edge", "node"], node: Outline, name: str, pen: "_Pen", snapshot: Snapshot
    ) -> Group:
        """A group as it was drawn last, unless what it shows is different now."""
        path, key = node.path, kind[0] + name
        seen: Hashable = (snapshot.marks.get(path), path in snapshot.cut_at, path in snapshot.best)
        if kind == "edge":
            seen = (snapshot.status(path), path in snapshot.skipped, path in snapshot.best)
        before = self._kept.get(key)
        if before is not None and before[0] == seen:
            return before[1]
        if kind == "edge":
            group = Group(kind, key, tuple(pen.edge(path)))
        else:
            group = Group(kind, key, tuple(pen.node(node)), self._picture.note(node))
        self._kept[key] = seen, group
        return group


class _Frame:
    """What is around the tree: margins, the names of the rows, title and caption."""

    def __init__(self, picture: Picture):
        self._picture = picture
        plan = picture.plan
        self._names = row_names(picture.root)
        names = max((width(name, SMALL, bold=True) for name in self._names), default=0.0)
        self.left = _MARGIN + (names + 14 if names else 0)
        self.width = max(_NARROWEST, self.left + plan.width + _MARGIN)
        within = self.width - 2 * _MARGIN
        self._title = broken(picture.title, within, lambda text: width(text, _TITLE, bold=True), " ")
        self.top = _MARGIN + (len(self._title) * _TITLE * 1.2 + 10 if picture.title else 0)
        # A tree that is narrower than its caption stands in the middle.
        self.left += max(0.0, (self.width - self.left - plan.width - _MARGIN) / 2)
        self._lines = broken(picture.caption, self.width - 2 * _MARGIN, lambda text: width(text, SMALL))
        self._under = self.top + plan.height + 14
        self.height = self._under + len(self._lines) * SMALL * _LEADING + _MARGIN

    def rows(self) -> Iterator[Group]:
        """MAX, MIN and so on at the left of each level."""
        for name, (top, _) in zip(self._names, self._picture.plan.rows):
            if name:
                y = self.top + top + figures.HEIGHT / 2 + SMALL * 0.36
                yield Group("row", "", (Text(_MARGIN, y, name, SMALL, "row", "start"),))

    def lettering(self) -> Iterator[Group]:
        """Title and caption."""
        if self._picture.title:
            title = (
                Text(self.width / 2, _MARGIN + (at * 1.2 + 0.8) * _TITLE, line, _TITLE, "title")
                for at, line in enumerate(self._title)
            )
            yield Group("caption", "", tuple(title))
        lines = (
            Text(_MARGIN, self._under + (at + 1) * SMALL * _LEADING, line, SMALL, "caption", "start")
            for at, line in enumerate(self._lines)
        )
        yield Group("caption", "", tuple(lines))


class _Pen:
    """Draws the nodes and edges at one moment of a search. The tree's own corner is at `left`, `top`."""

    def __init__(self, picture: Picture, snapshot: Snapshot, left: float, top: float):
        self._picture = picture
        self._snapshot = snapshot
        self._left, self._top = left, top

    def edge(self, path: Path) -> Iterator[Item]:
        points = tuple((x + self._left, y + self._top) for x, y in self._picture.plan.edge(path))
        best = path in self._snapshot.best and path[:-1] in self._snapshot.best
        kind = "best" if best else self._snapshot.status(path)
        yield Line(
            points, {"best": "edge-best", "cut": "edge-cut", "unseen": "edge-unseen"}.get(kind, "edge")
        )
        label = self._picture.labels.get(path)
        if path in self._snapshot.skipped:
            yield from _strokes(points[-2], points[-1], 0.28 if label else 0.5)
        if label:
            x, y = _between(points[-2], points[-1], ALONG)
            wide = width(label, BESIDE)
            yield Box(x - wide / 2 - 2, y - BESIDE * 0.62, wide + 4, BESIDE * 1.24, 3, "plate")
            yield Text(x, y + BESIDE * 0.36, label, BESIDE, "move")

    def node(self, node: Outline) -> Iterator[Item]:
        place = self._picture.plan.places[node.path]
        x, y = place.x + self._left, place.y + self._top
        board = self._picture.boards.get(node.path)
        if board is not None:
            yield from self._board(node, board, x, y)
            y += board.height + UNDER
        yield from self._inner(node, x, y) if node.children else self._leaf(node, x, y)

    def _inner(self, node: Outline, x: float, y: float) -> Iterator[Item]:
        picture = self._picture
        writing = picture.writing(node, self._snapshot)
        half = picture.half(node, picture.room[node.path])
        figure = figures.shape(node.kind, picture.conventions)
        yield figures.drawn(figure, x, y, 2 * half, f"node{self._state(node.path)}")
        if writing.inside:
            yield Text(x, y + figures.baseline(figure, VALUE), writing.inside, VALUE, "value")
        yield from _column(x - half - 5, y, writing.left, "end")
        yield from _column(x + half + 6, y, [(text, "bound") for text in writing.right], "start")

    def _leaf(self, node: Outline, x: float, y: float) -> Iterator[Item]:
        picture = self._picture
        half = picture.half(node, picture.room[node.path])
        state = self._state(node.path)
        if state:
            yield Box(x - half, y, 2 * half, LEAF, 6, f"leaf{state}")
        role = "unseen" if state == "-unseen" else "number"
        text = picture.writing(node, self._snapshot).inside
        yield Text(x, y + LEAF / 2 + VALUE * 0.36, text, VALUE, role)

    def _board(self, node: Outline, board: Board, x: float, y: float) -> Iterator[Item]:
        state = self._state(node.path)
        marked = state if state in ("-best", "-current") else ""
        if board.framed or marked:
            out = 0.0 if board.framed else 4.0
            left, top = x - board.width / 2 - out, y - out + 2
            yield Box(left, top, board.width + 2 * out, board.height + 2 * out, 4, f"board{marked}")
        yield from board.at(x - board.width / 2, y + 2)

    def _state(self, path: Path) -> str:
        status = self._snapshot.status(path)
        if status == "current":
            return "-current"
        if status in ("unseen", "cut"):
            return "-unseen"
        return "-best" if path in self._snapshot.best else ""


def _column(x: float, y: float, lines: Sequence[tuple[str, str]], anchor: Anchor) -> Iterator[Item]:
    """Lines of text beside a figure, up to three, around its middle."""
    size = BESIDE if len(lines) < 3 else 12.5
    top = y + figures.HEIGHT / 2 - len(lines) * size * 0.57
    for at, (text, role) in enumerate(lines):
        yield Text(x, top + (at + 0.86) * size * 1.14, text, size, role, anchor)


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _strokes(start: Point, end: Point, share: float) -> Iterator[Line]:
    """A double stroke across an edge."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length * _REACH, dy / length * _REACH
    x, y = _between(start, end, share)
    for along in (-1 / 3, 1 / 3):
        cx, cy = x + ux * along, y + uy * along
        yield Line(((cx + uy, cy - ux), (cx - uy, cy + ux)), "slash")
