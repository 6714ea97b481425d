"""The chess board as sets of squares: where pieces stand, and what they attack.

A set of squares is a 64-bit word; square n is bit n:

    56 57 58 59 60 61 62 63    rank 8
    48 49 50 51 52 53 54 55
    40 41 42 43 44 45 46 47
    32 33 34 35 36 37 38 39
    24 25 26 27 28 29 30 31
    16 17 18 19 20 21 22 23
     8  9 10 11 12 13 14 15
     0  1  2  3  4  5  6  7    rank 1
     a  b  c  d  e  f  g  h

Interpreted, a set is a Python int and never negative. Compiled, it is a uint64, which must not meet a signed int: a
square becomes a set by `bit`, constants are shifted from `ALL` and `H8`, and tables are arrays of uint64, from which
`item()` takes a Python int, or compiled the uint64 itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import numpy as np

from gametree.kernel.keys import FIRST, MASK, mix

if TYPE_CHECKING:
    Board = int
else:
    Board = np.uint64

Table = Sequence[np.uint64]
"""An array, as far as type checkers are concerned: what is taken from it has a type."""

Grid = Mapping[tuple[int, int], np.uint64]
"""An array of rows, likewise."""

WHITE: Final = 0
BLACK: Final = 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
NOWHERE: Final = -1
"""The en passant square where there is none."""

H8: Final = 1 << 63
ALL: Final = (1 << 64) - 1
RANKS_1_AND_8: Final = 0xFF000000000000FF
NOT_A_FILE: Final = 0xFEFEFEFEFEFEFEFE
H_FILE: Final = 0x8080808080808080
DARK: Final = 0xAA55AA55AA55AA55
"""The squares of the colour of a1, and of h8."""


class State(NamedTuple):
    """A position: who stands where, who moves, and what of the past matters."""

    pawns: Board
    knights: Board
    bishops: Board
    rooks: Board
    queens: Board
    kings: Board
    white: Board
    """All pieces of White."""
    black: Board
    castling: Board
    """The rooks, of both colours, with which castling has not been lost."""
    turn: int
    """0 where White moves, 1 where Black does."""
    passant: int
    """The square behind a pawn that has just moved two, where taking it is legal; else −1."""
    halfmoves: int
    """Plies since a pawn moved or a piece was taken."""
    number: int
    """The number of the move, as in "12. Nf3" and "12... Nf6"."""
    hash: Board
    """The Zobrist key of all above but the two counters (see `zobrist`)."""


class Sight(NamedTuple):
    """What the legality of moves depends on, found once for a position."""

    mine: Board
    theirs: Board
    king: int
    """The square of the mover's king."""
    checkers: Board
    """The pieces that give check."""
    pinned: Board
    """The mover's pieces that may only move in line with their king."""


# --- sets and squares -------------------------------------------------------------------------------


def bit(square: int) -> int:
    """The set of one square."""
    return H8 >> 63 - square


def lowest(board: int) -> int:
    """The square with the least number in a set that is not empty."""
    return (board - 1 & ~board).bit_count()


def rest(board: int) -> int:
    """A set without its square of the least number."""
    return board ^ board & -board


def squares(board: int) -> Iterator[int]:
    """The squares of a set, from the least number on."""
    while board:
        yield lowest(board)
        board = rest(board)


def _shifted(square: int, right: int, up: int) -> int:
    """The square so far to the right and up as a set; empty beyond the edge."""
    file, rank = square % 8 + right, square // 8 + up
    return 1 << rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else 0


def _leaps(steps: tuple[tuple[int, int], ...]) -> list[int]:
    return [sum(_shifted(square, *step) for step in steps) for square in range(64)]


def table(boards: Iterable[int]) -> Table:
    """An array of sets."""
    return cast(Table, np.array(list(boards), dtype=np.uint64))


def grid(rows: list[list[int]]) -> Grid:
    """An array of rows of sets."""
    return cast(Grid, np.array(rows, dtype=np.uint64))


def _rays(square: int, right: int, up: int) -> int:
    """The whole line through a square in a direction and its opposite, without the square."""
    return sum(_shifted(square, n * right, n * up) for n in range(-7, 8) if n)


