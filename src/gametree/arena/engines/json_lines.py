"""Programs that speak gametree's own JSON lines, as `gametree engine --json` does (docs/protocol.md)."""

import inspect
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gametree import games
from gametree.arena.asking import Forfeit, Question
from gametree.arena.engines.program import START, Engine, Program
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.result import Limit
from gametree.view import hides

_SHOWN: Final = 80


class JsonLines(Engine):
    """A program that is asked for moves: at a level, or by an analysis within a limit."""

    def __init__(self, game: Game, command: Sequence[str], settings: Mapping[str, Any], limit: Limit | None):
        if hides(game):
            raise UnsuitableError(
                f"json: is for games in which everybody sees everything, not for {type(game).__name__}"
            )
        super().__init__(command)
        self.game = game
        self.limit = limit
        given = dict(settings)
        self._name = str(given.pop("game", "")) or _named(game)
        self._level = given.pop("level", None)
        self._ids = itertools.count(1)
        self._seed = 0
        if given:
            raise InputError(
                f"json: has no setting {next(iter(given))!r}; it has: game, level, seconds, nodes, depth"
            )
        parameters = list(inspect.signature(type(game).__init__).parameters)[1:]
        self._settings = {
            name: value
            for name in parameters
            if isinstance(value := getattr(game, name, None), (int, float, str, bool))
        }

    def greet(self, program: Program) -> None:
        self._ask(program, {"do": "hello"}, START)

    def begin(self, seed: int) -> None:
        self._seed = seed
        self.running()

    def answer(self, question: Question) -> Any:
        """The program's move."""
        program, game = self.running(), self.game
        states = [*question.history, question.state]
        moves = [game.name_action(state, action) for state, action in zip(states, question.actions)]
        request: dict[str, Any] = {"game": self._name, "settings": self._settings, "moves": moves}
        if question.start != game.initial():
            request["position"] = game.show(question.start)
        limit = question.allowed(self.limit, Limit(seconds=1))
        if self._level is not None:
            request |= {"do": "move", "level": self._level, "seed": self._seed}
            name = self._ask(program, request, question.patience).get("move")
        else:
            given = {
                key: getattr(limit, key)
                for key in ("seconds", "nodes", "depth")
                if getattr(limit, key) is not None
            }
            request |= {"do": "analyze", "limit": given}
            analysis = self._ask(program, request, question.patience).get("analysis")
            name = analysis.get("action") if isinstance(analysis, dict) else None
        try:
            return game.parse_action(question.state, str(name))
        except InputError:
            raise Forfeit(f"illegal move: {str(name)[:40]}") from None

    def _ask(self, program: Program, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """The last answer to a request."""
        number = next(self._ids)
        program.send(json.dumps({"id": number, **request}))
        answers: list[dict[str, Any]] = []

        def is_last(line: str) -> bool:
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                raise Forfeit(f"the program answers {line[:_SHOWN]!r}, which is no JSON") from None
            if isinstance(found, dict) and found.get("id") in (number, None) and found.get("done"):
                answers.append(found)
            return bool(answers)

        program.hear(is_last, patience)
        error = answers[0].get("error")
        if error is not None:
            said = error.get("message") if isinstance(error, dict) else error
            raise Forfeit(f"the program refuses: {str(said)[:_SHOWN]}")
        return answers[0]


def _named(game: Game) -> str:
    """What a shipped game is called."""
    for name in games.names():
        if type(games.load(name)) is type(game):
            return name
    raise InputError(f"json: what does the program call {type(game).__name__}? Add game=…")
