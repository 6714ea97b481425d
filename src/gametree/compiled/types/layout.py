"""How a state becomes machine words and back.

A `Shape` is the machine type of a state, read off its annotations and, where these say nothing, off the initial
state. Values are checked here, where they cross from Python into compiled code.
"""

import collections.abc
import struct
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


class LayoutError(Exception):
    """A value that has no machine form; the message says which part and what to write instead."""


SCALARS: dict[str, tuple[str, str]] = {
    # name: struct code of one 8-byte word, how a person calls it
    "int64": ("q", "int"),
    "uint64": ("Q", "np.uint64"),
    "int32": ("q", "np.int32"),
    "uint32": ("q", "np.uint32"),
    "int16": ("q", "np.int16"),
    "uint16": ("q", "np.uint16"),
    "int8": ("q", "np.int8"),
    "uint8": ("q", "np.uint8"),
    "float64": ("d", "float"),
    "float32": ("d", "np.float32"),
    "bool": ("q", "bool"),
}


@dataclass(frozen=True)
class Scalar:
    """One number in one 8-byte word."""

    kind: str
    numpy: bool = False
    """Whether Python sees a NumPy scalar rather than an int, float or bool."""

    def __str__(self) -> str:
        return SCALARS[self.kind][1]


@dataclass(frozen=True)
class Row:
    """A tuple of fixed length; with a class, a named tuple."""

    items: tuple["Shape", ...]
    cls: type | None = None

    def __str__(self) -> str:
        if self.cls is not None:
            return self.cls.__name__
        return f"tuple of {len(self.items)}"


Shape = Scalar | Row


def shape_of(value: Any, annotation: Any = None, where: str = "the state") -> Shape:
    """The shape of a value: what its annotation says, or else what it is.

    >>> shape_of((1, 2.0))
    Row(items=(Scalar(kind='int64', numpy=False), Scalar(kind='float64', numpy=False)), cls=None)
    """
    said = _scalar_from_annotation(annotation)
    if said is not None:
        _fits(value, said, where)
        return said
    if isinstance(value, tuple):
        return _row(value, annotation, where)
    found = _scalar_from_value(value)
    if found is None:
        raise LayoutError(f"{where} is {_describe(value)}; {_advice(value)}")
    _fits(value, found, where)
    return found


def words(shape: Shape) -> Iterator[Scalar]:
    """The scalars of a shape, in order."""
    if isinstance(shape, Scalar):
        yield shape
    else:
        for item in shape.items:
            yield from words(item)


class Codec:
    """Packs states of one shape into bytes and back."""

    def __init__(self, shape: Shape):
        self.shape = shape
        scalars = list(words(shape))
        self.size: int = len(scalars)
        self._struct = struct.Struct("=" + "".join(SCALARS[s.kind][0] for s in scalars))
        flat = isinstance(shape, Row) and all(isinstance(item, Scalar) for item in shape.items)
        self._flat = len(scalars) if flat else -1
        self._checked = [
            (i, s.kind) for i, s in enumerate(scalars) if s.kind not in ("int64", "uint64", "float64")
        ]
        self._build = _builder(shape)

    def pack(self, value: Any) -> bytes:
        """The machine words of a value; LayoutError where it does not have this shape."""
        try:
            if self._flat >= 0 and isinstance(value, tuple) and len(value) == self._flat:
                flat: Any = value
            else:
                flat = list(_flatten(value, self.shape, "the state"))
            packed = self._struct.pack(*flat)
        except (struct.error, TypeError):
            return self._struct.pack(*_plain(value, self.shape))
        for i, kind in self._checked:
            if not _is_in_range(flat[i], kind):
                check(value, self.shape)
        return packed

    def unpack(self, data: bytes) -> Any:
        """The value that these machine words are."""
        return self._build(iter(self._struct.unpack(data)))


def check(value: Any, shape: Shape, where: str = "the state") -> None:
    """Raises LayoutError with the place where a value departs from a shape."""
    for _ in _flatten(value, shape, where):
        pass


def _flatten(value: Any, shape: Shape, where: str) -> Iterator[Any]:
    if isinstance(shape, Scalar):
        _fits(value, shape, where)
        yield value
        return
    if not isinstance(value, tuple):
        raise LayoutError(f"{where} is {_describe(value)}, not {_article(shape)}")
    if len(value) != len(shape.items):
        raise LayoutError(
            f"{where} has {len(value)} parts, not {len(shape.items)};"
            " keep the number of parts fixed, and fill up with -1 or 0"
        )
    names = _part_names(shape)
    for i, (part, item) in enumerate(zip(value, shape.items)):
        yield from _flatten(part, item, _part(where, names[i]))


def _plain(value: Any, shape: Shape) -> list[Any]:
    """The words of a value that has this shape, as Python numbers: NumPy's bools are no ints."""
    scalars, flat = words(shape), _flatten(value, shape, "the state")
    return [bool(word) if scalar.kind == "bool" else word for scalar, word in zip(scalars, flat)]


def _part(where: str, name: str) -> str:
    """What a person calls a part: `state.board[3]`."""
    return where.removeprefix("the ") + name


def _part_names(shape: Row) -> list[str]:
    if shape.cls is not None:
        return [f".{name}" for name in shape.cls._fields]  # type: ignore[attr-defined]
    return [f"[{i}]" for i in range(len(shape.items))]