_ROUND = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
KNIGHT_STEPS = table(_leaps(((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))))
KING_STEPS = table(_leaps(_ROUND))
PAWN_STEPS = table(_leaps(((-1, 1), (1, 1))) + _leaps(((-1, -1), (1, -1))))
"""What a pawn attacks: at the square for a white one, at 64 + the square for a black one."""

RANK, FILE, DIAGONAL, ANTIDIAGONAL = 0, 64, 128, 192
LINES = table(
    _rays(square, right, up) for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)) for square in range(64)
)
"""LINES[RANK + square] … LINES[ANTIDIAGONAL + square]: the line through a square, without it."""


def _between() -> Iterator[int]:
    """For any two squares: those between them in a line, and the second one."""
    for one in range(64):
        reach = [bit(other) for other in range(64)]
        for right, up in _ROUND:
            passed = 0
            for n in range(1, 8):
                step = _shifted(one, n * right, n * up)
                if step:
                    passed |= step
                    reach[lowest(step)] = passed
        yield from reach


def _through() -> Iterator[int]:
    """For any two squares in a line: the whole line without the first; else nothing."""
    for one in range(64):
        for other in range(64):
            lines = (LINES[line + one].item() for line in (RANK, FILE, DIAGONAL, ANTIDIAGONAL))
            yield next((line for line in lines if line & bit(other)), 0)


_BETWEEN = table(_between())
_THROUGH = table(_through())


def between(one: int, other: int) -> int:
    """The squares between two in a line, and the second one; the second one alone where no line joins them."""
    return _BETWEEN[one * 64 + other].item()


def through(one: int, other: int) -> int:
    """The line through two squares without the first; nothing where no line joins them."""
    return _THROUGH[one * 64 + other].item()


# --- attacks ----------------------------------------------------------------------------------------


def _sight(place: int, others: int) -> int:
    """What a slider on one of eight squares in a row attacks: up to the first of the others on either side."""
    seen = 0
    for step in (-1, 1):
        at = place + step
        while 0 <= at < 8:
            seen |= 1 << at
            at = at + step if not others >> at & 1 else -1
    return seen


_ROWS = [[_sight(place, inner << 1) for inner in range(64)] for place in range(8)]
ACROSS = grid([[row * 0x0101010101010101 for row in rows] for rows in _ROWS])
"""ACROSS[file, pieces on the files b to g]: the files that a slider attacks, on every rank."""
UPWARDS = grid([[sum((row >> n & 1) << 8 * n for n in range(8)) for row in rows] for rows in _ROWS])
"""UPWARDS[rank, pieces on the ranks 2 to 7]: the ranks that a slider attacks, on the a file."""


def slide(line: int, occupied: int) -> int:
    """What a slider attacks along a rank or diagonal, `RANK + square` and so on: up to the first piece on either side.

    Kindergarten bitboards (Urban Koistinen, Gerd Isenberg): a line has at most one square on each file. Multiplied
    by a file, its pieces meet on the eighth rank and are a number there, from 0 to 63; those at the edge do not count.
    """
    squares = LINES[line].item()
    pieces = ((occupied & squares) * 0x0202020202020202 & ALL) >> 58
    return ACROSS[line & 7, pieces].item() & squares


def slide_upwards(square: int, occupied: int) -> int:
    """What a slider attacks along its file. Multiplied by a diagonal, its pieces meet on the eighth rank as well."""
    file = square & 7
    pieces = ((occupied >> file & 0x0101010101010101) * 0x0004081020408000 & ALL) >> 58
    return UPWARDS[square >> 3, pieces].item() << file


def rook_attacks(square: int, occupied: int) -> int:
    """The squares that a rook attacks."""
    return slide(RANK + square, occupied) | slide_upwards(square, occupied)


def bishop_attacks(square: int, occupied: int) -> int:
    """The squares that a bishop attacks."""
    return slide(DIAGONAL + square, occupied) | slide(ANTIDIAGONAL + square, occupied)


