"""Alpha-beta, traced: MAX-VALUE and MIN-VALUE of Russell & Norvig, Figure 5.7.

The same pair serves all forms of the pseudo-code: fail-hard starts v at the bound instead of at infinity and
returns no more than the other bound, which is what V(J, α, β) of the lectures does. There the line that takes a
child's value in moves the bound too, so one step tells both.
"""

import math

from gametree.explain.traces.recorder import Bound, Window, WindowRecorder
from gametree.games.tree.outline import Outline


def alphabeta(record: WindowRecorder) -> None:
    hard = record.conventions.fail == "hard"
    strict = record.conventions.cut == ">"

    def value(node: Outline, window: Window) -> float:
        if node.is_leaf:
            return record.leaf_within(node, window)
        return max_value(node, window) if node.kind == "max" else min_value(node, window)

    def max_value(node: Outline, window: Window) -> float:
        left = record.enter_within(node, window)
        alpha, beta = window
        v = alpha.value if hard else -math.inf
        while left:
            child = left.pop(0)
            v2 = value(child, window)
            better, v = v2 > v, max(v, v2)
            if hard and better:
                window = Window(Bound(v, node.path), beta)
            record.back_up_within(node, child, v2, better, window)
            if v > beta.value if strict else v >= beta.value:
                record.cut_off(node, v, left, window)
                break
            if v > window.alpha.value:
                window = Window(Bound(v, node.path), beta)
                record.move_bound(node, window)
        return record.leave_within(node, min(v, beta.value) if hard else v, window)

    def min_value(node: Outline, window: Window) -> float:
        left = record.enter_within(node, window)
        alpha, beta = window
        v = beta.value if hard else math.inf
        while left:
            child = left.pop(0)
            v2 = value(child, window)
            better, v = v2 < v, min(v, v2)
            if hard and better:
                window = Window(alpha, Bound(v, node.path))
            record.back_up_within(node, child, v2, better, window)
            if v < alpha.value if strict else v <= alpha.value:
                record.cut_off(node, v, left, window)
                break
            if v < window.beta.value:
                window = Window(alpha, Bound(v, node.path))
                record.move_bound(node, window)
        return record.leave_within(node, max(v, alpha.value) if hard else v, window)

    value(record.root, Window(Bound(-math.inf, None), Bound(math.inf, None)))
