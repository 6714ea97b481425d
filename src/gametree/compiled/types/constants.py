"""Tuples, lists, sets and dicts that never change, as read-only memory in the machine code.

    LINES = [(0, 1, 2), (3, 4, 5)]          →  {pointer to 2 rows of 3 ints, 2}
    NEAR = [[1, 3], [0, 2, 4]]              →  {pointer to 2 × {pointer, length}, 2}
    VALUE = {1: 10, 2: 30}                  →  {keys, values}, both as above

Rows of one short length stay tuples, so that `a, b, c = line` works; ragged rows become sequences of their own.
"""

import enum
import operator
from typing import Any

import numpy as np

from gametree.compiled.codegen.extending import overload, overload_method
from gametree.compiled.toolchain import (
    INT64,
    RefType,
    cgutils,
    intrinsic,
    iternext_impl,
    llvm,
    lower_builtin,
    lower_constant,
    models,
    register_model,
    typeof,
    typeof_impl,
    types,
)
from gametree.compiled.types import records
from gametree.compiled.types.wide import Letters, Wide, number, wide

LONGEST_ROW = 16
"""Rows up to this length are loaded as tuples."""


class Frozen(types.IterableType, types.Sized):
    """A read-only sequence with items of one type."""

    def __init__(self, dtype: types.Type):
        self.dtype = dtype
        super().__init__(f"frozen({dtype})")

    @property
    def iterator_type(self) -> types.Type:
        return FrozenIterator(self)

    @property
    def key(self) -> Any:
        return self.dtype


class FrozenIterator(types.SimpleIteratorType):
    """Walks over a frozen sequence."""

    def __init__(self, source: Frozen):
        self.source = source
        super().__init__(f"iter({source})", source.dtype)


class FrozenDict(types.IterableType, types.Sized):
    """A read-only mapping: two frozen sequences. Walking over it gives the keys."""

    def __init__(self, keys: Frozen, values: Frozen):
        self.keys = keys
        self.values = values
        super().__init__(f"frozen({keys.dtype}: {values.dtype})")

    @property
    def iterator_type(self) -> types.Type:
        return FrozenIterator(self.keys)


class Constant:
    """A list, dict or set of a module or closure, on its way into compiled code."""

    def __init__(self, value: Any):
        self.value = value


@typeof_impl.register(Constant)
def _typeof_constant(constant: Constant, context: Any) -> Any:
    return type_of(constant.value)


@register_model(Frozen)
class _FrozenModel(models.StructModel):
    def __init__(self, manager: Any, kind: Frozen):
        members = [("data", types.CPointer(kind.dtype)), ("length", types.intp)]
        super().__init__(manager, kind, members)


@register_model(FrozenIterator)
class _FrozenIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: FrozenIterator):
        members = [("source", kind.source), ("index", types.EphemeralPointer(types.intp))]
        super().__init__(manager, kind, members)


@register_model(FrozenDict)
class _FrozenDictModel(models.StructModel):
    def __init__(self, manager: Any, kind: FrozenDict):
        super().__init__(manager, kind, [("keys", kind.keys), ("values", kind.values)])


def type_of(value: Any) -> types.Type | None:
    """The Numba type of a constant; None where it has none."""
    if isinstance(value, Letters):
        return wide()
    if isinstance(value, enum.Enum) and not isinstance(value, (int, str)):
        return wide()
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, bool | np.bool_):
        return types.boolean
    if isinstance(value, np.generic):
        found: types.Type = typeof(value)
        return found
    if isinstance(value, int):
        if -(1 << 63) <= value < 1 << 63:
            return types.int64
        return types.uint64 if 0 <= value < 1 << 64 else None
    if isinstance(value, float):
        return types.float64
    if value is None:
        return types.none
    if isinstance(value, str):
        return wide()
    if records.is_record(value):
        return None if records.problem(type(value)) else type_of(as_row(value))
    if isinstance(value, tuple) and len(value) <= LONGEST_ROW:
        parts = [type_of(part) for part in value]
        rows = bool(value) and all(isinstance(part, (tuple, list)) for part in value)
        ragged = rows and len(set(parts)) > 1
        flat = all(part is not None and not isinstance(part, (Frozen, FrozenDict)) for part in parts)
        if flat and not ragged:
            cls = type(value) if hasattr(value, "_fields") else None
            return types.BaseTuple.from_types(parts, cls)
    if isinstance(value, (tuple, list, set, frozenset)):
        item = _common(list(value))
        return None if item is None else Frozen(item)
    if isinstance(value, dict):
        keys, values = _common(list(value)), _common(list(value.values()))
        return None if keys is None or values is None else FrozenDict(Frozen(keys), Frozen(values))
    return None


