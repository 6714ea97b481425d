"""What a bot thinks with: the search that fits its game, behind one face."""

from collections.abc import Sequence
from typing import Any, Protocol

from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.analyze import Engine, analyze
from gametree.search.choice import ENGINE, fitting
from gametree.search.mcts.search import MonteCarlo


class Thinker(Protocol):
    """Searches, and may remember from one search to the next."""

    def analyze(
        self, state: Any, limit: Limit, *, moves: bool = False, history: Sequence[Any] = ()
    ) -> Analysis: ...

    def clear(self) -> None: ...

    def stop(self) -> None: ...


def thinker_for(game: Game, *, hash_mb: float, threads: int, seed: int) -> Thinker:
    """The search that fits a game; refused where none does."""
    choice = fitting(game)
    if choice.method == ENGINE:
        return Engine(game, hash_mb=hash_mb, threads=threads)
    if choice.method == "mcts":
        return MonteCarlo(game, memory_mb=hash_mb, threads=threads, seed=seed, **choice.parts)
    return _Forgetful(game, choice.method)


def consider(
    thinker: Thinker, state: Any, limit: Limit, lines: int | None, history: Sequence[Any] = ()
) -> Analysis:
    """A search for so many of the best lines, or for the value of every move (None).

    Only the engine can tell a few lines; other searches, asked for more than the best, value every move.
    """
    if isinstance(thinker, Engine) and lines is not None:
        return thinker.analyze(state, limit, lines=lines, history=history)
    return thinker.analyze(state, limit, moves=lines != 1, history=history)


class _Forgetful:
    """A search that begins anew each time, and ends by its limit alone."""

    def __init__(self, game: Game, method: str):
        self.game = game
        self.method = method

    def analyze(
        self, state: Any, limit: Limit, *, moves: bool = False, history: Sequence[Any] = ()
    ) -> Analysis:
        return analyze(self.game, state, limit, method=self.method, moves=moves, history=history)

    def clear(self) -> None:
        pass

    def stop(self) -> None:
        pass
