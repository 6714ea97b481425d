"""Who is stronger? Two players meet in rounds of games from the same openings, everybody in every seat.

    Entrant          who takes part                          entrants.py
    Openings         positions to begin from                 openings.py, opening_files.py
    Round            the games from one opening              rounds.py
    play_sides       one game, whatever the players do       playing.py
    Sample, Score    what came of it, with error bars        ratings.py
    Sprt             when to stop                            sprt.py
    spread, Store    processes, and a file to go on from     jobs/

The same seed gives the same games, in however many processes, as long as the players answer by depth or nodes and not
by the clock. So does a match that was stopped and taken up again.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from gametree.arena.clocks import Control
from gametree.arena.entrants import entered
from gametree.arena.openings import Opening
from gametree.arena.playing import MOST_PLIES, Adjudication
from gametree.arena.ratings import Sample
from gametree.arena.rounds import Conditions, GamePlayed, Round, Setting, task_of
from gametree.arena.seating import seatings
from gametree.arena.series import Series, book_of, control_of, rounds_of, series, sides
from gametree.arena.sprt import Estimate, Sprt
from gametree.arena.tally import Curve, Point
from gametree.arguments import is_whole, whole
from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Limit, as_html, many


@dataclass(frozen=True)
class Match:
    """A match as far as it was played, seen by the first player."""

    game: str
    names: tuple[str, str]
    score: Sample
    """What the first player made; a `Score` where games are won, drawn or lost."""
    planned: int
    """How many games there were to be."""
    games_played: int
    plies: int
    reasons: dict[str, int]
    """How the games ended, and how often."""
    faults: tuple[dict[str, int], dict[str, int]]
    """What each player did that ended a game at once, and how often."""
    slowest: tuple[float, float] = field(compare=False)
    """The longest thought of each player, in seconds; 0 where no clock counts."""
    sprt: Sprt | None = None
    curve: tuple[Point, ...] = field(default=(), repr=False)
    """How the score went."""
    troubles: tuple[str, ...] = ()
    """Rounds that were given up, and why."""
    ran_out: bool = False
    """Whether there were fewer openings than games to be played."""
    digest: str = ""
    """A word for all games: equal where every move is."""
    fresh: int = field(default=0, compare=False)
    """How many games were played now, and not read from a file."""
    path: Path | None = field(default=None, compare=False)
    """The file of the results."""
    kept: tuple[Round, ...] = field(default=(), repr=False, compare=False)

    def each_round(self) -> Iterator[Round]:
        """The rounds, one at a time."""
        return iter(self.kept) if self.path is None else rounds_of(self.path, self.score.count)

    @property
    def rounds(self) -> tuple[Round, ...]:
        """The rounds, in their order."""
        return tuple(self.each_round())

    @property
    def games(self) -> tuple[GamePlayed, ...]:
        """The games, in their order."""
        return tuple(game for one in self.each_round() for game in one.games)

    @property
    def verdict(self) -> str | None:
        """Which hypothesis the test has accepted; None where there is no test, or it is undecided."""
        return None if self.sprt is None else self.sprt.verdict(self.score)

    @property
    def estimate(self) -> Estimate | None:
        """The difference in Elo, seen from after a test has stopped: there the score says more than is true."""
        return None if self.sprt is None or self.verdict is None else self.sprt.after(self.score)

    def rows(self) -> list[tuple[str, str]]:
        """What came of it, as labels and texts."""
        rows = [("score", str(self.score))]
        if self.score.count:
            superior = f"superior with {100 * self.score.superiority:.1f} %"
            if self.score.variance:
                superior = f"Elo {self.score.nelo:+.0f} ± {self.score.nelo_error:.0f}, {superior}"
            rows.append(("normalised" if self.score.variance else "likelihood", superior))
        if self.sprt is not None:
            rows.append(("test", self.sprt.report(self.score)))
        if self.estimate is not None:
            rows.append(("after the stop", str(self.estimate)))
        for name, faults in zip(self.names, self.faults):
            rows += [(name, f"{count} × {reason}") for reason, count in faults.items()]
        rows += [("given up", trouble) for trouble in self.troubles]
        if self.ran_out:
            rows.append(
                (
                    "openings",
                    f"there are openings for {many(self.games_played, 'game', 'games')} only, not for {self.planned:,}:"
                    " allow more plies, or begin at the start",
                )
            )
        return rows

    def __str__(self) -> str:
        first, second = self.names
        head = f"{self.game}: {first} against {second}"
        return "\n".join([head, *(f"  {label:<14}  {text}" for label, text in self.rows())])

    def _repr_html_(self) -> str:
        return as_html(f"{self.game}: {self.names[0]} against {self.names[1]}", self.rows())

    def to_dict(self) -> dict[str, Any]:
        """What came of it as plain data; the games are in the file."""
        found: dict[str, Any] = {
            "schema": "gametree.match-result/1",
            "game": self.game,
            "players": list(self.names),
            "score": self.score.to_dict(),
            "games": self.games_played,
            "planned": self.planned,
            "plies": self.plies,
            "reasons": dict(self.reasons),
            "faults": [dict(one) for one in self.faults],
            "slowest": [round(one, 4) for one in self.slowest],
            "troubles": list(self.troubles),
            "digest": self.digest,
            "sprt": None,
        }
        if self.sprt is not None:
            after = self.estimate
            found["sprt"] = {
                "elo": [self.sprt.elo0, self.sprt.elo1],
                "errors": [self.sprt.alpha, self.sprt.beta],
                "llr": round(self.sprt.of(self.score), 6),
                "bounds": [round(one, 6) for one in self.sprt.bounds],
                "verdict": self.verdict,
                "after": None
                if after is None
                else [round(one, 3) for one in (after.elo, after.low, after.high)],
            }
        return found


def match(
    game: Game,
    first: Any,
    second: Any,
    *,
    games: int = 100,
    control: Control | Limit | str | None = None,
    seed: int = 0,
    openings: Iterable[Opening] | str | Path | None = None,
    most_plies: int = MOST_PLIES,
    adjudication: Adjudication | None = None,
    sprt: Sprt | tuple[float, float] | None = None,
    results: str | Path | None = None,
    jobs: int = 1,
    executor: Any = None,
    on_progress: Callable[[Match], None] | None = None,
) -> Match:
    """Plays `games` games, or with `sprt` fewer, and tells what the first player made.

    A player is a name (`"level:6"`, see `player`), an object with `move(state)`, a function of (state, history), or a
    `Contestant`. Of two players a round is a pair of games with sides swapped; where there are more seats than
    players it is every way to sit. `control` is a clock for the game, `"5+0.05"`, or a `Limit` for every move.
    `openings` are by default random and even ones by the seed; a file of them (PGN, PDN, EPD, FEN, text), `"start"`
    for none, or anything that gives `Opening`s. `results` is a file that is continued where it exists, or a folder for
    one that is named by the experiment. `jobs` processes play, or `executor`, any of `concurrent.futures`.
    `on_progress` hears of every round, in order.

    >>> from gametree.games import Nim
    >>> def best(state, history): return state.left % 4 or 1
    >>> def greedy(state, history): return min(3, state.left)
    >>> book = [Opening((take,), (str(take),), 0.0) for take in (1, 2, 3)]
    >>> print(match(Nim(counters=21), best, greedy, games=6, openings=book))
    Nim(counters=21, take=3, misere=False): best against greedy
      score           +4 =0 -2 of 6 games: 66.7 % (19.5 to 93.3), Elo +120 (-246 to +459), pairs 0/0/2/0/1
      normalised      Elo +174 ± 385, superior with 82.2 %
    """
    seats = sides(game)
    size = len(seatings(seats, 2))
    if not is_whole(games) or games < 2 or (size == 2 and games % 2):
        raise InputError(f"games={games!r}: games are played in pairs, so an even number of at least 2")
    whole("jobs", jobs, "the number of processes, at least 1")
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    rounds = -(-games // size)
    players = entered([first, second])
    book = book_of(game, openings, seed)
    conditions = Conditions(seed, most_plies, control_of(control), adjudication)
    setting = Setting(game, players, conditions, getattr(book, "start", None))
    curve = Curve()
    with series(setting, "match", book, results=results, jobs=jobs, executor=executor) as played:

        def so_far(**ended: bool) -> Match:
            return _match(setting, played, curve, test, rounds * size, **ended)

        tasks = (task_of(setting, number, (0, 1), one) for number, one in enumerate(islice(book, rounds)))
        run = played.play(tasks)
        for _ in run:
            tally = played.tally
            sample = tally.sample(0, 1)
            curve.add(tally.rounds, tally.games, sample)
            if on_progress is not None:
                on_progress(so_far())
            if test is not None and test.verdict(sample) is not None:
                run.close()
                return so_far(final=True)
        done = played.tally.rounds + len(played.troubles)
        return so_far(final=True, ran_out=done < rounds)


def _match(
    setting: Setting,
    played: Series,
    curve: Curve,
    test: Sprt | None,
    planned: int,
    *,
    final: bool = False,
    ran_out: bool = False,
) -> Match:
    tally = played.tally
    sample = tally.sample(0, 1)
    first, second = (
        {reason: count for (player, reason), count in sorted(tally.faults.items()) if player == one}
        for one in (0, 1)
    )
    return Match(
        game=repr(setting.game),
        names=(setting.entrants[0].name, setting.entrants[1].name),
        score=sample,
        planned=planned,
        games_played=tally.games,
        plies=tally.plies,
        reasons=dict(sorted(tally.reasons.items())),
        faults=(first, second),
        slowest=(tally.slowest[0], tally.slowest[1]),
        sprt=test,
        curve=curve.points(tally.games, sample),
        troubles=tuple(played.troubles),
        ran_out=ran_out,
        digest=tally.digest,
        fresh=played.fresh,
        path=played.path,
        kept=tuple(played.kept) if final else (),
    )
