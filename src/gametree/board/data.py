"""A board as plain data: cells with places, what stands on them, and what lies beside the board.

A game that defines `board(state)` says where everything is, once. Terminal, pictures and pages draw from it, and a
learner reads from it which cells are neighbours. Everything is frozen and can be hashed; `to_json` gives a plain dict.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

Kind = Literal["grid", "hex", "points", "pits", "graph", "counters", "buttons"]
"""What a board looks like:

grid      squares; what has no cell is no square of the game
hex       hexagons
points    long points on which pieces pile up, as in backgammon
pits      hollows that hold seeds, as in kalah
graph     places and the lines between them: a star, a track, a mill board
counters  no board at all: heaps, scores, dice
buttons   nothing is known but what can be done: a cell for each action, called by its name
"""
ROW: Final = math.sqrt(3) / 2
"""How far apart two rows are on a board of hexagons or holes, where neighbours are 1 apart."""
PALETTE: Final = ("red", "blue", "green", "yellow", "purple", "orange")
"""The colours of players whose pieces have none of their own, in their order."""
_NEAR: Final = 1.01
_EMPTY: Final = (".", " ", "")


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a cell.

    >>> Piece("N", owner=0, shape="knight", color="white").symbol
    'N'
    """

    symbol: str
    """How it is written in plain text: "X", "N"."""
    owner: int | None = None
    """Whose it is; None for what belongs to nobody."""
    shape: str = ""
    """How it is drawn: "cross", "nought", "disc", "crown" (a crowned disc), "die", or a piece of chess ("king",
    "queen", "rook", "bishop", "knight", "pawn"). Everything else is drawn as its symbol."""
    color: str = ""
    """"white", "black" or one of PALETTE; where it is empty, whoever draws it chooses by owner."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on the board or beside it. A piece that stands alone counts 1.

    >>> Cell("e4", 4, 4, Piece("N")).count, Cell("e5", 4, 3).count
    (1, 0)
    """

    id: str
    """By this `touches` names it; no two cells of a board have the same."""
    x: float = 0.0
    """How far right it lies; neighbours are 1 apart."""
    y: float = 0.0
    """How far down."""
    piece: Piece | None = None
    count: int = 0
    """How many pieces stand here, seeds lie here, points are scored."""
    name: str = ""
    """What people call it; its id where left out."""
    owner: int | None = None
    """Whose place it is: a pit, a home, a score."""
    shade: Literal["", "light", "dark"] = ""
    """Of squares that differ."""
    heat: float = 0.0
    """How warm it is drawn, from 0 to 1: the likelier something is there, the warmer."""
    under: tuple[Piece, ...] = ()
    """Other pieces on the same place, where they are not all alike."""

    def __post_init__(self) -> None:
        if self.piece is not None and self.count == 0:
            object.__setattr__(self, "count", 1)
        if not self.name:
            object.__setattr__(self, "name", self.id)

    @property
    def is_heap(self) -> bool:
        """Whether alike signs lie here that are nobody's, to be counted; a letter, a number, "-" or "?" is a card."""
        if self.piece is None or self.owner is not None:
            return False
        sign = self.piece.symbol
        return self.count > 1 or not (sign in ("-", "?") or sign[:1].isalnum())

    @property
    def told(self) -> str:
        """Its name with the card that lies there, or with how many there are.

        >>> Cell("score", count=3).told, Cell("first card", piece=Piece("K"), owner=0).told
        ('score 3', 'first card K')
        """
        return f"{self.name} {self.count if self.piece is None or self.is_heap else self.piece.symbol}"


