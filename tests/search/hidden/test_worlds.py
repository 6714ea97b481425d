"""Worlds: which states a player may be in, and with what probability, by what he has seen alone."""

from fractions import Fraction
from typing import Any

import pytest

import gametree as gt
from gametree.games import PhantomTicTacToe
from gametree.search.core.stopwatch import StopWatch
from gametree.search.hidden import worlds
from gametree.search.hidden.worlds import FEWEST, GIVEN, LISTED, REPLAYED, Sampler
from gametree.view import View, view_of
from search.hidden.coins import Coin, plays


def by_definition(game: gt.Game, view: View) -> dict[Any, float]:
    """Every play of the game, and of those in which the player saw what he saw the share of each state."""
    found: dict[Any, Fraction] = {}

    def walk(state: Any, record: tuple[Any, ...], weight: Fraction) -> None:
        if game.is_terminal(state):
            return
        mover = game.player(state)
        if mover == view.player and record == view.record:
            found[state] = found.get(state, Fraction(0)) + weight
        if record != view.record[: len(record)]:
            return
        if mover == gt.CHANCE:
            following = [(outcome, Fraction(odds)) for outcome, odds in game.chance(state)]
        else:
            actions = list(game.actions(state))
            share = Fraction(1) if mover == view.player else Fraction(1, len(actions))
            following = [(action, share) for action in actions]
        for action, share in following:
            after = game.result(state, action)
            seen = game.observe(after, view.player)
            walk(after, record if seen == record[-1] else (*record, seen), weight * share)

    first = game.initial()
    walk(first, (game.observe(first, view.player),), Fraction(1))
    total = sum(found.values())
    return {state: float(weight / total) for state, weight in found.items()}


def test_a_record_holds_what_changed_and_not_how_often_others_moved() -> None:
    game = PhantomTicTacToe()
    states = [game.initial()]
    for square in (4, 4, 0):
        states.append(game.result(states[-1], square))
    view = view_of(game, states[3], states[:3])
    assert view.player == 0
    assert len(view.record) == 2
    assert view.actions == (0, 1, 2, 3, 5, 6, 7, 8)


@pytest.mark.parametrize("seed", range(4))
def test_listed_worlds_are_those_of_the_definition(seed: int) -> None:
    game = PhantomTicTacToe()
    for state, history in list(plays(game, seed))[:5]:
        view = view_of(game, state, history)
        found = Sampler(game, "never").sample(view)
        assert found.how == LISTED
        assert state in found.states
        assert dict(zip(found.states, found.weights)) == pytest.approx(by_definition(game, view))


@pytest.mark.parametrize("compile", ["never", "auto"])
def test_replayed_worlds_come_as_often_as_they_are_likely(
    compile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worlds, "FEW", 0)
    game = PhantomTicTacToe()
    for state, history in list(plays(game, 1))[1:5]:
        view = view_of(game, state, history)
        wanted = by_definition(game, view)
        found = Sampler(game, compile).sample(view, 1500, seed=7)
        assert found.how == REPLAYED
        assert set(found.states) <= wanted.keys()
        share = dict(zip(found.states, found.weights))
        apart = sum(abs(share.get(world, 0) - odds) for world, odds in wanted.items()) / 2
        assert apart < 0.6 * (len(wanted) / 1500) ** 0.5 + 0.02


def test_chance_counts_by_its_probability() -> None:
    game = Coin()
    state = (0, 1, -1)
    found = Sampler(game).sample(view_of(game, state, [(-1, -1, -1), (0, -1, -1)]))
    assert dict(zip(found.states, found.weights)) == pytest.approx({(0, 1, -1): 0.7, (1, 1, -1): 0.3})


def test_the_games_own_worlds_are_used_and_checked() -> None:
    class Given(Coin):
        def worlds(self, observation: Any, player: int, draw: Any) -> Any:
            return (draw(2), observation[1], -1)

    found = Sampler(Given()).sample(view_of(Given(), (0, 1, -1)))
    assert found.how == GIVEN
    assert sorted(found.states) == [(0, 1, -1), (1, 1, -1)]

    class Wrong(Coin):
        def worlds(self, observation: Any, player: int, draw: Any) -> Any:
            return (draw(2), 0, -1)

    with pytest.raises(gt.RulesError, match=r"Wrong.worlds returned .* in which player 0 sees"):
        Sampler(Wrong()).sample(view_of(Wrong(), (0, 1, -1)))


def test_without_the_states_before_a_small_game_is_listed_and_a_large_one_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    coin = Coin()
    assert Sampler(coin).sample(view_of(coin, (0, 1, -1))).how == LISTED
    monkeypatch.setattr(worlds, "MANY", 1000)
    game = PhantomTicTacToe()
    state = game.parse_state("b2 a1 c1")
    with pytest.raises(gt.InputError, match=r"give\s+history=…"):
        Sampler(game).sample(view_of(game, state))


def test_a_history_of_another_game_is_refused() -> None:
    game = PhantomTicTacToe()
    other = [game.initial(), game.parse_state("a1")]
    with pytest.raises(gt.RulesError, match="does the history belong to the state"):
        Sampler(game).sample(view_of(game, game.parse_state("b2 c3"), other))


@pytest.mark.parametrize(("wrong", "words"), [([], "cannot be hashed"), (None, "observe returned None")])
def test_an_observation_that_is_none_is_refused(wrong: Any, words: str) -> None:
    class Unhashable(Coin):
        def observe(self, state: Any, player: int) -> Any:
            return wrong

    with pytest.raises(gt.RulesError, match=words):
        view_of(Unhashable(), (0, 1, -1))


@pytest.mark.parametrize("method", [gt.ismcts, gt.pimc])
def test_where_time_is_over_a_few_worlds_must_do(method: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "FEW", 0)
    game = PhantomTicTacToe()
    state, history = list(plays(game, 1))[6]
    found = method(game, state, gt.Limit(seconds=1e-6), history=history, compile="never")
    assert found.action in game.actions(state)


def test_who_is_told_to_stop_gives_what_few_worlds_give(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "FEW", 0)
    game = PhantomTicTacToe()
    state, history = list(plays(game, 1))[6]
    watch = StopWatch(gt.Limit()).begin()
    watch.stop()
    found = Sampler(game, "never").sample(view_of(game, state, history), watch=watch)
    assert 1 <= len(found.states) <= FEWEST
