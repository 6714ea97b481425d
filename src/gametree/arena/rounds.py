"""A round: the games that belong together, from one opening and with the same dice, everybody in every seat.

Of two players it is a pair of games. A round is a task of its own, so that rounds are played in any process and in any
order: `Setting` is what all have in common, `Table` plays one, `Round` is what came of it.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.arena.clocks import Control
from gametree.arena.entrants import Entrant
from gametree.arena.openings import Opening
from gametree.arena.playing import MOST_PLIES, Adjudication, play_sides, same, sides_of
from gametree.arena.seating import seatings
from gametree.documents.matches import RoundDocument
from gametree.errors import InputError
from gametree.game import Game
from gametree.jobs.spread import Task
from gametree.reading import mismatch
from gametree.search.core.plays import choices_at


@dataclass(frozen=True)
class GamePlayed:
    """A game as it went."""

    seats: tuple[int, ...]
    """The player at every side, by number."""
    points: tuple[float, ...]
    """What every side made: the share of the others that it has beaten, ties counted by half."""
    reason: str
    plies: int
    moves: tuple[str, ...]
    """All actions, those of the opening included, as people write them."""
    fault: int | None = None
    """The player who did what ends a game at once: an illegal move, an error, a loss on time."""
    slowest: tuple[float, ...] = field(default=(), compare=False)
    """The longest that each side thought about a move, in seconds; kept where the clock counts."""

    def points_of(self, player: int) -> float:
        """What a player made, on average over its seats."""
        made = [points for seat, points in zip(self.seats, self.points) if seat == player]
        return sum(made) / len(made)

    def share(self, one: int, other: int) -> float:
        """What a player made against another: 1 where it did better, 0.5 where as well."""
        mine = [points for seat, points in zip(self.seats, self.points) if seat == one]
        theirs = [points for seat, points in zip(self.seats, self.points) if seat == other]
        return sum((a > b) + (a == b) / 2 for a in mine for b in theirs) / (len(mine) * len(theirs))


@dataclass(frozen=True)
class Round:
    """The games from one opening."""

    number: int
    players: tuple[int, ...]
    """Who met, by number."""
    opening: tuple[str, ...]
    games: tuple[GamePlayed, ...]
    start: str | None = None
    """The position that the opening begins in, as the game writes it; None is the usual one."""

    def share(self, one: int, other: int) -> float:
        """What a player made against another, from 0 to 1."""
        return sum(game.share(one, other) for game in self.games) / len(self.games)

    def to_dict(self) -> RoundDocument:
        """As plain data."""
        return {
            "round": self.number,
            "players": list(self.players),
            "start": self.start,
            "opening": list(self.opening),
            "games": [
                {
                    "seats": list(game.seats),
                    "points": list(game.points),
                    "reason": game.reason,
                    "plies": game.plies,
                    "moves": list(game.moves),
                    "fault": game.fault,
                    "slowest": [round(seconds, 6) for seconds in game.slowest],
                }
                for game in self.games
            ],
        }

    @classmethod
    def of(cls, data: Any, where: str = "the round") -> "Round":
        """What was written down; refused where it is no round."""
        why = mismatch(data, RoundDocument, where)
        if why:
            raise InputError(f"{why}; delete the line to have its games played again")
        games = tuple(
            GamePlayed(
                tuple(game["seats"]),
                tuple(float(one) for one in game["points"]),
                game["reason"],
                game["plies"],
                tuple(game["moves"]),
                game["fault"],
                tuple(float(one) for one in game["slowest"]),
            )
            for game in data["games"]
        )
        for game in games:
            if len(game.seats) != len(game.points) or {*game.seats} != {*data["players"]}:
                raise InputError(
                    f"{where} has games of other players; delete the line to have it played again"
                )
        return cls(data["round"], tuple(data["players"]), tuple(data["opening"]), games, data["start"])


UNLIMITED: Final = Control()


@dataclass(frozen=True)
class Conditions:
    """What holds for every game."""

    seed: int = 0
    most_plies: int = MOST_PLIES
    control: Control = UNLIMITED
    adjudication: Adjudication | None = None

    def __post_init__(self) -> None:
        if self.most_plies < 1:
            raise InputError(f"most_plies={self.most_plies!r}: at least 1")


@dataclass(frozen=True)
class Setting:
    """What every process has to know."""

    game: Game
    entrants: tuple[Entrant, ...]
    conditions: Conditions

    start: Any = None
    """The state that openings are played from, where it is not the usual one."""

    @property
    def timed(self) -> bool:
        """Whether results depend on how fast the machine is."""
        return any(one.timed(self.conditions.control) for one in self.entrants)

    def state(self, text: str | None) -> Any:
        """The state that an opening begins in."""
        if text is not None:
            return self.game.parse_state(text)
        return self.game.initial() if self.start is None else self.start

    def open(self) -> "Table":
        """Makes the players, each when it is needed."""
        return Table(self)


class Table:
    """Where rounds are played, in one process."""

    def __init__(self, setting: Setting):
        self.setting = setting
        self._players: dict[tuple[int, int], Any] = {}
        self._sides = len(set(sides_of(setting.game)))
        self._timed = setting.timed

    def __call__(self, payload: Any) -> dict[str, Any]:
        """All games of a round, from the plain data of its task."""
        game, conditions = self.setting.game, self.setting.conditions
        number, players = payload["round"], payload["players"]
        start = self.setting.state(payload["start"])
        actions, names = _found(game, start, payload["opening"])
        played: list[GamePlayed] = []
        for place, seating in enumerate(seatings(self._sides, len(players), number)):
            seats = tuple(players[one] for one in seating)
            ended = play_sides(
                game,
                [self._player(seat, copy) for seat, copy in _copies(seats)],
                actions,
                seeds=[drawn(conditions.seed, number, place, seat, copy) for seat, copy in _copies(seats)],
                dice=drawn(conditions.seed, number),
                most_plies=conditions.most_plies,
                adjudication=conditions.adjudication,
                control=conditions.control,
                start=start,
            )
            fault = None if ended.fault is None else seats[ended.fault]
            slowest = ended.slowest if self._timed else ()
            played.append(
                GamePlayed(seats, ended.points, ended.reason, ended.plies, ended.moves, fault, slowest)
            )
        found = Round(number, tuple(players), tuple(names), tuple(played), payload["start"])
        return dict(found.to_dict())

    def _player(self, number: int, copy: int) -> Any:
        """Who sits twice at a table is two players."""
        if (number, copy) not in self._players:
            self._players[number, copy] = self.setting.entrants[number].make(self.setting.game)
        return self._players[number, copy]

    def close(self) -> None:
        """Ends the programs that play."""
        for one in self._players.values():
            end = getattr(one, "close", None)
            if end is not None:
                end()
        self._players.clear()


def _copies(seats: Sequence[int]) -> Iterator[tuple[int, int]]:
    count: Counter[int] = Counter()
    for seat in seats:
        yield seat, count[seat]
        count[seat] += 1


def drawn(*parts: int) -> int:
    """A number that is another for other parts, the same in every process.

    >>> drawn(1, 2) == drawn(1, 2), drawn(1, 2) == drawn(12), 0 <= drawn(3) < 1 << 48
    (True, False, True)
    """
    text = " ".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest())


def task_of(setting: Setting, number: int, players: Sequence[int], opening: Opening) -> Task:
    """The task of playing a round, as plain data: actions by their places among those that there are."""
    game, start = setting.game, opening.start
    state = setting.state(start)
    places: list[int] = []
    for action in opening.actions:
        choices = choices_at(game, state)
        place = next((at for at, one in enumerate(choices) if same(action, one)), None)
        if place is None:
            raise InputError(
                f"ply {len(places) + 1} of opening {number + 1} is an illegal move: {action!r} is none of the"
                f" {len(choices)} legal actions"
            )
        places.append(place)
        state = game.result(state, action)
    payload = {"round": number, "players": list(players), "start": start, "opening": places}
    return Task(f"round {number + 1}", payload)


def _found(game: Game, state: Any, places: Iterable[int]) -> tuple[list[Any], list[str]]:
    """Actions by their places, with their names."""
    actions: list[Any] = []
    names: list[str] = []
    for place in places:
        action = choices_at(game, state)[place]
        actions.append(action)
        names.append(game.name_action(state, action))
        state = game.result(state, action)
    return actions, names
