"""Information-set Monte-Carlo tree search and perfect-information Monte Carlo."""

import dataclasses
from typing import Any

import pytest

import gametree as gt
from gametree.games import Nim, PhantomTicTacToe
from gametree.search.hidden.ismcts import ismcts
from gametree.search.hidden.pimc import pimc
from gametree.view import view_of
from search.hidden.coins import Coin, Partners, alike, plays


def told(analysis: gt.Analysis) -> Any:
    """What a search said, but for how long it took and how it ran."""
    left = {name: value for name, value in analysis.parameters.items() if name != "compiled"}
    return dataclasses.replace(analysis, seconds=0.0, parameters=left)


@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_who_has_not_seen_the_coin_bets_on_the_likely_side(observers: Any) -> None:
    game = Coin()
    history = [(-1, -1, -1), (1, -1, -1)]
    found = ismcts(game, (1, 1, -1), history=history, simulations=3000, observers=observers, moves=True)
    assert found.action == 0
    assert float(found.moves[0].value) == pytest.approx(0.4, abs=0.06)
    assert found.nodes == 3000
    assert not found.exact


@pytest.mark.parametrize("compile", ["never", "auto"])
@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_the_other_hand_changes_nothing(observers: Any, compile: str) -> None:
    """The true state is replaced by every other that shows the player the same: each number stays."""
    game = PhantomTicTacToe()
    for state, history in list(plays(game, 3))[2:5]:
        view = view_of(game, state, history)
        asked: dict[str, Any] = {"simulations": 60, "observers": observers, "compile": compile, "moves": True}
        wanted = told(ismcts(game, state, history=history, **asked))
        assert told(ismcts(game, view, **asked)) == wanted
        for other, before in alike(game, view, state):
            assert told(ismcts(game, other, history=before, **asked)) == wanted


def test_pimc_sees_no_more_than_the_player() -> None:
    game = PhantomTicTacToe()
    for state, history in list(plays(game, 4))[3:5]:
        view = view_of(game, state, history)
        wanted = told(pimc(game, view, depth=2, worlds=3, moves=True, compile="never"))
        for other, before in alike(game, view, state):
            found = pimc(game, other, history=before, depth=2, worlds=3, moves=True, compile="never")
            assert told(found) == wanted


def test_interpreted_and_compiled_say_the_same() -> None:
    game = PhantomTicTacToe()
    for state, history in list(plays(game, 5))[:3]:
        first, second = (
            told(ismcts(game, state, history=history, simulations=400, compile=mode, moves=True))
            for mode in ("never", "auto")
        )
        assert first == second


def test_a_partner_learns_to_tell_what_he_alone_sees() -> None:
    """What is best depends on what the partner will read into it; searching for both finds a code that works."""
    game = Partners()
    value = max(float(ismcts(game, simulations=20_000, seed=seed).values[0]) for seed in range(3))
    assert value > 0.8


@pytest.mark.parametrize("compile", ["never", "auto"])
@pytest.mark.parametrize("observers", ["multiple", "single"])
def test_a_table_that_is_full_does_not_end_the_search(observers: Any, compile: str) -> None:
    game = PhantomTicTacToe()
    found = ismcts(game, simulations=3000, observers=observers, memory_mb=0.05, compile=compile)
    assert (found.nodes, found.stopped_by) == (3000, "nodes")
    assert found.name == "b2" and "memory for the tree was used up" in found.notes[1]


def test_a_mixed_strategy_sums_to_one_and_is_shown_as_percentages() -> None:
    found = ismcts(PhantomTicTacToe(), simulations=500, final="mixed", compile="never")
    assert found.strategy is not None
    assert sum(odds for _, odds in found.strategy) == pytest.approx(1)
    assert "strategy" in str(found) and " %" in str(found)
    assert found.to_dict()["strategy"][0].keys() == {"action", "probability"}


def test_a_game_that_hides_nothing_is_played_as_well() -> None:
    assert ismcts(Nim(counters=5), simulations=2000, compile="never").action == 1


def test_before_chance_there_is_a_value_and_no_action() -> None:
    found = ismcts(Coin(), simulations=2000)
    assert found.action is None
    assert found.player == gt.CHANCE
    assert found.values[0] == pytest.approx(0.4, abs=0.15)


def test_who_searches_for_perfect_information_is_told_what_to_use() -> None:
    with pytest.raises(gt.UnsuitableError, match=r"hides information.*use ismcts or pimc"):
        gt.alphabeta(PhantomTicTacToe(), depth=2)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"observers": "both"}, 'observers=\'both\': it is "multiple" or "single"'),
        ({"final": "best"}, 'it is "robust" or "mixed"'),
        ({"worlds": 0}, "how many worlds"),
        ({"exploration": -1}, "how much to explore"),
        ({"limit": gt.Limit(depth=3)}, "ismcts goes by simulations"),
        ({"simulations": 0}, "simulations=0"),
    ],
)
def test_what_cannot_be_asked_is_refused(wrong: Any, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        ismcts(PhantomTicTacToe(), **wrong)


class Raises(Coin):
    """The rules fail where the guess is 1."""

    def utility(self, state: Any, player: int) -> float:
        if state[2] == 1:
            raise ValueError("nobody has thought of that")
        return super().utility(state, player)


@pytest.mark.parametrize("compile", ["never", "auto"])
def test_what_the_rules_raise_is_what_the_user_sees(compile: str) -> None:
    with pytest.raises(ValueError, match="nobody has thought of that"):
        ismcts(Raises(), (0, 1, -1), simulations=100, compile=compile)


@pytest.mark.parametrize("compile", ["never", "auto"])
def test_who_looks_on_does_not_end_a_search(compile: str) -> None:
    seen: list[gt.Analysis] = []
    found = ismcts(Coin(), (1, 1, -1), simulations=2500, compile=compile, on_progress=seen.append)
    assert found.nodes == 2500 and [one.nodes for one in seen] == [1000]
