"""Trees for best-first searches: ragged, tied, with floats, with players out of turn, with branches that meet again."""

import functools
import random
from collections.abc import Iterator
from typing import Any

import oracle
from fixtures.graphs import Nodes, Undeclared, forest
from gametree import Analysis, Game, Tree
from gametree.compiled import native

COMPILES = not native.unavailable()
BEST_MODE = "always" if COMPILES else "never"
MOVERS = ((0, 1), (1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1, 0), (0,), (1,))
FOREST = 2000


@functools.cache
def trees_of(seed: int, kind: type[Nodes]) -> Nodes:
    """A forest whose trees share one compilation."""
    return forest(seed, FOREST, levels=6, branching=3, kind=kind)


def meeting_trees(seed: int, count: int, kind: type[Nodes] = Undeclared) -> Iterator[tuple[Nodes, int]]:
    """Trees of a forest, each with its root; in many of them branches meet again."""
    for number in range(count):
        yield trees_of(seed + number // FOREST, kind), number % FOREST


def ragged_tree(rng: random.Random) -> Tree:
    """A tree as a lecture might have it: mostly whole numbers with many ties, sometimes floats."""
    spec = oracle.random_tree_spec(
        rng,
        depth=rng.choice([1, 2, 3, 3, 4, 4, 5]),
        branching=rng.choice([2, 3, 3, 4]),
        low=-rng.randint(0, 4),
        high=rng.randint(0, 4),
        leaf=rng.choice([0.0, 0.2, 0.4]),
        floats=rng.random() < 0.25,
    )
    return Tree(spec, rng.choice(MOVERS))


def end_of(game: Game, state: Any, line: tuple[Any, ...]) -> Any:
    """The state at the end of a line, of which every action has to be legal."""
    for action in line:
        assert not game.is_terminal(state)
        assert action in list(game.actions(state))
        state = game.result(state, action)
    return state


def check_value(game: Game, state: Any, found: Analysis, why: Any) -> None:
    """The value is the oracle's, the action the first of the best, and the line earns what was promised."""
    truth = oracle.minimax(game, state)
    assert found.values[0] == truth.value, why
    assert found.exact, why
    assert found.bound == "exact", why
    assert found.action == (truth.best[0] if truth.best else None), why
    assert found.line[:1] == tuple(truth.best[:1])
    end = end_of(game, state, found.line)
    assert game.is_terminal(end), why
    assert game.utility(end, 0) == truth.value, why
