"""Boards of X and O as text: reading them, and drawing them so that they can be read again.

A board is read from rows, top to bottom, separated by "/" or line breaks: "X.O/.X./...". What `draw` prints
is read as well, with its labels and its last line, so that a board can be copied from the screen.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from gametree.errors import InputError

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


def draw(rows: Sequence[str], columns: Sequence[str], ranks: Sequence[str], status: str) -> str:
    """The board with its labels; `ranks` may be empty."""
    cell = max(map(len, columns))
    margin = max(map(len, ranks), default=0)
    lines = [" ".join(symbol.rjust(cell) for symbol in row) for row in (*rows, columns)]
    if margin:
        lines = [f"{rank:>{margin}}  {line}" for rank, line in zip((*ranks, ""), lines)]
    return "\n".join([*(line.rstrip() for line in lines), status])


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