def as_row(value: Any) -> Any:
    """A frozen dataclass as the named tuple that stands for it."""
    cls: Any = type(value)
    return records.twin(cls)._make(records.parts(value)) if records.is_record(value) else value


def _common(items: list[Any]) -> types.Type | None:
    """The one type that all items can have."""
    if not items:
        return types.int64
    items = [as_row(item) for item in items]
    if all(isinstance(item, (tuple, list)) for item in items):
        short = all(isinstance(item, tuple) or len(item) <= 4 for item in items)
        if len({len(item) for item in items}) == 1 and 0 < len(items[0]) <= LONGEST_ROW and short:
            columns = [_common([item[i] for item in items]) for i in range(len(items[0]))]
            if all(column is not None for column in columns):
                cls = type(items[0]) if hasattr(items[0], "_fields") else None
                return types.BaseTuple.from_types(columns, cls)
        inner = _common([part for item in items for part in item])
        return None if inner is None else Frozen(inner)
    kinds = {type_of(item) for item in items}
    if None in kinds:
        return None
    if len(kinds) == 1:
        return kinds.pop()
    if kinds <= {wide(), types.none, types.int64, types.boolean}:
        return wide()
    if kinds <= {types.int64, types.boolean}:
        return types.int64
    if kinds <= {types.int64, types.boolean, types.float64}:
        return types.float64
    if kinds <= {types.int64, types.uint64} and all(item >= 0 for item in items):
        return types.uint64
    return None


def lower(context: Any, builder: Any, kind: types.Type, value: Any) -> Any:
    """The constant as an LLVM value."""
    if isinstance(kind, (Frozen, FrozenDict)):
        return _aggregate(context, builder, kind, value)
    value = as_row(value)
    if isinstance(value, enum.Enum) and not isinstance(kind, Wide):
        value = value.value
    if isinstance(kind, types.BaseTuple):
        parts = [lower(context, builder, part_kind, part) for part_kind, part in zip(kind, value)]
        return context.make_tuple(builder, kind, parts)
    return context.get_constant_generic(builder, kind, value)


def _aggregate(context: Any, builder: Any, kind: Frozen | FrozenDict, value: Any) -> llvm.Constant:
    if isinstance(kind, FrozenDict):
        halves = [
            _aggregate(context, builder, kind.keys, list(value)),
            _aggregate(context, builder, kind.values, list(value.values())),
        ]
        return llvm.Constant.literal_struct(halves)
    items = list(value)
    memory = context.get_data_type(kind.dtype)
    cells = [_in_memory(context, builder, kind.dtype, item) for item in items]
    array = llvm.Constant(llvm.ArrayType(memory, max(1, len(items))), cells or [llvm.Constant(memory, None)])
    module = builder.module
    name = module.get_unique_name("gametree.frozen")
    variable = llvm.GlobalVariable(module, array.type, name)
    variable.linkage = "internal"
    variable.global_constant = True
    variable.initializer = array
    zero = llvm.Constant(llvm.IntType(32), 0)
    pointer = variable.gep([zero, zero])
    return llvm.Constant.literal_struct([pointer, llvm.Constant(INT64, len(items))])


def _in_memory(context: Any, builder: Any, kind: types.Type, value: Any) -> llvm.Constant:
    """A constant as it lies in memory: bools take a byte, tuples are structs or arrays."""
    memory = context.get_data_type(kind)
    value = as_row(value)
    if isinstance(kind, Wide):
        whole = number(value, kind.words)
        return llvm.Constant(memory, [INT64(whole >> 64 * i & (1 << 64) - 1) for i in range(kind.words)])
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(kind, (Frozen, FrozenDict)):
        return _aggregate(context, builder, kind, value)
    if isinstance(kind, types.BaseTuple):
        parts = [_in_memory(context, builder, part_kind, part) for part_kind, part in zip(kind, value)]
        return llvm.Constant(memory, parts)
    if isinstance(kind, types.Float):
        return llvm.Constant(memory, float(value))
    return llvm.Constant(memory, int(value))


@lower_constant(Frozen)
@lower_constant(FrozenDict)
def _lower_wrapped(context: Any, builder: Any, kind: Frozen | FrozenDict, constant: Any) -> Any:
    return _aggregate(context, builder, kind, constant.value if isinstance(constant, Constant) else constant)


@lower_builtin("getiter", Frozen)
def _lower_iter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    iterator.source = args[0]
    iterator.index = cgutils.alloca_once_value(builder, context.get_constant(types.intp, 0))
    return iterator._getvalue()


@lower_builtin("getiter", FrozenDict)
def _lower_dict_iter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    keys = builder.extract_value(args[0], 0)
    return _lower_iter(context, builder, sig, (keys,))


