"""What is a second thread worth? Nodes a second, and the time to a depth, against one thread.

    python benchmarks/threads.py
    python benchmarks/threads.py --games connect-four --positions 2 --runs 1 --seconds 1

Twenty positions from random play, five of each game. For each a depth is chosen that one thread reaches in about
--seconds; then one thread and two take turns, each time with an empty table, so that whatever else the machine does
meets both alike. Of each side the median over --runs counts; the figures at the end are geometric means over the
positions. Node rates come from the same searches. Run it on a machine with two idle cores.

A figure that is too low is printed as such; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gametree as gt
from gametree.search.analyze import Engine
from smallest import parse

SMALLEST = "--games connect-four --positions 1 --runs 1 --seconds 0.05"
GAMES = ("connect-four", "othello", "checkers", "chess")
PLIES = {"connect-four": (4, 12), "othello": (8, 24), "checkers": (6, 20), "chess": (6, 20)}
ASKED_RATE, ASKED_TIME = 1.8, 1.4


@dataclass(frozen=True)
class Timed:
    """One search to a depth."""

    seconds: float
    nodes: int


def midgame(game: gt.Game, rng: random.Random, plies: tuple[int, int]) -> Any:
    """A position after some random moves, from which the game goes on."""
    while True:
        state = game.initial()
        for _ in range(rng.randint(*plies)):
            if game.is_terminal(state):
                break
            state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.is_terminal(state) and len(list(game.actions(state))) > 1:
            return state


def depth_for(engine: Engine, state: Any, seconds: float) -> int | None:
    """The first depth that takes one thread so long; None where the position is proven before."""
    engine.clear()
    began = time.perf_counter()
    reached: list[int] = []

    def listen(found: gt.Analysis) -> None:
        if found.depth is not None:
            reached.append(found.depth)
        if time.perf_counter() - began >= seconds:
            engine.stop()

    found = engine.analyze(state, gt.Limit(seconds=20 * seconds), on_progress=listen)
    return reached[-1] if reached and found.stopped_by in ("cancelled", "seconds") else None


def timed(engine: Engine, state: Any, depth: int) -> Timed:
    engine.clear()
    began = time.perf_counter()
    found = engine.analyze(state, gt.Limit(depth=depth))
    return Timed(time.perf_counter() - began, found.nodes)


def median(runs: Sequence[Timed]) -> tuple[float, float]:
    """The median time, and the median rate."""
    return statistics.median(run.seconds for run in runs), statistics.median(
        run.nodes / run.seconds for run in runs
    )


def compare(name: str, positions: int, runs: int, seconds: float, threads: int) -> list[tuple[float, float]]:
    """By how much several threads are faster, for each position: nodes a second, time to the depth."""
    game = gt.games.load(name)
    one, several = Engine(game), Engine(game, threads=threads)
    one.prepare()
    rng = random.Random(7)
    gains: list[tuple[float, float]] = []
    while len(gains) < positions:
        state = midgame(game, rng, PLIES.get(name, (4, 12)))
        depth = depth_for(one, state, seconds)
        if depth is None:
            continue
        alone, together = [], []
        for _ in range(runs):
            alone.append(timed(one, state, depth))
            together.append(timed(several, state, depth))
        (time_1, rate_1), (time_n, rate_n) = median(alone), median(together)
        gains.append((rate_n / rate_1, time_1 / time_n))
        print(
            f"{name:<14} depth {depth:3}   1 thread {time_1:7.3f} s {rate_1 / 1e6:7.2f} M nodes/s"
            f"   {threads} threads {time_n:7.3f} s {rate_n / 1e6:7.2f} M nodes/s"
            f"   rate ×{rate_n / rate_1:.2f}   time to depth ×{time_1 / time_n:.2f}",
            flush=True,
        )
    return gains


def geometric_mean(figures: Sequence[float]) -> float:
    return math.exp(statistics.fmean(math.log(figure) for figure in figures))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--positions", type=int, default=5, help="of each game")
    parser.add_argument("--runs", type=int, default=5, help="of each side for each position")
    parser.add_argument("--seconds", type=float, default=2.0, help="what one thread takes, about")
    parser.add_argument("--threads", type=int, default=2)
    asked = parse(parser, SMALLEST, argv)
    gains: list[tuple[float, float]] = []
    for name in asked.games:
        gains += compare(name, asked.positions, asked.runs, asked.seconds, asked.threads)
    rate, time_to_depth = (geometric_mean(column) for column in zip(*gains))
    print(f"\ngeometric means over {len(gains)} positions, {asked.threads} threads against one:")
    for title, figure, goal in (
        ("nodes a second", rate, ASKED_RATE),
        ("time to depth", time_to_depth, ASKED_TIME),
    ):
        verdict = "ok" if figure >= goal else "TOO LITTLE"
        print(f"  {title:<16} ×{figure:.2f}   asked of two threads: ≥ {goal}   {verdict}")


if __name__ == "__main__":
    main()
