"""Boards of squares as text: reading them, and drawing them so that they can be read again.

A board is read from rows, top to bottom, separated by "/" or line breaks: "X.O/.X./...". What `draw` prints
is read as well, with its labels and its last line, so that a board can be copied from the screen.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase
from typing import Any, Final

from gametree.board.data import Board, Piece
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.parameters import whole_number

SYMBOLS: Final = "XO"
EMPTY: Final = "."


def read(text: str, columns: Sequence[str], height: int) -> tuple[list[str], int | None]:
    """The rows of a board, each a string over "XO.", and who is said to move, where the text says so."""
    width = len(columns)
    example = "/".join([("X.O" + EMPTY * width)[:width]] + [EMPTY * width] * (height - 1))
    how = f"write the rows from top to bottom separated by /, for example {example}"
    mover = None
    rows = []
    for line in re.split(r"[/\n]", text.strip()):
        status = re.fullmatch(r"\s*(?:([XO]) to move|[XO] has won|a draw)\s*", line)
        if status:
            mover = SYMBOLS.index(status[1]) if status[1] else None
        elif line.split() != list(columns):
            rows.append(re.sub(r"^\s*\d+\s+", "", line))
    said = re.fullmatch(r"(.*\S)\s+([XO])\s*", rows[-1], re.IGNORECASE) if rows else None
    if said and len("".join(rows[-1].split())) == width + 1:
        rows[-1] = said[1]
        mover = SYMBOLS.index(said[2].upper())
    rows = ["".join(row.split()).upper().replace("-", EMPTY) for row in rows]
    for number, row in enumerate(rows, 1):
        for symbol in row:
            if symbol not in SYMBOLS and symbol != EMPTY:
                raise InputError(
                    f"{symbol!r} in row {number} is no stone: use X, O and '.' (or '-') for an empty square"
                )
    if len(rows) != height:
        raise InputError(f"the board has {_count(height, 'row')}, this text has {len(rows)}: {how}")
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            squares = _count(len(row), "square")
            raise InputError(f"row {number} has {squares}, the board is {width} wide: {how}")
    return rows, mover


def draw(board: Board) -> str:
    """A board of squares with its labels, and a line about how the game stands."""
    across = round(board.size[0])
    symbols = [cell.piece.symbol if cell.piece else EMPTY for cell in board.cells]
    rows = [symbols[at : at + across] for at in range(0, len(symbols), across)]
    wide = max(map(len, board.columns))
    margin = max(map(len, board.rows), default=0)
    lines = [" ".join(symbol.rjust(wide) for symbol in row) for row in (*rows, board.columns)]
    if margin:
        lines = [f"{rank:>{margin}}  {line}" for rank, line in zip((*board.rows, ""), lines)]
    return "\n".join([*(line.rstrip() for line in lines), board.status])


def turns(width: int, height: int, stride: int) -> tuple[tuple[int, ...], ...]:
    """Where each square goes when the board is mirrored or turned, rows being `stride` apart; without the identity.

    >>> turns(2, 1, 2)
    ((1, 0), (0, 1), (1, 0))
    """
    found = []
    for transpose in (False, True) if width == height else (False,):
        for flip_rows, flip_columns in ((False, False), (False, True), (True, False), (True, True)):
            turn = []
            for square in range(height * stride):
                row, column = divmod(square, stride)
                row = height - 1 - row if flip_rows else row
                column = (width - 1 - column) % stride if flip_columns else column
                turn.append(column * stride + row if transpose else row * stride + column)
            found.append(tuple(turn))
    return tuple(found[1:])


def mover_of(rows: Sequence[str], said: int | None) -> int:
    """Who moves: X began, and the two took turns."""
    crosses, noughts = (sum(row.count(symbol) for row in rows) for symbol in SYMBOLS)
    if crosses - noughts not in (0, 1):
        raise InputError(
            f"{crosses} X and {noughts} O cannot be: X moves first and then they take turns,"
            " so there are as many X as O, or one more"
        )
    mover = crosses - noughts
    if said is not None and said != mover:
        raise InputError(
            f"{SYMBOLS[said]} cannot be the one to move: with {crosses} X and {noughts} O it is"
            f" {SYMBOLS[mover]}, because X moves first"
        )
    return mover


def check_lines(
    stones: tuple[int, int], mover: int, last: Sequence[int], aligned: Callable[[int], bool], line: str
) -> None:
    """Refuses a board that nobody can have reached: a line ends the game.

    `last` holds the bits of the stones that can have been the last one.
    """
    has = [aligned(one) for one in stones]
    if all(has):
        raise InputError(f"X and O both have {line}: the first of them has ended the game")
    if has[mover]:
        raise InputError(
            f"{SYMBOLS[mover]} has {line}, so the game was over before {SYMBOLS[1 - mover]} moved last"
        )
    winner = 1 - mover
    if has[winner] and all(aligned(stones[winner] & ~bit) for bit in last):
        raise InputError(
            f"{SYMBOLS[winner]} has {line}, but no last stone can have completed it: the game ended earlier"
        )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class KInARow(Game):
    """Squares with names, "a1" at the bottom left, of which `k` in a row count: what such games share."""

    def __init__(self, width: int, height: int, k: int):
        self.width: int = whole_number("width", width, least=1)
        self.height: int = whole_number("height", height, least=1)
        self.k: int = whole_number("k", k, least=2)
        self.squares: int = self.width * self.height
        # A set of squares has to fit the signed 64-bit integers of the compiled rules.
        if self.squares > 62:
            raise InputError(
                f"a board of {width} by {height} is too big: it has {self.squares} squares and can have at most 62"
            )
        if self.width > len(ascii_lowercase):
            raise InputError(f"width={width}: the columns are lettered a to z, so at most 26 can be played")
        if self.k > max(self.width, self.height):
            raise InputError(f"k={k}: {k} in a row do not fit on a board of {width} by {height}")
        self.full: int = (1 << self.squares) - 1

    def lettered(
        self, stones: Sequence[int], pieces: Mapping[str, Piece], mover: int | None, status: str
    ) -> Board:
        """The board with the stones of each player, in the order of the pieces."""
        symbols = [EMPTY] * self.squares
        for symbol, mine in zip(pieces, stones):
            for square in range(self.squares):
                if mine >> square & 1:
                    symbols[square] = symbol
        return Board.grid(
            [symbols[at : at + self.width] for at in range(0, self.squares, self.width)],
            pieces,
            columns=ascii_lowercase[: self.width],
            rows=[str(rank) for rank in range(self.height, 0, -1)],
            mover=mover,
            status=status,
        )

    def show(self, state: Any) -> str:
        board = self.board(state)
        assert board is not None
        return draw(board)

    def touches(self, state: Any, action: int) -> tuple[str, ...]:
        return (self.name_action(state, action),)

    def name_action(self, state: Any, action: int) -> str:
        row, column = divmod(action, self.width)
        return f"{ascii_lowercase[column]}{self.height - row}"
