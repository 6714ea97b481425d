"""How values are written: one way, in every sentence, picture and page."""

import math
from collections.abc import Sequence

MINUS = "−"


def number(value: float | str | Sequence[float] | None) -> str:
    """A value as a person writes it.

    >>> number(3.0), number(-0.5), number(float("inf")), number(1 / 3)
    ('3', '−0.5', '∞', '0.3333333333')
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
    # Adding 0 turns −0.0 into 0.
    return f"{float(value) + 0.0:.10g}".replace("-", MINUS)


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
