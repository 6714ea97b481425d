"""What a match shows: the score with its error bar, and the Elo difference that belongs to it.

Games come in pairs from one opening with sides swapped. The two games of a pair have something in common, so that the
pair is what is counted: it ends with 0, ½, 1, 1½ or 2 points (the "pentanomial" counts), and the spread of these points
gives the error. Counting single games as if they were independent overstates it where openings favour a side.

Elo's scale (Elo, "The Rating of Chessplayers, Past and Present", 1978) in its logistic form: a player who is d points
ahead scores 1 / (1 + 10^(−d/400)).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.errors import InputError

Z_95: Final = 1.959963984540054
"""So many standard deviations to each side hold 95 % of a normal distribution."""
UNSEEN: Final = 0.025
NELO: Final = 800 / math.log(10)
FARTHEST: Final = 2_000.0
POINTS: Final = (0.0, 0.5, 1.0)
"""What one game can bring: loss, draw, win."""


@dataclass(frozen=True)
class Sample:
    """What one of two contestants made in rounds of games that belong together, each a share from 0 to 1.

    >>> print(Sample.of([0.75, 0.5, 1.0, 0.5]))
    68.8 % (27.3 to 89.1) of 4 rounds, Elo +137 (-170 to +364), superior with 88.9 %
    """

    values: tuple[tuple[float, int], ...]
    """Every share of a round that was met, and how often."""

    @classmethod
    def of(cls, shares: Iterable[float]) -> "Sample":
        """The sample of these shares."""
        return cls(tuple(sorted(Counter(float(one) for one in shares).items())))

    @property
    def count(self) -> int:
        """How many rounds there were."""
        return sum(times for _, times in self.values)

    @property
    def share(self) -> float:
        """The points per game, from 0 to 1; one half where nothing has been played."""
        count = self.count
        return sum(value * times for value, times in self.values) / count if count else 0.5

    @property
    def variance(self) -> float:
        """That of a round."""
        count, share = self.count, self.share
        return sum(times * (value - share) ** 2 for value, times in self.values) / count if count else 0.0

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
        """The normal approximation, from the variance of the rounds."""
        return Z_95 * math.sqrt(self.variance / self.count) if self.count else 1.0

    def _unseen(self) -> float:
        """Rounds of a kind that makes up this share of all would have been met by now, 39 times in 40.

        Where nearly all rounds ended alike, the variance says next to nothing; this keeps the interval honest.
        """
        return 1 - UNSEEN ** (1 / self.count) if self.count else 1.0

    @property
    def elo(self) -> float:
        """The Elo difference; never beyond `FARTHEST`, which stands for all that is more."""
        return bounded(elo(self.share))

    @property
    def elo_low(self) -> float:
        """The lower end of its 95 % interval."""
        return bounded(elo(self.low))

    @property
    def elo_high(self) -> float:
        """The upper end."""
        return bounded(elo(self.high))

    @property
    def elo_error(self) -> float:
        """Half the width of the 95 % interval in Elo."""
        return (self.elo_high - self.elo_low) / 2

    @property
    def nelo(self) -> float:
        """Normalised Elo (Van den Bergh): the lead in standard deviations of a game, on a scale like Elo's.

        It says how many games it takes to see the difference, whatever share of them is drawn. 0 where all rounds
        ended alike and there is no deviation to measure by.
        """
        return self._normalised(self.share)

    @property
    def nelo_error(self) -> float:
        """Half the width of the 95 % interval of normalised Elo."""
        return (self._normalised(self.high) - self._normalised(self.low)) / 2

    def _normalised(self, share: float) -> float:
        deviation = math.sqrt(2 * self.variance)
        return bounded((share - 0.5) / deviation * NELO) if deviation > 0 else 0.0

    @property
    def superiority(self) -> float:
        """How likely it is that the first is the better one, by the normal approximation."""
        deviation = max(self._spread(), self._unseen() / 2) / Z_95
        return 0.5 * math.erfc(-(self.share - 0.5) / (deviation * math.sqrt(2))) if self.count else 0.5

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data: no number is infinite or undefined."""
        names = ("share", "low", "high", "elo", "elo_low", "elo_high", "nelo", "nelo_error", "superiority")
        games: dict[str, Any] = dict.fromkeys(("wins", "draws", "losses", "pairs"))
        return {"rounds": self.count, **games, **{name: round(getattr(self, name), 6) for name in names}}

    def __str__(self) -> str:
        return (
            f"{100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}) of {self.count} rounds,"
            f" Elo {self.elo:+.0f} ({self.elo_low:+.0f} to {self.elo_high:+.0f}),"
            f" superior with {100 * self.superiority:.1f} %"
        )


@dataclass(frozen=True)
class Score(Sample):
    """What the first of two players made in pairs of games.

    >>> print(Score.of([(1, 1), (1, 0.5), (0, 1), (1, 0.5)]))
    +5 =2 -1 of 8 games: 75.0 % (29.8 to 92.3), Elo +191 (-149 to +432), pairs 0/0/1/2/1
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    """How many pairs of games brought 0, ½, 1, 1½ and 2 points."""

    @classmethod
    def of(cls, pairs: Iterable[Any]) -> "Score":
        """The score from the points of both games of every pair."""
        counts = [0] * 5
        games = [0] * 3
        for pair in pairs:
            if len(pair) != 2 or any(point not in POINTS for point in pair):
                raise InputError(f"a pair is two games of 0, 0.5 or 1 points, not {tuple(pair)!r}")
            counts[round(2 * sum(pair))] += 1
            for point in pair:
                games[round(2 * point)] += 1
        return cls.counted(counts, games[2], games[1], games[0])

    @classmethod
    def counted(cls, pairs: Sequence[int], wins: int = 0, draws: int = 0, losses: int = 0) -> "Score":
        """The score from how many pairs brought 0, ½, 1, 1½ and 2 points."""
        values = tuple((place / 4, int(count)) for place, count in enumerate(pairs) if count)
        return cls(values, wins, draws, losses, (pairs[0], pairs[1], pairs[2], pairs[3], pairs[4]))

    @property
    def games(self) -> int:
        return 2 * self.count

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        own = {name: getattr(self, name) for name in ("wins", "draws", "losses")}
        return {**super().to_dict(), **own, "pairs": list(self.pairs)}

    def __str__(self) -> str:
        return (
            f"+{self.wins} ={self.draws} -{self.losses} of {self.games} games:"
            f" {100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}),"
            f" Elo {self.elo:+.0f} ({self.elo_low:+.0f} to {self.elo_high:+.0f}),"
            f" pairs {'/'.join(map(str, self.pairs))}"
        )


def bounded(difference: float) -> float:
    """An Elo difference that can be written down: beyond `FARTHEST` no match tells one from another.

    >>> bounded(math.inf), bounded(-3)
    (2000.0, -3)
    """
    return min(FARTHEST, max(-FARTHEST, difference))


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
