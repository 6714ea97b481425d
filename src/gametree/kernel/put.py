"""`put(t, i, x)`: the tuple with one element replaced. Compiled, it costs a few machine instructions."""

from typing import TypeVar

from gametree.kernel.marking import primitive

T = TypeVar("T")


@primitive
def put(t: tuple[T, ...], i: int, x: T) -> tuple[T, ...]:
    """`t` with `x` at index `i`; a named tuple stays one.

    >>> put((0, 0, 0), 1, 5)
    (0, 5, 0)
    """
    n = len(t)
    if not -n <= i < n:
        raise IndexError(f"put: index {i} is outside a tuple of {n}")
    i %= n
    parts = (*t[:i], x, *t[i + 1 :])
    return type(t)._make(parts) if hasattr(t, "_make") else parts
