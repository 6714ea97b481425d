"""The strengths of many players from their games, on Elo's scale, with intervals.

Of two, Bradley and Terry's model ("Rank analysis of incomplete block designs", Biometrika 39, 1952), a draw counting as
half a win and half a loss; of more at a time, Plackett and Luce's (Plackett, "The analysis of permutations", Applied
Statistics 24, 1975), who are ranked together. Strengths are the most likely ones, with a prior so wide that it shows
only where somebody has won or lost everything: there the most likely strength would be infinite.

What belongs together (both games of a pair) is counted as one observation: the errors come from how much these differ
(the "sandwich" of Huber, 1967), and are never less than the model's own where there are few.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.arena.ratings import FARTHEST, Z_95, bounded
from gametree.errors import InputError

ELO: Final = 400 / math.log(10)
"""Points of Elo in a unit of the logistic scale."""
PRIOR: Final = 1e-4
"""How much is known of a strength before anything is played: its precision, in logistic units."""
FEW: Final = 30
STEPS: Final = 100
CLOSE: Final = 1e-10

Ranking = Sequence[Sequence[int]]
"""Players from the best to the worst; those who tied stand together."""


@dataclass(frozen=True)
class Rated:
    """A player's strength: so many Elo above the average of the field, and the 95 % interval.

    None is beyond 2,000: no tournament tells that from more.
    """

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ({self.low:+.0f} to {self.high:+.0f})"


def rate(
    players: int,
    groups: Sequence[Sequence[Ranking]],
    times: Sequence[int] | None = None,
    prior: float = PRIOR,
) -> tuple[Rated, ...]:
    """The strengths of players, from groups of games that belong together, each game a ranking.

    `times` says how often each group came about, once where nothing is said.

    >>> [str(one) for one in rate(2, [[[[0], [1]]]] * 3 + [[[[1], [0]]]])]
    ['+95 (-101 to +292)', '-95 (-292 to +101)']
    """
    # Slow to import, and few need it.
    import numpy as np

    if not groups:
        return tuple(Rated(0.0, -FARTHEST, FARTHEST) for _ in range(players))
    often = np.ones(len(groups)) if times is None else np.asarray(times, dtype=float)
    choices, together = _choices(players, groups)
    members, shares, firsts = choices
    weights = shares * often[together]
    strength = np.zeros(players)
    for _ in range(STEPS):
        gradient, hessian, _ = _likelihood(strength, members, weights, firsts, together, prior)
        step = np.linalg.solve(hessian, gradient)
        # Newton's step, shortened where the curve is far from a parabola.
        step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        strength += step
        if float(np.abs(step).max()) < CLOSE:
            break
    _, hessian, scores = _likelihood(strength, members, weights, firsts, together, prior)
    inverse = np.linalg.inv(hessian)
    # Of groups alike the scores stand together: each of them has its part.
    robust = inverse @ (scores.T @ (scores / often[:, None])) @ inverse
    centre = np.eye(players) - 1.0 / players
    own = np.diag(centre @ inverse @ centre)
    spread = np.diag(centre @ robust @ centre)
    variance = np.maximum(own, spread) if often.sum() < FEW * max(1, players - 1) else spread
    strength -= strength.mean()
    errors = Z_95 * np.sqrt(np.maximum(variance, 0))
    return tuple(
        Rated(*(bounded(float(ELO * end)) for end in (x, x - e, x + e))) for x, e in zip(strength, errors)
    )


def _choices(players: int, groups: Sequence[Sequence[Ranking]]) -> tuple[tuple[Any, Any, Any], Any]:
    """Every game as choices of the best among those who are left, with weights; and to which group each belongs."""
    import numpy as np

    rows: list[list[bool]] = []
    weights: list[float] = []
    firsts: list[int] = []
    together: list[int] = []
    for number, group in enumerate(groups):
        for ranking in group:
            named = [one for tied in ranking for one in tied]
            if len(set(named)) != len(named) or any(not 0 <= one < players for one in named):
                raise InputError(
                    f"a ranking names each of the players 0 to {players - 1} once at most: {ranking!r}"
                )
            orders = [list(itertools.permutations(tied)) for tied in ranking]
            share = 1.0 / math.prod(map(len, orders))
            for order in itertools.product(*orders):  # who tied is counted in every order alike
                line = [one for tied in order for one in tied]
                for place in range(len(line) - 1):
                    row = [False] * players
                    for one in line[place:]:
                        row[one] = True
                    rows.append(row)
                    weights.append(share)
                    firsts.append(line[place])
                    together.append(number)
    return (np.array(rows), np.array(weights), np.array(firsts)), np.array(together)


def _likelihood(
    strength: Any, members: Any, weights: Any, firsts: Any, together: Any, prior: float
) -> tuple[Any, Any, Any]:
    """The gradient and the negative second derivative of the log-likelihood, and the gradient of every group."""
    import numpy as np

    players = len(strength)
    powers = np.where(members, np.exp(strength - strength.max()), 0.0)
    odds = powers / powers.sum(axis=1, keepdims=True)
    chosen = np.zeros_like(odds)
    chosen[np.arange(len(firsts)), firsts] = 1.0
    each = (chosen - odds) * weights[:, None]
    scores = np.zeros((int(together.max()) + 1, players))
    np.add.at(scores, together, each)
    weighed = odds * weights[:, None]
    hessian = np.diag(weighed.sum(axis=0)) - odds.T @ weighed + prior * np.eye(players)
    return each.sum(axis=0) - prior * strength, hessian, scores