@lower_builtin("iternext", FrozenIterator)
@iternext_impl(RefType.UNTRACKED)
def _lower_next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (kind,) = sig.args
    iterator = context.make_helper(builder, kind, args[0])
    length = builder.extract_value(iterator.source, 1)
    index = builder.load(iterator.index)
    valid = builder.icmp_signed("<", index, length)
    result.set_valid(valid)
    with builder.if_then(valid):
        pointer = builder.gep(builder.extract_value(iterator.source, 0), [index])
        result.yield_(context.unpack_value(builder, kind.source.dtype, pointer))
        builder.store(builder.add(index, context.get_constant(types.intp, 1)), iterator.index)


@intrinsic
def _item(typing_context: Any, source: Any, index: Any) -> Any:
    """The item at an index that is known to be inside."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = builder.gep(builder.extract_value(args[0], 0), [args[1]])
        return context.unpack_value(builder, sig.args[0].dtype, pointer)

    return source.dtype(source, types.intp), generate


@intrinsic
def _length(typing_context: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_value(args[0], 1)

    return types.intp(source), generate


@intrinsic
def _keys(typing_context: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_value(args[0], 0)

    return source.keys(source), generate


@intrinsic
def _values(typing_context: Any, source: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_value(args[0], 1)

    return source.values(source), generate


@overload(len)
def _len(source: Any) -> Any:
    if isinstance(source, Frozen):
        return lambda source: _length(source)
    if isinstance(source, FrozenDict):
        return lambda source: _length(_keys(source))
    return None


@overload(operator.getitem)
def _getitem(source: Any, index: Any) -> Any:
    if isinstance(source, Frozen) and isinstance(index, (types.Integer, types.Boolean)):

        def get(source, index):  # type: ignore[no-untyped-def]
            size = _length(source)
            at = index + size if index < 0 else index
            if at < 0 or at >= size:
                raise IndexError("index out of range")
            return _item(source, at)

        return get
    if isinstance(source, Frozen) and isinstance(index, types.SliceType):

        def cut(source, index):  # type: ignore[no-untyped-def]
            bounds = index.indices(_length(source))
            return [_item(source, i) for i in range(bounds[0], bounds[1], bounds[2])]

        return cut
    if isinstance(source, FrozenDict):

        def look_up(source, index):  # type: ignore[no-untyped-def]
            keys = _keys(source)
            for i in range(_length(keys)):
                if _item(keys, i) == index:
                    return _item(_values(source), i)
            raise KeyError("no such key")

        return look_up
    return None


@overload(operator.contains)
def _contains(source: Any, item: Any) -> Any:
    if isinstance(source, Frozen):

        def search(source, item):  # type: ignore[no-untyped-def]
            for i in range(_length(source)):  # noqa: SIM110
                if _item(source, i) == item:
                    return True
            return False

        return search
    if isinstance(source, FrozenDict):
        return lambda source, item: item in _keys(source)
    return None


@overload_method(FrozenDict, "get")
def _get(source: Any, index: Any, default: Any = None) -> Any:
    if default in (None, types.none) or isinstance(default, types.Omitted):
        return None

    def get(source, index, default=None):  # type: ignore[no-untyped-def]
        keys = _keys(source)
        for i in range(_length(keys)):
            if _item(keys, i) == index:
                return _item(_values(source), i)
        return default

    return get


@overload_method(FrozenDict, "keys")
def _dict_keys(source: Any) -> Any:
    return lambda source: _keys(source)


@overload_method(FrozenDict, "values")
def _dict_values(source: Any) -> Any:
    return lambda source: _values(source)


@overload_method(FrozenDict, "items")
def _dict_items(source: Any) -> Any:
    def items(source):  # type: ignore[no-untyped-def]
        keys, values = _keys(source), _values(source)
        return [(_item(keys, i), _item(values, i)) for i in range(_length(keys))]

    return items


@overload_method(Frozen, "index")
def _index(source: Any, item: Any) -> Any:
    def index(source, item):  # type: ignore[no-untyped-def]
        for i in range(_length(source)):
            if _item(source, i) == item:
                return i
        raise ValueError("not in the sequence")

    return index


@overload_method(Frozen, "count")
def _count(source: Any, item: Any) -> Any:
    def count(source, item):  # type: ignore[no-untyped-def]
        found = 0
        for i in range(_length(source)):
            if _item(source, i) == item:
                found += 1
        return found

    return count


@overload(list)
@overload(tuple)
def _to_list(source: Any) -> Any:
    if isinstance(source, Frozen):
        return lambda source: [x for x in source]  # noqa: C416
    return None
