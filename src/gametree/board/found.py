"""The board of a state: as its game tells it, or found where the game tells none.

What changes when somebody moves is the board. Two places are looked at: the text that `show` prints, whose changing
characters are the cells, and tuples inside the state. Where neither fits there is no board, and only the names of the
actions are left to show.
"""

import enum
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from gametree.board.data import Board, Cell, Piece
from gametree.errors import RulesError
from gametree.game import CHANCE, Game, mover_at, offers

_PLIES: Final = 24
_BRANCHES: Final = 40
_FIRST_BRANCHES: Final = 400
_SPARSE: Final = 0.45
"""A board that fills less of its rectangle is no grid."""
_FEW: Final = 6
"""More different values than this are numbers, not pieces."""
_BLANKS: Final = (0, None, "", " ", ".", "-", "_", "·", False)
_SIZES: Final = (("width", "height"), ("columns", "rows"), ("cols", "rows"), ("size", "size"), ("n", "n"))
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_TALK: Final = re.compile(
    r"\b(to|moves?|turn|players?|won|wins|lost|left|draw|throws?|plays?|rolls?|score|bar|off)\b",
    re.IGNORECASE,
)
"""Words that people write about a game; no board has them."""
_SHAPES: Final = {"X": "cross", "O": "nought"}


@dataclass(frozen=True)
class Step:
    """A move that can be made early in a game."""

    before: Any
    mover: int
    after: Any


def board_of(game: Game, state: Any) -> Board | None:
    """The board of a state: by `board` where the game defines it, else found; None where nothing fits.

    >>> from gametree import Game
    >>> class Line(Game):
    ...     def initial(self): return ("..", 0)
    ...     def player(self, s): return s[1]
    ...     def actions(self, s): return [i for i in (0, 1) if s[0][i] == "."]
    ...     def result(self, s, a): return (s[0][:a] + "XO"[s[1]] + s[0][a + 1:], 1 - s[1])
    ...     def is_terminal(self, s): return "." not in s[0]
    ...     def utility(self, s, p): return 0
    ...     def show(self, s): return s[0]
    >>> [cell.piece for cell in board_of(Line(), ("X.", 1)).cells]
    [Piece(symbol='X', owner=0, shape='cross', color=''), None]
    """
    told = game.board(state)
    if told is None:
        layout = _layout(game)
        told = None if layout is None else layout.board(game, state)
        return None if told is None else replace(told, mover=mover_at(game, state))
    if not isinstance(told, Board):
        raise RulesError(
            f"{type(game).__name__}.board returned {type(told).__name__}: it returns a gametree.Board, or None"
        )
    return told


def touches_of(game: Game, state: Any, action: Any) -> tuple[str, ...]:
    """The cells that an action touches: by `touches` where the game defines it, else those that change."""
    if offers(game, "touches") and game.board(state) is not None:
        return tuple(game.touches(state, action))
    before, after = board_of(game, state), board_of(game, game.result(state, action))
    return () if before is None or after is None else after.changed(before)


# --- how a game begins ------------------------------------------------------------------------------


def _steps(game: Game) -> list[Step]:
    """Moves of a first game, with what else could have been played on the way."""
    steps: list[Step] = []
    # Rules that fail are not found out here, where somebody only wants to see a board: what was seen has to do.
    with suppress(Exception):
        state = game.initial()
        for ply in range(_PLIES):
            mover = mover_at(game, state)
            if mover is None:
                break
            chance = mover == CHANCE
            choices = [one for one, _ in game.chance(state)] if chance else list(game.actions(state))
            for action in choices[: _BRANCHES if ply else _FIRST_BRANCHES]:
                steps.append(Step(state, mover, game.result(state, action)))
            state = game.result(state, choices[7 * ply % len(choices)])
    return steps


_layouts: "WeakKeyDictionary[Game, _Text | _Values | None]" = WeakKeyDictionary()


def _layout(game: Game) -> "_Text | _Values | None":
    """Where the cells of a game are; found once a game."""
    if game not in _layouts:
        steps = _steps(game)
        found: _Text | _Values | None = _in_text(game, steps) if offers(game, "show") else None
        _layouts[game] = found or _in_state(game, steps)
    return _layouts[game]


def _owners(changes: Iterable[tuple[Any, int]]) -> dict[Any, int]:
    """Whose piece a symbol is: that of the player whose moves bring it about, nearly always."""
    votes: dict[Any, Counter[int]] = {}
    for symbol, mover in changes:
        votes.setdefault(symbol, Counter())[mover] += 1
    found = {}
    for symbol, counts in votes.items():
        player, most = counts.most_common(1)[0]
        if player >= 0 and most >= 0.9 * counts.total():
            found[symbol] = player
    return found


# --- in what `show` prints --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Text:
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


def _in_text(game: Game, steps: Sequence[Step]) -> _Text | None:
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
    blank = next((symbol for symbol, _ in seen.most_common() if symbol in _BLANKS), " ")
    owners = _owners(
        (_char(after, *cell), mover)
        for before, after, mover in pairs
        for cell in cells
        if _char(after, *cell) != _char(before, *cell)
    )
    pieces = {symbol: Piece(symbol, player, _SHAPES.get(symbol, "")) for symbol, player in owners.items()}
    return _Text(max(line for line, _ in cells) + 1, tuple(sorted(cells)), blank, pieces)


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


