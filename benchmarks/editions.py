"""Is one edition of gametree as fast as another? Two checkouts side by side in one run.

    python benchmarks/editions.py OLD NEW                           everything, nine rounds
    python benchmarks/editions.py OLD NEW --only engine --rounds 5  what has "engine" in its name
    python benchmarks/editions.py --smallest                        this edition beside itself, once, briefly

Peer: another edition of gametree. OLD and NEW are folders with `src/gametree` in them; where NEW is left out it is the
one that this script is in. Every measurement is a fresh process of one edition on one thread, with machine code from a
cache that an earlier process has filled; the two editions take turns, and who begins changes from round to round. A
figure is work (nodes or simulations) a second of processor time, by the fastest of three searches after one that is not
timed. The ratio is the median over the rounds of NEW's figure divided by OLD's in the same round; below it stands the
middle half of the rounds. "differs" marks what did not look at the same number of nodes in both.

A ratio below --least (0.97) is marked; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from refusal import refuse

HERE: Final = Path(__file__).resolve().parent.parent
ENGINE: Final = {"connect-four": 4_000_000, "othello": 3_000_000, "chess": 600_000}
"""Nodes that take some tenths of a second."""
MCTS: Final = {
    "connect-four": 300_000,
    "othello": 60_000,
    "checkers": 60_000,
    "go": 15_000,
    "backgammon": 12_000,
}
"""Simulations that take some tenths of a second."""
REPEATS: Final = 3
OPENING: Final = "44432267"
"""Columns played before Connect Four is solved."""


# --- what a process measures ---------------------------------------------------------------------------------


def zero(state: Any, player: int) -> float:
    return 0.0


def alphabeta(share: float) -> Callable[[], int]:
    import gametree as gt

    game = gt.games.load("connect-four")
    depth = 14 if share >= 1 else 7
    return lambda: gt.alphabeta(game, depth=depth, evaluation=zero, compile="always").nodes


def engine(name: str, evaluation: str | None, share: float) -> Callable[[], int]:
    import gametree as gt

    player = gt.Engine(gt.games.load(name), evaluation=evaluation, compile="always")
    player.prepare()
    limit = gt.Limit(nodes=max(1_000, int(share * ENGINE[name])))

    def run() -> int:
        player.clear()
        return player.analyze(limit=limit).nodes

    return run


def mcts(name: str, share: float) -> Callable[[], int]:
    import gametree as gt

    game = gt.games.load(name)
    simulations = max(50, int(share * MCTS[name]))

    def run() -> int:
        gt.mcts(game, simulations=simulations, memory_mb=64, compile="always")
        return simulations

    return run


def exact(share: float) -> Callable[[], int]:
    import gametree as gt

    game = gt.games.load("connect-four") if share >= 1 else gt.games.load("connect-four", width=4, height=4)
    state = game.initial()
    for column in OPENING if share >= 1 else "":
        state = game.result(state, int(column) - 1)
    return lambda: gt.solve(game, state, strong=False, method="search", compile="always").nodes


MEASURES: Final[dict[str, Callable[[float], Callable[[], int]]]] = {
    "alphabeta connect-four": alphabeta,
    "engine connect-four": lambda share: engine("connect-four", None, share),
    "engine othello": lambda share: engine("othello", None, share),
    "engine chess": lambda share: engine("chess", None, share),
    "engine chess, network": lambda share: engine("chess", "network", share),
    **{f"mcts {name}": lambda share, name=name: mcts(name, share) for name in MCTS},  # type: ignore[misc]
    "exact connect-four": exact,
}
"""What is measured, by name: makes ready, given how much of the usual work to do; the result does it and counts."""


def measure(name: str, share: float) -> dict[str, float]:
    """Work and seconds of the processor of the fastest of a few searches, after another one that is not timed.

    Searches that share their time by the clock need not do the same work each time.
    """
    run = MEASURES[name](share)
    run()
    found = []
    for _ in range(REPEATS):
        began = time.process_time()
        done = run()
        found.append((done, time.process_time() - began))
    done, seconds = max(found, key=lambda one: one[0] / max(one[1], 1e-9))
    return {"done": done, "seconds": seconds}


# --- two editions in turns -----------------------------------------------------------------------------------


class Edition:
    """A checkout, and where its machine code is kept."""

    def __init__(self, path: Path, cache: Path):
        if not (path / "src" / "gametree").is_dir():
            refuse(f"{path} holds no edition: there is no src/gametree in it")
        self.path = path
        self.cache = cache

    def measure(self, name: str, share: float) -> dict[str, float] | None:
        """What a fresh process finds; None where the edition cannot do it, with what it said on standard error."""
        env = {
            **os.environ,
            "PYTHONPATH": str(self.path / "src"),
            "GAMETREE_CACHE_DIR": str(self.cache),
            "NUMBA_NUM_THREADS": "1",
        }
        arguments = [sys.executable, __file__, "--measure", name, "--share", str(share)]
        said = subprocess.run(arguments, env=env, capture_output=True, text=True)
        if said.returncode:
            print(f"{name}: {self.path}: {(said.stderr.strip() or '?').splitlines()[-1]}", file=sys.stderr)
            return None
        found: dict[str, float] = json.loads(said.stdout.splitlines()[-1])
        return found


def compare(old: Edition, new: Edition, name: str, rounds: int, share: float, least: float) -> None:
    """Prints the line of one measurement."""
    if old.measure(name, share) is None or new.measure(name, share) is None:  # fills the caches
        return
    rates: dict[Edition, list[float]] = {old: [], new: []}
    work: dict[Edition, float] = {}
    for turn in range(rounds):
        for edition in (old, new) if turn % 2 == 0 else (new, old):
            found = edition.measure(name, share)
            if found is None:
                return
            rates[edition].append(found["done"] / max(found["seconds"], 1e-9))
            work[edition] = found["done"]
    ratios = sorted(after / before for before, after in zip(rates[old], rates[new]))
    ratio = statistics.median(ratios)
    low, high = ratios[rounds // 4], ratios[rounds - 1 - rounds // 4]
    notes = ("  differs" if work[old] != work[new] else "") + ("  TOO SLOW" if ratio < least else "")
    print(
        f"{name:<24} {statistics.median(rates[old]):>14,.0f} {statistics.median(rates[new]):>14,.0f}"
        f" {ratio:>7.3f}  ({low:.3f} to {high:.3f}){notes}",
        flush=True,
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path, nargs="?", default=HERE, metavar="OLD")
    parser.add_argument("new", type=Path, nargs="?", default=HERE, metavar="NEW")
    parser.add_argument("--only", default="", help="measurements with this in their names")
    parser.add_argument("--rounds", type=int, default=9, help="(9)")
    parser.add_argument("--least", type=float, default=0.97, help="ratios below are marked (0.97)")
    parser.add_argument("--cache", type=Path, help="where machine code is kept, to go on from (nowhere)")
    parser.add_argument("--smallest", action="store_true", help="one round of next to nothing")
    parser.add_argument("--measure", choices=list(MEASURES), help=argparse.SUPPRESS)
    parser.add_argument("--share", type=float, default=1.0, help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.measure is not None:
        print(json.dumps(measure(given.measure, given.share)))
        return
    if given.rounds < 1:
        parser.error("--rounds is at least 1")
    rounds, share = (1, 0.001) if given.smallest else (given.rounds, 1.0)
    only = given.only or ("connect-four" if given.smallest else "")
    names = [name for name in MEASURES if only in name]
    if not names:
        refuse(f"no measurement has {given.only!r} in its name: there are {', '.join(MEASURES)}")
    with tempfile.TemporaryDirectory(prefix="gametree-editions-") as folder:
        cache = given.cache or Path(folder)
        old = Edition(given.old.resolve(), cache / "old")
        new = Edition(given.new.resolve(), cache / ("old" if given.new == given.old else "new"))
        print(f"{'a second of processor time':<24} {'old':>12} {'new':>14} {'new/old':>8}")
        for name in names:
            compare(old, new, name, rounds, share, given.least)


if __name__ == "__main__":
    main()
