"""The network of `gametree/games/chess/network.py` in floating point, as it is fitted: its judgement, its array.

    inputs    12288 × LANES   ─┐  floating-point numbers here, in the end
    begin     LANES            ├─ rounded to 255ths, 128ths and 32640ths
    output    8 × 2 × LANES    │  and written as one array of int16
    added     8               ─┘

`network_positions.py` plays by it, `fit_network.py` changes it.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gametree.games.chess.network import ADDED, BEGIN, MINE, PARTS, ROWS, THEIRS, UNIT, ZONES
from gametree.kernel.vectors import LANES, MOST
from network_boards import HALFWAY, WHOLE, Positions
from teacher_network import Array, compiled

ZERO, ONE = np.float32(0), np.float32(1)
"""Numba would take the numbers of Python for wider ones, and halve the lanes of a register."""


class Network(NamedTuple):
    """The weights; also the slopes of the error by them."""

    inputs: Array
    begin: Array
    output: Array
    """By how many pieces there are, for the mover and the other."""
    added: Array


GREATEST = Network(1.98, 1.98, 256 / UNIT, 0.5)  # type: ignore[arg-type]
"""Weights stay within: so no sum leaves sixteen bits, nor what is added, and `lanes.squares` is content."""


QUIETLY = np.float32(0.2)
"""What new sums weigh beside those that are there."""


def new_network(rng: Any, width: int = LANES) -> Network:
    """Small random weights, the same for every zone; the other's hidden numbers weigh the opposite of the mover's."""
    inputs = np.tile(0.06 * rng.standard_normal((WHOLE, width)), (ZONES, 1))
    output = 0.1 * rng.standard_normal(width)
    arrays = (
        inputs,
        np.full(width, 0.2),
        np.broadcast_to([output, -output], (PARTS, 2, width)),
        np.zeros(PARTS),
    )
    return Network(*(array.astype(np.float32) for array in arrays))


# --- what it says -----------------------------------------------------------------------------------


@compiled
def other_row(row: int, turned: int, zone: int) -> int:
    """The row of the same piece as the other player sees it."""
    seen = row % WHOLE
    return zone * WHOLE + ((seen + HALFWAY if seen < HALFWAY else seen - HALFWAY) ^ turned)


@compiled
def add_rows(network: Network, positions: Positions, p: int, mine: Array, theirs: Array) -> None:
    width = mine.size
    turned, zone = int(positions.turned[p]), int(positions.zone[p])
    for i in range(width):
        mine[i] = theirs[i] = network.begin[i]
    for k in range(positions.pieces[p]):
        row = int(positions.rows[p, k])
        other = other_row(row, turned, zone)
        for i in range(width):
            mine[i] += network.inputs[row, i]
        for i in range(width):
            theirs[i] += network.inputs[other, i]


@compiled
def part_of(count: int) -> int:
    return min(PARTS - 1, (count - 2) * PARTS // 31)


@compiled
def weigh(sums: Array, weights: Array) -> Any:
    total = ZERO
    for i in range(sums.size):
        cut = min(max(sums[i], ZERO), ONE)
        total += cut * cut * weights[i]
    return total


@compiled
def outcome(network: Network, positions: Positions, p: int, mine: Array, theirs: Array) -> Any:
    """What the logistic function is taken of; both rows of sums are left behind."""
    add_rows(network, positions, p, mine, theirs)
    part = part_of(int(positions.pieces[p]))
    of_mine, of_theirs = weigh(mine, network.output[part, 0]), weigh(theirs, network.output[part, 1])
    return network.added[part] + of_mine + of_theirs


@compiled
def outcomes(network: Network, positions: Positions) -> Array:
    """The network's judgements, in units of `SCALE` pawns."""
    mine, theirs = np.empty_like(network.begin), np.empty_like(network.begin)
    found = np.empty(positions.target.size, np.float64)
    for p in range(found.size):
        found[p] = outcome(network, positions, p, mine, theirs)
    return found


# --- the array --------------------------------------------------------------------------------------


def rounded(network: Network) -> Array:
    """The array of `gametree/games/chess/network.py`."""
    table = np.zeros((ROWS, LANES), np.int16)
    table[:BEGIN] = np.round(network.inputs * MOST)
    table[BEGIN] = np.round(network.begin * MOST)
    table[MINE:THEIRS] = np.round(network.output[:, 0] * UNIT)
    table[THEIRS:ADDED] = np.round(network.output[:, 1] * UNIT)
    table[ADDED, :PARTS] = np.round(network.added * (MOST * UNIT))
    return table


def restored(table: Array) -> Network:
    """The network of such an array."""
    weights = table.astype(np.float32)
    output = np.stack([weights[MINE:THEIRS], weights[THEIRS:ADDED]], axis=1)
    return Network(
        weights[:BEGIN] / MOST,
        weights[BEGIN] / MOST,
        output / UNIT,
        weights[ADDED, :PARTS] / (MOST * UNIT),
    )


def read_network(file: Path, rng: Any) -> Network:
    """The network in a file, with new sums beside those that are there where it has fewer than `LANES`.

    ValueError where there is another thing in it.
    """
    table = np.load(file, allow_pickle=False)
    if (
        not isinstance(table, np.ndarray)
        or table.dtype != np.int16
        or table.ndim != 2
        or len(table) != ROWS
        or not PARTS <= table.shape[1] <= LANES
    ):
        raise ValueError(f"{file} is no network of {ROWS} rows of {LANES} or fewer")
    network = restored(table)
    more = new_network(rng, LANES - table.shape[1])
    return Network(
        np.hstack([network.inputs, more.inputs]),
        np.hstack([network.begin, more.begin]),
        np.concatenate([network.output, QUIETLY * more.output], axis=2),
        network.added,
    )
