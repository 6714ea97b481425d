"""Numba's `overload`, for functions with annotations: Numba compares signatures to the letter."""

from collections.abc import Callable
from typing import Any

from numba import extending


def _bare(function: Any) -> Any:
    function.__annotations__ = {}
    return function


def overload(target: Any, **options: Any) -> Callable[[Any], Any]:
    """Gives `target` a compiled body."""
    return lambda function: extending.overload(target, **options)(_bare(function))


def overload_method(kind: Any, name: str) -> Callable[[Any], Any]:
    """Gives values of a Numba type a method."""
    return lambda function: extending.overload_method(kind, name)(_bare(function))


def overload_attribute(kind: Any, name: str) -> Callable[[Any], Any]:
    """Gives values of a Numba type an attribute."""
    return lambda function: extending.overload_attribute(kind, name)(_bare(function))
