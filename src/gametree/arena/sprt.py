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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gametree.arena.ratings import expected
from gametree.errors import InputError

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points per game of a pair that brought 0, ½, 1, 1½ and 2 points."""
NEVER_SEEN: Final = 1e-3
"""A count of 0 is taken for this one, since no outcome is impossible."""
HALVINGS: Final = 44

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

    def llr(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio of H1 to H0, from the pairs with 0, ½, 1, 1½ and 2 points."""
        if len(pairs) != len(SCORES) or any(count < 0 for count in pairs):
            raise InputError(f"pairs={pairs!r}: five counts, of the pairs with 0, ½, 1, 1½ and 2 points")
        if not any(pairs):
            return 0.0
        counts = [count or NEVER_SEEN for count in pairs]
        tilt0, tilt1 = (tilt(counts, expected(difference)) for difference in (self.elo0, self.elo1))
        s0, s1 = expected(self.elo0), expected(self.elo1)
        return sum(
            count * (math.log1p(tilt0 * (score - s0)) - math.log1p(tilt1 * (score - s1)))
            for count, score in zip(counts, SCORES)
        )

    def verdict(self, pairs: Sequence[int]) -> Verdict | None:
        """Which hypothesis is accepted; None while the match has to go on."""
        lower, upper = self.bounds
        llr = self.llr(pairs)
        return "H0" if llr <= lower else "H1" if llr >= upper else None

    def report(self, pairs: Sequence[int]) -> str:
        """One line: the LLR, its bounds, what is tested, and the verdict."""
        lower, upper = self.bounds
        return (
            f"LLR {self.llr(pairs):.2f} ({lower:.2f} to {upper:.2f}) for Elo {self.elo0:g} against {self.elo1:g}:"
            f" {self.verdict(pairs) or 'undecided'}"
        )


def tilt(counts: Sequence[float], mean: float) -> float:
    """Turns observed frequencies into the most likely ones that have a given mean.

    With frequencies f and scores a, the distribution that makes the observations most likely among those of mean s is
    p = f / (1 + x (a − s)), where x solves Σ f (a − s) / (1 + x (a − s)) = 0. (Lagrange; it is Owen's empirical
    likelihood, 1988.) The sum falls as x grows, and x lies where all p are positive, so bisection finds it.
    """
    steps = [score - mean for score in SCORES]
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
