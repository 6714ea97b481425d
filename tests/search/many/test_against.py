"""Opponents who err: what is expected is what brute force expects, and the guarantee stands beside it."""

import math
import random
from collections.abc import Callable
from typing import Any

import pytest

import oracle
import oracle_many
from gametree import (
    InputError,
    Limit,
    Noisy,
    Tree,
    UnsuitableError,
    Value,
    against,
    best_response,
    minimax,
    paranoid,
)
from gametree.games import Nim, TicTacToe
from gametree.search.many.models import understood
from search.agreement import WAYS
from search.many.random_games import RandomGame
from search.many.test_values import MANY, SWEEP, a_state

LECTURE = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
Weigh = Callable[[list[float]], list[float]]


def by_error(error: float) -> Weigh:
    """All actions alike with probability `error`, else the first of the best."""

    def weigh(own: list[float]) -> list[float]:
        best = oracle_many.first_of_the_best(own)
        return [error / len(own) + (1 - error) * (place == best) for place in range(len(own))]

    return weigh


def by_temperature(temperature: float) -> Weigh:
    def weigh(own: list[float]) -> list[float]:
        odds = [math.exp(value / temperature) for value in own]
        return [one / sum(odds) for one in odds]

    return weigh


MODELS: list[tuple[Any, Weigh]] = [
    ("uniform", by_error(1.0)),
    (Noisy(error=0.0), by_error(0.0)),
    (Noisy(error=0.3), by_error(0.3)),
    (Noisy(temperature=0.5), by_temperature(0.5)),
    (Noisy(temperature=20), by_temperature(20)),
]


@SWEEP
def test_the_expectation_is_that_of_brute_force(count: int) -> None:
    rng = random.Random(1)
    games = [RandomGame(2), RandomGame(3, dice=True), RandomGame(4, teams=2, dice=True)]
    for number in range(count):
        game = games[number % 3]
        model, weigh = MODELS[number % 5]
        state, depth = a_state(rng, game.players), rng.randint(0, 4)
        player = rng.randrange(game.players)
        truth = oracle_many.erring(game, state, depth, player, weigh)
        for way in WAYS if count == MANY else WAYS[:1]:
            found = against(game, model, state, player=player, depth=depth, compile=way)
            assert found.values == pytest.approx(truth, abs=1e-9)
            assert float(found.value or 0) == found.values[player]
            assert found.player == player


@pytest.mark.parametrize("number", range(12))
def test_a_glance_weighs_by_the_evaluation_of_what_follows(number: int) -> None:
    game, rng = RandomGame(3), random.Random(number)
    state, depth = a_state(rng), 3
    if game.is_terminal(state):
        state = state._replace(number=state.number + 14)
    weigh = by_error(0.25) if number % 2 else by_temperature(2.0)
    model = Noisy(error=0.25, by="evaluation") if number % 2 else Noisy(temperature=2.0, by="evaluation")
    me = game.player(state)

    def lottery(state: Any) -> list[tuple[int, float]]:
        mover = game.player(state)
        actions = list(game.actions(state))
        after = [game.result(state, action) for action in actions]
        seen = [game.utility(s, mover) if game.is_terminal(s) else game.evaluate(s, mover) for s in after]
        return list(zip(actions, weigh(seen), strict=True))

    truth = oracle_many.expectation(game, state, depth, me, lottery)
    found = against(game, model, state, depth=depth, compile="never")
    assert float(found.value or 0) == pytest.approx(truth, abs=1e-9)


@SWEEP
def test_a_policy_is_met_as_best_response_meets_it(count: int) -> None:
    rng = random.Random(2)
    for number in range(min(count, 5_000) if count == MANY else 60):
        tree = Tree(oracle.random_tree_spec(rng, depth=4, branching=3), rng.choice([(0, 1), (1, 0)]))
        if tree.is_terminal(0):
            continue
        salt = rng.randrange(100)

        def policy(state: int, tree: Tree = tree, salt: int = salt, certain: bool = number % 2 == 0) -> Any:
            actions = list(tree.actions(state))
            if certain:
                return actions[(state * 7 + salt) % len(actions)]
            return [(action, 1 / len(actions)) for action in actions]

        player = rng.randrange(2)
        truth = best_response(tree, policy, player=player)
        found = against(tree, policy, player=player, compile="never")
        assert float(found.value or 0) == pytest.approx(float(truth.value), abs=1e-9)
        assert found.guarantee is not None
        assert float(found.guarantee) == float(truth.guarantee)
        assert found.gain == pytest.approx(truth.gain, abs=1e-9)
        assert found.exact


