"""What does playing a match cost beside the thinking, and does its memory stay?

    python benchmarks/matches.py --games 100000

Players who think of nothing play a game of two moves, with a file of results: all the time is the harness's, here in
milliseconds of the processor a ply. Then players who sleep for each move play in one process and in two. fastchess,
cutechess-cli and others are no packages of Debian or PyPI; where `fastchess` is on the path, compare by hand.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import gametree as gt
from gametree.jobs.pool import Pool
from smallest import parse

SMALLEST = "--games 200 --pairs 2 --sleep 0.01"


class Higher(gt.Game):
    """One number each; the higher one wins."""

    payoffs = (-1, 1)

    def initial(self) -> Any:
        return (0, -1, -1)

    def player(self, state: Any) -> int:
        return int(state[0])

    def actions(self, state: Any) -> Iterable[int]:
        return range(20)

    def result(self, state: Any, action: int) -> Any:
        return (1, action, -1) if state[0] == 0 else (2, state[1], action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 2)

    def utility(self, state: Any, player: int) -> int:
        lead = int(state[1] > state[2]) - int(state[1] < state[2])
        return lead if player == 0 else -lead


class Draws:
    """Draws a number, after a while."""

    def __init__(self, low: int, sleep: float = 0.0):
        self.low = low
        self.sleep = sleep
        self.random = random.Random(0)

    def begin(self, seed: int) -> None:
        self.random.seed(seed)

    def move(self, state: Any) -> int:
        time.sleep(self.sleep)
        return self.random.randrange(self.low, 20)

    def __repr__(self) -> str:
        return f"Draws({self.low}, {self.sleep})"


def resident() -> float:
    """Megabytes in memory; 0 where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / (1 << 20)
    except OSError:
        return 0.0


def harness(games: int) -> None:
    seen: list[tuple[int, float]] = []

    def told(found: gt.Match) -> None:
        if found.games_played % max(2, games // 4 // 2 * 2) == 0:
            seen.append((found.games_played, resident()))

    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        found = gt.match(
            Higher(),
            Draws(2),
            Draws(0),
            games=games,
            openings="start",
            results=f"{folder}/r.jsonl",
            on_progress=told,
        )
        took = time.process_time() - began
    print(f"{found.score}")
    print(
        f"harness: {1000 * took / found.plies:.3f} ms of the processor a ply, {games:,} games with their file"
    )
    print("memory: " + ", ".join(f"{size:.0f} MB after {count:,}" for count, size in seen))


def processes(pairs: int, sleep: float) -> None:
    took = []
    for jobs in (1, 2):
        with Pool(jobs) as pool:
            gt.match(
                Higher(), Draws(2), Draws(0), games=2 * jobs, openings="start", executor=pool
            )  # all are awake
            began = time.perf_counter()
            gt.match(
                Higher(), Draws(2, sleep), Draws(0, sleep), games=2 * pairs, openings="start", executor=pool
            )
            took.append(time.perf_counter() - began)
    print(f"two processes: {took[0] / took[1]:.2f} × one, pairs of {4 * sleep:g} s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--sleep", type=float, default=0.25, help="seconds a move (0.25: a pair takes 1 s)")
    options = parse(parser, SMALLEST)
    harness(options.games)
    processes(options.pairs, options.sleep)


if __name__ == "__main__":
    main()
