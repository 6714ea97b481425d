"""Digests of constants and code that are the same in every process."""

import hashlib
import types
from typing import Any


def code_parts(code: types.CodeType) -> tuple[object, ...]:
    """What a code object does, without where it stands."""
    constants = tuple(
        code_parts(c) if isinstance(c, types.CodeType) else (type(c).__name__, _written(c))
        for c in code.co_consts
    )
    return (
        code.co_name,
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_argcount,
        code.co_kwonlyargcount,
        code.co_flags,
        getattr(code, "co_exceptiontable", b""),
    )


def _written(constant: object) -> str:
    """A constant as text. The order in which a set of texts is written differs from process to process."""
    return repr(sorted(map(repr, constant))) if isinstance(constant, frozenset) else repr(constant)


def is_array(value: object) -> bool:
    """Whether something is an array of NumPy, which need not be loaded to tell."""
    return any(cls.__name__ == "ndarray" for cls in type(value).__mro__)


def digest_of(value: Any) -> bytes:
    """A digest of a constant that is the same in every process."""
    state = hashlib.blake2b(digest_size=16)
    _feed_value(state, value)
    return state.digest()


def _feed_value(state: Any, value: Any) -> None:
    kind = type(value)
    state.update(f"{kind.__module__}.{kind.__qualname__}:".encode())
    if isinstance(value, (tuple, list)):
        state.update(str(len(value)).encode())
        for part in value:
            _feed_value(state, part)
    elif isinstance(value, dict):
        for key, part in value.items():  # the order is part of it: iteration follows it
            _feed_value(state, key)
            _feed_value(state, part)
    elif isinstance(value, (set, frozenset)):
        for digest in sorted(digest_of(part) for part in value):
            state.update(digest)
    elif is_array(value):
        state.update(f"{value.dtype.str}{value.shape}".encode())
        state.update(value.tobytes())
    elif isinstance(value, types.CodeType):
        state.update(repr(code_parts(value)).encode())
    else:
        state.update(repr(value).encode())
    state.update(b"\0")
