"""Programs for Go, Hex and Othello by the Go Text Protocol. Black is player 0."""

import math
from collections.abc import Sequence
from typing import Any, Final

from gametree.arena.asking import Forfeit, Question
from gametree.arena.engines.program import START, Engine, Program
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.games.go.rules import Go
from gametree.games.hex import Hex
from gametree.games.othello import PASS, Othello
from gametree.result import Limit

COLOURS: Final = ("black", "white")


class Gtp(Engine):
    """A program, told of every move that was made since its last one."""

    def __init__(self, game: Game, command: Sequence[str], limit: Limit | None):
        if not isinstance(game, (Go, Hex, Othello)):
            raise UnsuitableError(
                f"gtp: is for Go, Hex and Othello, not for {type(game).__name__}; see ugi: and json:"
            )
        super().__init__(command)
        self.game = game
        self.limit = limit
        self._told: list[Any] = []
        self._commands: set[str] = set()

    def greet(self, program: Program) -> None:
        self._commands = set(self._ask(program, "list_commands", START).split())

    def begin(self, seed: int) -> None:
        program = self.running()
        if not isinstance(self.game, Othello) or "boardsize" in self._commands:
            self._ask(program, f"boardsize {self._size()}")
        if isinstance(self.game, Go):
            self._ask(program, f"komi {self.game.komi:g}")
        self._ask(program, "clear_board")
        if self.limit is not None and self.limit.seconds is not None and "time_settings" in self._commands:
            self._ask(program, f"time_settings 0 {max(1, round(self.limit.seconds))} 1")
        self._told = []

    def answer(self, question: Question) -> Any:
        """The program's move."""
        program = self.running()
        game = self.game
        states = [*question.history, question.state]
        if list(question.actions[: len(self._told)]) != self._told:
            self.begin(0)
        for state, action in list(zip(states, question.actions))[len(self._told) :]:
            # Who plays Othello knows when to pass; some programs do not know the word.
            if not (isinstance(game, Othello) and action == PASS):
                self._ask(program, f"play {COLOURS[game.player(state)]} {self._name(state, action)}")
        mover = COLOURS[game.player(question.state)]
        self._told = list(question.actions)
        legal = list(game.actions(question.state))
        if isinstance(game, Othello) and legal == [PASS]:
            self._told.append(PASS)
            return PASS
        clock = question.clock
        if clock is not None and "time_left" in self._commands:
            for side, left in enumerate(clock.left):
                self._ask(program, f"time_left {COLOURS[side]} {math.floor(left)} {clock.moves or 0}")
        said = self._ask(program, f"genmove {mover}", question.patience)
        if said.lower() == "resign":
            raise Forfeit("resigned")
        try:
            action = game.parse_action(question.state, said)
        except InputError:
            raise Forfeit(f"illegal move: {said[:20]}") from None
        self._told.append(action)
        return action

    def _size(self) -> int:
        return int(getattr(self.game, "size", 8))

    def _name(self, state: Any, action: Any) -> str:
        return self.game.name_action(state, action)

    def _ask(self, program: Program, command: str, patience: float = START) -> str:
        """The answer to a command: "= text" or "? reason", then an empty line."""
        program.send(command)
        first = program.hear(lambda line: line[:1] in ("=", "?"), patience)
        lines = [first[1:].strip()]
        while line := program.hear(lambda _: True, patience):
            lines.append(line)
        if first.startswith("?"):
            raise Forfeit(f"the program refuses {command!r}: {lines[0]}")
        return "\n".join(lines).strip()
