"""A table full of nonsense: the engine plays worse for it, but nothing illegal, and it does not fall over."""

from typing import Any

import numpy as np
import pytest

import gametree as gt
from fixtures.graphs import Draw3, cycles, forest
from gametree.compiled import native
from gametree.search.analyze import Engine
from gametree.search.engine import node
from gametree.search.engine.profiles import GENERAL, PVS

pytestmark = pytest.mark.bounds

BEST_MODE = "never" if native.unavailable() else "always"


def random_words(engine: Engine, rng: np.random.Generator) -> Any:
    """Nothing but noise."""
    return rng.integers(-(1 << 63), 1 << 63, len(engine._knowledge.table), dtype=np.int64, endpoint=False)


def forged(engine: Engine, rng: np.random.Generator) -> Any:
    """Every entry answers to its key and says something random about it: the check word is right."""
    there = np.array(engine._knowledge.table, dtype=np.int64).reshape(-1, node.LAYOUT.words)
    new = random_words(engine, rng).reshape(-1, node.LAYOUT.words)
    key = np.bitwise_xor.reduce(there, axis=1)
    new[:, node.ABOUT] |= node.IN_USE
    new[:, 0] = key ^ np.bitwise_xor.reduce(new[:, 1:], axis=1)
    return new.reshape(-1)


def plausible(engine: Engine, rng: np.random.Generator) -> Any:
    """Forged entries whose values are numbers that a search could have found, wins and losses among them."""
    new = forged(engine, rng).reshape(-1, node.LAYOUT.words)
    values = rng.choice([0.0, 1.5, -2.25, 2.0**52 - 3, 7 - 2.0**52, 2.0**52 - 900], len(new))
    key = np.bitwise_xor.reduce(new, axis=1)
    new[:, 1] = values.view(np.int64)
    new[:, 0] = key ^ np.bitwise_xor.reduce(new[:, 1:], axis=1)
    return new.reshape(-1)


WISHES: list[dict[str, Any]] = [{}, {"moves": True}, {"lines": 2}]
WAYS = {"random": random_words, "forged": forged, "plausible": plausible}


def spoil(engine: Engine, words: Any) -> None:
    engine._knowledge.table[:] = (
        [int(word) for word in words] if isinstance(engine._knowledge.table, list) else words
    )


def check(game: gt.Game, state: Any, found: gt.Analysis) -> None:
    """The action is legal, and so are all the lines, step by step."""
    assert found.action in list(game.actions(state))
    for line in (found.line, *(move.line for move in found.lines)):
        at = state
        for action in line:
            assert not game.is_terminal(at)
            assert action in list(game.actions(at))
            at = game.result(at, action)
    assert found.to_json()


def torment(game: gt.Game, states: list[Any], searches: int, way: str, compile: str, deepest: int) -> int:
    """Searches a state, spoils what was found, and searches it again, to the same depth or another; how often."""
    rng = np.random.default_rng(51)
    engines = [
        Engine(game, hash_mb=0.01, compile=compile),
        Engine(game, hash_mb=0.01, compile=compile, profile="patient"),
        Engine(game, hash_mb=0.01, compile=compile, selective=False),
        Engine(game, hash_mb=0.01, compile=compile, threads=2, profile=GENERAL & ~PVS),
    ]
    checked = 0
    for number in range(searches):
        engine = engines[number % len(engines)]
        state = states[number % len(states)]
        depth = int(rng.integers(2, deepest + 1))
        if engine._knowledge.table is None or rng.random() < 0.5:
            engine.clear()
            engine.analyze(state, depth=depth)
        spoil(engine, WAYS[way](engine, rng))
        asked = WISHES[int(rng.integers(0, len(WISHES)))]
        check(game, state, engine.analyze(state, depth=max(1, depth - int(rng.integers(0, 2))), **asked))
        checked += 1
    return checked


def states_of(game: gt.Game, count: int) -> list[int]:
    return [s for s in range(count) if not game.is_terminal(s)]


@pytest.mark.parametrize("way", WAYS)
def test_nonsense_in_the_table_leads_to_no_illegal_action(way: str) -> None:
    many = 4 if BEST_MODE == "always" else 1
    trees, circles = forest(52, 200, levels=7), cycles(52, 200, kind=Draw3)
    assert torment(trees, states_of(trees, 200), 12 * many, way, BEST_MODE, 6) == 12 * many
    assert torment(circles, states_of(circles, 1600), 12 * many, way, BEST_MODE, 8) == 12 * many


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("name", "deepest"), [("connect-four", 4), ("checkers", 3), ("nim", 6)])
def test_nor_in_a_shipped_game(name: str, deepest: int, way: str) -> None:
    game = gt.games.load(name)
    assert torment(game, [game.initial()], 6, way, "never", deepest) == 6


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("compile", ["never", "always"])
def test_ten_thousand_searches_on_a_table_of_nonsense(way: str, compile: str) -> None:
    if compile == "always" and native.unavailable():
        pytest.skip("nothing can be compiled")
    count = 1200 if compile == "always" else 200
    trees, circles = forest(53, 1000, levels=7), cycles(53, 1000, kind=Draw3)
    done = torment(trees, states_of(trees, 1000), count, way, compile, 6)
    done += torment(circles, states_of(circles, 8000), count, way, compile, 8)
    for name, deepest in (("connect-four", 6), ("checkers", 6), ("chess", 3), ("othello", 5)):
        game = gt.games.load(name)
        done += torment(
            game, [game.initial()], count // 4, way, compile, deepest if compile == "always" else 3
        )
    assert done == 3 * count
