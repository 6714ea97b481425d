"""A chess program to test the engine's side of UCI with, and an engine that does what a test tells it."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from gametree.app.uci.options import Options
from gametree.app.uci.protocol import legal
from gametree.app.uci.session import Session
from gametree.games.chess.board import State
from gametree.games.chess.moves import moved
from gametree.games.chess.notation import START, read_fen, write_uci
from gametree.result import Analysis, Limit, Value
from gametree.search.engine.profiles import Profile

PATIENCE = 20.0
"""No test waits longer for an answer."""


class FakeEngine:
    """Plays the first legal move by the alphabet. It gets a depth further with every `beat` seconds."""

    beat = 0.002
    last_depth = 40
    values: Sequence[Value] = (Value(0.25),)
    """What depth 1, 2, … find; the last one from then on."""

    def __init__(self, options: Options, compile: str):
        self.options = options
        self.compile = compile
        self.threads = options.threads
        self.hash_mb: float = options.hash
        self.cleared = 0
        self.profile: Profile = "fast"
        self.asked: list[dict[str, Any]] = []
        self._stop_at: float | None = None
        self._heard = threading.Condition()

    def analyze(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        actions: Sequence[Any] | None = None,
        history: Sequence[Any] = (),
        on_progress: Callable[[Analysis], None] | None = None,
        names: bool = True,
    ) -> Analysis:
        state = read_fen(START) if state is None else state
        limit = limit or Limit(depth=1)
        self.asked.append(
            {
                "limit": limit,
                "lines": lines,
                "actions": actions,
                "history": tuple(history),
                "profile": self.profile,
            }
        )
        self._stop_at = None if limit.seconds is None else time.monotonic() + limit.seconds
        choices = list(actions or alphabetical(state))
        deepest = min(limit.depth or self.last_depth, self.last_depth)
        for depth in range(1, deepest + 1):
            found = self._found(state, choices, depth, lines)
            if on_progress is not None:
                on_progress(found)
            finished = depth == deepest or depth * 1000 >= (limit.nodes or 10**9)
            if finished or self._waited(self.beat):
                break
        return found

    def _found(self, state: State, choices: list[int], depth: int, lines: int) -> Analysis:
        value = self.values[min(depth, len(self.values)) - 1]
        moves = [
            SimpleNamespace(
                action=action, value=Value(value.payoff - i / 10), bound="exact", name="", exact=False,
                line=(action, *alphabetical(moved(state, action))[:1]), names=(),
            )
            for i, action in enumerate(choices[:lines])
        ]  # fmt: skip
        found: Any = SimpleNamespace(
            action=choices[0], value=value, bound="exact", name="", line=moves[0].line, depth=depth,
            exact=False, nodes=1000 * depth, seconds=0.001, lines=moves, selective_depth=depth + 3,
            table_fill=depth / 1000,
        )  # fmt: skip
        return found  # type: ignore[no-any-return]

    def _waited(self, seconds: float) -> bool:
        """Waits; whether the search has to stop."""
        end = time.monotonic() + seconds
        with self._heard:
            while True:
                now = time.monotonic()
                if self._stop_at is not None and now >= self._stop_at:
                    return True
                if now >= end:
                    return False
                self._heard.wait(min(end, self._stop_at or end) - now)

    def stop(self, after: float | None = None) -> None:
        with self._heard:
            self._stop_at = time.monotonic() + (after or 0.0)
            self._heard.notify_all()

    def clear(self) -> None:
        self.cleared += 1

    def resize(self, hash_mb: float) -> None:
        if hash_mb > 8000:
            raise MemoryError
        self.hash_mb = hash_mb


def alphabetical(state: State) -> list[int]:
    """The legal moves by their names."""
    return sorted(legal(state), key=lambda action: write_uci(state, action))


class Program:
    """Sends lines to a session and hears what it says."""

    def __init__(self, options: Options | None = None, make: Any = FakeEngine):
        self.engines: list[Any] = []
        self.said: list[str] = []
        self._new = threading.Condition()
        self._read = 0

        def made(options: Options, compile: str) -> Any:
            self.engines.append(make(options, compile))
            return self.engines[-1]

        self.session = Session(self._hear, options, make=made, rng=random.Random(0))

    def _hear(self, line: str) -> None:
        with self._new:
            self.said.append(line)
            self._new.notify_all()

    def send(self, *lines: str) -> None:
        for line in lines:
            assert self.session.obey(line)

    def ready(self) -> "Program":
        """Waits until the engine is ready."""
        self.send("isready")
        self.until("readyok")
        return self

    def until(self, beginning: str) -> str:
        """Waits for the next line, among those not waited for yet, that begins so."""
        end = time.monotonic() + PATIENCE
        with self._new:
            while True:
                while self._read < len(self.said):
                    self._read += 1
                    if self.said[self._read - 1].startswith(beginning):
                        return self.said[self._read - 1]
                assert self._new.wait(end - time.monotonic()), f"no {beginning!r} in {self.said[-20:]}"

    def answer(self, *lines: str) -> list[str]:
        """What is said to lines that are obeyed at once."""
        before = len(self.said)
        self.send(*lines)
        return self.said[before:]

    def best(self, *lines: str) -> str:
        """The move that is played after these lines."""
        self.send(*lines)
        return self.until("bestmove").split()[1]

    @property
    def engine(self) -> Any:
        """The engine that is in use."""
        return self.session.engines.current()

    def infos(self) -> list[dict[str, str]]:
        """The info lines, each by its words."""
        return [parsed(line) for line in self.said if line.startswith("info depth")]


def parsed(line: str) -> dict[str, str]:
    """An info line by its words: {"depth": "1", "score": "cp 25", "pv": "e2e4 e7e5", …}."""
    names = ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv")
    found: dict[str, str] = {}
    name = ""
    for word in line.split()[1:]:
        if word in names:
            name = word
            found[name] = ""
        else:
            found[name] = f"{found[name]} {word}".strip()
    return found