@dataclass(frozen=True, slots=True)
class Board:
    """A position as it is seen.

    >>> board = Board.grid(["X.O", ".X.", "..."], CROSSES_AND_NOUGHTS, columns="abc", rows="321", mover=1)
    >>> board.cell("b2").piece
    Piece(symbol='X', owner=0, shape='cross', color='')
    >>> board.neighbours("a3")
    ('b3', 'a2')
    >>> board.to_json()["cells"][0]
    {'id': 'a3', 'x': 0, 'y': 0, 'piece': {'symbol': 'X', 'owner': 0, 'shape': 'cross'}, 'count': 1}
    """

    kind: Kind
    cells: tuple[Cell, ...]
    beside: tuple[Cell, ...] = ()
    """What does not lie on the board: hands, dice, scores, captured pieces. They need no place."""
    pieces: tuple[Piece, ...] = ()
    """Every piece that the game has, where that is known, also those that do not stand on the board now."""
    edges: tuple[tuple[str, str], ...] = ()
    """Which cells of a graph are joined; where there are none, cells that are 1 apart are."""
    columns: tuple[str, ...] = ()
    """The labels of the columns, from the left; empty where there are none."""
    rows: tuple[str, ...] = ()
    """The labels of the rows, from the top."""
    numbered: bool = False
    """Whether cells show their names, as in checkers."""
    crossings: bool = False
    """Whether pieces stand where lines cross, as in Go, and not on squares."""
    ground: str = ""
    """What the board is made of: "wood", "green", "blue"; empty for paper."""
    bottom: int | None = None
    """Who sits at the bottom; the board is turned round for the other. None where everybody sees it the same way."""
    mover: int | None = None
    """Whose turn it is: a player, CHANCE, or None where the game is over or nobody says."""
    status: str = ""
    """How the game stands, in words; where it is empty, only whose turn it is can be told."""
    last: tuple[str, ...] = ()
    """The cells of the last move, where they are known."""

    # --- ways to write one --------------------------------------------------------------------------

    @classmethod
    def grid(
        cls,
        lines: Sequence[Sequence[str]],
        pieces: Mapping[str, Piece] | None = None,
        *,
        columns: Sequence[str] = (),
        rows: Sequence[str] = (),
        checkered: bool = False,
        **other: Any,
    ) -> "Board":
        """A board of squares from its lines, top to bottom: "." is empty, all else a piece by its symbol.

        A cell's id is made of its labels, "a3"; where columns or rows have none it is its number in reading order, "0".
        `pieces` says more about the symbols, `checkered` makes every second square dark. All other fields may be given.

        >>> Board.grid(["X.", ".."]).cell("0").piece
        Piece(symbol='X', owner=None, shape='', color='')
        """
        names = _names(lines, columns, rows)
        made = _pieces(lines, pieces)
        cells = [
            Cell(names[i], x, y, made[i], shade=("light", "dark")[(x + y) % 2] if checkered else "")
            for i, (x, y) in enumerate(_places(lines))
        ]
        own = tuple((pieces or {}).values())
        return cls("grid", tuple(cells), pieces=own, columns=tuple(columns), rows=tuple(rows), **other)

    @classmethod
    def hexagons(
        cls,
        lines: Sequence[Sequence[str]],
        pieces: Mapping[str, Piece] | None = None,
        *,
        columns: Sequence[str] = (),
        rows: Sequence[str] = (),
        **other: Any,
    ) -> "Board":
        """A board of hexagons in the shape of a rhombus, each line half a cell further right; as `grid` otherwise.

        >>> Board.hexagons(["X.", ".O"], columns="ab", rows="12").neighbours("a1")
        ('b1', 'a2')
        """
        names = _names(lines, columns, rows)
        made = _pieces(lines, pieces)
        cells = [Cell(names[i], x + y / 2, y * ROW, made[i]) for i, (x, y) in enumerate(_places(lines))]
        own = tuple((pieces or {}).values())
        return cls("hex", tuple(cells), pieces=own, columns=tuple(columns), rows=tuple(rows), **other)

    # --- ways to read one ---------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of all cells, those beside the board last."""
        return tuple(cell.id for cell in (*self.cells, *self.beside))

    def cell(self, id: str) -> Cell:
        """A cell by its id."""
        for cell in (*self.cells, *self.beside):
            if cell.id == id:
                return cell
        raise KeyError(id)

    def neighbours(self, id: str) -> tuple[str, ...]:
        """The cells joined to one: by the edges of the board, or because they are 1 apart."""
        if self.edges:
            ends = [b if a == id else a for a, b in self.edges if id in (a, b)]
            return tuple(dict.fromkeys(ends))
        here = self.cell(id)
        return tuple(
            cell.id
            for cell in self.cells
            if cell.id != id and math.hypot(cell.x - here.x, cell.y - here.y) < _NEAR
        )

    @property
    def size(self) -> tuple[float, float]:
        """How wide and how high the board is, in cells."""
        if not self.cells:
            return 0.0, 0.0
        return max(cell.x for cell in self.cells) + 1, max(cell.y for cell in self.cells) + 1

    def changed(self, before: "Board") -> tuple[str, ...]:
        """The cells on which something else stands than on another board, or another number of it."""
        old = {cell.id: (cell.piece, cell.count, cell.under) for cell in (*before.cells, *before.beside)}
        return tuple(
            cell.id
            for cell in (*self.cells, *self.beside)
            if old.get(cell.id) != (cell.piece, cell.count, cell.under)
        )

    def marked(self, last: Iterable[str]) -> "Board":
        """The same board with the cells of the last move."""
        return replace(self, last=tuple(last))

    def turned(self) -> "Board":
        """The same board as it is seen from the other side."""
        wide, high = self.size
        cells = tuple(replace(cell, x=wide - 1 - cell.x, y=high - 1 - cell.y) for cell in self.cells)
        return replace(self, cells=cells, columns=self.columns[::-1], rows=self.rows[::-1])

    def to_json(self) -> dict[str, Any]:
        """The board as a plain dict; what is empty is left out."""
        data: dict[str, Any] = {"kind": self.kind, "cells": [_cell_data(cell) for cell in self.cells]}
        if self.beside:
            data["beside"] = [_cell_data(cell) for cell in self.beside]
        if self.pieces:
            data["pieces"] = [_piece_data(piece) for piece in self.pieces]
        if self.edges:
            data["edges"] = [list(edge) for edge in self.edges]
        for name in ("columns", "rows", "last"):
            if getattr(self, name):
                data[name] = list(getattr(self, name))
        for name in ("numbered", "crossings", "ground", "status"):
            if getattr(self, name):
                data[name] = getattr(self, name)
        for name in ("bottom", "mover"):
            if getattr(self, name) is not None:
                data[name] = getattr(self, name)
        return data


