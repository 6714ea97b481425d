"""SSS*: of all strategies that are still possible, go on with the one that promises most.

Stockman, A Minimax Algorithm Better than Alpha-Beta? (1979): a list of open states, each with an upper bound on what it
can bring; the greatest is taken first, and among equals the leftmost. Plaat, Schaeffer, Pijls & de Bruin, A Minimax
Algorithm Better than Alpha-Beta? No and Yes (1996): the same leaves in the same order by alpha-beta with memory, asked
again and again whether the value is as great as its upper bound. Both forms are here.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.best_first.forms import from_one_end


def sss(
    game: Game,
    state: Any = None,
    *,
    depth: int | None = None,
    limit: Limit | None = None,
    evaluation: str | Callable[[Any, int], float] | None = None,
    history: Sequence[Any] = (),
    seed: int = 0,
    compile: str = "auto",
    hash_mb: float = 64,
    form: Literal["memory", "list"] = "memory",
) -> Analysis:
    """Finds what minimax finds, and looks at no leaf that alpha-beta in the same order would leave out.

    `form="memory"` is alpha-beta with a table of `hash_mb`; `form="list"` is Stockman's list of open states, which
    keeps the whole tree in Python objects and is meant to be read and compared.

    >>> from gametree import Tree
    >>> tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> sss(tree).value == 3, sss(tree, form="list").value == 3
    (True, True)
    """
    return from_one_end(
        "sss",
        1.0,
        game,
        state,
        depth=depth,
        limit=limit,
        evaluation=evaluation,
        history=history,
        compile=compile,
        hash_mb=hash_mb,
        form=form,
    )
