"""Texts, None and members of enums as whole numbers: what machine code and keys of states know them by.

A text is its bytes, the first one lowest; what is none begins with a byte that no text has.

    "X"         0x58
    None        0x01
    7           0x02, then seven bytes: an int where there may also be a text or None
    Colour.RED  0x03, a byte for the class, then its value: a text; 0x04 where its value is an int
"""

import enum
import zlib
from typing import Any

NONE = 0x01
INT = 0x02
TEXT_MEMBER = 0x03
INT_MEMBER = 0x04
CONTROLS = 0x08
"""Texts have no bytes below."""
INT_BITS = 56
MEMBER_BITS = 48


def is_atom(value: Any) -> bool:
    """Whether something is a text, None or a member of an enum that is no int."""
    return (
        value is None
        or isinstance(value, str)
        or (isinstance(value, enum.Enum) and not isinstance(value, int))
    )


def number_of(value: Any) -> int | None:
    """The whole number of a text, None, a member of an enum or a small int; None where it has none.

    >>> hex(number_of("XO")), number_of(None), number_of("●")
    ('0x4f58', 1, None)
    """
    if value is None:
        return NONE
    if isinstance(value, enum.Enum) and not isinstance(value, (int, str)):
        return _of_member(value)
    if isinstance(value, str):
        text = value.value if isinstance(value, enum.Enum) else value
        try:
            data = text.encode("latin-1")
        except UnicodeEncodeError:
            return None
        return None if data and min(data) < CONTROLS else int.from_bytes(data, "little")
    if hasattr(value, "__index__"):
        number = int(value)
        if -(1 << INT_BITS - 1) <= number < 1 << INT_BITS - 1:
            return INT | (number & (1 << INT_BITS) - 1) << 8
    return None


def class_byte(cls: type) -> int:
    """What members of an enum carry of their class."""
    return zlib.crc32(f"{cls.__module__}.{cls.__qualname__}".encode()) & 0xFF


def _of_member(member: enum.Enum) -> int | None:
    inner = member.value
    mark = class_byte(type(member)) << 8
    if isinstance(inner, str):
        number = number_of(inner)
        return None if number is None else TEXT_MEMBER | mark | number << 16
    if isinstance(inner, int) and -(1 << MEMBER_BITS - 1) <= inner < 1 << MEMBER_BITS - 1:
        return INT_MEMBER | mark | (int(inner) & (1 << MEMBER_BITS) - 1) << 16
    return None


def words_of(number: int) -> list[int]:
    """The 64-bit words of a number, the lowest first; at least one."""
    words = [number & (1 << 64) - 1]
    while number := number >> 64:
        words.append(number & (1 << 64) - 1)
    return words
