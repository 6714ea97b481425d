"""Arrays as kernels see them: a bare pointer, so that a recursive call passes one register for each.

The caller owns the memory. Under NUMBA_BOUNDSCHECK=1 a span also carries its length and every access is checked.
"""

import operator
from typing import Any

from llvmlite import ir
from numba.core import config, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

INT64 = ir.IntType(64)


class Span(types.Type):
    """Memory of int64, float64 or uint64 items."""

    def __init__(self, dtype: types.Type):
        self.dtype = dtype
        self.checked = bool(config.BOUNDSCHECK)
        super().__init__(f"span({dtype})")


@register_model(Span)
class _SpanModel(models.StructModel):
    def __init__(self, manager: Any, kind: Span):
        members = [("data", types.CPointer(kind.dtype))]
        if kind.checked:
            members.append(("length", types.intp))
        super().__init__(manager, kind, members)


def make(context: Any, builder: Any, kind: Span, address: Any, length: Any) -> Any:
    """The span of `length` items that begins at an address."""
    span = context.make_helper(builder, kind)
    span.data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
    if kind.checked:
        span.length = length
    return span._getvalue()


def item(context: Any, builder: Any, kind: Span, span: Any, index: Any) -> Any:
    """Where an item lies."""
    fields = context.make_helper(builder, kind, value=span)
    if kind.checked:
        outside = builder.icmp_unsigned(">=", index, fields.length)
        with builder.if_then(outside, likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("index outside a span",))
    return builder.gep(fields.data, [index])


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        span, index = args
        if isinstance(span, Span) and isinstance(index, types.Integer):
            return signature(span.dtype, span, types.intp)
        return None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        span, index, _ = args
        if isinstance(span, Span) and isinstance(index, types.Integer):
            return signature(types.none, span, types.intp, span.dtype)
        return None


@lower_builtin(operator.getitem, Span, types.Integer)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.load(item(context, builder, sig.args[0], *args))


@lower_builtin(operator.setitem, Span, types.Integer, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    span, index, value = args
    builder.store(value, item(context, builder, sig.args[0], span, index))
    return context.get_dummy_value()
