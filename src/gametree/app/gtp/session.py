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
        self._commands: dict[str, Callable[[tuple[str, ...]], str]] = {
            "protocol_version": self._protocol_version,
            "name": self._name,
            "version": self._version,
            "known_command": self._known_command,
            "list_commands": self._list_commands,
            "quit": self._nothing,
            "boardsize": self._board_size,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": self._show_board,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
        }

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
        obey = self._commands.get(command.name)
        if obey is None:
            return protocol.refusal(command, f"unknown command {shortened(command.name)}: see list_commands")
        try:
            return protocol.answer(command, obey(command.arguments))
        except GametreeError as error:
            return protocol.refusal(command, str(error))
        except MemoryError:
            return protocol.refusal(command, "there is not enough memory for that")
        except Exception:
            # A fault of ours must not end the game: the other program hears of it, and the details are on stderr.
            traceback.print_exc(file=sys.stderr)
            return protocol.refusal(command, "a fault in gametree; see its standard error")

    # --- who it is ----------------------------------------------------------------------------------

    def _protocol_version(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return str(protocol.VERSION)

    def _name(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return "gametree"

    def _version(self, words: tuple[str, ...]) -> str:
        from gametree import __version__

        _expect(words)
        return __version__

    def _known_command(self, words: tuple[str, ...]) -> str:
        _expect(words, "a command")
        return "true" if words[0] in self._commands else "false"

    def _list_commands(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return "\n".join(self._commands)

    def _nothing(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return ""

    # --- the game -----------------------------------------------------------------------------------

    def _board_size(self, words: tuple[str, ...]) -> str:
        _expect(words, "a size")
        self.table.resize(whole(words[0], "a size"))
        return ""

    def _clear_board(self, words: tuple[str, ...]) -> str:
        _expect(words)
        self.table.clear()
        self.left.clear()
        return ""

    def _komi(self, words: tuple[str, ...]) -> str:
        _expect(words, "a number of points")
        self.table.set_komi(number(words[0], "komi"))
        return ""

    def _play(self, words: tuple[str, ...]) -> str:
        _expect(words, "a colour", "a move")
        self.table.play(colour(words[0]), words[1])
        return ""

    def _undo(self, words: tuple[str, ...]) -> str:
        _expect(words)
        self.table.undo()
        return ""

    def _show_board(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return "\n" + self.table.show()

    def _final_score(self, words: tuple[str, ...]) -> str:
        _expect(words)
        return self.table.final_score()

    # --- moves --------------------------------------------------------------------------------------

    def _genmove(self, words: tuple[str, ...]) -> str:
        _expect(words, "a colour")
        who = colour(words[0])
        name = self._chosen(who)
        self.table.play(who, name)
        return name

    def _reg_genmove(self, words: tuple[str, ...]) -> str:
        _expect(words, "a colour")
        return self._chosen(colour(words[0]))

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

    def _time_settings(self, words: tuple[str, ...]) -> str:
        _expect(words, "the main time", "the overtime", "a number of moves")
        main, overtime, stones = (whole(word, "a time") for word in words)
        if min(main, overtime, stones) < 0:
            raise InputError("syntax error: times and numbers of moves are at least 0")
        self.clock = Clock(main, overtime, stones)
        self.left.clear()
        return ""

    def _time_left(self, words: tuple[str, ...]) -> str:
        _expect(words, "a colour", "seconds", "a number of moves")
        self.left[colour(words[0])] = max(0.0, number(words[1], "a time")), max(0, whole(words[2], "moves"))
        return ""


def _expect(words: tuple[str, ...], *wanted: str) -> None:
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
