"""Let two players meet: pairs of games from the same openings with sides swapped, in one process or several.

    Openings         positions to begin from                 openings.py
    play             one game, whatever the players do       playing.py
    Records          the file that a match is resumed from   records.py
    Score            what came of it, with error bars        ratings.py
    Sprt             when to stop                            sprt.py

The same seed gives the same games, in however many processes, as long as the players answer by depth or nodes and not
by the clock. So does a match that was stopped and taken up again.
"""

import contextlib
import functools
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from gametree.arena.openings import Opening, Openings
from gametree.arena.playing import END, MOST_PLIES, Adjudication, Played, play, require_matchable
from gametree.arena.ratings import Score
from gametree.arena.records import Pair, Records
from gametree.arena.sprt import Sprt
from gametree.arguments import is_whole, whole
from gametree.errors import GametreeError, InputError
from gametree.game import Game
from gametree.view import hides

AHEAD: Final = 2
"""How many pairs wait for each process, so that none is ever idle."""


@dataclass(frozen=True)
class Contestant:
    """A name, and how to make the player; every process makes its own.

    What makes a player has to be picklable for more than one process: a class or function of a module, or a
    `functools.partial` of one.
    """

    name: str
    make: Callable[[], Any]


@dataclass(frozen=True)
class Match:
    """A match as far as it was played."""

    game: str
    names: tuple[str, str]
    pairs: tuple[Pair, ...]
    test: Sprt | None = None

    @property
    def score(self) -> Score:
        """What the first contestant made."""
        return Score.of(pair.points for pair in self.pairs)

    @property
    def games(self) -> tuple[Played, ...]:
        return tuple(game for pair in self.pairs for game in pair.games)

    @property
    def reasons(self) -> Counter[str]:
        """How the games ended, and how often."""
        return Counter(game.reason for game in self.games)

    @property
    def slowest(self) -> tuple[float, float]:
        """The longest thought of each contestant, in seconds."""
        return (
            max((game.slowest[0] for game in self.games), default=0.0),
            max((game.slowest[1] for game in self.games), default=0.0),
        )

    def __str__(self) -> str:
        first, second = self.names
        lines = [f"{self.game}: {first} against {second}", f"  {self.score}"]
        if self.test is not None:
            lines.append(f"  {self.test.report(self.score.pairs)}")
        unusual = sorted((reason, count) for reason, count in self.reasons.items() if reason != END)
        return "\n".join(lines + [f"  {count} × {reason}" for reason, count in unusual])


@dataclass(frozen=True)
class _Setting:
    """What every process has to know."""

    game: Game
    contestants: tuple[Contestant, Contestant]
    seed: int
    most_plies: int
    adjudication: Adjudication | None
    start: Any


@dataclass(frozen=True)
class _Task:
    number: int
    opening: Opening


def _usual_book(game: Game, seed: int) -> Openings | Iterable[Opening]:
    """Random openings; where information is hidden every game begins at the beginning, and only chance differs."""
    return repeat(Opening((), (), 0.0)) if hides(game) else Openings(game, seed=seed)


