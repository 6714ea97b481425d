"""Star1 and Star2, traced: alpha-beta through chance nodes, where no payoff is below L or above U.

Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes (1983). Outcomes that were not looked at add
no less than L and no more than U each, so the mean may be known to be outside the window before all of them are. Star2
first looks at one move behind each outcome.
"""

import math
from typing import cast

from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.notation import interval, number
from gametree.explain.traces.recorder import Bound, Window, WindowRecorder
from gametree.games.tree.outline import Interval, Outline, Path

INFINITY = math.inf


class StarRecorder(WindowRecorder):
    """Takes notes of means between bounds."""

    def __init__(self, method: Method, root: Outline, conventions: Conventions):
        super().__init__(method, root, conventions)
        self.instead: dict[Path, Interval] = {}

    def truth(self, node: Outline, value: float) -> Interval:
        return self.instead.get(node.path) or super().truth(node, value)

    def known_before(self, window: Window) -> list[str]:
        """Through a chance node comes between what a value can matter, not what anybody has."""
        alpha, beta = window
        own = {
            name: bound
            for name, bound in (("α", alpha), ("β", beta))
            if bound.by is not None and self.root.at(bound.by).kind == "chance"
        }
        free = Bound(0.0, None)
        known = super().known_before(
            Window(*(free if name in own else b for name, b in (("α", alpha), ("β", beta))))
        )
        by = next((bound.by for bound in own.values() if bound.by is not None), None)
        if by is not None and any(math.isfinite(bound.value) for bound in own.values()):
            known.append(
                f"to the mean at {self.root.at(by).where} only what lies between α and β makes a difference"
            )
        return known

    def worth(self, node: Outline, value: float, truth: Interval) -> str:
        """One move alone need not prove anything."""
        shown = number(_short(value))
        if truth[0] == truth[1]:
            return shown
        if truth[1] <= value:
            return f"at most {shown}"
        return f"at least {shown}" if truth[0] >= value else "anything, as far as this shows"

    def cut_off(self, node: Outline, value: float, left: list[Outline], window: Window) -> None:  # type: ignore[override]
        """A bound that comes through a chance node is not what anybody has."""
        bar = window.beta if node.kind == "max" else window.alpha
        if left and bar.by is not None and self.root.at(bar.by).kind == "chance":
            self.stopped.add(node.path)
            more = "more" if node.kind == "max" else "less"
            said = (
                f"{number(value)} at {node.where} is enough: with {number(bar.value)} or {more} here the mean of"
                f" {self.root.at(bar.by).where} is outside its window. The rest cannot matter."
            )
            paths = tuple(child.path for child in left)
            self.note("skip", node, said, window=window.ends, line=f"{node.kind} cut", skipped=paths)
            return
        super().cut_off(node, value, left, window)

    def mean(self, node: Outline, said: str, low: float, high: float, window: Window, total: float) -> None:
        """What is known of the mean at a chance node."""
        self.so_far[node.path] = total
        beside = ((node.path, (interval(float(f"{low:.10g}"), float(f"{high:.10g}")),)),)
        self.note("backup", node, said, window=window.ends, beside=beside)