# --- in the state -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Values:
    """Cells are the values of a tuple: which part of the state, without who moves at its end, and how wide it is."""

    part: int | None
    length: int
    width: int
    blank: Any
    pieces: dict[Any, Piece] | None
    """None where the values are numbers of seeds."""

    def board(self, game: Game, state: Any) -> Board | None:
        values = _flat(_part_of(state, self.part))
        if values is None or len(values) < self.length:
            return None
        cells = []
        for at, value in enumerate(values[: self.length]):
            y, x = divmod(at, self.width)
            if self.pieces is None:
                cells.append(Cell(str(at), x, y, count=int(value)))
            else:
                piece = None if value == self.blank else self.pieces.get(value, Piece(_symbol(value)))
                cells.append(Cell(str(at), x, y, piece))
        return Board("pits" if self.pieces is None else "grid", tuple(cells))


def _members(state: Any) -> tuple[Any, ...]:
    """The parts of a state that is a tuple or a dataclass."""
    if is_dataclass(state):
        return tuple(getattr(state, one.name) for one in fields(state))
    return state if isinstance(state, tuple) else ()


def _part_of(state: Any, part: int | None) -> Any:
    members = () if part is None else _members(state)
    return state if part is None else members[part] if part < len(members) else None


def _flat(part: Any) -> list[Any] | None:
    """The values of a tuple, of a text, or of a tuple of rows; None for anything else."""
    if isinstance(part, str):
        return list(part)
    if not isinstance(part, (tuple, list)):
        return None
    if part and all(isinstance(row, (tuple, list, str)) for row in part):
        rows = [_flat(row) for row in part]
        if any(row is None for row in rows) or len({len(row or ()) for row in rows}) != 1:
            return None
        return [value for row in rows for value in row or ()]
    return list(part) if all(_is_plain(value) for value in part) else None


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, str, enum.Enum))


def _in_state(game: Game, steps: Sequence[Step]) -> _Values | None:
    if not steps:
        return None
    candidates = sorted(_parts(steps), key=lambda found: -found[1])
    for part, length, row in candidates:
        states = [state for step in steps for state in (step.before, step.after)]
        tuples = [_flat(_part_of(state, part)) for state in states]
        if any(values is None or len(values) < length for values in tuples):
            continue
        known = [values[:length] for values in tuples if values is not None]
        if len({tuple(map(str, values)) for values in known}) < 2:
            continue
        return _values(game, steps, part, known, row or _width(game, length))
    return None


def _parts(steps: Sequence[Step]) -> Iterator[tuple[int | None, int, int]]:
    """Parts of a state that may be a board: which, how many cells it has, and how wide it is where rows tell."""
    state = steps[0].before
    if isinstance(state, tuple) and not hasattr(state, "_fields"):
        whole = _flat(state)
        if whole is not None:
            # Plain tuples often end with who moves.
            turn = all(step.before[-1:] == (step.mover,) for step in steps)
            yield from _part(None, state, len(whole) - turn)
    for at, part in enumerate(_members(state)):
        values = _flat(part)
        if values is not None:
            yield from _part(at, part, len(values))


def _part(at: int | None, part: Any, length: int) -> Iterator[tuple[int | None, int, int]]:
    if length >= 3:
        nested = not isinstance(part, str) and isinstance(part[0], (tuple, list, str)) and len(part[0]) > 1
        yield at, length, len(part[0]) if nested else 0


def _width(game: Game, length: int) -> int:
    """How wide a board of so many cells is: as the game or its module says, else square, else one row."""
    module = sys.modules.get(type(game).__module__)
    named = {name.casefold(): value for name, value in vars(module).items()} if module else {}
    named |= {name.casefold(): value for name, value in {**vars(type(game)), **vars(game)}.items()}
    for width, height in _SIZES:
        wide, high = named.get(width), named.get(height)
        if isinstance(wide, int) and isinstance(high, int) and wide * high == length:
            return wide
    root = math.isqrt(length)
    return root if root >= 3 and root * root == length else length


def _values(
    game: Game, steps: Sequence[Step], part: int | None, known: Sequence[list[Any]], width: int
) -> _Values:
    length = len(known[0])
    seen = Counter(value for values in known for value in values)
    whole = all(type(value) is int for value in seen)
    if whole and (len(seen) > _FEW or max(seen) > game.players) and min(seen) >= 0:
        return _Values(part, length, width, 0, None)
    blank = next((value for value in _BLANKS if value in seen), seen.most_common(1)[0][0])
    owners = _owners(
        (after[at], step.mover)
        for step, before, after in zip(steps, known[::2], known[1::2])
        for at in range(length)
        if after[at] != before[at]
    )
    marks = {value: _symbol(value, owners.get(value)) for value in seen if value != blank}
    if len(marks) == 1 and not owners and whole:
        # What everybody leaves behind.
        marks = dict.fromkeys(marks, "#")
    pieces = {value: Piece(mark, owners.get(value), _SHAPES.get(mark, "")) for value, mark in marks.items()}
    return _Values(part, length, width, blank, pieces)


def _symbol(value: Any, owner: int | None = None) -> str:
    """How a value is written as a piece."""
    if isinstance(value, enum.Enum):
        return value.name[:1]
    if isinstance(value, str):
        return value
    return "XOYZ"[owner] if owner is not None and owner < 4 else "#" if value is True else str(value)
