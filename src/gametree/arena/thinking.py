"""What a bot thinks with: the search that fits its game, behind one face."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from gametree.arena.standby import Standby
from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.analyze import Engine, analyze
from gametree.search.choice import ENGINE, Choice, fitting
from gametree.search.core.stopwatch import Wish
from gametree.search.core.task import OnProgress
from gametree.search.hidden.ismcts import InformationSetMCTS
from gametree.search.mcts.search import MonteCarlo
from gametree.search.methods import DEFAULT

SAME: Final = (ENGINE, "mcts", "ismcts")
"""Searches that give the same answer, interpreted or not, after so many nodes."""


class Thinker(Protocol):
    """Searches, and may remember from one search to the next."""

    def analyze(
        self, state: Any, limit: Limit, *, moves: bool = False, history: Sequence[Any] = ()
    ) -> Analysis: ...

    def prepare(self) -> bool: ...

    def clear(self) -> None: ...

    def stop(self) -> None: ...


@dataclass(frozen=True)
class Wanted:
    """For which game a search is wanted, and what it may use."""

    game: Game
    hash_mb: float = 64
    threads: int = 1
    seed: int = 0
    evaluation: str | None = None
    selective: bool = True

    def choice(self, state: Any = None, to_a_depth: bool = False) -> Choice:
        """The search that fits the game; refused where none does."""
        return fitting(self.game, state, to_a_depth=to_a_depth, judged=self.evaluation is not None)

    def make(self, choice: Choice, compile: str = "auto") -> Thinker:
        """A search to think with."""
        common: dict[str, Any] = {"threads": self.threads, "evaluation": self.evaluation, "compile": compile}
        if choice.method == ENGINE:
            return Engine(self.game, hash_mb=self.hash_mb, selective=self.selective, **common)
        if choice.method == "mcts":
            return MonteCarlo(self.game, memory_mb=self.hash_mb, seed=self.seed, **common, **choice.parts)
        if choice.method == "ismcts":
            return InformationSetMCTS(self.game, memory_mb=self.hash_mb, seed=self.seed, compile=compile)
        return _Forgetful(self.game, choice.method, compile)

    def standby(self, choice: Choice) -> Standby[Thinker]:
        """A search that answers at once, interpreted until its machine code is there."""
        make = functools.partial(self.make, choice)
        return Standby(make, lambda thinker: thinker.prepare(), same=choice.method in SAME)


def consider(
    thinker: Thinker, state: Any, limit: Limit, lines: int | None, history: Sequence[Any] = ()
) -> Analysis:
    """A search for so many of the best lines, or for the value of every move (None).

    Only the engine can tell a few lines; other searches, asked for more than the best, value every move.
    """
    if isinstance(thinker, Engine) and lines is not None:
        return thinker.analyze(state, limit, lines=lines, history=history)
    return thinker.analyze(state, limit, moves=lines != 1, history=history)


def analyze_at_once(
    wanted: Wanted,
    state: Any,
    limit: Limit | None,
    *,
    lines: int = 1,
    moves: bool = False,
    actions: Sequence[Any] | None = None,
    history: Sequence[Any] = (),
    on_progress: OnProgress | None = None,
) -> Analysis:
    """As `gametree.analyze` within a time, which machine code that has to be made first does not add to."""
    limit = limit or DEFAULT
    choice = wanted.choice(state, to_a_depth=lines != 1 or actions is not None or limit.depth is not None)
    told = None if on_progress is None else lambda so_far: on_progress(choice.noted(so_far))

    def ask(thinker: Thinker, left: Limit) -> Analysis:
        if isinstance(thinker, Engine):
            asked: dict[str, Any] = {"lines": lines, "actions": actions, "on_progress": told}
        else:
            tells = isinstance(thinker, (MonteCarlo, InformationSetMCTS))
            asked = {"on_progress": told} if tells else {}
        return thinker.analyze(state, left, moves=moves, history=history, **asked)

    return choice.noted(wanted.standby(choice).think(ask, limit))


class _Forgetful:
    """A search that begins anew each time."""

    def __init__(self, game: Game, method: str, compile: str):
        self._wish = Wish()
        self.game = game
        self.method = method
        self.compile = compile

    def analyze(
        self, state: Any, limit: Limit, *, moves: bool = False, history: Sequence[Any] = ()
    ) -> Analysis:
        self._wish = Wish()
        with self._wish.heard():
            return analyze(
                self.game,
                state,
                limit,
                method=self.method,
                moves=moves,
                history=history,
                compile=self.compile,
            )

    def prepare(self) -> bool:
        found = analyze(self.game, limit=Limit(nodes=1), method=self.method, compile=self.compile)
        return bool(found.parameters.get("compiled"))

    def clear(self) -> None:
        pass

    def stop(self) -> None:
        self._wish.stop()
