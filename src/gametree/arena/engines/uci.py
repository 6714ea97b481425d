"""Chess engines by the Universal Chess Interface."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from gametree.arena.asking import Forfeit
from gametree.arena.clocks import Clock
from gametree.arena.engines.program import START, Program
from gametree.arena.engines.universal import Universal
from gametree.errors import UnsuitableError
from gametree.game import Game
from gametree.games.chess.notation import write_fen, write_uci
from gametree.games.chess.rules import Chess
from gametree.result import Limit


class Uci(Universal):
    """An engine for chess."""

    new_game: ClassVar[str] = "ucinewgame"

    def __init__(self, game: Game, command: Sequence[str], options: Mapping[str, Any], limit: Limit | None):
        if not isinstance(game, Chess):
            raise UnsuitableError(
                f"uci: is for chess; an engine for {type(game).__name__} speaks ugi: or json:"
            )
        super().__init__(game, command, options, limit)
        self._chess960 = game.chess960

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
        if self._chess960:
            program.send("setoption name UCI_Chess960 value true")
        self.ready(program)

    def write(self, state: Any, action: Any) -> str:
        return write_uci(state, action, self._chess960)

    def spellings(self, state: Any, action: Any) -> Sequence[str]:
        return self.write(state, action), write_uci(state, action, True)

    def place(self, start: Any) -> str:
        return f"fen {write_fen(start, self._chess960)}"

    def times(self, clock: Clock) -> Sequence[str]:
        white, black = (max(1, round(1000 * left)) for left in clock.left)
        words = [f"wtime {white} btime {black}"]
        if clock.increment:
            words += [f"winc {round(1000 * clock.increment)} binc {round(1000 * clock.increment)}"]
        if clock.moves is not None:
            words += [f"movestogo {clock.moves}"]
        return words
