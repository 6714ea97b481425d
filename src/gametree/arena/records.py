"""The results of a match in a file, one line of JSON a pair of games, so that a match can be taken up again.

The first line says what is played: the game, the contestants, the seed and the conditions. Every other line is a pair:
its number, its opening, and both games. A line that was cut off when the program was stopped is dropped.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gametree.arena.playing import Played
from gametree.arena.ratings import POINTS
from gametree.errors import InputError

SCHEMA: Final = "gametree.match/1"


@dataclass(frozen=True)
class Pair:
    """Two games from one opening; the first contestant is player 0 in the first, and player 1 in the second."""

    number: int
    opening: tuple[str, ...]
    games: tuple[Played, Played]

    @property
    def points(self) -> tuple[float, float]:
        return self.games[0].points, self.games[1].points

    def to_json(self) -> str:
        games = [
            {
                "seat": game.seat,
                "points": game.points,
                "reason": game.reason,
                "plies": game.plies,
                "moves": list(game.moves),
                "slowest": [round(seconds, 4) for seconds in game.slowest],
            }
            for game in self.games
        ]
        return json.dumps(
            {"pair": self.number, "opening": list(self.opening), "games": games}, ensure_ascii=False
        )


class Records:
    """A file of results that belongs to one match."""

    def __init__(self, path: Path, header: dict[str, Any]):
        self.path = path
        self.header = {"schema": SCHEMA, **header}
        self.pairs: dict[int, Pair] = {}
        if path.exists() and path.read_bytes().strip():
            self._read()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self.header, ensure_ascii=False) + "\n", encoding="utf-8")

    def add(self, pair: Pair) -> None:
        """Keeps a pair, in the file as well."""
        self.pairs[pair.number] = pair
        with self.path.open("a", encoding="utf-8") as file:
            file.write(pair.to_json() + "\n")

    def _read(self) -> None:
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError:
            raise InputError(f"{self.path} is no file of match results: it is no text in UTF-8") from None
        if lines.pop():  # the last line was cut off
            self.path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        self._compare(_parsed(lines[0], f"{self.path}, line 1") if lines else None)
        for number, line in enumerate(lines[1:], 2):
            pair = _pair(_parsed(line, where := f"{self.path}, line {number}"), where)
            self.pairs[pair.number] = pair

    def _compare(self, found: Any) -> None:
        """Refuses to mix two matches in one file."""
        if not isinstance(found, dict) or found.get("schema") != SCHEMA:
            raise InputError(f"{self.path} is no file of match results ({SCHEMA}); name another file")
        for key in sorted({*self.header, *found}):
            if found.get(key) != self.header.get(key):
                raise InputError(
                    f"{self.path} holds another match: its {key} is {found.get(key)!r}, this one's is"
                    f" {self.header.get(key)!r}. Name another file, or delete this one to begin again."
                )


def _parsed(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise InputError(f"{where} is no JSON; delete the line to have its games played again") from None


def _pair(data: Any, where: str) -> Pair:
    match data:
        case {"pair": int(number), "opening": list(opening), "games": [dict(first), dict(second)]}:
            games = _game(first, where), _game(second, where)
            if number >= 0 and all(isinstance(name, str) for name in opening):
                return Pair(number, tuple(opening), games)
    raise InputError(f"{where} is no pair of games; delete the line to have its games played again")


def _game(data: dict[str, Any], where: str) -> Played:
    match data:
        case {
            "seat": int(seat),
            "points": float() | int() as points,
            "reason": str(reason),
            "plies": int(plies),
            "moves": list(moves),
            "slowest": [float() | int() as one, float() | int() as other],
        } if points in POINTS and seat in (0, 1) and _all_text(moves):
            return Played(seat, float(points), reason, plies, tuple(moves), (float(one), float(other)))
    raise InputError(f"{where} is no pair of games; delete the line to have its games played again")


def _all_text(values: Sequence[Any]) -> bool:
    return all(isinstance(value, str) for value in values)
