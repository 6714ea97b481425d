"""Where a game gives hints, the engine proves what it can in the time it has, and says so only of what is proven."""

import random
import threading
from typing import Any

import pytest

import gametree as gt
from gametree import games
from gametree.search.core.task import Task
from gametree.search.engine.proof_attempts import ProofAttempts
from gametree.search.solve.exact import answers
from search.exact import slow_truth

SMALL = games.ConnectFour(4, 4)


def some_states(game: gt.Game, plies: range, count: int, seed: int = 0) -> list[Any]:
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game.initial()
        for _ in range(rng.choice(plies)):
            if game.is_terminal(state):
                break
            state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            found.append(state)
    return found


@pytest.mark.parametrize("size", [(4, 4), (5, 3), (4, 5)])
def test_the_margin_tells_in_how_many_plies_connect_four_is_over(size: tuple[int, int]) -> None:
    game = games.ConnectFour(*size)
    for state in some_states(game, range(game.size - 10, game.size), 40):
        truth = gt.solve(game, state, method="graph").value
        margin = slow_truth.margin(game, state, {})
        assert truth is not None
        assert answers.worth(game, state, margin, game.player(state)) == truth
        if truth.outcome:
            assert game.distance(state, margin) == truth.plies
        other = 1 - game.player(state)
        assert answers.worth(game, state, -margin, other).payoff == -truth.payoff


@pytest.mark.parametrize("compile", ["auto", "never"])
def test_analyze_by_time_equals_solve(compile: str) -> None:
    engine = gt.Engine(SMALL, compile=compile)
    for state in some_states(SMALL, range(7, 14), 12):
        found = engine.analyze(state, gt.Limit(seconds=20), moves=True)
        truth = gt.solve(SMALL, state, moves=True, method="graph")
        assert found.exact and found.value == truth.value
        assert {move.action: move.value for move in found.moves} == {m.action: m.value for m in truth.moves}
        assert all(move.exact and move.bound == "exact" for move in found.moves)


def test_the_value_to_the_second_player_is_told_from_his_side() -> None:
    state = SMALL.parse_state("121")
    found = gt.Engine(SMALL).analyze(state, gt.Limit(seconds=20))
    assert found.exact and found.value is not None and found.player == 1
    assert found.values == (-found.value.payoff, found.value.payoff)


@pytest.mark.needs_compiler
def test_an_attempt_that_is_too_long_leaves_an_answer_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProofAttempts, "promising", lambda *_: True)
    game = games.ConnectFour()
    engine = gt.Engine(game, book=False)
    engine.prepare()
    found = engine.analyze(limit=gt.Limit(seconds=0.3))
    assert not found.exact and found.action in game.actions(game.initial()) and found.depth


@pytest.mark.needs_compiler
def test_a_proof_under_way_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProofAttempts, "promising", lambda *_: True)
    game = games.ConnectFour()
    engine = gt.Engine(game, book=False)
    engine.analyze(limit=gt.Limit(seconds=0.05))
    timer = threading.Timer(0.5, engine.stop)
    timer.start()
    found = engine.analyze(limit=gt.Limit(seconds=600))
    timer.join()
    assert found.action in game.actions(game.initial())
    assert found.seconds < 300 and found.stopped_by == "cancelled"
    # Told to stop once, it does not stop the next search.
    assert engine.analyze(limit=gt.Limit(depth=4)).depth == 4


def test_a_tree_that_was_too_large_is_not_tried_again_until_it_is_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes = {"large": 20.0, "as large": 18.5, "small": 15.0}
    monkeypatch.setattr(answers, "tree_log10", lambda game, state: sizes[state])
    game = games.ConnectFour()
    proof = ProofAttempts(game, compile="auto", hash_mb=8, threads=1)

    def task(state: str) -> Task:
        return Task(method="x", game=game, state=state, limit=gt.Limit())

    assert all(proof.promising(task(state), 100) for state in sizes)
    proof.failed(task("large"), 100)
    assert [proof.promising(task(state), 100) for state in sizes] == [False, False, True]
    assert proof.promising(task("large"), 200)
    assert not proof.promising(task("small"), 0.001)
