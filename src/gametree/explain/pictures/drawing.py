"""From a picture to its scene: how much room everything needs, where it stands, and what is drawn there."""

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Final, Literal

from gametree.explain.pictures.boards import Drawn, drawn
from gametree.explain.pictures.layout import APART, DROP, GAP, Layout, Size, layout
from gametree.explain.pictures.lettering import broken, width
from gametree.explain.pictures.picture import Picture, payoff
from gametree.explain.pictures.scene import (
    Anchor,
    Box,
    Ellipse,
    Group,
    Item,
    Line,
    Point,
    Polygon,
    Scene,
    Text,
)
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import Snapshot
from gametree.games.tree.outline import Kind, Outline, Path

# Sizes of letters
_TITLE: Final = 18.0
_VALUE: Final = 17.0
_BESIDE: Final = 14.0
_SMALL: Final = 13.0
# Sizes of everything else
_HEIGHT: Final = 40.0
"""How high the figure of an inner node is."""
_LEAF: Final = 28.0
"""How high a leaf is."""
_UNDER: Final = 12.0
"""Between a board and what is written under it."""
_ALONG: Final = 0.62
"""How far down its edge a move is named."""
_CROWDED: Final = 150
"""More nodes than this stand closer together."""
_STEEP: Final = 0.22
_FAR: Final = 260.0
"""Between two levels at most."""
_MARGIN: Final = 16.0
_NARROWEST: Final = 340.0
_LEADING: Final = 1.4
_REACH: Final = 9.0
"""Half the length of the strokes across an edge that was cut."""


