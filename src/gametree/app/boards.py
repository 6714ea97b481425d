"""Boards as people know them: figurines, discs, coloured squares; and the same in plain text or ASCII.

A `Picture` says what is where. `plain` makes text of it and `painted` makes pieces of text with styles; neither knows a
terminal. It is read off what the game itself shows, so that the rules stay the only ones who know where pieces are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from gametree.game import Game


class Cell(NamedTuple):
    """A square: what stands there ("" for nothing), its own label, and how it looks."""

    symbol: str
    label: str = ""
    dark: bool = False
    used: bool = True
    """False for squares on which nothing ever stands."""


@dataclass(frozen=True)
class Style:
    """How the board of a game looks."""

    read: Callable[[list[str]], "tuple[list[list[Cell]], list[str], list[str]]"]
    """Rows of squares, their labels and those of the columns, from the lines that the game shows."""
    glyphs: dict[str, tuple[str, str]]
    """For every symbol: the glyph where there are no colours, and the one that is painted."""
    light: str
    dark: str
    light_mark: str
    dark_mark: str
    inks: dict[str, str]
    """The colour of every symbol."""
    below: int | None = None
    """The player whose side is at the bottom; the board is turned round for the other. None where it never is."""
    turns_over: bool = False
    """Pieces change sides where they stand: then only what was put down is marked."""
    players: dict[str, str] = field(default_factory=dict)
    """The symbols of players whose names are letters on the board."""


@dataclass(frozen=True)
class Picture:
    """A position to be drawn."""

    rows: list[list[Cell]]
    ranks: list[str]
    files: list[str]
    status: str
    marks: frozenset[tuple[int, int]]
    """Where the last move left its traces, as places in `rows`."""
    style: Style


def picture(game: Game, state: Any, before: Any = None, near: int | None = None) -> Picture | None:
    """The board of a game that has one here; None otherwise. `before` is the state before the last move, `near` the
    player who wants to sit at the bottom.

    >>> from gametree.games import Chess
    >>> shown = picture(Chess(), Chess().initial())
    >>> shown.rows[0][0].symbol, shown.files[0], shown.status
    ('r', 'a', 'White to move')
    """
    style = _STYLES.get(_drawn_by(game))
    if style is None:
        return None
    lines = game.show(state).splitlines()
    rows, ranks, files = style.read(lines)
    marks: set[tuple[int, int]] = set()
    if before is not None:
        marks = set(_changed(style.read(game.show(before).splitlines())[0], rows, style))
    if style.below is not None and near == 1 - style.below:
        height, width = len(rows) - 1, len(rows[0]) - 1
        rows = [row[::-1] for row in rows[::-1]]
        ranks, files = ranks[::-1], files[::-1]
        marks = {(height - y, width - x) for y, x in marks}
    return Picture(rows, ranks, files, lines[-1], frozenset(marks), style)


def _drawn_by(game: Game) -> str:
    """The module of the class whose `show` it is: a class of the user's own may show something else."""
    return next(cls.__module__ for cls in type(game).__mro__ if "show" in vars(cls))


def _changed(old: list[list[Cell]], new: list[list[Cell]], style: Style) -> Iterator[tuple[int, int]]:
    for y, row in enumerate(new):
        for x, cell in enumerate(row):
            was = old[y][x].symbol
            if cell.symbol != was and not (style.turns_over and was):
                yield y, x


# --- text -------------------------------------------------------------------------------------------


