"""The conversation: a command, an answer, an empty line. What is wrong is answered by `? …` and changes nothing."""

import functools
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any, Final

from gametree.app.gtp import protocol
from gametree.app.gtp.protocol import Command, colour, number, shortened, whole
from gametree.app.gtp.thinker import Clock, Think, budget, think
from gametree.app.gtp.under_way import UnderWay
from gametree.errors import GametreeError, InputError
from gametree.result import Limit

USUAL: Final = 5.0
"""Seconds a move where nobody sets a time."""


@dataclass(frozen=True)
class Options:
    """What the command line sets."""

    seconds: float = USUAL
    nodes: int | None = None
    """Instead of seconds: so many simulations or nodes a move, the same answer every time."""
    threads: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 1e6:
            raise InputError(f"--seconds {self.seconds:g}: it is a number above 0")
        if self.nodes is not None and self.nodes < 1:
            raise InputError(f"--nodes {self.nodes}: it is a whole number of at least 1")
        if self.threads < 1:
            raise InputError(f"--threads {self.threads}: it is a whole number of at least 1")


class Session:
    """One program at the other end."""

    def __init__(
        self,
        write: Callable[[str], None],
        table: UnderWay,
        options: Options | None = None,
        *,
        ask: Think | None = None,
    ):
        self.table = table
        self.options: Options = options or Options()
        self.clock: Clock | None = None
        self.left: dict[int, tuple[float, int]] = {}
        self._write = write
        self._ask: Think = ask or functools.partial(think, threads=self.options.threads)
        self._ready: set[Any] = set()
        self._commands: dict[str, tuple[Callable[..., str | None], tuple[str, ...]]] = {
            "protocol_version": (lambda: str(protocol.VERSION), ()),
            "name": (lambda: "gametree", ()),
            "version": (self._version, ()),
            "known_command": (self._known_command, ("a command",)),
            "list_commands": (lambda: "\n".join(self._commands), ()),
            "quit": (lambda: None, ()),
            "boardsize": (self._board_size, ("a size",)),
            "clear_board": (self._clear_board, ()),
            "komi": (self._komi, ("a number of points",)),
            "play": (self._play, ("a colour", "a move")),
            "genmove": (self._genmove, ("a colour",)),
            "reg_genmove": (self._reg_genmove, ("a colour",)),
            "undo": (table.undo, ()),
            "showboard": (lambda: "\n" + table.show(), ()),
            "time_settings": (self._time_settings, ("the main time", "the overtime", "a number of moves")),
            "time_left": (self._time_left, ("a colour", "seconds", "a number of moves")),
            "final_score": (table.final_score, ()),
        }
        """What obeys a command, and what words come after it."""

    def run(self, lines: Iterable[str]) -> None:
        """Obeys until `quit` or the end of the input."""
        for line in lines:
            if not self.obey(line):
                return

    def obey(self, line: str) -> bool:
        """Obeys one line and answers; False where it is `quit`."""
        command = protocol.read(line)
        if command is None:
            return True
        self._write(self._answer(command))
        return command.name != "quit"

    def _answer(self, command: Command) -> str:
        if command.name not in self._commands:
            return protocol.refusal(command, f"unknown command {shortened(command.name)}: see list_commands")
        obey, wanted = self._commands[command.name]
        try:
            _expect(command.arguments, wanted)
            return protocol.answer(command, obey(*command.arguments) or "")
        except GametreeError as error:
            return protocol.refusal(command, str(error))
        except MemoryError:
            return protocol.refusal(command, "there is not enough memory for that")
        except Exception:
            # A fault of ours must not end the game: the other program hears of it, and the details are on stderr.
            traceback.print_exc(file=sys.stderr)
            return protocol.refusal(command, "a fault in gametree; see its standard error")

    # --- who it is ----------------------------------------------------------------------------------

    def _version(self) -> str:
        from gametree import __version__

        return __version__

    def _known_command(self, name: str) -> str:
        return "true" if name in self._commands else "false"

    # --- the game -----------------------------------------------------------------------------------

    def _board_size(self, size: str) -> None:
        self.table.resize(whole(size, "a size"))

    def _clear_board(self) -> None:
        self.table.clear()
        self.left.clear()

    def _komi(self, points: str) -> None:
        self.table.set_komi(number(points, "komi"))

    def _play(self, who: str, move: str) -> None:
        self.table.play(colour(who), move)

    # --- moves --------------------------------------------------------------------------------------

    def _genmove(self, who: str) -> str:
        name = self._chosen(colour(who))
        self.table.play(colour(who), name)
        return name

    def _reg_genmove(self, who: str) -> str:
        return self._chosen(colour(who))

    def _chosen(self, who: int) -> str:
        """The move that the search would make for a player, as the protocol writes it."""
        table = self.table
        if table.is_over():
            return table.after_the_end()
        state = table.turn_of(who)
        game, history = table.game, table.history
        if game not in self._ready:
            # Turning the rules into machine code is not to cost thinking time.
            self._ask(game, state, history, Limit(nodes=1))
            self._ready = {game}
        action = self._ask(game, state, history, self._limit(who))
        return table.name(state, action if table.allows(state, action) else table.any_action(state))

    def _limit(self, who: int) -> Limit:
        if self.options.nodes is not None:
            return Limit(nodes=self.options.nodes)
        points = self.table.open_points
        return Limit(seconds=budget(self.clock, self.left.get(who), self.options.seconds, points))

    # --- time ---------------------------------------------------------------------------------------

    def _time_settings(self, *words: str) -> None:
        main, overtime, stones = (whole(word, "a time") for word in words)
        if min(main, overtime, stones) < 0:
            raise InputError("syntax error: times and numbers of moves are at least 0")
        self.clock = Clock(main, overtime, stones)
        self.left.clear()

    def _time_left(self, who: str, seconds: str, moves: str) -> None:
        self.left[colour(who)] = max(0.0, number(seconds, "a time")), max(0, whole(moves, "moves"))


def _expect(words: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    """Refuses too few words after a command; more are passed over only where there are none to be."""
    if len(words) != len(wanted):
        what = " and ".join(wanted) or "nothing"
        raise InputError(f"syntax error: after the command comes {what}, not {shortened(' '.join(words))}")


def serve(table: UnderWay, options: Options) -> None:
    """Speaks the protocol on standard input and output until `quit` or the end of the input."""
    out = sys.stdout

    def write(text: str) -> None:
        print(text, file=out, flush=True)

    # Nothing but the protocol goes to standard output.
    with redirect_stdout(sys.stderr):
        Session(write, table, options).run(iter(sys.stdin.readline, ""))
