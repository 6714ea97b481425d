"""Judging a chess position: numbers that describe it, and the weights that make them an evaluation.

The evaluation is linear, h = w0 + w1·f1 + … + wn·fn, in pawns. Every feature is the difference between the two sides
and counts twice: by as much of the middlegame, and by as much of the endgame, as is on the board ("tapered": Fruit,
Fabien Letouzey 2004). So feature f of this page has the weights `weights[1 + 2 f]` and `weights[2 + 2 f]`.

    0 …           one feature for every kind of piece on every square, seen from its own side: kind · 64 + square
    PLACES …      the fields of `Counts`, then those of `Details`

The default weights are multiples of 1/128 of a pawn: sums of them are exact, whatever the order.
"""

from collections.abc import Iterator
from typing import Final

import numpy as np

from gametree.games.chess import weights
from gametree.games.chess.board import WHITE, State, bit, lowest, pieces, rest
from gametree.games.chess.features import Counts, Details, count, count_seen, survey

PLACES: Final = 6 * 64
NAMES: Final = (*Counts._fields, *Details._fields)
TERMS: Final = len(NAMES)
FEATURES: Final = PLACES + TERMS
Weights = np.ndarray[tuple[int], np.dtype[np.float64]]
FULL: Final = 24
"""The phase of the initial position: 1 for a knight or bishop, 2 for a rook, 4 for a queen."""


# --- weights ----------------------------------------------------------------------------------------


def default_weights() -> Weights:
    """w0, and for every feature the weight in the middlegame and that in the endgame."""
    pairs: list[tuple[float, float]] = []
    for kind in range(6):
        for square in range(64):
            place = square // 8 * 4 + min(square % 8, 7 - square % 8)
            pairs.append((weights.PLACES[kind][0][place], weights.PLACES[kind][1][place]))
    pairs += [weights.COUNTED[name] for name in NAMES]
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
    here_seen, there_seen = survey(state, state.turn), survey(state, 1 - state.turn)
    mine, mine_too = count_seen(state, state.turn, here_seen, there_seen)
    theirs, theirs_too = count_seen(state, 1 - state.turn, there_seen, here_seen)
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
    subtle = weigh(
        weights,
        part,
        PLACES + 30,
        mine_too.king_pressure - theirs_too.king_pressure,
        mine_too.rook_threats - theirs_too.rook_threats,
        mine_too.outposts - theirs_too.outposts,
        mine_too.passed_protected - theirs_too.passed_protected,
        mine_too.bad_bishop - theirs_too.bad_bishop,
        mine_too.weak - theirs_too.weak,
    )
    danger = weigh(
        weights,
        part,
        PLACES + 36,
        mine_too.king_weak - theirs_too.king_weak,
        mine_too.knight_checks - theirs_too.knight_checks,
        mine_too.bishop_checks - theirs_too.bishop_checks,
        mine_too.rook_checks - theirs_too.rook_checks,
        mine_too.queen_checks - theirs_too.queen_checks,
        mine_too.hanging - theirs_too.hanging,
    )
    return (here - there + material + structure + passed + activity + safety + subtle + danger) / FULL


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
    mine, mine_too = count(state, player)
    theirs, theirs_too = count(state, 1 - player)
    for here, there in zip(mine, theirs):
        yield (here - there) * middle
        yield (here - there) * end
    for here, there in zip(mine_too, theirs_too):
        yield (here - there) * middle
        yield (here - there) * end