def match(
    game: Game,
    first: Any,
    second: Any,
    *,
    games: int = 100,
    seed: int = 0,
    openings: Openings | Iterable[Opening] | None = None,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    test: Sprt | None = None,
    results: str | Path | None = None,
    jobs: int = 1,
    on_pair: Callable[[Match], None] | None = None,
) -> Match:
    """Plays `games` games, or with `test` fewer, and tells what the first contestant made.

    A contestant is a player (see `playing.py`) or a `Contestant`. `openings` are by default random ones by the seed.
    `results` is a file that is continued where it exists. `on_pair` hears of every pair, in order.

    >>> from gametree.games import Nim
    >>> def best(state, history): return state.left % 4 or 1
    >>> def greedy(state, history): return min(3, state.left)
    >>> book = [Opening((take,), (str(take),), 0.0) for take in (1, 2, 3)]
    >>> print(match(Nim(counters=21), best, greedy, games=6, openings=book))
    Nim(counters=21, take=3, misere=False): best against greedy
      +4 =0 -2 of 6 games: 66.7 % (19.5 to 93.3), Elo +120 (-246 to +459), pairs 0/0/2/0/1
    """
    require_matchable(game)
    if not is_whole(games) or games < 2 or games % 2:
        raise InputError(f"games={games!r}: games are played in pairs, so an even number of at least 2")
    whole("jobs", jobs, "the number of processes, at least 1")
    if most_plies < 1:
        raise InputError(f"most_plies={most_plies!r}: at least 1")
    book = _usual_book(game, seed) if openings is None else openings
    start = book.start if isinstance(book, Openings) else None
    contestants = (_contestant(first), _contestant(second))
    setting = _Setting(game, contestants, seed, most_plies, adjudication, start)
    names = (contestants[0].name, contestants[1].name)
    records = None if results is None else Records(Path(results), _header(setting))
    tasks = (_Task(*numbered) for numbered in enumerate(islice(book, games // 2)))
    done: list[Pair] = []
    for pair in _played(setting, tasks, records, jobs):
        done.append(pair)
        so_far = Match(repr(game), names, tuple(done), test)
        if on_pair is not None:
            on_pair(so_far)
        if test is not None and test.verdict(so_far.score.pairs) is not None:
            return so_far
    if 2 * len(done) < games:
        raise InputError(f"there are openings for {2 * len(done)} games only, not for {games}")
    return Match(repr(game), names, tuple(done), test)


def _contestant(given: Any) -> Contestant:
    if isinstance(given, Contestant):
        return given
    if not callable(given) and not callable(getattr(given, "move", None)):
        raise InputError(
            f"{given!r} is no player: a player has `move(state)`, or is a function of (state, history)"
        )
    return Contestant(_name(given), functools.partial(_itself, given))


def _itself(player: Any) -> Any:
    return player


def _name(player: Any) -> str:
    if isinstance(level := getattr(player, "level", None), int):
        return f"level {level}"
    return str(getattr(player, "__name__", type(player).__name__))


def _header(setting: _Setting) -> dict[str, Any]:
    judged = setting.adjudication
    return {
        "game": repr(setting.game),
        "contestants": [contestant.name for contestant in setting.contestants],
        "seed": setting.seed,
        "most_plies": setting.most_plies,
        "adjudication": None if judged is None else repr(judged),
    }


# --- pairs, in order --------------------------------------------------------------------------------


def _played(setting: _Setting, tasks: Iterator[_Task], records: Records | None, jobs: int) -> Iterator[Pair]:
    """All pairs in the order of their numbers, from the file where they are in it."""
    with _workers(setting, jobs) as submit:
        waiting: list[tuple[_Task, Callable[[], Pair]]] = []
        for task in tasks:
            waiting.append((task, _recorded(records, task) or submit(task)))
            if len(waiting) >= (1 if jobs == 1 else AHEAD * jobs):
                yield _collect(*waiting.pop(0), records)
        for entry in waiting:
            yield _collect(*entry, records)


def _recorded(records: Records | None, task: _Task) -> Callable[[], Pair] | None:
    pair = None if records is None else records.pairs.get(task.number)
    if pair is None:
        return None
    if pair.opening != task.opening.names:
        raise InputError(
            f"{records.path if records else ''}: pair {task.number} was played from another opening; the"
            " openings or the game have changed. Name another file, or delete this one to begin again."
        )
    return functools.partial(_itself, pair)


def _collect(task: _Task, result: Callable[[], Pair], records: Records | None) -> Pair:
    try:
        pair = result()
    except BrokenProcessPool as error:
        raise GametreeError(
            f"a process died while it played pair {task.number}; what was finished is kept, jobs=1 shows more"
        ) from error
    if records is not None and task.number not in records.pairs:
        records.add(pair)
    return pair


# --- processes --------------------------------------------------------------------------------------


@contextlib.contextmanager
def _workers(setting: _Setting, jobs: int) -> Iterator[Callable[[_Task], Callable[[], Pair]]]:
    """A way to have pairs played: here, or by processes of their own.

    Processes are spawned, never forked: a fork of a process with threads (compiled searches have some) may hang.
    """
    if jobs == 1:
        pairing = Pairing(setting)
        yield lambda task: functools.partial(pairing.play, task)
        return
    try:
        pickle.dumps(setting)
    except Exception as error:
        raise InputError(
            f"these players cannot be sent to other processes ({error}): give Contestant(name, make) with a"
            " function of a module, or play with jobs=1"
        ) from None
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_make_pairing, initargs=(setting,)
    )
    try:
        yield lambda task: _submitted(pool.submit(_play_here, task))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _submitted(future: "Future[Pair]") -> Callable[[], Pair]:
    return future.result


class Pairing:
    """Where two contestants sit, in one process."""

    def __init__(self, setting: _Setting):
        self.setting = setting
        self.players: Sequence[Any] = tuple(contestant.make() for contestant in setting.contestants)

    def play(self, task: _Task) -> Pair:
        """Both games of a pair."""
        setting = self.setting
        games = [
            play(
                setting.game,
                self.players,
                task.opening.actions,
                seat=seat,
                seed=(setting.seed << 32) + 2 * task.number + seat,
                most_plies=setting.most_plies,
                adjudication=setting.adjudication,
                start=setting.start,
            )
            for seat in (0, 1)
        ]
        return Pair(task.number, task.opening.names, (games[0], games[1]))


_pairing: Pairing | None = None


def _make_pairing(setting: _Setting) -> None:
    global _pairing
    _pairing = Pairing(setting)


def _play_here(task: _Task) -> Pair:
    assert _pairing is not None
    return _pairing.play(task)
