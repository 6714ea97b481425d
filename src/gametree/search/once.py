"""A search by its name that remembers nothing, and ends when it is told to."""

from collections.abc import Mapping, Sequence
from typing import Any

from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.core.stopwatch import Wish
from gametree.search.core.task import OnProgress
from gametree.search.methods import search


class Once:
    """One of the searches that are functions, as `Engine` and `MonteCarlo` are: any thread may stop it.

    >>> from gametree.games import Pig
    >>> Once(Pig(), "expectiminimax", compile="never").analyze(None, Limit(depth=2)).action
    0
    """

    def __init__(
        self,
        game: Game,
        method: str,
        *,
        compile: str = "auto",
        evaluation: str | None = None,
        hash_mb: float = 64,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ):
        self.game = game
        self.method = method
        self._compile = compile
        self._given: dict[str, Any] = {
            "evaluation": evaluation,
            "hash_mb": hash_mb,
            "seed": seed,
            **(options or {}),
        }
        self._wish = Wish()

    def analyze(
        self,
        state: Any,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        moves: bool = False,
        history: Sequence[Any] = (),
        on_progress: OnProgress | None = None,
    ) -> Analysis:
        """As `gametree.analyze` with this method; `on_progress` is called by searches that go depth after depth."""
        self._wish = wish = Wish()
        with wish.heard():
            return search(
                self.method,
                self.game,
                state,
                lines != 1,
                limit=limit,
                depth=None,
                moves=moves,
                history=history,
                compile=self._compile,
                threads=1,
                on_progress=on_progress,
                **self._given,
            )

    def prepare(self) -> bool:
        """Has machine code made; whether there is any."""
        return bool(self.analyze(None, Limit(nodes=1)).parameters.get("compiled"))

    def clear(self) -> None:
        """There is nothing to forget."""

    def stop(self) -> None:
        """Ends the search under way; it returns what it has."""
        self._wish.stop()
