"""A strategy as a tree to draw: one move wherever its player is to move, every reply elsewhere."""

from typing import Any

from gametree.explain.pictures.svg import svg
from gametree.explain.traces.trace import trace
from gametree.games.tree.outline import Outline, outline
from gametree.search.solve.solution import outcome_of
from gametree.search.solve.strategy import Strategy


def policy_outline(plan: Strategy, *, merge_symmetric: bool = True, most: int = 500) -> Outline:
    """The tree of a strategy; replies that are mirror images of each other are one, unless asked otherwise.

    >>> from gametree.games import Nim
    >>> from gametree.search.solve.strategy import strategy
    >>> tree = policy_outline(strategy(Nim(counters=5)))
    >>> [child.move for child in tree.children], [child.move for child in tree.children[0].children]
    (['1'], ['1', '2', '3'])
    """
    return outline(plan.pruned(), plan.state, merge_symmetric=merge_symmetric, most=most)


def drawing(plan: Strategy, *, merge_symmetric: bool = True, most: int = 500, **options: Any) -> str:
    """The tree of a strategy as the text of an SVG file, with the boards of the game; `options` are those of `svg`.

    >>> from gametree.games import Nim
    >>> from gametree.search.solve.strategy import strategy
    >>> drawing(strategy(Nim(counters=5)))[:5]
    '<svg '
    """
    root = policy_outline(plan, merge_symmetric=merge_symmetric, most=most)
    return svg(trace(root, "minimax"), **{"boards": True, "title": policy_title(plan), **options})


def policy_title(plan: Strategy, player: str = "") -> str:
    """What stands above a picture of a strategy; `player` is what its player is called.

    >>> from gametree.games import Nim
    >>> from gametree.search.solve.strategy import strategy
    >>> policy_title(strategy(Nim(counters=5)), "the first player")
    'Nim: the whole strategy of the first player, which guarantees a win in 3'
    """
    worth = f"a {plan.value}" if plan.value.outcome else f"{plan.value}"
    if outcome_of(plan.value, plan.game) == "draw":
        worth = "a draw"
    whose = player or plan.owner
    return f"{type(plan.game).__name__}: the whole strategy of {whose}, which guarantees {worth}"
