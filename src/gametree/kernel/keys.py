"""64-bit keys of states, the same in every process.

Python's own `hash` will not do: hash(1 << 61) == hash(1), strings are salted anew in each process, and neighbouring
tuples get neighbouring hashes. A key is folded from the state's words with the finaliser of SplitMix64 (Steele,
Lea & Flood 2014), which maps 64 bits one to one: a state of one word has an injective key, others collide by chance.
"""

import struct
from typing import Any

from gametree.kernel.atoms import is_atom, number_of, words_of
from gametree.kernel.digest import digest_of
from gametree.kernel.marking import primitive

MASK = (1 << 64) - 1
FIRST = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio, odd."""
WHOLE = 2.0**53
STEP_1 = 0xBF58476D1CE4E5B9
STEP_2 = 0x94D049BB133111EB


def mix(word: int) -> int:
    """A one-to-one map of 64-bit words in which every input bit changes about half of the output."""
    word = (word ^ (word >> 30)) * STEP_1 & MASK
    word = (word ^ (word >> 27)) * STEP_2 & MASK
    return word ^ (word >> 31)


@primitive
def state_key(state: Any) -> int:
    """The key of a state: of numbers, texts and tuples word by word, of anything else by its contents.

    >>> state_key((1, 2)) == state_key((1, 2)), state_key((1, 2)) == state_key((2, 1))
    (True, False)
    """
    return _fold(FIRST, state)


def _fold(key: int, value: Any) -> int:
    if isinstance(value, tuple):
        key = (key ^ len(value)) * FIRST & MASK
        for part in value:
            key = _fold(key, part)
        return key
    if is_atom(value) and (number := number_of(value)) is not None:
        for word in words_of(number):
            key = mix((key + word) * FIRST & MASK)
        return key
    if isinstance(value, frozenset):  # whatever the order
        members = sum(_fold(FIRST, part) for part in value) & MASK
        return mix((((key ^ len(value)) * FIRST & MASK) + members) * FIRST & MASK)
    if hasattr(type(value), "__dataclass_fields__"):
        return _fold(key, tuple(getattr(value, name) for name in type(value).__dataclass_fields__))
    return mix((key + _word(value)) * FIRST & MASK)


def _word(value: Any) -> int:
    if isinstance(value, float):
        if value.is_integer() and abs(value) < WHOLE:  # 1.0 == 1, so both have one key
            return int(value) & MASK
        return int(struct.unpack("=Q", struct.pack("=d", value + 0.0))[0])
    if hasattr(value, "__index__"):
        number = int(value)
        if -(1 << 63) <= number < 1 << 64:
            return number & MASK
    elif type(value).__name__ in ("bool_", "bool"):
        return int(bool(value))
    elif type(value).__name__ in ("float32", "float16"):
        return _word(float(value))
    return int.from_bytes(digest_of(value)[:8], "little")


def signed(word: int) -> int:
    """The same 64 bits as a signed int, as arrays of int64 hold them."""
    return word - (1 << 64) if word >> 63 else word
