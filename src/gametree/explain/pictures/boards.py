"""States of real games as small drawings, from the boards that games tell; without a board, the text that they show."""

import math
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from gametree.board import Board, Cell, Piece
from gametree.explain.pictures.lettering import clipped, shown, width
from gametree.explain.pictures.scene import HEATS, Box, Ellipse, Item, Line, Polygon, Text

_SIZE: Final = 10.0
_LEADING: Final = 1.25
_MOST_LINES: Final = 20
_MOST_LETTERS: Final = 40
_PILE: Final = 5
"""Higher piles have a number on them."""
_HEAP: Final = 30
_OUTLINES: Final = {"king": "♔", "queen": "♕", "rook": "♖", "bishop": "♗", "knight": "♘", "pawn": "♙"}
_SOLID: Final = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
_BY_OWNER: Final = ("black", "white", "red", "blue", "green", "yellow")
"""The colours of discs that have none of their own."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawing whose upper left corner is at 0, 0."""

    width: float
    height: float
    items: tuple[Item, ...]
    framed: bool
    """Whether a frame belongs around it."""

    def at(self, x: float, y: float) -> tuple[Item, ...]:
        """The drawing with its upper left corner elsewhere."""
        return tuple(moved(item, x, y) for item in self.items)


def drawn(board: Board | None, text: str = "", before: Board | None = None) -> Drawn:
    """The drawing of a board; where there is none, that of what `show` of its game writes.

    `before` is the board before the last move, which is marked: the cells that are different now.

    >>> from gametree.games import Nim, TicTacToe
    >>> drawn(TicTacToe().board(TicTacToe().initial())).framed, drawn(Nim().board(Nim().initial())).framed
    (False, True)
    """
    if board is None or not (board.cells or board.beside):
        return letters(text)
    if board.kind == "buttons":
        return letters(text or " ".join(board.ids))
    if board.kind == "counters":
        return letters("\n".join(_told(board.cells, empty=True)))
    made = DRAWINGS[board.kind](board)
    if board.kind == "grid" and before is not None and before.ids == board.ids:
        made = squares(board, _changed(before, board))
    below = ", ".join(_told(board.beside, empty=False))
    return made if not below else _captioned(made, below)


# --- squares ----------------------------------------------------------------------------------------


def _changed(before: Board, now: Board) -> frozenset[str]:
    """The cells that a move has changed."""
    pairs = zip(before.cells, now.cells, strict=True)
    return frozenset(cell.id for old, cell in pairs if (old.piece, old.count) != (cell.piece, cell.count))


def squares(board: Board, last: frozenset[str] = frozenset()) -> Drawn:
    """A board of squares: an open grid for crosses and noughts, as on the slides, or a ground with pieces on it.

    `last` are the cells of the last move. Squares that have numbers, as in checkers, show them.
    """
    across, down = (round(length) for length in board.size)
    # Small boards are drawn with an open grid, as people scribble them.
    small = max(across, down) <= 4 and not board.ground
    numbered = bool(board.ground) and len(board.cells) > 9 and all(cell.id.isdigit() for cell in board.cells)
    unit = 17.0 if small else 13.0 if _has_figures(board) else 10.0 if board.ground else 11.0
    items: list[Item] = [
        Box(cell.x * unit, cell.y * unit, unit, unit, 0, f"heat-{warmth(cell)}")
        for cell in board.cells
        if cell.heat > 0
    ]
    if board.ground:
        items = [*_ground(board, unit), *items]
    else:
        inner = 1 if small else 0
        items += _lines(
            range(inner, across + 1 - inner), range(inner, down + 1 - inner), unit, (across, down), "cell"
        )
    for cell in board.cells:
        if cell.id in last:
            inset = 0.06 * unit
            items.append(
                Box(
                    cell.x * unit + inset,
                    cell.y * unit + inset,
                    unit - 2 * inset,
                    unit - 2 * inset,
                    2,
                    "last",
                )
            )
        if numbered and cell.piece is None:
            size = 0.46 * unit
            x, y = (cell.x + 0.5) * unit, (cell.y + 0.5) * unit + size * 0.36
            items.append(Text(x, y, cell.id, size, "square-number"))
        items += _standing(board, cell, (cell.x + 0.5) * unit, (cell.y + 0.5) * unit, unit)
    return Drawn(across * unit, down * unit, tuple(items), framed=False)


def warmth(cell: Cell) -> int:
    """Which of the colours of warm cells a cell has."""
    return max(1, min(HEATS, round(cell.heat * HEATS)))


def _has_figures(board: Board) -> bool:
    return any(piece.shape in _SOLID for piece in board.pieces)


