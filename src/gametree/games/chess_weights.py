"""The weights of the chess evaluation, in hundredths of a pawn: for the middlegame, and for the endgame.

They were fitted by `benchmarks/fit_chess.py`, to what Stockfish 15.1 says of quiet positions at depth 7, and to how the
games ended.
"""

from typing import Final

PLACES: Final = (
    (  # pawns: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            0, 0, 0, 0,  -29, -8, -15, -29,  -23, -10, -9, -24,  -21, -12, -6, -4,
            -13, 7, 4, 4,  3, 5, 15, 24,  28, 29, 36, 49,  0, 0, 0, 0,
        ),
        (
            0, 0, 0, 0,  -16, -6, -7, -19,  -14, -13, -15, -23,  -13, -11, -15, -31,
            0, -2, 3, -8,  7, 14, 19, 1,  48, 39, 28, 33,  0, 0, 0, 0,
        ),
    ),
    (  # knights: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -48, -19, -22, -12,  -22, -9, -6, 8,  -23, 3, 5, 24,  -5, 12, 25, 24,
            11, 12, 25, 26,  3, 28, 33, 43,  -8, 8, 17, 21,  -61, -41, -31, -22,
        ),
        (
            -34, -22, -11, -5,  -17, -10, -4, 5,  -7, 3, 9, 16,  -1, 9, 15, 26,
            5, 19, 24, 23,  -5, 6, 20, 18,  -12, -3, 6, 8,  -36, -22, -11, -11,
        ),
    ),
    (  # bishops: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -17, -2, -19, -10,  6, 15, 3, 3,  -4, 8, 12, -2,  6, 9, -1, 15,
            4, 7, 7, 15,  -3, 7, 5, 5,  -14, -4, 4, -1,  -23, -13, -11, -9,
        ),
        (
            -11, -9, -1, 1,  -7, -1, -2, -1,  -13, 7, 17, 8,  -2, 4, 11, 6,
            -5, 8, 4, 15,  -7, 5, 3, 2,  -12, -4, 3, 5,  -13, -7, -2, 0,
        ),
    ),
    (  # rooks: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -19, -17, 1, 5,  -34, -9, -4, 0,  -24, -13, -10, 5,  -15, -13, -1, 4,
            -6, 1, 5, 12,  -3, 9, 10, 16,  8, 3, 17, 24,  6, 7, 15, 17,
        ),
        (
            -16, -6, -14, -9,  0, -7, -2, -8,  -6, -5, -6, -5,  1, 1, -1, -1,
            4, 8, 9, 2,  6, 5, 0, -4,  12, 2, 7, 5,  12, 12, 6, 0,
        ),
    ),
    (  # queens: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            -6, -5, -4, -6,  -6, 5, 7, 14,  -2, -2, 10, 3,  -6, -7, 1, -2,
            2, 0, -1, 2,  -6, 5, 9, 3,  -5, -2, 2, -4,  -7, 2, 4, 5,
        ),
        (
            -31, -23, -16, -15,  -24, -15, -12, -12,  -12, -7, 6, 6,  -5, 4, 13, 19,
            3, 11, 15, 23,  1, 11, 19, 21,  -5, 4, 12, 13,  -14, -4, 6, 9,
        ),
    ),
    (  # kings: rank by rank as their owner sees them, files a to d; e to h mirror them
        (
            70, 79, 43, 37,  65, 57, 17, 9,  22, 31, -8, -15,  3, 7, -21, -34,
            -9, -3, -34, -45,  -10, -2, -33, -45,  -10, -3, -33, -45,  -10, -3, -32, -45,
        ),
        (
            -43, -24, -18, -22,  -27, -16, -2, 0,  -13, -3, 10, 16,  -2, 7, 19, 25,
            0, 15, 20, 31,  -5, 16, 27, 28,  -13, 2, 13, 22,  -35, -19, -8, 0,
        ),
    ),
)  # fmt: skip
COUNTED: Final = {
    "pawns": (86, 97),
    "knights": (293, 253),
    "bishops": (352, 271),
    "rooks": (394, 472),
    "queens": (820, 891),
    "bishop_pair": (13.9, 52),
    "doubled": (-6.6, -31),
    "isolated": (-0.7, 7.7),
    "supported": (7.8, 10.1),
    "passed_2": (26, -32),
    "passed_3": (4.5, -28),
    "passed_4": (-4, 8.2),
    "passed_5": (14.2, 26),
    "passed_6": (34, 58),
    "passed_7": (18.6, 125),
    "passed_free": (-1, 10.2),
    "passed_own_king": (-3, -12.3),
    "passed_their_king": (-3.8, 17.2),
    "knight_mobility": (2.2, 0.6),
    "bishop_mobility": (1.7, 1.1),
    "rook_mobility": (1.3, 1.8),
    "queen_mobility": (1.2, 2.3),
    "rook_open": (34, -14.3),
    "rook_half_open": (14.4, 15.2),
    "shield": (5.4, 1.9),
    "king_open": (-23, -2.7),
    "king_attack": (1.7, 0.1),
    "pawn_threats": (71, 29),
    "minor_threats": (47, 35),
    "tempo": (25, 5.7),
    "king_pressure": (1.9, -1.1),
    "rook_threats": (85, -0.6),
    "outposts": (10.6, 18.4),
    "passed_protected": (34, -10.6),
    "bad_bishop": (-6.7, -4.3),
    "weak": (-4.8, -18.2),
}
