"""The standings of a tournament as a picture: a bar for each strategy, and what each gets against each."""

from collections.abc import Sequence

from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.pictures.scene import HEATS, Box, Group, Item, Scene, Text

_SIZE = 14.0
_TITLE = 18.0
_ROW = 26.0
_BAR = 220.0
_CELL = 44.0
_MARGIN = 16.0
_LETTERS = 26


def standings(
    names: Sequence[str],
    scores: Sequence[float],
    against: Sequence[Sequence[float]],
    title: str,
    caption: str,
) -> Scene:
    """Bars from 0 to the best score, and beside them a square for each opponent in the same order, by number.

    >>> scene = standings(["grim", "defect"], [2.5, 2.0], [[3, 1], [1, 1]], "", "200 turns")
    >>> len(scene.groups)
    3
    """
    called = [f"{place} {clipped(shown(name), _LETTERS)}" for place, name in enumerate(names, start=1)]
    left = _MARGIN + max(width(name, _SIZE) for name in called) + 10
    squares = left + _BAR + 70
    top = _MARGIN + (_TITLE * 1.6 if title else 0) + _SIZE * 1.8
    wide = squares + _CELL * len(names) + _MARGIN
    high = top + _ROW * len(names) + _SIZE * 2 + _MARGIN
    best = max(map(max, against))
    heads: list[Item] = []
    if title:
        heads.append(Text(wide / 2, _MARGIN + _TITLE * 0.8, shown(title), _TITLE, "title"))
    heads.append(Text(left, top - 10, "score a turn", _SIZE, "row", "start"))
    heads.append(Text(_MARGIN, high - _MARGIN, shown(caption), _SIZE, "caption", "start"))
    for at in range(len(names)):
        heads.append(Text(squares + _CELL * (at + 0.5), top - 10, str(at + 1), _SIZE, "row"))
    groups = [Group("caption", "", tuple(heads))]
    for at, (name, score, row) in enumerate(zip(called, scores, against)):
        y = top + _ROW * at
        base = y + _ROW / 2 + _SIZE * 0.36
        length = max(0.0, _BAR * score / best) if best > 0 else 0.0
        items: list[Item] = [
            Text(left - 10, base, name, _SIZE, "move", "end"),
            Box(left, y + 3, length, _ROW - 6, 3, "bar"),
            Text(left + length + 6, base, f"{score:.3f}", _SIZE, "number", "start"),
        ]
        for other, value in enumerate(row):
            x = squares + _CELL * other
            warm = max(1, min(HEATS, 1 + int(HEATS * value / best))) if best > 0 else 1
            items.append(Box(x, y, _CELL - 2, _ROW - 2, 0, f"heat-{warm}"))
            items.append(Text(x + _CELL / 2 - 1, base, f"{value:.2f}", _SIZE - 2, "figure"))
        groups.append(Group("node", f"n{at}", tuple(items), name))
    told = "; ".join(f"{name}: {score:.3f}" for name, score in zip(called, scores))
    return Scene(wide, high, tuple(groups), title or "A tournament", f"{told}. {caption}")
