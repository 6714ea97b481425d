"""Against known truth: matches between players whose strength is set, many times over.

A round is drawn from the pentanomial distribution of a pair of games with a given chance of winning, drawing and
losing, and with openings that favour a side: the two games of a pair have something in common.
"""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametree.arena.ratings import Sample, Score, elo, expected
from gametree.arena.sprt import Sprt

MATCHES = 2_000
COUNTS = st.lists(st.integers(0, 50), min_size=5, max_size=5)


def pairs(draws: np.random.Generator, lead: float, drawn: float, bias: float, count: int) -> list[int]:
    """How many of `count` pairs brought 0, ½, 1, 1½ and 2 points, for a player who leads by so much Elo."""
    share = expected(lead)
    tilt = bias * (2 * draws.random(count) - 1)  # what the opening is worth to its first player
    found = np.zeros(5, dtype=int)
    points = np.zeros(count)
    for sign in (1, -1):
        mean = np.clip(share + sign * tilt, 0.02, 0.98)
        draw = np.minimum(drawn, 2 * np.minimum(mean, 1 - mean) * 0.9)
        luck = draws.random(count)
        points += np.where(luck < mean - draw / 2, 1.0, np.where(luck < mean + draw / 2, 0.5, 0.0))
    for at, number in Counter((2 * points).astype(int).tolist()).items():
        found[at] = number
    return [int(one) for one in found]


@pytest.mark.parametrize(
    ("lead", "drawn", "bias", "count"),
    [
        (0, 0.3, 0.1, 100),
        (40, 0.6, 0.3, 100),
        (-120, 0.2, 0.0, 50),
        (250, 0.1, 0.05, 200),
        (10, 0.8, 0.1, 400),
    ],
)
def test_intervals_cover_the_truth_in_95_of_100(lead: float, drawn: float, bias: float, count: int) -> None:
    draws = np.random.default_rng(20261119)
    share = expected(lead)
    covered = sum(
        (score := Score.counted(pairs(draws, lead, drawn, bias, count))).low <= share <= score.high
        for _ in range(MATCHES)
    )
    assert 0.93 <= covered / MATCHES <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize(("lead", "accepted"), [(0, "H0"), (20, "H1"), (10, None)])
def test_sequential_tests_err_no_more_than_was_asked(lead: float, accepted: str | None) -> None:
    draws = np.random.default_rng(7)
    test = Sprt(0, 20)
    verdicts: Counter[str] = Counter()
    covered = high = 0
    for _ in range(MATCHES):
        counts = [0] * 5
        verdict = None
        while verdict is None:
            counts = [a + b for a, b in zip(counts, pairs(draws, lead, 0.5, 0.1, 4))]
            verdict = test.verdict(counts)
        verdicts[verdict] += 1
        after = test.after(Score.counted(counts))
        covered += after.low <= lead <= after.high
        high += after.elo > lead
    if accepted is not None:
        wrong = MATCHES - verdicts[accepted]
        # 5 % were asked for; three standard deviations of 2,000 tests are 1.5 %.
        assert wrong / MATCHES <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / MATCHES)
    # The estimate after the stop is honest: about as often too high as too low, and its interval covers the truth.
    assert covered / MATCHES >= 0.93 and 0.4 <= high / MATCHES <= 0.6


@pytest.mark.parametrize(("lead", "accepted"), [(0, "H0"), (60, "H1")])
def test_a_few_sequential_tests_err_no_more_than_was_asked(lead: float, accepted: str) -> None:
    draws = np.random.default_rng(11)
    test = Sprt(0, 60)
    wrong = 0
    for _ in range(200):
        counts = [0] * 5
        while (verdict := test.verdict(counts)) is None:
            counts = [a + b for a, b in zip(counts, pairs(draws, lead, 0.5, 0.1, 2))]
        wrong += verdict != accepted
    assert wrong / 200 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


# --- the formulas of fastchess ------------------------------------------------------------------------


def theirs(counts: list[int]) -> dict[str, float]:
    """What fastchess writes of pentanomial counts: Elo, normalised Elo, their errors, and the likelihood."""
    number = sum(counts)
    scores = [0, 0.25, 0.5, 0.75, 1]
    mean = sum(score * count for score, count in zip(scores, counts)) / number
    variance = sum(count * (score - mean) ** 2 for score, count in zip(scores, counts)) / number
    deviation = math.sqrt(variance / number)
    z = 1.959963984540054
    scale = 800 / math.log(10)
    return {
        "elo": elo(mean),
        "error": (elo(mean + z * deviation) - elo(mean - z * deviation)) / 2,
        "nelo": (mean - 0.5) / math.sqrt(2 * variance) * scale,
        "nelo_error": z / math.sqrt(2 * number) * scale,
        "likelihood": 0.5 * math.erfc(-(mean - 0.5) / (math.sqrt(2) * deviation)),
    }


@pytest.mark.parametrize("counts", [[10, 40, 100, 60, 20], [3, 20, 77, 31, 9], [100, 300, 500, 310, 90]])
def test_the_numbers_are_those_of_fastchess(counts: list[int]) -> None:
    score, other = Score.counted(counts), theirs(counts)
    assert score.elo == pytest.approx(other["elo"], abs=0.01)
    assert score.elo_error == pytest.approx(other["error"], abs=0.01)
    assert score.nelo == pytest.approx(other["nelo"], abs=0.01)
    assert score.nelo_error == pytest.approx(other["nelo_error"], abs=0.01)
    assert score.superiority == pytest.approx(other["likelihood"], abs=1e-9)


# --- any counts -------------------------------------------------------------------------------------


@given(COUNTS)
def test_every_number_is_one_on_any_counts(counts: list[int]) -> None:
    score = Score.counted(counts)
    numbers = [value for value in score.to_dict().values() if isinstance(value, (int, float))]
    assert all(math.isfinite(one) for one in numbers)
    assert score.low <= score.share <= score.high and 0 <= score.superiority <= 1
    assert "nan" not in str(score) and "inf" not in str(score)
    test = Sprt(0, 20)
    assert math.isfinite(test.of(score))
    after = test.after(score)
    assert all(math.isfinite(one) for one in (after.elo, after.low, after.high))


@given(st.lists(st.floats(0, 1), max_size=30))
def test_rounds_of_any_size_have_numbers_too(shares: list[float]) -> None:
    sample = Sample.of(shares)
    assert all(math.isfinite(one) for one in (sample.elo, sample.elo_error, sample.nelo, sample.nelo_error))
    assert math.isfinite(Sprt(0, 20).of(sample))
