"""What a method returns, as the contract wants it.

`result` gives the state type, `player` an int, `is_terminal` a bool, `utility` and `evaluate` a float, and an
iterable that would leak when it is left early (a generator that owns lists) is drained into a list first.
"""

from collections.abc import Callable
from typing import Any

from gametree.compiled.guards import plumbing
from gametree.compiled.guards.places import BEYOND
from gametree.compiled.toolchain import (
    INT64,
    ListInstance,
    cgutils,
    cpu_target,
    errors,
    intrinsic,
    llvm,
    lower_cast,
    signature,
    types,
)
from gametree.compiled.types import bounded, wide
from gametree.compiled.types.bounded import Bounded
from gametree.compiled.types.constants import Frozen
from gametree.compiled.types.wide import Wide

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


def caster(wanted: types.Type, method: str = "result") -> Any:
    """A function that compiled code calls to turn what it has into a state, or an action."""

    @intrinsic
    def as_state(typing_context: Any, value: Any) -> Any:
        found = value.literal_type if isinstance(value, types.Literal) else value
        problem = obstacle(found, wanted, "")
        if problem:
            raise errors.TypingError(f"{method} returns {problem}")

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return cast(context, builder, sig.args[0], wanted, args[0])

        return wanted(found), generate

    return as_state


def obstacle(found: Any, wanted: types.Type, where: str) -> str:
    """Why one type cannot stand for another, in words; empty where it can."""
    place = f" for {where}" if where else ""
    if isinstance(wanted, Wide):
        if _may_be_wide(found):
            return ""
        return f"{describe(found)}{place} where a text, None or an int is expected"
    if isinstance(wanted, Bounded):
        return _unbounded(found, wanted, where, place)
    if isinstance(wanted, types.Optional):
        inner = found.type if isinstance(found, types.Optional) else found
        return "" if found == types.none else obstacle(inner, wanted.type, where)
    if isinstance(found, Wide) and isinstance(wanted, types.Integer):
        return ""  # the code looks whether there is an int
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
        ordered = isinstance(found, (types.List, Frozen)) or (
            isinstance(found, Bounded) and not found.unordered
        )
        if ordered and isinstance(wanted, (types.UniTuple, types.NamedUniTuple)):
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


def _may_be_wide(found: types.Type) -> bool:
    if isinstance(found, types.Optional):
        return _may_be_wide(found.type)
    return found == types.none or isinstance(found, (Wide, types.Integer, types.Boolean))


def _unbounded(found: Any, wanted: Bounded, where: str, place: str) -> str:
    """Why a type cannot become a tuple of any length, or a frozenset."""
    if isinstance(found, types.BaseTuple) and (not wanted.unordered or len(found) == 0):
        problems = (obstacle(part, wanted.dtype, f"{where}[{i}]") for i, part in enumerate(found))
        return next((problem for problem in problems if problem), "")
    if isinstance(found, Bounded) and found.unordered == wanted.unordered:
        return obstacle(found.dtype, wanted.dtype, f"{where}[…]")
    if isinstance(found, types.Set if wanted.unordered else (types.List, Frozen)):
        return obstacle(found.dtype, wanted.dtype, f"{where}[…]")
    kind = "frozenset" if wanted.unordered else "tuple"
    return f"{describe(found)}{place} where the states that were seen have a {kind}"


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
    if isinstance(kind, Wide):
        return "a text or None"
    if isinstance(kind, (Bounded, types.Set)):
        unordered = isinstance(kind, types.Set) or kind.unordered
        return f"a {'set' if unordered else 'tuple'} of {describe(kind.dtype)}"
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
    if isinstance(wanted, Bounded):
        return _packed(context, builder, found, wanted, value)
    if isinstance(wanted, types.Optional):
        optional = context.make_helper(builder, wanted)
        optional.data = cgutils.get_null_value(context.get_value_type(wanted.type))
        slot = cgutils.alloca_once_value(builder, optional._getvalue())
        valid = llvm.Constant(llvm.IntType(1), int(found != types.none))
        inner = value
        if isinstance(found, types.Optional):
            given = context.make_helper(builder, found, value)
            valid, inner = builder.icmp_unsigned("!=", given.valid, given.valid.type(0)), given.data
        if found != types.none:
            with builder.if_then(valid):
                kind = found.type if isinstance(found, types.Optional) else found
                optional.data = cast(context, builder, kind, wanted.type, inner, True)
                optional.valid = optional.valid.type(1)
                builder.store(optional._getvalue(), slot)
        return builder.load(slot)
    if isinstance(found, Wide) and isinstance(wanted, types.Integer):
        return context.cast(builder, context.cast(builder, value, found, types.int64), types.int64, wanted)
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


