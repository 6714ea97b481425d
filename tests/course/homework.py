"""What a careful person would accept as an answer, worked out without any of the exercises' own code.

Trees are the nested lists themselves; the textbook's searches are those of `oracle`.
"""

import math
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from gametree.course.exercise import Exercise
from gametree.games.tree.game import Chance
from oracle import Drawn, drawn_alphabeta

Path = tuple[int, ...]
DASH = "–"


def children(spec: Any) -> list[Any]:
    if isinstance(spec, Chance):
        return [subtree for _, subtree in spec.outcomes]
    return spec if isinstance(spec, list) else []


def names(spec: Any) -> dict[Path, str]:
    """Letters for inner nodes, level by level; a leaf is its parent's letter and its place."""
    found: dict[Path, str] = {}
    row: list[tuple[Path, Any]] = [((), spec)]
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    letters = iter([*alphabet, *(f"A{letter}" for letter in alphabet)])
    while row:
        below: list[tuple[Path, Any]] = []
        for path, node in row:
            if children(node):
                found[path] = next(letters)
            else:
                found[path] = f"{found[path[:-1]]}{path[-1] + 1}"
            below += [((*path, place), child) for place, child in enumerate(children(node))]
        row = below
    return found


def minimax_values(
    spec: Any, movers: tuple[int, ...], x: float = 0, backwards: bool = False
) -> dict[Path, Any]:
    """The true value of every node: minimax, expectiminimax or max^n, by the shape of the leaves.

    In max^n the first of equally good moves is taken, the last where children are looked at from the right.
    """
    found: dict[Path, Any] = {}

    def value(node: Any, path: Path, level: int) -> Any:
        if not children(node):
            result = x if isinstance(node, str) else node
        else:
            deeper = level if isinstance(node, Chance) else level + 1
            below = [value(child, (*path, place), deeper) for place, child in enumerate(children(node))]
            mover = movers[level % len(movers)]
            if isinstance(node, Chance):
                result = sum(odds * one for (odds, _), one in zip(node.outcomes, below))
            elif isinstance(below[0], tuple):
                result = below[-1 if backwards else 0]
                for one in reversed(below) if backwards else below:
                    result = one if one[mover] > result[mover] else result
            else:
                result = max(below) if mover == 0 else min(below)
        found[path] = result
        return result

    value(spec, (), 0)
    return found


def run(exercise: Exercise, spec: Any = None) -> Drawn:
    """Alpha-beta by the exercise's conventions."""
    rules = exercise.conventions
    tree = exercise.spec if spec is None else spec
    return drawn_alphabeta(tree, exercise.movers, rules.cut, rules.fail, rules.direction == "right-to-left")


def all_orders(spec: Any, path: Path = ()) -> Iterator[tuple[Any, list[Path]]]:
    """Every tree that moving children about makes, with the old paths of its leaves from left to right."""
    if not isinstance(spec, list):
        yield spec, [path]
        return
    choices = [list(all_orders(child, (*path, place))) for place, child in enumerate(spec)]
    for arranged in permutations(choices):
        for chosen in product(*arranged):
            yield [tree for tree, _ in chosen], [leaf for _, leaves in chosen for leaf in leaves]


def order_count(spec: Any) -> int:
    """How many orders there are."""
    if not isinstance(spec, list):
        return 1
    return math.factorial(len(spec)) * math.prod(order_count(child) for child in spec)


