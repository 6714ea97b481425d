"""Any game of two players who see everything, for other programs: the Universal Game Interface.

It is UCI without chess: positions and moves are written as the game writes them, clocks are `p1time` and `p2time`, and
`query` asks how the game stands. A blank in the name of a move is an underscore. See `arena/engines/ugi.py` for the
other side.
"""

import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from gametree.app.notation import place_with_history
from gametree.arena.budget import fixed, share
from gametree.arena.engines.ugi import written
from gametree.arena.playing import Referee
from gametree.arena.thinking import Wanted
from gametree.errors import GametreeError, InputError, UnsuitableError
from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.core.plays import choices_at
from gametree.view import hides

OVERHEAD = 0.02
"""Seconds that a move may lose on its way."""
_NUMBERS = ("p1time", "p2time", "p1inc", "p2inc", "movestogo", "movetime", "nodes", "depth")


class Session:
    """One program at the other end."""

    def __init__(self, game: Game, write: Callable[[str], None], *, hash_mb: float = 64, threads: int = 1):
        if game.players != 2 or hides(game):
            raise UnsuitableError(
                f"ugi is for two players who see everything, not for {type(game).__name__}; see gametree engine --json"
            )
        self.game = game
        self._write = write
        wanted = Wanted(game, hash_mb=hash_mb, threads=threads)
        self._thinkers = wanted.standby(wanted.choice())
        self._referee: Referee = Referee(game)
        self._search: threading.Thread | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Obeys until `quit`; at the end of the input a search comes to its own end."""
        for line in lines:
            words = line.split()
            if not words:
                continue
            if words[0] == "quit":
                self._stop()
                break
            try:
                self._obey(words[0], words[1:])
            except GametreeError as error:
                self._say(f"info string {error}")
            except Exception:
                # A fault of ours must not end the game: the details are on stderr.
                traceback.print_exc(file=sys.stderr)
                self._say("info string a fault in gametree; see its standard error")
        self._wait()

    def _obey(self, name: str, words: list[str]) -> None:
        if name == "ugi":
            self._say("id name gametree", "id author the authors of gametree", "ugiok")
        elif name == "isready":
            if self._search is None or not self._search.is_alive():
                self._thinkers.current()
            self._say("readyok")
        elif name == "stop":
            self._stop()
        elif name in ("uginewgame", "position", "go", "query"):
            self._wait()
            getattr(self, f"_{name}")(words)
        elif name == "setoption":
            raise InputError(
                "there are no options; --hash and --threads are said when gametree ugi is started"
            )
        else:
            raise InputError(
                f"unknown command {name[:40]!r}: ugi, isready, uginewgame, position, go, stop, query, quit"
            )

    def _uginewgame(self, words: list[str]) -> None:
        for thinker in self._thinkers.made():
            thinker.clear()
        self._referee = Referee(self.game)

    def _position(self, words: list[str]) -> None:
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            start = self.game.initial()
        elif words[:1] == ["fen"]:
            start, _ = place_with_history(self.game, " ".join(words[1:at]).replace("\\n", "\n"), None)
        else:
            raise InputError("position startpos, or position fen and a position as the game writes it")
        referee = Referee(self.game, start)
        for number, word in enumerate(words[at + 1 :], 1):
            state = referee.state
            action = next(
                (
                    one
                    for one in choices_at(self.game, state)
                    if not self.game.is_terminal(state) and written(self.game.name_action(state, one)) == word
                ),
                None,
            )
            if action is None:
                raise InputError(f"move {number}: {word[:40]!r} is no legal move here")
            referee.enter(action)
        self._referee = referee

    def _go(self, words: list[str]) -> None:
        if self._referee.end() is not None:
            raise InputError("the game is over: there is nothing to move")
        limit = self._limit(words)
        self._search = threading.Thread(target=self._think, args=(limit,), name="gametree ugi", daemon=True)
        self._search.start()

    def _limit(self, words: list[str]) -> Limit:
        given: dict[str, int] = {}
        for name, word in pairwise(words):
            if name in _NUMBERS:
                if not word.isdecimal():
                    raise InputError(f"{name} {word[:20]!r}: a whole number")
                given[name] = int(word)
        seconds = None
        side = 1 + self.game.player(self._referee.state)
        if "movetime" in given:
            each = max(1, given["movetime"]) / 1000
            seconds = fixed(each, min(OVERHEAD, each / 4)).hard
        elif f"p{side}time" in given:
            left, more = given[f"p{side}time"] / 1000, given.get(f"p{side}inc", 0) / 1000
            seconds = share(left, more, given.get("movestogo"), OVERHEAD).soft
        nodes, depth = given.get("nodes"), given.get("depth")
        if seconds is None and nodes is None and depth is None and "infinite" not in words:
            seconds = 1.0
        return Limit(
            seconds=seconds,
            nodes=None if nodes is None else max(1, nodes),
            depth=None if depth is None else max(1, depth),
        )

    def _think(self, limit: Limit) -> None:
        referee, game = self._referee, self.game
        try:

            def ask(thinker: Any, left: Limit) -> Analysis:
                found: Analysis = thinker.analyze(referee.state, left, history=tuple(referee.history))
                return found

            found = self._thinkers.think(ask, limit)
            self._tell(found)
            action = found.action
        except GametreeError as error:
            self._say(f"info string {error}")
            action = None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self._say("info string a fault in gametree; see its standard error")
            action = None
        if action is None:  # stopped before anything was known
            action = choices_at(game, referee.state)[0]
        self._say(f"bestmove {written(game.name_action(referee.state, action))}")

    def _tell(self, found: Analysis) -> None:
        parts = [] if found.depth is None else [f"depth {found.depth}"]
        if found.value is not None:
            parts.append(f"score cp {round(100 * max(-1e6, min(1e6, float(found.value))))}")
        parts += [f"nodes {found.nodes}", f"time {round(1000 * found.seconds)}"]
        state, names = self._referee.state, []
        for action in found.line:
            names.append(written(self.game.name_action(state, action)))
            state = self.game.result(state, action)
        self._say(f"info {' '.join(parts)}" + (f" pv {' '.join(names)}" if names else ""))

    def _query(self, words: list[str]) -> None:
        end = self._referee.end()
        if words[:1] == ["gameover"]:
            self._say(f"response {str(end is not None).lower()}")
        elif words[:1] == ["p1turn"]:
            turn = end is None and self.game.player(self._referee.state) == 0
            self._say(f"response {str(turn).lower()}")
        elif words[:1] == ["result"]:
            said = "none"
            if end is not None:
                first, second = end[0]
                said = "p1win" if first > second else "p2win" if first < second else "draw"
            self._say(f"response {said}")
        else:
            raise InputError("query gameover, query p1turn or query result")

    def _stop(self) -> None:
        while self._search is not None and self._search.is_alive():
            self._thinkers.stop()  # again, where the search had not begun
            self._search.join(0.02)

    def _wait(self) -> None:
        if self._search is not None:
            self._search.join()
            self._search = None

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._write(" ".join(line.split()))
