"""The weights of the chess evaluation, in hundredths of a pawn: for the middlegame, and for the endgame.

They were fitted by `lab/fit_weights.py`, to what Stockfish 15.1 says of quiet positions at depth 4.
"""

from typing import Final

PLACES: Final = (
    (  # pawns: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            0, 0, 0, 0,  -30, -9, -19, -35,  -22, -7, -18, -29,  -24, -16, -5, -3,
            -11, 4, 8, 13,  4, 15, 17, 26,  31, 28, 35, 48,  0, 0, 0, 0,
        ),
        (
            0, 0, 0, 0,  -8, -15, 0, -10,  -16, -21, -15, -10,  -10, -13, -20, -29,
            3, 0, 0, -18,  8, 20, 13, -5,  47, 39, 26, 34,  0, 0, 0, 0,
        ),
    ),
    (  # knights: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -45, -15, -17, -11,  -14, -3, 5, 8,  -16, 10, 6, 19,  5, 12, 22, 15,
            18, 7, 16, 17,  0, 30, 25, 47,  -12, 9, 15, 22,  -69, -43, -38, -23,
        ),
        (
            -34, -19, -2, -5,  -17, -9, -1, 2,  -6, 5, 14, 19,  5, 11, 13, 24,
            5, 15, 26, 23,  -6, 3, 15, 16,  -13, -5, 2, 6,  -40, -22, -11, -13,
        ),
    ),
    (  # bishops: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -10, -2, -19, -21,  8, 15, 9, 5,  -5, 12, 11, 1,  8, 4, -1, 15,
            9, 5, 6, 12,  0, 13, 7, 12,  -16, -9, 4, -2,  -29, -17, -16, -10,
        ),
        (
            -5, -9, -2, -1,  -13, -1, -6, -5,  -8, 6, 12, 12,  -1, 3, 17, 9,
            -1, 9, 5, 12,  -4, 11, 4, 0,  -10, -5, 1, 2,  -18, -8, -3, -1,
        ),
    ),
    (  # rooks: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -17, -12, 2, 12,  -37, -14, -13, -4,  -23, -13, -14, 0,  -20, -15, 3, 2,
            -5, -2, 5, 14,  -3, 12, 9, 18,  8, 7, 18, 28,  9, 9, 17, 18,
        ),
        (
            -16, -4, -10, -17,  -6, -8, -8, -12,  -5, 2, -8, -7,  4, 3, 0, 0,
            4, 3, 8, 5,  8, 2, -4, -2,  14, 7, 10, 5,  12, 14, 8, -1,
        ),
    ),
    (  # queens: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -6, 0, -5, -1,  0, 4, 9, 12,  -7, -3, 1, -3,  -6, -2, -1, -12,
            9, -1, -6, -6,  1, 5, 3, 8,  4, -4, 7, -5,  -3, 0, 3, 4,
        ),
        (
            -31, -21, -15, -19,  -24, -15, -17, -17,  -12, -8, 6, 5,  -4, 6, 19, 17,
            5, 13, 14, 21,  3, 11, 18, 23,  0, 4, 12, 12,  -13, -4, 3, 7,
        ),
    ),
    (  # kings: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            77, 77, 43, 44,  62, 53, 28, 10,  14, 30, -11, -22,  3, 8, -22, -36,
            -8, -4, -32, -46,  -9, -2, -33, -43,  -10, -3, -31, -45,  -10, -3, -32, -45,
        ),
        (
            -45, -25, -14, -31,  -33, -13, -1, 7,  -21, -3, 9, 13,  -5, 5, 10, 17,
            6, 15, 22, 27,  -2, 20, 31, 32,  -10, 6, 13, 25,  -36, -15, -4, 3,
        ),
    ),
)  # fmt: skip
COUNTED: Final = {
    "pawns": (92, 96),
    "knights": (302, 255),
    "bishops": (337, 272),
    "rooks": (389, 485),
    "queens": (837, 901),
    "bishop_pair": (25, 53),
    "doubled": (-8.3, -25),
    "isolated": (-2.2, 1.3),
    "supported": (6.7, 8.1),
    "passed_2": (7.5, -31),
    "passed_3": (-24, -12.9),
    "passed_4": (-5.8, 7.6),
    "passed_5": (3.5, 27),
    "passed_6": (19.1, 72),
    "passed_7": (11.3, 108),
    "passed_free": (1.3, 12.4),
    "passed_own_king": (1.3, -13.3),
    "passed_their_king": (-3.3, 14.5),
    "knight_mobility": (2.2, 2.7),
    "bishop_mobility": (1.7, 3.3),
    "rook_mobility": (1.2, 3.3),
    "queen_mobility": (1, 5.7),
    "rook_open": (42, -3.3),
    "rook_half_open": (20, 18.3),
    "shield": (9.6, -7.5),
    "king_open": (-16.9, -2.4),
    "king_attack": (0.5, -0.4),
    "pawn_threats": (70, 49),
    "minor_threats": (49, 37),
    "tempo": (28, 10.9),
    "king_pressure": (2.6, -0.3),
    "rook_threats": (80, 0.5),
    "outposts": (27, 14.3),
    "passed_protected": (25, -2.6),
    "bad_bishop": (-2.5, -5.8),
    "weak": (-3.9, -4.5),
    "king_weak": (10.1, -7.9),
    "knight_checks": (66, 1.8),
    "bishop_checks": (19.7, 26),
    "rook_checks": (75, 12.5),
    "queen_checks": (23, 50),
    "hanging": (19.2, 38),
}
