"""How far does a move of a fast chess game get, with a feature of the engine and without it?

    python lab/fast_moves.py --feature root --seconds 0.03 0.1 0.3

The engine of `gametree uci` in fast games searches the positions of benchmarks/openings.fen by the clock, with the
feature and without it in turns, its table kept from one to the next as in a game. Depth and nodes are means; the error
is that of the mean difference.
"""

import argparse
import math
import statistics
from pathlib import Path

import gametree as gt
from engines import refuse
from gametree.games.chess.rules import Chess
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import FAST, features

POSITIONS = Path(__file__).parent.parent / "benchmarks" / "openings.fen"


def search(engine: Engine, state: object, limit: gt.Limit) -> tuple[int, int]:
    """The last finished depth, and the nodes."""
    found = engine.analyze(state, limit, on_progress=lambda so_far: None, names=False)
    return found.depth or 0, found.nodes


def compare(feature: str, limit: gt.Limit, count: int) -> str:
    game = Chess()
    bit = features([feature])
    engines = [
        Engine(game, hash_mb=8, evaluation="network", profile=profile)
        for profile in (FAST | bit, FAST & ~bit)
    ]
    found: list[list[tuple[int, int]]] = [[], []]
    for engine in engines:
        engine.prepare()
    for fen in POSITIONS.read_text().splitlines()[:count]:
        for engine, results in zip(engines, found):
            results.append(search(engine, game.parse_state(fen), limit))
    (depth, nodes), (depth_without, nodes_without) = (
        [statistics.mean(x) for x in zip(*part)] for part in found
    )
    differences = [one[0] - other[0] for one, other in zip(*found)]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    return (
        f"{limit.seconds:g} s: depth {depth:.2f} with {feature}, {depth_without:.2f} without:"
        f" {depth - depth_without:+.2f} ± {error:.2f}; {nodes:,.0f} nodes and {nodes_without:,.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--feature", default="root", help="as benchmarks/features.py names them (root)")
    parser.add_argument("--seconds", nargs="+", type=float, default=[0.03, 0.1, 0.3], help="a move")
    parser.add_argument("--count", type=int, default=100, help="positions (100)")
    given = parser.parse_args()
    try:
        if given.count < 2:
            raise gt.InputError(f"--count {given.count}: at least 2 positions, for an error")
        for limit in [gt.Limit(seconds=seconds) for seconds in given.seconds]:
            print(compare(given.feature, limit, given.count), flush=True)
    except gt.InputError as error:
        refuse(error)


if __name__ == "__main__":
    main()
