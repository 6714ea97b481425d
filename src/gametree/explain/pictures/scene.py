"""What a picture consists of, before it is written down in a format.

Everything has a `role`, the name under which a format knows how it looks. Lengths are in pixels of SVG; y grows
downwards.
"""

from dataclasses import dataclass
from typing import Final, Literal

from gametree.board.data import PALETTE

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed figure."""

    points: tuple[Point, ...]
    role: str


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, from its upper left corner, with corners rounded by a radius."""

    x: float
    y: float
    width: float
    height: float
    radius: float
    role: str


@dataclass(frozen=True, slots=True)
class Ellipse:
    """A circle or an ellipse around a middle."""

    x: float
    y: float
    rx: float
    ry: float
    role: str


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; y is its baseline."""

    x: float
    y: float
    text: str
    size: float
    role: str
    anchor: Anchor = "middle"


Item = Line | Polygon | Box | Ellipse | Text


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together: a node, an edge. `note` is what a pointer that rests on it is told."""

    kind: Literal["node", "edge", "row", "caption"]
    key: str
    items: tuple[Item, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture."""

    width: float
    height: float
    groups: tuple[Group, ...]
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Look:
    """How a role looks: which colours, which line, which letters."""

    stroke: str = ""
    """The name of a colour; nothing is drawn where it is empty."""
    fill: str = ""
    width: float = 0.0
    dashes: tuple[float, ...] = ()
    bold: bool = False
    monospaced: bool = False


LOOKS: dict[str, Look] = {
    # Lines
    "edge": Look(stroke="ink", width=1.6),
    "edge-best": Look(stroke="accent", width=4.5),
    "edge-unseen": Look(stroke="muted", width=1.3),
    "edge-cut": Look(stroke="cut", width=1.6, dashes=(6, 5)),
    "slash": Look(stroke="cut", width=2.6),
    "cell": Look(stroke="ink", width=1.2),
    "cross": Look(stroke="ink", width=2.4),
    # Figures
    "node": Look(stroke="ink", fill="panel", width=2),
    "node-best": Look(stroke="accent", fill="panel", width=3.5),
    "node-current": Look(stroke="ink", fill="marked", width=4),
    "node-unseen": Look(stroke="muted", fill="panel", width=1.5, dashes=(2, 3)),
    "leaf-current": Look(stroke="ink", fill="marked", width=3),
    "leaf-best": Look(stroke="accent", width=2.5),
    "leaf-unseen": Look(stroke="muted", width=1.3, dashes=(2, 3)),
    "plate": Look(fill="paper"),
    "nought": Look(stroke="ink", width=2.4),
    "square": Look(fill="shade"),
    "man-black": Look(stroke="ink", fill="black", width=1),
    "man-white": Look(stroke="black", fill="white", width=1),
    "king-black": Look(fill="white"),
    "king-white": Look(fill="black"),
    "board": Look(stroke="muted", fill="panel", width=1),
    "board-best": Look(stroke="accent", fill="panel", width=3.5),
    "board-current": Look(stroke="ink", fill="marked", width=3),
    # Letters
    "value": Look(fill="ink", bold=True),
    "unseen": Look(fill="muted"),
    "number": Look(fill="ink"),
    "name": Look(fill="muted", bold=True),
    "bound": Look(fill="ink"),
    "cut": Look(fill="cut", bold=True),
    "move": Look(fill="ink"),
    "row": Look(fill="muted", bold=True),
    "title": Look(fill="ink", bold=True),
    "caption": Look(fill="muted"),
    "letters": Look(fill="ink", monospaced=True),
}
"""Cut, unseen and best are told apart by the kind of line, not by colour alone."""

HEATS: Final = 8
"""So many colours of cells that are more or less warm."""

BOARD_LOOKS: dict[str, Look] = {
    "wood": Look(fill="wood"),
    "pale": Look(fill="pale"),
    "point": Look(fill="shade"),
    "felt": Look(fill="felt"),
    "sky": Look(fill="sky"),
    "groove": Look(stroke="black", width=0.6),
    "groove-thin": Look(stroke="muted", width=0.6),
    "spot": Look(stroke="muted", fill="panel", width=0.8),
    "spot-safe": Look(stroke="ink", fill="shade", width=0.8),
    **{f"man-{color}": Look(stroke="black", fill=color, width=1) for color in PALETTE},
    **{f"heat-{warm}": Look(fill=f"heat-{warm}") for warm in range(1, HEATS + 1)},
    "information": Look(stroke="accent", width=2.2, dashes=(7, 5)),
    "cell-plain": Look(stroke="ink", fill="panel", width=1.4),
    "cell-now": Look(stroke="accent", width=1.6, dashes=(6, 4)),
    "bar": Look(fill="accent"),
    "last": Look(fill="last"),
    "square-number": Look(fill="black"),
    "figure": Look(fill="black"),
    "light-letter": Look(fill="white", bold=True),
}
"""The roles on boards of some games only; a picture tells how they look where it has them."""

MATERIALS: dict[str, str] = {
    "wood": "#d3ad78",
    "pale": "#f5ebd8",
    "felt": "#3d8f5f",
    "sky": "#3565b0",
    "last": "#f2d24b",
    "red": "#d6382f",
    "blue": "#2f6bd1",
    "green": "#2c8a4b",
    "yellow": "#f4c931",
    "purple": "#8440b5",
    "orange": "#e8862a",
    "heat-1": "#fff7ec",
    "heat-2": "#fee8c8",
    "heat-3": "#fdd9a5",
    "heat-4": "#fdc68a",
    "heat-5": "#fcab6a",
    "heat-6": "#fa8d4f",
    "heat-7": "#f2703c",
    "heat-8": "#e4552f",
}
"""The colours of boards and pieces, the same by day and by night."""

THEMES: dict[str, dict[str, str]] = {
    "light": {
        "paper": "#ffffff",
        "panel": "#ffffff",
        "ink": "#14171a",
        "muted": "#57606a",
        "accent": "#0b57d0",
        "cut": "#b3261e",
        "marked": "#ffe08a",
        "shade": "#c9d1d9",
        "black": "#14171a",
        "white": "#ffffff",
    },
    "dark": {
        "paper": "#14171a",
        "panel": "#1d2125",
        "ink": "#f3f5f7",
        "muted": "#b1bac4",
        "accent": "#8ab4ff",
        "cut": "#ffa198",
        "marked": "#6b5300",
        "shade": "#4b545e",
        "black": "#14171a",
        "white": "#ffffff",
    },
}
"""The colours behind their names. Letters have a contrast of at least 4.5 to 1 with what is behind them."""
