"""The results of a match in a file, one line of JSON a pair of games, so that a match can be taken up again.

The first line says what is played: the game, the contestants, the seed and the conditions. Every other line is a pair:
its number, its opening, and both games. A line that was cut off when the program was stopped is dropped.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gametree.arena.playing import Played
from gametree.arena.ratings import POINTS
from gametree.documents.searching import GameDocument, PairDocument
from gametree.errors import InputError
from gametree.reading import mismatch, parse

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
        games: list[GameDocument] = [
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
        data: PairDocument = {"pair": self.number, "opening": list(self.opening), "games": games}
        return json.dumps(data, ensure_ascii=False)


class Records:
    """A file of results that belongs to one match."""

    def __init__(self, path: Path, header: dict[str, Any]):
        self.path = path
        self.header: dict[str, str | Any] = {"schema": SCHEMA, **header}
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
        return parse(line, where)
    except InputError:
        raise InputError(f"{where} is no JSON; delete the line to have its games played again") from None


def _pair(data: Any, where: str) -> Pair:
    why = mismatch(data, PairDocument, "the pair")
    if why or len(data["games"]) != 2 or not all(map(_is_whole, data["games"])):
        why = f" ({why})" if why else ""
        raise InputError(f"{where} is no pair of games{why}; delete the line to have its games played again")
    first, second = map(_game, data["games"])
    return Pair(data["pair"], tuple(data["opening"]), (first, second))


def _is_whole(game: GameDocument) -> bool:
    return len(game["slowest"]) == 2 and game["points"] in POINTS


def _game(data: GameDocument) -> Played:
    one, other = data["slowest"]
    return Played(
        data["seat"], float(data["points"]), data["reason"], data["plies"], tuple(data["moves"]), (one, other)
    )
