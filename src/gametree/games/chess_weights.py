"""The weights of the chess evaluation, in hundredths of a pawn: for the middlegame, and for the endgame.

They were fitted by `benchmarks/fit_chess.py`, to what Stockfish 15.1 says of quiet positions at depth 7, and to how the
games ended.
"""

from typing import Final

PLACES: Final = (
    (  # pawns: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            0, 0, 0, 0,  -32, -14, -16, -32,  -22, -12, -13, -22,  -27, -14, -2, 3,
            -12, 7, 3, 10,  2, 11, 15, 25,  27, 29, 36, 50,  0, 0, 0, 0,
        ),
        (
            0, 0, 0, 0,  -12, -12, 3, -9,  -17, -19, -13, -7,  -11, -16, -18, -31,
            -1, -4, 4, -19,  6, 18, 14, -3,  43, 40, 30, 35,  0, 0, 0, 0,
        ),
    ),
    (  # knights: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -47, -19, -18, -10,  -18, -8, 1, 7,  -18, 6, 4, 25,  -1, 12, 23, 20,
            17, 5, 23, 18,  1, 27, 30, 45,  -9, 8, 18, 21,  -65, -43, -33, -22,
        ),
        (
            -35, -18, -3, -4,  -19, -9, -3, 8,  -10, 5, 13, 17,  2, 10, 14, 26,
            5, 16, 27, 21,  -6, 2, 17, 18,  -12, -5, 2, 6,  -39, -23, -11, -12,
        ),
    ),
    (  # bishops: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -13, -2, -19, -20,  5, 16, 4, 3,  2, 11, 7, -1,  6, 6, 0, 14,
            12, 2, 6, 15,  -2, 12, 3, 12,  -14, -8, 6, -1,  -25, -14, -14, -10,
        ),
        (
            -9, -9, -1, -1,  -13, -1, -8, -2,  -10, 7, 13, 13,  1, 2, 17, 6,
            -1, 6, 4, 14,  -6, 10, 4, 2,  -10, -6, 2, 2,  -16, -7, -3, -2,
        ),
    ),
    (  # rooks: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -17, -10, -1, 14,  -39, -11, -6, -4,  -28, -14, -11, 4,  -22, -13, 1, 5,
            -4, -1, 4, 14,  -5, 11, 9, 15,  10, 6, 19, 27,  8, 10, 15, 16,
        ),
        (
            -13, -4, -13, -14,  -5, -8, -5, -12,  -8, 1, -7, -5,  3, 4, -1, 2,
            3, 4, 8, 5,  7, 0, -2, -4,  13, 6, 10, 6,  11, 15, 7, -2,
        ),
    ),
    (  # queens: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -7, 0, -4, -5,  -1, 4, 3, 13,  -8, -5, 6, 0,  -8, 1, 6, -13,
            2, 2, -4, -5,  1, 7, 5, 7,  0, -1, 4, -5,  -3, 3, 3, 4,
        ),
        (
            -32, -21, -16, -19,  -23, -15, -15, -13,  -12, -8, 6, 7,  -5, 6, 18, 17,
            4, 12, 15, 20,  3, 12, 17, 22,  -2, 5, 10, 12,  -12, -4, 4, 8,
        ),
    ),
    (  # kings: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            75, 74, 39, 36,  65, 57, 29, 9,  17, 30, -11, -18,  3, 8, -21, -35,
            -8, -2, -33, -46,  -9, -2, -33, -44,  -10, -3, -32, -45,  -10, -3, -32, -45,
        ),
        (
            -45, -21, -18, -24,  -31, -11, -1, 2,  -19, -5, 3, 12,  -5, 8, 13, 18,
            5, 16, 20, 27,  -3, 18, 29, 31,  -11, 5, 12, 24,  -36, -16, -4, 4,
        ),
    ),
)  # fmt: skip
COUNTED: Final = {
    "pawns": (90, 106),
    "knights": (277, 246),
    "bishops": (341, 267),
    "rooks": (378, 465),
    "queens": (816, 892),
    "bishop_pair": (4.1, 76),
    "doubled": (-9.6, -17.4),
    "isolated": (-6.1, 0.8),
    "supported": (7.4, 3.2),
    "passed_2": (12.2, -36),
    "passed_3": (-9.3, -3.2),
    "passed_4": (-4.7, 14.7),
    "passed_5": (5.5, 33),
    "passed_6": (27, 63),
    "passed_7": (22, 124),
    "passed_free": (1, 8.3),
    "passed_own_king": (0.1, -12.4),
    "passed_their_king": (-4, 15.3),
    "knight_mobility": (2.2, 1.2),
    "bishop_mobility": (1.4, 0.9),
    "rook_mobility": (1.4, 1.9),
    "queen_mobility": (0.7, 2.6),
    "rook_open": (32, -8.3),
    "rook_half_open": (8.8, 21),
    "shield": (9.5, -16),
    "king_open": (-17.1, -5.9),
    "king_attack": (1.5, -1.6),
    "pawn_threats": (57, 38),
    "minor_threats": (47, 22),
    "tempo": (28, 10.9),
    "king_pressure": (1.4, 2),
    "rook_threats": (70, -4.8),
    "outposts": (25, 2.2),
    "passed_protected": (33, -13),
    "bad_bishop": (-6.1, -1.8),
    "weak": (-4.6, -12.6),
    "king_weak": (13.9, -6.6),
    "knight_checks": (58, -11.1),
    "bishop_checks": (15.3, 6.6),
    "rook_checks": (68, -5.9),
    "queen_checks": (22, 15.8),
    "hanging": (16.6, 34),
}
