"""Judging a chess position: numbers that describe it, and the weights that make them an evaluation.

The evaluation is linear, h = w0 + w1·f1 + … + wn·fn, in pawns. Every feature is the difference between the two sides
and counts twice: by as much of the middlegame, and by as much of the endgame, as is on the board ("tapered": Fruit,
Fabien Letouzey 2004). So feature f of this page has the weights `weights[1 + 2 f]` and `weights[2 + 2 f]`.

    0 …           one feature for every kind of piece on every square, seen from its own side: kind · 64 + square
    PLACES …      the fields of `Counts`

The default weights are multiples of 1/128 of a pawn: sums of them are exact, whatever the order.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gametree.games.chess_board import WHITE, State, bit, lowest, pieces, rest
from gametree.games.chess_features import Counts, count

PLACES: Final = 6 * 64
TERMS: Final = len(Counts._fields)
FEATURES: Final = PLACES + TERMS
Weights = np.ndarray[tuple[int], np.dtype[np.float64]]
FULL: Final = 24
"""The phase of the initial position: 1 for a knight or bishop, 2 for a rook, 4 for a queen."""


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


def default_weights() -> Weights:
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


def phase(state: State) -> int:
    """How much of the middlegame is on the board: FULL at the beginning, 0 where only kings and pawns are left."""
    light = (state.knights | state.bishops).bit_count()
    return min(FULL, light + 2 * state.rooks.bit_count() + 4 * state.queens.bit_count())


def tapered(weights: Weights, feature: int, part: int) -> float:
    """What a feature weighs at a phase of the game, FULL times as much."""
    return float(weights[1 + 2 * feature] * part + weights[2 + 2 * feature] * (FULL - part))


def weigh(weights: Weights, part: int, at: int, a: int, b: int, c: int, d: int, e: int, f: int) -> float:
    """What six counts come to; the first of them is feature `at`."""
    return (
        a * tapered(weights, at, part)
        + b * tapered(weights, at + 1, part)
        + c * tapered(weights, at + 2, part)
        + d * tapered(weights, at + 3, part)
        + e * tapered(weights, at + 4, part)
        + f * tapered(weights, at + 5, part)
    )


def judge(state: State, weights: Weights) -> float:
    """What the features and weights of a position come to for the player to move, without w0.

    Counts are taken by name: by number, compiled code would have to choose among thirty at each turn of a loop. There
    are several sums, because each addition has to wait for the one before it.
    """
    part = phase(state)
    own = state.white if state.turn == WHITE else state.black
    flip = 0 if state.turn == WHITE else 56
    here = there = 0.0
    for kind in range(6):
        left = pieces(state, kind) & own
        while left:
            here += tapered(weights, kind * 64 + (lowest(left) ^ flip), part)
            left = rest(left)
        left = pieces(state, kind) & ~own
        while left:
            there += tapered(weights, kind * 64 + (lowest(left) ^ flip ^ 56), part)
            left = rest(left)
    mine, theirs = count(state, state.turn), count(state, 1 - state.turn)
    material = weigh(
        weights,
        part,
        PLACES,
        mine.pawns - theirs.pawns,
        mine.knights - theirs.knights,
        mine.bishops - theirs.bishops,
        mine.rooks - theirs.rooks,
        mine.queens - theirs.queens,
        mine.bishop_pair - theirs.bishop_pair,
    )
    structure = weigh(
        weights,
        part,
        PLACES + 6,
        mine.doubled - theirs.doubled,
        mine.isolated - theirs.isolated,
        mine.supported - theirs.supported,
        mine.passed_2 - theirs.passed_2,
        mine.passed_3 - theirs.passed_3,
        mine.passed_4 - theirs.passed_4,
    )
    passed = weigh(
        weights,
        part,
        PLACES + 12,
        mine.passed_5 - theirs.passed_5,
        mine.passed_6 - theirs.passed_6,
        mine.passed_7 - theirs.passed_7,
        mine.passed_free - theirs.passed_free,
        mine.passed_own_king - theirs.passed_own_king,
        mine.passed_their_king - theirs.passed_their_king,
    )
    activity = weigh(
        weights,
        part,
        PLACES + 18,
        mine.knight_mobility - theirs.knight_mobility,
        mine.bishop_mobility - theirs.bishop_mobility,
        mine.rook_mobility - theirs.rook_mobility,
        mine.queen_mobility - theirs.queen_mobility,
        mine.rook_open - theirs.rook_open,
        mine.rook_half_open - theirs.rook_half_open,
    )
    safety = weigh(
        weights,
        part,
        PLACES + 24,
        mine.shield - theirs.shield,
        mine.king_open - theirs.king_open,
        mine.king_attack - theirs.king_attack,
        mine.pawn_threats - theirs.pawn_threats,
        mine.minor_threats - theirs.minor_threats,
        mine.tempo - theirs.tempo,
    )
    return (here - there + material + structure + passed + activity + safety) / FULL


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
