"""How an iteration comes near to an equilibrium: exploitability over time, both on logarithmic axes."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from gametree.errors import InputError
from gametree.explain.pictures.scene import Group, Item, Line, Scene, Text
from gametree.explain.pictures.svg import Theme, written
from gametree.search.hidden.equilibrium import Point

_WIDE: Final = 560.0
_HIGH: Final = 340.0
_LEFT: Final = 70.0
_RIGHT: Final = 110.0
_TOP: Final = 40.0
_BOTTOM: Final = 54.0
_LEAST: Final = 1e-16
"""Less than this is rounding."""
_ROLES: Final = ("edge-best", "edge", "edge-cut", "edge-unseen")
_MOST_TICKS: Final = 8


class Axis(NamedTuple):
    """The powers of ten between which an axis goes, and where it is drawn."""

    low: int
    high: int
    begin: float
    end: float

    def at(self, number: float) -> float:
        """Where a number stands."""
        share = (math.log10(number) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self) -> range:
        """The powers of ten that are named."""
        return range(self.low, self.high + 1, -(-(self.high - self.low) // _MOST_TICKS))


def convergence_svg(
    histories: Mapping[str, Sequence[Point]],
    *,
    over: str = "iterations",
    theme: Theme = "light",
    title: str = "",
) -> str:
    """The histories of `gt.cfr`, each by its name, as the text of an SVG file; `over` is "iterations" or "seconds".

    >>> points = [Point(0.001 * n, n, 1 / n) for n in (1, 10, 100)]
    >>> convergence_svg({"cfr+": points}).startswith("<svg ")
    True
    """
    if over not in ("iterations", "seconds"):
        raise InputError(f'over={over!r}: it is "iterations" or "seconds"')
    curves = {
        name: [
            (float(getattr(point, over)), max(point.exploitability, _LEAST))
            for point in history
            if getattr(point, over) > 0 and math.isfinite(point.exploitability)
        ]
        for name, history in histories.items()
    }
    points = [point for curve in curves.values() for point in curve]
    if not points:
        raise InputError(
            "there is nothing to draw: what gt.cfr returns has a history, a linear programme has none"
        )
    x = _axis([point[0] for point in points], _LEFT, _WIDE - _RIGHT)
    y = _axis([point[1] for point in points], _HIGH - _BOTTOM, _TOP)
    items: list[Item] = []
    for power in x.ticks():
        items.append(Line(((x.at(10.0**power), y.begin), (x.at(10.0**power), y.end)), "edge-unseen"))
        items.append(Text(x.at(10.0**power), y.begin + 16, _power(power), 11, "caption"))
    for power in y.ticks():
        items.append(Line(((x.begin, y.at(10.0**power)), (x.end, y.at(10.0**power))), "edge-unseen"))
        items.append(Text(x.begin - 8, y.at(10.0**power) + 4, _power(power), 11, "caption", "end"))
    items.append(Text((x.begin + x.end) / 2, _HIGH - 12, over, 12, "caption"))
    items.append(Text(x.begin, _TOP - 24, title or "exploitability", 12, "caption", "start"))
    named: list[float] = []
    for place, (name, curve) in enumerate(
        sorted(curves.items(), key=lambda one: -one[1][-1][1] if one[1] else 0)
    ):
        if not curve:
            continue
        line = tuple((x.at(a), y.at(b)) for a, b in curve)
        items.append(Line(line if len(line) > 1 else line * 2, _ROLES[place % len(_ROLES)]))
        # From the top down, no name on another.
        named.append(max(line[-1][1] + 4, named[-1] + 14 if named else 0.0))
        items.append(Text(line[-1][0] + 8, named[-1], name, 12, "caption", "start"))
    about = f"exploitability over {over}, both on logarithmic axes"
    return written(
        Scene(_WIDE, _HIGH, (Group("node", "plot", tuple(items)),), title or "exploitability", about), theme
    )


def _axis(numbers: Sequence[float], begin: float, end: float) -> Axis:
    low, high = math.floor(math.log10(min(numbers))), math.ceil(math.log10(max(numbers)))
    return Axis(low, max(high, low + 1), begin, end)


def _power(power: int) -> str:
    """10² as text."""
    return "1" if power == 0 else "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
