"""Every search by its name, for whoever picks one by a name: `analyze(method=…)` and the command line."""

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.errors import InputError
from gametree.game import Game, offers
from gametree.result import Analysis, Limit
from gametree.search.core.capabilities import require_expectation, require_game
from gametree.search.core.root import merged

DEFAULT: Final = Limit(seconds=1)
TEXTBOOK: Final = {
    "minimax": "textbook.minimax",
    "alphabeta": "textbook.alphabeta",
    "maxn": "many.maxn",
    "paranoid": "many.paranoid",
    "best-reply": "many.best_reply",
}
"""One function an algorithm, all of one shape, by module."""
BEST_FIRST: Final = ("mtdf", "sss", "dual", "pns", "dfpn")
METHODS: Final = (*TEXTBOOK, "expectiminimax", *BEST_FIRST, "mcts")


@dataclass(frozen=True)
class Asked:
    """What somebody wants to know of a state, whichever search finds it out."""

    limit: Limit | None = None
    depth: int | None = None
    moves: bool = False
    lines: int = 1
    actions: Iterable[Any] | None = None
    on_progress: Callable[[Analysis], None] | None = None
    evaluation: str | Callable[[Any, int], float] | None = None
    history: Sequence[Any] = ()
    seed: int = 0
    compile: str = "auto"
    threads: int = 1
    hash_mb: float = 64
    parts: Mapping[str, Any] = field(default_factory=dict)
    """Of Monte-Carlo tree search."""

    def common(self) -> dict[str, Any]:
        """What all searches take."""
        names = ("depth", "limit", "evaluation", "history", "seed", "compile")
        return {name: getattr(self, name) for name in names}

    @property
    def several(self) -> bool:
        """Whether lines or actions are wanted, of which most searches know nothing."""
        return self.lines != 1 or self.actions is not None


def search(method: str, game: Game, state: Any, asked: Asked) -> Analysis:
    """Searches a state with the method of this name; what that method does not do is refused."""
    if method not in METHODS:
        known = ", ".join(map(repr, METHODS))
        raise InputError(f'method={method!r}: it is "auto", {known}')
    if method in BEST_FIRST:
        return _best_first(method, game, state, asked)
    if asked.several:
        where = ", up to where chance decides" if method == "expectiminimax" else ""
        raise InputError(
            f"method={method!r} looks at all actions and gives one line{where}; with moves=True it values every"
            ' action. In games for two without chance method="auto" takes lines and actions'
        )
    if method == "mcts":
        return _monte_carlo(game, state, asked)
    if method == "expectiminimax":
        return _expectation(game, state, asked)
    found = importlib.import_module(f"gametree.search.{TEXTBOOK[method]}")
    function = getattr(found, TEXTBOOK[method].rpartition(".")[2])
    given = asked.common()
    if TEXTBOOK[method].startswith("many."):
        given["on_progress"] = asked.on_progress
        judged = asked.evaluation is not None or (isinstance(game, Game) and offers(game, "evaluate"))
        if judged and asked.limit is None and asked.depth is None:
            given["limit"] = DEFAULT
    return function(game, state, moves=asked.moves, **given)  # type: ignore[no-any-return]


def _best_first(method: str, game: Game, state: Any, asked: Asked) -> Analysis:
    if asked.moves or asked.several:
        raise InputError(
            f"method={method!r} finds the value of the position and one line; other values, lines and some actions"
            ' only are for method="auto"'
        )
    function = getattr(importlib.import_module(f"gametree.search.best_first.{method}"), method)
    table = {} if method == "pns" else {"hash_mb": asked.hash_mb}
    return function(game, state, **asked.common(), **table)  # type: ignore[no-any-return]


def _expectation(game: Game, state: Any, asked: Asked) -> Analysis:
    """expectiminimax under the limit of `analyze`; who has no evaluation is taken to be even at the horizon."""
    from gametree.search.chance.expectiminimax import expectiminimax

    require_game(game, "analyze")
    require_expectation(game, "analyze")
    given = asked.common()
    if asked.limit is None and asked.depth is None:
        given["limit"] = DEFAULT
    if asked.evaluation is None and not offers(game, "evaluate"):
        given["evaluation"] = even(game)
    return expectiminimax(
        game, state, moves=asked.moves, hash_mb=asked.hash_mb, on_progress=asked.on_progress, **given
    )


def _monte_carlo(game: Game, state: Any, asked: Asked) -> Analysis:
    from gametree.search.mcts.search import mcts

    return mcts(
        game,
        state,
        asked.limit if asked.depth is None else merged(asked.limit, asked.depth),
        moves=asked.moves,
        history=asked.history,
        on_progress=asked.on_progress,
        evaluation=asked.evaluation,
        seed=asked.seed,
        compile=asked.compile,
        threads=asked.threads,
        memory_mb=asked.hash_mb,
        **asked.parts,
    )


def even(game: Game) -> Callable[[Any, int], float]:
    """The evaluation of those who have none: nobody is ahead."""
    return _always(float(game.total or 0) / game.players)


@functools.cache
def _always(share: float) -> Callable[[Any, int], float]:
    return lambda state, player: share
