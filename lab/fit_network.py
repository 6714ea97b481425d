"""Fits the network that judges chess positions to positions that a teacher has judged.

    python lab/fit_network.py --positions positions.npz --epochs 6 --seed 1 --file network.npy
    python lab/fit_network.py --positions positions.npz --from network.npy --epochs 2 --seed 2 --file better.npy

Positions are those of `network_positions.py`. The network (see `gametree/games/chess/network.py`) is fitted so that the
mean square of differences between winning chances becomes small. The error on the positions that were held out is
printed after each epoch. It flatters: positions of one game are on both sides. `--from`: a network to begin with, in
place of random weights.

The same seed gives the same network on the same machine with as many threads. Put in place of
`src/gametree/games/chess/network.npy`, it is what gametree judges by.
"""

import argparse
import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import gametree as gt
from engines import refuse
from gametree.games.chess.network import ZONES
from network_boards import WHOLE, Positions
from network_positions import read_positions
from student_network import (
    GREATEST,
    ONE,
    ZERO,
    Network,
    new_network,
    other_row,
    outcome,
    outcomes,
    part_of,
    read_network,
    rounded,
)
from teacher_network import Array, compiled

BATCH, SMALL = 16_384, 64
"""Positions to a step; fewer where these would be hardly a hundred steps, down to the second."""
RATE, LEAST, WARMING = 1e-3, 0.01, 50
"""How fast weights change at first, to which part of it that falls, and in how many steps it is reached."""
OWN = 0.5
"""How fast the weights of a zone change apart from those of the others."""
TWO = np.float32(2)


# --- the error and its slopes -----------------------------------------------------------------------


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


def error(network: Network, positions: Positions) -> float:
    """The mean square of differences between winning chances."""
    chances = 1 / (1 + np.exp(-outcomes(network, positions)))
    return float(np.mean((chances - positions.target) ** 2))


# --- training ---------------------------------------------------------------------------------------


class Pace:
    """How far to go against slopes, by what they were before (Adam: Kingma & Ba 2015)."""

    def __init__(self, weights: Array):
        self.mean, self.square = np.zeros_like(weights), np.zeros_like(weights)
        self.steps = 0

    def after(self, slope: Array, rate: float) -> Array:
        self.steps += 1
        self.mean += np.float32(0.1) * (slope - self.mean)
        self.square += np.float32(0.001) * (slope * slope - self.square)
        spread = np.sqrt(self.square / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8)
        found: Array = np.float32(rate / (1 - 0.9**self.steps)) * self.mean / spread
        return found


class Adam:
    """Moves weights against slopes, and holds them within `GREATEST`.

    What a piece on a square weighs goes most of the way together in all zones of the king: few positions have a say in
    a zone where kings hardly are, and it has to learn from the others.
    """

    def __init__(self, network: Network):
        self.network = network
        self.paces = [Pace(weights) for weights in network]
        self.together = Pace(self._by_zone(network.inputs)[0])
        self.steps = 0

    def step(self, slopes: Network, rate: float) -> None:
        self.steps += 1
        inputs = self._by_zone(self.network.inputs)
        inputs -= self.together.after(self._by_zone(slopes.inputs).sum(axis=0), rate)
        rates = (OWN * rate, rate, rate, rate)
        for weights, slope, pace, own, most in zip(self.network, slopes, self.paces, rates, GREATEST):
            weights -= pace.after(slope, own)
            np.clip(weights, -most, most, out=weights)

    @staticmethod
    def _by_zone(inputs: Array) -> Array:
        return inputs.reshape(ZONES, WHOLE, -1)


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
    zones = positions.rows[:, 0] // WHOLE * ZONES + positions.zone
    adam, slopes = Adam(network), Slopes(network, positions, threads)
    batch = min(BATCH, max(SMALL, len(order) // 100))
    last = epochs * math.ceil(len(order) / batch)
    for _ in range(epochs):
        rng.shuffle(order)
        total = 0.0
        for start in range(0, len(order), batch):
            at = order[start : start + batch]
            # Zone by zone: what weights are needed next are then most often those that were needed last.
            mean, squared = slopes.of(at[np.argsort(zones[at], kind="stable")])
            total += squared
            done = adam.steps + 1
            falling = LEAST + (1 - LEAST) * (1 + math.cos(math.pi * done / last)) / 2
            adam.step(mean, rate * falling * min(1.0, done / WARMING))
        yield total / len(order), error(network, held)


def fit(
    positions: Positions,
    held: Positions,
    begin: Path | None,
    epochs: int,
    seed: int,
    threads: int,
    rate: float,
) -> Array:
    """The array of a network, fitted; tells how it goes."""
    rng = np.random.default_rng(seed)
    network = read_network(begin, rng) if begin else new_network(rng)
    print(f"held out {error(network, held):.6f} to begin with", flush=True)
    for epoch, (seen, unseen) in enumerate(train(network, positions, held, epochs, rng, threads, rate)):
        print(f"epoch {epoch + 1}: error {seen:.6f}, held out {unseen:.6f}", flush=True)
    return rounded(network)


def write_network(table: Array, file: Path) -> None:
    with file.open("wb") as out:
        np.save(out, table, allow_pickle=False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=Path, required=True, help="what network_positions.py wrote")
    parser.add_argument("--from", dest="begin", metavar="FILE", type=Path, help="a network to begin with")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=RATE, help="how fast weights change at first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--file", type=Path, required=True, help="where to write the network")
    given = parser.parse_args()
    try:
        if min(given.epochs, given.threads) < 1:
            raise ValueError("--epochs and --threads are at least 1")
        if not given.file.parent.is_dir():  # found out now, and not when everything is done
            raise ValueError(f"there is no folder {given.file.parent} to write to")
        positions, held = read_positions(given.positions)
        table = fit(positions, held, given.begin, given.epochs, given.seed, given.threads, given.rate)
        write_network(table, given.file)
    except (OSError, ValueError, gt.InputError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
