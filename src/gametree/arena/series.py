"""Rounds, whoever plays them, into a file to go on from: what matches and tournaments have in common."""

import json
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from gametree.arena.clocks import Control
from gametree.arena.opening_files import OpeningFile
from gametree.arena.openings import Opening, Openings
from gametree.arena.playing import sides_of
from gametree.arena.rounds import Round, Setting
from gametree.arena.tally import Tally
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game, offers
from gametree.jobs.pool import Pool
from gametree.jobs.spread import Task, spread
from gametree.jobs.store import Store
from gametree.result import Limit
from gametree.search.core.identity import digest, fingerprint
from gametree.search.core.task import require_game
from gametree.view import hides

SCHEMA: Final = "gametree.match/2"
START: Final = "start"
"""The word for no openings: every game begins at the start position."""


def sides(game: Game) -> int:
    """How many sides a game has; refused where there is nobody to meet."""
    require_game(game, "a match")
    found = len(set(sides_of(game)))
    if found < 2:
        raise UnsuitableError(f"{type(game).__name__} has one side only: there is nobody to meet")
    return found


def book_of(game: Game, given: Any, seed: int) -> Any:
    """The openings: those that were given, or the usual ones of a game.

    Usually they are random and even; random only in games of more than two sides, and in those that a short search
    solves. Where something is hidden, or chance makes games of many sides differ, every game begins at the beginning.
    """
    if isinstance(given, Path):
        return OpeningFile(game, given)
    if isinstance(given, str) and given != START:
        return OpeningFile(game, given)
    several = game.players > 2
    if given == START or (given is None and (hides(game) or (several and offers(game, "chance")))):
        return _Beginning()
    if given is not None:
        return given
    judged, any_at_all = Openings(game, seed=seed), Openings(game, seed=seed, judged=False)
    if not several and _has_one(judged):
        return judged
    return any_at_all if _has_one(any_at_all) else _Beginning()


def _has_one(book: Openings) -> bool:
    try:
        return next(iter(book), None) is not None
    except InputError:  # nothing to measure the margin by
        return False


class _Beginning:
    """No openings at all."""

    identity: Final = {"start": True}

    def __iter__(self) -> Iterator[Opening]:
        return repeat(Opening((), (), 0.0))


def control_of(given: Any) -> Control:
    """How much everybody may think, however it is written."""
    if given is None:
        return Control()
    if isinstance(given, Control):
        return given
    if isinstance(given, str):
        return Control.read(given)
    if isinstance(given, Limit):
        return Control(each=given.seconds, nodes=given.nodes, depth=given.depth)
    raise InputError(f"control={given!r}: write '5+0.05', or give a Limit for every move, or a Control")


def header(kind: str, setting: Setting, book: Any) -> dict[str, Any]:
    """What is played: a file goes on with nothing else."""
    conditions = setting.conditions
    return {
        "schema": SCHEMA,
        "kind": kind,
        "game": repr(setting.game),
        "fingerprint": fingerprint(setting.game),
        "players": [{"name": one.name, "identity": one.identity} for one in setting.entrants],
        "openings": getattr(book, "identity", {}),
        "seed": conditions.seed,
        "most_plies": conditions.most_plies,
        "control": conditions.control.to_dict(),
        "adjudication": None if conditions.adjudication is None else repr(conditions.adjudication),
    }


def name_of(about: dict[str, Any]) -> str:
    """The name of a file for an experiment, where only a folder is said: another one for every other experiment.

    >>> name_of({"kind": "match", "game": "ConnectFour(width=7)", "seed": 1})
    'match-ConnectFour-e4e25888.jsonl'
    """
    game = re.match(r"\w*", about["game"])
    return f"{about['kind']}-{game[0] if game else ''}-{digest(about)[:8]}.jsonl"


class Series:
    """Plays rounds and counts them."""

    def __init__(self, setting: Setting, store: Store | None, jobs: int, executor: Any):
        self.setting = setting
        self.tally: Tally = Tally(len(setting.entrants))
        self.fresh: int = 0
        """Games that were played now, and not read from a file."""
        self.troubles: list[str] = []
        """Rounds that were given up, and why."""
        self.kept: list[Round] = []
        """All rounds, where there is no file that has them."""
        self.path: Path | None = None if store is None else store.path
        """The file of the results."""
        self._store = store
        self._jobs = jobs
        self._executor = executor
        self._known = _numbered(store)

    def play(self, tasks: Iterable[Task]) -> Generator[Round, None, None]:
        """The rounds of tasks, in their order."""
        run = spread(
            self.setting,
            map(self._checked, tasks),
            jobs=self._jobs,
            executor=self._executor,
            store=self._store,
        )
        try:
            for done in run:
                if done.result is None:
                    self.troubles.append(done.trouble)
                    continue
                found = Round.of(done.result, done.task.name)
                self.fresh += len(found.games) * done.fresh
                self.tally.add(found)
                if self._store is None:
                    self.kept.append(found)
                yield found
        finally:
            run.close()

    def _checked(self, task: Task) -> Task:
        """The task, where the file does not hold the same round from another opening."""
        key = task.payload["round"], *task.payload["players"]
        if self._store is not None and self._known.get(key, task.hash) != task.hash:
            raise InputError(
                f"{self._store.path}: {task.name} was played from another opening; the openings have changed. Name"
                " another file, or delete this one to begin again."
            )
        return task


def _numbered(store: Store | None) -> dict[tuple[int, ...], str]:
    if store is None:
        return {}
    found: dict[tuple[int, ...], str] = {}
    for task, result in store.results.items():
        one = Round.of(result, f"{store.path}, task {task}")
        found[one.number, *one.players] = task
    return found


@contextmanager
def series(
    setting: Setting,
    kind: str,
    book: Any,
    *,
    results: str | Path | None,
    jobs: int,
    executor: Any,
) -> Iterator[Series]:
    """A series with its file and its processes, which end with it."""
    store = None
    if results is not None:
        about = header(kind, setting, book)
        place = Path(results)
        store = Store(place / name_of(about) if place.is_dir() else place, about)
    pool = Pool(jobs) if executor is None and jobs > 1 else None
    done = False
    try:
        yield Series(setting, store, jobs, executor or pool)
        done = True
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        if store is not None:
            store.close(done=done)


def rounds_of(path: Path, wanted: int) -> Iterator[Round]:
    """The first rounds of a file of results, one at a time."""
    with path.open(encoding="utf-8") as file:
        next(file)
        for number, line in enumerate(file, 2):
            if number > wanted + 1 or not line.endswith("\n"):
                return
            data = json.loads(line)
            data.pop("task")
            yield Round.of(data, f"{path}, line {number}")
