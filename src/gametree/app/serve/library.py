"""Which games can be named in a message: those that are shipped, and the files that the command line names.

A message never names a file. `mygame.py` on the command line becomes the game `mygame`, and `mygame.py:Nim` the game
`mygame:Nim`. A file is read again when it has changed.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from gametree import games
from gametree.app import failures
from gametree.app.load import load
from gametree.documents.protocol import GameDocument, GameParameter
from gametree.errors import InputError
from gametree.game import Game, evaluations
from gametree.games.parameters import named


class Library:
    """Games by name.

    >>> Library().game("tic-tac-toe", {"width": 4})
    TicTacToe(width=4, height=3, k=3)
    """

    def __init__(self, targets: Iterable[str] = ()):
        self.targets: tuple[str, ...] = tuple(targets)
        self._own: dict[str, str] = {}
        for target in self.targets:
            name = name_of(target)
            other = self._own.setdefault(name, target)
            if other != target:
                raise InputError(f"{other} and {target} are both called {name}: rename one of them")
        self._made: dict[tuple[str, str, float], Game] = {}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names that a message may use: one's own games first. To ask for plug-ins takes several milliseconds."""
        return (*self._own, *(name for name in games.names() if name not in self._own))

    def game(self, name: str, settings: Mapping[str, Any] | None = None) -> Game:
        """A game with its parameters; the same object for the same question, until its file changes."""
        if name not in self.names:
            raise InputError(f"there is no game {name!r}; there are: {', '.join(self.names)}")
        given = {key: _as_text(value) for key, value in (settings or {}).items()}
        asked = name, json.dumps(given, sort_keys=True), self._written(name)
        if asked not in self._made:
            target = self._own.get(name, name)
            game = load(target, [f"{key}={value}" for key, value in given.items()])
            self._made = {other: made for other, made in self._made.items() if other[:2] != asked[:2]}
            self._made[asked] = game
        return self._made[asked]

    def _written(self, name: str) -> float:
        """When the file of a game was last written."""
        file = Path(self._own.get(name, name).rpartition(".py")[0] + ".py")
        return file.stat().st_mtime if name in self._own and file.is_file() else 0.0

    def require(self) -> None:
        """Loads one's own games, so that what is wrong with them is told at once."""
        for name in self._own:
            self.game(name)

    def described(self) -> list[GameDocument]:
        """Every game that can be used, with its parameters. One's own that cannot be read now says why."""
        return [self._own_described(name) for name in self._own] + self._shipped

    @cached_property
    def _shipped(self) -> list[GameDocument]:
        shipped = [games.describe(name) for name in self.names if name not in self._own]
        return [
            _described(one.name, self.game(one.name), one.summary) for one in shipped if one.error is None
        ]

    def _own_described(self, name: str) -> GameDocument:
        try:
            return _described(name, self.game(name))
        except Exception as error:
            why = failures.message(error) or f"{type(error).__name__}: {error}"
            return {"name": name, "summary": why, "parameters": [], "players": 2, "evaluations": []}


def name_of(target: str) -> str:
    """What a game is called that the command line names.

    >>> name_of("rules/mygame.py:Nim"), name_of("package.module:Nim"), name_of("connect-four")
    ('mygame:Nim', 'module:Nim', 'connect-four')
    """
    place, file, cls = target.rpartition(".py")
    if file:
        return Path(place).name + cls
    module, colon, cls = target.partition(":")
    return module.rpartition(".")[2] + colon + cls


def _described(name: str, game: Game, summary: str | None = None) -> GameDocument:
    cls = type(game)
    text = (cls.__doc__ or "").strip().split("\n\n")[0] if summary is None else summary
    takes: list[GameParameter] = [
        {"name": one.name, "default": one.default if isinstance(one.default, (int, float, str)) else None}
        for one in named(cls)
    ]
    return {
        "name": name,
        "summary": " ".join(text.split()),
        "parameters": takes,
        "players": game.players,
        "evaluations": list(evaluations(game)),
    }


def _as_text(value: Any) -> str:
    """A setting as the command line would be given it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
