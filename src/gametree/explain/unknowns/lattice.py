"""Functions of unknowns made of min, max and numbers, in a form that tells what they depend on.

Every such function is the greatest of terms min(c, x, y, …), a number and some unknowns each. A term that is never
greater than another one is dropped; what is left is the same for all ways of writing the function.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gametree.errors import InputError
from gametree.explain.traces.notation import number

MOST_TERMS = 2_000

Term = tuple[float, frozenset[str]]
"""min(c, x, y, …): the number, and the unknowns. The number is ∞ where there is none."""


@dataclass(frozen=True)
class Lattice:
    """A greatest of least: the canonical form of a function made of min, max, numbers and unknowns.

    >>> least = Lattice.least([Lattice.constant(2), Lattice.unknown("x"), Lattice.unknown("y")])
    >>> least.formula(), Lattice.greatest([Lattice.constant(3), least]).formula()
    ('min(2, x, y)', '3')
    """

    terms: tuple[Term, ...]

    @staticmethod
    def constant(value: float) -> "Lattice":
        return Lattice(((value, frozenset()),))

    @staticmethod
    def unknown(name: str) -> "Lattice":
        return Lattice(((math.inf, frozenset({name})),))

    @staticmethod
    def greatest(parts: Iterable["Lattice"]) -> "Lattice":
        return Lattice(_absorb(term for part in parts for term in part.terms))

    @staticmethod
    def least(parts: Iterable["Lattice"]) -> "Lattice":
        terms: tuple[Term, ...] = ((math.inf, frozenset()),)
        for part in parts:
            if len(terms) * len(part.terms) > 50 * MOST_TERMS:
                raise _too_many()
            terms = _absorb(
                (min(one, other), some | more) for one, some in terms for other, more in part.terms
            )
        return Lattice(terms)

    @property
    def unknowns(self) -> frozenset[str]:
        """The unknowns that matter: each changes the value for some values of the others."""
        return frozenset(name for _, names in self.terms for name in names)

    @property
    def low(self) -> float:
        return max((value for value, names in self.terms if not names), default=-math.inf)

    @property
    def high(self) -> float:
        return max(value for value, _ in self.terms)

    def value(self, values: Mapping[str, float]) -> float:
        return max(
            min(bound, *(values[name] for name in names)) if names else bound for bound, names in self.terms
        )

    def formula(self) -> str:
        """The function as a person would write it: as greatest of least or as least of greatest."""
        texts = [_text(self.terms, "max", "min"), _text(self._dual().terms, "min", "max")]
        return min(texts, key=len)

    def _dual(self) -> "Lattice":
        """The same function as the least of terms max(c, x, y, …), in which −∞ stands for no number."""
        result: tuple[Term, ...] = ((-math.inf, frozenset()),)
        # greatest of least = least over all ways to pick one part of every term
        for bound, names in self.terms:
            picks: list[Term] = [(-math.inf, frozenset({name})) for name in sorted(names)]
            if bound < math.inf:
                picks.append((bound, frozenset()))
            pairs = ((max(one, other), some | more) for one, some in result for other, more in picks)
            result = tuple(
                (-value, names) for value, names in _absorb((-value, names) for value, names in pairs)
            )
        return Lattice(result)


def _absorb(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Drops each term that is never greater than another: with a smaller number and more unknowns."""
    best: dict[frozenset[str], float] = {}
    for value, names in terms:
        best[names] = max(value, best.get(names, -math.inf))
    kept: list[Term] = []
    for names, value in sorted(best.items(), key=lambda one: (len(one[0]), sorted(one[0]))):
        if not any(value <= other and some <= names for other, some in kept):
            kept.append((value, names))
            if len(kept) > MOST_TERMS:
                raise _too_many()
    return tuple(kept)


def _too_many() -> InputError:
    return InputError(
        f"the value depends on the unknown leaves in more than {MOST_TERMS:,} ways: give numbers to some of them"
    )


def _text(terms: tuple[Term, ...], outer: str, inner: str) -> str:
    shown = []
    for value, names in terms:
        parts = ([] if math.isinf(value) else [number(value)]) + sorted(names)
        shown.append(parts[0] if len(parts) == 1 else f"{inner}({', '.join(parts)})")
    return shown[0] if len(shown) == 1 else f"{outer}({', '.join(shown)})"
