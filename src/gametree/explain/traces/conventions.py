"""The settings in which courses differ. They stand on every picture and every exercise."""

from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Literal, cast, get_args, get_type_hints

from gametree.documents.teaching import ConventionsDocument
from gametree.errors import InputError
from gametree.explain.traces.methods import METHODS


@dataclass(frozen=True)
class Conventions:
    """How alpha-beta is run and how it is drawn. Values are always seen from MAX's side.

    `fail="hard"` is the form whose inner nodes return α or β where the value is outside the window; leaves
    return their payoff. With `cut=">"` it cuts little: what an inner node returns is never beyond the window.

    >>> Conventions(cut=">").describe()
    'cut at > · fail-soft · α and β at nodes · MAX square, MIN circle · left to right · values for MAX'
    """

    cut: Literal[">=", ">"] = ">="
    """Whether a value that equals the bound is enough to cut."""
    fail: Literal["soft", "hard"] = "soft"
    """What a node returns outside its window: the best value it has found, or the bound itself."""
    bounds: Literal["alpha-beta", "intervals"] = "alpha-beta"
    """What is written beside a node: α and β, or the interval in which its value is known to be."""
    shapes: Literal["squares-circles", "triangles"] = "squares-circles"
    direction: Literal["left-to-right", "right-to-left"] = "left-to-right"
    """In which order a node's children are looked at."""
    form: Literal["aima", "bound", "value-move"] = "aima"
    """Which pseudo-code: the pair MAX-VALUE and MIN-VALUE; V(J, α, β); the one that returns ⟨value, move⟩."""

    def __post_init__(self) -> None:
        hints = get_type_hints(type(self))
        for field in fields(self):
            _check(field.name, getattr(self, field.name), get_args(hints[field.name]))

    def to_dict(self) -> ConventionsDocument:
        """As JSON data."""
        return cast(ConventionsDocument, asdict(self))

    def describe(self, method: str = "alphabeta", kinds: Collection[str] = ("max", "min")) -> str:
        """One line that names the settings: those that mean something to a method, for the kinds of nodes there are.

        >>> Conventions().describe("expectiminimax", ("max", "chance"))
        'MAX square, chance diamond · left to right · values for MAX'
        """
        parts = []
        if METHODS[method].window:
            parts += [f"cut at {'≥' if self.cut == '>=' else '>'}", f"fail-{self.fail}"]
        if self.bounds == "intervals" and METHODS[method].ranges:
            parts.append("intervals at nodes")
        elif METHODS[method].window:
            parts.append("α and β at nodes")
        figures = _SQUARES if self.shapes == "squares-circles" else _TRIANGLES
        if named := [figure for kind, figure in figures.items() if kind in kinds]:
            parts.append(", ".join(named))
        parts.append(self.direction.replace("-", " "))
        parts.append("payoffs of all players" if "player" in kinds else "values for MAX")
        return " · ".join(parts)


_SQUARES: Final = {"max": "MAX square", "min": "MIN circle", "chance": "chance diamond"}
_TRIANGLES: Final = {"max": "MAX △", "min": "MIN ▽", "chance": "chance ○"}


def _check(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        known = " or ".join(repr(one) for one in allowed)
        raise InputError(f"{name}={value!r} is no convention: {name} is {known}")


STANDARD: Final = Conventions()
"""What holds where nothing else is said: Russell & Norvig."""
