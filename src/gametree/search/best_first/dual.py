"""DUAL*: SSS* with the players exchanged. Of all defences that are possible, go on with the one that concedes least.

Marsland, Reinefeld & Schaeffer, Low Overhead Alternatives to SSS* (1987). Where SSS* comes down to the value from +∞,
DUAL* comes up to it from −∞. Plaat, Schaeffer, Pijls & de Bruin, Best-First Fixed-Depth Minimax Algorithms (1996):
the same by alpha-beta with memory, asked again and again whether the value is more than its lower bound. Both forms
are here.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

from gametree.game import Game
from gametree.result import Analysis, Limit
from gametree.search.best_first.forms import from_one_end


def dual(
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

    `form="memory"` is alpha-beta with a table of `hash_mb`; `form="list"` is the list of open states, which
    keeps the whole tree in Python objects and is meant to be read and compared.

    >>> from gametree import Tree
    >>> tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    >>> dual(tree).value == 3, dual(tree, form="list").value == 3
    (True, True)
    """
    return from_one_end(
        "dual",
        -1.0,
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
