"""One walk over the root with a textbook method: what `minimax` and `alphabeta` do."""

import time
from collections.abc import Sequence
from typing import Any

from gametree.game import Game, check_state, with_evaluation
from gametree.result import Analysis, Limit
from gametree.search.core.capabilities import rehearse, require_game, require_two_player
from gametree.search.core.repetition import Past
from gametree.search.core.root import WHOLE, Method, Root, leaf, merged
from gametree.search.core.runner import MAX_PLIES


def think(
    method: Method,
    game: Game,
    state: Any,
    *,
    depth: int | None,
    limit: Limit | None,
    evaluation: Any,
    history: Sequence[Any],
    seed: int,
    compile: str,
    moves: bool,
    window: tuple[float, float] = WHOLE,
    **parameters: Any,
) -> Analysis:
    """Searches `state` with a textbook method.

    `history`, the states before, is for rules on repeated positions. `seed` is part of every search's signature; a
    method without chance needs none.
    """
    require_game(game, method.name)
    limit = merged(limit, depth)
    require_two_player(game, method.name)
    game = with_evaluation(game, evaluation)
    state = check_state(game, state)
    result = leaf(method.name, game, state, limit, **parameters)
    if result is not None:
        return result
    past = Past(game, state, history, MAX_PLIES)
    root = Root(method, game, state, limit, compile, rehearse(game, state), past)

    def search() -> Analysis:
        start = time.perf_counter()
        walk = root.walk(
            MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES), window, each=moves
        )
        seconds = time.perf_counter() - start
        nodes = root.run.nodes
        return root.analysis(walk, root.line(walk), nodes, seconds, **parameters)

    return root.run.execute(search)