def _packed(context: Any, builder: Any, found: Any, wanted: Bounded, value: Any) -> Any:
    """A tuple, a list or a set in the room that a state has for it; gives up where there is too little."""
    if isinstance(found, types.BaseTuple):
        if len(found) > wanted.most:
            raise errors.TypingError(f"refused: makes a tuple of {len(found)}; keep tuples short")
        parts = cgutils.unpack_tuple(builder, value, len(found))
        items = [cast(context, builder, kind, wanted.dtype, part, True) for kind, part in zip(found, parts)]
        nothing = cgutils.get_null_value(context.get_value_type(wanted.dtype))
        items += [nothing] * (wanted.most - len(items))
        return bounded.made(context, builder, wanted, INT64(len(found)), items)
    listed = None
    if isinstance(found, types.Set):
        listed = types.List(found.dtype)
        value = context.compile_internal(builder, _listed, signature(listed, found), [value])
        found = listed
    length, item = sequence_access(context, builder, found, value)
    plumbing.give_up_if(builder, builder.icmp_signed(">", length, INT64(wanted.most)), BEYOND)
    kind = context.get_value_type(wanted)
    slot = cgutils.alloca_once(builder, kind)
    builder.store(cgutils.get_null_value(kind), slot)
    zero, one = llvm.Constant(llvm.IntType(32), 0), llvm.Constant(llvm.IntType(32), 1)
    builder.store(length, builder.gep(slot, [zero, zero]))

    def place(index: Any) -> Any:
        return builder.gep(slot, [zero, one, index])

    with cgutils.for_range(builder, length) as loop:
        new = cast(context, builder, found.dtype, wanted.dtype, item(loop.index), True)
        at = cgutils.alloca_once(builder, INT64)
        builder.store(loop.index, at)
        if wanted.unordered:
            with cgutils.loop_nest(builder, [loop.index], INT64):  # as often as there are items before it
                here = builder.load(at)
                with builder.if_then(builder.icmp_signed(">", here, INT64(0))):
                    before = builder.load(place(builder.sub(here, INT64(1))))
                    with builder.if_then(_less(context, builder, wanted.dtype, new, before)):
                        builder.store(before, place(here))
                        builder.store(builder.sub(here, INT64(1)), at)
        builder.store(new, place(builder.load(at)))
    if listed is not None:
        context.nrt.decref(builder, listed, value)
    return builder.load(slot)


def with_item(context: Any, builder: Any, kind: Bounded, row: Any, value: Any) -> Any:
    """A tuple with one item more; gives up where there is no room."""
    length = builder.extract_value(row, 0)
    plumbing.give_up_if(builder, builder.icmp_signed(">=", length, INT64(kind.most)), BEYOND)
    slot = cgutils.alloca_once_value(builder, row)
    builder.store(value, _place(builder, slot, length))
    builder.store(builder.add(length, INT64(1)), _place(builder, slot))
    return builder.load(slot)


