"""How a state becomes machine words and back.

A `Shape` is the machine type of a state, read off its annotations and, where these say nothing, off states that were
seen (`universe.py`). Values are checked here, where they cross from Python into compiled code.
"""

import collections.abc
import enum
import struct
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gametree.compiled.types import records
from gametree.kernel import atoms


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
    """A named tuple or a frozen dataclass."""

    def __str__(self) -> str:
        if self.cls is not None:
            return self.cls.__name__
        return f"tuple of {len(self.items)}"


@dataclass(frozen=True)
class Text:
    """A text, None, a member of an enum, or an int where one of these may be, too: one wide whole number."""

    longest: int
    """The most bytes that were seen."""
    kinds: frozenset[str] = frozenset()
    """What was seen: "str", "None", "int", "enum"."""
    classes: tuple[type, ...] = ()
    words: int = 1

    def __str__(self) -> str:
        return " or ".join(sorted(self.kinds))


@dataclass(frozen=True)
class Ragged:
    """A tuple whose length varies, or, where it is `unordered`, a frozenset: up to `most` items of one shape."""

    item: "Shape | None"
    most: int
    unordered: bool = False

    def __str__(self) -> str:
        return ("frozenset" if self.unordered else "tuple") + f" of up to {self.most}"


@dataclass(frozen=True)
class Maybe:
    """What may be None, where it is no text."""

    item: "Shape"

    def __str__(self) -> str:
        return f"{self.item} or None"


Shape = Scalar | Row | Text | Ragged | Maybe


def shape_of(value: Any, annotation: Any = None, where: str = "the state") -> Shape:
    """The shape of a value: what its annotation says, or else what it is.

    >>> shape_of((1, 2.0))
    Row(items=(Scalar(kind='int64', numpy=False), Scalar(kind='float64', numpy=False)), cls=None)
    """
    said = _scalar_from_annotation(annotation)
    if said is not None:
        _fits(value, said, where)
        return said
    if isinstance(value, tuple) or records.is_record(value):
        return _row(value, annotation, where)
    if atoms.is_atom(value):
        return _text(value, where)
    if isinstance(value, frozenset):
        items = [shape_of(part, _argument(annotation), f"a member of {where}") for part in value]
        return Ragged(_one(items, where), len(value), True)
    found = _scalar_from_value(value)
    if found is None:
        raise LayoutError(f"{where} is {_describe(value)}; {_advice(value)}")
    _fits(value, found, where)
    return found


