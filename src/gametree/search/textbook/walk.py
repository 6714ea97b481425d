"""One walk over the root with a textbook method: what `minimax` and `alphabeta` do."""

import time
from typing import Any

from gametree.result import Analysis
from gametree.search.core.plays import rehearse
from gametree.search.core.repetition import Past
from gametree.search.core.root import WHOLE, Method, Root, leaf
from gametree.search.core.runner import MAX_PLIES
from gametree.search.core.task import Task


def think(method: Method, task: Task, window: tuple[float, float] = WHOLE, **parameters: Any) -> Analysis:
    """Searches a state with a textbook method."""
    game, state, limit = task.game, task.state, task.limit
    result = leaf(method.name, game, state, limit, **parameters)
    if result is not None:
        return result
    past = Past(game, state, task.history, MAX_PLIES)
    root = Root(method, game, state, limit, task.compile, rehearse(game, state), past)

    def search() -> Analysis:
        start = time.perf_counter()
        walk = root.walk(
            MAX_PLIES if limit.depth is None else min(limit.depth, MAX_PLIES), window, each=task.moves
        )
        seconds = time.perf_counter() - start
        nodes = root.run.nodes
        return root.analysis(walk, root.line(walk), nodes, seconds, **parameters)

    return root.run.execute(search)
