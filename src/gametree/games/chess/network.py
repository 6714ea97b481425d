"""Judging a chess position by a small network: for each side 768 inputs for each zone of its king, a hidden layer, one
number.

    inputs    for each side every piece on every square, as that side sees the board: its own pieces first, its own
              first rank below; mirrored where its king stands on files e to h
    zone      where the king then stands: 0 to 3 a1 to d1, 4 to 7 a2 to d2, beyond them two files are one zone, and
              from the fifth rank on two ranks: 8 and 9, 10 and 11, 12 and 13, 14 and 15. Each has weights of its own
    hidden    for each side LANES sums of what its inputs weigh, cut off and squared
    output    what those of the mover and those of the other weigh, by how many pieces are on the board

All of it lies in one array of int16, in rows of LANES numbers (`gametree.kernel.vectors`):

    0 … 12287       what the inputs weigh: zone · 768 + (384 for the other's +) kind · 64 + square
    12288           where the sums begin
    12289 … 12296   what the hidden numbers of the mover weigh, for few pieces to many
    12297 … 12304   the same for those of the other
    12305           what is added in the end, in its first eight numbers
    12306           zeros, for a square where nothing stands

Weights of hidden numbers are 128ths, sums 255ths. The idea is that of efficiently updatable networks (Nasu 2018). A
position is one tuple that knows nothing of the one before, so the sums of some other position are kept for each zone of
a king, together with its pieces; what stands elsewhere now is all that is added or taken away.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from gametree.games.chess.board import WHITE, Board, State, bit, lowest, rest
from gametree.kernel.vectors import LANES, MOST, ThreadLocal, aligned, put_row, row, squares, thread_local

ZONES: Final = 16
BEGIN: Final = ZONES * 768
MINE: Final = BEGIN + 1
PARTS: Final = 8
THEIRS: Final = MINE + PARTS
ADDED: Final = THEIRS + PARTS
EMPTY: Final = ADDED + 1
ROWS: Final = EMPTY + 1
UNIT: Final = 128
"""What a weight of 1 is in the last layer."""
SCALE: Final = 2.0
"""Pawns for the logistic function of the output to go from 1/2 to 0.73."""
GRAIN: Final = 128.0
"""The judgement is a multiple of one such part of a pawn."""


@cache
def default_network() -> Any:
    """The network that comes with the library; `lab/` has how it was made."""
    return aligned(np.load(Path(__file__).with_name("network.npy"), allow_pickle=False))


def judge_by_network(state: State, network: Any, kept: Any, stood: Any) -> float:
    """What a position is worth to the player to move, in pawns; the last two are what it keeps (see `new_caches`)."""
    part = min(PARTS - 1, ((state.white | state.black).bit_count() - 2) * PARTS // 31)
    total = squares(sums(state, network, state.turn, kept, stood), row(network, MINE + part))
    total += squares(sums(state, network, 1 - state.turn, kept, stood), row(network, THEIRS + part))
    total += MOST * int(network[ADDED, part])
    return round(total * (SCALE * GRAIN / (MOST * MOST * UNIT))) / GRAIN


def new_caches() -> tuple[ThreadLocal, ThreadLocal]:
    """For each side, each zone and each half of the board that its king is on: sums, and the pieces they are of."""
    return thread_local((4 * ZONES, LANES), np.int16), thread_local(
        (4 * ZONES, len(Planes._fields)), np.uint64
    )


class Planes(NamedTuple):
    """Who stands where as a side sees it, in few sets of squares."""

    standing: Board
    mine: Board
    ones: Board
    """The numbers of kinds (see `board`) in binary: those with a one, a two, a four."""
    twos: Board
    fours: Board


def planes_of(state: State, colour: int) -> Planes:
    return Planes(
        state.white | state.black,
        state.white if colour == WHITE else state.black,
        state.knights | state.rooks | state.kings,
        state.bishops | state.rooks,
        state.queens | state.kings,
    )


def sums(state: State, network: Any, colour: int, kept: Any, stood: Any) -> Any:
    """What the inputs of a side add up to, one side after the other: the sums of both do not fit into registers.

    Most often only a few pieces stand elsewhere than those of which sums are kept.
    """
    now = planes_of(state, colour)
    king = lowest(state.kings & now.mine)
    flip = view(colour, king)
    at = zone(king ^ flip)
    first = 768 * at
    at = 4 * at + 2 * colour + (flip & 1)
    before = Planes(
        stood[at, 0].item(),
        stood[at, 1].item(),
        stood[at, 2].item(),
        stood[at, 3].item(),
        stood[at, 4].item(),
    )
    changed = now.standing ^ before.standing | now.mine ^ before.mine | now.ones ^ before.ones
    changed |= now.twos ^ before.twos | now.fours ^ before.fours
    total = row(kept, at)
    while changed:
        square = lowest(changed)
        total = total - row(network, row_of(before, square, first, flip))
        total = total + row(network, row_of(now, square, first, flip))
        changed = rest(changed)
    put_row(kept, at, total)
    stood[at, 0], stood[at, 1] = now.standing, now.mine
    stood[at, 2], stood[at, 3], stood[at, 4] = now.ones, now.twos, now.fours
    return total + row(network, BEGIN)


def row_of(planes: Planes, square: int, first: int, flip: int) -> int:
    """The row of what stands on a square, in the zone whose rows begin there."""
    kind = is_on(planes.ones, square) + 2 * is_on(planes.twos, square) + 4 * is_on(planes.fours, square)
    seen = first + 384 * (1 - is_on(planes.mine, square)) + 64 * kind + (square ^ flip)
    return seen if is_on(planes.standing, square) else EMPTY


def is_on(board: int, square: int) -> int:
    """1 where a square is in a set, else 0."""
    return 1 if board & bit(square) else 0


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
