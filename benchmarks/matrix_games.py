"""How fast are all equilibria of bimatrix games found, and the turns of iterated prisoner's dilemmas played?

    python benchmarks/matrix_games.py [--games 20] [--size 10] [--turns 200] [--runs 5]

Peers are QuantEcon and Axelrod. Processor time, interleaved, medians. QuantEcon enumerates vertices in floating point
(SciPy's Qhull); ours are exact. Axelrod's round robin is played without its result set; ours is the whole tournament
with its table. The peers are not in the extra `bench`, as QuantEcon brings gigabytes: `pip install quantecon axelrod`.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gametree as gt
from gametree.arena.iterated import CLASSICS, iterated
from peers import NotHereError, imported
from smallest import parse

SMALLEST = "--games 2 --size 3 --turns 5 --runs 1"
LIBRARY = (
    "TitForTat",
    "Cooperator",
    "Defector",
    "Grudger",
    "TitFor2Tats",
    "TwoTitsForTat",
    "HardTitForTat",
    "WinStayLoseShift",
    "SuspiciousTitForTat",
    "Bully",
    "Alternator",
    "Prober",
)
WITH_CHANCE = ("GTFT", "FirstByJoss", "Random")


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = call()
    return time.process_time() - start, found


def equilibria(games: int, size: int) -> None:
    draw = random.Random(1)
    tables = [
        [[[draw.randint(0, 1000) for _ in range(size)] for _ in range(size)] for _ in (0, 1)]
        for _ in range(games)
    ]
    ours = [gt.Matrix.of(*pair) for pair in tables]
    gt.equilibria(ours[0])
    theory: Any = None
    try:
        theory = imported("quantecon.game_theory")
    except NotHereError as reason:
        print(f"QuantEcon: {reason}")
    times: dict[str, list[float]] = {"gametree": [], "QuantEcon": []}
    counts = []
    for game, pair in zip(ours, tables):
        spent, found = timed(partial(gt.equilibria, game))
        times["gametree"].append(spent)
        counts.append(len(found))
        if theory is not None:
            import numpy as np

            first, second = (np.array(table, dtype=float) for table in pair)
            peer = theory.NormalFormGame([theory.Player(first), theory.Player(second.T.copy())])
            spent, known = timed(partial(theory.vertex_enumeration, peer))
            times["QuantEcon"].append(spent)
            if len(known) != len(found):
                print(f"  QuantEcon found {len(known)} equilibria and gametree {len(found)}")
    print(f"all equilibria of {games} random {size} × {size} games, {sum(counts) / games:.1f} on average")
    report(times, "ms a game", 1000)


def report(times: dict[str, list[float]], unit: str, factor: float) -> None:
    medians = {name: statistics.median(some) * factor for name, some in times.items() if some}
    for name, value in medians.items():
        print(f"  {name:10} {value:10.3f} {unit}")
    peers = [value for name, value in medians.items() if name != "gametree"]
    if peers:
        print(f"  ratio {peers[0] / medians['gametree']:.2f}")


def dilemma(turns: int, runs: int, with_chance: bool) -> None:
    names = [name for name, one in CLASSICS.items() if one.is_certain or with_chance]
    matches = len(names) * (len(names) + 1) // 2
    # Noise, so that every match is played turn by turn.
    noise, repetitions = (0.01, 5) if with_chance else (0.0, 1)
    rates: dict[str, list[float]] = {"gametree": [], "Axelrod": []}
    library: Any = None
    try:
        library = imported("axelrod")
    except NotHereError as reason:
        print(f"Axelrod: {reason}")
    for run in range(runs):
        ours = partial(iterated, names, turns=turns, repetitions=repetitions, noise=noise, seed=run)
        spent, _ = timed(ours)
        rates["gametree"].append(matches * repetitions * turns / max(spent, 1e-9))
        if library is None:
            continue
        players = [getattr(library, name)() for name in (*LIBRARY, *(WITH_CHANCE if with_chance else ()))]

        def play(players: list[Any] = players) -> None:
            for one in range(len(players)):
                for other in range(one, len(players)):
                    library.Match(
                        (players[one], players[other].clone()), turns=turns, noise=noise, seed=1
                    ).play()

        spent, _ = timed(play)
        rates["Axelrod"].append(matches * turns / max(spent, 1e-9))
    kind = "and noise" if with_chance else "without chance"
    print(f"the iterated prisoner's dilemma, {len(names)} strategies {kind}, {turns} turns: turns a second")
    for name, some in rates.items():
        if some:
            print(f"  {name:10} {statistics.median(some):14,.0f}")
    if rates["Axelrod"]:
        print(f"  ratio {statistics.median(rates['gametree']) / statistics.median(rates['Axelrod']):.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    given = parse(parser, SMALLEST)
    equilibria(given.games, given.size)
    dilemma(given.turns, given.runs, with_chance=False)
    dilemma(given.turns, given.runs, with_chance=True)


if __name__ == "__main__":
    main()
