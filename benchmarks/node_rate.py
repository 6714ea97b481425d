"""How many nodes a second does the whole engine look at in Connect Four?

    python benchmarks/node_rate.py
    python benchmarks/node_rate.py --runs 3 --nodes 5000000

The programs take turns, so that whatever else the machine does meets all alike; time is that of the processor, and of
each the median over --runs counts. The engine as it comes, the engine with every feature on (profile "patient"), and
plain alpha-beta (no table, fixed order, nothing judged) look at --nodes nodes from the empty board, on one thread.
bitbully, a solver for Connect Four and nothing else, solves a position after eight moves, without its book; it needs
`pip install bitbully==0.0.79` and is left out where it is missing.

A figure that is too low is printed as such; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

import gametree as gt
from connect_four import peer
from gametree.games import ConnectFour
from gametree.search.analyze import Engine
from smallest import parse

SMALLEST = "--runs 1 --nodes 5000"
ASKED_RATE, ASKED_SHARE = 8e6, 0.5
OPENING = "44432267"
"""The columns played before bitbully solves what is left: six million nodes."""


def engine(nodes: int, profile: str = "general") -> Callable[[], float]:
    """Nodes a second of the engine, each time with an empty table."""
    player = Engine(ConnectFour(), profile=profile)
    player.prepare()

    def rate() -> float:
        player.clear()
        start = time.process_time()
        found = player.analyze(limit=gt.Limit(nodes=nodes))
        return found.nodes / (time.process_time() - start)

    return rate


def textbook(nodes: int) -> Callable[[], float]:
    """Nodes a second of plain alpha-beta."""
    game = ConnectFour()
    gt.alphabeta(game, depth=2, compile="always")

    def rate() -> float:
        start = time.process_time()
        found = gt.alphabeta(game, limit=gt.Limit(nodes=nodes), compile="always")
        return found.nodes / (time.process_time() - start)

    return rate


def solver() -> Callable[[], float] | None:
    """Nodes a second of bitbully, where it is installed."""
    other = peer()
    if other is None:
        return None

    def rate() -> float:
        _, nodes, seconds = other.solve(OPENING)
        return nodes / seconds

    return rate


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5, help="of each program")
    parser.add_argument("--nodes", type=int, default=20_000_000)
    asked = parse(parser, SMALLEST, argv)
    if asked.runs < 1 or asked.nodes < 1:
        parser.error("--runs and --nodes are at least 1")
    programs = {
        "engine as it comes": engine(asked.nodes),
        "every feature on": engine(asked.nodes, "patient"),
        "plain alpha-beta": textbook(asked.nodes),
        "bitbully": solver(),
    }
    rates: dict[str, list[float]] = {name: [] for name, rate in programs.items() if rate is not None}
    for _ in range(asked.runs):
        for name, rate in programs.items():
            if rate is not None:
                rates[name].append(rate())
    middle = {name: statistics.median(found) for name, found in rates.items()}
    for name, found in rates.items():
        print(
            f"{name:<22} {middle[name] / 1e6:7.2f} M nodes/s ({min(found) / 1e6:.2f} to {max(found) / 1e6:.2f})"
        )
    theirs = middle.get("bitbully")
    for name in ("engine as it comes", "every feature on"):
        said = "ok" if middle[name] >= ASKED_RATE else "TOO LITTLE"
        print(f"{name}: asked {ASKED_RATE / 1e6:g} M nodes/s: {said}")
        if theirs is not None:
            share = middle[name] / theirs
            said = "ok" if share >= ASKED_SHARE else "TOO LITTLE"
            print(f"    {share:.2f} of bitbully's, asked in the place of that {ASKED_SHARE:g}: {said}")


if __name__ == "__main__":
    main()
