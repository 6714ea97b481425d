"""Trees as JSON: lists are nodes, numbers and names are leaves; chance nodes and payoff vectors are objects."""

import math
from typing import Any

from gametree.errors import InputError
from gametree.games.tree.game import Chance

MOST_LEVELS = 30


def to_json(spec: Any) -> Any:
    """What a `Tree` is made of, as data that JSON can hold.

    >>> to_json([3, Chance([(0.5, [1, "x"]), (0.5, (1, 2))])])
    [3, {'chance': [[0.5, [1, 'x']], [0.5, {'payoffs': [1, 2]}]]}]
    """
    if isinstance(spec, Chance):
        return {"chance": [[odds, to_json(subtree)] for odds, subtree in spec.outcomes]}
    if isinstance(spec, tuple):
        return {"payoffs": list(spec)}
    if isinstance(spec, list):
        return [to_json(one) for one in spec]
    return spec


def from_json(data: Any, level: int = 0) -> Any:
    """The way back. Says what cannot be read.

    >>> from_json([3, {"payoffs": [1, 2]}])
    [3, (1, 2)]
    """
    if level > MOST_LEVELS:
        raise InputError(f"the tree has more than {MOST_LEVELS} levels")
    match data:
        case bool() | None:
            pass
        case int() | str():
            return data
        case float() if math.isfinite(data):
            return data
        case list():
            return [from_json(one, level + 1) for one in data]
        case {"chance": list(outcomes)} if all(isinstance(o, list) and len(o) == 2 for o in outcomes):
            return Chance([(odds, from_json(subtree, level + 1)) for odds, subtree in outcomes])
        case {"payoffs": list(payoffs)}:
            return tuple(payoffs)
    raise InputError(
        f"{str(data)[:60]} is no part of a tree: a node is a list, a leaf a number or a name,"
        ' a chance node {"chance": [[0.5, …], …]}, a payoff vector {"payoffs": [1, 2, 3]}'
    )
