"""Judging a chess position: numbers that describe it, and the weights that make them an evaluation.

The evaluation is linear, h = w0 + w1·f1 + … + wn·fn, in pawns. Every feature is the difference between the two sides
and counts twice: by as much of the middlegame, and by as much of the endgame, as is on the board ("tapered": Fruit,
Fabien Letouzey 2004). So feature f of this page has the weights `weights[1 + 2 f]` and `weights[2 + 2 f]`.

    0 …           one feature for every kind of piece on every square, seen from its own side: kind · 64 + square
    PLACES …      the fields of `Counts`

The default weights are multiples of 1/128 of a pawn: sums of them are exact, whatever the order.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

from gametree.games.chess_board import (
    BISHOP,
    KING,
    KING_STEPS,
    KNIGHT,
    ROOK,
    WHITE,
    State,
    Table,
    attacks,
    bit,
    lowest,
    pieces,
    rest,
    table,
)

PLACES: Final = 6 * 64
FULL: Final = 24
"""The phase of the initial position: 1 for a knight or bishop, 2 for a rook, 4 for a queen."""


class Counts(NamedTuple):
    """What one side has. Distances and ranks count as many times as they are long or high."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    bishop_pair: int
    doubled: int
    """Pawns behind another of their own on the file."""
    isolated: int
    """Pawns without one of their own on the files beside them."""
    supported: int
    """Pawns that another one protects or stands beside."""
    passed_2: int
    """Pawns on their second rank that no pawn can stop any more, and so on."""
    passed_3: int
    passed_4: int
    passed_5: int
    passed_6: int
    passed_7: int
    passed_free: int
    """The ranks of passed pawns with nothing in front of them."""
    passed_own_king: int
    """Steps of one's own king to the squares in front of passed pawns."""
    passed_their_king: int
    knight_mobility: int
    """For every knight ten times the square root of how many squares it can safely go to; and so on."""
    bishop_mobility: int
    rook_mobility: int
    queen_mobility: int
    rook_open: int
    """Rooks on files without pawns."""
    rook_half_open: int
    """Rooks on files with pawns of the other side only."""
    shield: int
    """Pawns up to two ranks before the king, on its file and beside it."""
    king_open: int
    """Files beside and under the king without pawns of its own."""
    king_attack: int
    """How hard pieces press on the squares around the other king: it grows with the square of their number."""
    pawn_threats: int
    """Pieces of the other side that pawns attack."""
    minor_threats: int
    """Rooks and queens of the other side that knights and bishops attack."""
    tempo: int


TERMS: Final = len(Counts._fields)
FEATURES: Final = PLACES + TERMS
MOBILITY: Final = tuple(round(10 * n**0.5) for n in range(28))
PRESSURE: Final = (0, 2, 2, 3, 5, 0)
"""What an attack on a square around the king counts, by kind."""


def _file(square: int) -> int:
    return 0x0101010101010101 << square % 8


def _beside(square: int) -> int:
    """The files next to that of a square."""
    return (_file(square - 1) if square % 8 > 0 else 0) | (_file(square + 1) if square % 8 < 7 else 0)


def _ahead(square: int, colour: int) -> int:
    """All ranks before that of a square, as its owner sees it."""
    rank = square // 8
    return (1 << 64) - (1 << 8 * rank + 8) if colour == WHITE else (1 << 8 * rank) - 1


def _table(board: Callable[[int, int], int]) -> Table:
    """A set for every square as White sees it, and at 64 + the square as Black sees it."""
    return table(board(square, colour) for colour in (0, 1) for square in range(64))


FILES = _table(lambda square, colour: _file(square))
BESIDE = _table(lambda square, colour: _beside(square))
FRONT = _table(lambda square, colour: _file(square) & _ahead(square, colour))
"""The squares before a pawn on its file."""
STOPPERS = _table(lambda square, colour: (_file(square) | _beside(square)) & _ahead(square, colour))
"""Where pawns of the other side keep a pawn from being passed."""
HOUSE = _table(
    lambda square, colour: (
        (_file(square) | _beside(square))
        & _ahead(square, colour)
        & ~_ahead(min(63, square + 16) if colour == WHITE else max(0, square - 16), colour)
    )
)
"""The squares up to two ranks before a king, on its file and beside it."""


def distance(one: int, other: int) -> int:
    """How many steps a king needs."""
    return max(abs((one & 7) - (other & 7)), abs((one >> 3) - (other >> 3)))


def phase(state: State) -> int:
    """How much of the middlegame is on the board: FULL at the beginning, 0 where only kings and pawns are left."""
    light = (state.knights | state.bishops).bit_count()
    return min(FULL, light + 2 * state.rooks.bit_count() + 4 * state.queens.bit_count())


