"""One thread, the same answer every time: from run to run, from process to process, after a reset."""

import dataclasses
import os
import subprocess
import sys
from typing import Any

import pytest

import gametree as gt
from fixtures.graphs import Draw3, Nodes, cycles, forest
from gametree.app.commands import bench
from gametree.compiled import native
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import GENERAL, PVS

BEST_MODE = "never" if native.unavailable() else "always"


def signature(quick: bool, compile: str) -> list[int]:
    """The nodes of every entry; their sum is what `gametree bench` prints."""
    return [measured.nodes for measured in bench.measure(quick, compile)]


def in_another_process(quick: bool, compile: str) -> list[int]:
    program = (
        "from gametree.app.commands import bench\n"
        f"print(*(measured.nodes for measured in bench.measure({quick}, {compile!r})))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return [int(word) for word in done.stdout.split()]


def test_two_runs_and_another_process_have_the_same_signature() -> None:
    first = signature(True, "never")
    assert signature(True, "never") == first
    assert in_another_process(True, "never") == first


@pytest.mark.slow
def test_ten_runs_and_two_processes_have_the_same_signature() -> None:
    runs = [signature(False, "auto") for _ in range(10)]
    runs += [in_another_process(False, "auto") for _ in range(2)]
    assert all(run == runs[0] for run in runs)


def told(found: gt.Analysis) -> gt.Analysis:
    """All that a result says, but how long it took."""
    return dataclasses.replace(found, seconds=0.0)


NODE_LIMITS = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765, 10946]


def check_limits(game: gt.Game, state: Any, compile: str, limits: list[int], **settings: Any) -> None:
    engine = Engine(game, compile=compile, hash_mb=0.1, **settings)
    for nodes in limits:
        engine.clear()
        first = engine.analyze(state, gt.Limit(nodes=nodes, depth=12))
        assert first.nodes <= nodes
        if first.stopped_by == "nodes":
            assert first.nodes == nodes
        assert first.action in list(game.actions(state))
        engine.analyze(
            state, gt.Limit(nodes=500, depth=12)
        )  # what it leaves behind must not matter after a reset
        engine.clear()
        assert told(engine.analyze(state, gt.Limit(nodes=nodes, depth=12))) == told(first)
        other = Engine(game, compile=compile, hash_mb=0.1, **settings)
        assert told(other.analyze(state, gt.Limit(nodes=nodes, depth=12))) == told(first)


@pytest.mark.parametrize(
    "settings",
    [{}, {"profile": "fast"}, {"profile": "patient"}, {"selective": False}, {"profile": GENERAL & ~PVS}],
    ids=str,
)
def test_twenty_node_limits_give_the_same_result_after_a_reset(settings: dict[str, Any]) -> None:
    game = forest(61, 4, levels=9, branching=4)
    check_limits(game, 1, BEST_MODE, NODE_LIMITS if BEST_MODE == "always" else NODE_LIMITS[:14], **settings)
    circles = cycles(61, 4, size=20, kind=Draw3)
    root = next(s for s in range(80) if not circles.is_terminal(s))
    check_limits(circles, root, BEST_MODE, NODE_LIMITS[:16], **settings)


@pytest.mark.parametrize("name", ["connect-four", "checkers"])
def test_node_limits_are_exact_in_shipped_games_too(name: str) -> None:
    game = gt.games.load(name)
    check_limits(game, game.initial(), "never", NODE_LIMITS[3:12:2])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "nim", "checkers", "othello", "chess"])
def test_node_limits_are_exact_in_every_shipped_game(name: str) -> None:
    game = gt.games.load(name)
    check_limits(game, game.initial(), BEST_MODE, [*NODE_LIMITS, 50_000, 200_000])


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_engines_tell_the_same() -> None:
    """All but the line of progress: estimates, bounds, lines and node counts."""
    trees, circles = forest(62, 40, levels=7), cycles(62, 40, kind=Draw3)
    games: list[tuple[Nodes, list[int]]] = [
        (trees, list(range(40))),
        (circles, [s for s in range(320) if not circles.is_terminal(s)][:40]),
    ]
    for game, roots in games:
        for selective in (True, False):
            ways = [
                Engine(game, hash_mb=1e-3, compile=compile, selective=selective)
                for compile in ("never", "always")
            ]
            for root in roots:
                found = [told(engine.analyze(root, depth=6, lines=2)) for engine in ways]
                alike = [dataclasses.replace(one, parameters={}) for one in found]
                assert alike[0] == alike[1], root
