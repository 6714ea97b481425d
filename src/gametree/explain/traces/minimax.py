"""Minimax, traced: MAX-VALUE and MIN-VALUE of Russell & Norvig, Figure 5.3."""

import math
from typing import cast

from gametree.explain.traces import sentences
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import number
from gametree.explain.traces.outline import Outline
from gametree.explain.traces.pseudocode import minimax_code
from gametree.explain.traces.recorder import Recorder
from gametree.explain.traces.trace import Trace


def trace_minimax(root: Outline, conventions: Conventions) -> Trace:
    record = Recorder("minimax", root, conventions, minimax_code(conventions))

    def value(node: Outline) -> float:
        if node.is_leaf:
            return cast(float, record.leaf(node))
        return max_value(node) if node.kind == "max" else min_value(node)

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

    value(root)
    return record.trace()


def back_up(record: Recorder, node: Outline, child: Outline, value: float, better: bool) -> None:
    """Writes down that a child's value has come back to a MAX or MIN node."""
    kept = number(record.so_far.get(node.path))
    if better:
        record.so_far[node.path] = value
        record.best[node.path] = child.path
    record.note("backup", node, sentences.backup(node, number(value), kept, better))
