"""Minimax, traced: MAX-VALUE and MIN-VALUE of Russell & Norvig, Figure 5.3.

Expectiminimax has nodes where chance decides besides, which are worth their expected value.
"""

import math
from typing import cast

from gametree.explain.traces.recorder import Recorder
from gametree.games.tree.outline import Outline


def minimax(record: Recorder) -> None:
    def value(node: Outline) -> float:
        if node.is_leaf:
            return cast(float, record.leaf(node))
        v = {"max": max_value, "min": min_value, "chance": chance_value}[node.kind](node)
        record.leave(node, v)
        return v

    def max_value(node: Outline) -> float:
        v = -math.inf
        for child in record.enter(node):
            v2 = value(child)
            record.back_up(node, child, v2, better=v2 > v)
            v = max(v, v2)
        return v

    def min_value(node: Outline) -> float:
        v = math.inf
        for child in record.enter(node):
            v2 = value(child)
            record.back_up(node, child, v2, better=v2 < v)
            v = min(v, v2)
        return v

    def chance_value(node: Outline) -> float:
        v = 0.0
        for child in record.enter(node):
            v2 = value(child)
            v += cast(float, child.probability) * v2
            record.add_outcome(node, child, v2, v)
        return v

    value(record.root)
