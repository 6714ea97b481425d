"""Endings numbered for databases: how many men and kings each side has is the slice, and every position has a place.

Colours do not matter: the first side is the one with more, as a number, and it moves down the page; where both sides
have the same, it is the one to move. All else is the board turned round. A place is a number whose digits are

    the first side's men (of 28 squares) and kings (of 32) · the other side's · who moves

Pieces of one kind and side are a combination, so that it does not matter which is which.
"""

import math
import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from gametree.errors import InputError

MOST_PIECES: Final = 7
DIGIT: Final = 3
SIDE: Final = 2 * DIGIT
COUNT: Final = (1 << DIGIT) - 1
CODE: Final = (1 << SIDE) - 1
PIECES: Final = 2 * SIDE + 4
CHOOSE: Final = np.array([math.comb(n, k) for n in range(33) for k in range(8)], dtype=np.int64)
"""CHOOSE[n * 8 + k]: how many sets of k there are among n."""
MEN_SQUARES: Final = 28
"""A man of the last row has become a king."""
SQUARES: Final = 32


def square_of(bit: int) -> int:
    """The number of a square, from 0, by its bit."""
    return bit - bit // 9


def bit_of(square: int) -> int:
    """The bit of a square by its number."""
    return square + square // 8


def code_of(side: int, kings: int) -> int:
    """How many kings and men a side has; with more kings it is more."""
    return (side & kings).bit_count() << DIGIT | (side & ~kings).bit_count()


def slice_of(black: int, white: int, kings: int) -> int:
    """The material: how many pieces, how many of them men, and which side has what; −1 where there are too many.

    A capture takes a piece away and a crowning a man, so that both lower it.
    """
    pieces = (black | white).bit_count()
    if pieces > MOST_PIECES:
        return -1
    men = ((black | white) & ~kings).bit_count()
    first = code_of(black, kings)
    second = code_of(white, kings)
    return pieces << PIECES | men << 2 * SIDE | max(first, second) << SIDE | min(first, second)


def men_of(slice: int, side: int) -> int:
    """How many men a side has: 0 is the first one."""
    return slice >> (SIDE if side == 0 else 0) & COUNT


def kings_of(slice: int, side: int) -> int:
    """How many kings."""
    return slice >> (SIDE if side == 0 else 0) + DIGIT & COUNT


def _both_move(slice: int) -> bool:
    """Whether it makes a difference who moves."""
    return slice >> SIDE & CODE != slice & CODE


def slice_size(slice: int) -> int:
    """How many places a slice has."""
    size = 2 if _both_move(slice) else 1
    for side in range(2):
        size *= CHOOSE[MEN_SQUARES * 8 + men_of(slice, side)].item()
        size *= CHOOSE[SQUARES * 8 + kings_of(slice, side)].item()
    return size


def rank(pieces: int, turned: bool, least: int) -> int:
    """The number of a set of squares among those of its size; `turned`: of the board turned round."""
    number = 0
    taken = 0
    while pieces:
        # From the least square on, as the board lies then.
        bit = pieces.bit_length() - 1 if turned else (pieces & -pieces).bit_length() - 1
        pieces ^= 1 << bit
        square = 31 - square_of(bit) if turned else square_of(bit)
        taken += 1
        number += CHOOSE[(square - least) * 8 + taken].item()
    return number


def unrank(number: int, count: int, cells: int, least: int) -> int:
    """The set of squares with a number."""
    pieces = 0
    square = cells - 1
    while count > 0:
        while CHOOSE[square * 8 + count].item() > number:
            square -= 1
        number -= CHOOSE[square * 8 + count].item()
        pieces |= 1 << bit_of(square + least)
        count -= 1
    return pieces


def slice_place(black: int, white: int, kings: int, mover: int) -> int:
    """The number of a position in its slice."""
    slice = slice_of(black, white, kings)
    first = code_of(black, kings)
    second = code_of(white, kings)
    turned = first < second or (first == second and mover == 1)
    place = 0
    for side in range(2):
        own = black if (side == 0) != turned else white
        # The first side's men stand on the squares 1 to 28, the other side's on 5 to 32.
        place *= CHOOSE[MEN_SQUARES * 8 + men_of(slice, side)].item()
        place += rank(own & ~kings, turned, 4 * side)
        place *= CHOOSE[SQUARES * 8 + kings_of(slice, side)].item()
        place += rank(own & kings, turned, 0)
    if _both_move(slice):
        place = place * 2 + (mover ^ turned)
    return place


def unnumbered(slice: int, place: int) -> tuple[int, int, int, int]:
    """Black's pieces, White's, the kings, and who moves; nothing anywhere where two pieces share a square."""
    mover = 0
    if _both_move(slice):
        mover = place & 1
        place >>= 1
    black, white, kings = 0, 0, 0
    for side in (1, 0):
        count = kings_of(slice, side)
        room = CHOOSE[SQUARES * 8 + count].item()
        crowned = unrank(place % room, count, SQUARES, 0)
        place //= room
        count = men_of(slice, side)
        room = CHOOSE[MEN_SQUARES * 8 + count].item()
        men = unrank(place % room, count, MEN_SQUARES, 4 * side)
        place //= room
        if crowned & men or (crowned | men) & (black | white):
            return 0, 0, 0, 0
        kings |= crowned
        if side == 0:
            black = crowned | men
        else:
            white = crowned | men
    return black, white, kings, mover


def name_slice(slice: int) -> str:
    """A slice as people call it: "2K1M-1K" for two kings and a man against a king."""
    sides = []
    for side in (0, 1):
        kings, men = kings_of(slice, side), men_of(slice, side)
        sides.append((f"{kings}K" if kings else "") + (f"{men}M" if men else ""))
    return "-".join(sides)


def parse_slice(text: str) -> int:
    """The slice that a text names: "2K1M-1K"."""
    sides = [re.fullmatch(r"(?:(\d)K)?(?:(\d)M)?", side) for side in text.strip().upper().split("-")]
    if len(sides) != 2 or not all(side is not None and side.group() for side in sides):
        raise InputError(
            f"{text!r} is no ending of checkers: write the kings and men of both sides, for example 2K1M-1K"
        )
    counts = [(int(side.group(1) or 0), int(side.group(2) or 0)) for side in sides if side is not None]
    pieces, men = sum(map(sum, counts)), counts[0][1] + counts[1][1]
    if not 2 <= pieces <= MOST_PIECES or not all(map(sum, counts)):
        raise InputError(f"{text}: endings of checkers have 2 to {MOST_PIECES} pieces, and each side has one")
    codes = sorted(kings << DIGIT | own for kings, own in counts)
    return pieces << PIECES | men << 2 * SIDE | codes[1] << SIDE | codes[0]


def slices(most: int) -> Iterator[int]:
    """All endings with so many pieces and fewer, the lowest first."""
    found = set()
    for pieces in range(2, min(most, MOST_PIECES) + 1):
        for own in range(1, pieces):
            for kings in range(own + 1):
                for others in range(pieces - own + 1):
                    first = f"{kings}K{own - kings}M"
                    found.add(parse_slice(f"{first}-{others}K{pieces - own - others}M"))
    yield from sorted(found)
