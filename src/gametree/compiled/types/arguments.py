"""Shapes and kernel parameters as Numba types, and how arguments are read from words."""

import struct
import time
from typing import Any

from gametree.compiled.toolchain import DOUBLE, INT64, cgutils, llvm, types
from gametree.compiled.types import blocks, pointers
from gametree.compiled.types.layout import Scalar, Shape
from gametree.kernel import primitives
from gametree.kernel.memory import is_block

_MONOTONIC = (
    time.get_clock_info("perf_counter").implementation == "clock_gettime(CLOCK_MONOTONIC)"
    and struct.calcsize("l") == 8
)

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
    return types.BaseTuple.from_types(tuple(numba_type(item) for item in shape.items), shape.cls)


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
    if isinstance(kind, types.Boolean):
        return [builder.zext(value, INT64)]
    if isinstance(kind, types.Float):
        return [builder.bitcast(context.cast(builder, value, kind, types.float64), INT64)]
    return [context.cast(builder, value, kind, types.int64)]


def word_count(kind: types.Type) -> int:
    """How many words a scalar or (nested) tuple takes."""
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
    word = builder.load(pointers.item(context, builder, array, memory, at))
    return from_word(context, builder, kind, word)


def frame_address(builder: Any) -> Any:
    """Where the stack of the running thread stands."""
    kind = llvm.FunctionType(llvm.IntType(8).as_pointer(), [llvm.IntType(32)])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.frameaddress.p0")
    return builder.ptrtoint(builder.call(function, [llvm.Constant(llvm.IntType(32), 0)]), INT64)


def now(builder: Any) -> Any:
    """The clock of `time.perf_counter` in nanoseconds without asking Python; long ago where it is another one."""
    if not _MONOTONIC:
        return llvm.Constant(INT64, -(1 << 63))
    kind = llvm.FunctionType(llvm.IntType(32), [llvm.IntType(32), INT64.as_pointer()])
    function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
    parts = cgutils.alloca_once(builder, INT64, size=2)  # struct timespec: seconds, nanoseconds
    builder.call(function, [llvm.Constant(llvm.IntType(32), time.CLOCK_MONOTONIC), parts])
    seconds, rest = (builder.load(builder.gep(parts, [llvm.Constant(INT64, i)])) for i in range(2))
    return builder.add(builder.mul(seconds, llvm.Constant(INT64, 1_000_000_000)), rest)


def mark_stack(builder: Any, kind: blocks.Block, clock: Any) -> Any:
    """`stack` becomes the lowest address that the stack may reach: here less `budget`. Gives where the clock lies."""
    budget = builder.load(blocks.at(builder, kind, clock, "budget"))
    builder.store(builder.sub(frame_address(builder), budget), blocks.at(builder, kind, clock, "stack"))
    return clock
