"""Engines for any game by the Universal Game Interface: as UCI, with positions and moves as the game writes them.

`gametree ugi` is such an engine. A blank in the name of a move is written as an underscore.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gametree.arena.asking import Forfeit, Question
from gametree.arena.engines.program import START, Engine, Program
from gametree.errors import UnsuitableError
from gametree.game import Game
from gametree.result import Limit
from gametree.view import hides


def written(name: str) -> str:
    """The name of a move as one word."""
    return name.replace(" ", "_")


class Ugi(Engine):
    """An engine that plays the game it was started for."""

    def __init__(self, game: Game, command: Sequence[str], options: Mapping[str, Any], limit: Limit | None):
        if hides(game) or game.players != 2:
            raise UnsuitableError(
                f"ugi: is for two players who see everything, not for {type(game).__name__}"
            )
        super().__init__(command)
        self.game = game
        self.options = dict(options)
        self.limit = limit

    def greet(self, program: Program) -> None:
        program.send("ugi")
        program.hear(lambda line: line == "ugiok", START)
        for name, value in self.options.items():
            program.send(f"setoption name {name} value {value}")
        self._ready(program)

    def _ready(self, program: Program) -> None:
        program.send("isready")
        program.hear(lambda line: line == "readyok", START)

    def begin(self, seed: int) -> None:
        program = self.running()
        program.send("uginewgame")
        self._ready(program)

    def answer(self, question: Question) -> Any:
        """The engine's move."""
        program, game = self.running(), self.game
        states = [*question.history, question.state]
        moves = [written(game.name_action(state, action)) for state, action in zip(states, question.actions)]
        if question.start == game.initial():
            place = "position startpos"
        else:
            place = f"position fen {game.show(question.start)}"
        program.send(
            place + (f" moves {' '.join(moves)}" if moves else ""), f"go {_go(question, self.limit)}"
        )
        said = program.hear(lambda line: line.startswith("bestmove"), question.patience).split()
        word = said[1] if len(said) > 1 else "nothing"
        for action in game.actions(question.state):
            if written(game.name_action(question.state, action)) == word:
                return action
        raise Forfeit(f"illegal move: {word[:40]}")


def _go(question: Question, own: Limit | None) -> str:
    words: list[str] = []
    clock = question.clock
    if own is None and clock is not None:
        words += [f"p{side + 1}time {max(1, round(1000 * left))}" for side, left in enumerate(clock.left)]
        if clock.increment:
            words += [f"p{side + 1}inc {round(1000 * clock.increment)}" for side in range(len(clock.left))]
    limit = own or question.limit or (None if clock is not None else Limit(seconds=1))
    if limit is not None:
        words += [f"movetime {max(1, round(1000 * limit.seconds))}"] if limit.seconds is not None else []
        words += [
            f"{name} {value}" for name in ("nodes", "depth") if (value := getattr(limit, name)) is not None
        ]
    return " ".join(words)
