"""How fast is Connect Four solved to its exact score, side by side with bitbully?

    python benchmarks/connect_four.py --data positions          all position sets in a directory
    python benchmarks/connect_four.py --data positions --sets Test_L3_R1 Test_L2_R1
    python benchmarks/connect_four.py --empty                   the empty board, on one thread and on two
    python benchmarks/connect_four.py --boards                  known values of smaller boards

A file of positions has a line for each: the columns played, counted from 1, and the score, 22 less the stones of the
winner (negative where the player to move loses). No book. Every position begins with a table that knows nothing, on
both sides outside the clock. Both sides take turns, a few positions each, so that whatever else the machine does meets
both alike. Times are those of the processor, for the same reason. The peer needs `pip install bitbully==0.0.79`;
without it only this program's figures are printed.

A figure that is too low is printed as such; the exit code is 1 where a score is wrong, for the rest is a measurement.
"""

import argparse
import importlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gametree import Limit
from gametree.games import ConnectFour
from gametree.search.solve.exact.scores import Exact
from smallest import parse

SMALLEST = "--data {here}/examples --hash-mb 8"
ASKED = {"Test_L3_R1": 4.0, "Test_L2_R1": 7.0, "Test_L1_R1": 20.0, "Test_L2_R2": 2.0, "Test_L1_R2": 2.0}
BOARDS = [(4, 4, "draw"), (5, 4, "draw"), (5, 5, "draw"), (6, 5, "draw"), (6, 6, "second player")]


@dataclass
class Tally:
    """What one side took for the positions of a set."""

    positions: int = 0
    nodes: int = 0
    seconds: float = 0.0
    wrong: int = 0

    def add(self, margins: list[int], scores: list[int], nodes: int, seconds: float) -> None:
        """Counts some more positions."""
        self.positions += len(scores)
        self.nodes += nodes
        self.seconds += seconds
        self.wrong += sum(margin != score for margin, score in zip(margins, scores))

    def show(self, name: str) -> str:
        """One line of the table."""
        mean = 1000.0 * self.seconds / self.positions
        rate = self.nodes / self.seconds / 1e6
        return (
            f"    {name:<10}{mean:>12.4f} ms{self.nodes / self.positions:>14,.0f} nodes{rate:>8.1f} M nodes/s"
            f"{self.wrong:>6} wrong"
        )


class Peer:
    """bitbully without its book."""

    def __init__(self) -> None:
        self._core = importlib.import_module("bitbully.bitbully_core")
        self._solver = self._core.BitBullyCore()

    def solve(self, moves: str) -> tuple[int, int, float]:
        """Score, nodes and seconds for a position."""
        board = self._core.BoardCore()
        for move in moves:
            board.play(int(move) - 1)
        self._solver.resetTranspositionTable()
        self._solver.resetNodeCounter()
        start = time.thread_time()
        score = self._solver.mtdf(board, 0)
        seconds = time.thread_time() - start
        return int(score), int(self._solver.getNodeCounter()), seconds


def peer() -> Peer | None:
    """The peer, where it is installed."""
    try:
        return Peer()
    except ImportError:
        print("bitbully is not installed: this program alone")
        return None


