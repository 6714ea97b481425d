"""Boards in states: tuples of w·h values, bits of whole numbers, places of pieces."""

import enum
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final, Literal

from gametree.board.data import PALETTE, Board, Cell, Piece
from gametree.board.first_moves import BLANKS, SHAPES, Step, owners_of
from gametree.game import Game

_FEW: Final = 6
"""More different values than this are numbers, not pieces."""
_LARGE: Final = 64
"""Numbers that never get this large are counters, not sets of cells."""
_SIZES: Final = (("width", "height"), ("columns", "rows"), ("cols", "rows"), ("size", "size"), ("n", "n"))


@dataclass(frozen=True)
class Values:
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


def in_values(game: Game, steps: Sequence[Step]) -> Values | None:
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


def _sizes(game: Game) -> Iterator[tuple[int, int]]:
    """What a game or its module calls its width and its height."""
    module = sys.modules.get(type(game).__module__)
    named = {name.casefold(): value for name, value in vars(module).items()} if module else {}
    named |= {name.casefold(): value for name, value in {**vars(type(game)), **vars(game)}.items()}
    for width, height in _SIZES:
        wide, high = named.get(width), named.get(height)
        if isinstance(wide, int) and isinstance(high, int):
            yield wide, high


def _width(game: Game, length: int) -> int:
    """How wide a board of so many cells is: as the game or its module says, else square, else one row."""
    told = next((wide for wide, high in _sizes(game) if wide * high == length), 0)
    root = math.isqrt(length)
    return told or (root if root >= 3 and root * root == length else length)


def _values(
    game: Game, steps: Sequence[Step], part: int | None, known: Sequence[list[Any]], width: int
) -> Values:
    length = len(known[0])
    seen = Counter(value for values in known for value in values)
    whole = all(type(value) is int for value in seen)
    if whole and (len(seen) > _FEW or max(seen) > game.players) and min(seen) >= 0:
        return Values(part, length, width, 0, None)
    blank = next((value for value in BLANKS if value in seen), seen.most_common(1)[0][0])
    owners = owners_of(
        (after[at], step.mover)
        for step, before, after in zip(steps, known[::2], known[1::2])
        for at in range(length)
        if after[at] != before[at]
    )
    marks = {value: _symbol(value, owners.get(value)) for value in seen if value != blank}
    if len(marks) == 1 and not owners and whole:
        # What everybody leaves behind.
        marks = dict.fromkeys(marks, "#")
    pieces = {value: Piece(mark, owners.get(value), SHAPES.get(mark, "")) for value, mark in marks.items()}
    return Values(part, length, width, blank, pieces)


def _symbol(value: Any, owner: int | None = None) -> str:
    """How a value is written as a piece."""
    if isinstance(value, enum.Enum):
        return value.name[:1]
    if isinstance(value, str):
        return value
    return "XOYZ"[owner] if owner is not None and owner < 4 else "#" if value is True else str(value)


# --- bits and places --------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layer:
    """Pieces of one kind: where in the state it is told on which cells they stand, and in which way."""

    path: tuple[int, ...]
    told: Literal["bits", "cell", "row and column"]
    piece: Piece

    def cells(self, numbers: dict[tuple[int, ...], int], width: int) -> list[int]:
        if self.told == "row and column":
            return [numbers[*self.path, 0] * width + numbers[*self.path, 1]]
        number = numbers[self.path]
        return (
            [number] if self.told == "cell" else [at for at in range(number.bit_length()) if number >> at & 1]
        )


@dataclass(frozen=True)
class Layers:
    """Cells are bits of whole numbers, or the places of pieces; what comes later lies upon what comes before."""

    width: int
    height: int
    layers: tuple[_Layer, ...]
    names: tuple[str, ...] = ()

    def board(self, game: Game, state: Any) -> Board | None:
        numbers, standing = _numbers(state), dict[int, Piece]()
        for layer in self.layers:
            standing |= dict.fromkeys(layer.cells(numbers, self.width), layer.piece)
        if any(not 0 <= at < self.width * self.height for at in standing):
            return None
        cells = (
            Cell(
                str(at),
                at % self.width,
                at // self.width,
                standing.get(at),
                name=self.names[at] if self.names else "",
            )
            for at in range(self.width * self.height)
        )
        return Board("grid", tuple(cells), pieces=tuple({layer.piece: None for layer in self.layers}))


def _numbers(state: Any) -> dict[tuple[int, ...], int]:
    """The whole numbers in a state, each by the way to it: part by part."""
    if isinstance(state, int):
        return {(): state}
    found: dict[tuple[int, ...], int] = {}
    for at, member in enumerate(_members(state)):
        found |= {(at, *path): number for path, number in _numbers(member).items()}
    return found


