"""The value of a tree worked out on paper: max(3, min(2, x, y), 2) = max(3, z, 2) = 3, line by line.

First every part that has numbers only is worked out, from the leaves up. What is left has unknown leaves in it: each
such part gets a name and what is known of it, and goes where it cannot matter.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gametree.errors import UnsuitableError
from gametree.explain.traces.notation import number
from gametree.explain.unknowns.dependence import dependence
from gametree.games.tree.outline import Outline

NAMES: Final = "zwvutsrqp"
"""What parts with unknown leaves in them are called."""


@dataclass(frozen=True)
class Part:
    """A part of the expression: a number, a name, or the min or max of parts."""

    kind: str
    """"number", "name", "max" or "min"."""
    text: str = ""
    low: float = -math.inf
    high: float = math.inf
    parts: tuple["Part", ...] = ()

    def __str__(self) -> str:
        return self.text if not self.parts else f"{self.kind}({', '.join(map(str, self.parts))})"

    @property
    def known(self) -> bool:
        return self.kind == "number"

    @property
    def inner(self) -> bool:
        return bool(self.parts)


def derivation(root: Outline) -> list[str]:
    """The lines of the derivation, each equal to the one before.

    >>> from gametree.games.tree.outline import outline
    >>> print("\\n".join(derivation(outline([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))))
    MINIMAX(root) = max(min(3, 12, 8), min(2, x, y), min(14, 5, 2))
                  = max(3, min(2, x, y), 2)
                  = max(3, z, 2)   where z = min(2, x, y) ≤ 2
                  = 3
    """
    if any(node.kind in ("chance", "player") or isinstance(node.payoff, tuple) for node in root.walk()):
        raise UnsuitableError("a value is worked out as max and min where MAX and MIN move, without chance")
    lines = list(_lines(_part(root), iter([name for name in NAMES if name not in root.unknowns])))
    if not lines[-1].lstrip("−").replace(".", "").replace("/", "").isdigit():
        sentence = dependence(root).sentence
        lines[-1] += f"; {sentence[0].lower()}{sentence[1:]}"
    start = "MINIMAX(root) = "
    return [(start if at == 0 else " " * (len(start) - 2) + "= ") + line for at, line in enumerate(lines)]


def _part(node: Outline) -> Part:
    if isinstance(node.payoff, str):
        return Part("name", node.payoff)
    if node.is_leaf:
        assert isinstance(node.payoff, float)
        return _number(node.payoff)
    return Part(node.kind, parts=tuple(map(_part, node.children)))


def _number(value: float) -> Part:
    return Part("number", number(value), value, value)


def _lines(whole: Part, names: Iterator[str]) -> Iterator[str]:
    yield str(whole)
    while whole.inner and (shorter := _worked_out(whole)) != whole:
        whole = shorter
        yield str(whole)
    while whole.inner:
        named: list[str] = []
        shorter = _named(whole, names, named)
        if shorter != whole:
            whole = shorter
            yield f"{whole}   where {', '.join(named)}"
        shorter = _without(whole)
        if shorter != whole:
            whole = shorter
            yield str(whole)
        elif not named:
            break


def _worked_out(part: Part) -> Part:
    """Every min and max of numbers alone becomes its value, one level at a time."""
    if not part.inner:
        return part
    if all(one.known for one in part.parts):
        pick = max if part.kind == "max" else min
        return _number(pick(one.low for one in part.parts))
    return Part(part.kind, parts=tuple(map(_worked_out, part.parts)))


def _named(part: Part, names: Iterator[str], told: list[str]) -> Part:
    """Every lowest part with unknowns in it, but the whole, becomes a name with what is known of it."""
    made = []
    for one in part.parts:
        if one.inner and not any(below.inner for below in one.parts) and (name := next(names, None)):
            low, high = _range(one)
            made.append(Part("name", name, low, high))
            told.append(f"{name} = {one}{_bounds(low, high)}")
        elif one.inner:
            made.append(_named(one, names, told))
        else:
            made.append(one)
    return Part(part.kind, parts=tuple(made))


def _range(part: Part) -> tuple[float, float]:
    pick = max if part.kind == "max" else min
    return pick(one.low for one in part.parts), pick(one.high for one in part.parts)


def _bounds(low: float, high: float) -> str:
    above = f" ≤ {number(high)}" if high < math.inf else ""
    below = f" ≥ {number(low)}" if low > -math.inf else ""
    return above + (f" and{below}" if above and below else below)


def _without(part: Part) -> Part:
    """A max without what cannot be the greatest, a min without what cannot be the least."""
    if not part.inner:
        return part
    parts = [_without(one) for one in part.parts]
    if part.kind == "max":
        least = max(_range(one)[0] if one.inner else one.low for one in parts)
        kept = [one for one in parts if one.inner or one.high > least]
        kept = kept or [_number(least)]
        if not any(one.low == least and one.known for one in kept) and any(
            one.known and one.low == least for one in parts
        ):
            kept = [_number(least), *kept]
    else:
        most = min(_range(one)[1] if one.inner else one.high for one in parts)
        kept = [one for one in parts if one.inner or one.low < most]
        if not any(one.known and one.high == most for one in kept) and any(
            one.known and one.high == most for one in parts
        ):
            kept = [_number(most), *kept]
        kept = kept or [_number(most)]
    return kept[0] if len(kept) == 1 else Part(part.kind, parts=tuple(kept))
