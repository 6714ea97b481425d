"""Proof-number search, traced: to prove something, go where the fewest open questions are left.

Allis, van der Meulen & van den Herik, Proof-Number Search (1994). The tree of the trace is known from the start; the
search sees a node when its parent is expanded.
"""

import math
from typing import cast

from gametree.errors import InputError
from gametree.explain.traces.notation import count, listing, number
from gametree.explain.traces.recorder import Recorder
from gametree.games.tree.outline import Outline, Path
from gametree.result import capital

OPEN = (1.0, 1.0)


class Numbers:
    """Proof and disproof numbers of the nodes that have been seen."""

    def __init__(self, record: Recorder, player: int, bar: float):
        self.record: Recorder = record
        self.bar: float = bar
        self.player: int = player
        self.of: dict[Path, tuple[float, float]] = {}
        self.expanded: set[Path] = set()

    def is_or(self, node: Outline) -> bool:
        """Whether who wants the proof moves."""
        return node.player == self.player

    def see(self, node: Outline) -> None:
        """A new node: proven, disproven, or open."""
        self.record.visited.append(node.path)
        if not node.is_leaf:
            self.of[node.path] = OPEN
            return
        payoff = cast(float, self.record.payoff(node))
        self.record.values[node.path] = self.record.so_far[node.path] = payoff
        reached = self.reached(payoff) and not node.estimated
        self.of[node.path] = (0.0, math.inf) if reached else (math.inf, 0.0)

    def reached(self, payoff: float) -> bool:
        """Whether a payoff is enough for who wants the proof."""
        return payoff >= self.bar if self.player == 0 else payoff <= self.bar

    def beside(self, node: Outline) -> tuple[Path, tuple[str, ...]]:
        proof, disproof = self.of[node.path]
        return node.path, (f"pn={number(proof)}", f"dn={number(disproof)}")

    def now(self, node: Outline) -> tuple[float, float]:
        """The numbers of a node by those of its children."""
        proofs, disproofs = zip(*(self.of[child.path] for child in node.children), strict=True)
        return (min(proofs), sum(disproofs)) if self.is_or(node) else (sum(proofs), min(disproofs))

    def better(self, node: Outline) -> Outline:
        """The first child with the number that its parent has from it."""
        at = 0 if self.is_or(node) else 1
        return next(child for child in node.children if self.of[child.path][at] == self.of[node.path][at])


def bar_of(root: Outline, at_least: float | None) -> float:
    """What is to be proven, as a payoff of MAX: the best that whoever moves can hope for, unless it is said."""
    if at_least is not None:
        return at_least if root.player == 0 else -at_least
    payoffs = [leaf.payoff for leaf in root.leaves if isinstance(leaf.payoff, float) and not leaf.estimated]
    if not payoffs:
        raise InputError("no leaf has a payoff: there is nothing to prove; look deeper")
    return max(payoffs) if root.player == 0 else min(payoffs)


def proof_numbers(record: Recorder, at_least: float | None) -> None:
    """Expands the most-proving node until the root is proven or disproven."""
    root = record.root
    bar = bar_of(root, at_least)
    numbers = Numbers(record, root.player or 0, bar)
    numbers.see(root)
    relation = "at least" if numbers.player == 0 else "at most"
    goal = (
        f"that {root.who} gets {relation} {number(bar)}"
        if root.player == 0
        else f"that {root.who} holds MAX to {number(bar)}"
    )
    said = f"Is it true {goal}? One leaf is open, the root: its proof number and its disproof number are 1."
    record.note("start", root, said, line="* start", beside=(numbers.beside(root),) if root.children else ())
    current = root
    while root.children and 0 not in numbers.of[()]:
        current = _expand(record, numbers, _most_proving(record, numbers, current))
    proven = numbers.of[()][0] == 0
    # What that says of the value: it is at least the least payoff that is enough, or at most the greatest that is not.
    seen = [float(cast(float, worth)) for worth in record.values.values()]
    enough = [worth for worth in seen if numbers.reached(worth) == proven]
    record.values[()] = record.so_far[()] = (min if proven == (numbers.player == 0) else max)(enough)
    said = f"{'Proven' if proven else 'Disproven'}: it is {'true' if proven else 'not true'} {goal}."
    record.note("end", root, said, line="* end")


def _most_proving(record: Recorder, numbers: Numbers, node: Outline) -> Outline:
    way = [node]
    while node.path in numbers.expanded:
        node = numbers.better(node)
        way.append(node)
    if len(way) > 1:
        names = " → ".join(one.name for one in way)
        said = (
            f"{names}: at OR nodes to the least proof number, at AND nodes to the least disproof number. {node.name}"
            " is most proving."
        )
        record.note("select", node, said, line="* select")
    return node


def _expand(record: Recorder, numbers: Numbers, node: Outline) -> Outline:
    """Gives the node its children, and sets the numbers right above it; where the search goes on."""
    for child in node.children:
        numbers.see(child)
    numbers.expanded.add(node.path)
    leaves = [child for child in node.children if child.is_leaf]
    said = f"{capital(node.where)} is expanded: {count(len(node.children), 'child', 'children')}."
    if leaves:
        worth = listing([number(leaf.payoff) for leaf in leaves])
        said += f" Of these {worth} {'is a leaf' if len(leaves) == 1 else 'are leaves'}, proven or disproven at once."
    beside = tuple(numbers.beside(child) for child in node.children)
    record.note("expand", node, said, line="* expand", beside=beside)
    while True:
        now = numbers.now(node)
        if now == numbers.of[node.path]:
            record.note(
                "update",
                node,
                f"The numbers of {node.where} stay as they are: nothing changes above it.",
                line="* same",
            )
            return node
        numbers.of[node.path] = now
        kind, ways = ("OR", ("least", "sum")) if numbers.is_or(node) else ("AND", ("sum", "least"))
        said = (
            f"{capital(node.where)} is an {kind} node: its proof number is the {ways[0]} of those of its children,"
            f" {number(now[0])}, its disproof number the {ways[1]}, {number(now[1])}."
        )
        for decided, word in ((0, "proven"), (1, "disproven")):
            if now[decided] == 0:
                said += f" It is {word}."
                record.best[node.path] = numbers.better(node).path
        line = "or update" if numbers.is_or(node) else "and update"
        record.note("update", node, said, line=line, beside=(numbers.beside(node),))
        if not node.path:
            return node
        node = record.root.at(node.path[:-1])
