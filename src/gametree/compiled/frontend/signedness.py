"""uint64 with a signed int: refused when compiling, because Numba would make it int64 in silence.

`(np.uint64(1 << 63) ^ shift) >> 60` is −8 compiled and 8 interpreted. A literal such as the 8 in `x ^ 8` carries no
type of its own: beside a uint64 it counts as one, as it does in NumPy. Anything else is a typing error that names
the line and the operands.
"""

import operator
from typing import Any

from gametree.compiled.toolchain import (
    INT64,
    AbstractTemplate,
    AnalysisPass,
    FunctionPass,
    errors,
    infer_global,
    ir,
    lower_cast,
    lower_constant,
    models,
    register_model,
    register_pass,
    typeof_impl,
    types,
)

_MIXING = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.iadd: "+=",
    operator.isub: "-=",
    operator.imul: "*=",
    operator.ifloordiv: "//=",
    operator.imod: "%=",
    operator.iand: "&=",
    operator.ior: "|=",
    operator.ixor: "^=",
}


class Whole(types.Type):
    """A non-negative literal beside an operator: an int that takes the sign of its partner.

    It converts to nothing, so that only the templates below can type an operation with it.
    """

    def __init__(self, value: int):
        self.value = value
        super().__init__(f"whole({value})")

    def can_convert_to(self, context: Any, other: types.Type) -> Any:
        return None


class _Literal:
    """The value that a rewritten operand carries."""

    def __init__(self, value: int):
        self.value = value


@register_model(Whole)
class _WholeModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Whole):
        super().__init__(manager, kind, INT64)


@typeof_impl.register(_Literal)
def _typeof_literal(literal: _Literal, context: Any) -> Whole:
    return Whole(literal.value)


@lower_constant(Whole)
def _lower_literal(context: Any, builder: Any, kind: Whole, value: Any) -> Any:
    return context.get_constant(types.int64, kind.value)


@lower_cast(Whole, types.Integer)
@lower_cast(Whole, types.Float)
def _cast_literal(context: Any, builder: Any, source: Whole, target: types.Type, value: Any) -> Any:
    return context.get_constant(target, source.value)


def _operation(operation: Any) -> None:
    """Types an operator beside a literal: uint64 with uint64, anything else as with a plain int."""

    @infer_global(operation)
    class _Operation(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if kws or len(args) != 2 or not any(isinstance(side, Whole) for side in args):
                return None
            partner = _plain(args[1] if isinstance(args[0], Whole) else args[0])
            kind = types.uint64 if partner == types.uint64 else types.int64
            return self.context.resolve_function_type(
                operation, tuple(kind if isinstance(side, Whole) else partner for side in args), {}
            )


for _each in _MIXING:
    _operation(_each)


@register_pass(mutates_CFG=False, analysis_only=False)
class WeighLiterals(FunctionPass):
    """Marks int literals beside an arithmetic operator whose other operand is not a literal."""

    _name = "gametree_weigh_literals"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        changed = False
        for block in state.func_ir.blocks.values():
            literals: dict[str, ir.Assign] = {}
            for statement in block.body:
                if not isinstance(statement, ir.Assign):
                    continue
                value = statement.value
                if isinstance(value, ir.Const) and type(value.value) is int and 0 <= value.value < 1 << 63:
                    if statement.target.name.startswith("$"):
                        literals[statement.target.name] = statement
                elif (
                    isinstance(value, ir.Expr)
                    and value.op in ("binop", "inplace_binop")
                    and value.fn in _MIXING
                ):
                    sides = [value.lhs.name in literals, value.rhs.name in literals]
                    if sides == [False, True] or sides == [True, False]:
                        name = value.rhs.name if sides[1] else value.lhs.name
                        other = value.lhs if sides[1] else value.rhs
                        if name != other.name and name in literals:
                            assign = literals.pop(name)
                            constant = assign.value
                            assign.value = ir.Const(_Literal(constant.value), constant.loc)
                            changed = True
        return changed


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseMixedSigns(AnalysisPass):
    """After type inference: an arithmetic operator between uint64 and a signed int is an error."""

    _name = "gametree_refuse_mixed_signs"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for assign in block.find_insts(ir.Assign):
                value = assign.value
                if not (isinstance(value, ir.Expr) and value.op in ("binop", "inplace_binop")):
                    continue
                sign = _MIXING.get(value.fn)
                if sign is None:
                    continue
                if value.fn in (operator.sub, operator.isub) and _from_int(state, value.lhs):
                    raise errors.TypingError(
                        "mixes uint64 with a signed int: int(…) of a uint64 stays unsigned and may wrap at `-`;"
                        " write np.int64(…) where the result may be negative",
                        loc=assign.loc,
                    )
                left, right = (_plain(state.typemap[side.name]) for side in (value.lhs, value.rhs))
                if _clash(left, right) or _clash(right, left):
                    names = " and ".join(_operand(state, side) for side in (value.lhs, value.rhs))
                    raise errors.TypingError(
                        f"mixes uint64 with a signed int: {names} at `{sign}`;"
                        " write np.uint64(…) around the signed one",
                        loc=assign.loc,
                    )
        return False


def _from_int(state: Any, variable: ir.Var) -> bool:
    """Whether a value is `int(x)` of a uint64: a Python int to its author, unsigned to the compiler."""
    if state.typemap[variable.name] != types.uint64:
        return False
    try:
        call = state.func_ir.get_definition(variable)
        function = (
            state.func_ir.get_definition(call.func)
            if isinstance(call, ir.Expr) and call.op == "call"
            else None
        )
    except KeyError:
        return False
    return isinstance(function, (ir.Global, ir.FreeVar)) and function.value is int


def _plain(kind: types.Type) -> types.Type:
    return kind.literal_type if isinstance(kind, types.Literal) else kind


def _clash(one: types.Type, other: types.Type) -> bool:
    return one == types.uint64 and isinstance(other, types.Integer) and other.signed


def _operand(state: Any, variable: ir.Var) -> str:
    name = variable.name.split(".")[0]
    kind = _plain(state.typemap[variable.name])
    if name.startswith("$"):
        try:
            definition = state.func_ir.get_definition(variable)
        except KeyError:
            definition = None
        if isinstance(definition, ir.Expr) and definition.op == "getattr":
            name = f"{definition.value.name.split('.')[0]}.{definition.attr}"
            name = name.lstrip("$") if not name.startswith("$") else f".{definition.attr}"
        elif isinstance(definition, (ir.Global, ir.FreeVar)):
            name = definition.name
        elif isinstance(definition, ir.Const):
            name = str(definition.value)
        else:
            name = "the part" if definition is None else "an expression"
    return f"{name} ({kind})"
