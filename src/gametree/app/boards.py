"""Boards in a terminal: figurines, discs, coloured squares; and the same in plain text or ASCII.

`picture` asks the game for its board. `plain` makes text of it and `painted` makes pieces of text with styles; neither
knows a terminal, or which game it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any, Final, NamedTuple

from gametree.app.notation import player_names
from gametree.board import Board, Cell, Piece, board_of
from gametree.board.found import touches_of
from gametree.game import CHANCE, Game, offers

Line = list[tuple[str, str]]
"""Pieces of text, each with a style."""
_MOST_ACTIONS: Final = 2000
_PILE: Final = 5
"""Higher piles are a number."""
_HEAP: Final = 30
"""Longer rows of counters are cut."""


def picture(game: Game, state: Any, before: Any = None, near: int | None = None) -> Board | None:
    """The board of a state, ready to be drawn; None where nothing is found, or a game shows itself in its own way.

    `before` is the state before the last move, whose cells are marked; `near` is the player who sits at the bottom.

    >>> from gametree.games import Chess
    >>> board = picture(Chess(), Chess().initial(), near=1)
    >>> board.rows[0], board.cell("e1").y, board.status
    ('1', 0, 'White to move')
    """
    board = board_of(game, state)
    if board.kind == "buttons" or (offers(game, "show") and not offers(game, "board")):
        return None
    if before is not None:
        board = board.marked(_last_move(game, before, state))
    if board.bottom is not None and near is not None and near != board.bottom:
        board = board.turned()
    if not board.status and board.mover is not None and board.mover != CHANCE:
        name = player_names(game)[board.mover]
        board = replace(board, status=f"{name[:1].upper()}{name[1:]} to move")
    return board


def _last_move(game: Game, before: Any, state: Any) -> Sequence[str]:
    """The cells of the move that led from one state to another."""
    if game.player(before) == CHANCE:
        return ()
    for number, action in enumerate(game.actions(before)):
        if number >= _MOST_ACTIONS:
            break
        if game.result(before, action) == state:
            return touches_of(game, before, action)
    return ()


def plain(board: Board, ascii: bool = False) -> str:
    """A board without colours; the cells of the last move are in brackets.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour(width=4, height=4)
    >>> print(plain(picture(game, game.parse_state("12"), game.parse_state("1")), ascii=True))
      +--------------+
      |  .  .  .  .  |
      |  .  .  .  .  |
      |  .  .  .  .  |
      |  X [O] .  .  |
      +--------------+
         1  2  3  4
    X to move
    """
    # Without colours only two kinds of discs can be told apart; of more the letters are shown.
    discs = {piece.color for piece in board.pieces if piece.shape == "disc"}
    glyph = partial(_glyph, ascii=ascii, discs=discs <= {*_HOLLOW, *_SOLID_DISCS})
    body = _framed(board, glyph, ascii) if board.kind == "grid" else _written(board, glyph, ascii)
    lines = [*body, *_beside(board, glyph), *_status(board, glyph, ascii)]
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def painted(board: Board) -> Iterator[Line]:
    """The lines of a board in colours, each as pieces of text with a style."""
    yield from _squares(board) if board.kind == "grid" else _written(board, _filled, ascii=False)
    yield from _beside(board, _filled)
    yield from _painted_status(board)


# --- pieces -----------------------------------------------------------------------------------------

Glyph = Callable[[Piece], str]

_OUTLINES: Final = {
    "king": "♔",
    "queen": "♕",
    "rook": "♖",
    "bishop": "♗",
    "knight": "♘",
    "pawn": "♙",
    "crown": "♕",
}
_SOLID: Final = {
    "king": "♚",
    "queen": "♛",
    "rook": "♜",
    "bishop": "♝",
    "knight": "♞",
    "pawn": "♟",
    "crown": "♛",
}
_INKS: Final = {
    "white": "#ffffff",
    "black": "#000000",
    "red": "#ff5c5c",
    "blue": "#6fa0ff",
    "green": "#57c27a",
    "yellow": "#ffe04d",
    "purple": "#c08be8",
    "orange": "#ffa04d",
}
_BY_OWNER: Final = ("cyan", "yellow", "green", "magenta", "red", "blue")
_SOLID_DISCS: Final = ("black", "red")
_HOLLOW: Final = ("white", "yellow")
"""The colours of discs that are drawn as rings where there are no colours."""


def _glyph(piece: Piece, ascii: bool, discs: bool) -> str:
    """A piece without colours; `discs` says whether discs are drawn as such."""
    if ascii:
        return piece.symbol if piece.symbol.isascii() else "#"
    if piece.shape == "disc":
        return piece.symbol if not discs else "○" if piece.color in _HOLLOW else "●"
    shapes = _OUTLINES if piece.color == "white" else _SOLID
    return shapes.get(piece.shape, piece.symbol)


def _filled(piece: Piece) -> str:
    """A piece that is painted: all are filled, as an outline would show the square through."""
    return "●" if piece.shape == "disc" else _SOLID.get(piece.shape, piece.symbol)


def _ink(piece: Piece) -> str:
    if piece.color:
        return _INKS.get(piece.color, piece.color)
    return "" if piece.owner is None else _BY_OWNER[piece.owner % len(_BY_OWNER)]


# --- squares ----------------------------------------------------------------------------------------


class Paint(NamedTuple):
    """The colours of a board: squares, marked squares, and what is written on empty ones."""

    light: str
    dark: str
    light_mark: str
    dark_mark: str
    ink: str


_PAINTS: Final = {
    "wood": Paint("#b9a27a", "#86663f", "#a9b85a", "#7f8f34", "#5a452c"),
    "numbered wood": Paint("#cdb78f", "#6b5138", "#cdb78f", "#7f8f34", "#cdb78f"),
    "green": Paint("#2f7d4f", "#2a7248", "#57a877", "#57a877", "#1f5535"),
    "blue": Paint("#24509a", "#24509a", "#5b84c4", "#5b84c4", "#163569"),
}


def _by_place(board: Board) -> list[list[Cell | None]]:
    """The cells of a grid line by line; None where there is no square."""
    wide, high = (round(length) for length in board.size)
    lines: list[list[Cell | None]] = [[None] * wide for _ in range(high)]
    for cell in board.cells:
        lines[round(cell.y)][round(cell.x)] = cell
    return lines


def _framed(board: Board, glyph: Glyph, ascii: bool) -> Iterator[Line]:
    corners = "+-+|+-+" if ascii else "┌─┐│└─┘"
    lines = _by_place(board)
    margin = max(1, *map(len, board.rows)) if board.rows else 1
    body = ["".join(_square_text(board, cell, glyph, ascii) for cell in line) for line in lines]
    pad = " " if board.columns else ""
    wide = len(body[0]) + 2 * len(pad)
    yield _text(" " * (margin + 1) + corners[0] + corners[1] * wide + corners[2])
    for y, text in enumerate(body):
        rank = board.rows[y] if board.rows else ""
        yield _text(f"{rank:>{margin}} {corners[3]}{pad}{text}{pad}{corners[3]}")
    yield _text(" " * (margin + 1) + corners[4] + corners[5] * wide + corners[6])
    if board.columns:
        yield _text(" " * (margin + 2) + pad + "".join(f"{name:^3}" for name in board.columns))


def _square_text(board: Board, cell: Cell | None, glyph: Glyph, ascii: bool) -> str:
    if cell is None:
        return "    " if board.numbered else "   "
    marked = cell.id in board.last
    if board.numbered:
        return f"{cell.name:>2}{_content(cell, glyph, ' ')}{'*' if marked else ' '}"
    inside = _content(cell, glyph, "." if ascii else "·")
    return f"[{inside}]" if marked else f" {inside} "


def _content(cell: Cell, glyph: Glyph, empty: str) -> str:
    """What is written on a cell, in one letter where that is possible."""
    if cell.piece is None:
        return str(cell.count) if cell.count else empty
    if cell.under:
        return "+"
    return glyph(cell.piece) + (str(cell.count) if cell.count > 1 else "")


def _squares(board: Board) -> Iterator[Line]:
    margin = max(map(len, board.rows), default=0)
    for y, line in enumerate(_by_place(board)):
        rank = board.rows[y] if board.rows else ""
        yield [(f"{rank:>{margin}} ", "dim"), *(_painted_square(board, cell) for cell in line)]
    if board.columns:
        yield [(" " * (margin + 1) + "".join(f"{name:^3}" for name in board.columns), "dim")]


def _painted_square(board: Board, cell: Cell | None) -> tuple[str, str]:
    paint = _PAINTS.get(f"numbered {board.ground}" if board.numbered else board.ground)
    if cell is None:
        return "    " if board.numbered else "   ", f"on {paint.light}" if paint else ""
    marked = cell.id in board.last
    text = f"{cell.name:>2}{_content(cell, _filled, ' ')} " if board.numbered else None
    if paint is None:
        text = text or f" {_content(cell, _filled, '·')} "
        ink = "dim" if cell.piece is None else f"bold {_ink(cell.piece)}".strip()
        return text, f"{ink} reverse" if marked and cell.piece else ink
    dark = cell.shade != "light"
    back = (paint.dark_mark if dark else paint.light_mark) if marked else paint.dark if dark else paint.light
    # On squares of two shades an empty one is seen without a dot, on felt it is not.
    text = text or f" {_content(cell, _filled, ' ' if cell.shade and board.ground == 'wood' else '·')} "
    ink = paint.ink if cell.piece is None else f"bold {_ink(cell.piece) or paint.ink}"
    return text, f"{ink} on {back}"


# --- boards that are no grid ------------------------------------------------------------------------


def _written(board: Board, glyph: Glyph, ascii: bool) -> Iterator[Line]:
    if board.kind == "counters":
        return _counters(board.cells, glyph)
    return _points(board, glyph, ascii) if board.kind == "points" else _places(board, glyph, ascii)


def _places(board: Board, glyph: Glyph, ascii: bool) -> Iterator[Line]:
    """Cells where they lie, four letters from one to the next; a row of cells is a line."""
    heights = sorted({round(cell.y, 3) for cell in board.cells})
    close = any(b - a < 0.5 for a, b in pairwise(heights))
    rank = {y: round(2 * y) if close else at for at, y in enumerate(heights)}
    margin = max(map(len, board.rows), default=0)
    if board.columns:
        first = [cell for cell in board.cells if round(cell.y, 3) == heights[0]]
        yield _laid((4 * cell.x + margin + 1, f" {name} ", "dim") for cell, name in zip(first, board.columns))
    for line in range(max(rank.values()) + 1):
        here = sorted((c for c in board.cells if rank[round(c.y, 3)] == line), key=lambda cell: cell.x)
        label = board.rows[line] if here and line < len(board.rows) else ""
        start = 4 * here[0].x if here and label else 0
        pieces = [(start, f"{label:>{margin}}", "dim")] if label else []
        for cell in here:
            text, ink = _place(cell, cell.id in board.last, glyph, ascii)
            pieces.append((4 * cell.x + margin + 1 - (len(text) - 3) / 2, text, ink))
        yield _laid(pieces)


def _place(cell: Cell, marked: bool, glyph: Glyph, ascii: bool) -> tuple[str, str]:
    text = _content(cell, glyph, ("*" if cell.shade == "dark" else ".") if ascii or cell.shade else "·")
    if cell.piece is None and cell.owner is not None and not cell.count:
        text = "*" if cell.name.isdecimal() else cell.name.rpartition(" ")[2][:1]
    style = (
        "dim"
        if cell.piece is None and not cell.count
        else f"bold {_ink(cell.piece) if cell.piece else ''}".strip()
    )
    return f"[{text}]" if marked else f" {text} ", style


def _laid(pieces: Iterable[tuple[float, str, str]]) -> Line:
    """Texts at their columns; what would lie upon another one is moved right."""
    line: Line = []
    at = 0
    for column, text, style in pieces:
        gap = round(column) - at
        if gap > 0:
            line.append((" " * gap, ""))
        line.append((text, style))
        at += max(gap, 0) + len(text)
    return line


def _points(board: Board, glyph: Glyph, ascii: bool) -> Iterator[Line]:
    """Two rows of points with piles on them, those above hanging down."""
    for y in (0, 1):
        row = sorted((cell for cell in board.cells if round(cell.y) == y), key=lambda cell: cell.x)
        names = _laid((4 * cell.x, f"{cell.name:>3}", "dim") for cell in row)
        lines = [_laid((4 * c.x, *_layer(board, c, at, glyph, ascii)) for c in row) for at in range(_PILE)]
        yield from (names, *lines) if y == 0 else ([("", "")], *lines[::-1], names)


def _layer(board: Board, cell: Cell, at: int, glyph: Glyph, ascii: bool) -> tuple[str, str]:
    """One layer of a pile: a piece, a dot, or at the end how many there are."""
    if cell.piece is None or at >= cell.count:
        return f"  {'.' if ascii else '·'}", "dim"
    text = str(cell.count) if at == _PILE - 1 and cell.count > _PILE else glyph(cell.piece)
    marked = "underline " if cell.id in board.last and at == cell.count - 1 else ""
    return f"{text:>3}", f"{marked}bold {_plain_ink(cell.piece)}"


def _plain_ink(piece: Piece) -> str:
    """The colour of a piece on the terminal's own ground, which may be black or white."""
    return _BY_OWNER[(piece.owner or 0) % 6] if piece.color in ("black", "white") else _ink(piece)


