"""SSS* and DUAL* in the form that is asked for: alpha-beta with memory, or the list of open states."""

import math
from typing import Any

from gametree.game import Game
from gametree.result import Analysis
from gametree.search.best_first import stockman
from gametree.search.best_first.mtd import converge


def from_one_end(
    name: str, sign: float, game: Game, state: Any, *, form: str, hash_mb: float, **asked: Any
) -> Analysis:
    """Comes to the value from above (`sign` 1.0) or from below (−1.0)."""
    if stockman.is_list(form):
        return stockman.search(name, sign, game, state, **asked)
    return converge(
        name, lambda game, state: sign * math.inf, game, state, hash_mb=hash_mb, form=form, **asked
    )