CROSSES_AND_NOUGHTS: Final = {"X": Piece("X", 0, "cross"), "O": Piece("O", 1, "nought")}


def discs(first: str = "black", second: str = "white") -> dict[str, Piece]:
    """The pieces X and O as discs of two colours."""
    return {"X": Piece("X", 0, "disc", first), "O": Piece("O", 1, "disc", second)}


def _places(lines: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    return [(x, y) for y, line in enumerate(lines) for x in range(len(line))]


def _names(lines: Sequence[Sequence[str]], columns: Sequence[str], rows: Sequence[str]) -> list[str]:
    if columns and rows:
        return [f"{columns[x]}{rows[y]}" for x, y in _places(lines)]
    return [str(i) for i in range(len(_places(lines)))]


def _pieces(lines: Sequence[Sequence[str]], known: Mapping[str, Piece] | None) -> list[Piece | None]:
    made = {symbol: Piece(symbol) for line in lines for symbol in line} | dict(known or {})
    return [None if symbol in _EMPTY else made[symbol] for line in lines for symbol in line]


def _cell_data(cell: Cell) -> dict[str, Any]:
    data: dict[str, Any] = {"id": cell.id, "x": cell.x, "y": cell.y}
    if cell.name != cell.id:
        data["name"] = cell.name
    if cell.piece is not None:
        data["piece"] = _piece_data(cell.piece)
    if cell.count:
        data["count"] = cell.count
    if cell.owner is not None:
        data["owner"] = cell.owner
    if cell.shade:
        data["shade"] = cell.shade
    if cell.heat:
        data["heat"] = cell.heat
    if cell.under:
        data["under"] = [_piece_data(piece) for piece in cell.under]
    return data


def _piece_data(piece: Piece) -> dict[str, Any]:
    data = {"symbol": piece.symbol, "owner": piece.owner, "shape": piece.shape, "color": piece.color}
    return {name: value for name, value in data.items() if value is not None and value != ""}
