"""DUAL*: SSS* with the players exchanged. Of all defences that are possible, go on with the one that concedes least.

Marsland, Reinefeld & Schaeffer, Low Overhead Alternatives to SSS* (1987). Where SSS* comes down to the value from +∞,
DUAL* comes up to it from −∞. Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996):
the same by alpha-beta with memory, asked again and again whether the value is more than its lower bound. Both forms
are here.
"""

import math
from typing import Any, Literal, Unpack

from gametree.game import Game
from gametree.result import Analysis
from gametree.search.best_first import stockman
from gametree.search.best_first.mtd import converge
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

NEEDS = Needs("dual", zero_sum=True, chance=False, repetition="states")


@spelled_out
@sound
def dual(
    game: Game,
    state: Any = None,
    *,
    hash_mb: float = 64,
    form: Literal["memory", "list"] = "memory",
    **keywords: Unpack[Keywords],
) -> Analysis:
    """Finds what minimax finds, and looks at no leaf that alpha-beta in the same order would leave out.

    `form="memory"` is alpha-beta with a table of `hash_mb`; `form="list"` is the list of open states, which
    keeps the whole tree in Python objects and is meant to be read and compared.

    >>> from gametree import Tree
    >>> tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> dual(tree).value == 3, dual(tree, form="list").value == 3
    (True, True)
    """
    if stockman.is_list(form):
        return stockman.search(Task.of(stockman.needs("dual"), game, state, **keywords), -1.0)
    return converge(
        Task.of(NEEDS, game, state, **keywords), lambda game, state: -math.inf, hash_mb, form=form
    )