class Star:
    """The search between the least and the greatest payoff."""

    def __init__(self, record: StarRecorder, payoffs: Interval, probes: bool):
        self.record = record
        self.low: float = payoffs[0]
        self.high: float = payoffs[1]
        self.probes = probes

    def value(self, node: Outline, window: Window, probing: bool = False) -> float:
        """What a node is worth, as far as the window asks; with `probing` by its first move alone."""
        if node.is_leaf:
            return self.record.leaf_within(node, window)
        if node.kind == "chance":
            return self.chance(node, window)
        return self.player(node, window, probing)

    def player(self, node: Outline, window: Window, probing: bool) -> float:
        record, sign = self.record, 1.0 if node.kind == "max" else -1.0
        record.so_far.pop(node.path, None)
        record.best.pop(node.path, None)
        for child in node.children:
            record.truths.pop(child.path, None)
        left = record.enter_within(node, window)
        v = -INFINITY
        while left:
            child = left.pop(0)
            found = self.value(child, window)
            better = sign * found > v
            v = max(v, sign * found)
            record.back_up_within(node, child, found, better, window)
            bar = window.beta if sign > 0 else window.alpha
            if v >= sign * bar.value:
                record.cut_off(node, sign * v, left, window)
                break
            own = window.alpha if sign > 0 else window.beta
            if v > sign * own.value:
                bound = Bound(sign * v, node.path)
                window = Window(bound, window.beta) if sign > 0 else Window(window.alpha, bound)
                record.move_bound(node, window)
            if probing and left:
                worth = f"{'at least' if sign > 0 else 'at most'} {number(_short(sign * v))}"
                said = f"Star2 looks at one move only for now: {node.where} is worth {worth}."
                record.note("backup", node, said, window=window.ends, line="* probe")
                break
        return record.leave_within(node, sign * v, window)

    def chance(self, node: Outline, window: Window) -> float:
        """The mean of the outcomes, or a bound on it that is outside the window."""
        record, low, high = self.record, self.low, self.high
        (alpha, beta), outcomes = window.ends, record.enter_within(node, window)
        odds = [cast(float, child.probability) for child in outcomes]
        cutting = alpha > low or beta < high
        bounds = [[low, high] for _ in outcomes]
        least, most = low, high
        if cutting and self.probes:
            for i, child in enumerate(outcomes):
                p = odds[i]
                a, b = (alpha - (most - p * high)) / p, (beta - (least - p * low)) / p
                asks = child.kind == "max" and beta < high
                asks = asks or (child.kind == "min" and alpha > low) or child.is_leaf
                if asks:
                    c, d = (
                        (max(a, low), min(b, high)) if max(a, low) < min(b, high) else (-INFINITY, INFINITY)
                    )
                    v = self.value(child, _through(node, c, d), probing=not child.is_leaf)
                    whole = len(child.children) == 1
                    if child.is_leaf or (v > c and (child.kind == "max" or whole)):
                        bounds[i][0] = max(v, low)
                    if child.is_leaf or (v < d and (child.kind == "min" or whole)):
                        bounds[i][1] = min(v, high)
                least += p * (bounds[i][0] - low)
                most += p * (bounds[i][1] - high)
                said = (
                    f"A first look: {child.name or 'the outcome'} lies in {interval(*map(_short, bounds[i]))}, and the"
                    f" mean at {node.where} in {interval(_short(least), _short(most))}."
                )
                record.mean(node, said, least, most, window, least)
                if least >= beta:
                    return self.leave(node, least, (least, INFINITY), window, outcomes[i + 1 :])
                if most <= alpha:
                    return self.leave(node, most, (-INFINITY, most), window, outcomes[i + 1 :])
        total = 0.0
        n = len(outcomes)
        for i, child in enumerate(outcomes):
            p, (bottom, top) = odds[i], bounds[i]
            a, b = -INFINITY, INFINITY
            if cutting:
                least = least - p * bottom if i < n - 1 else 0.0
                most = most - p * top if i < n - 1 else 0.0
                a, b = (alpha - total - most) / p, (beta - total - least) / p
            v = bottom
            if bottom < top:
                c, d = max(a, bottom), min(b, top)
                if not c < d:
                    c, d = -INFINITY, INFINITY
                v = self.value(child, _through(node, c, d))
            if v <= a or v >= b:
                rest, far = (most, "at most") if v <= a else (least, "at least")
                found = min(total + p * v + most, alpha) if v <= a else max(total + p * v + least, beta)
                side = "no more" if v <= a else "no less"
                said = (
                    f"{number(_short(p))} · {number(_short(v))}, and the outcomes that are left add {side} than"
                    f" {number(_short(rest))}: {node.where} is worth {far} {number(_short(found))}."
                )
                record.mean(node, said, *((-INFINITY, found) if v <= a else (found, INFINITY)), window, found)
                truth = (-INFINITY, found) if v <= a else (found, INFINITY)
                return self.leave(node, found, truth, window, outcomes[i + 1 :])
            total += p * v
            said = (
                f"{number(_short(v))} with probability {number(_short(p))}: the outcomes so far add up to"
                f" {number(_short(total))} at {node.where}."
            )
            if cutting and i < n - 1:
                said += f" The rest adds between {number(_short(least))} and {number(_short(most))}."
            ends = (total + least, total + most) if cutting else (total, total) if i == n - 1 else (low, high)
            record.mean(node, said, *ends, window, total)
        return self.leave(node, total, (total, total), window, [])

    def leave(
        self, node: Outline, value: float, truth: Interval, window: Window, left: list[Outline]
    ) -> float:
        """A chance node is left, with what is proven of it."""
        record = self.record
        record.instead[node.path] = truth
        record.so_far[node.path] = value
        if left:
            above = truth[1] == INFINITY
            bar = window.ends[1] if above else window.ends[0]
            said = (
                f"That is no {'less' if above else 'more'} than {'β' if above else 'α'} = {number(_short(bar))},"
                " whatever the other outcomes bring: they are left out."
            )
            paths = tuple(child.path for child in left)
            record.note("skip", node, said, window=window.ends, line="* cut", skipped=paths)
        return record.leave_within(node, value, window)


def _through(node: Outline, alpha: float, beta: float) -> Window:
    return Window(Bound(alpha, node.path), Bound(beta, node.path))


def _short(value: float) -> float:
    """A number without what rounding has left of it."""
    return float(f"{value:.6g}")


def star(record: StarRecorder, payoffs: Interval, probes: bool) -> None:
    """The whole search from the root."""
    whole = Window(Bound(-INFINITY, None), Bound(INFINITY, None))
    Star(record, payoffs, probes).value(record.root, whole)