def _ground(board: Board, unit: float) -> Iterator[Item]:
    """What the pieces stand on."""
    across, down = (round(length) for length in board.size)
    wide, high = across * unit, down * unit
    if len(board.cells) < across * down:
        # Only some of the squares are the game's: the others are left as they are.
        for cell in board.cells:
            yield Box(cell.x * unit, cell.y * unit, unit, unit, 0, "square")
        yield _outline(wide, high)
        return
    if board.crossings:
        yield Box(0, 0, wide, high, 0, "wood")
        middles = [at + 0.5 for at in range(max(across, down))]
        for at in middles[:across]:
            yield Line(((at * unit, unit / 2), (at * unit, high - unit / 2)), "groove")
        for at in middles[:down]:
            yield Line(((unit / 2, at * unit), (wide - unit / 2, at * unit)), "groove")
        return
    yield Box(
        0,
        0,
        wide,
        high,
        0,
        "felt" if board.ground == "green" else "sky" if board.ground == "blue" else "pale",
    )
    if board.ground == "blue":
        for cell in board.cells:
            if cell.piece is None:
                yield Ellipse((cell.x + 0.5) * unit, (cell.y + 0.5) * unit, 0.36 * unit, 0.36 * unit, "plate")
    elif board.ground == "green":
        yield from _lines(range(across + 1), range(down + 1), unit, (across, down), "groove")
    else:
        for cell in board.cells:
            if cell.shade == "dark":
                yield Box(cell.x * unit, cell.y * unit, unit, unit, 0, "wood")
        yield _outline(wide, high)


def _lines(columns: range, rows: range, unit: float, size: tuple[int, int], role: str) -> Iterator[Item]:
    across, down = size
    for at in columns:
        yield Line(((at * unit, 0), (at * unit, down * unit)), role)
    for at in rows:
        yield Line(((0, at * unit), (across * unit, at * unit)), role)


def _outline(wide: float, high: float) -> Line:
    return Line(((0, 0), (wide, 0), (wide, high), (0, high), (0, 0)), "cell")


# --- pieces -----------------------------------------------------------------------------------------


def _standing(board: Board, cell: Cell, x: float, y: float, unit: float) -> Iterator[Item]:
    """What stands on a cell around a point."""
    if cell.piece is None:
        if cell.count:
            warm = cell.heat > 0
            yield _label(
                str(cell.count), x, y, unit * (0.5 if warm else 0.75), "figure" if warm else "number"
            )
        return
    yield from _piece(cell.piece, x, y, unit, on_ground=bool(board.ground))
    for at, piece in enumerate(cell.under, 1):
        yield from _piece(piece, x + 0.2 * unit * at, y + 0.2 * unit * at, unit, on_ground=bool(board.ground))
    if cell.count > 1:
        yield _label(str(cell.count), x, y, unit * 0.6, _letter_role(cell.piece))


def _piece(piece: Piece, x: float, y: float, unit: float, on_ground: bool) -> Iterator[Item]:
    reach = 0.3 * unit
    if piece.shape == "cross":
        yield Line(((x - reach, y - reach), (x + reach, y + reach)), "cross")
        yield Line(((x - reach, y + reach), (x + reach, y - reach)), "cross")
    elif piece.shape == "nought":
        yield Ellipse(x, y, reach, reach, "nought")
    elif piece.shape in ("disc", "crown"):
        color = _color(piece)
        yield Ellipse(x, y, unit * 0.38, unit * 0.38, f"man-{color}")
        if piece.shape == "crown":
            yield _crown(x, y, unit * 0.2, "king-white" if color == "white" else "king-black")
    elif piece.shape in _SOLID:
        figure = (_OUTLINES if piece.color == "white" else _SOLID)[piece.shape]
        yield Text(x, y + unit * 0.34, figure, unit, "figure")
    else:
        # On a ground letters are as dark in every theme.
        yield _label(shown(piece.symbol), x, y, unit * 0.8, "figure" if on_ground else "number")


def _crown(x: float, y: float, reach: float, role: str) -> Polygon:
    """A crown of three points around a middle."""
    across = (-1, -1, -0.5, 0, 0.5, 1, 1)
    down = (0.8, -0.7, 0, -0.95, 0, -0.7, 0.8)
    return Polygon(tuple((x + reach * a, y + reach * b) for a, b in zip(across, down, strict=True)), role)


def _color(piece: Piece) -> str:
    return piece.color or _BY_OWNER[(piece.owner or 0) % len(_BY_OWNER)]


def _letter_role(piece: Piece) -> str:
    if piece.shape not in ("disc", "crown"):
        return "number"
    return "figure" if _color(piece) in ("white", "yellow", "orange") else "light-letter"


def _label(text: str, x: float, y: float, size: float, role: str = "number") -> Text:
    """A short text around a point."""
    return Text(x, y + size * 0.36, clipped(text, 3), size, role)


# --- hexagons, places, points and pits --------------------------------------------------------------


def hexagons(board: Board) -> Drawn:
    """Cells that are six-sided, their middles 1 apart."""
    unit = 12.0 if len(board.cells) > 40 else 17.0
    half, long = unit / 2, unit / math.sqrt(3)
    left, top = half, long
    items: list[Item] = []
    for cell in board.cells:
        x, y = left + cell.x * unit, top + cell.y * unit
        corners = (
            (0, -long),
            (half, -long / 2),
            (half, long / 2),
            (0, long),
            (-half, long / 2),
            (-half, -long / 2),
        )
        items.append(Polygon(tuple((x + right, y + down) for right, down in corners), "board"))
        items += _standing(board, cell, x, y, unit)
    wide, high = board.size
    return Drawn(wide * unit, (high - 1) * unit + 2 * long, tuple(items), framed=False)


