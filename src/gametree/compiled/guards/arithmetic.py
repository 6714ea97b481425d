"""Arithmetic of the rules that notices where it would differ from Python's: machine code gives up there.

Python's ints have no end, those of machine code 64 bits. After type inference an operation on ints is replaced by one
that gives up where the result does not fit; the game then runs interpreted. LLVM leaves out the checks that can never
fail, where it sees the range of the operands: the number of a row, an index, a loop's variable.

    +  −  *  **  <<  //  negation  abs  sum  divmod      beyond 64 bits
    <<  >>                        by a negative number is a ValueError, by 64 and more what it is in Python
    /  and comparison with a float    of ints that a float cannot hold: beyond 2⁵³
    **, functions of `math`       of floats, where Python would raise or answer with a complex number
    int(x), round(x), floor …     of a float beyond 64 bits, or nan
    np.int8 and the like          results that NumPy would wrap around; unsigned 64 bits wrap in NumPy, too
"""

import builtins
import functools
import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from gametree.compiled.codegen.extending import lowered
from gametree.compiled.frontend.signedness import Whole
from gametree.compiled.guards.plumbing import GUARD, give_up_if
from gametree.compiled.toolchain import DOUBLE, INT64, FunctionPass, cgutils, ir, llvm, register_pass, types

_LOWEST: Final = -(1 << 63)
_EXACT: Final = 1 << 53
"""Up to here every int is a float."""
Generate = Callable[[Any, Any, Any, Any], Any]


def _number(value: int) -> Any:
    return llvm.Constant(INT64, value)


def _is(builder: Any, sign: str, value: Any, number: int) -> Any:
    return builder.icmp_signed(sign, value, _number(number))


def _made(name: str, definition: Any) -> Any:
    """A function that compiled code calls, with machine code of its own."""

    def operation(*arguments: Any) -> Any:
        raise NotImplementedError

    operation.__name__ = operation.__qualname__ = f"checked_{name}"
    lowered(operation)(definition)
    return operation


# --- ints -------------------------------------------------------------------------------------------


