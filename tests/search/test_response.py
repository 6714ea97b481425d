"""The best response to a known opponent, against trying every response there is."""

import itertools
import json
import random
from fractions import Fraction
from typing import Any

import pytest

import oracle
from fixtures.graphs import Loss2, Nodes, cycles, forest
from gametree import InputError, Limit, UnsuitableError, Value
from gametree.games import Nim, TicTacToe
from gametree.search.solve.best_response import best_response
from gametree.search.solve.solver import CannotFinishError
from gametree.search.solve.strategy import strategy
from search.endless import Toggle


def expected(game: Nodes, state: int, player: int, policy: Any) -> float:
    """What the best response gets, by plain recursion: the best of one's own moves, the average of the other's."""
    if game.is_terminal(state):
        return game.utility(state, player)
    actions = list(game.actions(state))
    if game.player(state) == player:
        return max(expected(game, game.result(state, a), player, policy) for a in actions)
    lottery: dict[int, float] = policy(state)
    return sum(
        chance * expected(game, game.result(state, a), player, policy) for a, chance in lottery.items()
    )


def lots(game: Nodes, seed: int, pure: bool) -> Any:
    """A policy at random, the same at each call: one action, or a lottery over some."""

    def policy(state: int) -> dict[int, float]:
        rng = random.Random(seed * 1_000_003 + state)
        actions = list(game.actions(state))
        if pure:
            return {rng.choice(actions): 1.0}
        weights = [rng.choice([0, 1, 1, 2, 5]) for _ in actions]
        weights[rng.randrange(len(actions))] += 1
        return {a: w / sum(weights) for a, w in zip(actions, weights)}

    return policy


@pytest.mark.parametrize("pure", [True, False])
def test_the_best_response_on_random_trees_is_what_plain_recursion_finds(pure: bool) -> None:
    game = forest(101, 250, levels=5)
    rng = random.Random(101)
    for root in range(250):
        player = rng.randrange(2)
        policy = lots(game, root, pure)
        found = best_response(game, policy, root, player=player)
        truth = expected(game, root, player, policy)
        assert float(found.value) == pytest.approx(truth, abs=1e-12)
        value = oracle.minimax(game, root).value
        assert float(found.guarantee) == (value if player == 0 else -value)
        assert found.exact and found.gain >= -1e-12
        assert found.certain or not pure


@pytest.mark.parametrize("pure", [True, False])
def test_playing_the_response_earns_what_it_says(pure: bool) -> None:
    game = forest(102, 80, levels=5)
    for root in range(80):
        policy = lots(game, root, pure)
        found = best_response(game, policy, root)

        def earned(state: int, found: Any = found, policy: Any = policy) -> float:
            if game.is_terminal(state):
                return game.utility(state, 0)
            if game.player(state) == 0:
                return earned(game.result(state, found(state)))
            lottery: dict[int, float] = policy(state)
            return sum(p * earned(game.result(state, a)) for a, p in lottery.items() if p)

        assert earned(root) == pytest.approx(float(found.value), abs=1e-12)


def every_response(game: Nodes, states: list[int], root: int, policy: dict[int, int]) -> float:
    """The best of all positional responses of player 0 to a policy of one action a state; 0 for plays without end."""
    mine = [s for s in states if not game.is_terminal(s) and game.player(s) == 0]
    best = -5.0
    for choice in itertools.product(*(list(game.actions(s)) for s in mine)):
        response = dict(zip(mine, choice))
        state, seen = root, set[int]()
        while not game.is_terminal(state) and state not in seen:
            seen.add(state)
            state = game.result(state, response[state] if state in response else policy[state])
        best = max(best, game.utility(state, 0) if game.is_terminal(state) else 0.0)
    return best


def test_in_circles_the_response_to_a_sure_opponent_is_the_best_of_all() -> None:
    game = cycles(103, 120, size=6, branching=2)
    rng = random.Random(103)
    for first in range(0, 120 * 6, 6):
        if game.is_terminal(first):
            continue
        states = list(range(first, first + 6))
        policy = {
            s: rng.choice(list(game.actions(s)))
            for s in states
            if not game.is_terminal(s) and game.player(s) == 1
        }
        found = best_response(game, policy, first)
        assert float(found.value) == every_response(game, states, first, policy), first
        assert found.exact


class Roulette(Toggle):
    """Stay or leave: whoever leaves from 0 gets 1, from 1 the other does; the second player tosses a coin."""

    def is_terminal(self, state: int) -> bool:
        return state >= 2

    def result(self, state: int, action: int) -> int:
        return 1 - state if action == 0 else state + 2

    def utility(self, state: int, player: int) -> float:
        return (0.25 if state == 2 else 1.0) * (1 if player == 0 else -1)


