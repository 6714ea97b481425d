"""The figures that stand for MAX, MIN, chance and the players of a game, by convention."""

from typing import Final

from gametree.explain.pictures.scene import Box, Ellipse, Item, Polygon
from gametree.explain.traces.conventions import Conventions
from gametree.games.tree.outline import Kind

HEIGHT: Final = 40.0

_Shape = str


def shape(kind: Kind, conventions: Conventions) -> _Shape:
    """Which figure a node has.

    >>> shape("max", Conventions()), shape("min", Conventions(shapes="triangles"))
    ('square', 'down')
    """
    if conventions.shapes == "triangles":
        return {"max": "up", "min": "down", "chance": "circle"}.get(kind, "rounded")
    return {"max": "square", "min": "circle", "chance": "diamond"}.get(kind, "rounded")


def breadth(figure: _Shape, text: float) -> float:
    """How wide a figure is that has a text of some width in it."""
    if figure in ("up", "down"):
        return max(50.0, (text + 8) / 0.58)
    if figure == "diamond":
        return max(50.0, (text + 6) / 0.6)
    if figure == "circle":
        return max(HEIGHT, text + 15)
    return max(HEIGHT, text + 14)


def baseline(figure: _Shape, size: float) -> float:
    """How far below the top of a figure its text stands."""
    middle = {"up": 0.66, "down": 0.34}.get(figure, 0.5)
    return HEIGHT * middle + size * 0.36


def drawn(figure: _Shape, x: float, y: float, wide: float, role: str) -> Item:
    """A figure with its middle at x and its top at y."""
    half, low = wide / 2, y + HEIGHT
    if figure == "up":
        return Polygon(((x, y), (x + half, low), (x - half, low)), role)
    if figure == "down":
        return Polygon(((x - half, y), (x + half, y), (x, low)), role)
    if figure == "diamond":
        return Polygon(((x, y), (x + half, y + HEIGHT / 2), (x, low), (x - half, y + HEIGHT / 2)), role)
    if figure == "circle":
        return Ellipse(x, y + HEIGHT / 2, half, HEIGHT / 2, role)
    return Box(x - half, y, wide, HEIGHT, 14 if figure == "rounded" else 0, role)
