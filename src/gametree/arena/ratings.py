"""What a match shows: the score with its error bar, and the Elo difference that belongs to it.

Games come in pairs from one opening with sides swapped. The two games of a pair have something in common, so that the
pair is what is counted: it ends with 0, ½, 1, 1½ or 2 points (the "pentanomial" counts), and the spread of these points
gives the error. Counting single games as if they were independent overstates it where openings favour a side.

Elo's scale (Elo, "The Rating of Chessplayers, Past and Present", 1978) in its logistic form: a player who is d points
ahead scores 1 / (1 + 10^(−d/400)).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gametree.errors import InputError

Z_95: Final = 1.959963984540054
"""So many standard deviations to each side hold 95 % of a normal distribution."""
UNSEEN: Final = 0.025
POINTS: Final = (0.0, 0.5, 1.0)
"""What one game can bring: loss, draw, win."""


@dataclass(frozen=True)
class Score:
    """What the first of two players made.

    >>> print(Score.of([(1, 1), (1, 0.5), (0, 1), (1, 0.5)]))
    +5 =2 -1 of 8 games: 75.0 % (29.8 to 92.3), Elo +191 (-149 to +432), pairs 0/0/1/2/1
    """

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, int, int, int, int]
    """How many pairs of games brought 0, ½, 1, 1½ and 2 points."""

    @classmethod
    def of(cls, pairs: Iterable[Sequence[float]]) -> "Score":
        """The score from the points of both games of every pair."""
        counts = [0] * 5
        games = [0] * 3
        for pair in pairs:
            if len(pair) != 2 or any(point not in POINTS for point in pair):
                raise InputError(f"a pair is two games of 0, 0.5 or 1 points, not {tuple(pair)!r}")
            counts[round(2 * sum(pair))] += 1
            for point in pair:
                games[round(2 * point)] += 1
        return cls(games[2], games[1], games[0], (counts[0], counts[1], counts[2], counts[3], counts[4]))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The points per game, from 0 to 1; one half where nothing has been played."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval."""
        return (self.high - self.low) / 2

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval for the points per game."""
        return max(0.0, self.share - max(self._spread(), self._unseen() * self.share))

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return min(1.0, self.share + max(self._spread(), self._unseen() * (1 - self.share)))

    def _spread(self) -> float:
        """The normal approximation, from the variance of the pairs."""
        count = sum(self.pairs)
        if count == 0:
            return 1.0
        variance = sum(n * (i / 4 - self.share) ** 2 for i, n in enumerate(self.pairs)) / count
        return Z_95 * math.sqrt(variance / count)

    def _unseen(self) -> float:
        """Pairs of a kind that makes up this share of all would have been met by now, 39 times in 40.

        Where nearly all pairs ended alike, the variance says next to nothing; this keeps the interval honest.
        """
        count = sum(self.pairs)
        return 1.0 if count == 0 else 1 - UNSEEN ** (1 / count)

    @property
    def elo(self) -> float:
        return elo(self.share)

    @property
    def elo_low(self) -> float:
        return elo(self.low)

    @property
    def elo_high(self) -> float:
        return elo(self.high)

    @property
    def elo_error(self) -> float:
        """Half the width of the 95 % interval in Elo; infinite where an end of it is."""
        return (self.elo_high - self.elo_low) / 2

    def __str__(self) -> str:
        return (
            f"+{self.wins} ={self.draws} -{self.losses} of {self.games} games:"
            f" {100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}),"
            f" Elo {self.elo:+.0f} ({self.elo_low:+.0f} to {self.elo_high:+.0f}),"
            f" pairs {'/'.join(map(str, self.pairs))}"
        )


def elo(share: float) -> float:
    """The Elo difference at which a player scores this share; infinite at 0 and 1.

    >>> round(elo(0.75)), elo(0.5), elo(1)
    (191, 0.0, inf)
    """
    if not 0 <= share <= 1:
        raise InputError(f"a score per game lies between 0 and 1; this is {share!r}")
    if share in (0, 1):
        return math.inf if share else -math.inf
    return 0.0 if share == 0.5 else 400 * math.log10(share / (1 - share))


def expected(difference: float) -> float:
    """The score per game that an Elo difference lets expect.

    >>> expected(0), round(expected(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-difference / 400))
