"""Endings numbered for databases: the material is the slice, and every position of it has a place.

Colours do not matter: White is the side with more, as a number. Where both sides have the same, the mover is White.
Without pawns White's king stands in a triangle of ten squares, with pawns on the files a to d: all else is a mirror
image. A place is a number whose digits are

    the two kings (462 pairs, with pawns 1,806) · each kind's squares · who moves · which pawn may be taken en passant

Pieces of one kind and colour are a combination, so that it does not matter which is which (Nalimov 2000).
"""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from gametree.errors import InputError
from gametree.games.chess.board import (
    BISHOP,
    BLACK,
    KING,
    KNIGHT,
    NOWHERE,
    PAWN,
    ROOK,
    WHITE,
    Board,
    State,
    attackers,
    bit,
    lowest,
    pieces,
    rest,
    zobrist,
)
from gametree.games.chess.moves import mine_of, passant_takers, theirs_of

LETTERS: Final = "PNBRQ"
MOST_MEN: Final = 6
"""No slice has more men on the board, kings included."""
DIGIT: Final = 3
"""Bits for how many pieces of a kind a side has."""
SIDE: Final = 5 * DIGIT
PAWNS: Final = 2 * SIDE
MEN: Final = PAWNS + 4
COUNT: Final = (1 << DIGIT) - 1
CODE: Final = (1 << SIDE) - 1
NO_SLICE: Final = -1