def pawn_attacks(pawns: int, colour: int) -> int:
    """All squares that pawns of a colour attack."""
    left = pawns & ~FILES[0].item()
    right = pawns & ~FILES[7].item()
    if colour == WHITE:
        return left << 7 | right << 9
    return left >> 9 | right >> 7


def count(state: State, colour: int) -> Counts:
    """What a side has in a position."""
    own = state.white if colour == WHITE else state.black
    other = state.black if colour == WHITE else state.white
    occupied = own | other
    own_pawns = state.pawns & own
    other_pawns = state.pawns & other
    king = lowest(state.kings & own)
    other_king = lowest(state.kings & other)
    side = colour * 64
    flip = 0 if colour == WHITE else 7

    # Step 1. Pawns. Byte n of `passed` counts the passed ones on rank n + 1.
    doubled = isolated = passed = passed_free = passed_own_king = passed_their_king = 0
    protected = pawn_attacks(own_pawns, colour)
    beside = (own_pawns & ~FILES[0].item()) >> 1 | (own_pawns & ~FILES[7].item()) << 1
    left = own_pawns
    while left:
        square = lowest(left)
        left = rest(left)
        if not BESIDE[square].item() & own_pawns:
            isolated += 1
        if FRONT[side + square].item() & own_pawns:
            doubled += 1
        elif not STOPPERS[side + square].item() & other_pawns:
            rank = square >> 3 ^ flip
            stop = square + 8 if colour == WHITE else square - 8
            passed += 1 << 8 * rank
            passed_own_king += distance(king, stop)
            passed_their_king += distance(other_king, stop)
            if not occupied & bit(stop):
                passed_free += rank

    # Step 2. Pieces: where they can go, and what they press on.
    knights = bishops = rooks = queens = 0
    rook_open = rook_half_open = 0
    pressure = attackers = minor_threats = 0
    safe = ~own & ~pawn_attacks(other_pawns, 1 - colour)
    around = KING_STEPS[other_king].item()
    heavy = other & (state.rooks | state.queens)
    for kind in range(KNIGHT, KING):
        left = pieces(state, kind) & own
        while left:
            square = lowest(left)
            left = rest(left)
            reach = attacks(kind, square, occupied)
            mobility = MOBILITY[(reach & safe).bit_count()]
            if reach & around:
                attackers += 1
                pressure += PRESSURE[kind] * (reach & around).bit_count()
            if kind == KNIGHT:
                knights += mobility
                minor_threats += (reach & heavy).bit_count()
            elif kind == BISHOP:
                bishops += mobility
                minor_threats += (reach & heavy).bit_count()
            elif kind == ROOK:
                rooks += mobility
                if not FILES[square].item() & own_pawns:
                    if FILES[square].item() & other_pawns:
                        rook_half_open += 1
                    else:
                        rook_open += 1
            else:
                queens += mobility

    # Step 3. The king's house, and the sum of all.
    king_open = 0
    for file in range(max(0, (king & 7) - 1), min(7, (king & 7) + 1) + 1):
        if not FILES[file].item() & own_pawns:
            king_open += 1
    pressure = min(pressure, 60)
    bishop_count = (state.bishops & own).bit_count()
    return Counts(
        own_pawns.bit_count(),
        (state.knights & own).bit_count(),
        bishop_count,
        (state.rooks & own).bit_count(),
        (state.queens & own).bit_count(),
        1 if bishop_count >= 2 else 0,
        doubled,
        isolated,
        (own_pawns & (protected | beside)).bit_count(),
        passed >> 8 & 255,
        passed >> 16 & 255,
        passed >> 24 & 255,
        passed >> 32 & 255,
        passed >> 40 & 255,
        passed >> 48 & 255,
        passed_free,
        passed_own_king,
        passed_their_king,
        knights,
        bishops,
        rooks,
        queens,
        rook_open,
        rook_half_open,
        (HOUSE[side + king].item() & own_pawns).bit_count(),
        king_open,
        pressure * pressure // 8 if attackers > 1 else 0,
        (protected & other & ~state.pawns).bit_count(),
        minor_threats,
        1 if state.turn == colour else 0,
    )


# --- weights ----------------------------------------------------------------------------------------

