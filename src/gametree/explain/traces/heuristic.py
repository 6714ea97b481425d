"""Alpha-beta with what makes it fit for play, traced: a horizon, quiescence, a table, ordered moves, null moves, and
moves that are left out.

Russell & Norvig, section 5.3; Plaat, Schaeffer, Pijls & de Bruin (1996), figure 3, for the table; Donninger, Null Move
and Deep Search (1993), for passes. One search has all of it, so that what differs between the methods is on one page.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.methods import Method
from gametree.explain.traces.notation import count, listing, number
from gametree.explain.traces.positions import REDUCTION, Positions
from gametree.explain.traces.recorder import Bound, Window, WindowRecorder
from gametree.explain.traces.trace import Trace
from gametree.games.tree.outline import Interval, Outline, Path

WHOLE = Window(Bound(-math.inf, None), Bound(math.inf, None))
UNSEEN: Interval = (-math.inf, math.inf)


@dataclass(frozen=True)
class Parts:
    """Which parts the search has."""

    depth: float
    quiescence: bool = False
    table: bool = False
    ordered: bool = False
    null: bool = False
    keep: int | None = None


@dataclass(frozen=True)
class Entry:
    """What the table knows of a position: its value lies between these, found at this node."""

    lower: float
    upper: float
    at: Path


class HeuristicRecorder(WindowRecorder):
    """Takes notes of what is left out and of what is known otherwise."""

    def __init__(self, method: Method, positions: Positions, conventions: Conventions):
        super().__init__(method, positions.root, conventions)
        self.positions = positions
        self.considered: dict[Path, list[Outline]] = {}
        """The children that count at a node, where not all of them do."""
        self.known: dict[Path, Interval] = {}
        """What is known of a node otherwise: by standing pat, by a pass, by the table."""
        self.instead: dict[Path, Interval] = {}

    def truth(self, node: Outline, value: float) -> Interval:
        if node.path in self.instead:
            return self.instead[node.path]
        children = self.considered.get(node.path, list(node.children))
        parts = [self.truths.get(child.path, UNSEEN) for child in children]
        if node.path in self.known:
            parts.append(self.known[node.path])
        return node.combine(parts)

    def tell(self, kind: str, sentence: str, fresh: bool = False) -> None:
        """Something about the whole search."""
        if fresh:
            for memory in (self.so_far, self.best, self.truths, self.considered, self.known, self.instead):
                memory.clear()
            self.stopped.clear()
            self.found.clear()
        self.note(kind, self.root, sentence, line=f"* {kind}", fresh=fresh)

    def judge(self, node: Outline, window: Window, depth: int | None) -> float:
        """The horizon: what a node seems to be worth counts as if it were a payoff."""
        value = self.positions.estimate(node, depth)
        self.visited.append(node.path)
        self.values[node.path] = self.so_far[node.path] = value
        self.truths[node.path] = value, value
        self.found[node.path] = shown = number(value)
        said = f"The horizon: {node.name} is looked at no further, and the evaluation says {shown}."
        self.note("leaf", node, said, window=window.ends, line="* leaf", proven="=")
        return value

    def sort(self, node: Outline, children: list[Outline], window: Window) -> None:
        """The children as they are looked at."""
        names = listing([child.name or number(child.payoff) for child in children])
        said = f"{node.who} looks at {names} in this order, the most promising first."
        self.note("order", node, said, window=window.ends, line="* order")

    def leave_out(self, node: Outline, children: list[Outline], why: str, window: Window) -> None:
        """Children that nobody looks at."""
        paths = tuple(child.path for child in children)
        self.note("skip", node, why, window=window.ends, line="* skip", skipped=paths)

    def answer(self, node: Outline, value: float, entry: Entry, window: Window) -> float:
        """The table answers for a node."""
        self.visited.append(node.path)
        self.truths[node.path] = entry.lower, entry.upper
        self.values[node.path] = self.so_far[node.path] = value
        exact = entry.lower == entry.upper
        bound = "" if exact else "at least " if value == entry.lower else "at most "
        self.found[node.path] = bound + number(value)
        there = self.root.at(entry.at).where
        why = "" if exact else ", which is enough"
        said = f"{node.name} is the position of {there}: the table knows that it is worth {bound}{number(value)}{why}."
        sign = "=" if exact else "≥" if bound == "at least " else "≤"
        self.note("table", node, said, window=window.ends, line="* table", proven=sign)
        return value

    def narrow(self, node: Outline, entry: Entry, window: Window) -> None:
        """The table knows a bound, which is not enough."""
        there = self.root.at(entry.at).where
        low, high = entry.lower, entry.upper
        known = [f"at least {number(low)}"] if low > -math.inf else []
        known += [f"at most {number(high)}"] if high < math.inf else []
        said = (
            f"{node.name} is the position of {there}: the table knows that it is worth {listing(known)}:"
            f" α = {number(window.alpha.value)} and β = {number(window.beta.value)}."
        )
        self.note("table", node, said, window=window.ends, line="* table")

    def stand(self, node: Outline, value: float, window: Window) -> None:
        """Whoever moves past the horizon need not play on."""
        self.so_far[node.path] = value
        self.known[node.path] = value, value
        self.found[node.path] = number(value)
        said = (
            f"The horizon, but {node.where} is not quiet: {node.who} may stand pat with {number(value)}, and looks"
            f" whether {'a move' if len(node.children) == 1 else 'one of the moves'} to be followed brings more."
        )
        if node.kind == "min":
            said = said.replace("brings more", "brings less")
        self.note("stand", node, said, window=window.ends, line="* stand")


class Search:
    """The search, with the parts that were asked for."""

    def __init__(self, record: HeuristicRecorder, parts: Parts):
        self.record: HeuristicRecorder = record
        self.parts: Parts = parts
        self.positions: Positions = record.positions
        self.table: dict[tuple[Hashable, float], Entry] = {}

    def value(self, node: Outline, depth: float, window: Window, passed: bool = False) -> float:
        """What a node is worth, so many plies deep."""
        record = self.record
        if node.is_leaf:
            return record.leaf_within(node, window)
        horizon = depth <= 0
        if horizon and not (self.parts.quiescence and node.path in self.positions.followed):
            return record.judge(node, window, int(self.parts.depth))
        key = (self.positions.keys.get(node.path), depth)
        entry = self.table.get(key) if self.parts.table and key[0] is not None else None
        if entry is not None and (known := _enough(entry, window)) is not None:
            return record.answer(node, known, entry, window)
        record.so_far.pop(node.path, None)
        record.best.pop(node.path, None)
        left = record.enter_within(node, window)
        if entry is not None:
            alpha, beta = window
            alpha = Bound(entry.lower, None) if entry.lower > alpha.value else alpha
            beta = Bound(entry.upper, None) if entry.upper < beta.value else beta
            window = Window(alpha, beta)
            record.narrow(node, entry, window)
        called = window.ends
        found = self._within(node, depth, window, left, passed, horizon)
        if self.parts.table and key[0] is not None:
            before = entry or Entry(-math.inf, math.inf, node.path)
            # What is above α is not at most that by anything left out; what is below β is no less.
            lower = max(before.lower, found) if found > called[0] else before.lower
            upper = min(before.upper, found) if found < called[1] else before.upper
            self.table[key] = Entry(lower, upper, before.at)
        return found

    def _within(
        self, node: Outline, depth: float, window: Window, left: list[Outline], passed: bool, horizon: bool
    ) -> float:
        record, sign = self.record, (1.0 if node.kind == "max" else -1.0)
        v = -math.inf
        left = self._chosen(node, left, window, horizon)
        if horizon and node.path not in self.positions.threatened:
            pat = self.positions.estimate(node, int(self.parts.depth))
            record.stand(node, pat, window)
            v = sign * pat
            if v >= sign * _bar(node, window).value:
                return self._leave_standing(node, pat, left, window)
            window = self._moved(node, pat, window)
        elif self.parts.null and depth >= 2 and not passed:
            pass_to = self.positions.passes.get(node.path)
            if pass_to is not None and math.isfinite(_bar(node, window).value):
                after = record.root.at(pass_to)
                found = self.value(after, depth - 1 - REDUCTION, window, True)
                if sign * found >= sign * _bar(node, window).value:
                    return self._leave_by_pass(node, found, left, window)
                said = (
                    f"Without a move {node.who} would have {record.found[pass_to]} at {node.where}, which is not"
                    " enough to leave it: now the moves."
                )
                record.note("backup", node, said, window=window.ends, line="* null")
        while left:
            child = left.pop(0)
            found = self.value(child, depth - 1, window)
            better = sign * found > v
            v = max(v, sign * found)
            self._back_up(node, child, found, better, window)
            bar = _bar(node, window)
            if v >= sign * bar.value:
                if left and bar.by is None and math.isfinite(bar.value):
                    record.stopped.add(node.path)
                    said = f"{number(sign * v)} is what the table allows at most: the rest cannot matter."
                    said = said.replace("at most", "at least") if node.kind == "min" else said
                    record.leave_out(node, left, said, window)
                else:
                    record.cut_off(node, sign * v, left, window)
                break
            if sign * v != _own(node, window) and v > sign * _own(node, window):
                window = Window(*_raised(node, sign * v, window))
                record.move_bound(node, window)
        return record.leave_within(node, sign * v, window)

    def _chosen(self, node: Outline, left: list[Outline], window: Window, horizon: bool) -> list[Outline]:
        """The children in the order in which they are looked at; those that are left out are told."""
        record, ranks = self.record, self.positions.ranks
        pass_to = self.positions.passes.get(node.path)
        left = [child for child in left if child.path != pass_to]
        record.considered[node.path] = list(left)
        ranked = sorted(left, key=lambda child: -ranks.get(child.path, -math.inf))
        if self.parts.ordered and len(left) > 1:
            left = ranked
            record.sort(node, left, window)
        if self.parts.keep is not None and len(left) > self.parts.keep and not horizon:
            kept = [child for child in left if child in ranked[: self.parts.keep]]
            gone = [child for child in left if child not in kept]
            names = listing([child.name or number(child.payoff) for child in gone])
            are = "is" if len(gone) == 1 else "are"
            best = "Only the best" if len(kept) == 1 else f"Only the best {counted(len(kept))}"
            of = (
                f"{best} of {node.where} by {self.positions.by} {'is' if len(kept) == 1 else 'are'} looked at"
            )
            said = f"{of}: {names} {are} left out, without proof."
            record.leave_out(node, gone, said, window)
            record.considered[node.path] = list(kept)
            left = kept
        return left

    def _moved(self, node: Outline, pat: float, window: Window) -> Window:
        if (pat > window.alpha.value) if node.kind == "max" else (pat < window.beta.value):
            window = _raised(node, pat, window)
            self.record.move_bound(node, window)
        return window

    def _leave_standing(self, node: Outline, pat: float, left: list[Outline], window: Window) -> float:
        self.record.cut_off(node, pat, left, window)
        return self.record.leave_within(node, pat, window)

    def _leave_by_pass(self, node: Outline, found: float, left: list[Outline], window: Window) -> float:
        record = self.record
        bar = _bar(node, window)
        record.so_far[node.path] = found
        record.stopped.add(node.path)
        record.instead[node.path] = (found, math.inf) if node.kind == "max" else (-math.inf, found)
        reach = "at least" if node.kind == "max" else "at most"
        name = "β" if node.kind == "max" else "α"
        said = (
            f"Even without a move {node.who} would have {number(found)} at {node.where}, and {name} is"
            f" {number(bar.value)}: a move is hardly worse than none, so it is left with {reach} {number(found)}."
        )
        record.leave_out(node, left, said, window)
        return record.leave_within(node, found, window)

    def _back_up(self, node: Outline, child: Outline, found: float, better: bool, window: Window) -> None:
        record = self.record
        if not better and node.path not in record.best:
            # Standing pat is better so far.
            kept = number(record.so_far[node.path])
            said = f"{record.found[child.path]} changes nothing at {node.where}: {node.who} stands pat with {kept}."
            record.note("backup", node, said[0].upper() + said[1:], window=window.ends)
        else:
            record.back_up_within(node, child, found, better, window)


def counted(amount: int) -> str:
    """A small number in words."""
    return count(amount, "", "").strip()


def _enough(entry: Entry, window: Window) -> float | None:
    """What the table can answer within a window."""
    if entry.lower >= window.beta.value or entry.lower == entry.upper:
        return entry.lower
    return entry.upper if entry.upper <= window.alpha.value else None


def _bar(node: Outline, window: Window) -> Bound:
    """The bound at which a node is left."""
    return window.beta if node.kind == "max" else window.alpha


def _own(node: Outline, window: Window) -> float:
    return window.alpha.value if node.kind == "max" else window.beta.value


def _raised(node: Outline, value: float, window: Window) -> Window:
    bound = Bound(value, node.path)
    return Window(bound, window.beta) if node.kind == "max" else Window(window.alpha, bound)


# --- the methods ------------------------------------------------------------------------------------


def deepening(record: HeuristicRecorder, depth: int | None) -> None:
    """Depth after depth, and what each has gained."""
    root = record.root
    deepest = min(depth or _height(root), _height(root))
    before: tuple[float, Path | None] | None = None
    for plies in range(1, max(1, deepest) + 1):
        gained = f" What depth {plies - 1} has found is kept until this is done." if before else ""
        record.tell("start", f"Depth {plies}: the search begins at the root again.{gained}", fresh=True)
        at = len(record.visited)
        value = Search(record, Parts(plies)).value(root, plies, WHOLE)
        nodes = len(record.visited) - at
        move = record.best.get(())
        record.tell("end", _gained(root, plies, nodes, (value, move), before))
        before = value, move


def _gained(
    root: Outline,
    depth: int,
    nodes: int,
    now: tuple[float, Path | None],
    before: tuple[float, Path | None] | None,
) -> str:
    value, move = now
    best = "" if move is None else f", best move {_called(root, move)}"
    said = f"Depth {depth} took {count(nodes, 'node', 'nodes')}: the value is {number(value)}{best}."
    if before is None:
        return said
    old, first = before
    if first != move and first is not None and move is not None:
        return (
            f"{said} A ply less chose {_called(root, first)} for {number(old)}: what speaks against it lay behind"
            " the horizon."
        )
    return f"{said} The move stays, the value {'stays' if old == value else 'was ' + number(old)}."


def _called(root: Outline, path: Path) -> str:
    node = root.at(path)
    return f"{node.move} to {node.name}" if node.name else node.move


def _height(root: Outline) -> int:
    return max(len(node.path) for node in root.walk())


PARTS = {
    "quiescence": {"quiescence": True},
    "transpositions": {"table": True},
    "ordering": {"ordered": True},
    "null-move": {"null": True},
}


def heuristic(record: HeuristicRecorder, depth: int | None, keep: int) -> None:
    """One search with the part that the method is about, and a look back on what the part has done."""
    root, method = record.root, record.method
    parts = Parts(math.inf if depth is None else depth, **PARTS.get(method, {"keep": keep}))
    value = Search(record, parts).value(root, parts.depth, WHOLE)
    without = _without(record, parts)
    if without is None:
        return
    nodes, plain = len(record.visited), without.value
    seen = f"{count(nodes, 'node', 'nodes')} instead of {len(without.visited)}"
    if method == "quiescence":
        said = f"Without quiescence the value would be {number(plain)}; with it, it is {number(value)}."
    elif value == plain:
        said = f"The value is that of plain alpha-beta, {number(value)}, by {seen}."
    else:
        said = f"Plain alpha-beta finds {number(plain)}, not {number(value)}: what was left out did matter ({seen})."
    record.tell("end", said)


def _without(record: HeuristicRecorder, parts: Parts) -> Trace | None:
    """The same search without its part."""
    bare = HeuristicRecorder(record.method, record.positions, record.conventions)
    plain = replace(parts, quiescence=False, table=False, ordered=False, null=False, keep=None)
    try:
        Search(bare, plain).value(bare.root, plain.depth, WHOLE)
    except InputError:  # an estimate is missing that the other search did not need
        return None
    return bare.trace()
