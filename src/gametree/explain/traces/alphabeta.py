"""Alpha-beta, traced: MAX-VALUE and MIN-VALUE of Russell & Norvig, Figure 5.7.

The same pair serves all forms of the pseudo-code: fail-hard starts v at the bound instead of at infinity and
returns no more than the other bound, which is what V(J, α, β) of the lectures does.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, cast

from gametree.explain.traces import sentences
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.notation import number
from gametree.explain.traces.outline import Outline, Path
from gametree.explain.traces.pseudocode import alphabeta_code
from gametree.explain.traces.recorder import Recorder
from gametree.explain.traces.trace import Cut, Trace, combine


class Bound(NamedTuple):
    """α or β, and the node that set it; None where nobody has yet."""

    value: float
    by: Path | None


def trace_alphabeta(root: Outline, conventions: Conventions) -> Trace:
    record = _Recorder("alphabeta", root, conventions, alphabeta_code(conventions))
    hard = conventions.fail == "hard"
    strict = conventions.cut == ">"

    def value(node: Outline, alpha: Bound, beta: Bound) -> float:
        if node.is_leaf:
            return record.leaf_between(node, alpha, beta)
        return max_value(node, alpha, beta) if node.kind == "max" else min_value(node, alpha, beta)

    def max_value(node: Outline, alpha: Bound, beta: Bound) -> float:
        window = record.enter_between(node, alpha, beta)
        v = alpha.value if hard else -math.inf
        left = list(record.children(node))
        while left:
            child = left.pop(0)
            v2 = value(child, alpha, beta)
            record.back_up(node, child, v2, v2 > v, alpha, beta)
            v = max(v, v2)
            if v > beta.value if strict else v >= beta.value:
                record.cut_off(node, v, beta, left, alpha, beta)
                break
            if v > alpha.value:
                alpha = Bound(v, node.path)
                record.move_bound(node, v, alpha, beta)
        return record.return_value(node, min(v, beta.value) if hard else v, window, alpha, beta)

    def min_value(node: Outline, alpha: Bound, beta: Bound) -> float:
        window = record.enter_between(node, alpha, beta)
        v = beta.value if hard else math.inf
        left = list(record.children(node))
        while left:
            child = left.pop(0)
            v2 = value(child, alpha, beta)
            record.back_up(node, child, v2, v2 < v, alpha, beta)
            v = min(v, v2)
            if v < alpha.value if strict else v <= alpha.value:
                record.cut_off(node, v, alpha, left, alpha, beta)
                break
            if v < beta.value:
                beta = Bound(v, node.path)
                record.move_bound(node, v, alpha, beta)
        return record.return_value(node, max(v, alpha.value) if hard else v, window, alpha, beta)

    value(root, Bound(-math.inf, None), Bound(math.inf, None))
    return record.trace()


class _Recorder(Recorder):
    """Takes notes of a search with a window."""

    truths: dict[Path, sentences.Truth]
    """What is proven about each node that has been left."""
    stopped: set[Path]
    """Where the value has met a bound, also where nothing was left to be cut."""
    found: dict[Path, str]
    """What each node returned, in words: "3", "at most 2"."""

    def enter_between(self, node: Outline, alpha: Bound, beta: Bound) -> tuple[float, float]:
        if not node.path:
            self.truths, self.found, self.stopped = {}, {}, set()
        by_alpha, by_beta = (
            sentences.where(self.root.at(bound.by)) if bound.by is not None else "" for bound in (alpha, beta)
        )
        sentence = sentences.enter_with_window(node, alpha.value, by_alpha, beta.value, by_beta)
        window = alpha.value, beta.value
        self.enter(node, sentence, window)
        return window

    def leaf_between(self, node: Outline, alpha: Bound, beta: Bound) -> float:
        payoff = cast(float, self.leaf(node, (alpha.value, beta.value)))
        if node.path:
            self.truths[node.path] = payoff, payoff
            self.found[node.path] = number(payoff)
        return payoff

    def back_up(
        self, node: Outline, child: Outline, value: float, better: bool, alpha: Bound, beta: Bound
    ) -> None:
        best = self.best.get(node.path)
        kept = "" if best is None else self.found[best]
        if better:
            self.so_far[node.path] = value
            self.best[node.path] = child.path
        elif best is None:
            # Fail-hard: no child has beaten the bound with which the node was called.
            bound = alpha.value if node.kind == "max" else beta.value
            self.so_far[node.path] = bound
            kept = f"its bound {number(bound)}"
        sentence = sentences.backup(node, self.found[child.path], kept, better)
        self.note("backup", node, sentence, window=(alpha.value, beta.value))

    def move_bound(self, node: Outline, value: float, alpha: Bound, beta: Bound) -> None:
        kind = "raise" if node.kind == "max" else "lower"
        sentence = sentences.bound(node, value)
        self.note(kind, node, sentence, window=(alpha.value, beta.value), line=f"{node.kind} bound")

    def cut_off(
        self, node: Outline, value: float, bound: Bound, left: Sequence[Outline], alpha: Bound, beta: Bound
    ) -> None:
        """Writes down a cut, where something is left to be cut."""
        self.stopped.add(node.path)
        if not left or bound.by is None:
            return
        cut = Cut(
            node.path,
            "beta" if node.kind == "max" else "alpha",
            "shallow" if bound.by == node.path[:-1] else "deep",
            bound.by,
            tuple(child.path for child in left),
        )
        sentence = sentences.cut(node, value, bound.value, self.root.at(bound.by), left)
        self.note("cut", node, sentence, window=(alpha.value, beta.value), cut=cut)

    def return_value(
        self, node: Outline, value: float, window: tuple[float, float], alpha: Bound, beta: Bound
    ) -> float:
        unseen = (-math.inf, math.inf)
        truth = combine(node, [self.truths.get(child.path, unseen) for child in node.children])
        self.truths[node.path] = truth
        self.found[node.path] = sentences.bounded(value, truth, window)
        sentence = sentences.leave(node, value, truth, window, self.conventions.fail == "hard")
        line = f"{node.kind} cut" if node.path in self.stopped else ""
        self.leave(node, value, sentence, (alpha.value, beta.value), line)
        return value