def _name_of(state: Any, path: tuple[int, ...]) -> str:
    """What the field of a state is called that a path leads to; "" where it has no name."""
    name = ""
    for at in path:
        named = [one.name for one in fields(state)] if is_dataclass(state) else getattr(state, "_fields", ())
        name = named[at] if named else ""
        state = _members(state)[at]
    return name


_Columns = dict[tuple[int, ...], list[tuple[int, int]]]
"""For each number in a state what it is before and after each step."""


def in_layers(game: Game, steps: Sequence[Step]) -> Layers | None:
    """Bits that a move sets or clears, and places that it changes, on a board of which the game says the size."""
    pairs = [(_numbers(step.before), _numbers(step.after)) for step in steps]
    if not pairs or any(one.keys() != pairs[0][0].keys() for pair in pairs for one in pair):
        return None
    columns: _Columns = {
        path: [(before[path], after[path]) for before, after in pairs] for path in pairs[0][0]
    }
    bits = [path for path, values in columns.items() if _are_bits(values)]
    most = max((max(map(max, columns[path])).bit_length() for path in bits), default=0)
    wide, high = next((size for size in _sizes(game) if math.prod(size) >= max(most, 2)), (0, 0))
    if not wide and most:
        wide = _width(game, most)
        high = -(-most // wide)
    whose = owners_of(
        (path, step.mover)
        for path, values in columns.items()
        for step, (before, after) in zip(steps, values)
        if before != after and (path not in bits or after & ~before)
    )
    squares = _squares(columns, wide, high)
    places = [
        path
        for path, values in columns.items()
        if path not in bits and path[:-1] not in squares and path in whose and _within(values, wide * high)
    ]
    told: list[tuple[tuple[int, ...], Literal["bits", "cell", "row and column"], int | None]] = [
        *((path, "bits", whose.get(path)) for path in bits),
        *((path, "cell", whose[path]) for path in places),
        *((path, "row and column", whose.get((*path, 0), whose.get((*path, 1)))) for path in sorted(squares)),
    ]
    names = [_name_of(steps[0].before, path) for path, _, _ in told]
    initials = {(name[:1], owner) for name, (_, _, owner) in zip(names, told)}
    unlike = len({initial for initial, _ in initials}) == len(initials)
    layers = (
        _Layer(path, way, _named(name if unlike else "", owner))
        for name, (path, way, owner) in zip(names, told)
    )
    made = Layers(wide, high, tuple(layers))
    changes = [_changed(made, game, step) for step in steps]
    if not told or not all(changes):
        return None
    if high == 1 and all(len(change) == 1 for change in changes):
        # Cells without a shape of their own are called as the actions that change them.
        called = {
            change[0]: game.name_action(step.before, step.action) for step, change in zip(steps, changes)
        }
        made = replace(made, names=tuple(called.get(str(at), "") for at in range(wide)))
    return made


def _squares(columns: _Columns, wide: int, high: int) -> set[tuple[int, ...]]:
    """The parts of a state that are a row and a column, and nothing else."""
    return {
        path[:-1]
        for path in columns
        if len(path) > 1
        and [one for one in columns if one[: len(path) - 1] == path[:-1]] == [path, (*path[:-1], 1)]
        and _within(columns[path], high)
        and _within(columns[*path[:-1], 1], wide)
    }


def _are_bits(values: Sequence[tuple[int, int]]) -> bool:
    """Whether numbers are sets of cells: large ones, of which a move changes a bit or two."""
    flips = [(before ^ after).bit_count() for before, after in values]
    least, most = min(map(min, values)), max(map(max, values))
    return least >= 0 and most >= _LARGE and 0 < max(flips) <= 2


def _within(values: Sequence[tuple[int, int]], size: int) -> bool:
    return any(before != after for before, after in values) and all(
        0 <= number < size for pair in values for number in pair
    )


def _named(name: str, owner: int | None) -> Piece:
    """A piece by the name of the field that tells of it, "white" or "fox"; by its owner where there is none."""
    color = name if name in ("white", "black", *PALETTE) else ""
    symbol = "#" if owner is None else name[:1].upper() or _symbol(owner, owner)
    return Piece(symbol, owner, "disc" if color else SHAPES.get(symbol, ""), color)


def _changed(layers: Layers, game: Game, step: Step) -> tuple[str, ...]:
    before, after = layers.board(game, step.before), layers.board(game, step.after)
    return after.changed(before) if before and after else ()
