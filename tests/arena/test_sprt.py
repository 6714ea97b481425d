"""The sequential test: what it computes, and how often it errs."""

import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree.arena.ratings import expected
from gametree.arena.sprt import SCORES, Sprt
from gametree.errors import InputError

# Changes of a distribution on five outcomes that keep its sum and its mean.
DIRECTIONS = ((1, -2, 1, 0, 0), (0, 1, -2, 1, 0), (0, 0, 1, -2, 1))


def likelihood(counts: Sequence[float], chances: Sequence[float]) -> float:
    return sum(count * math.log(chance) for count, chance in zip(counts, chances))


def greatest_likelihood(counts: Sequence[float], mean: float) -> float:
    """The log-likelihood of the best distribution with this mean, by climbing: slow and obvious."""
    # Mix the uniform distribution with one end until the mean fits.
    end = 4 if mean > 0.5 else 0
    share = abs(mean - 0.5) / 0.5
    chances = [(1 - share) * 0.2 + share * (i == end) for i in range(5)]
    best, step = likelihood(counts, chances), 0.05
    while step > 1e-9:
        moved = False
        for direction in DIRECTIONS:
            for sign in (step, -step):
                other = [chance + sign * change for chance, change in zip(chances, direction)]
                if min(other) > 0 and (found := likelihood(counts, other)) > best:
                    chances, best, moved = other, found, True
        if not moved:
            step /= 2
    return best


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.integers(2, 60), min_size=5, max_size=5),
    st.floats(-60, 40),
    st.floats(5, 60),
)
def test_the_ratio_is_that_of_the_two_greatest_likelihoods(
    counts: list[int], elo0: float, width: float
) -> None:
    elo1 = elo0 + width
    slow = greatest_likelihood(counts, expected(elo1)) - greatest_likelihood(counts, expected(elo0))
    assert Sprt(elo0, elo1).llr(counts) == pytest.approx(slow, abs=1e-4)


def greatest_of_three(counts: Sequence[int], mean: float) -> float:
    """The same where a pair brings 0, 1 or 2 points only: one chance is free, the mean gives the others."""
    low, high = max(0.0, 1 - 2 * mean), 1 - mean
    for _ in range(100):
        thirds = low + (high - low) / 3, high - (high - low) / 3
        left, right = (
            likelihood(counts, (loss, 2 * (1 - mean) - 2 * loss, loss + 2 * mean - 1)) for loss in thirds
        )
        low, high = (thirds[0], high) if left < right else (low, thirds[1])
    return max(left, right)


@settings(max_examples=50, deadline=None)
@given(st.tuples(*[st.integers(5, 300)] * 3), st.floats(-60, 40), st.floats(5, 60))
def test_outcomes_that_were_never_seen_hardly_count(
    counts: tuple[int, ...], elo0: float, width: float
) -> None:
    elo1 = elo0 + width
    slow = greatest_of_three(counts, expected(elo1)) - greatest_of_three(counts, expected(elo0))
    assert Sprt(elo0, elo1).llr((counts[0], 0, counts[1], 0, counts[2])) == pytest.approx(slow, abs=0.01)


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any))
def test_seen_from_the_other_side_the_ratio_has_the_other_sign(counts: list[int]) -> None:
    here, there = Sprt(-10, 25).llr(counts), Sprt(-25, 10).llr(counts[::-1])
    assert here == pytest.approx(-there, abs=1e-6, rel=1e-6)


def test_over_many_pairs_the_ratio_is_that_of_two_normal_distributions() -> None:
    """Van den Bergh's approximation: N (s1 − s0) (2 s − s0 − s1) / (2 variance)."""
    counts = (600, 2400, 4100, 2500, 700)
    total = sum(counts)
    mean = sum(count * score for count, score in zip(counts, SCORES)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES)) / total
    s0, s1 = expected(0), expected(5)
    normal = total * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert Sprt(0, 5).llr(counts) == pytest.approx(normal, rel=0.01)


def test_the_bounds_are_walds() -> None:
    assert Sprt().bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(alpha=0.01, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_without_games_nothing_is_decided() -> None:
    assert Sprt().llr((0,) * 5) == 0 and Sprt().verdict((0,) * 5) is None


def test_clear_results_are_decided_and_told() -> None:
    test = Sprt(0, 20)
    assert test.verdict((0, 0, 10, 20, 40)) == "H1" and test.verdict((40, 20, 10, 0, 0)) == "H0"
    assert test.report((40, 20, 10, 0, 0)).endswith("(-2.94 to 2.94) for Elo 0 against 20: H0")
    assert test.report((1, 1, 1, 1, 1)).endswith("undecided")


def test_two_players_who_play_the_same_games_are_found_equal() -> None:
    """Every pair ends 1 to 1, so that no variance is seen at all."""
    assert Sprt(0, 20).verdict((0, 0, 300, 0, 0)) == "H0"


def simulated(test: Sprt, difference: float, rng: random.Random) -> str:
    """A match between players of a known difference, pair by pair until the test has its answer."""
    share = expected(difference)
    draws = 0.4
    win = share - draws / 2
    weights = (1 - win - draws, draws, win)
    counts = [0] * 5
    while (verdict := test.verdict(counts)) is None:
        counts[sum(rng.choices((0, 1, 2), weights, k=2))] += 1
    return verdict


def wrong(difference: float, answer: str, runs: int) -> float:
    """How often the test gives a wrong answer."""
    rng = random.Random(f"{difference}")
    test = Sprt(0, 120, alpha=0.1, beta=0.1)
    return sum(simulated(test, difference, rng) == answer for _ in range(runs)) / runs


def test_it_errs_about_as_often_as_it_says() -> None:
    # One in ten by design; three standard deviations of 200 runs are 6 %.
    assert 0.02 <= wrong(0, "H1", 200) <= 0.16
    assert 0.02 <= wrong(120, "H0", 200) <= 0.16


def test_it_errs_less_where_the_difference_is_clearer() -> None:
    assert wrong(-120, "H1", 150) <= 0.01 and wrong(240, "H0", 150) <= 0.01


@pytest.mark.slow
def test_over_many_runs_the_errors_are_those_it_says() -> None:
    # Wald's bounds are crossed by more than a hair, so that the errors lie somewhat below the nominal 10 %.
    assert 0.06 <= wrong(0, "H1", 5000) <= 0.11
    assert 0.06 <= wrong(120, "H0", 5000) <= 0.11


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"elo0": 5.0, "elo1": 5.0}, "the first less than the second"),
        ({"elo0": math.nan}, "two numbers are needed"),
        ({"elo1": math.inf}, "two numbers are needed"),
        ({"alpha": 0.0}, "alpha=0.0: a chance of error between 0 and 0.5"),
        ({"beta": 0.5}, "beta=0.5: a chance of error"),
    ],
)
def test_tests_that_make_no_sense_are_refused(settings: dict[str, float], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Sprt(**settings)


@pytest.mark.parametrize("pairs", [(1, 2, 3), (1, 2, 3, 4, -5)])
def test_counts_of_pairs_are_five(pairs: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="five counts"):
        Sprt().llr(pairs)
