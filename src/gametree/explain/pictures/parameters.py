"""How parameters moved while they were tuned: a small picture for each, with a scale of its own."""

import math
from collections.abc import Sequence
from typing import Final

from gametree.errors import InputError
from gametree.explain.pictures.scene import Group, Item, Line, Scene, Text
from gametree.explain.pictures.svg import Theme, written

_COLUMNS: Final = 3
_WIDE: Final = 210.0
_HIGH: Final = 120.0
_LEFT: Final = 52.0
_ABOVE: Final = 40.0
_TOP: Final = 24.0
_GAP: Final = 14.0

Path = Sequence[tuple[int, Sequence[float]]]


def parameters_svg(names: Sequence[str], path: Path, *, title: str = "", theme: Theme = "light") -> str:
    """The values of parameters after so many games each, as the text of an SVG file.

    >>> parameters_svg(["w1", "w2"], [(0, (1.0, 0.5)), (100, (1.2, 0.4))], title="Row").startswith("<svg ")
    True
    """
    if not path or not names:
        raise InputError("there is nothing to draw: no game has been played")
    columns = min(_COLUMNS, len(names))
    rows = -(-len(names) // columns)
    wide = columns * (_WIDE + _GAP) + _GAP
    high = _ABOVE + rows * (_HIGH + _GAP) + 18
    items: list[Item] = [Text(_GAP, 20, title or "parameters", 12, "caption", "start")]
    for place, name in enumerate(names):
        left = _GAP + (place % columns) * (_WIDE + _GAP)
        top = _ABOVE + (place // columns) * (_HIGH + _GAP)
        items += _panel(name, [(games, values[place]) for games, values in path], left, top)
    items.append(Text(wide / 2, high - 8, f"games, 0 to {path[-1][0]:,}", 11, "caption"))
    about = f"{len(names)} parameters over {path[-1][0]:,} games, each on a scale of its own"
    return written(
        Scene(wide, high, (Group("node", "plot", tuple(items)),), title or "parameters", about), theme
    )


def _panel(name: str, curve: Sequence[tuple[int, float]], left: float, top: float) -> list[Item]:
    low, high = min(value for _, value in curve), max(value for _, value in curve)
    if high - low < 1e-12 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    begin, end = left + _LEFT, left + _WIDE
    upper, lower = top + _TOP, top + _HIGH - 6
    most = max(curve[-1][0], 1)

    def at(games: int, value: float) -> tuple[float, float]:
        return begin + games / most * (end - begin), lower - (value - low) / (high - low) * (lower - upper)

    first, last = curve[0][1], curve[-1][1]
    line = tuple(at(*point) for point in curve)
    digits = max(0, 2 - math.floor(math.log10(high - low)))
    return [
        Text(left + _LEFT, top + 14, f"{name}: {_short(first)} → {_short(last)}", 12, "caption", "start"),
        Line(((begin, upper), (begin, lower), (end, lower)), "edge-unseen"),
        Line((at(0, first), (end, at(0, first)[1])), "edge-unseen"),
        Text(begin - 5, upper + 4, f"{high:.{min(digits, 6)}f}", 10, "caption", "end"),
        Text(begin - 5, lower + 4, f"{low:.{min(digits, 6)}f}", 10, "caption", "end"),
        Line(line if len(line) > 1 else line * 2, "edge"),
    ]


def _short(value: float) -> str:
    return f"{value:.4g}"