def _pairs(pawns: bool) -> Iterator[tuple[int, int]]:
    """The squares of White's king and Black's, mirror images once."""
    for white in range(64):
        file, rank = white % 8, white // 8
        if file > 3 or (not pawns and rank > file):
            continue
        for black in range(64):
            apart = max(abs(file - black % 8), abs(rank - black // 8)) > 1
            mirrored = not pawns and rank == file and black // 8 > black % 8
            if apart and not mirrored:
                yield white, black


def _numbers(pairs: list[tuple[int, int]]) -> list[int]:
    numbers = [-1] * 4096
    for number, (white, black) in enumerate(pairs):
        numbers[white * 64 + black] = number
    return numbers


_BARE, _WITH_PAWNS = list(_pairs(False)), list(_pairs(True))
PAIRS: Final = len(_BARE), len(_WITH_PAWNS)
KINGS: Final = np.array([white * 64 + black for white, black in _BARE + _WITH_PAWNS], dtype=np.int64)
"""The squares of the kings by number, those without pawns first."""
NUMBER: Final = np.array(_numbers(_BARE) + _numbers(_WITH_PAWNS), dtype=np.int64)
"""The number by the squares, likewise."""
CHOOSE: Final = np.array([math.comb(n, k) for n in range(65) for k in range(8)], dtype=np.int64)
"""CHOOSE[n * 8 + k]: how many sets of k there are among n."""


def code_of(state: State, side: int) -> int:
    """How many pieces of each kind are in a set of squares, a digit a kind."""
    return (
        (state.pawns & side).bit_count()
        | (state.knights & side).bit_count() << DIGIT
        | (state.bishops & side).bit_count() << 2 * DIGIT
        | (state.rooks & side).bit_count() << 3 * DIGIT
        | (state.queens & side).bit_count() << 4 * DIGIT
    )


def slice_of(state: State) -> int:
    """The material; NO_SLICE where somebody may still castle, or with too many men."""
    men = (state.white | state.black).bit_count()
    if men > MOST_MEN or state.castling:
        return NO_SLICE
    first = code_of(state, state.white)
    second = code_of(state, state.black)
    return men << MEN | state.pawns.bit_count() << PAWNS | max(first, second) << SIDE | min(first, second)


def count_of(slice: int, colour: int, kind: int) -> int:
    """How many pieces of a kind a side has."""
    return slice >> (SIDE if colour == WHITE else 0) + kind * DIGIT & COUNT


def _both_move(slice: int) -> bool:
    """Whether it makes a difference who moves."""
    return slice >> SIDE & CODE != slice & CODE


def _rights(slice: int) -> int:
    """One more than the pawns that might be taken en passant."""
    first, second = slice >> SIDE & COUNT, slice & COUNT
    return 1 + max(first, second) if first and second else 1


def _room(slice: int, colour: int, kind: int) -> int:
    """How many ways there are to place the pieces of a kind."""
    return CHOOSE[(48 if kind == PAWN else 64) * 8 + count_of(slice, colour, kind)].item()  # type: ignore[no-any-return]


def slice_size(slice: int) -> int:
    """How many places a slice has."""
    size = 1806 if slice >> PAWNS & 15 else 462
    for colour in range(2):
        for kind in range(KING):
            size *= _room(slice, colour, kind)
    return size * (2 if _both_move(slice) else 1) * _rights(slice)


def _turned(square: int, mirror: int, diagonal: bool) -> int:
    """A square of the board mirrored, and then along the diagonal from a1 to h8."""
    square ^= mirror
    return square >> 3 | (square & 7) << 3 if diagonal else square


def slice_place(state: State) -> int:
    """The number of a position in its slice."""
    slice = slice_of(state)
    if slice < 0:
        return -1
    first = code_of(state, state.white)
    second = code_of(state, state.black)
    swapped = first < second or (first == second and state.turn == BLACK)
    white = state.black if swapped else state.white
    black = state.white if swapped else state.black
    mirror = 56 if swapped else 0
    diagonal = False
    pawns = slice >> PAWNS & 15
    king = lowest(state.kings & white) ^ mirror
    if king & 4:
        mirror ^= 7
        king ^= 7
    if not pawns:
        if king & 32:
            mirror ^= 56
            king ^= 56
        if king >> 3 > king & 7:
            diagonal = True
            king = _turned(king, 0, True)
    other = _turned(lowest(state.kings & black), mirror, diagonal)
    if not pawns and king >> 3 == king & 7 and other >> 3 > other & 7:
        diagonal = not diagonal
        other = _turned(other, 0, True)
    place: int = NUMBER[(4096 if pawns else 0) + king * 64 + other].item()
    for colour in range(2):
        side = white if colour == WHITE else black
        for kind in range(KING):
            standing = pieces(state, kind) & side
            if standing:
                least = 8 if kind == PAWN else 0
                place *= _room(slice, colour, kind)
                turned = standing ^ standing
                while standing:
                    turned |= bit(_turned(lowest(standing), mirror, diagonal))
                    standing = rest(standing)
                taken = 0
                while turned:
                    taken += 1
                    place += CHOOSE[(lowest(turned) - least) * 8 + taken].item()
                    turned = rest(turned)
    if _both_move(slice):
        place = place * 2 + (state.turn ^ swapped)
    rights = _rights(slice)
    if rights > 1:
        place *= rights
        if state.passant != NOWHERE:
            # The pawn that may be taken, counted from the square with the least number.
            victim = _turned(state.passant + (8 if state.turn == BLACK else -8), mirror, False)
            theirs = state.pawns & theirs_of(state)
            place += 1
            while theirs:
                place += 1 if _turned(lowest(theirs), mirror, False) < victim else 0
                theirs = rest(theirs)
    return place


def slice_state(slice: int, place: int) -> State | None:
    """The position with a number; None where there is none: two pieces on a square, or a king that can be taken."""
    rights = _rights(slice)
    right = place % rights
    place //= rights
    turn = WHITE
    if _both_move(slice):
        turn = place & 1
        place >>= 1
    empty = bit(0) ^ bit(0)
    pawns, knights, bishops, rooks, queens = empty, empty, empty, empty, empty
    white, black = empty, empty
    twice = False
    for colour in (BLACK, WHITE):
        for kind in range(KING - 1, -1, -1):
            count = count_of(slice, colour, kind)
            if count:
                least = 8 if kind == PAWN else 0
                room = _room(slice, colour, kind)
                number = place % room
                place //= room
                there = empty
                square = 47 if kind == PAWN else 63
                while count:
                    while CHOOSE[square * 8 + count].item() > number:
                        square -= 1
                    number -= CHOOSE[square * 8 + count].item()
                    there |= bit(square + least)
                    count -= 1
                if there & (white | black):
                    twice = True
                if colour == WHITE:
                    white |= there
                else:
                    black |= there
                if kind == PAWN:
                    pawns |= there
                elif kind == KNIGHT:
                    knights |= there
                elif kind == BISHOP:
                    bishops |= there
                elif kind == ROOK:
                    rooks |= there
                else:
                    queens |= there
    pair = KINGS[place + (462 if slice >> PAWNS & 15 else 0)].item()
    king, other = bit(pair >> 6), bit(pair & 63)
    if twice or (king | other) & (white | black):
        return None
    state = State(
        pawns,
        knights,
        bishops,
        rooks,
        queens,
        king | other,
        white | king,
        black | other,
        empty,
        turn,
        NOWHERE,
        0,
        1,
        empty,
    )
    mine, theirs = mine_of(state), theirs_of(state)
    if attackers(state, lowest(state.kings & theirs), 1 - turn, mine | theirs) & mine:
        return None
    if right:
        passant = _passant(state, right)
        if passant == NOWHERE:
            return None
        state = _with(state, passant, empty)
        if not passant_takers(state):
            return None
    return _with(state, state.passant, zobrist(state))


def _with(state: State, passant: int, key: Board) -> State:
    return State(
        state.pawns,
        state.knights,
        state.bishops,
        state.rooks,
        state.queens,
        state.kings,
        state.white,
        state.black,
        state.castling,
        state.turn,
        passant,
        state.halfmoves,
        state.number,
        key,
    )


def _passant(state: State, right: int) -> int:
    """The square behind the pawn with a number, if it may have come there by two steps; else NOWHERE."""
    theirs = state.pawns & theirs_of(state)
    while right > 1 and theirs:
        theirs = rest(theirs)
        right -= 1
    if not theirs:
        return NOWHERE
    victim = lowest(theirs)
    back = 8 if state.turn == BLACK else -8
    if victim >> 3 != (3 if state.turn == BLACK else 4):
        return NOWHERE
    behind = bit(victim - back) | bit(victim - 2 * back)
    return victim - back if not behind & (state.white | state.black) else NOWHERE


# --- names ------------------------------------------------------------------------------------------


def name_slice(slice: int) -> str:
    """A slice as people call it: "KQKR"."""
    sides = []
    for colour in (WHITE, BLACK):
        sides.append("K" + "".join(LETTERS[kind] * count_of(slice, colour, kind) for kind in (4, 3, 2, 1, 0)))
    return "".join(sides)


def parse_slice(text: str) -> int:
    """The slice that a text names: "KQKR"."""
    sides = text.strip().upper().removeprefix("K").split("K")
    if (
        len(sides) != 2
        or not text.strip().upper().startswith("K")
        or set(text.strip().upper()) - set("KQRBNP")
    ):
        raise InputError(f"{text!r} is no ending of chess: write the pieces of both sides, for example KQKR")
    men = 2 + sum(map(len, sides))
    if men > MOST_MEN:
        raise InputError(f"{text} has {men} men; endings are numbered up to {MOST_MEN}")
    codes = sorted(
        sum(side.count(letter) << kind * DIGIT for kind, letter in enumerate(LETTERS)) for side in sides
    )
    pawns = text.upper().count("P")
    return men << MEN | pawns << PAWNS | codes[1] << SIDE | codes[0]


def slices(most: int) -> Iterator[int]:
    """All endings with so many men and fewer that somebody can win, the lowest first."""
    found = set()
    for men in range(3, min(most, MOST_MEN) + 1):
        for kinds in _multisets(men - 2):
            for split in range(1 << len(kinds)):
                first = "".join(kind for n, kind in enumerate(kinds) if split >> n & 1)
                second = "".join(kind for n, kind in enumerate(kinds) if not split >> n & 1)
                found.add(parse_slice(f"K{first}K{second}"))
    for slice in sorted(found):
        if name_slice(slice) not in ("KBK", "KNK"):
            yield slice


def _multisets(count: int, letters: str = LETTERS) -> Iterator[str]:
    if count == 0:
        yield ""
        return
    for n, letter in enumerate(letters):
        for others in _multisets(count - 1, letters[n:]):
            yield letter + others