def places(board: Board) -> Drawn:
    """Places with lines between those that are joined."""
    unit = 10.0 if len(board.cells) > 40 else 18.0
    spots = {cell.id: ((cell.x + 0.5) * unit, (cell.y + 0.5) * unit) for cell in board.cells}
    edges = board.edges or {
        (min(cell.id, other), max(cell.id, other))
        for cell in board.cells
        for other in board.neighbours(cell.id)
    }
    items: list[Item] = [
        Line((spots[one], spots[other]), "groove-thin")
        for one, other in sorted(edges)
        if one in spots and other in spots
    ]
    for cell in board.cells:
        x, y = spots[cell.id]
        items.append(Ellipse(x, y, 0.24 * unit, 0.24 * unit, "spot-safe" if cell.shade == "dark" else "spot"))
        items += _standing(board, cell, x, y, unit)
    wide, high = board.size
    return Drawn(wide * unit, high * unit, tuple(items), framed=False)


def points(board: Board) -> Drawn:
    """Long points with piles, those above hanging down."""
    unit = 10.0
    wide = board.size[0] * unit
    high = (2 * _PILE + 1.5) * unit
    items: list[Item] = [Box(0, 0, wide, high, 0, "pale")]
    for cell in board.cells:
        left, below = cell.x * unit, round(cell.y) == 1
        base, tip = (high, high - _PILE * unit) if below else (0.0, _PILE * unit)
        role = "wood" if (round(cell.x) + below) % 2 else "point"
        items.append(Polygon(((left, base), (left + unit, base), (left + unit / 2, tip)), role))
        if cell.piece is None:
            continue
        for at in range(min(cell.count, _PILE)):
            y = base + (-(at + 0.5) if below else at + 0.5) * unit
            items += _piece(cell.piece, left + unit / 2, y, unit, on_ground=True)
        if cell.count > _PILE:
            y = base + (-(_PILE - 0.5) if below else _PILE - 0.5) * unit
            items.append(_label(str(cell.count), left + unit / 2, y, unit * 0.7, _letter_role(cell.piece)))
    items.append(_outline(wide, high))
    return Drawn(wide, high, tuple(items), framed=False)


def pits(board: Board) -> Drawn:
    """Hollows with the number of seeds in them."""
    unit = 18.0
    items: list[Item] = []
    for cell in board.cells:
        x, y = (cell.x + 0.5) * unit, (cell.y + 0.5) * unit
        items.append(Ellipse(x, y, 0.44 * unit, 0.44 * unit, "board"))
        items.append(_label(str(cell.count), x, y, unit * 0.55))
    wide, high = board.size
    return Drawn(wide * unit, high * unit, tuple(items), framed=False)


DRAWINGS: Final[dict[str, Callable[[Board], Drawn]]] = {
    "grid": squares,
    "hex": hexagons,
    "graph": places,
    "points": points,
    "pits": pits,
}
"""For each kind of board how it is drawn."""


# --- letters ----------------------------------------------------------------------------------------


def _told(cells: tuple[Cell, ...], empty: bool) -> list[str]:
    """Heaps, numbers and dice in words; `empty` says whether what is not there is told, too."""
    lines = []
    for cell in cells:
        if cell.piece is not None and cell.piece.shape == "die":
            lines.append(cell.piece.symbol)
        elif cell.piece is not None and cell.is_heap:
            row = cell.piece.symbol * min(cell.count, _HEAP) + ("…" if cell.count > _HEAP else "")
            lines += [row, f"{cell.name} {cell.count}"]
        elif cell.count or empty:
            lines.append(cell.told)
    return lines


def _captioned(made: Drawn, text: str) -> Drawn:
    """A drawing with a line of text under it, within its width."""
    size = min(_SIZE, _SIZE * made.width / max(width(text, _SIZE), 1))
    line = Text(made.width / 2, made.height + size * 1.15, shown(text), size, "caption")
    return replace(made, height=made.height + size * 1.4, items=(*made.items, line))


def _is_row(line: str) -> bool:
    """Whether a line is a row of a board: single signs with blanks between them."""
    return len(line.split()) > 2 and all(len(word) == 1 for word in line.split()[1:])


def letters(text: str) -> Drawn:
    """The text itself, in letters of one width. What stands under a board is as wide as it."""
    lines = [shown(line.rstrip()) for line in text.split("\n")]
    if across := max((len(line) for line in lines if _is_row(line)), default=0):
        lines = [
            part for line in lines for part in (textwrap.wrap(line, across) if len(line) > across else [line])
        ]
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
    return Drawn(wide + 12, len(lines) * high + 10, tuple(items), framed=True)


def moved(item: Item, x: float, y: float) -> Item:
    """The same item elsewhere."""
    if isinstance(item, (Line, Polygon)):
        return replace(item, points=tuple((px + x, py + y) for px, py in item.points))
    if isinstance(item, (Box, Ellipse, Text)):
        return replace(item, x=item.x + x, y=item.y + y)
    raise TypeError(item)
