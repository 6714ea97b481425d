"""SSS*: of all strategies that are still possible, go on with the one that promises most.

Stockman, A Minimax Algorithm Better than Alpha-Beta? (1979): a list of open states, each with an upper bound on what it
can bring; the greatest is taken first, and among equals the leftmost. Plaat, Schaeffer, Pijls & de Bruin, A Minimax
Algorithm Better than Alpha-Beta? No and Yes (1996): the same leaves in the same order by alpha-beta with memory, asked
again and again whether the value is as great as its upper bound. Both forms are here.
"""

import math
from typing import Any, Literal, Unpack

from gametree.game import Game
from gametree.result import Analysis
from gametree.search.best_first import stockman
from gametree.search.best_first.mtd import converge
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

NEEDS = Needs("sss", zero_sum=True, chance=False, repetition="states")


@spelled_out
@sound
def sss(
    game: Game,
    state: Any = None,
    *,
    hash_mb: float = 64,
    form: Literal["memory", "list"] = "memory",
    **keywords: Unpack[Keywords],
) -> Analysis:
    """Finds what minimax finds, and looks at no leaf that alpha-beta in the same order would leave out.

    `form="memory"` is alpha-beta with a table of `hash_mb`; `form="list"` is Stockman's list of open states, which
    keeps the whole tree in Python objects and is meant to be read and compared.

    >>> from gametree import Tree
    >>> tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> sss(tree).value == 3, sss(tree, form="list").value == 3
    (True, True)
    """
    if stockman.is_list(form):
        return stockman.search(Task.of(stockman.needs("sss"), game, state, **keywords), 1.0)
    return converge(Task.of(NEEDS, game, state, **keywords), lambda game, state: math.inf, hash_mb, form=form)
