"""What a method returns, as the contract wants it.

`result` gives the state type, `player` an int, `is_terminal` a bool, `utility` and `evaluate` a float, and an
iterable that would leak when it is left early (a generator that owns lists) is drained into a list first.
"""

from collections.abc import Callable
from typing import Any

from gametree.compiled.toolchain import (
    ListInstance,
    cgutils,
    cpu_target,
    errors,
    intrinsic,
    signature,
    types,
)
from gametree.compiled.types.constants import Frozen

Convert = Callable[[Any, Any, Any], Any]

_STATES = frozenset({"initial", "result", "null", "forced"})
_FLOATS = frozenset({"utility", "evaluate", "order", "urgency", "prior"})
_INTS = frozenset({"player", "team", "clock", "margin"})
_BOOLS = frozenset({"is_terminal", "threatened", "threatens"})


def contract_cast(game: Any, name: str, found: types.Type) -> tuple[types.Type, Convert]:
    """The type that the contract wants from `name`, and the code that gets there from `found`."""
    if name in _STATES:
        wanted: types.Type = game.unit.state_type
    elif name in _FLOATS or name.startswith("evaluate_"):
        wanted = types.float64
    elif name in _INTS:
        wanted = types.int64
    elif name in _BOOLS:
        wanted = types.boolean
    elif name == "prospects":
        wanted = types.UniTuple(types.int64, 2)
    elif isinstance(found, types.Generator) and _owns_memory(found):
        return _drained(found)
    else:
        return found, lambda context, builder, value: value
    if found == wanted:
        return wanted, lambda context, builder, value: value
    problem = obstacle(found, wanted, "")
    if problem:
        raise errors.TypingError(f"{name} returns {problem}")

    def convert(context: Any, builder: Any, value: Any) -> Any:
        made = cast(context, builder, found, wanted, value)
        context.nrt.decref(builder, found, value)
        return made

    return wanted, convert


def _owns_memory(kind: types.Generator) -> bool:
    """Whether a generator holds lists or the like, which nobody would free if it were left early."""
    models = cpu_target.target_context.data_model_manager
    held = (*kind.state_types, *kind.arg_types)
    return any(models[part].contains_nrt_meminfo() for part in held)


def _drained(kind: types.Generator) -> tuple[types.Type, Convert]:
    """All that a generator yields, as a list."""
    result = types.List(kind.yield_type)

    def drain(source):  # type: ignore[no-untyped-def]
        return [item for item in source]  # noqa: C416

    def convert(context: Any, builder: Any, value: Any) -> Any:
        return context.compile_internal(builder, drain, signature(result, kind), [value])

    return result, convert


def caster(wanted: types.Type) -> Any:
    """A function that compiled code calls to turn what it has into a state."""

    @intrinsic
    def as_state(typing_context: Any, value: Any) -> Any:
        found = value.literal_type if isinstance(value, types.Literal) else value
        problem = obstacle(found, wanted, "")
        if problem:
            raise errors.TypingError(f"result returns {problem}")

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return cast(context, builder, sig.args[0], wanted, args[0])

        return wanted(found), generate

    return as_state


def obstacle(found: types.Type, wanted: types.Type, where: str) -> str:
    """Why one type cannot stand for another, in words; empty where it can."""
    place = f" for {where}" if where else ""
    if isinstance(wanted, types.BaseTuple):
        if isinstance(found, types.BaseTuple):
            if len(found) != len(wanted):
                return f"a tuple of {len(found)}{place} where the initial state has {len(wanted)} parts"
            names = getattr(wanted, "fields", None)
            for i, (a, b) in enumerate(zip(found, wanted)):
                problem = obstacle(a, b, f"{where}.{names[i]}" if names else f"{where}[{i}]")
                if problem:
                    return problem
            return ""
        if isinstance(found, (types.List, Frozen)) and isinstance(
            wanted, (types.UniTuple, types.NamedUniTuple)
        ):
            return obstacle(found.dtype, wanted.dtype, f"{where}[…]")
        return f"{describe(found)}{place} where the initial state has {describe(wanted)}"
    if isinstance(found, (types.Integer, types.Boolean)):
        if isinstance(wanted, (types.Integer, types.Float)):
            return ""
        if isinstance(wanted, types.Boolean):
            return ""
    if isinstance(found, types.Float):
        if isinstance(wanted, types.Float):
            return ""
        if isinstance(wanted, types.Integer):
            return f"float{place} where an int is declared; use // or int(…), or annotate it as float"
    if isinstance(found, types.Optional) or found == types.none:
        return f"None{place} on some path; is a `return` missing?"
    return f"{describe(found)}{place} where {describe(wanted)} is expected"


