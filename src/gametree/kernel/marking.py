"""How a function says that machine code has a body of its own for it."""

from typing import TypeVar

F = TypeVar("F")


def primitive(function: F) -> F:
    """Marks a function whose compiled body is written in `compiled/codegen`."""
    function.is_primitive = True  # type: ignore[attr-defined]
    return function