def with_member(context: Any, builder: Any, kind: Bounded, members: Any, value: Any, more: bool) -> Any:
    """A set with a member more, or without it. What comes behind it moves."""
    length = builder.extract_value(members, 0)
    slot = cgutils.alloca_once_value(builder, members)
    at = cgutils.alloca_once_value(builder, length)
    there = cgutils.alloca_once_value(builder, llvm.Constant(llvm.IntType(1), 0))
    with cgutils.for_range(builder, length) as loop:
        item = builder.load(_place(builder, slot, loop.index))
        before = _less(context, builder, kind.dtype, item, value)
        with builder.if_then(builder.not_(before)):
            builder.store(builder.not_(_less(context, builder, kind.dtype, value, item)), there)
            builder.store(loop.index, at)
            loop.do_break()
    place, known = builder.load(at), builder.load(there)
    if more:
        with builder.if_then(builder.not_(known)):
            plumbing.give_up_if(builder, builder.icmp_signed(">=", length, INT64(kind.most)), BEYOND)
            with cgutils.for_range(builder, builder.sub(length, place)) as loop:
                behind = builder.sub(length, loop.index)
                moved = builder.load(_place(builder, slot, builder.sub(behind, INT64(1))))
                builder.store(moved, _place(builder, slot, behind))
            builder.store(value, _place(builder, slot, place))
            builder.store(builder.add(length, INT64(1)), _place(builder, slot))
    else:
        with builder.if_then(known):
            last = builder.sub(length, INT64(1))
            with cgutils.for_range(builder, builder.sub(last, place)) as loop:
                here = builder.add(place, loop.index)
                moved = builder.load(_place(builder, slot, builder.add(here, INT64(1))))
                builder.store(moved, _place(builder, slot, here))
            nothing = cgutils.get_null_value(context.get_value_type(kind.dtype))
            builder.store(nothing, _place(builder, slot, last))
            builder.store(last, _place(builder, slot))
    return builder.load(slot)


def _place(builder: Any, slot: Any, index: Any = None) -> Any:
    """Where the length of a `Bounded` lies, or an item."""
    zero, one = llvm.Constant(llvm.IntType(32), 0), llvm.Constant(llvm.IntType(32), 1)
    return builder.gep(slot, [zero, zero] if index is None else [zero, one, index])


@lower_cast(Bounded, Bounded)
def _widened(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return _packed(context, builder, found, wanted, value)


@lower_cast(types.Tuple, Bounded)
def _from_empty(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return _packed(context, builder, found, wanted, value)


def _listed(items):  # type: ignore[no-untyped-def]
    return [x for x in items]  # noqa: C416


def _less(context: Any, builder: Any, kind: types.Type, one: Any, other: Any) -> Any:
    """Whether a value comes before another one in a set: by their words."""
    if isinstance(kind, types.BaseTuple):
        ones, others = (cgutils.unpack_tuple(builder, row, len(kind)) for row in (one, other))
        found = llvm.Constant(llvm.IntType(1), 0)
        for part, a, b in reversed(list(zip(kind, ones, others))):
            before, after = _less(context, builder, part, a, b), _less(context, builder, part, b, a)
            found = builder.or_(before, builder.and_(builder.not_(after), found))
        return found
    if isinstance(kind, Wide):
        found = llvm.Constant(llvm.IntType(1), 0)
        for a, b in reversed(list(zip(wide.split(builder, one), wide.split(builder, other)))):
            same = builder.icmp_unsigned("==", a, b)
            found = builder.or_(builder.icmp_unsigned("<", a, b), builder.and_(same, found))
        return found
    if isinstance(kind, Bounded):
        a, ones = bounded.taken_apart(context, builder, kind, one)
        b, others = bounded.taken_apart(context, builder, kind, other)
        row = types.Tuple([types.int64, *kind.row])
        pairs = (context.make_tuple(builder, row, [n, *items]) for n, items in ((a, ones), (b, others)))
        return _less(context, builder, row, *pairs)
    if isinstance(kind, types.Float):
        return builder.fcmp_ordered("<", one, other)
    signed = isinstance(kind, types.Integer) and kind.signed
    return (builder.icmp_signed if signed else builder.icmp_unsigned)("<", one, other)


def sequence_access(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Callable[[Any], Any]]:
    """Length of a list or frozen sequence, and how to load its items."""
    if isinstance(kind, types.List):
        instance = ListInstance(context, builder, kind, value)
        return instance.size, instance.getitem
    if isinstance(kind, Bounded):
        return builder.extract_value(value, 0), lambda index: bounded.load(
            context, builder, kind, value, index
        )
    data = builder.extract_value(value, 0)
    length = builder.extract_value(value, 1)

    def load(index: Any) -> Any:
        return context.unpack_value(builder, kind.dtype, builder.gep(data, [index]))

    return length, load
