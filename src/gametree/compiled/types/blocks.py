"""Blocks of memory as kernels see them: one pointer to words, so that a recursive call passes one register for each.

`tree.visits` lowers to a load of where the array lies, `clock.nodes` to a load of the number, `clock.nodes = n` to a
store. What stays as it is while a kernel runs (see `kernel/memory.py`) is loaded as such: a store to an array does not
make LLVM load it again.
"""

import hashlib
from typing import Any

from gametree.compiled.toolchain import (
    DOUBLE,
    INT64,
    AttributeTemplate,
    infer_getattr,
    llvm,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    types,
)
from gametree.compiled.types import pointers
from gametree.kernel.memory import Field, Kind, Memory, layout_of

NUMBERS = {Kind.INT: types.int64, Kind.FLOAT: types.float64, Kind.BOOL: types.boolean}


class Block(types.Type):
    """The type of blocks of one class."""

    def __init__(self, cls: type[Memory]):
        self.cls = cls
        self.by_name: dict[str, Field] = {field.name: field for field in cls.fields}
        # Numba takes types of one name for one type, and a name stands in every function that takes a block.
        layout = hashlib.blake2b(repr((cls.__module__, layout_of(cls))).encode(), digest_size=8).hexdigest()
        super().__init__(f"{cls.__qualname__}_{layout}")


@register_model(Block)
class _BlockModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Block):
        super().__init__(manager, kind, INT64.as_pointer())


def field_type(field: Field) -> types.Type:
    """The Numba type of what a field holds."""
    if field.block is not None:
        return Block(field.block)
    if field.kind in NUMBERS:
        return NUMBERS[field.kind]
    return _array_type(field)


def _array_type(field: Field) -> pointers.ArrayPointer:
    return pointers.ArrayPointer(types.int64 if field.kind is Kind.INTS else types.float64)


def at(builder: Any, kind: Block, words: Any, name: str) -> Any:
    """Where the first word of a field lies."""
    return builder.gep(words, [llvm.Constant(INT64, kind.by_name[name].place)])


@infer_getattr
class _Fields(AttributeTemplate):
    key = Block

    def generic_resolve(self, kind: Block, name: str) -> Any:
        field = kind.by_name.get(name)
        return None if field is None else field_type(field)


@lower_getattr_generic(Block)
def _get(context: Any, builder: Any, kind: Block, words: Any, name: str) -> Any:
    field = kind.by_name[name]
    place = at(builder, kind, words, name)
    if field.kind is Kind.FLOAT:
        place = builder.bitcast(place, DOUBLE.as_pointer())
    word = builder.load(place)
    if kind.cls.frozen or field.kind not in NUMBERS:
        _mark_invariant(builder, word)
    if field.kind is Kind.BOOL:
        return builder.icmp_unsigned("!=", word, llvm.Constant(INT64, 0))
    if field.kind in NUMBERS:
        return word
    if field.block is not None:
        return builder.inttoptr(word, INT64.as_pointer())
    length = None
    pointer = _array_type(field)
    if pointer.checked:
        length = builder.load(builder.gep(place, [llvm.Constant(INT64, 1)]))
        _mark_invariant(builder, length)
    return pointers.make(context, builder, pointer, word, length)


@lower_setattr_generic(Block)
def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    kind, _ = sig.args
    words, value = args
    field = kind.by_name[name]
    if kind.cls.frozen or field.kind not in NUMBERS:
        raise TypeError(f"{kind.cls.__name__}.{name} stays what it is while a kernel runs")
    place = at(builder, kind, words, name)
    if field.kind is Kind.FLOAT:
        place = builder.bitcast(place, DOUBLE.as_pointer())
    elif field.kind is Kind.BOOL:
        value = builder.zext(value, INT64)
    builder.store(value, place)


def _mark_invariant(builder: Any, word: Any) -> None:
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
