"""Trees that pages are made of in tests: those of the lectures, hostile ones, large ones."""

import random
from typing import Any

from gametree.games.tree.game import Chance

LECTURE: Any = [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]
TRIPLES: Any = [[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]]
DICE: Any = [Chance([(0.5, [3, 5]), (0.5, [1, 9])]), Chance([(0.25, 8), (0.75, [2, 4])])]
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"'><img src=x onerror=alert(3)>",
    "<!--",
)


def hostile(names: tuple[str, ...] = HOSTILE) -> Any:
    """A tree whose moves and unknown leaves are attempts at markup."""
    first, second, third, fourth = names
    return {first: {second: 3, third: 12}, fourth: [2, first, second], "${title} $style": [14, 5]}


def random_tree(source: random.Random, nodes: int) -> Any:
    """A tree of about so many nodes with numbers at its leaves."""
    if nodes < 4:
        return source.randint(-9, 99)
    branching = source.randint(2, 4)
    return [random_tree(source, (nodes - 1) // branching) for _ in range(branching)]
