"""Scores and their error bars."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametree.arena.ratings import FARTHEST, Score, elo, expected
from gametree.errors import InputError

points = st.sampled_from([0, 0.5, 1])
pairs = st.lists(st.tuples(points, points), max_size=40)


@given(pairs)
def test_games_and_pairs_are_counted(played: list[tuple[float, float]]) -> None:
    score = Score.of(played)
    singles = [point for pair in played for point in pair]
    assert (score.wins, score.draws, score.losses) == tuple(map(singles.count, (1, 0.5, 0)))
    assert score.pairs == tuple([sum(pair) for pair in played].count(total / 2) for total in range(5))
    assert score.games == 2 * len(played)
    assert score.share == (sum(singles) / len(singles) if singles else 0.5)


@given(pairs)
def test_the_interval_holds_the_score_and_mirrors_with_it(played: list[tuple[float, float]]) -> None:
    score = Score.of(played)
    other = Score.of([(1 - a, 1 - b) for a, b in played])
    assert 0 <= score.low <= score.share <= score.high <= 1
    assert (other.low, other.high) == pytest.approx((1 - score.high, 1 - score.low))
    assert score.error == pytest.approx((score.high - score.low) / 2)


def test_the_error_of_pairs_is_that_of_their_mean() -> None:
    score = Score.counted((20, 20, 20, 20, 20), wins=80, draws=40, losses=80)
    assert score.error == pytest.approx(1.96 * math.sqrt(0.125 / 100), rel=1e-3)


def test_openings_that_decide_the_game_do_not_blur_the_result() -> None:
    """Each side wins its half of every pair: as single games that is a coin, as pairs it is sure."""
    assert Score.of([(1, 0)] * 500).error < 0.004


def test_a_clean_score_has_an_error_bar_too() -> None:
    score = Score.of([(1, 1)] * 50)
    assert (score.share, score.high, score.elo) == (1, 1, FARTHEST)
    # The chance to win 50 pairs in a row with a score of `low` a pair is one in forty.
    assert score.low**50 == pytest.approx(0.025)


@pytest.mark.parametrize(("win", "draw"), [(0.4, 0.2), (0.9, 0.1), (0.2, 0.1), (0.97, 0.0)])
def test_intervals_hold_the_truth_nineteen_times_in_twenty(win: float, draw: float) -> None:
    rng = random.Random(f"{win} {draw}")
    truth = win + draw / 2
    held = 0
    for _ in range(1000):
        games = rng.choices((1, 0.5, 0), (win, draw, 1 - win - draw), k=100)
        score = Score.of(zip(games[::2], games[1::2]))
        held += score.low <= truth <= score.high
    assert held >= 925


@given(st.floats(-1500, 1500))
def test_elo_and_score_are_each_others_inverse(difference: float) -> None:
    assert elo(expected(difference)) == pytest.approx(difference, abs=1e-6)


def test_the_text_has_all_of_it() -> None:
    text = str(Score.of([(1, 0.5)] * 30 + [(0, 0.5)] * 10))
    assert text == (
        "+30 =40 -10 of 80 games: 62.5 % (55.8 to 69.2), Elo +89 (+40 to +141), pairs 0/10/0/30/0"
    )


def test_without_games_nothing_is_known() -> None:
    score = Score.of([])
    assert (score.share, score.low, score.high, score.elo) == (0.5, 0, 1, 0)
    assert score.elo_error == FARTHEST


@pytest.mark.parametrize("pair", [(1,), (1, 2), (0.3, 0), (0, 0, 0)])
def test_pairs_are_two_games(pair: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="a pair is two games"):
        Score.of([pair])


@pytest.mark.parametrize("share", [-0.1, 1.5, math.nan])
def test_shares_lie_between_0_and_1(share: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        elo(share)
