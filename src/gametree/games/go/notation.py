"""Go as text: points such as E5, boards, and the moves of a game."""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from gametree.board.data import Board, discs
from gametree.errors import InputError
from gametree.games import grid
from gametree.games.go.board import LARGEST, NONE, WIDTH, Points, at, either
from gametree.games.replay import replay

if TYPE_CHECKING:
    from gametree.games.go.rules import Go, State

COLUMNS: Final = "ABCDEFGHJ"
"""Without I, as everywhere in Go."""
SYMBOLS: Final = grid.SYMBOLS
STONES: Final = discs()
LONGEST: Final = 20_000
"""No text of a position has more characters."""
_STATUS: Final = re.compile(
    r"\s*([XO]) to move(?:, ko at ([A-HJ])([1-9]))?( after a pass)?\s*", re.IGNORECASE
)
_OVER: Final = re.compile(r".*, ([XO]) would be the next\s*", re.IGNORECASE)


class Placed(NamedTuple):
    """What a text of a position says."""

    black: Points
    white: Points
    mover: int
    ko: int
    passes: int


def name(point: int) -> str:
    """A point as people write it.

    >>> name(44), name(80 + 8)
    ('E5', 'J9')
    """
    row, column = divmod(point, WIDTH)
    return f"{COLUMNS[column]}{row + 1}"


def read_point(text: str, size: int) -> int:
    """The point from its name."""
    said = re.fullmatch(r"([A-HJ])([1-9])", text.upper()) if text.isascii() else None
    if said is None or COLUMNS.index(said[1]) >= size or int(said[2]) > size:
        raise InputError(
            f"{text[:40]!r} is no point of this board: they are A1 (lower left) to {COLUMNS[size - 1]}{size}, or pass"
            + ("; there is no column I" if text[:1] in ("i", "I") else "")
        )
    return WIDTH * (int(said[2]) - 1) + COLUMNS.index(said[1])


def board(black: Points, white: Points, size: int, mover: int | None, status: str) -> Board:
    """The board, row 1 at the bottom."""
    return Board.grid(
        _rows(black, white, size),
        STONES,
        columns=COLUMNS[:size],
        rows=[str(row) for row in range(size, 0, -1)],
        crossings=True,
        ground="wood",
        mover=mover,
        status=status,
    )


def _rows(black: Points, white: Points, size: int) -> list[str]:
    rows = []
    for row in reversed(range(size)):
        points = [at(WIDTH * row + column) for column in range(size)]
        rows.append("".join("X" if _has(black, p) else "O" if _has(white, p) else grid.EMPTY for p in points))
    return rows


def names(points: Points) -> list[str]:
    """A set of points by their names."""
    return [name(point) for point in range(WIDTH * LARGEST) if _has(points, at(point))]


def _has(stones: Points, one: Points) -> bool:
    return bool(stones.low & one.low | stones.high & one.high)


def read_board(text: str, size: int) -> Placed | None:
    """The stones from rows, top to bottom, and who moves where it is said; None where the text is no board."""
    lines = re.split(r"[/\n]", text[:LONGEST].strip())
    if len(lines) < 2:
        return None
    status, over = _STATUS.fullmatch(lines[-1]), _OVER.fullmatch(lines[-1])
    board = "\n".join(lines[:-1] if status or over else lines)
    rows, said = grid.read(board, COLUMNS[:size], size)
    stones = [NONE, NONE]
    for row, symbols in enumerate(reversed(rows)):
        for column, symbol in enumerate(symbols):
            if symbol != grid.EMPTY:
                who = SYMBOLS.index(symbol)
                stones[who] = either(stones[who], at(WIDTH * row + column))
    mover = SYMBOLS.index((status or over)[1].upper()) if status or over else said  # type: ignore[index]
    if mover is None:
        raise InputError("the text does not say who moves: end it with `X to move` or `O to move`")
    ko = read_point(status[2] + status[3], size) if status and status[2] else -1
    return Placed(stones[0], stones[1], mover, ko, 2 if over else 1 if status and status[4] else 0)


def from_moves(game: "Go", text: str) -> "State":
    """The state after the moves that were played, X first; superko counts."""
    words = text[:LONGEST].replace(",", " ").split()
    how = " (a position is a board, rows from top to bottom and `X to move`, or the moves so far: E5 C3 pass)"
    states = replay(game, words, how=how)
    seen = set()
    for number, state in enumerate(states):
        key = game.repetition_key(state)
        if key in seen and not game.is_terminal(state):
            word = words[number - 1][:40]
            raise InputError(f"move {number}: {word} brings a position about again, which superko forbids")
        seen.add(key)
    return states[-1]  # type: ignore[no-any-return]