class Drawing:
    """Draws a picture, as often as there are steps to be shown: what has not changed is not drawn again."""

    def __init__(self, picture: Picture):
        self.picture = picture
        self._nodes = [(node, ".".join(map(str, node.path))) for node in picture.root.walk()]
        self.boards: dict[Path, Drawn] = {}
        if picture.boards:
            above = {node.path: node.board for node, _ in self._nodes}
            self.boards = {
                node.path: drawn(node.board, node.shown, above.get(node.path[:-1]) if node.path else None)
                for node, _ in self._nodes
                if node.shown or node.board is not None
            }
        self._half = self._halves()
        self.plan: Layout = self._plan()
        """Where the nodes stand, before margins."""
        self._edges = {node.path: self.plan.edge(node.path) for node, _ in self._nodes if node.path}
        # Around the tree are the names of the rows, the title and the caption.
        names = max((width(name, _SMALL, bold=True) for name in picture.rows), default=0.0)
        self._left = _MARGIN + (names + 14 if names else 0)
        self._width = max(_NARROWEST, self._left + self.plan.width + _MARGIN)
        within = self._width - 2 * _MARGIN
        title = broken(picture.title, within, lambda text: width(text, _TITLE, bold=True), " ")
        self._top = _MARGIN + (len(title) * _TITLE * 1.2 + 10 if picture.title else 0)
        # A tree that is narrower than its caption stands in the middle.
        self._left += max(0.0, (self._width - self._left - self.plan.width - _MARGIN) / 2)
        caption = broken(picture.caption, within, lambda text: width(text, _SMALL))
        under = self._top + self.plan.height + 14
        self._height = under + len(caption) * _SMALL * _LEADING + _MARGIN
        self._before = tuple(self._rows())
        self._after = tuple(self._lettering(title if picture.title else [], caption, under))
        self._kept: dict[str, tuple[Hashable, Group]] = {}

    def scene(self) -> Scene:
        """The scene at the moment that the picture shows."""
        return self.at(self.picture.snapshot)

    def scenes(self) -> Iterator[Scene]:
        """The scenes of all steps of the trace: a group that two of them share is the same object."""
        assert self.picture.trace is not None and self.picture.steps
        return map(self.at, self.picture.trace.snapshots())

    def at(self, snapshot: Snapshot) -> Scene:
        """The scene at a moment of the search."""
        edges = [self._group("edge", node, key, snapshot) for node, key in self._nodes if node.path]
        nodes = [self._group("node", node, key, snapshot) for node, key in self._nodes]
        groups = (*self._before, *edges, *self._information(), *nodes, *self._after)
        return Scene(self._width, self._height, groups, self.picture.heading, self.picture.description)

    def _group(self, kind: Literal["edge", "node"], node: Outline, name: str, snapshot: Snapshot) -> Group:
        """A group as it was drawn last, unless what it shows is different now."""
        path, key = node.path, kind[0] + name
        mark = snapshot.marks[path]
        seen: Hashable = (mark, path in snapshot.cut_at, path in snapshot.best)
        if kind == "edge":
            seen = (mark.status, path in snapshot.skipped, path in snapshot.best)
        before = self._kept.get(key)
        if before is not None and before[0] == seen:
            return before[1]
        if kind == "edge":
            group = Group(kind, key, tuple(self._edge(path, snapshot)))
        else:
            group = Group(kind, key, tuple(self._node(node, snapshot)), self.picture.notes[path])
        self._kept[key] = seen, group
        return group

    def _information(self) -> Iterator[Group]:
        """A dashed line through the nodes of each information set, from left to right."""
        sets: dict[str, list[Path]] = {}
        for node, _ in self._nodes:
            if node.information:
                sets.setdefault(node.information, []).append(node.path)
        for name, paths in sets.items():
            places = sorted((self.plan.places[path] for path in paths), key=lambda place: place.x)
            points = tuple((place.x + self._left, place.y + self._top + _HEIGHT * 0.86) for place in places)
            if len(points) > 1:
                yield Group("row", "", (Line(points, "information"),), f"information set {name}")

    # --- room ---------------------------------------------------------------------------------------

    def _halves(self) -> dict[Path, float]:
        """For each node half the width of its figure, or of the frame around a leaf."""
        halves: dict[Path, float] = {}
        leaves: dict[Path, float] = {}
        for node, _ in self._nodes:
            if not node.is_leaf:
                wide = width(self.picture.widest[node.path].inside, _VALUE, bold=True)
                halves[node.path] = _breadth(_shape(node.kind, self.picture.conventions), wide) / 2
            else:
                above = node.path[:-1]
                wide = max(width(payoff(node), _VALUE), width(_terms(node), _SMALL))
                leaves[above] = max(leaves.get(above, 13.0), wide / 2 + 5)
        # Leaves beside each other are of one width.
        return halves | {node.path: leaves[node.path[:-1]] for node, _ in self._nodes if node.is_leaf}

    def _size(self, node: Outline) -> Size:
        half, writing = self._half[node.path], self.picture.widest[node.path]
        left = half + _beside([text for text, _ in writing.left], 5, bold=True)
        right = half + _beside(writing.right, 6)
        height = _LEAF + (_SMALL * 1.5 if node.terms else 0) if node.is_leaf else _HEIGHT
        drawing = self.boards.get(node.path)
        if drawing is not None:
            aside = drawing.width / 2 + 6
            left, right, height = max(left, aside), max(right, aside), height + drawing.height + _UNDER
        if node.path in self.picture.labels:
            # The names of two neighbours stand where their edges have not yet come apart all the way.
            share = width(self.picture.labels[node.path], _BESIDE) / 2 / _ALONG
            left, right = max(left, share), max(right, share)
        return Size(left, right, height)

    def _plan(self) -> Layout:
        sizes = {node.path: self._size(node) for node, _ in self._nodes}
        crowded = 0.6 if len(sizes) > _CROWDED else 1.0
        label = 18 if self.picture.labels else 0
        near = layout(
            self.picture.root,
            lambda node: sizes[node.path],
            gap=GAP * crowded,
            apart=APART * crowded,
            drop=DROP + label,
        )
        # The further an edge goes aside the further it goes down, or it would seem level.
        return near.stretched([min(max(DROP, run * _STEEP), _FAR) + label for run in near.runs()])

    # --- around the tree ----------------------------------------------------------------------------

    def _rows(self) -> Iterator[Group]:
        """MAX, MIN and so on at the left of each level."""
        for name, (top, _) in zip(self.picture.rows, self.plan.rows):
            if name:
                y = self._top + top + _HEIGHT / 2 + _SMALL * 0.36
                yield Group("row", "", (Text(_MARGIN, y, name, _SMALL, "row", "start"),))

    def _lettering(self, title: list[str], caption: list[str], under: float) -> Iterator[Group]:
        if title:
            lines = (
                Text(self._width / 2, _MARGIN + (at * 1.2 + 0.8) * _TITLE, line, _TITLE, "title")
                for at, line in enumerate(title)
            )
            yield Group("caption", "", tuple(lines))
        lines = (
            Text(_MARGIN, under + (at + 1) * _SMALL * _LEADING, line, _SMALL, "caption", "start")
            for at, line in enumerate(caption)
        )
        yield Group("caption", "", tuple(lines))

    # --- the tree -----------------------------------------------------------------------------------

    def _edge(self, path: Path, snapshot: Snapshot) -> Iterator[Item]:
        points = tuple((x + self._left, y + self._top) for x, y in self._edges[path])
        best = path in snapshot.best and path[:-1] in snapshot.best
        kind = "best" if best else snapshot.marks[path].status
        role = {"best": "edge-best", "cut": "edge-cut", "unseen": "edge-unseen"}.get(kind, "edge")
        yield Line(points, role)
        label = self.picture.labels.get(path)
        if path in snapshot.skipped:
            yield from _strokes(points[-2], points[-1], 0.28 if label else 0.5)
        if label:
            x, y = _between(points[-2], points[-1], _ALONG)
            wide = width(label, _BESIDE)
            yield Box(x - wide / 2 - 2, y - _BESIDE * 0.62, wide + 4, _BESIDE * 1.24, 3, "plate")
            yield Text(x, y + _BESIDE * 0.36, label, _BESIDE, "move")

    def _node(self, node: Outline, snapshot: Snapshot) -> Iterator[Item]:
        place = self.plan.places[node.path]
        x, y = place.x + self._left, place.y + self._top
        drawing = self.boards.get(node.path)
        if drawing is not None:
            yield from _framed(drawing, x, y, _state(node.path, snapshot))
            y += drawing.height + _UNDER
        yield from self._leaf(node, x, y, snapshot) if node.is_leaf else self._inner(node, x, y, snapshot)

    def _inner(self, node: Outline, x: float, y: float, snapshot: Snapshot) -> Iterator[Item]:
        writing, half = self.picture.writing(node, snapshot), self._half[node.path]
        shape = _shape(node.kind, self.picture.conventions)
        yield _figure(shape, x, y, 2 * half, f"node{_state(node.path, snapshot)}")
        if writing.inside:
            middle = {"up": 0.66, "down": 0.34}.get(shape, 0.5)
            yield Text(x, y + _HEIGHT * middle + _VALUE * 0.36, writing.inside, _VALUE, "value")
        yield from _column(x - half - 5, y, writing.left, "end")
        yield from _column(x + half + 6, y, [(text, "bound") for text in writing.right], "start")

    def _leaf(self, node: Outline, x: float, y: float, snapshot: Snapshot) -> Iterator[Item]:
        half, state = self._half[node.path], _state(node.path, snapshot)
        if state:
            yield Box(x - half, y, 2 * half, _LEAF, 6, f"leaf{state}")
        role = "unseen" if state == "-unseen" else "number"
        writing = self.picture.writing(node, snapshot)
        yield Text(x, y + _LEAF / 2 + _VALUE * 0.36, writing.inside, _VALUE, role)
        if node.terms:
            yield Text(x, y + _LEAF + _SMALL * 1.15, _terms(node), _SMALL, "caption")
        lines = [(text, "bound") for text in writing.right]
        yield from _column(x + half + 4, y + (_LEAF - _HEIGHT) / 2, lines, "start")


