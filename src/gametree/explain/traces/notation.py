"""How values are written: one way, in every sentence, picture and page."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

MINUS = "−"
_NOTHING: Final = 1e-9
_LARGE: Final = 1e6
_MOST_PARTS: Final = 12
"""Fractions have no greater denominator."""


def number(value: float | str | Sequence[float] | None) -> str:
    """A value as a person writes it.

    Thirds, sixths and the like are fractions; other numbers have six digits, and what rounding has left of 0 is 0.

    >>> number(3.0), number(-0.5), number(float("inf")), number(1 / 3), number(2.6e-18), number(1.5621744)
    ('3', '−0.5', '∞', '1/3', '0', '1.56217')
    >>> number((4, 3.5, -2)), number("x"), number(None)
    ('(4, 3.5, −2)', 'x', '')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return f"({', '.join(number(one) for one in value)})"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return _rounded(float(value)).replace("-", MINUS)


def _rounded(value: float) -> str:
    if abs(value) < _NOTHING:
        return "0"
    if value.is_integer() or abs(value) >= _LARGE:
        return f"{value:.10g}"
    fraction = Fraction(value).limit_denominator(_MOST_PARTS)
    if abs(round(value, 4) - value) > _NOTHING and abs(float(fraction) - value) < _NOTHING:
        return str(fraction)
    return f"{value:.6g}"


def interval(low: float, high: float) -> str:
    """What is known of a value, as the textbook writes it beside a node.

    >>> interval(3, float("inf"))
    '[3, ∞]'
    """
    return f"[{number(low)}, {number(high)}]"


def listing(words: Sequence[str], last: str = "and") -> str:
    """Words in a row.

    >>> listing(["x"]), listing(["x", "y"]), listing(["x", "y", "z"], "or")
    ('x', 'x and y', 'x, y or z')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def count(amount: int, one: str, many: str) -> str:
    """How many of something there are, small numbers in words.

    >>> count(1, "leaf", "leaves"), count(2, "leaf", "leaves"), count(40, "leaf", "leaves")
    ('one leaf', 'two leaves', '40 leaves')
    """
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    shown = words[amount] if 0 <= amount < len(words) else f"{amount:,}"
    return f"{shown} {one if amount == 1 else many}"
