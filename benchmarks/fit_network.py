"""Fits the network that judges chess positions to a greater one, that of Stockfish 15.1.

    python benchmarks/fit_chess.py positions --seconds 600 --seed 1 --file positions.txt
    python benchmarks/fit_network.py --positions positions.txt --count 20000000 --epochs 6 --seed 1 --file network.npy

From positions of games others are made, by random moves and with fewer pieces, and judged by Stockfish's network
without any search (`network_positions.py`, `teacher_network.py`); the engine is asked for its network once, and for
nothing else. Ours (see `chess_network.py`) is fitted so that the mean square of differences between winning chances
becomes small; the positions' own scores are not looked at. A tenth of the given positions is held out with what is
made of them, 200,000 at the most; the error on these is printed after each epoch.

    inputs    12288 × LANES   ─┐  floating-point numbers here, in the end
    begin     LANES            ├─ rounded to 255ths, 128ths and 32640ths
    output    8 × 2 × LANES    │  and written as one array of int16
    added     8               ─┘

The same seed gives the same network on the same machine with as many threads. Put in place of
`src/gametree/games/chess_network.npy`, it is what gametree judges by. Without the engine nothing can be fitted; the
network that comes with gametree needs none.
"""

import argparse
import math
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gametree as gt
from gametree.games.chess_network import ADDED, BEGIN, MINE, PARTS, ROWS, THEIRS, UNIT, ZONES
from gametree.lanes import LANES, MOST
from network_positions import HALFWAY, WHOLE, Positions, make_positions, read_boards
from perft import NotHereError, stockfish
from refusal import refuse
from teacher_network import Array, compiled, export_teacher, read_teacher

BATCH, SMALL = 16_384, 64
"""Positions to a step; fewer where these would be hardly a hundred steps, down to the second."""
RATE, LEAST, WARMING = 1e-3, 0.01, 50
"""How fast weights change at first, to which part of it that falls, and in how many steps it is reached."""
HELD, FEWEST = 200_000, 10
ZERO, ONE, TWO = np.float32(0), np.float32(1), np.float32(2)
"""Numba would take the numbers of Python for wider ones, and halve the lanes of a register."""


class Network(NamedTuple):
    """The weights in floating point; also the slopes of the error by them."""

    inputs: Array
    begin: Array
    output: Array
    """By how many pieces there are, for the mover and the other."""
    added: Array


GREATEST = Network(1.98, 1.98, 256 / UNIT, 0.5)  # type: ignore[arg-type]
"""Weights stay within: so no sum leaves sixteen bits, nor what is added, and `lanes.squares` is content."""


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


# --- the error and its slopes -----------------------------------------------------------------------


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
def slopes_of_side(sums: Array, weights: Array, slope: float, of_weights: Array) -> None:
    """Adds the slopes by the weights, and replaces the sums by the slopes by them."""
    for i in range(sums.size):
        cut = min(max(sums[i], ZERO), ONE)
        of_weights[i] += slope * cut * cut
        # Above the cut nothing changes any more; below it the cut is 0 and so is the slope.
        sums[i] = slope * TWO * cut * weights[i] if cut < ONE else ZERO


@compiled
def add_slopes(network: Network, positions: Positions, at: Array, slopes: Network) -> float:
    """Adds the slopes of the squared differences in these positions, and returns the sum of these squares."""
    width = network.begin.size
    mine, theirs = np.empty_like(network.begin), np.empty_like(network.begin)
    squared = 0.0
    for p in at:
        chance = ONE / (ONE + np.exp(-outcome(network, positions, p, mine, theirs)))
        difference = chance - positions.target[p]
        squared += difference * difference
        slope = TWO * difference * chance * (ONE - chance)
        part = part_of(int(positions.pieces[p]))
        slopes.added[part] += slope
        slopes_of_side(mine, network.output[part, 0], slope, slopes.output[part, 0])
        slopes_of_side(theirs, network.output[part, 1], slope, slopes.output[part, 1])
        for i in range(width):
            slopes.begin[i] += mine[i] + theirs[i]
        turned, zone = int(positions.turned[p]), int(positions.zone[p])
        for k in range(positions.pieces[p]):
            row = int(positions.rows[p, k])
            other = other_row(row, turned, zone)
            for i in range(width):
                slopes.inputs[row, i] += mine[i]
            for i in range(width):
                slopes.inputs[other, i] += theirs[i]
    return squared


@compiled
def outcomes(network: Network, positions: Positions) -> Array:
    """The network's judgements, in units of `SCALE` pawns."""
    mine, theirs = np.empty_like(network.begin), np.empty_like(network.begin)
    found = np.empty(positions.target.size, np.float64)
    for p in range(found.size):
        found[p] = outcome(network, positions, p, mine, theirs)
    return found


def error(network: Network, positions: Positions) -> float:
    """The mean square of differences between winning chances."""
    chances = 1 / (1 + np.exp(-outcomes(network, positions)))
    return float(np.mean((chances - positions.target) ** 2))


# --- training ---------------------------------------------------------------------------------------


