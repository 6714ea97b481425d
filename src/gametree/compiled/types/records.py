"""Frozen dataclasses: machine code knows each as a named tuple with the same fields, its twin."""

import collections
import dataclasses
import functools
from typing import Any


def is_record_class(cls: Any) -> bool:
    """Whether a class is a frozen dataclass."""
    parameters = getattr(cls, "__dataclass_params__", None)
    return (
        isinstance(cls, type) and parameters is not None and parameters.frozen and not issubclass(cls, tuple)
    )


def is_record(value: Any) -> bool:
    """Whether a value is an instance of a frozen dataclass."""
    return is_record_class(type(value))


def fields(cls: type) -> tuple[str, ...]:
    """The names of the fields of a named tuple or a frozen dataclass."""
    if hasattr(cls, "_fields"):
        return tuple(cls._fields)
    return tuple(field.name for field in dataclasses.fields(cls))


def parts(value: Any) -> tuple[Any, ...]:
    """The values of the fields of a frozen dataclass."""
    return tuple([getattr(value, name) for name in fields(type(value))])


def problem(cls: Any) -> str:
    """Why a class cannot be carried, and what to write instead; empty where it can."""
    if not is_record_class(cls):
        return ""
    if hasattr(cls, "__post_init__"):
        return "which has a __post_init__; compute that where the state is made"
    parameters = cls.__dataclass_params__
    if "__init__" in vars(cls) and not parameters.init:
        return "which has an __init__ of its own; let @dataclass write it"
    for field in dataclasses.fields(cls):
        if not field.init or field.default_factory is not dataclasses.MISSING:
            return f"whose field {field.name} is made by the class; give it where the state is made"
        if not field.compare or field.hash is False:
            return f"whose field {field.name} is left out of comparisons; leave it out of the state"
    own = [
        name
        for name in ("__getattr__", "__getattribute__")
        if hasattr(cls, name) and name != "__getattribute__"
    ]
    if own:
        return f"which has a {own[0]} of its own; write plain fields and properties"
    return ""


@functools.cache
def twin(cls: Any) -> Any:
    """The named tuple that stands for a frozen dataclass in machine code; a named tuple is its own."""
    if hasattr(cls, "_fields"):
        return cls
    given = dataclasses.fields(cls)
    made: Any = collections.namedtuple(cls.__name__, [field.name for field in given], module=cls.__module__)  # type: ignore[misc]
    made.__qualname__ = cls.__qualname__
    made.__new__.__defaults__ = _defaults(given)
    return made


def _defaults(given: Any) -> tuple[Any, ...]:
    """The defaults of the last fields that have one, without a field between that has none."""
    found: list[Any] = []
    for field in reversed(given):
        if field.default is dataclasses.MISSING:
            break
        found.insert(0, field.default)
    return tuple(found)
