"""Does the value of the root depend on x and y? The lectures' question, answered exactly."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.notation import listing, number
from gametree.explain.unknowns.lattice import Lattice
from gametree.explain.unknowns.piecewise import Piecewise
from gametree.games.tree.outline import Outline, outline


@dataclass(frozen=True)
class Dependence:
    """How the value of a tree depends on its unknown leaves.

    >>> print(dependence([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]).sentence)
    The value is 3 whatever x and y are.
    >>> print(dependence([[5, 9], ["x", 9]]).sentence)
    The value is 5 if x ≤ 5, else x, at most 9.
    >>> print(dependence([[3, 12], ["x", "y"]]).sentence)
    The value is max(3, min(x, y)), 3 or more.
    """

    unknowns: tuple[str, ...]
    """The names of all unknown leaves."""
    matters: tuple[str, ...]
    """Those that change the value for some values of the others."""
    low: float
    """The least value the tree can have; −∞ where there is none."""
    high: float
    formula: str
    """The value in as few words as possible: "3", "max(3, min(x, y))", "5 if x ≤ 5, else x"."""
    sentence: str
    _function: Lattice | Piecewise

    @property
    def constant(self) -> float | None:
        """The value, where it does not depend on the unknowns."""
        return self.low if not self.matters else None

    def value(self, values: Mapping[str, float]) -> float:
        """The value for numbers in the place of the unknowns that matter."""
        missing = [name for name in self.matters if name not in values]
        if missing:
            number_for = "numbers for them" if len(missing) > 1 else "a number for it"
            raise InputError(f"the value depends on {listing(missing)}: give {number_for}")
        if isinstance(self._function, Piecewise):
            return self._function.value(values[self.matters[0]] if self.matters else 0)
        return self._function.value(values)


def dependence(tree: Any) -> Dependence:
    """How the value of a tree depends on its unknown leaves, each of which may be any number.

    Takes what `outline` takes. A name that stands at several leaves is the same number at all of them. Chance nodes
    are fine as long as one unknown matters.
    """
    root = outline(tree)
    root.require_nothing_hidden()
    if any(node.kind == "player" or isinstance(node.payoff, tuple) for node in root.walk()):
        raise UnsuitableError(
            "the leaves have a payoff for each player; how the value depends on unknown leaves is known for MAX and"
            " MIN only"
        )
    function = _lattice(root)
    if function is None:
        return _with_chance(root)
    names = tuple(name for name in root.unknowns if name in function.unknowns)
    if len(names) == 1:
        formula = _clamp(function.low, function.high).describe(names[0])
    else:
        formula = function.formula()
    return _answer(root, names, formula, function)


def _answer(
    root: Outline, matters: tuple[str, ...], formula: str, function: Lattice | Piecewise
) -> Dependence:
    low, high = function.low, function.high
    idle = [name for name in root.unknowns if name not in matters]
    if not matters:
        whatever = f" whatever {listing(idle)} {'is' if len(idle) == 1 else 'are'}" if idle else ""
        sentence = f"The value is {formula}{whatever}."
    else:
        ends = "" if len(matters) == 1 else _range(low, high)
        rest = f" {listing(idle)} {'does' if len(idle) == 1 else 'do'} not matter." if idle else ""
        sentence = f"The value is {formula}{ends}.{rest}"
    return Dependence(root.unknowns, matters, low, high, formula, sentence, function)


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return ""
    if math.isinf(high):
        return f", {number(low)} or more"
    if math.isinf(low):
        return f", {number(high)} or less"
    return f", between {number(low)} and {number(high)}"


def _clamp(low: float, high: float) -> Piecewise:
    """The unknown itself, held between two numbers."""
    function = Piecewise.unknown()
    if low > -math.inf:
        function = Piecewise.greatest([function, Piecewise.constant(low)])
    if high < math.inf:
        function = Piecewise.least([function, Piecewise.constant(high)])
    return function


def _lattice(root: Outline) -> Lattice | None:
    """The value as a function of min, max and numbers; None where chance mixes unknowns into it."""
    done: dict[tuple[int, ...], Lattice] = {}
    for node in reversed(list(root.walk())):
        if isinstance(node.payoff, str):
            done[node.path] = Lattice.unknown(node.payoff)
        elif isinstance(node.payoff, float):
            done[node.path] = Lattice.constant(node.payoff)
        else:
            parts = [done.pop(child.path) for child in node.children]
            if node.kind == "chance":
                if any(part.unknowns for part in parts):
                    return None
                done[node.path] = Lattice.constant(node.average([part.low for part in parts]))
            else:
                done[node.path] = (Lattice.greatest if node.kind == "max" else Lattice.least)(parts)
    return done[root.path]


# --- chance nodes -----------------------------------------------------------------------------------


def _with_chance(root: Outline) -> Dependence:
    low, high = _extreme(root, -math.inf), _extreme(root, math.inf)
    names = _may_matter(root, low, high)
    if len(names) > 1:
        raise UnsuitableError(
            f"the tree has chance nodes, and its value may depend on {listing(names)} together (it is"
            f" {_range(low[root.path], high[root.path]).removeprefix(', ') or 'any number'}): give numbers to all of"
            " them but one"
        )
    if not names:
        return _answer(root, (), number(low[root.path]), Piecewise.constant(low[root.path]))
    function = _piecewise(root, names[0])
    if function.low == function.high:
        return _answer(root, (), number(function.low), function)
    return _answer(root, names, function.describe(names[0]), function)


def _extreme(root: Outline, unknown: float) -> dict[tuple[int, ...], float]:
    """The value of every node where all unknowns are −∞, or all are ∞."""
    done: dict[tuple[int, ...], float] = {}
    for node in reversed(list(root.walk())):
        parts = [done[child.path] for child in node.children]
        if isinstance(node.payoff, str):
            done[node.path] = unknown
        elif isinstance(node.payoff, float):
            done[node.path] = node.payoff
        elif node.kind == "chance":
            done[node.path] = node.average(parts)
        else:
            done[node.path] = max(parts) if node.kind == "max" else min(parts)
    return done


def _may_matter(
    root: Outline, low: dict[tuple[int, ...], float], high: dict[tuple[int, ...], float]
) -> tuple[str, ...]:
    """The unknowns below no branch that its neighbours make idle, whatever the unknowns are."""
    found: list[str] = []
    stack = [(root, -math.inf, math.inf)]
    while stack:
        node, least, most = stack.pop()
        if high[node.path] <= least or low[node.path] >= most or low[node.path] == high[node.path]:
            continue
        if isinstance(node.payoff, str):
            found.append(node.payoff)
        # What the node is worth at least (at most) whatever its child is, makes the child idle below (above) it.
        if node.kind == "max":
            least = max(least, low[node.path])
        elif node.kind == "min":
            most = min(most, high[node.path])
        else:
            least, most = -math.inf, math.inf
        stack.extend((child, least, most) for child in reversed(node.children))
    return tuple(dict.fromkeys(found))


def _piecewise(root: Outline, name: str) -> Piecewise:
    """The value as a function of one unknown. Others do not matter; 0 stands in their place."""
    done: dict[tuple[int, ...], Piecewise] = {}
    for node in reversed(list(root.walk())):
        parts = [done.pop(child.path) for child in node.children]
        if isinstance(node.payoff, str):
            done[node.path] = Piecewise.unknown() if node.payoff == name else Piecewise.constant(0)
        elif isinstance(node.payoff, float):
            done[node.path] = Piecewise.constant(node.payoff)
        elif node.kind == "chance":
            odds = (child.probability or 0.0 for child in node.children)
            done[node.path] = Piecewise.average(list(zip(odds, parts, strict=True)))
        else:
            done[node.path] = (Piecewise.greatest if node.kind == "max" else Piecewise.least)(parts)
    return done[root.path]
