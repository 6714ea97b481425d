"""How fast are the rules of chess, checkers and Othello, how fast is the chess search, and how soon is it there?

    pip install "gametree[bench,test]"
    python benchmarks/perft.py                      everything, some three minutes
    python benchmarks/perft.py --only chess othello
    python benchmarks/perft.py --rounds 9 --json

perft    Lines of play are followed to a depth, one by one on both sides. "made": the position at the end of each is
         made, too, all of it (ours is written to memory, so that the compiler cannot leave anything out). "counted":
         at the last ply every legal move is looked at and none is made, as `gametree perft` does it. Nowhere is the
         length of a list added. The peers, python-chess for chess and OpenSpiel, driven from Python, for checkers and
         Othello, go to a smaller depth; leaves a second of processor time are compared. Where the rules are the same
         (chess, Othello), both have to find the same number before anything is timed.
search   Nodes a second of `analyze` on one thread with a table of 16 MB, over positions from openings.fen, beside
         what `stockfish bench` says of itself, and beside Stockfish on the same positions.
ready    Seconds from the start of `gametree uci` until it answers `isready`, with an empty cache and a filled one.

The machine may be noisy: every run of a peer has a run of ours right beside it, in alternating order, over several
rounds. A ratio is the median over the rounds of one pair's rates. What falls short is printed as such; the exit code is
0, for this is a measurement and not a test.
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gametree as gt
from gametree.games import Chess
from gametree.kernel.clock import Clock, poll
from gametree.kernel.primitives import store
from gametree.search.core import repetition
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import execute
from peers import NotHereError, imported, stockfish
from smallest import parse

SMALLEST = "--rounds 1 --only othello search"
OPENINGS = Path(__file__).with_name("openings.fen")
POSITIONS = 6
SEARCHED = 1_000_000
HASH_MB = 16
STOCKFISH_DEPTH = 11
SHELF = 64  # where in an array that is at hand a state is written
MIDGAME = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@dataclass
class Pair:
    """Ours and a peer: each function does its work once and gives a rate, in leaves or nodes a second."""

    key: str
    label: str
    peer: str
    asked: float | None
    ours: Callable[[], float]
    theirs: Callable[[], float]
    rates: list[tuple[float, float]] = field(default_factory=list)

    def measure(self, ours_first: bool) -> None:
        if ours_first:
            ours = self.ours()
            theirs = self.theirs()
        else:
            theirs = self.theirs()
            ours = self.ours()
        self.rates.append((ours, theirs))

    @property
    def ratios(self) -> list[float]:
        return [ours / theirs for ours, theirs in self.rates]

    @property
    def verdict(self) -> str:
        if self.asked is None:
            return ""
        return "ok" if statistics.median(self.ratios) >= self.asked else "short"


def rate(work: Callable[[], int]) -> float:
    """So many a second of processor time, on whatever threads: other programs are not counted against anybody."""
    began = time.process_time()
    done = work()
    return done / (time.process_time() - began)


# --- perft ------------------------------------------------------------------------------------------


def visit(game: Any, state: Any, depth: int, clock: Clock, path: repetition.Path) -> int:
    """The kernel of `perft`, but that it makes the states at the end, too; −1 when told to stop."""
    leaves = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return -1
        clock.nodes += 1
        child = game.result(state, action)
        if depth == 1:
            store(child, path.places, SHELF)
            leaves += 1
        else:
            below = visit(game, child, depth - 1, clock, path)
            if below < 0:
                return below
            leaves += below
    return leaves


def made(game: gt.Game, state: Any, depth: int) -> int:
    """Leaves, each of which was made."""
    run = Run(visit, game, gt.Limit(), "always")
    run.start, run.approach = depth, (state, [])
    return int(execute(run, lambda: run.call(state, depth, run.clock, run.path)))


def counted(game: gt.Game, state: Any, depth: int) -> int:
    """Leaves, each of which was looked at."""
    return gt.perft(game, depth, state, compile="always")


def chess_leaves(board: Any, depth: int, make: bool) -> int:
    """The same of python-chess."""
    leaves = 0
    for move in board.legal_moves:
        if depth == 1 and not make:
            leaves += 1
            continue
        board.push(move)
        leaves += 1 if depth == 1 else chess_leaves(board, depth - 1, make)
        board.pop()
    return leaves


def spiel_leaves(state: Any, depth: int, make: bool) -> int:
    """The same of OpenSpiel."""
    leaves = 0
    for action in state.legal_actions():
        if depth == 1 and not make:
            leaves += 1
            continue
        child = state.child(action)
        leaves += 1 if depth == 1 else spiel_leaves(child, depth - 1, make)
    return leaves


def chess_pair(label: str, fen: str, depth: int, less: int, make: bool) -> Pair:
    chess = imported("chess")
    game = Chess()
    state, ours = game.parse_state(fen), made if make else counted
    agree(label, ours(game, state, less), chess_leaves(chess.Board(fen), less, make))
    return Pair(
        "chess",
        f"{label}, {'made' if make else 'counted'}",
        f"python-chess {importlib.metadata.version('chess')}",
        120 if make else None,
        lambda: rate(lambda: ours(game, state, depth)),
        lambda: rate(lambda: chess_leaves(chess.Board(fen), less, make)),
    )


def spiel_pair(name: str, depth: int, less: int, make: bool) -> Pair:
    pyspiel = imported("pyspiel")
    game = gt.games.load(name)
    state, ours = game.initial(), made if make else counted
    theirs = pyspiel.load_game(name).new_initial_state()
    found = ours(game, state, less)
    # In OpenSpiel each jump of a capture is an action of its own: its leaves at a depth are others.
    if name != "checkers":
        agree(name, found, spiel_leaves(theirs, less, make))
    return Pair(
        name,
        f"{name}, {'made' if make else 'counted'}",
        f"OpenSpiel {importlib.metadata.version('open_spiel')}",
        150 if make else None,
        lambda: rate(lambda: ours(game, state, depth)),
        lambda: rate(lambda: spiel_leaves(theirs, less, make)),
    )


def agree(label: str, ours: int, theirs: int) -> None:
    if ours != theirs:
        raise SystemExit(f"{label}: we count {ours:,} leaves, the peer {theirs:,}. Nothing was measured.")


# --- search -----------------------------------------------------------------------------------------


def positions() -> list[str]:
    """Every so many lines of the openings, so that they differ."""
    lines = OPENINGS.read_text().splitlines()
    return lines[:: len(lines) // POSITIONS][:POSITIONS]


def searcher() -> Callable[[], float]:
    """Nodes a second over the positions, each with an empty table."""
    game = Chess()
    engine = gt.Engine(game, hash_mb=HASH_MB, compile="always")
    states = [game.parse_state(fen) for fen in positions()]

    def once() -> float:
        nodes, seconds = 0, 0.0
        for state in states:
            engine.clear()
            began = time.perf_counter()
            nodes += engine.analyze(state, gt.Limit(nodes=SEARCHED)).nodes
            seconds += time.perf_counter() - began
        return nodes / seconds

    once()
    return once


def stockfish_bench(*arguments: str) -> float:
    """What `stockfish bench` says of its nodes a second."""
    done = subprocess.run([stockfish(), "bench", *arguments], capture_output=True, text=True, check=True)
    found = re.search(r"Nodes/second\s*:\s*(\d+)", done.stderr)
    if not found:
        raise SystemExit(f"`stockfish bench` tells no nodes a second:\n{done.stderr[-500:]}")
    return float(found[1])


def stockfish_name() -> str:
    done = subprocess.run([stockfish()], input="quit\n", capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split()[:2])


def search_pairs(folder: Path) -> list[Pair]:
    name, ours = stockfish_name(), searcher()
    file = folder / "positions.fen"
    file.write_text("\n".join(positions()) + "\n")
    same = (str(HASH_MB), "1", str(STOCKFISH_DEPTH), str(file), "depth")
    return [
        Pair("search", "chess search", f"{name}, bench", 1, ours, stockfish_bench),
        Pair("search", "chess search", f"{name}, same positions", None, ours, lambda: stockfish_bench(*same)),
    ]


# --- ready ------------------------------------------------------------------------------------------


def seconds_to_ready(cache: Path) -> float:
    """From the start of the process to `readyok`."""
    environment = {**os.environ, "GAMETREE_CACHE_DIR": str(cache)}
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "gametree", "uci"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("uci\nisready\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.strip() == "readyok":
                break
        seconds = time.perf_counter() - began
        process.stdin.write("quit\n")
        process.stdin.flush()
    return seconds


def readiness(folder: Path, runs: int) -> dict[str, tuple[list[float], float]]:
    """Seconds with an empty cache and with a filled one, and what was asked for."""
    cold, warm = [], []
    for number in range(runs):
        cache = folder / f"cache-{number}"
        cold.append(seconds_to_ready(cache))
        warm.append(seconds_to_ready(cache))
    return {"gametree uci, empty cache": (cold, 20.0), "gametree uci, filled cache": (warm, 1.5)}


# --- telling ----------------------------------------------------------------------------------------


def table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[i].ljust(width) if i < 2 else row[i].rjust(width) for i, width in enumerate(widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def rate_rows(pairs: Sequence[Pair]) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("what", "peer", "ours M/s", "peer M/s", "ratio", "min-max", "asked", "")]
    for pair in pairs:
        ours, theirs = (statistics.median(side) / 1e6 for side in zip(*pair.rates))
        ratio = statistics.median(pair.ratios)
        digits = 2 if ratio < 10 else 0
        spread = f"{min(pair.ratios):.{digits}f}-{max(pair.ratios):.{digits}f}"
        asked = "" if pair.asked is None else f"{pair.asked:g}"
        rows.append(
            (
                pair.label,
                pair.peer,
                f"{ours:.2f}",
                f"{theirs:.3f}",
                f"{ratio:.{digits}f}",
                spread,
                asked,
                pair.verdict,
            )
        )
    return rows


def ready_rows(figures: dict[str, tuple[list[float], float]]) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = [("until readyok", "median s", "min-max", "asked", "")]
    for name, (seconds, asked) in figures.items():
        middle = statistics.median(seconds)
        spread = f"{min(seconds):.2f}-{max(seconds):.2f}"
        rows.append((name, f"{middle:.2f}", spread, f"< {asked:g}", "ok" if middle < asked else "too long"))
    return rows


def entrants(folder: Path) -> dict[str, Callable[[], list[Pair]]]:
    start = Chess().fen(Chess().initial())
    return {
        "chess": lambda: [
            chess_pair(label, fen, depth, depth - 2, make)
            for label, fen, depth in (("chess, the start", start, 5), ("chess, a middlegame", MIDGAME, 5))
            for make in (True, False)
        ],
        "checkers": lambda: [spiel_pair("checkers", 10, 7, make) for make in (True, False)],
        "othello": lambda: [spiel_pair("othello", 9, 6, make) for make in (True, False)],
        "search": lambda: search_pairs(folder),
    }


def main() -> None:
    keys = ("chess", "checkers", "othello", "search", "ready")
    parser = argparse.ArgumentParser(description="Rules and search beside their peers, in one run.")
    parser.add_argument("--rounds", type=int, default=5, help="how often every pair is measured (default: 5)")
    parser.add_argument("--only", nargs="+", choices=keys, default=keys, metavar="PART", help=", ".join(keys))
    parser.add_argument("--json", action="store_true", help="print JSON in place of the tables")
    options = parse(parser, SMALLEST)
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pairs: list[Pair] = []
        absent: dict[str, str] = {}
        for key, enter in entrants(folder).items():
            if key in options.only:
                try:
                    pairs += enter()
                except NotHereError as reason:
                    absent[key] = str(reason)
        for number in range(options.rounds):
            for pair in pairs:
                pair.measure(ours_first=number % 2 == 0)
            print(f"round {number + 1} of {options.rounds} done", file=sys.stderr, flush=True)
        ready = readiness(folder, min(options.rounds, 3)) if "ready" in options.only else {}
    if options.json:
        print(as_json(pairs, ready, absent))
        return
    print(
        f"Medians of {options.rounds} rounds; Python {platform.python_version()}, Numba"
        f" {importlib.metadata.version('numba')}, {platform.system()} {platform.machine()}\n"
    )
    if pairs:
        print(table(rate_rows(pairs)), end="\n\n")
    if ready:
        print(table(ready_rows(ready)))
    for key, why in absent.items():
        print(f"{key}: not run, {why}")


def as_json(
    pairs: Sequence[Pair], ready: dict[str, tuple[list[float], float]], absent: dict[str, str]
) -> str:
    return json.dumps(
        {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "absent": absent,
            "pairs": [
                {
                    "key": pair.key,
                    "label": pair.label,
                    "peer": pair.peer,
                    "asked": pair.asked,
                    "rates": pair.rates,
                    "ratio": statistics.median(pair.ratios),
                    "verdict": pair.verdict,
                }
                for pair in pairs
            ],
            "ready": {name: {"seconds": seconds, "asked": asked} for name, (seconds, asked) in ready.items()},
        },
        indent=2,
    )


if __name__ == "__main__":
    main()