# Hundredths of a pawn, for the middlegame and for the endgame. A piece on a square gets the number of its rank, as
# its owner sees it, and that of its file; the files e to h mirror d to a.
_RANKS: Final = (
    ((0, -4, -4, 4, 10, 24, 50, 0), (0, -4, -4, 2, 10, 26, 50, 0)),
    ((-36, -14, 0, 10, 18, 20, 6, -40), (-24, -12, 0, 8, 10, 4, -6, -24)),
    ((-10, 4, 6, 6, 6, 4, -4, -12), (-8, -4, 2, 4, 4, 2, -2, -8)),
    ((-2, -10, -8, -6, 0, 6, 14, 8), (-4, -4, -2, 2, 4, 6, 8, 6)),
    ((-4, 4, 4, 2, 0, 0, -4, 2), (-20, -12, 0, 8, 12, 12, 6, 0)),
    ((18, 2, -30, -50, -60, -60, -60, -60), (-36, -12, 4, 14, 20, 18, 6, -16)),
)
_FILES: Final = (
    ((-12, -6, -2, 10), (6, 2, 0, -2)),
    ((-24, -8, 4, 10), (-18, -6, 4, 8)),
    ((-6, 2, 2, 4), (-6, -2, 2, 4)),
    ((-8, -4, 4, 10), (0, 0, 0, 0)),
    ((-4, 0, 2, 2), (-10, -2, 6, 10)),
    ((18, 24, -6, -18), (-20, -6, 6, 12)),
)
_COUNTED: Final = {
    "pawns": (85, 105),
    "knights": (310, 275),
    "bishops": (325, 290),
    "rooks": (450, 500),
    "queens": (965, 930),
    "bishop_pair": (28, 48),
    "doubled": (-8, -18),
    "isolated": (-12, -12),
    "supported": (8, 6),
    "passed_2": (2, 6),
    "passed_3": (4, 12),
    "passed_4": (8, 24),
    "passed_5": (18, 45),
    "passed_6": (40, 80),
    "passed_7": (70, 120),
    "passed_free": (2, 6),
    "passed_own_king": (0, -5),
    "passed_their_king": (0, 9),
    "knight_mobility": (1.5, 1.25),
    "bishop_mobility": (1.5, 1.5),
    "rook_mobility": (1, 1.75),
    "queen_mobility": (0.5, 1.25),
    "rook_open": (22, 8),
    "rook_half_open": (10, 6),
    "shield": (9, 0),
    "king_open": (-14, 0),
    "king_attack": (0.9, 0.2),
    "pawn_threats": (35, 25),
    "minor_threats": (20, 16),
    "tempo": (16, 10),
}


def default_weights() -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """w0, and for every feature the weight in the middlegame and that in the endgame."""
    pairs: list[tuple[float, float]] = []
    for kind in range(6):
        for square in range(64):
            rank, file = square // 8, min(square % 8, 7 - square % 8)
            middle, end = (_RANKS[kind][part][rank] + _FILES[kind][part][file] for part in (0, 1))
            pairs.append((middle, end))
    pairs += [_COUNTED[name] for name in Counts._fields]
    hundredths = [0.0, *(weight for pair in pairs for weight in pair)]
    return np.array([round(weight * 1.28) / 128 for weight in hundredths])


# --- what they make together ------------------------------------------------------------------------


def judge(state: State, weights: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    """What the features and weights of a position come to for the player to move, without w0."""
    own = state.white if state.turn == WHITE else state.black
    flip = 0 if state.turn == WHITE else 56
    # Four sums, because each addition has to wait for the one before it.
    own_middle = own_end = other_middle = other_end = 0.0
    for kind in range(6):
        left = pieces(state, kind) & own
        while left:
            place = 1 + 2 * (kind * 64 + (lowest(left) ^ flip))
            own_middle += weights[place]
            own_end += weights[place + 1]
            left = rest(left)
        left = pieces(state, kind) & ~own
        while left:
            place = 1 + 2 * (kind * 64 + (lowest(left) ^ flip ^ 56))
            other_middle += weights[place]
            other_end += weights[place + 1]
            left = rest(left)
    middle = own_middle - other_middle
    end = own_end - other_end
    mine, theirs = count(state, state.turn), count(state, 1 - state.turn)
    for term in range(TERMS):
        difference = mine[term] - theirs[term]
        middle += difference * weights[1 + 2 * (PLACES + term)]
        end += difference * weights[2 + 2 * (PLACES + term)]
    part = phase(state)
    return (middle * part + end * (FULL - part)) / FULL


def features_of(state: State, player: int) -> Iterator[float]:
    """The features that `judge` weighs, in the order of the weights, as a player sees them."""
    own = state.white if player == WHITE else state.black
    flip = 0 if player == WHITE else 56
    middle = phase(state) / FULL
    end = 1.0 - middle
    for kind in range(6):
        standing = pieces(state, kind)
        for square in range(64):
            here = (standing & own & bit(square ^ flip)).bit_count()
            there = (standing & ~own & bit(square ^ flip ^ 56)).bit_count()
            yield (here - there) * middle
            yield (here - there) * end
    mine, theirs = count(state, player), count(state, 1 - player)
    for term in range(TERMS):
        yield (mine[term] - theirs[term]) * middle
        yield (mine[term] - theirs[term]) * end
