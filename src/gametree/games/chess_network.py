"""Judging a chess position by a small network: for each side 768 inputs for each zone of its king, a hidden layer, one
number.

    inputs    for each side every piece on every square, as that side sees the board: its own pieces first, its own
              first rank below; mirrored where its king stands on files e to h
    zone      where the king then stands: 0 to 3 a1 to d1, 4 to 7 a2 to d2, beyond them two files are one zone, and
              from the fifth rank on two ranks: 8 and 9, 10 and 11, 12 and 13, 14 and 15. Each has weights of its own
    hidden    for each side LANES sums of what its inputs weigh, cut off and squared
    output    what those of the mover and those of the other weigh, by how many pieces are on the board

All of it lies in one array of int16, in rows of LANES numbers (`gametree.lanes`):

    0 … 12287       what the inputs weigh: zone · 768 + (384 for the other's +) kind · 64 + square
    12288           where the sums begin
    12289 … 12296   what the hidden numbers of the mover weigh, for few pieces to many
    12297 … 12304   the same for those of the other
    12305           what is added in the end, in its first eight numbers

Weights of hidden numbers are 128ths, sums 255ths. The idea is that of efficiently updatable networks (Nasu 2018); here
nothing is updated: a position is one tuple, and adding thirty rows takes no longer than counting features.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from gametree.games.chess_board import WHITE, State, lowest, pieces, rest
from gametree.lanes import MOST, row, squares

ZONES: Final = 16
BEGIN: Final = ZONES * 768
MINE: Final = BEGIN + 1
PARTS: Final = 8
THEIRS: Final = MINE + PARTS
ADDED: Final = THEIRS + PARTS
ROWS: Final = ADDED + 1
UNIT: Final = 128
"""What a weight of 1 is in the last layer."""
SCALE: Final = 2.0
"""Pawns for the logistic function of the output to go from 1/2 to 0.73."""
GRAIN: Final = 128.0
"""The judgement is a multiple of one such part of a pawn."""
LINE: Final = 64
"""Bytes that a processor takes from memory at once."""


@cache
def default_network() -> Any:
    """The network that comes with the library; `benchmarks/fit_network.py` makes such ones."""
    return aligned(np.load(Path(__file__).with_name("chess_network.npy"), allow_pickle=False))


def aligned(network: Any) -> Any:
    """A copy whose rows begin where lines of memory do: a load across two of them takes twice as long."""
    room = np.empty(network.nbytes + LINE, np.uint8)
    begin = -room.ctypes.data % LINE
    copy = room[begin : begin + network.nbytes].view(network.dtype).reshape(network.shape)
    copy[...] = network
    return copy


def judge_by_network(state: State, network: Any) -> float:
    """What a position is worth to the player to move, in pawns."""
    part = min(PARTS - 1, ((state.white | state.black).bit_count() - 2) * PARTS // 31)
    total = squares(sums(state, network, state.turn), row(network, MINE + part))
    total += squares(sums(state, network, 1 - state.turn), row(network, THEIRS + part))
    total += MOST * int(network[ADDED, part])
    return round(total * (SCALE * GRAIN / (MOST * MOST * UNIT))) / GRAIN


def sums(state: State, network: Any, colour: int) -> Any:
    """What the inputs of a side add up to, one side after the other: the sums of both do not fit into registers."""
    own = state.white if colour == WHITE else state.black
    king = lowest(state.kings & own)
    flip = view(colour, king)
    first = 768 * zone(king ^ flip)
    total = row(network, BEGIN)
    for kind in range(6):
        standing = pieces(state, kind)
        left = standing & own
        while left:
            total = total + row(network, first + (lowest(left) ^ flip))
            left = rest(left)
        left = standing & ~own
        while left:
            total = total + row(network, first + 384 + (lowest(left) ^ flip))
            left = rest(left)
        first += 64
    return total


def view(colour: int, king: int) -> int:
    """What turns squares as White sees them into squares as a side sees them."""
    upside_down = 0 if colour == WHITE else 56
    return upside_down ^ 7 if king & 7 >= 4 else upside_down


def zone(king: int) -> int:
    """The zone of a king on a square as its own side sees it, on files a to d."""
    rank, file = king >> 3, king & 7
    if rank < 2:
        return 4 * rank + file
    return 4 + 2 * (rank if rank < 4 else 4 + (rank - 4) // 2) + file // 2
