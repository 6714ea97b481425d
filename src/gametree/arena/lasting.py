"""The text of a state that is the same in every process, whatever order its sets have there."""

import dataclasses
import enum
import re
from collections.abc import Mapping, Set
from typing import Any


def lasting_text(value: Any) -> str:
    """A value as text: sets in order, and no addresses of objects.

    >>> lasting_text((frozenset({"b", "a"}), {2: "x", 1: "y"}))
    "({'a', 'b'}, {1: 'y', 2: 'x'})"
    """
    if isinstance(value, enum.Enum):
        return repr(value)
    if isinstance(value, Set):
        return "{" + ", ".join(sorted(map(lasting_text, value))) + "}"
    if isinstance(value, Mapping):
        return (
            "{" + ", ".join(sorted(f"{lasting_text(k)}: {lasting_text(v)}" for k, v in value.items())) + "}"
        )
    if isinstance(value, tuple):
        inside = ", ".join(map(lasting_text, value))
        plain = type(value) is tuple
        return (
            f"({inside}{',' if plain and len(value) == 1 else ''})"
            if plain
            else f"{type(value).__name__}({inside})"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(lasting_text, value))}]"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = (f"{one.name}={lasting_text(getattr(value, one.name))}" for one in dataclasses.fields(value))
        return f"{type(value).__name__}({', '.join(fields)})"
    # Where an object shows its address, two runs would not agree.
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
