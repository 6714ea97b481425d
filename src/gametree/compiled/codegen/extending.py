"""How a Python function gets machine code: a body that is compiled in its place, or code as it stands.

Numba's `overload` compares signatures to the letter, annotations included: here they may differ.
"""

from collections.abc import Callable
from typing import Any

from gametree.compiled.toolchain import (
    builtin_registry,
    extending,
    infer,
    infer_global,
    make_intrinsic_template,
    types,
)


def _bare(function: Any) -> Any:
    function.__annotations__ = {}
    return function


def overload(target: Any, **options: Any) -> Callable[[Any], Any]:
    """Gives `target` a compiled body."""
    return lambda function: extending.overload(target, **options)(_bare(function))


def overload_method(kind: Any, name: str) -> Callable[[Any], Any]:
    """Gives values of a Numba type a method."""
    return lambda function: extending.overload_method(kind, name)(_bare(function))


def leave_out(target: Any, kind: Any) -> None:
    """Numba's own body of an operator for two things of which one is None leaves values of a type to others.

    Numba takes the first body that fits, and its own says that nothing equals None but None.
    """
    found = 0
    for template in builtin_registry.functions:
        function = getattr(template, "_overload_func", None)
        if template.key is target and getattr(function, "__name__", "") == "none_equality":
            template._overload_func = staticmethod(_leaving_out(function, kind))
            found += 1
    if found != 1:
        raise RuntimeError(f"Numba has {found} bodies of {target.__name__} for None, and not one")


def _leaving_out(function: Any, kind: Any) -> Any:
    def none_equality(a: Any, b: Any) -> Any:
        return None if isinstance(a, kind) or isinstance(b, kind) else function(a, b)

    return _bare(none_equality)


def lowered(target: Any, prefer_literal: bool = False) -> Callable[[Any], Any]:
    """Gives `target` machine code without a body in Python, which would have to be compiled each time.

    What is decorated takes the typing context and the types of the arguments, as for Numba's `intrinsic`, and returns
    a signature and what generates the code; None where the types do not fit.
    """

    def register(definition: Any) -> Any:
        template = make_intrinsic_template(target, definition, target.__name__, prefer_literal=prefer_literal)
        infer(template)
        infer_global(target, types.Function(template))
        return definition

    return register