class Judge:
    """Decides whether an answer to a part is correct."""

    def __init__(self, exercise: Exercise):
        self.exercise = exercise
        self.names = names(exercise.spec)
        self.spec = exercise.spec
        if exercise.kind != "unknown":
            backwards = exercise.conventions.direction == "right-to-left"
            self.true = minimax_values(exercise.spec, exercise.movers, backwards=backwards)
        if exercise.method == "alphabeta":
            self.drawn = run(exercise)
        self.visits: dict[tuple[str, ...], int] = {}
        if {"best-order", "worst-order"} & set(exercise.parts):
            for tree, leaves in all_orders(exercise.spec):
                self.visits[tuple(self.names[leaf] for leaf in leaves)] = len(run(exercise, tree).leaves)

    def values(self) -> dict[str, Any]:
        inner = [path for path, name in self.names.items() if name.isalpha()]
        if self.exercise.method == "alphabeta":
            return {self.names[path]: self.drawn.returned.get(path, DASH) for path in inner}
        return {self.names[path]: self.true[path] for path in inner}

    def moves(self) -> set[str]:
        mover = self.exercise.movers[0]

        def mine(path: Path) -> float:
            value = self.true[path]
            return float(value[mover] if isinstance(value, tuple) else value)

        return {
            self.names[(place,)]
            for place in range(len(children(self.spec)))
            if math.isclose(mine((place,)), mine(()), abs_tol=1e-9)
        }

    def leaves(self) -> list[str]:
        return [self.names[path] for path in self.drawn.leaves]

    def cuts(self) -> dict[str, set[tuple[str, str]]]:
        """For each branch the pairs of kind and depth that are right."""
        found = {}
        for cut in self.drawn.crossed:
            depths = {cut.depth}
            if cut.depth == "deep" and self._same_bound(cut.path, cut.by, cut.kind):
                depths.add("shallow")
            for path in cut.skipped:
                found[self.names[path]] = {(cut.kind, depth) for depth in depths}
        return found

    def _same_bound(self, path: Path, by: Path, kind: str) -> bool:
        """Whether the parent has, by the leaves seen until the cut, what the node further up has."""
        last = max(place for place, leaf in enumerate(self.drawn.leaves) if leaf[: len(path)] == path)
        seen = set(self.drawn.leaves[: last + 1])
        worst = -math.inf if kind == "alpha" else math.inf

        def hidden(node: Any, here: Path) -> Any:
            if not isinstance(node, list):
                return node if here in seen else worst
            return [hidden(child, (*here, place)) for place, child in enumerate(node)]

        proven = minimax_values(hidden(self.spec, ()), self.exercise.movers)
        return bool(proven[path[:-1]] == proven[by])

    def correct(self, part: str, answer: Any) -> bool:
        """Whether an answer in the plain form of JSON is right."""
        match part:
            case "values":
                right = self.values()
                return (
                    isinstance(answer, dict)
                    and set(answer) == set(right)
                    and all(self._same(answer[name], value) for name, value in right.items())
                )
            case "move":
                return answer in self.moves()
            case "leaves":
                return bool(answer == self.leaves())
            case "cuts":
                right = self.cuts()
                return (
                    len(answer) == len(right)
                    and {one["branch"] for one in answer} == set(right)
                    and all((one.get("kind"), one.get("depth")) in right[one["branch"]] for one in answer)
                )
            case "best-order" | "worst-order":
                best = min if part == "best-order" else max
                return self.visits.get(tuple(answer)) == best(self.visits.values())
        return self._about_x(part, answer)

    def _same(self, said: Any, right: Any) -> bool:
        if right == DASH or said == DASH:
            return bool(said == right)
        if isinstance(right, tuple):
            return isinstance(said, list) and tuple(said) == right
        slack = 0.01 + 1e-9 if self.exercise.method == "expectiminimax" else 1e-9
        return isinstance(said, (int, float)) and abs(said - right) <= slack

    def _about_x(self, part: str, answer: Any) -> bool:
        """By trying x: below, at, between and above every number in the tree."""
        numbers = sorted(set(_numbers(self.spec)))
        tried = [numbers[0] - 2, numbers[0] - 1, *numbers, *(one + 0.5 for one in numbers), numbers[-1] + 2]
        tables = {x: minimax_values(self.spec, self.exercise.movers, x) for x in sorted(tried)}
        roots = [table[()] for table in tables.values()]
        if part == "depends":
            return bool((answer == "yes") == (len(set(roots)) > 1))
        if part == "range":
            least, greatest = min(roots), max(roots)
            ends = (
                "−∞" if least == numbers[0] - 2 else least,
                "∞" if greatest == numbers[-1] + 2 else greatest,
            )
            return bool((answer["least"], answer["greatest"]) == ends)
        towards = next(place for place, child in enumerate(self.spec) if "'x'" in repr(child))
        best = {x: table[(towards,)] == table[()] for x, table in tables.items()}
        if answer in ("always", "never"):
            return set(best.values()) == {answer == "always"}
        if not isinstance(answer, (int, float)) or len(set(best.values())) == 1:
            return False
        upwards = self.exercise.movers[0] == 0
        sharp = any(x == answer for x in tables)
        return sharp and all(good == (x >= answer if upwards else x <= answer) for x, good in best.items())


def _numbers(spec: Any) -> Iterator[float]:
    if isinstance(spec, list):
        for child in spec:
            yield from _numbers(child)
    elif not isinstance(spec, str):
        yield spec
