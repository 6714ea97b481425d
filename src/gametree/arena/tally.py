"""What came of rounds so far, in a memory that does not grow with them."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gametree.arena.playing import END
from gametree.arena.ratings import POINTS, Sample, Score
from gametree.arena.rounds import GamePlayed, Round

MOST_REASONS: Final = 100
"""So many ways to end are told apart; those beyond are known by what stands before their colon."""
MOST_POINTS: Final = 400
"""So many points a curve has at the most."""


@dataclass(frozen=True)
class Point:
    """How a match stood after some games."""

    games: int
    share: float
    low: float
    high: float


class Curve:
    """How the score went: every so many rounds a point."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._every = 1

    def add(self, rounds: int, games: int, sample: Sample) -> None:
        """The score after so many rounds."""
        if rounds % self._every:
            return
        self._points.append(Point(games, sample.share, sample.low, sample.high))
        if len(self._points) >= MOST_POINTS:
            self._every *= 2
            self._points = self._points[1::2]

    def points(self, games: int, sample: Sample) -> tuple[Point, ...]:
        """The points, the last one being how it stands."""
        last = Point(games, sample.share, sample.low, sample.high)
        return (*(one for one in self._points if one.games < games), *([last] if games else []))


class Tally:
    """Counts rounds between any number of players."""

    def __init__(self, players: int):
        self.players: int = players
        self.rounds: int = 0
        self.games: int = 0
        self.plies: int = 0
        self.reasons: Counter[str] = Counter()
        self.faults: Counter[tuple[int, str]] = Counter()
        self.slowest: list[float] = [0.0] * players
        self.played: list[int] = [0] * players
        """Games of every player."""
        self.points: list[float] = [0.0] * players
        """What every player made in these, on average over its seats in a game."""
        self.groups: Counter[tuple[tuple[tuple[int, ...], ...], ...]] = Counter()
        """The rankings of rounds, and how often each came about."""
        self._met: dict[tuple[int, int], _Meeting] = {}
        self._digest = hashlib.blake2b(digest_size=8)

    def add(self, one: Round) -> None:
        """Counts a round."""
        self.rounds += 1
        for game in one.games:
            self._game(game)
        for at, first in enumerate(one.players):
            for second in one.players[at + 1 :]:
                met = self._met.setdefault((min(first, second), max(first, second)), _Meeting())
                met.add(one, min(first, second), max(first, second))
        self.groups[tuple(ranking for game in one.games for ranking in rankings(game))] += 1
        told = one.to_dict()
        for each in told["games"]:
            each["slowest"] = []
        self._digest.update(json.dumps(told, sort_keys=True).encode())

    def _game(self, game: GamePlayed) -> None:
        self.games += 1
        self.plies += game.plies
        reason = known(game.reason, self.reasons)
        self.reasons[reason] += 1
        if game.fault is not None:
            self.faults[game.fault, reason] += 1
        for player in set(game.seats):
            self.played[player] += 1
            self.points[player] += game.points_of(player)
        for seat, seconds in zip(game.seats, game.slowest):
            self.slowest[seat] = max(self.slowest[seat], seconds)

    def sample(self, one: int, other: int) -> Sample:
        """What a player made against another, round by round."""
        met = self._met.get((min(one, other), max(one, other)))
        if met is None:
            return Score.counted((0, 0, 0, 0, 0))
        return met.sample(turned=one > other)

    @property
    def digest(self) -> str:
        """A word for all that was played, times left out: equal where everything is."""
        return self._digest.hexdigest()

    @property
    def unusual(self) -> list[tuple[str, int]]:
        """The other ways in which games ended, and how often."""
        return sorted((reason, count) for reason, count in self.reasons.items() if reason != END)


class _Meeting:
    """What one player made against another."""

    def __init__(self) -> None:
        self.shares: Counter[float] = Counter()
        self.results: Counter[float] = Counter()
        self.paired: bool = True

    def add(self, one: Round, first: int, second: int) -> None:
        games = [game.share(first, second) for game in one.games]
        self.shares[sum(games) / len(games)] += 1
        self.paired &= len(games) == 2 and all(share in POINTS for share in games)
        self.results.update(games if self.paired else ())

    def sample(self, turned: bool) -> Sample:
        if not self.paired:
            shares = sorted(self.shares.items())
            return Sample(tuple(sorted((1 - share, times) for share, times in shares) if turned else shares))
        pairs = [self.shares[place / 4] for place in range(5)]
        lost, drawn, won = (self.results[points] for points in POINTS)
        return (
            Score.counted(pairs[::-1], lost, drawn, won) if turned else Score.counted(pairs, won, drawn, lost)
        )


def known(reason: str, seen: Counter[str]) -> str:
    """A reason as it is counted: in full, or where there are too many by what it begins with."""
    if reason in seen or len(seen) < MOST_REASONS:
        return reason
    return reason.partition(":")[0][:60]


def rankings(game: GamePlayed) -> list[tuple[tuple[int, ...], ...]]:
    """How a game ranked its players, the best first; pair by pair where somebody sat twice."""
    if len({*game.seats}) == len(game.seats):
        return [_ranking(game.seats, game.points)]
    return [
        _ranking((one, other), (mine, theirs))
        for at, (one, mine) in enumerate(zip(game.seats, game.points))
        for other, theirs in zip(game.seats[at + 1 :], game.points[at + 1 :])
        if one != other
    ]


def _ranking(seats: Sequence[int], points: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(seat for seat, one in zip(seats, points) if one == level)
        for level in sorted(set(points), reverse=True)
    )
