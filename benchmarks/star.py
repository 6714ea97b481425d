"""How many nodes do Star1 and Star2 save? Nodes of expectiminimax, plain and pruned, from the same random positions.

Everything here is a count, so it is the same on every machine. `python benchmarks/star.py` looks at backgammon;
`python benchmarks/star.py pig --depth 4 --positions 50 --set goal=50` at another game, by its name or as `FILE:CLASS`.
Values have to be equal.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gametree as gt
from gametree import CHANCE, Game
from gametree.app.load import load
from gametree.search.chance.expectiminimax import Pruning
from smallest import parse

SMALLEST = "pig --depth 2 --positions 2 --set goal=20"
WAYS: tuple[Pruning, ...] = ("none", "alphabeta", "star1", "star2")
NAMES = {"none": "plain", "alphabeta": "alpha-beta between chance nodes", "star1": "Star1", "star2": "Star2"}
USUAL = "backgammon"
INSTEAD = "pig"


@dataclass(frozen=True)
class Count:
    """What one way to prune took over all positions."""

    way: Pruning
    hash_mb: float
    nodes: int
    seconds: float


def positions(game: Game, count: int, seed: int = 0, longest: int = 60) -> list[Any]:
    """States along random games, where a player moves."""
    rng, found = random.Random(seed), list[Any]()
    while len(found) < count:
        state, plies = game.initial(), rng.randint(1, longest)
        while not game.is_terminal(state) and (plies > 0 or game.player(state) == CHANCE):
            plies -= 1
            if game.player(state) == CHANCE:
                outcomes, odds = zip(*game.chance(state))
                state = game.result(state, rng.choices(outcomes, odds)[0])
            else:
                state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            found.append(state)
    return found


def measure(
    game: Game, states: Sequence[Any], depth: int | None, hash_mb: float, compile: str = "auto"
) -> list[Count]:
    """The nodes of every way to prune; refused where two of them differ in a value."""
    counts: list[Count] = []
    truth: list[float] = []
    for way in WAYS:
        results = [
            gt.expectiminimax(game, state, depth=depth, pruning=way, hash_mb=hash_mb, compile=compile)
            for state in states
        ]
        values = [result.values[0] for result in results]
        truth = truth or values
        if any(abs(a - b) > 1e-9 for a, b in zip(values, truth)):
            raise AssertionError(f"{way} finds other values than plain expectiminimax")
        nodes, seconds = sum(result.nodes for result in results), sum(result.seconds for result in results)
        counts.append(Count(way, hash_mb, nodes, seconds))
    return counts


def table(counts: Sequence[Count]) -> str:
    """Counts beside the plain one."""
    plain = counts[0].nodes
    lines = [f"{'':<32} {'nodes':>14} {'plain / nodes':>14} {'of plain':>9}"]
    for one in counts:
        lines.append(
            f"{NAMES[one.way]:<32} {one.nodes:>14,} {plain / one.nodes:>14.2f} {one.nodes / plain:>9.1%}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("game", nargs="?", default=USUAL)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--depth", type=int, default=2, help="actions of players; 0 for the end of the game")
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--hash", type=float, default=64, help="megabytes of the table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--compile", default="auto")
    given = parse(parser, SMALLEST, arguments)
    name = given.game
    if name == USUAL and USUAL not in gt.games.names():
        print(f"there is no {USUAL} here: {INSTEAD} instead")
        name = INSTEAD
    game = load(name, given.set)
    depth = given.depth or None
    states = positions(game, given.positions, given.seed)
    print(f"{game!r}, {len(states)} random positions (seed {given.seed}), depth {depth or 'to the end'}")
    for hash_mb, words in ((0, "without a table"), (given.hash, f"with a table of {given.hash:g} MB")):
        print(f"\n{words}")
        print(table(measure(game, states, depth, hash_mb, given.compile)))


if __name__ == "__main__":
    main()