@pytest.mark.parametrize("policy", [lambda state: 1, lambda state: {1: 0.5, 2: 0.5} if state.left > 1 else 1])
def test_a_game_is_met_as_best_response_meets_it(policy: Any) -> None:
    for counters in (5, 8):
        game = Nim(counters=counters)
        found, truth = against(game, policy, compile="never"), best_response(game, policy)
        assert float(found.value or 0) == pytest.approx(float(truth.value))
        assert found.guarantee == float(truth.guarantee)


def test_the_action_found_may_risk_the_guarantee_and_says_so() -> None:
    found = against(LECTURE, lambda state: 0, compile="never")
    assert (found.action, found.value, found.line) == (2, Value(14), (2, 0))
    assert (found.guarantee, found.at_worst, found.gain) == (Value(3), Value(2), 11.0)
    text = str(found)
    for words in ("14 for MAX", "sure      3 against everybody", "gives away 11", "at worst  2"):
        assert words in text
    data = found.to_dict()
    assert (data["guarantee"]["payoff"], data["at_worst"]["payoff"], data["gain"]) == (3.0, 2.0, 11.0)


def test_without_errors_the_expectation_is_the_guarantee() -> None:
    found = against(LECTURE, Noisy(error=0), compile="never")
    assert found.value == found.guarantee == minimax(LECTURE, compile="never").value
    assert found.gain == 0


def test_the_guarantee_is_that_of_paranoid_search_to_the_same_depth() -> None:
    game = TicTacToe()
    state = game.parse_state("X../.O./...")
    found = against(game, "uniform", state, depth=3, moves=True, compile="never")
    assert found.guarantee == paranoid(game, state, depth=3, compile="never").value
    assert found.gain is not None
    assert found.gain >= 0
    assert found.depth == 3
    assert len(found.moves) == 7
    assert not found.exact


def test_a_limit_of_nodes_leaves_the_guarantee_open() -> None:
    game = TicTacToe()
    found = against(game, "uniform", limit=Limit(nodes=5), compile="never")
    assert found.stopped_by == "nodes"
    assert found.nodes == 5


def test_the_end_of_the_game_is_what_it_is() -> None:
    game = TicTacToe()
    found = against(game, "uniform", game.parse_state("XXX/OO./..."))
    assert (found.action, found.guarantee, found.at_worst) == (None, found.value, found.value)


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "an error or a temperature"),
        ({"error": 0.1, "temperature": 1.0}, "an error or a temperature"),
        ({"error": 1.5}, "from 0 to 1"),
        ({"error": True}, "from 0 to 1"),
        ({"error": math.nan}, "from 0 to 1"),
        ({"temperature": 0}, "a number above 0"),
        ({"temperature": math.inf}, "a number above 0"),
        ({"error": 0.1, "by": "heart"}, '"values" or "evaluation"'),
    ],
    ids=str,
)
def test_noise_that_is_none_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Noisy(**given)


@pytest.mark.parametrize("model", ["perfect", 3, None, Noisy, int], ids=repr)
def test_what_is_no_model_is_refused(model: Any) -> None:
    with pytest.raises(InputError, match="is no model of an opponent"):
        against(LECTURE, model)


def test_a_glance_needs_an_evaluation() -> None:
    with pytest.raises(UnsuitableError, match=r"Nim has no `evaluate`, so .*at a glance"):
        against(Nim(counters=3), Noisy(error=0.1, by="evaluation"))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (lambda state: 7, "plays 7 at 1, which is not legal"),
        (lambda state: [(0, 0.5)], "sum to 0.5, not to 1"),
        (lambda state: [(0, 2.0)], "with probability 2.0"),
        (lambda state: [0, 1], r"a list of pairs \(action, probability\)"),
        (lambda state: [], r"a list of pairs \(action, probability\)"),
        ({}, "the policy has no move for 1"),
    ],
)
def test_a_policy_that_cannot_be_played_is_refused(policy: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        against(LECTURE, policy)


def test_a_player_who_does_not_play_is_refused() -> None:
    with pytest.raises(InputError, match=r"player=2: Tree has the players 0 to 1"):
        against(LECTURE, "uniform", player=2)


def test_models_have_names() -> None:
    assert understood(LECTURE, "uniform")[1] == "uniform"
    assert understood(LECTURE, Noisy(temperature=2.0, by="values"))[1] == "Noisy(temperature=2.0)"
    assert understood(LECTURE, {})[1] == "a dict"
    assert repr(Noisy(error=0.5, by="evaluation")) == "Noisy(error=0.5, by='evaluation')"
