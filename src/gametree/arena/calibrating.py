"""Measuring the levels of a game: how many nodes a move has time for, and how blurred each level has to see.

The nodes of the levels grow by one factor, up to what the fastest of the levels below the last can look at within its
time. Then, from the bottom up, the blur of each level is set by matches against the level below, so that it makes about
three quarters of the points.
"""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any, Final

from gametree.arena.bot import Bot
from gametree.arena.calibration import GENERAL, Level, Levels, document
from gametree.arena.entrants import Contestant
from gametree.arena.match import match
from gametree.arena.openings import Opening
from gametree.arena.thinking import Wanted, consider
from gametree.arguments import is_whole, number, whole
from gametree.errors import InputError
from gametree.game import Game, names_of
from gametree.result import Limit
from gametree.search.core.plays import KernelDraws, random_play
from gametree.view import hides

TARGET: Final = (0.6, 0.85)
"""What a level is to make against the one below."""
TRIES: Final = 4
SHARE: Final = 0.5
"""The part of a move's time that nodes are reckoned for: positions differ, and machines have other things to do."""
SAMPLES: Final = 5
OPENING: Final = 5
"""Openings have fewer random plies than that."""
LEAST: Final = 8
"""The nodes of the first level."""


@dataclass(frozen=True)
class Measured:
    """What was measured of a level."""

    number: int
    level: Level
    seconds: float
    """What a move took it, on average."""
    score: float | None = None
    """What it made against the level below; None for the first one."""
    error: float = 0.0
    games: int = 0

    def __str__(self) -> str:
        made = (
            ""
            if self.score is None
            else f"   {100 * self.score:5.1f} % ± {100 * self.error:4.1f} against the one below"
        )
        return (
            f"level {self.number}   {self.level.nodes:>9,} nodes   blur {self.level.blur:5.2f}"
            f"   {self.seconds:6.3f} s a move{made}"
        )

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a file, besides the level itself."""
        told: dict[str, Any] = {"seconds": round(self.seconds, 4)}
        if self.score is not None:
            told |= {"score": round(self.score, 4), "games": self.games}
        return told


@dataclass(frozen=True)
class Calibration:
    """The levels of a game as they were measured."""

    game: Game
    seconds: float
    measured: tuple[Measured, ...]

    @property
    def levels(self) -> Levels:
        """The levels themselves, for `Bot(game, levels=…)`."""
        return tuple(one.level for one in self.measured)

    def to_dict(self) -> dict[str, Any]:
        """What is written to a file."""
        return document(self.game, self.levels, self.seconds, [one.to_dict() for one in self.measured])

    def __str__(self) -> str:
        return "\n".join(map(str, self.measured))


def calibrate(
    game: Game,
    *,
    seconds: float = 1.0,
    games: int = 40,
    seed: int = 0,
    most_plies: int = 300,
    jobs: int = 1,
    on_level: Callable[[Measured], None] | None = None,
) -> Calibration:
    """Measures the levels of a game, of which a move takes no more than some seconds, by `games` games each."""
    number("seconds", seconds, "the most that a move may take, more than 0", least=0.001)
    whole("jobs", jobs, "the number of processes, at least 1")
    if not is_whole(games) or games < 2 or games % 2:
        raise InputError(f"games={games!r}: games are played in pairs, so an even number of at least 2")
    done: list[Measured] = []
    for nodes, usual in zip(_ladder(speed(game, seconds, seed) * seconds * SHARE), GENERAL):
        below = done[-1] if done else None
        blur = usual.blur if below is None else min(usual.blur, below.level.blur)
        play = functools.partial(
            _score, game, below, games=games, seed=seed, most_plies=most_plies, jobs=jobs
        )
        done.append(_level(game, len(done) + 1, nodes, blur, seconds, seed, None if below is None else play))
        if on_level is not None:
            on_level(done[-1])
    return Calibration(game, seconds, tuple(done))


def _ladder(most: float) -> Iterator[int]:
    """The nodes of the levels 1 to 9."""
    top = max(2.0, min(most, GENERAL[-1].nodes))
    least = min(float(LEAST), top / 2)
    for step in range(len(GENERAL)):
        yield max(1, round(least * (top / least) ** (step / (len(GENERAL) - 1))))


def speed(game: Game, seconds: float, seed: int) -> float:
    """How many nodes a second the search of this game looks at, over a few positions."""
    wanted = Wanted(game)
    thinker = wanted.make(wanted.choice())
    thinker.prepare()
    nodes, spent = 0, 0.0
    for state in _positions(game, seed):
        thinker.clear()
        begun = time.perf_counter()
        analysis = consider(thinker, state, Limit(seconds=min(seconds, 0.5)), None)
        nodes, spent = nodes + analysis.nodes, spent + time.perf_counter() - begun
    return max(1.0, nodes / max(spent, 1e-4))


def _positions(game: Game, seed: int) -> Sequence[Any]:
    """A few positions of random play at which a player moves."""
    first = game.initial()
    seen = [
        step.state
        for round_ in range(SAMPLES)
        for step in random_play(game, first, KernelDraws((seed << 20) + round_), 40)
        if not step.thrown and len(step.choices) > 1
    ]
    return seen[:: max(1, len(seen) // SAMPLES)][:SAMPLES]


def _level(
    game: Game,
    number_: int,
    nodes: int,
    blur: float,
    seconds: float,
    seed: int,
    play: Callable[[int, Level, float], tuple[float, float]] | None,
) -> Measured:
    """A level of so many nodes, with the blur with which it makes what it is to make."""
    level = Level(nodes, round(blur, 3))
    took = _time_of(game, number_, level, seconds, seed)
    if play is None:
        return Measured(number_, level, took)
    low, high, tried = 0.0, blur, []
    for attempt in range(TRIES):
        score, error = play(number_, level, seconds)
        tried.append((level, score, error))
        if TARGET[0] <= score <= TARGET[1] or (score < TARGET[0] and level.blur == 0):
            break
        if score < TARGET[0]:
            high = level.blur
        else:
            low = level.blur
            if high - low < 0.02 * (
                blur or 1.0
            ):  # as blurred as the one below, and still much better: so be it
                break
        middle = 0.0 if attempt == TRIES - 2 and score < 0.5 else round((low + high) / 2, 3)
        level = Level(nodes, middle)
    middle_of = sum(TARGET) / 2
    best = min(tried, key=lambda one: (one[1] < 0.5, abs(one[1] - middle_of)))
    return Measured(number_, best[0], took, best[1], best[2], games=play.keywords["games"])  # type: ignore[attr-defined]


class _Player:
    """A bot at a level that is being measured, with another seed in every game."""

    def __init__(self, game: Game, number_: int, level: Level, seconds: float):
        self._bot = Bot(game, number_, seconds=seconds, levels=[level] * len(GENERAL))

    def begin(self, seed: int) -> None:
        self._bot.seed = seed

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        return self._bot.move(state, history)


def _score(
    game: Game,
    below: Measured | None,
    number_: int,
    level: Level,
    seconds: float,
    *,
    games: int,
    seed: int,
    most_plies: int,
    jobs: int,
) -> tuple[float, float]:
    """What a level makes against the one below, and how sure that is."""
    assert below is not None
    sides = [
        Contestant(f"level {at}", functools.partial(_Player, game, at, one, seconds))
        for at, one in ((number_, level), (below.number, below.level))
    ]
    book = islice(_openings(game, seed), games // 2)
    found = match(game, *sides, games=games, seed=seed, openings=book, most_plies=most_plies, jobs=jobs).score
    return found.share, found.error


def _openings(game: Game, seed: int) -> Iterator[Opening]:
    """A few random plies each: who is ahead then does not count, as both players have both sides."""
    for pair in count():
        actions: list[Any] = []
        state = game.initial()
        if not hides(game):
            for step in random_play(game, state, KernelDraws((seed << 20) + pair), pair % OPENING):
                if game.is_terminal(step.after):
                    break
                actions.append(step.action)
        yield Opening(tuple(actions), names_of(game, state, actions), 0.0)


def _time_of(game: Game, number_: int, level: Level, seconds: float, seed: int) -> float:
    """What a move takes a level, on average."""
    bot = Bot(game, number_, seconds=seconds, levels=[level] * len(GENERAL))
    positions = _positions(game, seed)
    if not positions:
        return 0.0
    bot.move(positions[0])  # what is done once, is done
    begun = time.perf_counter()
    for state in positions:
        bot.move(state)
    return (time.perf_counter() - begun) / len(positions)