def _counters(cells: Sequence[Cell], glyph: Glyph) -> Iterator[Line]:
    """Heaps as they lie there; cards and numbers with their names, a row in one line."""
    rows: dict[float, list[str]] = {}
    for cell in cells:
        if cell.piece is not None and cell.is_heap:
            shown = glyph(cell.piece) * min(cell.count, _HEAP) + ("…" if cell.count > _HEAP else "")
            yield [(f"{shown.replace('…', '...') if glyph(cell.piece).isascii() else shown}", "bold")]
        else:
            rows.setdefault(cell.y, []).append(cell.told)
    for row in rows.values():
        yield _text(", ".join(row))


# --- below the board --------------------------------------------------------------------------------


def _beside(board: Board, glyph: Glyph) -> Iterator[Line]:
    """What lies beside the board and is there: dice, and how much of what."""
    dice = [cell.piece.symbol for cell in board.beside if cell.piece and cell.piece.shape == "die"]
    told = [
        f"{cell.name} {cell.count}"
        for cell in board.beside
        if cell.count and not (cell.piece and cell.piece.shape == "die")
    ]
    if dice:
        told.append(f"dice {'-'.join(dice)}" if len(dice) > 1 else f"die {dice[0]}")
    if told:
        yield _text(", ".join(told))


def _disc_of(board: Board) -> Piece | None:
    """The disc of the player of whom the status speaks."""
    word = board.status.split(" ", 1)[0]
    return next((piece for piece in board.pieces if piece.shape == "disc" and piece.symbol == word), None)


def _status(board: Board, glyph: Glyph, ascii: bool) -> Iterator[Line]:
    """How the game stands, with the disc beside the letter that stands for a player."""
    piece = None if ascii else _disc_of(board)
    disc = glyph(piece) if piece else ""
    if board.status:
        status = board.status.replace("–", "-") if ascii else board.status
        yield _text(f"{disc} {status}" if disc and disc != status[:1] else status)


def _painted_status(board: Board) -> Iterator[Line]:
    if not board.status:
        return
    piece, paint = _disc_of(board), _PAINTS.get(board.ground) if board.kind == "grid" else None
    if piece is None:
        yield _text(board.status)
    elif paint is None:
        yield [("● ", f"bold {_plain_ink(piece)}"), (board.status, "")]
    else:
        yield [(" ● ", f"bold {_ink(piece)} on {paint.dark}"), (f" {board.status}", "")]


def _text(text: str) -> Line:
    return [(text, "")]