def _sum(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _unless_over(builder, builder.sadd_with_overflow(*args))


def _difference(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _unless_over(builder, builder.ssub_with_overflow(*args))


def _product(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _unless_over(builder, builder.smul_with_overflow(*args))


def _unless_over(builder: Any, pair: Any) -> Any:
    give_up_if(builder, builder.extract_value(pair, 1))
    return builder.extract_value(pair, 0)


def _quotient(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _refuse_lowest_by_minus_one(builder, args)
    return context.get_function(operator.floordiv, sig)(builder, args)


def _both(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _refuse_lowest_by_minus_one(builder, args)
    plain = types.UniTuple(types.int64, 2)(types.int64, types.int64)
    return context.get_function(builtins.divmod, plain)(builder, args)


def _refuse_lowest_by_minus_one(builder: Any, args: Any) -> None:
    give_up_if(builder, builder.and_(_is(builder, "==", args[0], _LOWEST), _is(builder, "==", args[1], -1)))


def _negation(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _difference(context, builder, sig, (_number(0), args[0]))


def _absolute(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (value,) = args
    negative = _negation(context, builder, sig, args)
    return builder.select(_is(builder, "<", value, 0), negative, value)


def _power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Square and multiply; a negative exponent gives a float in Python."""
    base, exponent = args
    give_up_if(builder, _is(builder, "<", exponent, 0))
    result = cgutils.alloca_once_value(builder, _number(1))
    square = cgutils.alloca_once_value(builder, base)
    rest = cgutils.alloca_once_value(builder, exponent)
    for place, value in ((result, _number(1)), (square, base), (rest, exponent)):
        builder.store(value, place)
    head, body, more, done = (builder.append_basic_block(name) for name in ("head", "body", "more", "done"))
    builder.branch(head)
    builder.position_at_end(head)
    builder.cbranch(_is(builder, "!=", builder.load(rest), 0), body, done)
    builder.position_at_end(body)
    with builder.if_then(builder.trunc(builder.load(rest), llvm.IntType(1))):
        product = builder.smul_with_overflow(builder.load(result), builder.load(square))
        builder.store(_unless_over(builder, product), result)
    half = builder.lshr(builder.load(rest), _number(1))
    builder.store(half, rest)
    builder.cbranch(_is(builder, "!=", half, 0), more, done)
    builder.position_at_end(more)
    product = builder.smul_with_overflow(builder.load(square), builder.load(square))
    builder.store(_unless_over(builder, product), square)
    builder.branch(head)
    builder.position_at_end(done)
    return builder.load(result)


def _left(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, by = args
    _refuse_negative_shift(context, builder, by)
    far = _is(builder, ">", by, 63)
    give_up_if(builder, builder.and_(far, _is(builder, "!=", value, 0)))
    near = builder.select(far, _number(0), by)
    moved = builder.shl(value, near)
    give_up_if(builder, builder.icmp_signed("!=", builder.ashr(moved, near), value))
    return moved


def _right(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value, by = args
    _refuse_negative_shift(context, builder, by)
    return builder.ashr(value, builder.select(_is(builder, ">", by, 63), _number(63), by))


def _refuse_negative_shift(context: Any, builder: Any, by: Any) -> None:
    with builder.if_then(_is(builder, "<", by, 0), likely=False):
        context.call_conv.return_user_exc(builder, ValueError, ("negative shift count",))


def _unsigned_shift(left: bool) -> Generate:
    """NumPy's: nothing is left of a number that was shifted by all of its bits."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value, by = args
        far = builder.icmp_unsigned(">", by, _number(63))
        if sig.args[1].signed:
            give_up_if(builder, _is(builder, "<", by, 0))
        near = builder.select(far, _number(0), by)
        moved = builder.shl(value, near) if left else builder.lshr(value, near)
        return builder.select(far, _number(0), moved)

    return generate


INTS: Final[dict[str, tuple[int, Generate]]] = {
    "add": (2, _sum),
    "sub": (2, _difference),
    "mul": (2, _product),
    "floordiv": (2, _quotient),
    "pow": (2, _power),
    "lshift": (2, _left),
    "rshift": (2, _right),
    "neg": (1, _negation),
    "abs": (1, _absolute),
}
"""By the name in `operator`: how many ints it takes, and its machine code."""


@functools.cache
def on_ints(name: str, narrow: Any = None) -> Any:
    """A checked operation on ints of 64 bits; `narrow`: NumPy would keep the result in so few bits."""
    count, generate = INTS[name]

    def fitting(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        result = generate(context, builder, sig, args)
        if narrow is not None:
            refuse_outside(builder, result, narrow)
        return result

    signature = types.int64(*([types.int64] * count))
    if count == 1:
        return _made(name, lambda typing, one: (signature, fitting))
    return _made(name, lambda typing, one, other: (signature, fitting))


def refuse_outside(builder: Any, value: Any, kind: Any) -> None:
    """Gives up where an int of 64 bits is outside a smaller type."""
    low = builder.icmp_signed("<", value, _number(kind.minval))
    give_up_if(builder, builder.or_(low, builder.icmp_signed(">", value, _number(kind.maxval))))


@functools.cache
def _on_unsigned(name: str, by: Any) -> Any:
    signature = types.uint64(types.uint64, by)
    generate = _unsigned_shift(name == "lshift")
    return _made(name, lambda typing, one, other: (signature, generate))


_PAIR = types.UniTuple(types.int64, 2)(types.int64, types.int64)
divided: Any = _made("divmod", lambda typing, one, other: (_PAIR, _both))

# --- floats -----------------------------------------------------------------------------------------


def refuse_inexact(builder: Any, value: Any) -> None:
    """Gives up where a float may not hold an int."""
    magnitude = builder.select(_is(builder, "<", value, 0), builder.neg(value), value)
    give_up_if(builder, builder.icmp_unsigned(">", magnitude, _number(_EXACT)))


def _ratio(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    for value in args:
        refuse_inexact(builder, value)
    return context.get_function(operator.truediv, sig)(builder, args)


ratio: Any = _made("truediv", lambda typing, one, other: (types.float64(types.int64, types.int64), _ratio))


@functools.cache
def _comparison(compare: Any, int_first: bool) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = 0 if int_first else 1
        refuse_inexact(builder, args[place])
        both = list(args)
        both[place] = builder.sitofp(args[place], DOUBLE)
        plain = types.boolean(types.float64, types.float64)
        return context.get_function(compare, plain)(builder, both)

    kinds = (types.int64, types.float64) if int_first else (types.float64, types.int64)
    return _made(compare.__name__, lambda typing, one, other: (types.boolean(*kinds), generate))


def _float_power(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    base, exponent = args
    room = cgutils.alloca_once_value(builder, exponent)
    builder.store(exponent, room)
    hidden = builder.load(room)
    hidden.volatile = True  # x ** 2 is pow(x, 2) in Python, whose last bit need not be that of x * x
    function = builder.module.declare_intrinsic("llvm.pow", [DOUBLE])
    result = builder.call(function, [base, hidden])
    _refuse_infinite(builder, result)
    return result


float_power: Any = _made(
    "pow", lambda typing, one, other: (types.float64(types.float64, types.float64), _float_power)
)


def _refuse_infinite(builder: Any, value: Any) -> None:
    kind = llvm.Constant(DOUBLE, 0.0)
    difference = builder.fsub(value, value)  # nan where the value is nan or infinite
    give_up_if(builder, builder.fcmp_unordered("uno", difference, kind))


def _finite(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    _refuse_infinite(builder, args[0])
    return args[0]


finite: Any = _made("finite", lambda typing, one: (types.float64(types.float64), _finite))


def _in_range(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (value,) = args
    low = builder.fcmp_ordered(">=", value, llvm.Constant(DOUBLE, float(_LOWEST)))
    high = builder.fcmp_ordered("<", value, llvm.Constant(DOUBLE, -float(_LOWEST)))
    give_up_if(builder, builder.not_(builder.and_(low, high)))
    return value


in_range: Any = _made("in_range", lambda typing, one: (types.float64(types.float64), _in_range))


@functools.cache
def within(kind: Any) -> Any:
    """Hands an int on, and gives up where it does not fit a smaller type."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        refuse_outside(builder, args[0], kind)
        return args[0]

    return _made("within", lambda typing, one: (types.int64(types.int64), generate))


# --- the pass ---------------------------------------------------------------------------------------

_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
_WHOLE_OF_FLOAT = (int, round, math.floor, math.ceil, math.trunc)
_NAMES = {
    getattr(operator, name): name for name in ("add", "sub", "mul", "floordiv", "pow", "lshift", "rshift")
}


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckArithmetic(FunctionPass):
    """After type inference: operations that may differ from Python's become checked ones."""

    _name = "gametree_check_arithmetic"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        state.func_ir.gametree_checked = GUARD.active
        if not GUARD.active:
            return False
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for step in block.body:
                value = step.value if isinstance(step, ir.Assign) else None
                if isinstance(value, ir.Expr):
                    if value.op in ("binop", "inplace_binop"):
                        _operator(state, value)
                    elif value.op == "unary":
                        _unary(state, value)
                    elif value.op == "call":
                        after = _call(state, step, body)
                        body.append(step)
                        body += after
                        continue
                body.append(step)
            block.body = body
        return True


def _kind(state: Any, variable: Any) -> Any:
    """The type of a variable; None for a literal that has none of its own beside a NumPy scalar."""
    kind = types.unliteral(state.typemap[variable.name])
    return None if isinstance(kind, Whole) else kind


def _is_int(kind: Any) -> bool:
    return kind is None or isinstance(kind, (types.Integer, types.Boolean))


def _operator(state: Any, expression: Any) -> None:
    inplace = expression.op == "inplace_binop"
    function = expression.immutable_fn if inplace else expression.fn
    left, right = _kind(state, expression.lhs), _kind(state, expression.rhs)
    signature = state.calltypes[expression]
    made: Any = None
    if _is_int(left) and _is_int(right):
        if function in _NAMES and signature.return_type == types.int64:
            made = on_ints(_NAMES[function], _narrow(left, right, function))
        elif function in (operator.lshift, operator.rshift) and signature.return_type == types.uint64:
            by = types.uint64 if right == types.uint64 else types.int64
            made = _on_unsigned(_NAMES[function], by)
        elif function is operator.truediv and types.uint64 not in (left, right):
            made = ratio
    elif function in _COMPARISONS and types.float64 in (left, right):
        other = right if left == types.float64 else left
        if isinstance(other, types.Integer) and other.signed:
            made = _comparison(function, left == other)
    elif function is operator.pow and signature.return_type == types.float64:
        made = float_power
    if made is None:
        return
    expression._kws["fn"] = made
    if inplace:
        expression._kws["immutable_fn"] = made
    for side in ("static_lhs", "static_rhs"):
        expression._kws[side] = ir.UNDEFINED
    _type(state, expression, _signature(state, made, 2))


def _signature(state: Any, function: Any, count: int) -> Any:
    """The one signature that a checked operation has."""
    return _function_type(state, function).get_call_type(state.typingctx, (types.int64,) * count, {})


def _type(state: Any, expression: Any, signature: Any) -> None:
    state.calltypes.pop(expression, None)
    state.calltypes[expression] = signature


def _function_type(state: Any, function: Any) -> Any:
    try:
        return state.typingctx.resolve_value_type(function)
    except ValueError:  # it was made a moment ago
        state.typingctx.refresh()
        return state.typingctx.resolve_value_type(function)


def _narrow(left: Any, right: Any, function: Any) -> Any:
    """The type in which NumPy would keep a result; None where that has 64 bits."""
    kinds = [kind for kind in (left, right) if isinstance(kind, types.Integer) and kind.bitwidth < 64]
    if not kinds:
        return None
    if function in (operator.lshift, operator.rshift):
        return kinds[0] if kinds[0] == left else None
    found = np.dtype(kinds[0].name) if len(kinds) == 1 else np.promote_types(*(kind.name for kind in kinds))
    return None if found.itemsize == 8 else getattr(types, found.name)


def _unary(state: Any, expression: Any) -> None:
    if expression.fn is operator.neg and state.calltypes[expression].return_type == types.int64:
        kind = _kind(state, expression.value)
        narrow = kind if isinstance(kind, types.Integer) and kind.bitwidth < 64 else None
        expression._kws["fn"] = made = on_ints("neg", narrow)
        _type(state, expression, _signature(state, made, 1))


def _call(state: Any, assign: Any, before: list[Any]) -> list[Any]:
    """Checks what a function is given; what a check of its result adds behind the call."""
    call = assign.value
    kind = state.typemap[call.func.name]
    signature = state.calltypes.get(call)
    if signature is None or call.kws or call.vararg is not None or not call.args:
        return []
    function = kind.typing_key if isinstance(kind, types.Function) else None
    given = [_kind(state, argument) for argument in call.args]
    returned = types.unliteral(signature.return_type)
    if isinstance(kind, types.NumberClass) and isinstance(kind.instance_type, types.Integer):
        smaller = kind.instance_type.bitwidth < 64
        if given[0] == types.float64:
            _filter(state, call, in_range, before)
        elif smaller and isinstance(given[0], types.Integer) and given[0] != types.uint64:
            _filter(state, call, within(kind.instance_type), before)
    elif function in _WHOLE_OF_FLOAT and returned in (types.int64, types.uint64):
        if given == [types.float64]:
            _filter(state, call, in_range, before)
    elif function is abs and returned == types.int64:
        _replace(state, call, on_ints("abs"), before)
    elif function is divmod and signature == _PAIR:
        _replace(state, call, divided, before)
    elif function is pow and len(given) == 2 and all(map(_is_int, given)) and returned == types.int64:
        _replace(state, call, on_ints("pow"), before)
    elif function is pow and len(given) == 2 and returned == types.float64:
        _replace(state, call, float_power, before)
    elif _may_be_infinite(function) and returned == types.float64:
        return _after(state, assign, before)
    return []


def _may_be_infinite(function: Any) -> bool:
    """Whether Python may raise where machine code answers with infinity or nan."""
    return getattr(function, "__module__", None) == "math" and function not in (math.fabs, math.copysign)


def _filter(state: Any, call: Any, check: Any, before: list[Any]) -> None:
    """The first argument of a call goes through a check first."""
    argument = call.args[0]
    inner = ir.Expr.call(_function(state, call, check, before), [argument], (), call.loc)
    signature = _signature(state, check, 1)
    _type(state, inner, signature)
    checked = _variable(state, call, signature.return_type)
    before.append(ir.Assign(inner, checked, call.loc))
    call.args = [checked, *call.args[1:]]
    _type(state, call, _retyped(state, call))


def _retyped(state: Any, call: Any) -> Any:
    kinds = tuple(state.typemap[argument.name] for argument in call.args)
    kind = state.typemap[call.func.name]
    return kind.get_call_type(state.typingctx, kinds, {})


def _replace(state: Any, call: Any, function: Any, before: list[Any]) -> None:
    """Another function is called."""
    call.func = _function(state, call, function, before)
    _type(state, call, _signature(state, function, len(call.args)))


def _after(state: Any, assign: Any, before: list[Any]) -> list[Any]:
    """The result of a call goes through a check, too."""
    call, target = assign.value, assign.target
    result = _variable(state, call, types.float64)
    check = ir.Expr.call(_function(state, call, finite, before), [result], (), call.loc)
    _type(state, check, _signature(state, finite, 1))
    assign.target = result
    return [ir.Assign(check, target, call.loc)]


def _function(state: Any, call: Any, function: Any, before: list[Any]) -> Any:
    variable = _variable(state, call, _function_type(state, function))
    before.append(ir.Assign(ir.Global(function.__name__, function, call.loc), variable, call.loc))
    return variable


def _variable(state: Any, call: Any, kind: Any) -> Any:
    name = f"$gametree.{len(state.typemap)}"
    variable = ir.Var(state.func_ir.blocks[min(state.func_ir.blocks)].scope, name, call.loc)
    state.typemap[name] = kind
    return variable
