"""Memory with names: what kernels and their drivers share, and what a kernel keeps from one call to the next.

A kernel takes a few blocks instead of many arrays and numbers. A block is a class with typed fields:

    class Clock(Memory):
        nodes: int = 0
        deadline: int = 0

    class Tree(Memory):
        visits: Ints
        sums: Floats

Interpreted, a block is a plain object. Compiled, it is one pointer to 64-bit words, two for an array:

    int, bool, float    the number itself, read and written in place by kernel and driver, also while the kernel runs
    Ints, Floats        where the items lie, then how many they are
    a block             where its words lie, then how many they are

A kernel writes to numbers and to items of arrays. The arrays and blocks themselves are given by the driver, and stay
what they are while a kernel runs. In a block that is `frozen` that goes for the numbers, too: machine code may then
read them once.
"""

import ctypes
import enum
import inspect
from typing import Any, ClassVar, NamedTuple, Self, cast, dataclass_transform

from gametree.kernel.primitives import Floats, Ints

LINE = 128
"""No two blocks share so many bytes: what a thread writes often must not be sent to and fro for what lies beside it."""


class Kind(enum.Enum):
    """What a field holds."""

    INT = "int"
    FLOAT = "float"
    BOOL = "bool"
    INTS = "ints"
    FLOATS = "floats"
    BLOCK = "block"


_KINDS = ((int, Kind.INT), (float, Kind.FLOAT), (bool, Kind.BOOL), (Ints, Kind.INTS), (Floats, Kind.FLOATS))
_NUMBERS: dict[Kind, Any] = {Kind.INT: 0, Kind.FLOAT: 0.0, Kind.BOOL: False}
"""The kinds that are numbers, with their defaults."""


class Field(NamedTuple):
    """A field of a block."""

    name: str
    kind: Kind
    place: int
    """At which word it begins."""
    default: Any
    block: "type[Memory] | None" = None
    """The class, where the field is a block itself."""

    @property
    def words(self) -> int:
        """How many words it takes."""
        return 1 if self.kind in _NUMBERS else 2


@dataclass_transform(kw_only_default=True, eq_default=False)
class Memory:
    """A block of memory with named fields; a number that nobody gives is 0.

    >>> class Counters(Memory):
    ...     seen: int
    ...     share: float = 0.5
    ...     places: Ints
    >>> counters = Counters(seen=2, places=[3, 4])
    >>> counters.seen += 1
    >>> counters.seen, counters.share, counters.places
    (3, 0.5, [3, 4])
    """

    fields: ClassVar[tuple[Field, ...]] = ()
    frozen: ClassVar[bool] = False
    """Whether its numbers stay what they are while a kernel runs."""
    address: ClassVar[int] = 0
    """Where the words of a block for a compiled kernel lie."""
    in_words: ClassVar[Any] = None
    """The class of such blocks, as soon as there is one."""

    def __init_subclass__(cls, frozen: bool = False) -> None:
        if issubclass(cls, _InWords):
            return
        cls.fields = _fields_of(cls)
        cls.frozen = frozen
        cls.in_words = None

    def __init__(self, **values: Any):
        for field in self.fields:
            setattr(self, field.name, values.pop(field.name, field.default))
        assert not values, f"{type(self).__name__} has no field {', '.join(values)}"

    @classmethod
    def allocate(cls, compiled: bool, **values: Any) -> Self:
        """A new block, for a compiled kernel or for an interpreted one."""
        if not compiled:
            return cls(**values)
        if cls.in_words is None:
            members = {field.name: _property(field) for field in cls.fields}
            cls.in_words = type(cls.__name__, (_InWords, cls), members)
        return cast(Self, cls.in_words(**values))


class _InWords:
    """A block as machine code sees it: words, which the fields are read from and written to."""

    fields: ClassVar[tuple[Field, ...]]

    def __init__(self, **values: Any):
        size = -(-8 * words_of(self.fields) // LINE) * LINE
        room = bytearray(size + LINE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(room))
        begin = -start % LINE
        words = memoryview(room)[begin : begin + size]
        self.address = start + begin
        self.ints = words.cast("q")
        self.floats = words.cast("d")
        self.kept: dict[str, Any] = {}
        """The arrays and blocks, which have to stay as long as this one does."""
        super().__init__(**values)


def _property(field: Field) -> property:
    name, kind, place = field.name, field.kind, field.place

    def get_int(self: Any) -> Any:
        return self.ints[place]

    def set_int(self: Any, value: Any) -> None:
        self.ints[place] = value

    def get_bool(self: Any) -> Any:
        return self.ints[place] != 0

    def set_bool(self: Any, value: Any) -> None:
        self.ints[place] = bool(value)

    def get_float(self: Any) -> Any:
        return self.floats[place]

    def set_float(self: Any, value: Any) -> None:
        self.floats[place] = value

    def get_kept(self: Any) -> Any:
        return self.kept[name]

    def set_block(self: Any, value: Any) -> None:
        assert value is None or value.address, f"{name}: a block for an interpreted kernel"
        self.kept[name] = value
        self.ints[place] = 0 if value is None else value.address
        self.ints[place + 1] = 0 if value is None else words_of(value.fields)

    def set_array(self: Any, value: Any) -> None:
        self.kept[name] = value
        self.ints[place], self.ints[place + 1] = (0, 0) if value is None else _whereabouts(value, kind)

    if kind is Kind.INT:
        return property(get_int, set_int)
    if kind is Kind.BOOL:
        return property(get_bool, set_bool)
    if kind is Kind.FLOAT:
        return property(get_float, set_float)
    return property(get_kept, set_block if kind is Kind.BLOCK else set_array)


def _whereabouts(array: Any, kind: Kind) -> tuple[int, int]:
    """Where the items of a NumPy array lie, and how many they are."""
    fitting = "iu" if kind is Kind.INTS else "f"
    assert array.dtype.kind in fitting and array.itemsize == 8 and array.flags.c_contiguous
    return array.__array_interface__["data"][0], array.size


def is_block(annotation: Any) -> bool:
    """Whether an annotation is a block of memory."""
    return isinstance(annotation, type) and issubclass(annotation, Memory)


def words_of(fields: tuple[Field, ...]) -> int:
    """How many words some fields take."""
    return sum(field.words for field in fields)


def layout_of(annotation: Any) -> Any:
    """What machine code depends on in a kernel's annotation: how a block is laid out; else its name."""
    if not is_block(annotation):
        return str(annotation)
    parts = [(field.name, field.kind.value, layout_of(field.block)) for field in annotation.fields]
    return "frozen" if annotation.frozen else "block", parts


def _fields_of(cls: type[Memory]) -> tuple[Field, ...]:
    """The fields of the class above, and behind them those of its own."""
    fields = list(cls.fields)
    for name, note in inspect.get_annotations(cls).items():
        if getattr(note, "__origin__", None) is ClassVar:
            continue
        kind = Kind.BLOCK if is_block(note) else next((kind for known, kind in _KINDS if note == known), None)
        assert kind is not None, f"{cls.__name__}.{name} is no number, array or block: {note!r}"
        default = getattr(cls, name, _NUMBERS.get(kind))
        place = words_of(tuple(fields))
        fields.append(Field(name, kind, place, default, note if kind is Kind.BLOCK else None))
    return tuple(fields)
