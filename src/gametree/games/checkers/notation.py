"""Positions of English draughts as text: FEN as in PDN files, and boards that can be read again.

A position is five ints: the bits of Black's pieces, of White's and of all kings (bits as drawn in `checkers.py`),
who moves (0 is Black), and how many quiet plies went before.
"""

import re
from typing import Final

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError

SIDES: Final = ("Black", "White")
PIECES: Final = {
    "b": Piece("b", 0, "disc", "black"),
    "B": Piece("B", 0, "crown", "black"),
    "w": Piece("w", 1, "disc", "white"),
    "W": Piece("W", 1, "crown", "white"),
}
_LETTERS: Final = "BW"
_MOST: Final = 12
_LONGEST: Final = 2000
_HOW: Final = "write it as W:W20,21,K31:BK22,23 (who moves, White's pieces, Black's pieces, K before a king)"


def bits(*squares: int) -> int:
    """The bits of squares 1 to 32: after every eighth square one bit is left out.

    >>> bits(1), bits(8, 9) == 1 << 7 | 1 << 9
    (1, True)
    """
    return sum(1 << square - 1 + (square - 1) // 8 for square in squares)


def number(bit: int) -> int:
    """The square of a bit.

    >>> number(0), number(9), number(34)
    (1, 9, 32)
    """
    return bit + 1 - bit // 9


def squares_of(pieces: int) -> list[int]:
    """The squares of some bits, in order."""
    return [square for square in range(1, 33) if pieces & bits(square)]


def excerpt(text: str) -> str:
    """A text as it is quoted in a message."""
    text = " ".join(text.split())
    return repr(text if len(text) <= 60 else text[:57] + "…")


# --- FEN --------------------------------------------------------------------------------------------


def is_fen(text: str) -> bool:
    """Whether a text begins as a FEN does."""
    return re.match(r"\s*[BW]?\s*:", text, re.IGNORECASE) is not None


def write_fen(black: int, white: int, kings: int, mover: int, quiet: int = 0) -> str:
    """The FEN of a position; the quiet plies are written where there are any, as PDN 3.0 does: ":H5"."""
    fields = [_LETTERS[mover]]
    for letter, pieces in (("W", white), ("B", black)):
        listed = [f"K{square}" if kings & bits(square) else str(square) for square in squares_of(pieces)]
        fields.append(letter + ",".join(listed))
    return ":".join(fields + ([f"H{quiet}"] if quiet else []))


def read_fen(text: str) -> tuple[int, int, int, int, int]:
    """The position of a FEN. Both orders of the sides, ranges such as 1-12 and a final dot are understood.

    >>> read_fen("B:W32:BK1") == (bits(1), bits(32), bits(1), 0, 0)
    True
    """
    if len(text) > _LONGEST:
        raise InputError(f"a FEN has at most {_LONGEST} characters, this text has {len(text)}")
    fields = re.sub(r"\s", "", text).rstrip(".").upper().split(":")
    if fields[0] not in ("B", "W"):
        raise InputError(f"the FEN {excerpt(text)} does not say who moves: {_HOW}")
    sides: dict[str, tuple[int, int]] = {}
    quiet = 0
    for field in fields[1:]:
        clock = re.fullmatch(r"([HF])(\d{1,4})", field)
        if clock:
            quiet = int(clock[2]) if clock[1] == "H" else quiet
            continue
        if field[:1] not in ("B", "W") or field[:1] in sides:
            raise InputError(f"{excerpt(field)} in the FEN {excerpt(text)} lists no side's pieces: {_HOW}")
        sides[field[0]] = _pieces(field[1:], text)
    if set(sides) != {"B", "W"}:
        missing = " and ".join(side for side in SIDES if side[0] not in sides)
        raise InputError(f"the FEN {excerpt(text)} does not list the pieces of {missing}: {_HOW}")
    (black, black_kings), (white, white_kings) = sides["B"], sides["W"]
    return checked(black, white, black_kings | white_kings, _LETTERS.index(fields[0]), quiet)


def _pieces(listed: str, text: str) -> tuple[int, int]:
    """The bits of a list of squares, and of those with a K."""
    pieces = kings = 0
    for word in filter(None, listed.split(",")):
        found = re.fullmatch(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", word)
        if not found:
            raise InputError(f"{excerpt(word)} in the FEN {excerpt(text)} is no piece: {_HOW}")
        first = int(found[2])
        last = int(found[3] or first)
        for square in (first, last):
            if not 1 <= square <= 32:
                raise InputError(f"there is no square {square}: they are 1 to 32")
        for square in range(first, last + 1):
            if pieces & bits(square):
                raise InputError(f"square {square} is listed twice in the FEN {excerpt(text)}")
            pieces |= bits(square)
            kings |= bits(square) if found[1] else 0
    return pieces, kings


def checked(black: int, white: int, kings: int, mover: int, quiet: int) -> tuple[int, int, int, int, int]:
    """The position, refused where it cannot be one."""
    for square in squares_of(black & white):
        raise InputError(f"square {square} has a black and a white piece")
    for name, pieces, last in ((SIDES[0], black, range(29, 33)), (SIDES[1], white, range(1, 5))):
        if pieces.bit_count() > _MOST:
            raise InputError(f"{name} has {pieces.bit_count()} pieces; there are {_MOST} of each side")
        for square in last:
            if pieces & ~kings & bits(square):
                raise InputError(
                    f"{name}'s man on {square} stands on its last row, so it is a king: K{square}"
                )
    return black, white, kings, mover, quiet


# --- boards -----------------------------------------------------------------------------------------


def is_board(text: str) -> bool:
    """Whether a text has the rows of a board."""
    return len(text.strip().splitlines()) > 1 and re.search(r"[bwBW.]\s+[bwBW.]", text) is not None


def draw(black: int, white: int, kings: int, status: str) -> str:
    """The board with square 1 at the top; each row begins with the number of its first square.

    >>> print(draw(bits(1, 2), bits(30), bits(2), "Black to move").splitlines()[0])
     1      b   B   .   .
    """
    lines = []
    for row in range(8):
        symbols = [symbol(black, white, kings, square) for square in range(4 * row + 1, 4 * row + 5)]
        indent = "   " if row % 2 == 0 else " "
        lines.append(f"{4 * row + 1:>2}  {indent} {'   '.join(symbols)}".rstrip())
    return "\n".join([*lines, status])


def symbol(black: int, white: int, kings: int, square: int) -> str:
    """The letter of what stands on a square, a capital for a king; a dot where nothing does."""
    bit = bits(square)
    letter = "b" if black & bit else "w" if white & bit else "."
    return letter.upper() if kings & bit else letter


def board(black: int, white: int, kings: int, mover: int | None, status: str) -> Board:
    """The board, White at the bottom; the light squares are no cells."""
    cells = []
    for square in range(1, 33):
        row, place = divmod(square - 1, 4)
        piece = PIECES.get(symbol(black, white, kings, square))
        cells.append(Cell(str(square), 2 * place + 1 - row % 2, row, piece, shade="dark"))
    return Board(
        "grid",
        tuple(cells),
        pieces=tuple(PIECES.values()),
        numbered=True,
        ground="wood",
        bottom=1,
        mover=mover,
        status=status,
    )


def read_board(text: str) -> tuple[int, int, int, int, int]:
    """The position from what `draw` prints, with its numbers and its last line."""
    if len(text) > _LONGEST:
        raise InputError(f"a board has at most {_LONGEST} characters, this text has {len(text)}")
    lines = [line for line in text.strip().splitlines() if line.strip()]
    said = re.search(r"(Black|White) (?:to move|has no move|would be the next)", lines[-1])
    if not said:
        raise InputError(
            f"the last line of a board says who moves, 'Black to move' or 'White to move',"
            f" not {excerpt(lines[-1])}"
        )
    quiet = re.search(r"(\d{1,4}) (?:ply|plies) without", lines[-1])
    rows = ["".join(re.sub(r"^\s*\d+", "", line).split()) for line in lines[:-1]]
    if len(rows) != 8:
        raise InputError(f"the board has 8 rows, this text has {len(rows)}")
    for at, row in enumerate(rows, 1):
        if not re.fullmatch(r"[bwBW.]{4}", row):
            raise InputError(
                f"row {at} is {excerpt(row)}: each has four dark squares, b and w for men, B and W for kings,"
                " '.' where there is nothing"
            )
    symbols = dict(enumerate("".join(rows), 1))
    black, white, kings = (
        bits(*(square for square, symbol in symbols.items() if symbol in kind)) for kind in ("bB", "wW", "BW")
    )
    return checked(black, white, kings, SIDES.index(said[1]), int(quiet[1]) if quiet else 0)
