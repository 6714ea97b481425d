"""Tuples whose length varies and frozensets as they lie in a state: a length, and room for so many items.

Items beyond the length are zeros, and those of a set are sorted by their words, so that equal values have equal words.
What rules make of them are lists and sets, as everywhere; where the contract wants a state, `casts.py` calls `packed`.
"""

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

from gametree.compiled.toolchain import (
    INT64,
    RefType,
    cgutils,
    intrinsic,
    iternext_impl,
    llvm,
    lower_builtin,
    models,
    register_model,
    types,
)
from gametree.compiled.types import wide


class Bounded(types.IterableType, types.Hashable):
    """The Numba type of a tuple of up to `most` items; `unordered`, a frozenset."""

    def __init__(self, dtype: types.Type, most: int, unordered: bool):
        self.dtype = dtype
        self.most = most
        self.unordered = unordered
        super().__init__(f"{'set' if unordered else 'row'}({dtype} x {most})")

    @property
    def key(self) -> Any:
        return self.dtype, self.most, self.unordered

    @property
    def iterator_type(self) -> types.Type:
        return BoundedIterator(self)

    def unify(self, context: Any, other: Any) -> Any:
        """Of two lengths the larger one."""
        if isinstance(other, Bounded) and (other.dtype, other.unordered) == (self.dtype, self.unordered):
            return self if self.most >= other.most else other
        empty = isinstance(other, types.Tuple) and len(other) == 0
        return self if empty else None

    def can_convert_from(self, context: Any, other: Any) -> Any:
        if isinstance(other, Bounded):
            same = (other.dtype, other.unordered) == (self.dtype, self.unordered) and other.most <= self.most
            return wide.context_conversion("safe") if same else None
        empty = isinstance(other, types.Tuple) and len(other) == 0
        return wide.context_conversion("safe") if empty else None

    @property
    def row(self) -> types.UniTuple:
        """Its items with those beyond its length."""
        return types.UniTuple(self.dtype, self.most)


@dataclasses.dataclass
class Room:
    """What is kept for texts, tuples and sets of the game that is compiled, under Numba's lock."""

    words: int
    kinds: list[Bounded]

    def of(self, dtype: types.Type, unordered: bool) -> Bounded | None:
        """The type in which a state has such tuples or sets."""
        found = [kind for kind in self.kinds if kind.dtype == dtype and kind.unordered == unordered]
        return max(found, key=lambda kind: kind.most) if found else None


class Current:
    """The room of the game that is compiled."""

    room: Room = Room(1, [])


@contextlib.contextmanager
def of_universe(room: Room) -> Iterator[None]:
    """Within this block a game is compiled that has such room."""
    before, Current.room = Current.room, room
    try:
        with wide.of_width(room.words):
            yield
    finally:
        Current.room = before


class BoundedIterator(types.SimpleIteratorType):
    """Walks over the items."""

    def __init__(self, source: Bounded):
        self.source = source
        super().__init__(f"iter({source})", source.dtype)


@register_model(Bounded)
class _BoundedModel(models.StructModel):
    def __init__(self, manager: Any, kind: Bounded):
        super().__init__(manager, kind, [("length", types.int64), ("items", kind.row)])


@register_model(BoundedIterator)
class _BoundedIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: BoundedIterator):
        members = [
            ("source", types.EphemeralPointer(kind.source)),
            ("index", types.EphemeralPointer(types.int64)),
        ]
        super().__init__(manager, kind, members)


def made(context: Any, builder: Any, kind: Bounded, length: Any, items: list[Any]) -> Any:
    """The value of a length and all items."""
    struct = cgutils.create_struct_proxy(kind)(context, builder)
    struct.length = length
    struct.items = context.make_tuple(builder, kind.row, items)
    return struct._getvalue()


def taken_apart(context: Any, builder: Any, kind: Bounded, value: Any) -> tuple[Any, list[Any]]:
    """The length and all items of a value."""
    struct = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    return struct.length, cgutils.unpack_tuple(builder, struct.items, kind.most)


def load(context: Any, builder: Any, kind: Bounded, value: Any, index: Any) -> Any:
    """The item at an index that is inside."""
    row = builder.extract_value(value, 1)
    slot = cgutils.alloca_once_value(builder, row)
    return builder.load(builder.gep(slot, [llvm.Constant(llvm.IntType(32), 0), index]))


@intrinsic
def size(typing_context: Any, source: Any) -> Any:
    """How many items there are."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_value(args[0], 0)

    return types.int64(source), generate


@intrinsic
def item(typing_context: Any, source: Any, index: Any) -> Any:
    """The item at an index that is known to be inside."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return load(context, builder, sig.args[0], *args)

    return source.dtype(source, types.int64), generate


@lower_builtin("getiter", Bounded)
def _lower_iter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    held = context.data_model_manager[sig.args[0]].as_data(builder, args[0])
    iterator.source = cgutils.alloca_once_value(builder, held)
    iterator.index = cgutils.alloca_once_value(builder, INT64(0))
    return iterator._getvalue()


@lower_builtin("iternext", BoundedIterator)
@iternext_impl(RefType.UNTRACKED)
def _lower_next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (kind,) = sig.args
    iterator = context.make_helper(builder, kind, args[0])
    index = builder.load(iterator.index)
    zero, one = llvm.Constant(llvm.IntType(32), 0), llvm.Constant(llvm.IntType(32), 1)
    length = builder.load(builder.gep(iterator.source, [zero, zero]))
    valid = builder.icmp_signed("<", index, length)
    result.set_valid(valid)
    with builder.if_then(valid):
        place = builder.gep(iterator.source, [zero, one, index])
        result.yield_(context.unpack_value(builder, kind.source.dtype, place))
        builder.store(builder.add(index, INT64(1)), iterator.index)