def test_against_lots_in_circles_the_value_is_approached() -> None:
    """Always staying wins 1 with certainty, in the end: the coin falls on leaving some day."""
    found = best_response(Roulette(), lambda state: {0: 0.5, 1: 0.5})
    assert float(found.value) == pytest.approx(1, abs=1e-9)
    assert not found.exact and not found.certain and float(found.guarantee) == 0.25
    assert found(0) == 0


class Patience(Roulette):
    """At 0 one may also go on: waiting first, which comes to nothing if one waits for ever."""

    def actions(self, state: int) -> range:
        return range(3 if state == 0 else 2)

    def result(self, state: int, action: int) -> int:
        return super().result(state, action) if state == 1 else (0, 1, 2)[action]


def test_a_response_does_not_wait_for_ever_for_what_it_could_have() -> None:
    found = best_response(Patience(), lambda state: {0: 0.5, 1: 0.5})
    assert float(found.value) == pytest.approx(1, abs=1e-9)
    assert found(0) == 1
    sure = best_response(Patience(), lambda state: 1)
    assert sure.value == 1 and sure(0) == 1 and sure.names == ("1", "1")


def test_tic_tac_toe_against_one_who_plays_at_random() -> None:
    """191 of 192: known from the literature, and computed here in fractions."""
    game = TicTacToe()
    known: dict[Any, Fraction] = {}

    def value(state: Any) -> Fraction:
        if state not in known:
            if game.is_terminal(state):
                known[state] = Fraction(int(game.utility(state, 0)))
            else:
                after = [value(game.result(state, a)) for a in game.actions(state)]
                known[state] = max(after) if game.player(state) == 0 else sum(after, Fraction()) / len(after)
        return known[state]

    found = best_response(game, uniform)
    assert float(found.value) == pytest.approx(float(value(game.initial())), abs=1e-12)
    assert value(game.initial()) == Fraction(191, 192)
    assert found.guarantee == 0 and found.gain == pytest.approx(191 / 192) and found.positions == 5478


def uniform(state: Any) -> dict[int, float]:
    actions = list(TicTacToe().actions(state))
    return dict.fromkeys(actions, 1 / len(actions))


def test_against_a_best_strategy_nothing_is_gained() -> None:
    game = TicTacToe()
    for player in (0, 1):
        found = best_response(game, strategy(game, player=1 - player), player=player)
        assert found.value == found.guarantee == 0 and found.gain == 0 and found.certain


def test_an_opponent_who_always_takes_one_loses_a_game_that_was_won() -> None:
    found = best_response(Nim(counters=8), lambda state: 1)
    assert (found.value, found.guarantee, found.gain) == (Value.win(1, 5), Value.loss(-1, 4), 2.0)
    assert str(found) == (
        "Nim, best response of the first player\n"
        "  against it win in 5 for the first player\n"
        "  minimax    loss in 4, guaranteed against everybody\n"
        "  gain       2\n"
        "  line       1 1 2 1 3\n"
        "  looked at  16 positions that can arise against the policy"
    )
    assert "on average" in str(best_response(TicTacToe(), uniform))
    assert "<table>" in found._repr_html_() and repr(found) == str(found)
    data = json.loads(found.to_json())
    assert (data["schema"], data["gain"], data["line"]) == ("gametree.response/1", 2.0, list("11213"))


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (lambda state: 7, "plays 7 at .* which is not legal"),
        (lambda state: {1: 0.5, 2: 0.6}, "sum to 1.1, not to 1"),
        (lambda state: {}, "sum to 0, not to 1"),
        (lambda state: {1: "often"}, "probability 'often'"),
        (lambda state: {1: -1, 2: 2}, "probability -1"),
        ({}, "no move for State.*, which can arise"),
    ],
)
def test_a_policy_that_is_none_is_refused(policy: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        best_response(Nim(counters=5), policy)


def test_what_cannot_be_answered_is_refused() -> None:
    with pytest.raises(InputError, match="player=3"):
        best_response(Nim(), lambda state: 1, player=3)
    with pytest.raises(UnsuitableError, match="best_response knows positions alone"):
        best_response(cycles(1, 1, kind=Loss2), lambda state: 0)
    with pytest.raises(CannotFinishError, match="stopped by nodes"):
        best_response(TicTacToe(), uniform, limit=Limit(nodes=10))
    with pytest.raises(CannotFinishError, match="more than 100 positions"):
        best_response(TicTacToe(), uniform, most_states=100)
    with pytest.raises(CannotFinishError, match="that can arise against the policy"):
        best_response(TicTacToe(), uniform, most_states=1000)
    with pytest.raises(InputError, match="does not arise against this policy"):
        best_response(Nim(counters=5), lambda state: 1)((99, 0))
