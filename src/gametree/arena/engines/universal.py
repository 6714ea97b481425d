"""What the Universal Chess Interface and the Universal Game Interface have in common."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gametree.arena.asking import Forfeit, Question
from gametree.arena.clocks import Clock
from gametree.arena.engines.program import START, Engine, Program
from gametree.game import Game
from gametree.result import Limit


class Universal(Engine):
    """An engine, its options, and how much it may think where the match does not say."""

    new_game: ClassVar[str]
    """The command with which a game begins."""

    def __init__(self, game: Game, command: Sequence[str], options: Mapping[str, Any], limit: Limit | None):
        super().__init__(command)
        self.game = game
        self.options: dict[str, Any] = dict(options)
        self.limit = limit

    def ready(self, program: Program) -> None:
        """Waits until the engine has done all it was told."""
        program.send("isready")
        program.hear(lambda line: line == "readyok", START)

    def begin(self, seed: int) -> None:
        program = self.running()
        program.send(self.new_game)
        self.ready(program)

    def answer(self, question: Question) -> Any:
        """The engine's move."""
        program = self.running()
        states = [*question.history, question.state]
        moves = [self.write(state, action) for state, action in zip(states, question.actions)]
        place = f"position {self.place(question.start)}"
        program.send(place + (f" moves {' '.join(moves)}" if moves else ""), f"go {self._go(question)}")
        said = program.hear(lambda line: line.startswith("bestmove"), question.patience).split()
        word = said[1] if len(said) > 1 else "nothing"
        for action in self.game.actions(question.state):
            if word in self.spellings(question.state, action):
                return action
        raise Forfeit(f"illegal move: {word[:40]}")

    def write(self, state: Any, action: Any) -> str:
        """A move as one word."""
        raise NotImplementedError

    def spellings(self, state: Any, action: Any) -> Sequence[str]:
        """The words by which the engine may mean a move."""
        return (self.write(state, action),)

    def place(self, start: Any) -> str:
        """The position in which the game began, behind the word `position`."""
        raise NotImplementedError

    def times(self, clock: Clock) -> Sequence[str]:
        """The words that tell how much time is left."""
        raise NotImplementedError

    def _go(self, question: Question) -> str:
        """The words after `go`."""
        clock = question.clock
        words = list(self.times(clock)) if self.limit is None and clock is not None else []
        limit = self.limit or question.limit or (None if clock is not None else Limit(seconds=1))
        if limit is not None:
            if limit.seconds is not None:
                words.append(f"movetime {max(1, round(1000 * limit.seconds))}")
            given = {"nodes": limit.nodes, "depth": limit.depth}
            words += [f"{name} {value}" for name, value in given.items() if value is not None]
        return " ".join(words)