def read(path: Path, most: int | None) -> list[tuple[str, int]]:
    """Moves and score of each position in a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    pairs = (line.split() for line in lines if line.strip())
    return [(moves, int(score)) for moves, score in pairs][:most]


def chunks(items: list[Any], count: int) -> Iterator[list[Any]]:
    """The items in so many parts, or as many as there are."""
    size = max(1, -(-len(items) // count))
    for start in range(0, len(items), size):
        yield items[start : start + size]


def compare(path: Path, other: Peer | None, hash_mb: float, most: int | None) -> bool:
    """Solves a set on both sides and prints what it took; whether every score is right."""
    game = ConnectFour()
    solver = Exact(game, hash_mb=hash_mb, compile="always")
    # Compiled before the clock runs.
    solver.score(limit=Limit(nodes=1))
    positions = read(path, most)
    ours, theirs = Tally(), Tally()
    for part in chunks(positions, 8):
        scores = [score for _, score in part]
        states = [game.parse_state(moves) for moves, _ in part]
        margins, nodes, seconds = solver.margins(states)
        ours.add(margins, scores, nodes, seconds)
        if other is not None:
            for moves, score in part:
                found, nodes, seconds = other.solve(moves)
                theirs.add([found], [score], nodes, seconds)
    print(f"{path.name}: {len(positions)} positions")
    print(ours.show("gametree"))
    if other is not None:
        print(theirs.show("bitbully"))
        gain = theirs.seconds / theirs.positions / (ours.seconds / ours.positions)
        asked = next((ratio for name, ratio in ASKED.items() if path.name.startswith(name)), None)
        said = "" if asked is None else f" (asked: {asked:g}x{', too low' if gain < asked else ''})"
        print(f"    {gain:.2f}x faster{said}", flush=True)
    return ours.wrong == 0


def empty(threads: list[int], hash_mb: float, with_peer: bool) -> bool:
    """Solves the empty board."""
    game = ConnectFour()
    right = True
    first = 0.0
    for count in threads:
        solver = Exact(game, hash_mb=hash_mb, compile="always")
        solver.score(limit=Limit(nodes=1))
        found = solver.score(line=False, threads=count, on_progress=_progress)
        first = first or found.seconds
        right &= found.value == 1
        rate = found.nodes / found.seconds / 1e6
        print(
            f"empty board, {count} thread{'s' if count > 1 else ''}: score {found.value:+d} in {found.seconds:.1f} s,"
            f" {found.nodes:,} nodes, {rate:.1f} M nodes/s, {first / found.seconds:.2f}x the first",
            flush=True,
        )
    if with_peer:
        other = peer()
        if other is not None:
            score, nodes, seconds = other.solve("")
            print(f"bitbully: score {score:+d} in {seconds:.1f} s, {nodes:,} nodes")
    return right


def _progress(low: int, high: int, nodes: int, seconds: float) -> None:
    print(f"    between {low:+d} and {high:+d} after {seconds:.1f} s, {nodes:,} nodes", flush=True)


def boards(hash_mb: float) -> bool:
    """Solves smaller boards whose values are known."""
    right = True
    for width, height, winner in BOARDS:
        found = Exact(ConnectFour(width, height), hash_mb=hash_mb).score(line=False)
        said = "draw" if found.value == 0 else "first player" if found.value > 0 else "second player"
        right &= said == winner
        print(
            f"{width}x{height}: {said} ({found.value:+d}), {found.nodes:,} nodes, {found.seconds:.2f} s"
            f"{'' if said == winner else f', but it is: {winner}'}",
            flush=True,
        )
    return right


def main() -> int:
    parser = argparse.ArgumentParser(description="Connect Four, exact scores, against bitbully")
    parser.add_argument("--data", type=Path, help="directory with files of positions")
    parser.add_argument(
        "--sets", nargs="*", default=list(ASKED), help="which files, by the start of their names"
    )
    parser.add_argument("--positions", type=int, help="only so many positions of each set")
    parser.add_argument("--alone", action="store_true", help="without the peer")
    parser.add_argument("--hash-mb", type=float, help="size of the table (64, and 128 with --empty)")
    parser.add_argument("--empty", action="store_true", help="the empty board of 7 by 6")
    parser.add_argument(
        "--threads", type=int, nargs="*", default=[1, 2], help="with --empty: on how many threads"
    )
    parser.add_argument("--peer", action="store_true", help="with --empty: bitbully as well")
    parser.add_argument("--boards", action="store_true", help="smaller boards whose values are known")
    given = parse(parser, SMALLEST)
    right = True
    if given.data is not None:
        other = None if given.alone else peer()
        for name in given.sets:
            for path in sorted(given.data.glob(f"{name}*")):
                right &= compare(path, other, given.hash_mb or 64, given.positions)
    if given.boards:
        right &= boards(given.hash_mb or 256)
    if given.empty:
        right &= empty(given.threads, given.hash_mb or 128, given.peer)
    if not (given.data or given.boards or given.empty):
        parser.error("say what to measure: --data, --boards or --empty")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
