"""States of real games as small drawings: crosses and noughts, men and kings, or the text that the game shows."""

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.pictures.scene import Box, Ellipse, Item, Line, Polygon, Text

_ROW: Final = re.compile(r"(?:\s*\d+\s\s+)?([XO.](?: [XO.])+)\s*")
_CHECKERS: Final = re.compile(r" ?\d{1,2} {4}(?:  )?([.bwBW](?: {3}[.bwBW]){3})")
_TURN: Final = re.compile(r"\S+ to move\b.*")
_SQUARE: Final = 10.0
_SIZE: Final = 10.0
_LEADING: Final = 1.25
_MOST_LINES: Final = 20
_MOST_LETTERS: Final = 40


@dataclass(frozen=True, slots=True)
class Board:
    """A drawing whose upper left corner is at 0, 0."""

    width: float
    height: float
    items: tuple[Item, ...]
    framed: bool
    """Whether a frame belongs around it."""

    def at(self, x: float, y: float) -> tuple[Item, ...]:
        """The drawing with its upper left corner elsewhere."""
        return tuple(moved(item, x, y) for item in self.items)


def board(text: str) -> Board:
    """The drawing for a state, from what `show` of its game writes.

    >>> board("X.").framed, board("3  X . O\\n2  . X .\\n1  . . .\\n   a b c\\nO to move").framed
    (True, False)
    """
    for draw in DRAWINGS:
        found = draw(text)
        if found is not None:
            return found
    return letters(text)


def crosses_and_noughts(text: str) -> Board | None:
    """A grid of X, O and "." as on the slides; None where the text shows no such grid."""
    rows = grid(text)
    if rows is None:
        return None
    across, down = len(rows[0]), len(rows)
    # Small boards are drawn with an open grid, as people scribble them.
    small = max(across, down) <= 4
    cell = 17.0 if small else 11.0
    items: list[Item] = []
    inner = 0 if not small else 1
    for at in range(inner, across + 1 - inner):
        items.append(Line(((at * cell, 0), (at * cell, down * cell)), "cell"))
    for at in range(inner, down + 1 - inner):
        items.append(Line(((0, at * cell), (across * cell, at * cell)), "cell"))
    for row, symbols in enumerate(rows):
        for column, symbol in enumerate(symbols):
            items += _stone(symbol, (column + 0.5) * cell, (row + 0.5) * cell, cell * 0.3)
    return Board(across * cell, down * cell, tuple(items), framed=False)


def _stone(symbol: str, x: float, y: float, reach: float) -> list[Item]:
    if symbol == "X":
        return [
            Line(((x - reach, y - reach), (x + reach, y + reach)), "cross"),
            Line(((x - reach, y + reach), (x + reach, y - reach)), "cross"),
        ]
    return [Ellipse(x, y, reach, reach, "nought")] if symbol == "O" else []


def grid(text: str) -> list[str] | None:
    """The rows of a board that is a grid of X, O and "." and nothing else, without its labels; else None.

    >>> grid("2  X .\\n1  . O\\n   a b\\nX to move")
    ['X.', '.O']
    """
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [row[1].replace(" ", "") for row in takewhile(bool, map(_ROW.fullmatch, lines)) if row]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return None
    # Below it there may be the names of the columns and a line that says how the game stands.
    below = lines[len(rows) :]
    if below and len(below[0].split()) == len(rows[0]) and all(map(str.isalnum, below[0].split())):
        below = below[1:]
    return rows if len(below) <= 1 and not any(map(_looks_like_row, below)) else None


def _looks_like_row(line: str) -> bool:
    """Whether a line is a row of some other board: single signs with blanks between them."""
    return len(line.split()) > 2 and all(len(word) == 1 for word in line.split()[1:])


def men_and_kings(text: str) -> Board | None:
    """A board of checkers, Black's men dark and White's bright, a king with a dot on it; None for other texts."""
    rows = [found[1].split() for found in map(_CHECKERS.fullmatch, text.splitlines()[:8]) if found]
    if len(rows) != 8:
        return None
    side = 8 * _SQUARE
    items: list[Item] = []
    for at in range(64):
        row, column = divmod(at, 8)
        # The dark squares of the first row are the second, fourth, sixth and eighth.
        if (row + column) % 2:
            left, top = column * _SQUARE, row * _SQUARE
            items.append(Box(left, top, _SQUARE, _SQUARE, 0, "square"))
            items += _man(rows[row][column // 2], left + _SQUARE / 2, top + _SQUARE / 2)
    items.append(Line(((0, 0), (side, 0), (side, side), (0, side), (0, 0)), "cell"))
    return Board(side, side, tuple(items), framed=False)


def _man(symbol: str, x: float, y: float) -> Iterator[Item]:
    if symbol == ".":
        return
    role = "man-black" if symbol in "bB" else "man-white"
    yield Ellipse(x, y, _SQUARE * 0.38, _SQUARE * 0.38, role)
    if symbol in "BW":
        yield Ellipse(x, y, _SQUARE * 0.16, _SQUARE * 0.16, role.replace("man", "king"))


def _within(line: str, wide: int) -> list[str]:
    return textwrap.wrap(line, wide) if len(line) > wide else [line]


def letters(text: str) -> Board:
    """The text itself, in letters of one width, but for who is to move. What stands under a board is as wide as it."""
    lines = [shown(line.rstrip()) for line in text.split("\n") if not _TURN.fullmatch(line.strip())]
    if across := max((len(line) for line in lines if _looks_like_row(line)), default=0):
        lines = [part for line in lines for part in _within(line, across)]
    if len(lines) > _MOST_LINES:
        lines = [*lines[: _MOST_LINES - 1], "…"]
    lines = [clipped(line, _MOST_LETTERS) for line in lines]
    high = _SIZE * _LEADING
    items = [
        Text(6, 5 + (at + 0.8) * high, line, _SIZE, "letters", "start")
        for at, line in enumerate(lines)
        if line
    ]
    wide = max((width(line, _SIZE, monospaced=True) for line in lines), default=0.0)
    return Board(wide + 12, len(lines) * high + 10, tuple(items), framed=True)


DRAWINGS: Final[list[Callable[[str], Board | None]]] = [crosses_and_noughts, men_and_kings]
"""Tried in this order; each says None to what it does not know."""


def moved(item: Item, x: float, y: float) -> Item:
    """The same item elsewhere."""
    if isinstance(item, (Line, Polygon)):
        return replace(item, points=tuple((px + x, py + y) for px, py in item.points))
    if isinstance(item, (Box, Ellipse, Text)):
        return replace(item, x=item.x + x, y=item.y + y)
    raise TypeError(item)
