"""Openings to play matches from: random, distinct, and fair to both sides.

Two programs that always choose the same move would play one game over and over. So every pair of games begins with
some random plies. An opening that is as good as decided tells nothing about the players, so a short search judges it:
proven wins and losses are left out, and so is what lies further from even than a margin.

Evaluations have no common unit (pawns, discs, a chance of winning), so that no number would fit all games. Where no
margin is given, it is measured: the lower quartile of the distance from even over the first hundred random positions
that are not decided. In other words, the most even quarter of what random play leads to. In a game without an
evaluation every undecided position is even.
"""

import math
import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import CHANCE, Game, check_state, offers
from gametree.result import Limit
from gametree.search.core.plays import draw_outcome
from gametree.search.core.task import require_game

PLIES: Final = (4, 10)
LIMIT: Final = Limit(nodes=5_000)
SAMPLE: Final = 100
TRIES: Final = 2_000
"""After so many candidates in a row that do not qualify there are taken to be no more."""


@dataclass(frozen=True)
class Opening:
    """The actions from the start, and what a short search thinks of the state they lead to."""

    actions: tuple[Any, ...]
    names: tuple[str, ...]
    """The actions as people write them."""
    value: float
    """To player 0, less what an even game is worth."""
    start: str | None = None
    """The position that the actions are played from, as the game reads it; None is the usual one."""


@dataclass(frozen=True)
class _Candidate:
    opening: Opening
    state: Any


class Openings:
    """A book of openings without an end, the same for the same seed; each is made when it is asked for.

    `plies` is how many random plies an opening has, at least and at most, each number as likely as the other;
    `start` is the state they are played from. An opening counts once, however it is reached and however it is turned
    or mirrored (`key` and `symmetries` of the game). `limit` is the search that judges, by depth or nodes, so that
    every machine finds the same openings. `judged=False` takes what comes: for games of more than two sides, whose
    seats are changed anyway.

    >>> from gametree.games import ConnectFour
    >>> book = Openings(ConnectFour(), plies=(3, 5), margin=4, seed=1)
    >>> all(len(opening.actions) in (3, 4, 5) and abs(opening.value) <= 4 for opening in book.take(5))
    True
    """

    def __init__(
        self,
        game: Game,
        *,
        seed: int = 0,
        plies: tuple[int, int] = PLIES,
        margin: float | None = None,
        limit: Limit = LIMIT,
        start: Any = None,
        compile: str = "auto",
        judged: bool = True,
    ):
        require_game(game, "Openings")
        least, most = plies
        if not 0 <= least <= most:
            raise InputError(
                f"plies={plies!r}: the least and the most number of random plies, such as (4, 10)"
            )
        if margin is not None and not margin >= 0:
            raise InputError(
                f"margin={margin!r}: how far from even an opening may be, a number of at least 0"
            )
        if limit.seconds is not None:
            raise InputError(
                f"{limit}: openings are judged by depth or nodes, or they would differ from run to run"
            )
        self.game = game
        self.seed = seed
        self.plies = plies
        self.limit = limit
        self.start: Any = check_state(game, start)
        self._margin = margin if judged else math.inf
        self._judged_at_all = judged
        self._judge = Judge(game, limit, compile)
        self._judged: dict[Hashable, float | None] = {}

    @property
    def identity(self) -> dict[str, Any]:
        """What makes it this book, as plain data."""
        margin = None if self._margin is None or math.isinf(self._margin) else self._margin
        found = {"random": list(self.plies), "seed": self.seed, "margin": margin, "judge": str(self.limit)}
        return found if self._judged_at_all else {**found, "judge": None}

    @property
    def margin(self) -> float:
        """How far from even an opening may be, in the units of the game's evaluation."""
        if self._margin is None:
            distances = sorted(
                abs(found.opening.value) for found in islice(self._undecided("margin"), SAMPLE)
            )
            if not distances:
                raise InputError(self._too_few(0))
            self._margin = distances[len(distances) // 4]
        return self._margin

    def take(self, count: int) -> list[Opening]:
        """The first `count` openings; refused where there are fewer."""
        found = list(islice(self, count))
        if len(found) < count:
            raise InputError(self._too_few(len(found)))
        return found

    def __iter__(self) -> Iterator[Opening]:
        seen: set[Hashable] = set()
        idle = 0
        for candidate in self._undecided("openings"):
            state = candidate.state
            if abs(candidate.opening.value) <= self.margin and self.game.key(state) not in seen:
                seen |= {self.game.key(image) for image in (state, *self.game.symmetries(state))}
                idle = 0
                yield candidate.opening
            idle += 1
            if idle > TRIES:
                return

    def _undecided(self, purpose: str) -> Iterator[_Candidate]:
        """Random positions in which nothing is proven. Ends where nearly everything is."""
        rng = random.Random(f"{purpose} {self.seed}")
        misses = 0
        while misses < TRIES:
            misses += 1
            walked = self._walk(rng)
            if walked is None:
                continue
            actions, names, state = walked
            value = self._value(state)
            if value is not None and math.isfinite(value):
                misses = 0
                yield _Candidate(Opening(tuple(actions), tuple(names), value), state)

    def _value(self, state: Any) -> float | None:
        """What the judge says; nobody is judged twice."""
        if not self._judged_at_all:
            return 0.0
        key = self.game.key(state)
        if key not in self._judged:
            self._judged[key] = self._judge(state)
        return self._judged[key]

    def _walk(self, rng: random.Random) -> tuple[list[Any], list[str], Any] | None:
        """Random plies from the start; None where the game ended on the way."""
        game, state = self.game, self.start
        actions: list[Any] = []
        names: list[str] = []
        left = rng.randint(*self.plies)
        while left or (not game.is_terminal(state) and game.player(state) == CHANCE):
            if game.is_terminal(state):
                return None
            if game.player(state) == CHANCE:
                action = draw_outcome(game, state, rng)
            else:
                action = rng.choice(list(game.actions(state)))
                left -= 1
            actions.append(action)
            names.append(game.name_action(state, action))
            state = game.result(state, action)
        return None if game.is_terminal(state) else (actions, names, state)

    def _too_few(self, found: int) -> str:
        least, most = self.plies
        return (
            f"{type(self.game).__name__} has only {found} different openings of {least} to {most} random plies"
            " that are not decided and within the margin; allow more plies (plies=…) or a wider margin (margin=…)"
        )


@dataclass(frozen=True)
class Judge:
    """A short search as a judge of states."""

    game: Game
    limit: Limit = LIMIT
    compile: str = "auto"

    def __call__(self, state: Any) -> float | None:
        """What the state is worth to player 0, less what an even game is worth; infinite where the search proves
        who wins, None where it was stopped before it knew anything."""
        from gametree.search.analyze import analyze

        analysis = analyze(self.game, state, self.limit, hash_mb=1, compile=self.compile)
        if analysis.value is None:
            return None
        lead = analysis.values[0] - (self.game.total or 0) / 2
        certain = analysis.exact and not offers(self.game, "chance")  # dice decide, however exact the mean
        decided = analysis.value.outcome is not None or (certain and lead != 0)
        return math.copysign(math.inf, lead) if decided else lead