def item_type(kind: types.Type) -> types.Type:
    """What an iterable gives."""
    if isinstance(kind, types.Tuple):
        kind = types.Tuple(
            [types.unliteral(part) for part in kind]
        )  # of one type, where the literals had one
    if isinstance(kind, types.Generator):
        return kind.yield_type
    if isinstance(kind, types.IterableType):
        item: types.Type = kind.iterator_type.yield_type
        return item
    raise errors.TypingError(f"actions returns {describe(kind)}, which cannot be walked over")


def describe(kind: types.Type) -> str:
    """A Numba type as a Python programmer would call it."""
    if isinstance(kind, types.Literal):
        kind = kind.literal_type
    if isinstance(kind, types.Boolean):
        return "bool"
    if isinstance(kind, types.Integer):
        return "int" if kind == types.int64 else f"np.{kind.name}"
    if isinstance(kind, types.Float):
        return "float"
    if isinstance(kind, types.BaseNamedTuple):
        return str(kind.instance_class.__name__)
    if isinstance(kind, types.BaseTuple):
        return f"a tuple of {len(kind)}"
    if isinstance(kind, (types.List, Frozen)):
        return f"a list of {describe(kind.dtype)}"
    if kind == types.none:
        return "None"
    if isinstance(kind, types.UnicodeType):
        return "str"
    if isinstance(kind, types.Generator):
        return "a generator"
    return str(kind)


def cast(
    context: Any, builder: Any, found: types.Type, wanted: types.Type, value: Any, strict: bool = False
) -> Any:
    """Machine code from a value of one type to another between which there is no `obstacle`.

    `strict`: an int that stands for a bool has to be 0 or 1, as it is inside a state.
    """
    if found == wanted:
        return value
    if isinstance(wanted, types.BaseTuple):
        if isinstance(found, types.BaseTuple):
            parts = cgutils.unpack_tuple(builder, value, len(found))
            items = [cast(context, builder, a, b, part, True) for a, b, part in zip(found, wanted, parts)]
            return context.make_tuple(builder, wanted, items)
        assert isinstance(wanted, types.UniTuple | types.NamedUniTuple)
        return _fixed(context, builder, found, wanted, value)
    if isinstance(wanted, types.Boolean):
        if strict and isinstance(found, types.Integer):
            one = context.get_constant(found, 1)
            with builder.if_then(builder.icmp_unsigned(">", value, one), likely=False):
                context.call_conv.return_user_exc(builder, ValueError, ("a bool is neither 0 nor 1",))
        return context.is_true(builder, found, value)
    return context.cast(builder, value, found, wanted)


def _fixed(
    context: Any, builder: Any, found: Any, wanted: types.UniTuple | types.NamedUniTuple, value: Any
) -> Any:
    """A list becomes a tuple of the declared length; another length is an error."""
    length, item = sequence_access(context, builder, found, value)
    count = context.get_constant(types.intp, wanted.count)
    with builder.if_then(builder.icmp_signed("!=", length, count), likely=False):
        message = f"result made a tuple of another length than the initial state's {wanted.count}"
        context.call_conv.return_user_exc(builder, ValueError, (message,))
    items = [
        cast(context, builder, found.dtype, wanted.dtype, item(context.get_constant(types.intp, i)), True)
        for i in range(wanted.count)
    ]
    return context.make_tuple(builder, wanted, items)


def sequence_access(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Length of a list or frozen sequence, and how to load its items."""
    if isinstance(kind, types.List):
        instance = ListInstance(context, builder, kind, value)
        return instance.size, instance.getitem
    data = builder.extract_value(value, 0)
    length = builder.extract_value(value, 1)

    def load(index: Any) -> Any:
        return context.unpack_value(builder, kind.dtype, builder.gep(data, [index]))

    return length, load
