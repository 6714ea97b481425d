"""Shapes and kernel parameters as Numba types, and how arguments are read from words."""

from collections.abc import Iterator
from typing import Any

from gametree.compiled.toolchain import DOUBLE, INT64, cgutils, llvm, types
from gametree.compiled.types import blocks, bounded, pointers, records, wide
from gametree.compiled.types.layout import Maybe, Ragged, Scalar, Shape, Text
from gametree.compiled.types.machine import frame_address
from gametree.kernel import primitives
from gametree.kernel.memory import is_block

_SCALARS = {
    "int64": types.int64,
    "uint64": types.uint64,
    "int32": types.int32,
    "uint32": types.uint32,
    "int16": types.int16,
    "uint16": types.uint16,
    "int8": types.int8,
    "uint8": types.uint8,
    "float64": types.float64,
    "float32": types.float32,
    "bool": types.boolean,
}


def numba_type(shape: Shape) -> types.Type:
    """The Numba type of a shape."""
    if isinstance(shape, Scalar):
        return _SCALARS[shape.kind]
    if isinstance(shape, Text):
        return wide.Wide(shape.words)
    if isinstance(shape, Ragged):
        assert shape.item is not None
        return bounded.Bounded(numba_type(shape.item), shape.most, shape.unordered)
    if isinstance(shape, Maybe):
        return types.Optional(numba_type(shape.item))
    cls = None if shape.cls is None else records.twin(shape.cls)
    return types.BaseTuple.from_types(tuple(numba_type(item) for item in shape.items), cls)


def parameter_type(annotation: Any) -> types.Type:
    """The Numba type that a kernel's annotation stands for."""
    if is_block(annotation):
        return blocks.Block(annotation)
    table = [
        (int, types.int64),
        (float, types.float64),
        (bool, types.boolean),
        (primitives.Floats, pointers.ArrayPointer(types.float64)),
        (primitives.Ints, pointers.ArrayPointer(types.int64)),
    ]
    for note, kind in table:
        if annotation == note:
            return kind
    raise AssertionError(
        f"kernels take int, float, bool, Ints, Floats and blocks of memory, not {annotation!r}"
    )


class Reader:
    """Reads typed arguments from consecutive words."""

    def __init__(self, context: Any, builder: Any, pointer: Any):
        self.context = context
        self.builder = builder
        self.pointer = pointer
        self.position: int = 0

    def word(self) -> Any:
        """The next word."""
        at = self.builder.gep(self.pointer, [llvm.Constant(INT64, self.position)])
        self.position += 1
        return self.builder.load(at)

    def rest(self) -> Any:
        """Where the words that were not read begin."""
        return self.builder.gep(self.pointer, [llvm.Constant(INT64, self.position)])

    def argument(self, kind: types.Type) -> Any:
        """The next argument of a type."""
        if isinstance(kind, types.BaseTuple):
            return self.context.make_tuple(self.builder, kind, [self.argument(part) for part in kind])
        if isinstance(kind, wide.Wide | bounded.Bounded | types.Optional):
            words = iter([self.word() for _ in range(word_count(kind))])
            return from_row(self.context, self.builder, kind, words)
        if isinstance(kind, pointers.ArrayPointer):
            return pointers.make(self.context, self.builder, kind, self.word(), self.word())
        if isinstance(kind, blocks.Block):
            return self.builder.inttoptr(self.word(), INT64.as_pointer())
        return from_word(self.context, self.builder, kind, self.word())


def from_word(context: Any, builder: Any, kind: types.Type, word: Any) -> Any:
    """A scalar from its 8-byte word; floats of any width travel as doubles."""
    if isinstance(kind, types.Boolean):
        return builder.icmp_unsigned("!=", word, llvm.Constant(INT64, 0))
    if isinstance(kind, types.Float):
        double = builder.bitcast(word, DOUBLE)
        return double if kind == types.float64 else builder.fptrunc(double, context.get_value_type(kind))
    assert isinstance(kind, types.Integer)
    return word if kind.bitwidth == 64 else builder.trunc(word, context.get_value_type(kind))


def to_word(builder: Any, value: Any) -> Any:
    """The 8-byte word of an int64, a float64 or a bool."""
    if value.type == DOUBLE:
        return builder.bitcast(value, INT64)
    return value if value.type == INT64 else builder.zext(value, INT64)