def plain(shown: Picture, ascii: bool = False) -> str:
    """A board without colours, in a frame; the traces of the last move are in brackets.

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
    corners = "+-+|+-+" if ascii else "┌─┐│└─┘"
    margin = max(1, *map(len, shown.ranks)) if shown.ranks else 1
    body = [
        "".join(_plain_cell(shown, y, x, ascii) for x in range(len(row))) for y, row in enumerate(shown.rows)
    ]
    pad = "" if shown.rows[0][0].label or not shown.files else " "
    wide = len(body[0]) + 2 * len(pad)
    lines = [" " * (margin + 1) + corners[0] + corners[1] * wide + corners[2]]
    for y, text in enumerate(body):
        rank = shown.ranks[y] if shown.ranks else ""
        lines.append(f"{rank:>{margin}} {corners[3]}{pad}{text}{pad}{corners[3]}")
    lines.append(" " * (margin + 1) + corners[4] + corners[5] * wide + corners[6])
    if shown.files:
        lines.append(" " * (margin + 2) + pad + "".join(f"{name:^3}" for name in shown.files).rstrip())
    return "\n".join([*(line.rstrip() for line in lines), _status(shown, ascii)])


def _plain_cell(shown: Picture, y: int, x: int, ascii: bool) -> str:
    cell = shown.rows[y][x]
    marked = (y, x) in shown.marks
    glyph = cell.symbol if ascii else shown.style.glyphs.get(cell.symbol, ("",))[0]
    if cell.label or not cell.used:
        if not cell.used:
            return "    "
        return f"{cell.label:>2}{glyph or ' '}{'*' if marked else ' '}"
    glyph = glyph or ("." if ascii else "·")
    return f"[{glyph}]" if marked else f" {glyph} "


def _status(shown: Picture, ascii: bool) -> str:
    """What the game says below its board, with the discs beside the letters that stand for players."""
    if ascii:
        return shown.status
    words = shown.status.split(" ", 1)
    glyph = shown.style.players.get(words[0])
    return f"{glyph} {shown.status}" if glyph else shown.status


def painted(shown: Picture) -> Iterator[list[tuple[str, str]]]:
    """The lines of a board in colours, each as pieces of text with a style."""
    margin = max(map(len, shown.ranks), default=0)
    for y, row in enumerate(shown.rows):
        rank = shown.ranks[y] if shown.ranks else ""
        yield [(f"{rank:>{margin}} ", "dim"), *(_painted_cell(shown, y, x) for x in range(len(row)))]
    if shown.files:
        yield [(" " * (margin + 1) + "".join(f"{name:^3}" for name in shown.files), "dim")]
    mover = shown.status.split(" ", 1)[0]
    if mover in shown.style.players:
        back, ink = shown.style.dark, shown.style.inks[mover]
        yield [(" ● ", f"bold {ink} on {back}"), (f" {shown.status}", "")]
    else:
        yield [(shown.status, "")]


def _painted_cell(shown: Picture, y: int, x: int) -> tuple[str, str]:
    cell, style = shown.rows[y][x], shown.style
    marked = (y, x) in shown.marks
    if cell.dark:
        back = style.dark_mark if marked else style.dark
    else:
        back = style.light_mark if marked else style.light
    glyph = style.glyphs.get(cell.symbol, ("", ""))[1]
    ink = style.inks.get(cell.symbol, style.inks[""])
    if cell.label or not cell.used:
        return f"{cell.label:>2}{glyph or ' '} ", f"{'bold ' if glyph else ''}{ink} on {back}"
    empty = "·" if style.players else " "
    return f" {glyph or empty} ", f"{'bold ' if glyph else ''}{ink} on {back}"


# --- the games --------------------------------------------------------------------------------------


def _labelled(lines: Sequence[str]) -> tuple[list[list[Cell]], list[str], list[str]]:
    """A board whose rows begin with their labels, above a row of the columns' labels."""
    words = [line.split() for line in lines[:-2]]
    rows = [
        [Cell("" if symbol == "." else symbol, dark=(y + x) % 2 == 1) for x, symbol in enumerate(row[1:])]
        for y, row in enumerate(words)
    ]
    return rows, [row[0] for row in words], lines[-2].split()


def _columns(lines: Sequence[str]) -> tuple[list[list[Cell]], list[str], list[str]]:
    """A board with labels below its columns only."""
    rows = [
        [Cell("" if symbol == "." else symbol, dark=True) for symbol in line.split()] for line in lines[:-2]
    ]
    return rows, [], lines[-2].split()


def _draughts(lines: Sequence[str]) -> tuple[list[list[Cell]], list[str], list[str]]:
    """A board of which only the dark squares count; each has its number."""
    rows = []
    for y, line in enumerate(lines[:8]):
        first, *symbols = line.split()
        row = [Cell("", used=False) for _ in range(8)]
        for i, symbol in enumerate(symbols):
            number = str(int(first) + i)
            row[2 * i + 1 - y % 2] = Cell("" if symbol == "." else symbol, number, dark=True)
        rows.append(row)
    return rows, [], []


_WHITE, _BLACK = "#ffffff", "#000000"
_FIGURES: Final = {
    "K": "♔", "Q": "♕", "R": "♖", "B": "♗", "N": "♘", "P": "♙",
    "k": "♚", "q": "♛", "r": "♜", "b": "♝", "n": "♞", "p": "♟",
}  # fmt: skip
_DISCS: Final = {"X": ("●", "●"), "O": ("○", "●")}
_STYLES: Final = {
    "gametree.games.chess.rules": Style(
        read=_labelled,
        # Painted, both sides have the filled figures: an outline would show the square through.
        glyphs={symbol: (glyph, _FIGURES[symbol.lower()]) for symbol, glyph in _FIGURES.items()},
        light="#b9a27a",
        dark="#86663f",
        light_mark="#a9b85a",
        dark_mark="#7f8f34",
        inks={"": _BLACK} | {symbol: _WHITE if symbol.isupper() else _BLACK for symbol in _FIGURES},
        below=0,
    ),
    "gametree.games.checkers.rules": Style(
        read=_draughts,
        glyphs={"b": ("●", "●"), "B": ("♛", "♛"), "w": ("○", "●"), "W": ("♕", "♛")},
        light="#cdb78f",
        dark="#6b5138",
        light_mark="#cdb78f",
        dark_mark="#7f8f34",
        inks={"": "#cdb78f", "b": _BLACK, "B": _BLACK, "w": _WHITE, "W": _WHITE},
        below=1,
    ),
    "gametree.games.othello": Style(
        read=_labelled,
        glyphs=_DISCS,
        light="#2f7d4f",
        dark="#2a7248",
        light_mark="#57a877",
        dark_mark="#57a877",
        inks={"": "#1f5535", "X": _BLACK, "O": _WHITE},
        turns_over=True,
        players={"X": "●", "O": "○"},
    ),
    "gametree.games.connect_four": Style(
        read=_columns,
        glyphs=_DISCS,
        light="#24509a",
        dark="#24509a",
        light_mark="#5b84c4",
        dark_mark="#5b84c4",
        inks={"": "#163569", "X": "#ff5c5c", "O": "#ffe04d"},
        players={"X": "●", "O": "○"},
    ),
}