def _builder(shape: Shape) -> Callable[[Iterator[Any]], Any]:
    if isinstance(shape, Scalar):
        if shape.numpy:
            import numpy as np

            kind = np.bool_ if shape.kind == "bool" else getattr(np, shape.kind)
            return lambda source: kind(next(source))
        return (lambda source: bool(next(source))) if shape.kind == "bool" else next
    parts = [_builder(item) for item in shape.items]
    make: Callable[[Any], Any] = tuple if shape.cls is None else shape.cls._make  # type: ignore[attr-defined]
    return lambda source: make([part(source) for part in parts])


def _row(value: tuple[Any, ...], annotation: Any, where: str) -> Row:
    cls = type(value) if hasattr(value, "_fields") else None
    if cls is not None:
        hints = _hints(cls)
        names = cls._fields
        items = tuple(
            shape_of(part, hints.get(name), _part(where, f".{name}")) for name, part in zip(names, value)
        )
        return Row(items, cls)
    if typing.get_origin(annotation) is tuple:
        arguments = typing.get_args(annotation)
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            arguments = (arguments[0],) * len(value)
        if len(arguments) != len(value):
            raise LayoutError(f"{where} has {len(value)} parts, but its annotation has {len(arguments)}")
    else:
        arguments = (None,) * len(value)
    return Row(tuple(shape_of(part, arguments[i], _part(where, f"[{i}]")) for i, part in enumerate(value)))


def _hints(cls: type) -> dict[str, Any]:
    try:
        return typing.get_type_hints(cls)
    except Exception:  # a forward reference nobody can resolve: the values decide
        simple = {"int": int, "float": float, "bool": bool}
        raw = getattr(cls, "__annotations__", {})
        return {name: simple.get(hint) if isinstance(hint, str) else hint for name, hint in raw.items()}


def _scalar_from_annotation(annotation: Any) -> Scalar | None:
    if annotation is int:
        return Scalar("int64")
    if annotation is float:
        return Scalar("float64")
    if annotation is bool:
        return Scalar("bool")
    if isinstance(annotation, type) and annotation.__module__ == "numpy":
        name = "bool" if annotation.__name__ in ("bool", "bool_") else annotation.__name__
        if name in SCALARS:
            return Scalar(name, numpy=True)
    if typing.get_origin(annotation) is typing.Literal:
        kinds = {type(value) for value in typing.get_args(annotation)}
        if kinds == {int}:
            return Scalar("int64")
    return None


def _scalar_from_value(value: Any) -> Scalar | None:
    if isinstance(value, bool):
        return Scalar("bool")
    if type(value) is int:
        return Scalar("int64")
    if type(value) is float:
        return Scalar("float64")
    if type(value).__module__ == "numpy":
        return _scalar_from_annotation(type(value))
    return None


def _fits(value: Any, scalar: Scalar, where: str) -> None:
    kind = scalar.kind
    real = kind.startswith("float")
    number = isinstance(value, (int, float)) or type(value).__module__ == "numpy"
    if real and number and not isinstance(value, tuple):
        return
    if not real and hasattr(value, "__index__") and not hasattr(value, "__len__"):
        _in_range(value, kind, where)
        return
    if kind == "bool" and type(value).__name__ in ("bool", "bool_"):
        return
    wanted = f"declared {scalar}" if not real else "declared float"
    raise LayoutError(f"{where} is {_describe(value)}, but {wanted}; {_advice(value)}")


def _range(kind: str) -> tuple[int, int]:
    bits = _bits(kind)
    return (0, (1 << bits) - 1) if kind.startswith("u") else (-(1 << bits - 1), (1 << bits - 1) - 1)


def _bits(kind: str) -> int:
    return int(kind.removeprefix("u").removeprefix("int"))


def _is_in_range(value: Any, kind: str) -> bool:
    if kind == "bool":
        return value in (0, 1)
    if kind.startswith("float"):
        return True
    low, high = _range(kind)
    return low <= int(value) <= high


def _in_range(value: Any, kind: str, where: str) -> None:
    if _is_in_range(value, kind):
        return
    if kind == "bool":
        raise LayoutError(f"{where} is {value!r}, but declared bool; annotate it as int")
    more = "; split it into several fields, or declare it np.uint64 where bit 63 is needed"
    raise LayoutError(
        f"{where} is {int(value)}, which does not fit {_bits(kind)} bits{more if _bits(kind) == 64 else ''}"
    )


def _article(shape: Row) -> str:
    return f"a {shape}"


def _describe(value: Any) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '…'}"


def _advice(value: Any) -> str:
    if value is None:
        return "write -1 (or another int) where there is nothing"
    if isinstance(value, str):
        return "write ints: 0 for empty, 1 and 2 for the players, in a tuple"
    if isinstance(value, float):
        return "annotate the field as float"
    if isinstance(value, (set, frozenset, dict, collections.abc.Mapping)):
        return "write an int whose bits are the members, or a tuple"
    if isinstance(value, list) or type(value).__name__ == "ndarray":
        return "write a tuple: states do not change"
    if hasattr(value, "__dataclass_fields__"):
        return "write it as a `class State(NamedTuple)`"
    if isinstance(value, types.FunctionType):
        return "call it"
    return "compiled states are built from ints, floats, bools and (named) tuples of these"