def words_of(context: Any, builder: Any, kind: types.Type, value: Any) -> list[Any]:
    """The 8-byte words of a scalar or (nested) tuple, in order."""
    if isinstance(kind, types.BaseTuple):
        parts = cgutils.unpack_tuple(builder, value, len(kind))
        return [word for part, item in zip(kind, parts) for word in words_of(context, builder, part, item)]
    if isinstance(kind, wide.Wide):
        return wide.split(builder, value)
    if isinstance(kind, bounded.Bounded):
        length, items = bounded.taken_apart(context, builder, kind, value)
        return [length, *(word for item in items for word in words_of(context, builder, kind.dtype, item))]
    if isinstance(kind, types.Optional):
        valid, item = maybe(context, builder, kind, value)
        words = words_of(context, builder, kind.type, item)
        return [
            builder.zext(valid, INT64),
            *(builder.select(valid, word, word.type(0)) for word in words),
        ]
    if isinstance(kind, types.Boolean):
        return [builder.zext(value, INT64)]
    if isinstance(kind, types.Float):
        return [builder.bitcast(context.cast(builder, value, kind, types.float64), INT64)]
    return [context.cast(builder, value, kind, types.int64)]


def word_count(kind: types.Type) -> int:
    """How many words a scalar or (nested) tuple takes."""
    if isinstance(kind, wide.Wide):
        return kind.words
    if isinstance(kind, bounded.Bounded):
        return 1 + kind.most * word_count(kind.dtype)
    if isinstance(kind, types.Optional):
        return 1 + word_count(kind.type)
    return sum(word_count(part) for part in kind) if isinstance(kind, types.BaseTuple) else 1


def from_words(
    context: Any, builder: Any, kind: types.Type, array: pointers.ArrayPointer, memory: Any, at: Any
) -> Any:
    """The scalar or tuple that was written to an array word by word."""
    if isinstance(kind, types.BaseTuple):
        parts = []
        for part in kind:
            parts.append(from_words(context, builder, part, array, memory, at))
            at = builder.add(at, context.get_constant(types.intp, word_count(part)))
        return context.make_tuple(builder, kind, parts)
    if isinstance(kind, wide.Wide | bounded.Bounded | types.Optional):
        words = [
            builder.load(pointers.item(context, builder, array, memory, builder.add(at, INT64(i))))
            for i in range(word_count(kind))
        ]
        return from_row(context, builder, kind, iter(words))
    word = builder.load(pointers.item(context, builder, array, memory, at))
    return from_word(context, builder, kind, word)


def from_row(context: Any, builder: Any, kind: types.Type, words: Iterator[Any]) -> Any:
    """A value from its words, one after another."""
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, [from_row(context, builder, part, words) for part in kind])
    if isinstance(kind, wide.Wide):
        return wide.join(builder, [next(words) for _ in range(kind.words)])
    if isinstance(kind, bounded.Bounded):
        length = next(words)
        items = [from_row(context, builder, kind.dtype, words) for _ in range(kind.most)]
        return bounded.made(context, builder, kind, length, items)
    if isinstance(kind, types.Optional):
        valid = builder.icmp_unsigned("!=", next(words), INT64(0))
        item = from_row(context, builder, kind.type, words)
        return made_maybe(context, builder, kind, valid, item)
    return from_word(context, builder, kind, next(words))


def maybe(context: Any, builder: Any, kind: types.Optional, value: Any) -> tuple[Any, Any]:
    """Whether there is something, and what."""
    optional = context.make_helper(builder, kind, value)
    return builder.icmp_unsigned("!=", optional.valid, optional.valid.type(0)), optional.data


def made_maybe(context: Any, builder: Any, kind: types.Optional, valid: Any, item: Any) -> Any:
    """Something where `valid`, else None."""
    optional = context.make_helper(builder, kind)
    optional.valid = valid
    optional.data = item
    return optional._getvalue()


def mark_stack(builder: Any, kind: blocks.Block, clock: Any) -> Any:
    """`stack` becomes the lowest address that the stack may reach: here less `budget`. Gives where the clock lies."""
    budget = builder.load(blocks.at(builder, kind, clock, "budget"))
    builder.store(builder.sub(frame_address(builder), budget), blocks.at(builder, kind, clock, "stack"))
    return clock