def _text(value: Any, where: str) -> Text:
    number = atoms.number_of(value)
    if number is None:
        raise LayoutError(f"{where} is {_describe(value)}; {_unwritable(value)}")
    kind = "None" if value is None else "str" if isinstance(value, str) else "enum"
    classes = (type(value),) if isinstance(value, enum.Enum) else ()
    return Text((number.bit_length() + 7) // 8, frozenset({kind}), classes)


def _unwritable(value: Any) -> str:
    if isinstance(value, str):
        return "write letters and signs of Latin-1, such as 'X' and '.', and draw others in `show`"
    return "give the members of the enum texts or small ints as values"


def _argument(annotation: Any) -> Any:
    """What the items are, by an annotation such as frozenset[int]."""
    arguments = typing.get_args(annotation)
    return arguments[0] if arguments and typing.get_origin(annotation) is not typing.Union else None


def _one(shapes: list[Shape], where: str) -> Shape | None:
    """The one shape that all items have; None where there are none."""
    found: Shape | None = None
    for shape in shapes:
        found = shape if found is None else merged(found, shape, f"an item of {where}")
    return found


def merged(one: Shape, other: Shape, where: str = "the state") -> Shape:
    """The shape of what has now one shape and now another."""
    if one == other:
        return one
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        if "bool" in (one.kind, other.kind) and "int64" in (one.kind, other.kind):
            return Scalar("int64")
        return one  # casts say what does not fit
    bare = [s.item if isinstance(s, Maybe) else s for s in (one, other) if not _is_none(s)]
    if len(bare) < 2 or any(isinstance(s, Maybe) for s in (one, other)):
        first, *rest = bare
        inner = merged(first, rest[0], where) if rest else first
        return inner if isinstance(inner, Text) else Maybe(inner)
    if isinstance(one, Text | Scalar) and isinstance(other, Text | Scalar):
        texts = [shape if isinstance(shape, Text) else _boxed(shape, where) for shape in (one, other)]
        classes = tuple(dict.fromkeys(cls for text in texts for cls in text.classes))
        if len({atoms.class_byte(cls) for cls in classes}) < len(classes):
            raise LayoutError(f"{where} has members of enums that cannot be told apart; rename one of them")
        return Text(max(t.longest for t in texts), texts[0].kinds | texts[1].kinds, classes)
    if isinstance(one, Row) and isinstance(other, Row) and one.cls is other.cls:
        if len(one.items) == len(other.items):
            names = _part_names(one)
            pairs = enumerate(zip(one.items, other.items))
            return Row(tuple(merged(a, b, _part(where, names[i])) for i, (a, b) in pairs), one.cls)
        if one.cls is None:
            return Ragged(_one([*one.items, *other.items], where), max(len(one.items), len(other.items)))
    rows = [_as_ragged(shape, where) for shape in (one, other)]
    if all(row is not None for row in rows) and rows[0].unordered == rows[1].unordered:  # type: ignore[union-attr]
        items = [row.item for row in rows if row is not None and row.item is not None]
        most = max(row.most for row in rows if row is not None)
        return Ragged(_one(items, where), most, rows[0].unordered)  # type: ignore[union-attr]
    raise LayoutError(
        f"{where} is now {_named(one)} and now {_named(other)}; keep one form, and write -1 for nothing"
    )


def _is_none(shape: Shape) -> bool:
    return isinstance(shape, Text) and shape.kinds == {"None"}


def _boxed(scalar: Scalar, where: str) -> Text:
    if scalar.kind.startswith("float"):
        raise LayoutError(f"{where} is now a float and now a text or None; keep to floats")
    return Text(8, frozenset({"int"}))


def _as_ragged(shape: Shape, where: str) -> Ragged | None:
    if isinstance(shape, Row) and shape.cls is None:
        return Ragged(_one(list(shape.items), where), len(shape.items))
    return shape if isinstance(shape, Ragged) else None


def _named(shape: Shape) -> str:
    return f"a {shape}" if not isinstance(shape, Text) else str(shape)


def words(shape: Shape) -> Iterator[Scalar]:
    """The scalars of a shape, in order."""
    if isinstance(shape, Scalar):
        yield shape
    elif isinstance(shape, Text):
        yield from [Scalar("uint64")] * shape.words
    elif isinstance(shape, Maybe):
        yield Scalar("int64")
        yield from words(shape.item)
    elif isinstance(shape, Ragged):
        yield Scalar("int64")
        assert shape.item is not None
        yield from list(words(shape.item)) * shape.most
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
    if isinstance(shape, Text):
        yield from _letters(value, shape, where)
        return
    if isinstance(shape, Ragged):
        yield from _items(value, shape, where)
        return
    if isinstance(shape, Maybe):
        yield int(value is not None)
        if value is None:
            yield from [0] * len(list(words(shape.item)))
        else:
            yield from _flatten(value, shape.item, where)
        return
    if records.is_record(value) and type(value) is shape.cls:
        value = records.parts(value)
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


def _letters(value: Any, shape: Text, where: str) -> Iterator[int]:
    number = atoms.number_of(value) if atoms.is_atom(value) or hasattr(value, "__index__") else None
    if number is None:
        raise LayoutError(f"{where} is {_describe(value)}, not {shape}")
    letters = atoms.words_of(number)
    if len(letters) > shape.words:
        raise LayoutError(f"{where} is {_describe(value)}, longer than any that was seen in random plays")
    yield from letters
    yield from [0] * (shape.words - len(letters))


def _items(value: Any, shape: Ragged, where: str) -> Iterator[Any]:
    if not isinstance(value, frozenset if shape.unordered else tuple):
        raise LayoutError(f"{where} is {_describe(value)}, not {_article(shape)}")
    if len(value) > shape.most:
        raise LayoutError(
            f"{where} has {len(value)} parts, and {shape.most} at the most is what random plays made likely"
        )
    assert shape.item is not None
    rows = [tuple(_flatten(part, shape.item, f"{where}[{i}]")) for i, part in enumerate(value)]
    if shape.unordered:
        rows.sort()
    yield len(rows)
    for row in rows:
        yield from row
    yield from [0] * (len(list(words(shape.item))) * (shape.most - len(rows)))


def _plain(value: Any, shape: Shape) -> list[Any]:
    """The words of a value that has this shape, as Python numbers: NumPy's bools are no ints."""
    scalars, flat = words(shape), _flatten(value, shape, "the state")
    return [bool(word) if scalar.kind == "bool" else word for scalar, word in zip(scalars, flat)]


def _part(where: str, name: str) -> str:
    """What a person calls a part: `state.board[3]`."""
    return where.removeprefix("the ") + name


def _part_names(shape: Row) -> list[str]:
    if shape.cls is not None:
        return [f".{name}" for name in records.fields(shape.cls)]
    return [f"[{i}]" for i in range(len(shape.items))]


def _builder(shape: Shape) -> Callable[[Iterator[Any]], Any]:
    if isinstance(shape, Scalar):
        if shape.numpy:
            import numpy as np

            kind = np.bool_ if shape.kind == "bool" else getattr(np, shape.kind)
            return lambda source: kind(next(source))
        return (lambda source: bool(next(source))) if shape.kind == "bool" else next
    if isinstance(shape, Text):
        return lambda source: _reads(shape, [next(source) for _ in range(shape.words)])
    if isinstance(shape, Ragged):
        assert shape.item is not None
        read, most, kind = _builder(shape.item), shape.most, frozenset if shape.unordered else tuple

        def several(source: Iterator[Any]) -> Any:
            length = next(source)
            items = [read(source) for _ in range(most)]
            return kind(items[:length])

        return several
    if isinstance(shape, Maybe):
        inner, room = _builder(shape.item), len(list(words(shape.item)))

        def perhaps(source: Iterator[Any]) -> Any:
            if next(source):
                return inner(source)
            for _ in range(room):
                next(source)
            return None

        return perhaps
    parts = [_builder(item) for item in shape.items]
    if shape.cls is not None and records.is_record_class(shape.cls):
        cls = shape.cls
        return lambda source: cls(*[part(source) for part in parts])
    make: Callable[[Any], Any] = tuple if shape.cls is None else shape.cls._make  # type: ignore[attr-defined]
    return lambda source: make([part(source) for part in parts])


def _reads(shape: Text, letters: list[int]) -> Any:
    """The value that these words are."""
    number = sum(word << 64 * i for i, word in enumerate(letters))
    mark, wide = number & 0xFF, number >> 16
    if mark == atoms.NONE and number == atoms.NONE:
        return None
    if mark == atoms.INT:
        return _signed(number >> 8, atoms.INT_BITS)
    if mark in (atoms.TEXT_MEMBER, atoms.INT_MEMBER):
        cls = next(cls for cls in shape.classes if atoms.class_byte(cls) == number >> 8 & 0xFF)
        return cls(_signed(wide, atoms.MEMBER_BITS) if mark == atoms.INT_MEMBER else _spelt(wide))
    text = _spelt(number)
    return next((cls(text) for cls in shape.classes if issubclass(cls, str)), text)


def _signed(number: int, bits: int) -> int:
    return number - (1 << bits) if number >> bits - 1 else number


def _spelt(number: int) -> str:
    return number.to_bytes((number.bit_length() + 7) // 8, "little").decode("latin-1")


def _row(value: Any, annotation: Any, where: str) -> Shape:
    cls = type(value) if hasattr(value, "_fields") or records.is_record(value) else None
    if cls is not None:
        if problem := records.problem(cls):
            raise LayoutError(f"{where} is a {cls.__name__}, {problem}")
        hints = _hints(cls)
        names = records.fields(cls)
        value = records.parts(value) if records.is_record(value) else value
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
    parts = [shape_of(part, arguments[i], _part(where, f"[{i}]")) for i, part in enumerate(value)]
    return Row(_levelled(parts, where, bool(arguments) and typing.get_args(annotation)[1:] == (Ellipsis,)))


def _levelled(parts: "list[Shape]", where: str, same: bool) -> "tuple[Shape, ...]":
    """Parts of one shape where they are meant to be: rows of several lengths, ints with None among them."""
    rows = all((isinstance(p, Row) and p.cls is None) or isinstance(p, Ragged) for p in parts)
    some = {p for p in parts if not _is_none(p)}
    holes = len(parts) > 2 and len(some) == 1 < len(set(parts))
    texts = len(parts) > 2 and all(isinstance(p, Text) for p in parts)
    if len(set(parts)) > 1 and (same or rows or holes or texts):
        try:
            return (_one(parts, where),) * len(parts)  # type: ignore[return-value]
        except LayoutError:
            if same:
                raise
    return tuple(parts)


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
    if isinstance(value, int):
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


def _article(shape: Row | Ragged) -> str:
    return f"a {shape}"


def _describe(value: Any) -> str:
    if value is None:
        return "None"
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '…'}"


def _advice(value: Any) -> str:
    if value is None:
        return "write -1 (or another int) where there is nothing"
    if isinstance(value, (str, enum.Enum)):
        return "declare it as what it is, or leave the annotation out"
    if isinstance(value, float):
        return "annotate the field as float"
    if isinstance(value, set):
        return "write a frozenset: states do not change"
    if isinstance(value, (dict, collections.abc.Mapping)):
        return "write a tuple of its values, or a frozenset of its items"
    if isinstance(value, list) or type(value).__name__ == "ndarray":
        return "write a tuple: states do not change"
    if hasattr(value, "__dataclass_fields__"):
        return "write @dataclass(frozen=True): states do not change"
    if isinstance(value, types.FunctionType):
        return "call it"
    return "states are built from numbers, texts, None, enums, and tuples, frozensets and frozen dataclasses of these"
