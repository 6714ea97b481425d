"""Is one player stronger? A sequential test: play until the answer is sure enough, and no longer.

The sequential probability ratio test (Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
Statistics 16, 1945) compares H0, "the Elo difference is elo0", with H1, "it is elo1". After every pair of games the
logarithm of the likelihood ratio (LLR) of the two is looked at. At log(beta / (1 − alpha)) H0 is accepted, at
log((1 − beta) / alpha) H1; in between the match goes on. H1 is accepted where H0 holds with a chance of about
alpha, H0 where H1 holds with one of about beta.

How often a pair brings 0, ½, 1, 1½ or 2 points is not known under either hypothesis: only the expected score is. The
generalised test (Li, Liu & Ying, "Generalized Sequential Probability Ratio Test for Separate Families of Hypotheses",
Sequential Analysis 33, 2014; worked out for matches of game programs by Michel Van den Bergh in his notes on the GSPRT
for Stockfish's Fishtest) takes for each hypothesis the most likely distribution that has its expected score.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gametree.arena.ratings import Sample, Score, bounded, elo, expected
from gametree.errors import InputError

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points per game of a pair that brought 0, ½, 1, 1½ and 2 points."""
NEVER_SEEN: Final = 1e-3
"""A count of 0 is taken for this one, since no outcome is impossible."""
HALVINGS: Final = 44
TERMS: Final = 400

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the first player is `elo0` ahead, against H1, it is `elo1` ahead.

    >>> test = Sprt(elo0=0, elo1=20)
    >>> print(test.report((5, 20, 60, 35, 10)))
    LLR 2.29 (-2.94 to 2.94) for Elo 0 against 20: undecided
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise InputError(
                f"elo0={self.elo0!r}, elo1={self.elo1!r}: two numbers are needed, the first less than the second"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise InputError(f"{name}={getattr(self, name)!r}: a chance of error between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0 is accepted, and the one at which H1 is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int], scores: Sequence[float] = SCORES) -> float:
        """The logarithm of the likelihood ratio of H1 to H0, from the pairs with 0, ½, 1, 1½ and 2 points.

        Rounds of more games than two have other `scores`, from 0 to 1 in order.
        """
        if len(pairs) != len(scores) or any(count < 0 for count in pairs):
            raise InputError(f"pairs={pairs!r}: five counts, of the pairs with 0, ½, 1, 1½ and 2 points")
        if not any(pairs):
            return 0.0
        counts = [count or NEVER_SEEN for count in pairs]
        tilt0, tilt1 = (tilt(counts, expected(difference), scores) for difference in (self.elo0, self.elo1))
        s0, s1 = expected(self.elo0), expected(self.elo1)
        return sum(
            count * (math.log1p(tilt0 * (score - s0)) - math.log1p(tilt1 * (score - s1)))
            for count, score in zip(counts, scores)
        )

    def of(self, sample: Sample) -> float:
        """The logarithm of the likelihood ratio of a sample of rounds of any size."""
        if isinstance(sample, Score):
            return self.llr(sample.pairs)
        seen = {**dict.fromkeys(SCORES, 0), **dict(sample.values)}
        return self.llr([seen[value] for value in sorted(seen)], sorted(seen))

    def verdict(self, pairs: Sequence[int] | Sample) -> Verdict | None:
        """Which hypothesis is accepted; None while the match has to go on."""
        lower, upper = self.bounds
        llr = self.of(pairs) if isinstance(pairs, Sample) else self.llr(pairs)
        return "H0" if llr <= lower else "H1" if llr >= upper else None

    def report(self, pairs: Sequence[int] | Sample) -> str:
        """One line: the LLR, its bounds, what is tested, and the verdict."""
        lower, upper = self.bounds
        llr = self.of(pairs) if isinstance(pairs, Sample) else self.llr(pairs)
        return (
            f"LLR {llr:.2f} ({lower:.2f} to {upper:.2f}) for Elo {self.elo0:g} against {self.elo1:g}:"
            f" {self.verdict(pairs) or 'undecided'}"
        )

    def after(self, sample: Sample) -> "Estimate":
        """How far ahead the first player is, seen from after the stop.

        A test stops when the score happens to be far out, so that the score says more than is true. Here it is asked
        how far ahead one has to be to be stopped so early half of the time, and in 2.5 and 97.5 % of all tests: an
        estimate that is as often too high as too low, with an interval. The LLR is taken for a Brownian motion
        between its bounds, and outcomes are ordered by how early they stop (Siegmund, "Estimation following sequential
        tests", Biometrika 65, 1978). Where the test was not decided it is the score that counts.
        """
        llr = self.of(sample)
        lower, upper = self.bounds
        s0, s1 = expected(self.elo0), expected(self.elo1)
        variance = sample.variance
        if lower < llr < upper or variance == 0:
            return Estimate(sample.elo, sample.elo_low, sample.elo_high)
        # Per round the LLR moves by (s1 − s0) / v · (s − (s0 + s1) / 2) on average, with the variance (s1 − s0)² / v.
        spread = (s1 - s0) ** 2 / variance
        won = llr >= upper

        def reached(share: float) -> float:
            """How likely a test of this true share has stopped at this bound by now; of the other one, the rest."""
            drift = (s1 - s0) / variance * (share - (s0 + s1) / 2)
            if won:
                return crossed(drift, spread, -lower, upper, sample.count)
            return 1 - crossed(-drift, spread, upper, -lower, sample.count)

        low, middle, high = (bounded(elo(_solved(reached, part))) for part in (0.025, 0.5, 0.975))
        return Estimate(middle, low, high)


@dataclass(frozen=True)
class Estimate:
    """An Elo difference and its 95 % interval."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"Elo {self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


def crossed(drift: float, variance: float, below: float, above: float, time: float) -> float:
    """How likely a Brownian motion goes up by `above` before it goes down by `below`, and within a time.

    The chance that it ever does is (1 − e^(−θ below)) / (1 − e^(−θ (above + below))) with θ = 2 drift / variance; what
    comes later than `time` is taken off, by the series of eigenfunctions between two absorbing walls.

    >>> round(crossed(0, 1, 1, 1, 100), 6), round(crossed(0, 1, 1, 3, 1e6), 6), crossed(0, 1, 1, 1, 1e-3) < 1e-6
    (0.5, 0.25, True)
    """
    width = above + below
    theta = 2 * drift / variance
    if abs(theta) * width < 1e-9:
        ever = below / width
    elif theta > 0:
        ever = math.expm1(-theta * below) / math.expm1(-theta * width)
    else:
        ever = math.exp(theta * above) * math.expm1(theta * below) / math.expm1(theta * width)
    later = 0.0
    for k in range(1, TERMS):
        rate = drift**2 / (2 * variance) + (k * math.pi) ** 2 * variance / (2 * width**2)
        exponent = drift * above / variance - rate * time
        if exponent < -700 and k > 3:
            break
        sign = 1 if k % 2 else -1
        wave = math.sin(k * math.pi * below / width)
        later += sign * k * wave * math.exp(max(exponent, -745.0)) / rate
    return min(1.0, max(0.0, ever - math.pi * variance / width**2 * later))


def _solved(increasing: Callable[[float], float], wanted: float) -> float:
    """Where a function of a share reaches a value."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if increasing(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def tilt(counts: Sequence[float], mean: float, scores: Sequence[float] = SCORES) -> float:
    """Turns observed frequencies into the most likely ones that have a given mean.

    With frequencies f and scores a, the distribution that makes the observations most likely among those of mean s is
    p = f / (1 + x (a − s)), where x solves Σ f (a − s) / (1 + x (a − s)) = 0. (Lagrange; it is Owen's empirical
    likelihood, 1988.) The sum falls as x grows, and x lies where all p are positive, so bisection finds it.
    """
    steps = [score - mean for score in scores]
    low, high = -1 / steps[-1], -1 / steps[0]
    for _ in range(HALVINGS):
        x = (low + high) / 2
        slope = 0.0
        for count, step in zip(counts, steps):
            slope += count * step / (1 + x * step)
        if slope > 0:
            low = x
        else:
            high = x
    return (low + high) / 2
