"""Many players meet: round robin, gauntlet or Swiss, in games of any number of sides.

Strengths are those of Bradley and Terry, or where more than two play at a time of Plackett and Luce (`field.py`).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from gametree.arena.clocks import Control
from gametree.arena.entrants import entered
from gametree.arena.field import Rated, rate
from gametree.arena.openings import Opening
from gametree.arena.playing import MOST_PLIES, Adjudication
from gametree.arena.ratings import Sample
from gametree.arena.rounds import Conditions, GamePlayed, Round, Setting, task_of
from gametree.arena.schedule import KINDS, Kind, Meeting, meetings, swiss
from gametree.arena.seating import seatings
from gametree.arena.series import Series, book_of, control_of, rounds_of, series, sides
from gametree.arguments import whole
from gametree.errors import InputError
from gametree.game import Game
from gametree.jobs.spread import Task
from gametree.result import Limit, many


@dataclass(frozen=True)
class Standing:
    """How a player stands."""

    place: int
    name: str
    rated: Rated
    """Elo above the average of the field, with its 95 % interval."""
    points: float
    """What it made in its games; a round that it sat out counts as drawn."""
    games: int
    byes: int
    """Rounds that it sat out, because somebody had to."""
    faults: dict[str, int]
    """What it did that ended a game at once, and how often."""
    number: int
    """Its place among those who were entered."""


@dataclass(frozen=True)
class Tournament:
    """A tournament as far as it was played."""

    game: str
    kind: Kind
    standings: tuple[Standing, ...]
    """The best first."""
    cross: tuple[tuple[Sample | None, ...], ...]
    """What each made against each, in the order of the standings; None where they did not meet."""
    planned: int
    """How many games there were to be."""
    games_played: int
    rounds_played: int
    plies: int
    reasons: dict[str, int]
    """How the games ended, and how often."""
    troubles: tuple[str, ...] = ()
    """Rounds that were given up, and why."""
    ran_out: bool = False
    """Whether there were fewer openings than rounds to be played."""
    digest: str = ""
    """A word for all games: equal where every move is."""
    fresh: int = field(default=0, compare=False)
    """How many games were played now, and not read from a file."""
    path: Path | None = field(default=None, compare=False)
    """The file of the results."""
    kept: tuple[Round, ...] = field(default=(), repr=False, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The players, the best first."""
        return tuple(one.name for one in self.standings)

    @property
    def entered(self) -> tuple[str, ...]:
        """The players in the order of their numbers, as they were entered."""
        return tuple(one.name for one in sorted(self.standings, key=lambda one: one.number))

    def each_round(self) -> Iterator[Round]:
        """The rounds, one at a time; players by the number with which they were entered."""
        return iter(self.kept) if self.path is None else rounds_of(self.path, self.rounds_played)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds, in their order."""
        return tuple(self.each_round())

    @property
    def games(self) -> tuple[GamePlayed, ...]:
        """The games, in their order."""
        return tuple(game for one in self.each_round() for game in one.games)

    def rows(self) -> list[tuple[str, ...]]:
        """The table as texts, a heading first: place, name, Elo, interval, points, games, and the scores in percent."""
        numbers = [str(one.place) for one in self.standings]
        head = ("", "player", "Elo", "95 %", "points", "games", *(f"against {number}" for number in numbers))
        rows: list[tuple[str, ...]] = [head]
        for one, line in zip(self.standings, self.cross):
            scores = ["" if sample is None else f"{100 * sample.share:.1f}" for sample in line]
            rated = one.rated
            rows.append(
                (
                    str(one.place),
                    one.name,
                    f"{rated.elo:+.0f}",
                    f"{rated.low:+.0f} to {rated.high:+.0f}",
                    f"{one.points:g}" if one.points == round(one.points, 1) else f"{one.points:.2f}",
                    f"{one.games}",
                    *scores,
                )
            )
        return rows

    def notes(self) -> list[str]:
        """What there is to say beside the table."""
        told = [
            f"{one.name}: {count} × {reason}"
            for one in self.standings
            for reason, count in one.faults.items()
        ]
        told += [f"given up: {trouble}" for trouble in self.troubles]
        if self.ran_out:
            told.append(
                f"there are openings for {many(self.games_played, 'game', 'games')} only, not for {self.planned:,}:"
                " allow more plies, or begin at the start"
            )
        return told

    def __str__(self) -> str:
        rows = self.rows()
        wide = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
        lines = [
            "  ".join(
                text.ljust(size) if at == 1 else text.rjust(size)
                for at, (text, size) in enumerate(zip(row, wide))
            ).rstrip()
            for row in rows
        ]
        head = f"{self.game}: {self.kind}, {many(self.games_played, 'game', 'games')}"
        return "\n".join([head, *(f"  {line}" for line in lines), *(f"  {note}" for note in self.notes())])

    def _repr_html_(self) -> str:
        from html import escape

        head, *rows = self.rows()
        cells = "".join(f"<th>{escape(text)}</th>" for text in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes())
        return (
            f"<table><caption>{escape(self.game)}: {self.kind}</caption><tr>{cells}</tr>{body}</table>{notes}"
        )

    def to_dict(self) -> dict[str, Any]:
        """What came of it as plain data; the games are in the file."""
        return {
            "schema": "gametree.tournament-result/1",
            "game": self.game,
            "kind": self.kind,
            "standings": [
                {
                    "place": one.place,
                    "name": one.name,
                    "elo": round(one.rated.elo, 3),
                    "elo_low": round(one.rated.low, 3),
                    "elo_high": round(one.rated.high, 3),
                    "points": round(one.points, 6),
                    "games": one.games,
                    "byes": one.byes,
                    "faults": dict(one.faults),
                }
                for one in self.standings
            ],
            "cross": [
                [None if sample is None else sample.to_dict() for sample in line] for line in self.cross
            ],
            "games": self.games_played,
            "planned": self.planned,
            "plies": self.plies,
            "reasons": dict(self.reasons),
            "troubles": list(self.troubles),
            "digest": self.digest,
        }


def tournament(
    game: Game,
    *players: Any,
    kind: Kind = "round-robin",
    rounds: int = 10,
    control: Control | Limit | str | None = None,
    seed: int = 0,
    openings: Iterable[Opening] | str | Path | None = None,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    results: str | Path | None = None,
    jobs: int = 1,
    executor: Any = None,
    on_progress: Callable[[Tournament], None] | None = None,
) -> Tournament:
    """Lets players meet, and rates them.

    In a round robin everybody meets everybody in each of the `rounds`, in a gauntlet the first player everybody else. A
    meeting is a pair of games with sides swapped; in games of more sides it is as many games as give everybody every
    seat. In a Swiss tournament everybody meets one other in each round, who stands alike. All else is as in `match`.

    >>> from gametree.games import Nim
    >>> def best(state, history): return state.left % 4 or 1
    >>> def greedy(state, history): return min(3, state.left)
    >>> def shy(state, history): return 1
    >>> print(tournament(Nim(21), best, greedy, shy, rounds=1, openings="start"))
    Nim(counters=21, take=3, misere=False): round-robin, 6 games
         player    Elo            95 %  points  games  against 1  against 2  against 3
      1  best    +1022  -2000 to +2000       4      4                 100.0      100.0
      2  greedy   -511  -2000 to +2000       1      4        0.0                  50.0
      3  shy      -511  -2000 to +2000       1      4        0.0       50.0
    """
    seats = sides(game)
    if kind not in KINDS:
        raise InputError(f"kind={kind!r}: one of {', '.join(KINDS)}")
    if len(players) < 2:
        raise InputError("a tournament needs two players at least: tournament(game, 'level:3', 'level:5')")
    whole("rounds", rounds, "how often they meet, at least once")
    whole("jobs", jobs, "the number of processes, at least 1")
    entrants = entered(players)
    book = book_of(game, openings, seed)
    conditions = Conditions(seed, most_plies, control_of(control), adjudication)
    setting = Setting(game, entrants, conditions, getattr(book, "start", None))
    size = min(len(players), seats)
    each = len(meetings(kind, len(players), seats)) if kind != "swiss" else len(players) // size
    planned = rounds * each * len(seatings(seats, size))
    byes = [0] * len(players)
    with series(setting, kind, book, results=results, jobs=jobs, executor=executor) as played:

        def so_far(**ended: bool) -> Tournament:
            return _tournament(setting, played, kind, planned, byes, **ended)

        drawn = _Counted(islice(book, rounds))
        for tasks in _stages(kind, setting, played, drawn, byes, seats):
            for _ in played.play(tasks):
                if on_progress is not None:
                    on_progress(so_far())
        return so_far(final=True, ran_out=drawn.count < rounds)


class _Counted:
    """Openings, and how many of them there were."""

    def __init__(self, book: Iterator[Opening]):
        self._book = book
        self.count: int = 0

    def __iter__(self) -> Iterator[tuple[int, Opening]]:
        for opening in self._book:
            self.count += 1
            yield self.count - 1, opening


def _stages(
    kind: Kind, setting: Setting, played: Series, book: _Counted, byes: list[int], seats: int
) -> Iterator[Iterable[Task]]:
    """What can be played without knowing what comes of it."""
    players = len(setting.entrants)
    if kind != "swiss":
        pairs = meetings(kind, players, seats)
        tasks = (task_of(setting, number, pair, opening) for number, opening in book for pair in pairs)
        yield tasks
        return
    met: dict[frozenset[int], int] = {}
    for number, opening in book:
        made = _points(played, byes)
        tables, idle = swiss(made, lambda a, b: met.get(frozenset((a, b)), 0), byes, seats)
        for one in idle:
            byes[one] += 1
        yield [task_of(setting, number, table, opening) for table in tables]
        for table in tables:
            _meet(met, table)


def _meet(met: dict[frozenset[int], int], table: Meeting) -> None:
    for at, one in enumerate(table):
        for other in table[at + 1 :]:
            key = frozenset((one, other))
            met[key] = met.get(key, 0) + 1


def _points(played: Series, byes: list[int]) -> list[float]:
    """What everybody has made; a round that somebody had to sit out counts as drawn."""
    tally = played.tally
    games = tally.games // tally.rounds if tally.rounds else 0
    return [made + games * idle / 2 for made, idle in zip(tally.points, byes)]


def _tournament(
    setting: Setting,
    played: Series,
    kind: Kind,
    planned: int,
    byes: list[int],
    *,
    final: bool = False,
    ran_out: bool = False,
) -> Tournament:
    tally = played.tally
    players = range(len(setting.entrants))
    rated = rate(len(players), list(tally.groups), list(tally.groups.values()))
    points = _points(played, byes)
    best = (
        (lambda one: (-points[one], -rated[one].elo, one))
        if kind == "swiss"
        else (lambda one: (-round(rated[one].elo, 6), -points[one], one))
    )
    order = sorted(players, key=best)
    faults: list[dict[str, int]] = [{} for _ in players]
    for (player, reason), count in sorted(tally.faults.items()):
        faults[player][reason] = count
    samples = {(one, other): tally.sample(one, other) for one in players for other in players if one != other}
    return Tournament(
        game=repr(setting.game),
        kind=kind,
        standings=tuple(
            Standing(
                place,
                setting.entrants[one].name,
                rated[one],
                points[one],
                tally.played[one],
                byes[one],
                faults[one],
                one,
            )
            for place, one in enumerate(order, 1)
        ),
        cross=tuple(
            tuple(
                samples[one, other] if one != other and samples[one, other].count else None for other in order
            )
            for one in order
        ),
        planned=planned,
        games_played=tally.games,
        rounds_played=tally.rounds,
        plies=tally.plies,
        reasons=dict(sorted(tally.reasons.items())),
        troubles=tuple(played.troubles),
        ran_out=ran_out,
        digest=tally.digest,
        fresh=played.fresh,
        path=played.path,
        kept=tuple(played.kept) if final else (),
    )
