"""Engines for any game by the Universal Game Interface: as UCI, with positions and moves as the game writes them.

A blank in the name of a move is written as an underscore.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gametree.arena.clocks import Clock
from gametree.arena.engines.program import START, Program
from gametree.arena.engines.universal import Universal
from gametree.errors import UnsuitableError
from gametree.game import Game
from gametree.result import Limit
from gametree.view import hides


def written(name: str) -> str:
    """The name of a move as one word."""
    return name.replace(" ", "_")


def in_one_line(position: str) -> str:
    r"""A position as one line: where it has several, they are joined by a backslash and an n.

    >>> print(in_one_line("X.O\n.X."))
    X.O\n.X.
    """
    return position.replace("\n", "\\n")


class Ugi(Universal):
    """An engine that plays the game it was started for."""

    new_game: ClassVar[str] = "uginewgame"

    def __init__(self, game: Game, command: Sequence[str], options: Mapping[str, Any], limit: Limit | None):
        if hides(game) or game.players != 2:
            raise UnsuitableError(
                f"ugi: is for two players who see everything, not for {type(game).__name__}"
            )
        super().__init__(game, command, options, limit)

    def greet(self, program: Program) -> None:
        program.send("ugi")
        program.hear(lambda line: line == "ugiok", START)
        for name, value in self.options.items():
            program.send(f"setoption name {name} value {value}")
        self.ready(program)

    def write(self, state: Any, action: Any) -> str:
        return written(self.game.name_action(state, action))

    def place(self, start: Any) -> str:
        return "startpos" if start == self.game.initial() else f"fen {self.game.show(start)}"

    def times(self, clock: Clock) -> Sequence[str]:
        words = [f"p{side + 1}time {max(1, round(1000 * left))}" for side, left in enumerate(clock.left)]
        if clock.increment:
            words += [f"p{side + 1}inc {round(1000 * clock.increment)}" for side in range(len(clock.left))]
        return words
