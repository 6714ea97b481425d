"""The tree of a Monte-Carlo search as a `Tree`, which can be drawn like any other."""

from itertools import count
from typing import Any

from gametree.arguments import whole
from gametree.game import CHANCE
from gametree.games.tree.game import Chance, Tree, Turn
from gametree.search.mcts.view import SearchTree


def as_tree(search: SearchTree, depth: int = 2, most: int = 3) -> Tree:
    """The top of a search tree, `depth` plies of it, with the `most` visited moves of each node.

    A move is named with the number of its visits, "b2 ×310", and a leaf is worth what the simulations brought on
    average. Chance nodes keep all outcomes; one that no simulation has met is an unknown.

    >>> import gametree as gt
    >>> thinker = gt.MonteCarlo(gt.games.Nim(counters=5), solver=False, compile="never")
    >>> _ = thinker.analyze(simulations=100)
    >>> print(as_tree(thinker.tree, depth=1).show(0))
    MAX
      1 ×90: 0.867
      2 ×5: -0.2
      3 ×5: -0.2
    """
    whole("depth", depth)
    whole("most", most)
    unknown = count(1)

    def leaf(node: int) -> Any:
        if search.visits(node) == 0 and not search.is_settled(node):
            return f"x{next(unknown)}"
        if search.game.players == 2 and search.game.total is not None:
            return float(f"{search.mean(node, 0):.3g}")
        return tuple(float(f"{mean:.3g}") for mean in search.means(node))

    def below(node: int, state: Any, left: int) -> Any:
        mover = search.mover(node)
        if left == 0 or not search.count(node) or mover is None:
            return leaf(node)
        steps = list(search.steps(node, state))
        if mover == CHANCE:
            return Chance(
                [
                    (search.prior(child), below(child, search.game.result(state, a), left))
                    for child, a in steps
                ]
            )
        steps.sort(key=lambda step: -search.visits(step[0]))
        return Turn(
            mover,
            {
                f"{search.game.name_action(state, action)} ×{search.visits(child)}": below(
                    child, search.game.result(state, action), left - 1
                )
                for child, action in steps[:most]
            },
        )

    total = search.game.total
    return Tree(below(search.root, search.state, depth), total=... if total is None else total)
