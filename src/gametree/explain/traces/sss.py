"""SSS*, traced: the list of open states, of which the one with the greatest merit is taken.

Stockman, A Minimax Algorithm Better than Alpha-Beta? (1979); the rules are in `search/best_first/stockman.py`.
"""

import heapq
import math
from typing import cast

from gametree.explain.traces.notation import number
from gametree.explain.traces.recorder import Recorder
from gametree.games.tree.outline import Outline, Path
from gametree.result import capital

LIVE, SOLVED = 0, 1
STATUS = ("live", "solved")


class List:
    """The open states, and what stands beside their nodes."""

    def __init__(self, record: Recorder):
        self.record = record
        self.heap: list[tuple[float, Path, int]] = []
        self.dropped: set[Path] = set()

    def put(self, merit: float, node: Outline, status: int) -> tuple[Path, tuple[str, ...]]:
        """Enters a state; what stands beside its node from now on."""
        heapq.heappush(self.heap, (-merit, node.path, status))
        return node.path, (STATUS[status], f"h={number(merit)}")

    def take(self) -> tuple[float, Outline, int]:
        """The state with the greatest merit, of equals the leftmost; states below a solved MAX node are gone."""
        while True:
            merit, path, status = heapq.heappop(self.heap)
            if not any(path[:length] in self.dropped for length in range(len(path))):
                return -merit, self.record.root.at(path), status


def sss(record: Recorder) -> None:
    """Takes states from the list until the root is solved."""
    root, states = record.root, List(record)
    beside = (states.put(math.inf, root, LIVE),)
    said = "The list holds one state: the root, live, with merit ∞: nothing is known of what it can bring."
    record.note("start", root, said, line="* start", beside=beside)
    while True:
        merit, node, status = states.take()
        if status == LIVE:
            _look_at(record, states, node, merit)
            continue
        if not node.path:
            record.values[()] = record.so_far[()] = merit
            said = f"The root is solved with the greatest merit of the list: its value is {number(merit)}."
            record.note("leave", root, said, line="* end", proven="=")
            return
        _go_on(record, states, node, merit)


def _look_at(record: Recorder, states: List, node: Outline, merit: float) -> None:
    """A live node is the best of the list."""
    who = capital(node.where) if node.children else "This leaf"
    best = f"{who} is live and has the greatest merit, {number(merit)}"
    if node.is_leaf:
        payoff = cast(float, record.payoff(node))
        record.visited.append(node.path)
        solved = min(merit, payoff)
        record.values[node.path] = record.so_far[node.path] = payoff
        said = f"{best}: it is worth {number(payoff)}, so it is solved with the lesser of the two, {number(solved)}."
        record.note("leaf", node, said, line="* leaf", beside=(states.put(solved, node, SOLVED),))
        return
    record.visited.append(node.path)
    if node.kind == "max":
        beside = tuple(states.put(merit, child, LIVE) for child in node.children)
        said = (
            f"{best}. MAX moves there, and any of its children may be the one: all are live with this merit."
        )
    else:
        beside = (states.put(merit, node.children[0], LIVE),)
        said = f"{best}. MIN moves there, so MAX has to stand every child: the first is live with this merit."
    record.note("expand", node, said, line=f"{node.kind} expand", beside=((node.path, ()), *beside))


def _go_on(record: Recorder, states: List, node: Outline, merit: float) -> None:
    """A solved node is the best of the list."""
    parent = record.root.at(node.path[:-1])
    who = capital(node.where) if node.children else "The leaf"
    best = f"{who} is solved with the greatest merit, {number(merit)}"
    if parent.kind == "max":
        states.dropped.add(parent.path)
        record.so_far[parent.path] = record.values[parent.path] = merit
        record.best[parent.path] = node.path
        others = tuple(child.path for child in parent.children if child.path not in record.values)
        beside: list[tuple[Path, tuple[str, ...]]]
        beside = [(below.path, ()) for below in parent.walk() if below is not parent]
        beside += [states.put(merit, parent, SOLVED)]
        said = f"{best}: no other child of {parent.where}, where MAX moves, promises more."
        said += f" {capital(parent.where)} is solved with it"
        said += ", and its other children are dropped." if len(parent.children) > 1 else "."
        record.note(
            "leave", parent, said, line="max update", beside=tuple(beside), skipped=others, proven="="
        )
        return
    old = record.so_far.get(parent.path)
    if old is None or merit < cast(float, old):
        record.so_far[parent.path] = merit
        record.best[parent.path] = node.path
    following = node.path[-1] + 1
    if following < len(parent.children):
        beside = [(node.path, ()), states.put(merit, parent.children[following], LIVE)]
        said = f"{best}: MIN may have better at {parent.where}, so its next child is live with this merit."
        record.note("update", parent, said, line="min update", beside=tuple(beside))
        return
    record.values[parent.path] = merit
    record.so_far[parent.path] = merit
    said = f"{best}: it is the last child of {parent.where}, where MIN moves, which is solved with it."
    beside = [(node.path, ()), states.put(merit, parent, SOLVED)]
    record.note("leave", parent, said, line="min solved", beside=tuple(beside), proven="=")
