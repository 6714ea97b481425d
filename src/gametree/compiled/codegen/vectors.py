"""Rows of `gametree.kernel.vectors` as vectors of the processor."""

import operator
from typing import Any

from gametree.compiled.codegen.extending import overload
from gametree.compiled.toolchain import (
    INT64,
    AbstractTemplate,
    config,
    infer_global,
    intrinsic,
    llvm,
    lower_builtin,
    models,
    register_model,
    signature,
    types,
)
from gametree.kernel.vectors import LANES, MOST, own, put_row, row, squares

INT16, INT32 = llvm.IntType(16), llvm.IntType(32)
VECTOR = llvm.VectorType(INT16, LANES)


class Lanes(types.Type):
    """A row in registers."""

    def __init__(self) -> None:
        super().__init__("lanes")


LANES_TYPE = Lanes()


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes):
        super().__init__(manager, kind, VECTOR)


def _is_table(table: Any) -> bool:
    return isinstance(table, types.Array) and table.ndim == 2 and table.dtype == types.int16


@overload(row)
def _row(table: Any, i: Any) -> Any:
    return (lambda table, i: _loaded(table, i)) if _is_table(table) else None


@overload(put_row)
def _put_row(table: Any, i: Any, numbers: Any) -> Any:
    if _is_table(table) and isinstance(numbers, Lanes):
        return lambda table, i, numbers: _stored(table, i, numbers)
    return None


@overload(own)
def _own(array: Any) -> Any:
    # Whoever calls machine code hands it arrays of its own (`native.Bound`).
    return (lambda array: array) if isinstance(array, types.Array) else None


@intrinsic
def _loaded(typing_context: Any, table: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, sig, args), align=2)

    return LANES_TYPE(table, types.intp), generate


@intrinsic
def _stored(typing_context: Any, table: Any, i: Any, numbers: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, sig, args), align=2)
        return context.get_dummy_value()

    return types.void(table, types.intp, numbers), generate


def _place(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Where a row begins, as a pointer to a vector."""
    array = context.make_array(sig.args[0])(context, builder, value=args[0])
    if config.BOUNDSCHECK:
        rows = builder.extract_value(array.shape, 0)
        with builder.if_then(builder.icmp_unsigned(">=", args[1], rows), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("row: index outside the array",))
    first = builder.mul(args[1], llvm.Constant(args[1].type, LANES))
    return builder.bitcast(builder.gep(array.data, [first]), VECTOR.as_pointer())


class _OfRows(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and all(isinstance(argument, Lanes) for argument in args):
            return signature(LANES_TYPE, *args)
        return None


@infer_global(operator.add)
class _Add(_OfRows):
    pass


@infer_global(operator.sub)
class _Subtract(_OfRows):
    pass


@lower_builtin(operator.add, Lanes, Lanes)
def _add(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.add(*args)


@lower_builtin(operator.sub, Lanes, Lanes)
def _subtract(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.sub(*args)


@overload(squares)
def _squares(sums: Any, weights: Any) -> Any:
    if isinstance(sums, Lanes) and isinstance(weights, Lanes):
        return lambda sums, weights: _summed(sums, weights)
    return None


@intrinsic
def _summed(typing_context: Any, sums: Any, weights: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        def every(number: int) -> Any:
            return llvm.Constant(VECTOR, [number] * LANES)

        value = args[0]
        value = builder.select(builder.icmp_signed(">", value, every(0)), value, every(0))
        value = builder.select(builder.icmp_signed("<", value, every(MOST)), value, every(MOST))
        wide = llvm.VectorType(INT32, LANES)
        # Cut off, a number squared still has 16 bits, without a sign.
        total = builder.mul(builder.zext(builder.mul(value, value), wide), builder.sext(args[1], wide))
        lanes = LANES
        while lanes > 1:
            half = lanes // 2
            low, high = (
                builder.shuffle_vector(
                    total, total, llvm.Constant(llvm.VectorType(INT32, half), list(range(at, at + half)))
                )
                for at in (0, half)
            )
            total, lanes = builder.add(low, high), half
        return builder.sext(builder.extract_element(total, llvm.Constant(INT32, 0)), INT64)

    return types.int64(sums, weights), generate
