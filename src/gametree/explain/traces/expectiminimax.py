"""Expectiminimax, traced: minimax with nodes where chance decides, which are worth their expected value."""

import math
from typing import cast

from gametree.explain.traces import sentences
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.minimax import back_up
from gametree.explain.traces.outline import Outline
from gametree.explain.traces.pseudocode import expectiminimax_code
from gametree.explain.traces.recorder import Recorder
from gametree.explain.traces.trace import Trace


def trace_expectiminimax(root: Outline, conventions: Conventions) -> Trace:
    record = Recorder("expectiminimax", root, conventions, expectiminimax_code(conventions))

    def value(node: Outline) -> float:
        if node.is_leaf:
            return cast(float, record.leaf(node))
        return {"max": max_value, "min": min_value, "chance": chance_value}[node.kind](node)

    def max_value(node: Outline) -> float:
        record.enter(node, sentences.enter(node))
        v = -math.inf
        for child in record.children(node):
            v2 = value(child)
            back_up(record, node, child, v2, better=v2 > v)
            v = max(v, v2)
        record.leave(node, v, sentences.leave_exact(node, v))
        return v

    def min_value(node: Outline) -> float:
        record.enter(node, sentences.enter(node))
        v = math.inf
        for child in record.children(node):
            v2 = value(child)
            back_up(record, node, child, v2, better=v2 < v)
            v = min(v, v2)
        record.leave(node, v, sentences.leave_exact(node, v))
        return v

    def chance_value(node: Outline) -> float:
        record.enter(node, sentences.enter(node))
        v = 0.0
        for child in record.children(node):
            v2 = value(child)
            v += cast(float, child.probability) * v2
            record.so_far[node.path] = v
            record.note("backup", node, sentences.backup_chance(node, child, v2, v))
        record.leave(node, v, sentences.leave_exact(node, v))
        return v

    value(root)
    return record.trace()