class Adam:
    """Moves weights against slopes (Kingma & Ba 2015), and holds them within `GREATEST`."""

    def __init__(self, network: Network):
        self.network = network
        self.mean = [np.zeros_like(weights) for weights in network]
        self.square = [np.zeros_like(weights) for weights in network]
        self.steps = 0

    def step(self, slopes: Network, rate: float) -> None:
        self.steps += 1
        faded = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for weights, slope, mean, square, most in zip(self.network, slopes, self.mean, self.square, GREATEST):
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope * slope - square)
            spread = np.sqrt(square / np.float32(faded[1])) + np.float32(1e-8)
            weights -= np.float32(rate / faded[0]) * mean / spread
            np.clip(weights, -most, most, out=weights)


class Slopes:
    """Slopes over a batch, a share of it on each thread."""

    def __init__(self, network: Network, positions: Positions, threads: int):
        self.network, self.positions = network, positions
        self.shares = [Network(*(np.zeros_like(array) for array in network)) for _ in range(threads)]
        self.pool = ThreadPoolExecutor(threads)

    def of(self, at: Array) -> tuple[Network, float]:
        """The mean slopes, and the sum of squared differences."""

        def work(share: Network, part: Array) -> float:
            for array in share:
                array[...] = 0
            return add_slopes(self.network, self.positions, part, share)

        # In the order of the shares, so that rounding does not depend on which thread is done first.
        squared = sum(self.pool.map(work, self.shares, np.array_split(at, len(self.shares))))
        return Network(*(sum(arrays) / np.float32(len(at)) for arrays in zip(*self.shares))), squared


def train(
    network: Network,
    positions: Positions,
    held: Positions,
    epochs: int,
    rng: Any,
    threads: int = 1,
    rate: float = RATE,
) -> Iterator[tuple[float, float]]:
    """Changes the network; yields the error of each epoch, on what it is fitted to and then on what is held out."""
    order = np.arange(len(positions.target))
    adam, slopes = Adam(network), Slopes(network, positions, threads)
    batch = min(BATCH, max(SMALL, len(order) // 100))
    last = epochs * math.ceil(len(order) / batch)
    for _ in range(epochs):
        rng.shuffle(order)
        total = 0.0
        for start in range(0, len(order), batch):
            mean, squared = slopes.of(order[start : start + batch])
            total += squared
            done = adam.steps + 1
            falling = LEAST + (1 - LEAST) * (1 + math.cos(math.pi * done / last)) / 2
            adam.step(mean, rate * falling * min(1.0, done / WARMING))
        yield total / len(order), error(network, held)


def rounded(network: Network) -> Array:
    """The array of `chess_network.py`."""
    table = np.zeros((ROWS, LANES), np.int16)
    table[:BEGIN] = np.round(network.inputs * MOST)
    table[BEGIN] = np.round(network.begin * MOST)
    table[MINE:THEIRS] = np.round(network.output[:, 0] * UNIT)
    table[THEIRS:ADDED] = np.round(network.output[:, 1] * UNIT)
    table[ADDED, :PARTS] = np.round(network.added * (MOST * UNIT))
    return table


def made_positions(options: argparse.Namespace, rng: Any) -> tuple[Positions, Positions]:
    """What to fit to, and what is held out.

    The given positions are divided, not what is made of them: of one and the same many are made, some of them twice.
    """
    boards, turns = read_boards(options.positions)
    if len(boards) < 2:
        raise ValueError(f"{options.positions} has one position; some have to be held out")
    if options.teacher:
        teacher = read_teacher(options.teacher)
    else:
        teacher = export_teacher(options.engine or stockfish())
    held, rest = np.split(rng.permutation(len(boards)), [max(1, len(boards) // 10)])
    fewer = min(HELD, options.count // 10)
    found = []
    for places, count in ((rest, options.count - fewer), (held, fewer)):
        found.append(make_positions(boards[places], turns[places], count, teacher, rng))
        if not len(found[-1].target):
            raise ValueError(f"of {count} positions made of {len(places)} all are in check or decided")
    print(f"{' and '.join(str(len(made.target)) for made in found)} positions", flush=True)
    return found[0], found[1]


def fit(options: argparse.Namespace) -> Array:
    if min(options.epochs, options.threads) < 1:
        raise ValueError("--epochs and --threads are at least 1")
    if options.count < FEWEST:
        raise ValueError(f"--count is at least {FEWEST}: a tenth of the positions is held out")
    if not options.file.parent.is_dir():  # found out now, and not when everything is done
        raise ValueError(f"there is no folder {options.file.parent} to write to")
    rng = np.random.default_rng(options.seed)
    positions, held = made_positions(options, rng)
    network = new_network(rng)
    errors = train(network, positions, held, options.epochs, rng, options.threads)
    for epoch, (seen, unseen) in enumerate(errors):
        print(f"epoch {epoch + 1}: error {seen:.6f}, held out {unseen:.6f}", flush=True)
    return rounded(network)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=Path, required=True, help="what `fit_chess.py positions` wrote")
    parser.add_argument("--count", type=int, default=20_000_000, help="positions to make (70 bytes each)")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--engine", help="Stockfish 15.1; the one on this machine where nothing is said")
    parser.add_argument("--teacher", type=Path, help="a file that `export_net` wrote, in place of the engine")
    parser.add_argument("--file", type=Path, required=True, help="where to write the network")
    options = parser.parse_args()
    try:
        table = fit(options)
        with options.file.open("wb") as file:
            np.save(file, table, allow_pickle=False)
    except (OSError, ValueError, NotHereError, gt.InputError, subprocess.SubprocessError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
