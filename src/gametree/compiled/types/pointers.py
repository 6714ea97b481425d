"""Arrays as kernels see them: a bare pointer, so that a recursive call passes one register for each.

The caller owns the memory. Under NUMBA_BOUNDSCHECK=1 a pointer also carries the array's length and every
access is checked.
"""

import operator
from typing import Any

from gametree.compiled.toolchain import (
    AbstractTemplate,
    config,
    infer_global,
    lower_builtin,
    models,
    register_model,
    signature,
    types,
)


class ArrayPointer(types.Type):
    """Memory of int64, float64 or uint64 items."""

    def __init__(self, dtype: types.Type):
        self.dtype = dtype
        self.checked: bool = bool(config.BOUNDSCHECK)
        super().__init__(f"pointer({dtype})")


@register_model(ArrayPointer)
class _ArrayPointerModel(models.StructModel):
    def __init__(self, manager: Any, kind: ArrayPointer):
        members: list[tuple[str, types.Type]] = [("data", types.CPointer(kind.dtype))]
        if kind.checked:
            members.append(("length", types.intp))
        super().__init__(manager, kind, members)


def make(context: Any, builder: Any, kind: ArrayPointer, address: Any, length: Any) -> Any:
    """The array of `length` items that begins at an address."""
    array = context.make_helper(builder, kind)
    array.data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    if kind.checked:
        array.length = length
    return array._getvalue()


def item(context: Any, builder: Any, kind: ArrayPointer, array: Any, index: Any) -> Any:
    """Where an item lies."""
    fields = context.make_helper(builder, kind, value=array)
    if kind.checked:
        outside = builder.icmp_unsigned(">=", index, fields.length)
        with builder.if_then(outside, likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("index outside an array",))
    return builder.gep(fields.data, [index])


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index = args
        if isinstance(array, ArrayPointer) and isinstance(index, types.Integer):
            return signature(array.dtype, array, types.intp)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        array, index, _ = args
        if isinstance(array, ArrayPointer) and isinstance(index, types.Integer):
            return signature(types.none, array, types.intp, array.dtype)
        return None


@lower_builtin(operator.getitem, ArrayPointer, types.Integer)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(item(context, builder, sig.args[0], *args))


@lower_builtin(operator.setitem, ArrayPointer, types.Integer, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index, value = args
    builder.store(value, item(context, builder, sig.args[0], array, index))
    return context.get_dummy_value()
