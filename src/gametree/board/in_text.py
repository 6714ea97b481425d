"""Boards in what `show` prints: the characters that change are the cells."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gametree.board.data import Board, Cell, Piece
from gametree.board.first_moves import BLANKS, SHAPES, Step, owners_of
from gametree.game import Game

_SPARSE: Final = 0.45
"""A board that fills less of its rectangle is no grid."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_TALK: Final = re.compile(
    r"\b(to|moves?|turn|players?|won|wins|lost|left|draw|throws?|plays?|rolls?|score|bar|off)\b",
    re.IGNORECASE,
)
"""Words that people write about a game; no board has them."""


@dataclass(frozen=True)
class Text:
    """Cells are characters: line and column of each, in reading order."""

    lines: int
    places: tuple[tuple[int, int], ...]
    blank: str
    pieces: dict[str, Piece]

    def board(self, game: Game, state: Any) -> Board | None:
        text = game.show(state)
        rows = text.split("\n")
        if len(rows) < self.lines:
            return None
        first = min(column for _, column in self.places)
        stride = math.gcd(*(column - first for _, column in self.places)) or 1
        rank = {line: y for y, line in enumerate(sorted({line for line, _ in self.places}))}
        cells = []
        for at, (line, column) in enumerate(self.places):
            symbol = _char(rows, line, column)
            piece = None if symbol in (self.blank, " ") else self.pieces.get(symbol, Piece(symbol))
            cells.append(Cell(str(at), (column - first) // stride, rank[line], piece))
        below = [row.strip() for row in rows[max(rank) + 1 :] if _WORD.search(row)]
        board = Board("grid", tuple(cells), status=below[-1] if below else "")
        wide, high = board.size
        return board if len(cells) >= _SPARSE * wide * high else replace(board, kind="graph")


def _char(rows: Sequence[str], line: int, column: int) -> str:
    return rows[line][column] if line < len(rows) and column < len(rows[line]) else " "


def in_text(game: Game, steps: Sequence[Step]) -> Text | None:
    pairs = [
        (game.show(step.before).split("\n"), game.show(step.after).split("\n"), step.mover)
        for step in steps
        if not game.is_terminal(step.after)
    ]
    heights = {len(rows) for before, after, _ in pairs for rows in (before, after)}
    if len(heights) != 1:
        return None
    lines = heights.pop()
    changed = {
        (line, column)
        for before, after, _ in pairs
        for line in range(lines)
        for column in range(max(len(before[line]), len(after[line])))
        if _char(before, line, column) != _char(after, line, column)
    }
    first = pairs[0][0]
    wordy = {line: _constant_words(first[line], line, changed) for line in range(lines)}
    talk = {line for _, after, _ in pairs for line in range(lines) if _TALK.search(after[line])}
    alphabet = {
        _char(rows, line, column)
        for before, after, _ in pairs
        for rows in (before, after)
        for line, column in changed
        if not wordy[line] and line not in talk
    }
    # A line is text about the game where a word in it never changes and is not made of pieces.
    kept = {line for line in range(lines) if all(set(word) <= alphabet for word in wordy[line])} - talk
    cells = {(line, column) for line, column in changed if line in kept}
    if len(cells) < 2:
        return None
    cells = _completed(cells, first, kept, alphabet - {" "})
    seen = Counter(_char(before, line, column) for before, _, _ in pairs for line, column in cells)
    blank = next((symbol for symbol, _ in seen.most_common() if symbol in BLANKS), " ")
    owners = owners_of(
        (_char(after, *cell), mover)
        for before, after, mover in pairs
        for cell in cells
        if _char(after, *cell) != _char(before, *cell)
    )
    pieces = {symbol: Piece(symbol, player, SHAPES.get(symbol, "")) for symbol, player in owners.items()}
    return Text(max(line for line, _ in cells) + 1, tuple(sorted(cells)), blank, pieces)


def _completed(
    cells: set[tuple[int, int]], text: Sequence[str], kept: set[int], signs: set[str]
) -> set[tuple[int, int]]:
    """The cells with those on which nothing has changed yet: pieces in the same lines, and lines beyond that look the
    same."""
    rows = range(min(line for line, _ in cells), max(line for line, _ in cells) + 1)
    whole = cells | {
        (line, column)
        for line in rows
        if line in kept
        for column, symbol in enumerate(text[line])
        if symbol in signs
    }
    for line, step in ((rows[0], -1), (rows[-1], 1)):
        columns = [column for row, column in whole if row == line]
        while line + step in kept and all(_char(text, line + step, column) in signs for column in columns):
            line += step
            whole |= {(line, column) for column in columns}
    return whole


def _constant_words(text: str, line: int, changed: set[tuple[int, int]]) -> list[str]:
    return [
        word[0]
        for word in _WORD.finditer(text)
        if not any((line, column) in changed for column in range(*word.span()))
    ]
