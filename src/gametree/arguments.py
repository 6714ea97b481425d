"""Numbers that a user hands over, told from what only looks like one: True and False are none."""

import math
from typing import Any, TypeGuard

from gametree.errors import InputError


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number.

    >>> is_whole(3), is_whole(True), is_whole(3.0)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a number that a float can hold, infinite and undefined ones included.

    >>> is_number(3), is_number(0.5), is_number(True), is_number(10**400)
    (True, True, False, False)
    """
    return isinstance(value, float) or (is_whole(value) and abs(value) < 1 << 1000)


def is_finite(value: Any) -> TypeGuard[float]:
    """Whether it is a number, and not an infinite or undefined one."""
    return is_number(value) and math.isfinite(value)


def whole(name: str, value: Any, what: str = "a whole number of at least 1", least: int = 1) -> int:
    """A whole number of at least so much, or a refusal that says what the argument is."""
    if not is_whole(value) or value < least:
        raise InputError(f"{name}={value!r}: {what}")
    return value


def number(name: str, value: Any, what: str, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number between two others, or a refusal that says what the argument is.

    >>> number("komi", "many", "a number of points")
    Traceback (most recent call last):
    ...
    gametree.errors.InputError: komi='many': a number of points
    """
    if not is_finite(value) or not least <= value <= most:
        raise InputError(f"{name}={value!r}: {what}")
    return float(value)


def megabytes(size: Any, name: str = "hash_mb", what: str = "table") -> float:
    """What the user allows a table or a tree, or a refusal that says what the argument is."""
    if not is_finite(size) or size <= 0:
        raise InputError(f"{name}={size!r}: the size of the {what} in megabytes, more than 0")
    return float(size)
