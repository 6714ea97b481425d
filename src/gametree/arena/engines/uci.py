"""Chess engines by the Universal Chess Interface."""

from collections.abc import Mapping, Sequence
from typing import Any

from gametree.arena.asking import Forfeit, Question
from gametree.arena.engines.program import START, Engine, Program
from gametree.errors import UnsuitableError
from gametree.game import Game
from gametree.games.chess.notation import write_fen, write_uci
from gametree.games.chess.rules import Chess
from gametree.result import Limit


class Uci(Engine):
    """An engine, its options, and how much it may think where the match does not say."""

    def __init__(self, game: Game, command: Sequence[str], options: Mapping[str, Any], limit: Limit | None):
        if not isinstance(game, Chess):
            raise UnsuitableError(
                f"uci: is for chess; an engine for {type(game).__name__} speaks ugi: or json:"
            )
        super().__init__(command)
        self.game = game
        self.options = dict(options)
        self.limit = limit

    def greet(self, program: Program) -> None:
        program.send("uci")
        offered: set[str] = set()

        def is_ok(line: str) -> bool:
            words = line.split()
            if words[:2] == ["option", "name"] and "type" in words:
                offered.add(" ".join(words[2 : words.index("type")]).lower())
            return line == "uciok"

        program.hear(is_ok, START)
        for name, value in self.options.items():
            if name.lower() not in offered:
                raise Forfeit(f"the engine has no option {name}")
            shown = str(value).lower() if isinstance(value, bool) else value
            program.send(f"setoption name {name} value {shown}")
        if self.game.chess960:
            program.send("setoption name UCI_Chess960 value true")
        self._ready(program)

    def _ready(self, program: Program) -> None:
        program.send("isready")
        program.hear(lambda line: line == "readyok", START)

    def begin(self, seed: int) -> None:
        program = self.running()
        program.send("ucinewgame")
        self._ready(program)

    def answer(self, question: Question) -> Any:
        """The engine's move."""
        program = self.running()
        chess960 = self.game.chess960
        states = [*question.history, question.state]
        moves = [write_uci(state, action, chess960) for state, action in zip(states, question.actions)]
        place = f"position fen {write_fen(question.start, chess960)}"
        program.send(
            place + (f" moves {' '.join(moves)}" if moves else ""), f"go {_go(question, self.limit)}"
        )
        said = program.hear(lambda line: line.startswith("bestmove"), question.patience).split()
        word = said[1] if len(said) > 1 else "nothing"
        for action in self.game.actions(question.state):
            if word in (write_uci(question.state, action, chess960), write_uci(question.state, action, True)):
                return action
        raise Forfeit(f"illegal move: {word[:20]}")


def _go(question: Question, own: Limit | None) -> str:
    """The words after `go`."""
    words: list[str] = []
    clock = question.clock
    if own is None and clock is not None:
        white, black = (max(1, round(1000 * left)) for left in clock.left)
        words += [f"wtime {white} btime {black}"]
        if clock.increment:
            words += [f"winc {round(1000 * clock.increment)} binc {round(1000 * clock.increment)}"]
        if clock.moves is not None:
            words += [f"movestogo {clock.moves}"]
    limit = own or question.limit or (None if clock is not None else Limit(seconds=1))
    if limit is not None:
        words += [f"movetime {max(1, round(1000 * limit.seconds))}"] if limit.seconds is not None else []
        words += [
            f"{name} {value}" for name in ("nodes", "depth") if (value := getattr(limit, name)) is not None
        ]
    return " ".join(words)
