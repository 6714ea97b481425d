"""Playing below one's strength."""

import math
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree import Game, Tree, games
from gametree.arena.calibration import GENERAL, MEASURED, Level, Levels, levels_of
from gametree.arena.strength import (
    CAREFUL,
    HIGHEST,
    LEVELS,
    LOWEST,
    Strength,
    at_level,
    at_rating,
    choose,
    usual_step,
)
from gametree.errors import InputError
from gametree.games import ConnectFour
from gametree.result import Move, Value

BLURRED = Strength(100, 1.0, careful=True)
BLIND = Strength(100, 100.0, careful=True)
CARELESS = Strength(100, 100.0, careful=False)


def moves(*values: Value) -> list[Move]:
    return [Move(i, value, "exact", str(i)) for i, value in enumerate(values)]


@settings(deadline=None, derandomize=True)
@given(st.integers(LOWEST, HIGHEST - 1))
def test_a_higher_rating_sees_no_less(rating: int) -> None:
    lower, higher = at_rating(rating), at_rating(rating + 1)
    assert lower.nodes <= higher.nodes and lower.blur > higher.blur >= 0
    assert lower.careful <= higher.careful


@pytest.mark.parametrize("rating", [LOWEST - 1, HIGHEST + 1])
def test_there_are_no_other_ratings(rating: int) -> None:
    with pytest.raises(InputError, match=f"ratings are {LOWEST} to {HIGHEST}"):
        at_rating(rating)


def test_ratings_run_from_the_lowest_level_to_the_highest() -> None:
    assert at_rating(LOWEST) == at_level(LEVELS[0])
    assert at_rating(HIGHEST) == at_level(LEVELS[-1])
    assert at_level(LEVELS[-1]).blur == 0


def test_the_upper_half_is_careful() -> None:
    assert [level for level in LEVELS if at_level(level).careful] == list(LEVELS[CAREFUL - 1 :])


def test_without_blur_the_best_is_chosen() -> None:
    found = moves(Value(0.1), Value(0.3), Value(0.2))
    assert choose(found, Strength(1, 0.0, careful=False), 1.0, random.Random(0)).action == 1


def test_the_blur_confuses_near_moves_more_often_than_far_ones() -> None:
    rng = random.Random(0)
    found = moves(Value(0.0), Value(-0.2), Value(-9.0))
    chosen = [choose(found, BLURRED, 0.5, rng).action for _ in range(500)]
    assert chosen.count(0) > chosen.count(1) > 100 and chosen.count(2) == 0


def test_the_blur_is_measured_in_usual_steps() -> None:
    small, great = (
        [choose(moves(Value(0), Value(-k)), BLURRED, k, random.Random(n)).action for n in range(99)]
        for k in (0.5, 500.0)
    )
    assert small == great and 0 < sum(small) < 50


@settings(deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_who_is_careful_sees_the_nearest_win_and_avoids_a_loss_through_any_blur(seed: int) -> None:
    rng = random.Random(seed)
    won = moves(Value(0.5), Value.win(plies=5), Value.win(plies=3), Value.loss(plies=2))
    assert choose(won, BLIND, 1.0, rng).action == 2
    assert choose(moves(Value.loss(plies=2), Value(-5.0)), BLIND, 1.0, rng).action == 1
    assert choose(moves(Value.loss(plies=2), Value.loss(plies=4)), BLIND, 1.0, rng).action == 1


def test_who_is_not_misses_some() -> None:
    found = moves(Value(0.5), Value.win(plies=3), Value.loss(plies=2))
    assert {choose(found, CARELESS, 1.0, random.Random(n)).action for n in range(50)} == {0, 1, 2}
    little = Strength(100, 1.0, careful=False)
    assert {choose(found, little, 1.0, random.Random(n)).action for n in range(50)} == {1}


def test_without_an_evaluation_all_moves_are_equal_and_ends_are_seen() -> None:
    found = moves(Value(0), Value(0), Value.loss(plies=1))
    assert {choose(found, BLURRED, 0.0, random.Random(n)).action for n in range(50)} == {0, 1}


def test_infinite_estimates_do_no_harm() -> None:
    found = moves(Value(-math.inf), Value(0), Value(math.inf))
    assert choose(found, BLURRED, 1.0, random.Random(0)).action == 2


class Walk(Game):
    """A number that a move changes by 2 or by 4; infinite at times, and it ends at 10 moves."""

    def initial(self) -> Any:
        return (0, 0)

    def player(self, state: Any) -> int:
        return int(state[1] % 2)

    def actions(self, state: Any) -> Iterable[int]:
        return (2, -2, 4, -4)

    def result(self, state: Any, action: int) -> Any:
        return (state[0] + action, state[1] + 1)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[1] == 10)

    def utility(self, state: Any, player: int) -> float:
        return 0

    def evaluate(self, state: Any, player: int) -> float:
        return math.inf if state[1] == 5 else float(state[0])


def test_the_usual_step_is_what_a_random_move_changes() -> None:
    assert 2.7 < usual_step(Walk()) < 3.3


def test_the_usual_step_is_the_same_every_time() -> None:
    assert usual_step(ConnectFour()) == usual_step(ConnectFour()) > 0
    assert usual_step(Tree([[3, 12], [2, 4]])) == 0


class Bigger(ConnectFour):
    """A game derived from one of ours."""


def test_a_game_that_we_ship_has_levels_of_its_own_and_others_have_the_general_ones() -> None:
    assert levels_of(ConnectFour()) == levels_of(Bigger(5, 5)) == MEASURED["ConnectFour"]
    assert levels_of(Walk()) == levels_of(None) == GENERAL
    assert at_level(3, ConnectFour()).nodes == MEASURED["ConnectFour"][2][0]


def test_no_game_of_another_author_is_taken_for_ours() -> None:
    class Chess(Walk):
        pass

    assert levels_of(Chess()) == GENERAL


@pytest.mark.parametrize("levels", [GENERAL, *MEASURED.values()])
def test_every_level_sees_further_and_no_less_clearly(levels: Levels) -> None:
    nodes, blurs, lines = zip(*levels)
    assert len(levels) == len(LEVELS) - 1
    assert sorted(set(nodes)) == list(nodes) and sorted(blurs, reverse=True) == list(blurs)
    # Whoever weighs more moves has less depth for each.
    weighed = [(count or math.inf) if blur else 1 for blur, count in zip(blurs, lines)]
    assert sorted(weighed, reverse=True) == weighed


def test_lines_come_with_the_level_that_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = tuple(Level(100 * 2**n, 1 - n / 8, None if n < 4 else 8 - n // 2) for n in range(9))
    monkeypatch.setitem(MEASURED, "ConnectFour", levels)
    game = ConnectFour()
    found = [at_level(level, game).lines for level in (1, 4, 4.9, 5, 6, 6.9, 7, 8)]
    assert found == [None, None, None, 6, 6, 6, 5, 5]


def test_who_sees_clearly_weighs_nothing() -> None:
    ratings = [at_rating(rating) for rating in (LOWEST, 1700, HIGHEST - 1, HIGHEST)]
    assert [found.lines for found in ratings] == [None, None, None, 1]


def test_all_measured_games_exist() -> None:
    assert {type(games.load(name)).__name__ for name in games.names()} >= set(MEASURED)