def _terms(node: Outline) -> str:
    """What an estimate consists of, under it."""
    return f"= {node.terms}" if node.terms else ""


def _state(path: Path, snapshot: Snapshot) -> str:
    status = snapshot.marks[path].status
    if status == "current":
        return "-current"
    if status in ("unseen", "cut"):
        return "-unseen"
    return "-best" if path in snapshot.best else ""


# --- figures ----------------------------------------------------------------------------------------


def _shape(kind: Kind, conventions: Conventions) -> str:
    """Which figure stands for MAX, MIN, chance and the players of a game, by convention."""
    if conventions.shapes == "triangles":
        return {"max": "up", "min": "down", "chance": "circle"}.get(kind, "rounded")
    return {"max": "square", "min": "circle", "chance": "diamond"}.get(kind, "rounded")


def _breadth(shape: str, text: float) -> float:
    """How wide a figure is that has a text of some width in it."""
    if shape in ("up", "down"):
        return max(50.0, (text + 8) / 0.58)
    if shape == "diamond":
        return max(50.0, (text + 6) / 0.6)
    return max(_HEIGHT, text + (15 if shape == "circle" else 14))


def _figure(shape: str, x: float, y: float, wide: float, role: str) -> Item:
    """A figure with its middle at x and its top at y."""
    half, low = wide / 2, y + _HEIGHT
    if shape == "up":
        return Polygon(((x, y), (x + half, low), (x - half, low)), role)
    if shape == "down":
        return Polygon(((x - half, y), (x + half, y), (x, low)), role)
    if shape == "diamond":
        return Polygon(((x, y), (x + half, y + _HEIGHT / 2), (x, low), (x - half, y + _HEIGHT / 2)), role)
    if shape == "circle":
        return Ellipse(x, y + _HEIGHT / 2, half, _HEIGHT / 2, role)
    return Box(x - half, y, wide, _HEIGHT, 14 if shape == "rounded" else 0, role)


def _framed(drawing: Drawn, x: float, y: float, state: str) -> Iterator[Item]:
    """A board with the frame that belongs to it, or that marks it."""
    marked = state if state in ("-best", "-current") else ""
    if drawing.framed or marked:
        out = 0.0 if drawing.framed else 4.0
        left, top = x - drawing.width / 2 - out, y - out + 2
        yield Box(left, top, drawing.width + 2 * out, drawing.height + 2 * out, 4, f"board{marked}")
    yield from drawing.at(x - drawing.width / 2, y + 2)


def _beside(texts: Sequence[str], gap: float, bold: bool = False) -> float:
    """The room that lines of text need beside a figure."""
    return max((width(text, _BESIDE, bold=bold) for text in texts), default=-gap) + gap


def _column(x: float, y: float, lines: Sequence[tuple[str, str]], anchor: Anchor) -> Iterator[Item]:
    """Lines of text beside a figure, up to three, around its middle."""
    size = _BESIDE if len(lines) < 3 else 12.5
    top = y + _HEIGHT / 2 - len(lines) * size * 0.57
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
