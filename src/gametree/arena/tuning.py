"""Better numbers for a player, found by playing: weights of features, or what a search is told.

    tuned         what can be tuned, and from where to where      tunables.py
    Schedule      how far numbers are moved                       spsa.py
    spread        who plays, and the file to go on from           jobs/

Two players who differ in the numbers alone meet in rounds as in a match; the numbers go to where games are won. At the
end what was found meets what it began with. The same seed finds the same numbers, whoever plays the rounds, as long as
the players answer by depth or nodes and not by the clock.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

from gametree.arena.entrants import entered
from gametree.arena.match import match
from gametree.arena.openings import Opening, Openings
from gametree.arena.playing import MOST_PLIES
from gametree.arena.ratings import Sample
from gametree.arena.rounds import Conditions, Round, Table, drawn, task_of
from gametree.arena.rounds import Setting as Meeting
from gametree.arena.seating import seatings
from gametree.arena.series import book_of, name_of, sides
from gametree.arena.spsa import LAST, Schedule, coins, moved
from gametree.arena.tunables import Tuned, tuned
from gametree.arguments import whole
from gametree.documents.matches import SampleDocument, TuningDocument
from gametree.documents.spreading import TuneDocument
from gametree.errors import GametreeError, InputError
from gametree.game import Game
from gametree.jobs.pool import Pool
from gametree.jobs.spread import Bench, Task, spread
from gametree.jobs.store import Store
from gametree.result import as_html
from gametree.search.core.identity import fingerprint

BATCH: Final = 16
"""So many rounds begin at the same point, where there are a hundred times as many."""
MOST_POINTS: Final = 1_000
"""So many points of the way are kept."""


@dataclass(frozen=True)
class Tuning:
    """Numbers that were found by playing, as far as it went."""

    game: str
    player: str
    names: tuple[str, ...]
    """Of the parameters."""
    start: tuple[float, ...]
    found: tuple[float, ...]
    parameters: dict[str, Any]
    """What was found, as the player is told it: `weights`, or its settings by name."""
    games: int
    """How many games were played, those of the match at the end not counted."""
    planned: int
    path: tuple[tuple[int, tuple[float, ...]], ...] = field(default=(), repr=False)
    """Where the parameters were after so many games."""
    score: Sample | None = None
    """What the found ones made against those at the start; None while games go on, or where no match was asked for."""
    results: Path | None = field(default=None, compare=False)
    """The file to go on from."""

    def __str__(self) -> str:
        return "\n".join(
            [f"{self.game}: {self.player}", *(f"  {label:<14}  {text}" for label, text in self._rows())]
        )

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("games", f"{self.games:,} of {self.planned:,}")]
        rows += [
            (name, f"{found:.6g}, from {start:.6g}")
            for name, found, start in zip(self.names, self.found, self.start)
        ]
        if self.score is not None:
            rows.append(("against start", str(self.score)))
        if "weights" in self.parameters:
            written = ", ".join(f"{one:.6g}" for one in self.parameters["weights"])
            rows.append(("weights", f"({written})"))
        return rows

    def _repr_html_(self) -> str:
        picture = f"<div>{self.svg()}</div>" if self.path else ""
        return as_html(f"{self.game}: {self.player}", self._rows()) + picture

    def svg(self) -> str:
        """How the parameters moved, as the text of an SVG file."""
        from gametree.explain.pictures.parameters import parameters_svg

        return parameters_svg(self.names, self.path, title=f"{self.game}: {self.player}")

    def to_dict(self) -> TuningDocument:
        """As plain data."""
        return {
            "schema": "gametree.tuning/1",
            "game": self.game,
            "player": self.player,
            "parameters": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in self.parameters.items()
            },
            "names": list(self.names),
            "start": list(self.start),
            "found": list(self.found),
            "games": self.games,
            "planned": self.planned,
            "path": [[games, *values] for games, values in self.path],
            "score": None if self.score is None else cast(SampleDocument, self.score.to_dict()),
        }

    def save(self, path: str | Path) -> None:
        """Writes what was found to a file; a player takes its weights from there, `analyze:depth=4,weights=FILE`."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def tune(
    game: Game,
    parameters: str = "weights",
    *,
    player: Any = None,
    games: int = 20_000,
    match_games: int = 400,
    batch: int | None = None,
    seed: int = 0,
    openings: Iterable[Opening] | str | Path | None = None,
    most_plies: int = MOST_PLIES,
    results: str | Path | None = None,
    jobs: int = 1,
    executor: Any = None,
    on_progress: Callable[[Tuning], None] | None = None,
) -> Tuning:
    """Tunes the weights of a game's `features`, or the parameters of a player, by playing `games` games.

    `parameters` is `"weights"`, or numbers that a player is told, with what they begin with and, where the bounds are
    not to be 0 and twice as much, with these: `"mcts:exploration=0.2..1.4..4"`. `player` is who plays, by name; by
    default `analyze:depth=2` for weights, and for other searches little to think. A batch of rounds begins at one
    point: the more workers, the larger it should be. `match_games` are played at the end against the start.
    `results` is a file that is continued where it exists; of a folder, the file in it that is named by the experiment.
    `jobs` processes play, or `executor`.

    >>> from gametree.games import TicTacToe
    >>> found = tune(TicTacToe(), "mcts:exploration=0.1..3..3", games=8, match_games=2)
    >>> found.names, found.games
    (('exploration',), 8)
    """
    size = len(seatings(sides(game), 2))
    if whole("games", games) < 2 * size:
        raise InputError(f"games={games!r}: at least {2 * size}; thousands, to find anything")
    whole("match_games", match_games, "how many games are played against the start, or 0", 0)
    whole("jobs", jobs, "the number of processes, at least 1")
    rounds = games // size
    together = max(1, min(BATCH, rounds // 100)) if batch is None else whole("batch", batch)
    open_ = tuned(game, parameters, player)
    for bound in (
        "low",
        "high",
    ):  # a value that the player does not take is refused before anything is played
        _close(open_.at([getattr(one, bound) for one in open_.parameters]).make(game))
    run = _Run(game, open_, rounds, together, size, seed, openings, most_plies)
    about = {**run.header()}
    if results is not None and Path(results).is_dir():
        results = Path(results) / name_of({**about, "kind": "tune"})
    store = None if results is None else Store(Path(results), about)
    pool = Pool(jobs) if executor is None and jobs > 1 else None
    done = False
    try:
        found = None
        path = None if results is None else Path(results)
        for one in run.play(store, executor or pool):
            found = replace(one, results=path)
            if on_progress is not None:
                on_progress(found)
        assert found is not None
        if match_games:
            found = run.judged(found, match_games, results, executor or pool)
        done = True
        return found
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
        if store is not None:
            store.close(done=done)


@dataclass(frozen=True)
class _Duels:
    """What every process has to know."""

    game: Game
    tuned: Tuned
    conditions: Conditions
    start: Any

    def open(self) -> Bench:
        return self.meet

    def meet(self, payload: Any) -> dict[str, Any]:
        """A round of the two players that a task names."""
        two = [self.tuned.at(payload[name], name) for name in ("one", "other")]
        table = Table(Meeting(self.game, entered(two), self.conditions, self.start))
        try:
            found = Round.of(table({**payload, "players": [0, 1]}))
        finally:
            table.close()
        for game in found.games:
            if game.fault is not None:
                told = ", ".join(f"{name}={value}" for name, value in two[game.fault].settings.items())
                raise InputError(
                    f"a player made a fault, and tuning needs games without any: {game.reason} ({told})"
                )
        return {"share": found.share(0, 1), "plies": sum(game.plies for game in found.games)}


class _Run:
    """One tuning from its first round to its last."""

    def __init__(
        self,
        game: Game,
        open_: Tuned,
        rounds: int,
        together: int,
        size: int,
        seed: int,
        openings: Any,
        most_plies: int,
    ):
        self.game, self.tuned, self.seed, self.openings = game, open_, seed, openings
        self.rounds, self.together, self.size = rounds, together, size
        self.book = self._book(seed)
        self.conditions = Conditions(seed, most_plies)
        self.start = getattr(self.book, "start", None)
        self.schedule = Schedule(rounds)

    def _book(self, seed: int) -> Any:
        """The openings; in a game that is even nowhere, random ones: a round has everybody in every seat anyway."""
        found = book_of(self.game, self.openings, seed)
        if self.openings is None and isinstance(found, Openings) and next(iter(found), None) is None:
            return Openings(self.game, seed=seed, judged=False)
        return found

    def header(self) -> TuneDocument:
        """What is tuned: a file goes on with nothing else."""
        return {
            "schema": "gametree.tune/1",
            "game": repr(self.game),
            "fingerprint": fingerprint(self.game),
            "player": self.tuned.player.identity,
            "parameters": [[one.name, one.start, one.low, one.high] for one in self.tuned.parameters],
            "rounds": self.rounds,
            "batch": self.together,
            "openings": getattr(self.book, "identity", {}),
            "seed": self.seed,
            "most_plies": self.conditions.most_plies,
        }

    def play(self, store: Store | None, executor: Any) -> Iterator[Tuning]:
        """Batch after batch; each begins where the one before has led."""
        duels = _Duels(self.game, self.tuned, self.conditions, self.start)
        openings = _endless(self.book)
        point = [0.0] * len(self.tuned.parameters)
        path = [(0, self.tuned.values(point))]
        last: list[list[float]] = []
        for begin in range(0, self.rounds, self.together):
            numbers = range(begin, min(begin + self.together, self.rounds))
            tasks = [self._task(number, point, opening) for number, opening in zip(numbers, openings)]
            here = list(point)
            with closing(spread(duels, tasks, executor=executor, store=store)) as done:
                for one in done:
                    if one.result is None:
                        raise GametreeError(one.trouble)
                    number = int(one.task.payload["round"])
                    flips = coins(self.seed, number, len(point))
                    there = moved(here, self.schedule, number, flips, float(one.result["share"]))
                    point = [value + new - old for value, new, old in zip(point, there, here)]
            point = [one.inside(steps) for one, steps in zip(self.tuned.parameters, point)]
            if numbers.stop > (1 - LAST) * self.rounds:
                last.append(point)
            path.append((numbers.stop * self.size, self.tuned.values(point)))
            yield self._tuning([sum(column) / len(last) for column in zip(*last)] if last else point, path)

    def judged(self, found: Tuning, games: int, results: str | Path | None, executor: Any) -> Tuning:
        """What was found, after a match against the start."""
        start = self.tuned.at([one.start for one in self.tuned.parameters], "the start")
        better = self.tuned.at(found.found, "what was found")
        file = None if results is None else Path(results).with_name(f"{Path(results).name}.match")
        ended = match(
            self.game,
            better,
            start,
            games=games,
            seed=drawn(self.seed, self.rounds),
            openings=self._book(drawn(self.seed, self.rounds)),
            most_plies=self.conditions.most_plies,
            results=file,
            executor=executor,
        )
        return replace(found, score=ended.score)

    def _task(self, number: int, point: list[float], opening: Opening) -> Task:
        flips = coins(self.seed, number, len(point))
        by = self.schedule.move(number)
        one, other = (
            self.tuned.values([value + sign * by * flip for value, flip in zip(point, flips)])
            for sign in (1, -1)
        )
        meeting = Meeting(self.game, (), self.conditions, self.start)
        task = task_of(meeting, number, (0, 1), opening)
        payload = {name: value for name, value in task.payload.items() if name != "players"}
        return Task(task.name, {**payload, "one": list(one), "other": list(other)})

    def _tuning(self, point: list[float], path: list[tuple[int, tuple[float, ...]]]) -> Tuning:
        values = self.tuned.values(point)
        every = -(-len(path) // MOST_POINTS)
        kept = path[::every] if path[-1] in path[::every][-1:] else [*path[::every], path[-1]]
        return Tuning(
            game=repr(self.game),
            player=self.tuned.player.name,
            names=tuple(one.name for one in self.tuned.parameters),
            start=tuple(one.start for one in self.tuned.parameters),
            found=values,
            parameters=self.tuned.settings(values),
            games=path[-1][0],
            planned=self.rounds * self.size,
            path=tuple(kept),
        )


def _endless(book: Any) -> Iterator[Opening]:
    """The openings, again from the first one when there are no more."""
    while True:
        some = False
        for opening in book:
            some = True
            yield opening
        if not some:
            raise InputError("there are no openings to play from; openings='start' begins at the beginning")


def _close(made: Any) -> None:
    end = getattr(made, "close", None)
    if end is not None:
        end()
