"""Matches and tournaments as pictures: how the score went with its band, and ratings with a cross table."""

import math
from collections.abc import Sequence
from typing import Final

from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.pictures.scene import HEATS, Box, Ellipse, Group, Item, Line, Polygon, Scene, Text

_WIDE: Final = 720.0
_HIGH: Final = 340.0
_LEFT: Final = 64.0
_RIGHT: Final = 24.0
_TOP: Final = 44.0
_BOTTOM: Final = 52.0
_SIZE: Final = 13.0
_ROW: Final = 28.0
_CELL: Final = 52.0
_BAR: Final = 240.0
_LETTERS: Final = 30
_MOST_CELLS: Final = 24


def score_curve(points: Sequence[tuple[int, float, float, float]], title: str, caption: str) -> Scene:
    """The share of the points after so many games, with its interval: (games, share, low, high) for each point.

    >>> score_curve([(2, 0.5, 0.1, 0.9), (4, 0.6, 0.3, 0.8)], "one against two", "60 %").width
    720.0
    """
    points = points or [(0, 0.5, 0.0, 1.0)]
    settled = [one for one in points if one[0] >= points[-1][0] * 0.1] or list(points)
    low = max(0.0, math.floor(10 * min(one[2] for one in settled)) / 10)
    high = min(1.0, math.ceil(10 * max(one[3] for one in settled)) / 10)
    low, high = min(low, 0.4), max(high, 0.6)
    last = max(1, points[-1][0])

    def x(games: float) -> float:
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * games / last

    def y(share: float) -> float:
        share = min(high, max(low, share))
        return _HIGH - _BOTTOM - (_HIGH - _BOTTOM - _TOP) * (share - low) / (high - low)

    items: list[Item] = []
    band = [(x(one[0]), y(one[3])) for one in points] + [(x(one[0]), y(one[2])) for one in reversed(points)]
    if len(points) > 1:
        items.append(Polygon(tuple(band), "heat-2"))
    step = 0.1 if high - low > 0.3 else 0.05
    for at in range(round((high - low) / step) + 1):
        share = low + at * step
        items.append(Line(((x(0), y(share)), (x(last), y(share))), "edge-unseen"))
        items.append(Text(_LEFT - 8, y(share) + 4, f"{100 * share:.0f} %", _SIZE - 1, "caption", "end"))
    items.append(Line(((x(0), y(0.5)), (x(last), y(0.5))), "edge"))
    for games in _round_numbers(last):
        items.append(Text(x(games), _HIGH - _BOTTOM + 18, f"{games:,}", _SIZE - 1, "caption"))
    items.append(Text((x(0) + x(last)) / 2, _HIGH - _BOTTOM + 36, "games", _SIZE, "caption"))
    line = [(x(one[0]), y(one[1])) for one in points]
    items.append(Line(tuple(line if len(line) > 1 else line * 2), "edge-best"))
    items.append(Text(_LEFT, 22, shown(title), _SIZE + 2, "title", "start"))
    items.append(Text(_WIDE - _RIGHT, _HIGH - 8, shown(caption), _SIZE, "caption", "end"))
    return Scene(
        _WIDE, _HIGH, (Group("node", "curve", tuple(items)),), title, f"The score over the games. {caption}"
    )


def _round_numbers(last: int) -> list[int]:
    step = 10 ** int(math.log10(last))
    for part in (5, 2, 1):
        if last / (step / part) <= 8:
            break
    every = max(1, step // part)
    return list(range(0, last + 1, every))


def ratings_table(
    names: Sequence[str],
    ratings: Sequence[tuple[float, float, float]],
    shares: Sequence[Sequence[float | None]],
    title: str,
    caption: str,
) -> Scene:
    """A row for each player: the rating with its interval, and what it made against each in percent.

    >>> scene = ratings_table(["a", "b"], [(50, 10, 90), (-50, -90, -10)], [[None, 0.6], [0.4, None]], "", "")
    >>> len(scene.groups)
    3
    """
    called = [f"{place} {clipped(shown(name), _LETTERS)}" for place, name in enumerate(names, start=1)]
    left = 16 + max([width(name, _SIZE) for name in called], default=0) + 10
    squares = left + _BAR + 90
    top = 70.0
    cells = len(names) if len(names) <= _MOST_CELLS else 0
    wide = max(squares + _CELL * cells + 16, 16 + width(shown(title), _SIZE + 2))
    high = top + _ROW * len(names) + 40
    least = min([one[1] for one in ratings], default=0.0)
    most = max([one[2] for one in ratings], default=0.0)
    most = most if most > least else least + 1

    def x(elo: float) -> float:
        return left + _BAR * (elo - least) / (most - least)

    heads: list[Item] = [Text(16, 26, shown(title), _SIZE + 2, "title", "start")]
    heads.append(Text(left, top - 12, "Elo with its 95 % interval", _SIZE, "row", "start"))
    heads += [Text(squares + _CELL * (at + 0.5), top - 12, str(at + 1), _SIZE, "row") for at in range(cells)]
    heads.append(Text(16, high - 12, shown(caption), _SIZE, "caption", "start"))
    if least < 0 < most:
        heads.append(Line(((x(0), top - 4), (x(0), top + _ROW * len(names))), "edge-unseen"))
    groups = [Group("caption", "", tuple(heads))]
    for at, (name, (elo, low, above), row) in enumerate(zip(called, ratings, shares)):
        y = top + _ROW * at
        base = y + _ROW / 2 + _SIZE * 0.36
        items: list[Item] = [
            Text(left - 10, base, name, _SIZE, "move", "end"),
            Line(((x(low), y + _ROW / 2), (x(above), y + _ROW / 2)), "edge"),
            Ellipse(x(elo), y + _ROW / 2, 4.5, 4.5, "bar"),
            Text(left + _BAR + 12, base, f"{elo:+.0f}", _SIZE, "number", "start"),
        ]
        for other, share in enumerate(row[:cells]):
            place = squares + _CELL * other
            if share is not None:
                warm = max(1, min(HEATS, 1 + int(HEATS * share)))
                items.append(Box(place, y, _CELL - 2, _ROW - 2, 0, f"heat-{warm}"))
                items.append(Text(place + _CELL / 2 - 1, base, f"{100 * share:.0f}", _SIZE - 1, "figure"))
        groups.append(Group("node", f"n{at}", tuple(items), name))
    told = "; ".join(f"{name}: {elo:+.0f}" for name, (elo, _, _) in zip(called, ratings))
    return Scene(wide, high, tuple(groups), title or "A tournament", f"{told}. {caption}")
