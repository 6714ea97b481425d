"""Counts cuts on nested lists, without telling a story: most trees that are drawn are thrown away again."""

import math
from typing import Any

from gametree.explain.traces.conventions import Conventions

Bound = tuple[float, int]
"""α or β, and the level of the node that set it; −1 where nobody has yet."""


def cuts(spec: Any, movers: tuple[int, ...], conventions: Conventions) -> list[str]:
    """ "shallow" or "deep" for each cut of alpha-beta, as a trace would find them.

    >>> cuts([[3, 12, 8], [2, 4, 6], [14, 5, 2]], (0, 1), Conventions())
    ['shallow']
    """
    found: list[str] = []
    strict, hard = conventions.cut == ">", conventions.fail == "hard"
    backwards = conventions.direction == "right-to-left"

    def value(node: Any, alpha: Bound, beta: Bound, level: int) -> float:
        if not isinstance(node, list):
            return float(node)
        is_max = movers[level % len(movers)] == 0
        v = (alpha[0] if is_max else beta[0]) if hard else (-math.inf if is_max else math.inf)
        limit = beta if is_max else alpha
        left = len(node)
        for child in reversed(node) if backwards else node:
            left -= 1
            below = value(child, alpha, beta, level + 1)
            v = max(v, below) if is_max else min(v, below)
            beyond = v > limit[0] if is_max else v < limit[0]
            if beyond or (v == limit[0] and not strict):
                if left and limit[1] >= 0:
                    found.append("shallow" if limit[1] == level - 1 else "deep")
                break
            if is_max and v > alpha[0]:
                alpha = (v, level)
            elif not is_max and v < beta[0]:
                beta = (v, level)
        if hard:
            return min(v, limit[0]) if is_max else max(v, limit[0])
        return v

    value(spec, (-math.inf, -1), (math.inf, -1), 0)
    return found