def attacks(kind: int, square: int, occupied: int) -> int:
    """The squares that a piece other than a pawn attacks."""
    if kind == KNIGHT:
        return KNIGHT_STEPS[square].item()
    if kind == BISHOP:
        return bishop_attacks(square, occupied)
    if kind == ROOK:
        return rook_attacks(square, occupied)
    if kind == QUEEN:
        return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
    return KING_STEPS[square].item()


def pawn_attacks(pawns: int, colour: int) -> int:
    """All squares that pawns of a colour attack."""
    left = pawns & NOT_A_FILE
    right = pawns & ~H_FILE
    if colour == WHITE:
        return (left << 7 | right << 9) & ALL
    return left >> 9 | right >> 7


def able_pawns(turn: int, pawns: int, theirs: int, free: int, allowed: int) -> int:
    """Those pawns that reach a square that is allowed, en passant and pins aside."""
    takers = pawns & pawn_attacks(theirs & allowed, 1 - turn)
    if turn == WHITE:
        steps = pawns << 8 & free
        return (
            takers | pawns & ((steps & ALL >> 56 << 16) << 8 & free & allowed) >> 16 | (steps & allowed) >> 8
        )
    steps = pawns >> 8 & free
    return takers | pawns & ((steps & ALL >> 56 << 40) >> 8 & free & allowed) << 16 | (steps & allowed) << 8


def pawn_reach(turn: int, square: int, occupied: int, theirs: int) -> int:
    """Where a pawn goes by stepping and by taking, en passant aside."""
    free = ~occupied
    if turn == WHITE:
        step = bit(square + 8) & free
        double = (step & ALL >> 56 << 16) << 8 & free
    else:
        step = bit(square - 8) & free
        double = (step & ALL >> 56 << 40) >> 8 & free
    return step | double | PAWN_STEPS[turn * 64 + square].item() & theirs


def attackers(state: State, square: int, turn: int, occupied: int) -> int:
    """The pieces of both colours that attack a square; of the pawns only the enemies of `turn`."""
    return (
        KNIGHT_STEPS[square].item() & state.knights
        | KING_STEPS[square].item() & state.kings
        | PAWN_STEPS[turn * 64 + square].item() & state.pawns
        | rook_attacks(square, occupied) & (state.rooks | state.queens)
        | bishop_attacks(square, occupied) & (state.bishops | state.queens)
    )


def pieces(state: State, kind: int) -> int:
    """The pieces of a kind, of both colours."""
    if kind == PAWN:
        return state.pawns
    if kind == KNIGHT:
        return state.knights
    if kind == BISHOP:
        return state.bishops
    if kind == ROOK:
        return state.rooks
    if kind == QUEEN:
        return state.queens
    return state.kings


def kind_at(state: State, square: int) -> int:
    """What stands on a square that is not empty."""
    here = bit(square)
    return (
        (state.knights & here).bit_count()
        + (state.bishops & here).bit_count() * 2
        + (state.rooks & here).bit_count() * 3
        + (state.queens & here).bit_count() * 4
        + (state.kings & here).bit_count() * 5
    )


# --- keys -------------------------------------------------------------------------------------------

CASTLING, PASSANT, TURN = 12 * 64, 13 * 64, 14 * 64
ZOBRIST = table(mix((number + 1) * FIRST & MASK) for number in range(TURN + 1))
"""A random number for every piece on every square ((kind · 2 + colour) · 64 + square), every rook that may castle,
every en passant square, and for Black to move."""


def zobrist(state: State) -> int:
    """The key of a position from scratch (Zobrist 1970): the numbers of all that is true of it, xor-ed."""
    key = state.castling ^ state.castling  # nothing, of the type of a set
    for colour, owned in ((WHITE, state.white), (BLACK, state.black)):
        for square in squares(owned):
            key ^= ZOBRIST[(kind_at(state, square) * 2 + colour) * 64 + square].item()
    for square in squares(state.castling):
        key ^= ZOBRIST[CASTLING + square].item()
    if state.passant != NOWHERE:
        key ^= ZOBRIST[PASSANT + state.passant].item()
    return key ^ ZOBRIST[TURN].item() if state.turn == BLACK else key
