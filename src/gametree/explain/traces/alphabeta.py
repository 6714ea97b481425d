"""Alpha-beta, traced: MAX-VALUE and MIN-VALUE of Russell & Norvig, Figure 5.7.

The same pair serves all forms of the pseudo-code: fail-hard starts v at the bound instead of at infinity and
returns no more than the other bound, which is what V(J, α, β) of the lectures does.
"""

import math

from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.pseudocode import alphabeta_code
from gametree.explain.traces.recorder import Bound, Window, WindowRecorder
from gametree.explain.traces.trace import Trace
from gametree.games.tree.outline import Outline


def trace_alphabeta(root: Outline, conventions: Conventions) -> Trace:
    record = WindowRecorder("alphabeta", root, conventions, alphabeta_code(conventions))
    hard = conventions.fail == "hard"
    strict = conventions.cut == ">"

    def value(node: Outline, window: Window) -> float:
        if node.is_leaf:
            return record.leaf_within(node, window)
        record.enter_within(node, window)
        return max_value(node, window) if node.kind == "max" else min_value(node, window)

    def max_value(node: Outline, window: Window) -> float:
        alpha, beta = window
        v = alpha.value if hard else -math.inf
        left = list(record.children(node))
        while left:
            child = left.pop(0)
            v2 = value(child, window)
            record.back_up_within(node, child, v2, v2 > v, window)
            v = max(v, v2)
            if v > beta.value if strict else v >= beta.value:
                record.cut_off(node, v, left, window)
                break
            if v > window.alpha.value:
                window = Window(Bound(v, node.path), beta)
                record.move_bound(node, window)
        v = min(v, beta.value) if hard else v
        record.leave_within(node, v, window)
        return v

    def min_value(node: Outline, window: Window) -> float:
        alpha, beta = window
        v = beta.value if hard else math.inf
        left = list(record.children(node))
        while left:
            child = left.pop(0)
            v2 = value(child, window)
            record.back_up_within(node, child, v2, v2 < v, window)
            v = min(v, v2)
            if v < alpha.value if strict else v <= alpha.value:
                record.cut_off(node, v, left, window)
                break
            if v < window.beta.value:
                window = Window(alpha, Bound(v, node.path))
                record.move_bound(node, window)
        v = max(v, alpha.value) if hard else v
        record.leave_within(node, v, window)
        return v

    value(root, Window(Bound(-math.inf, None), Bound(math.inf, None)))
    return record.trace()
