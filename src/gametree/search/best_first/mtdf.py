"""MTD(f): begin with a good guess, and a few narrow searches are enough.

Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996).
"""

import math
from typing import Any, Unpack

from gametree.arguments import is_number
from gametree.errors import InputError
from gametree.game import Game, offers
from gametree.kernel.primitives import estimate
from gametree.result import Analysis
from gametree.search.best_first.mtd import converge
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

NEEDS = Needs("mtdf", zero_sum=True, chance=False, repetition="states")


@spelled_out
@sound
def mtdf(
    game: Game,
    state: Any = None,
    *,
    hash_mb: float = 64,
    guess: float | None = None,
    **keywords: Unpack[Keywords],
) -> Analysis:
    """Finds what minimax finds, by asking "is it at least this?" from a first guess on.

    `guess` is a payoff to player 0; the nearer to the value, the fewer questions. Where it is not given, it is what
    `evaluate` says of the state, or an even result. `hash_mb` is the size of the table in which bounds are kept.

    >>> from gametree import Tree
    >>> result = mtdf(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), guess=3)
    >>> result.value == 3, result.line, result.parameters["passes"]
    (True, (0, 0), 2)
    """
    if guess is not None and (not is_number(guess) or math.isnan(guess)):
        raise InputError(f"guess={guess!r}: a payoff to player 0, a number")

    def first(game: Game, state: Any) -> float:
        if guess is not None:
            return float(guess)
        judged = estimate(game, state) if offers(game, "evaluate") else math.nan
        return float(game.total or 0) / 2 if math.isnan(judged) else judged

    task = Task.of(NEEDS, game, state, **keywords)
    return converge(task, first, hash_mb, **({} if guess is None else {"guess": guess}))
