"""What rules do with the tuples of varying length and the frozensets of a state: results are lists and sets."""

import functools
import operator
from typing import Any

from gametree.compiled.codegen.extending import overload, overload_method
from gametree.compiled.toolchain import INT64, cgutils, errors, intrinsic, lower_builtin, signature, types
from gametree.compiled.types import casts
from gametree.compiled.types.bounded import Bounded, Current, item, size
from gametree.compiled.types.constants import Frozen
from gametree.compiled.types.wide import Wide

_ROWS = (types.UniTuple, types.NamedUniTuple, types.List, Frozen)


def _ordered(kind: Any) -> bool:
    return isinstance(kind, Bounded) and not kind.unordered


def _unordered(kind: Any) -> bool:
    return isinstance(kind, Bounded) and kind.unordered


@overload(len)
def _len(source: Any) -> Any:
    return (lambda source: size(source)) if isinstance(source, Bounded) else None


@overload(bool)
def _bool(source: Any) -> Any:
    return (lambda source: size(source) != 0) if isinstance(source, (Bounded, types.Set)) else None


@lower_builtin(bool, Bounded)
def _is_full(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.icmp_signed("!=", builder.extract_value(args[0], 0), INT64(0))


@lower_builtin(bool, types.Set)
def _is_full_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    def full(items):  # type: ignore[no-untyped-def]
        return len(items) != 0

    return context.compile_internal(builder, full, sig, args)


@overload(operator.truth)
def _truth(source: Any) -> Any:
    return (lambda source: len(source) != 0) if isinstance(source, (Bounded, types.Set)) else None


@overload(operator.not_)
def _not(source: Any) -> Any:
    return (lambda source: len(source) == 0) if isinstance(source, (Bounded, types.Set)) else None


@overload(operator.getitem)
def _getitem(source: Any, index: Any) -> Any:
    if _ordered(source) and isinstance(index, (types.Integer, types.Boolean, Wide)):

        def get(source, index):  # type: ignore[no-untyped-def]
            length, at = size(source), int(index)
            if at < 0:
                at += length
            if at < 0 or at >= length:
                raise IndexError("tuple index out of range")
            return item(source, at)

        return get
    if _ordered(source) and isinstance(index, types.SliceType):

        def cut(source, index):  # type: ignore[no-untyped-def]
            start, stop, step = index.indices(size(source))
            out = emptied(source)
            for i in range(start, stop, step):
                out = appended(out, item(source, i))
            return out

        return cut
    if isinstance(source, types.Optional) and isinstance(source.type, (types.BaseTuple, Bounded)):
        return lambda source, index: some(source)[index]
    if isinstance(source, _ROWS) and isinstance(index, Wide):
        return lambda source, index: source[int(index)]
    return None


@overload(operator.contains)
def _contains(source: Any, wanted: Any) -> Any:
    if not isinstance(source, Bounded):
        return None

    def search(source, wanted):  # type: ignore[no-untyped-def]
        for x in source:  # noqa: SIM110
            if x == wanted:
                return True
        return False

    return search


@overload(operator.add)
def _add(one: Any, other: Any) -> Any:
    if _ordered(one) and (_ordered(other) or isinstance(other, (*_ROWS, types.BaseTuple))):
        if isinstance(other, types.Tuple) and len(other):
            return lambda one, other: one + as_tuple([x for x in other])  # noqa: C416
        if isinstance(other, types.BaseTuple) and len(other) == 0:
            return lambda one, other: one

        def add(one, other):  # type: ignore[no-untyped-def]
            out = one
            for x in other:
                out = appended(out, x)
            return out

        return add
    if _ordered(other) and isinstance(one, _ROWS):

        def add_to(one, other):  # type: ignore[no-untyped-def]
            out = emptied(other)
            for x in one:
                out = appended(out, x)
            for x in other:
                out = appended(out, x)
            return out

        return add_to
    if _ordered(other) and isinstance(one, types.Tuple) and len(one) == 0:
        return lambda one, other: other
    return None


@intrinsic
def emptied(typing_context: Any, row: Any) -> Any:
    """No items, in the same type."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return cgutils.get_null_value(args[0].type)

    return row(row), generate


@intrinsic
def appended(typing_context: Any, row: Any, new: Any) -> Any:
    """A tuple with one item more; gives up where there is no room."""
    problem = casts.obstacle(new, row.dtype, "an item")
    if problem:
        raise errors.TypingError(f"a tuple gets {problem}")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, found = sig.args
        value = casts.cast(context, builder, found, kind.dtype, args[1], True)
        return casts.with_item(context, builder, kind, args[0], value)

    return row(row, new), generate


def _packing(unordered: bool) -> Any:
    @intrinsic
    def pack(typing_context: Any, items: Any) -> Any:
        """Items in the type in which the state has such a tuple or set; as they are where it has none."""
        known = None
        if isinstance(items, types.Set if unordered else types.List):
            known = Current.room.of(items.dtype, unordered)
        if known is None:
            return items(items), _borrowed

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return casts.cast(context, builder, sig.args[0], sig.return_type, args[0])

        return known(items), generate

    return pack


as_tuple: Any = _packing(False)
as_frozenset: Any = _packing(True)


@intrinsic
def some(typing_context: Any, value: Any) -> Any:
    """What is not None, as the rules have seen."""
    if not isinstance(value, types.Optional):
        return value(value), _borrowed

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        optional = context.make_helper(builder, sig.args[0], args[0])
        nothing = builder.icmp_unsigned("==", optional.valid, optional.valid.type(0))
        with builder.if_then(nothing, likely=False):
            context.call_conv.return_user_exc(builder, TypeError, ("None where something is needed",))
        context.nrt.incref(builder, sig.return_type, optional.data)
        return optional.data

    return value.type(value), generate


def _optional(one: Any, other: Any) -> Any:
    """How something that may be None is compared."""
    rows = (types.BaseTuple, Bounded)
    if isinstance(one, types.Optional) and isinstance(one.type, rows):
        if isinstance(other, types.Optional):
            return lambda one, other: (
                (one is None and other is None)
                or (one is not None and other is not None and some(one) == some(other))
            )
        if isinstance(other, rows):
            return lambda one, other: one is not None and some(one) == other
    if isinstance(other, types.Optional) and isinstance(other.type, rows) and isinstance(one, rows):
        return lambda one, other: other is not None and one == some(other)
    return None


def _same_row(one, other):  # type: ignore[no-untyped-def]
    if len(one) != len(other):
        return False
    for x, y in zip(one, other):  # noqa: SIM110
        if x != y:
            return False
    return True


def _same_set(one, other):  # type: ignore[no-untyped-def]
    if len(one) != len(other):
        return False
    for x in one:  # noqa: SIM110
        if x not in other:
            return False
    return True


def _comparison(one: Any, other: Any) -> Any:
    if (_ordered(one) and (_ordered(other) or isinstance(other, _ROWS))) or (
        _ordered(other) and isinstance(one, _ROWS)
    ):
        return _same_row
    if (_unordered(one) and (_unordered(other) or isinstance(other, (types.Set, Frozen)))) or (
        _unordered(other) and isinstance(one, (types.Set, Frozen))
    ):
        return _same_set
    if (isinstance(one, Bounded) and isinstance(other, types.Tuple) and len(other) == 0) or (
        isinstance(other, Bounded) and isinstance(one, types.Tuple) and len(one) == 0
    ):
        return lambda one, other: len(one) == len(other)
    return None


@overload(operator.eq)
def _equal(one: Any, other: Any) -> Any:
    return _comparison(one, other) or _optional(one, other)


@overload(operator.ne)
def _unequal(one: Any, other: Any) -> Any:
    return (
        (lambda one, other: not (one == other))  # noqa: SIM201
        if _comparison(one, other) or _optional(one, other)
        else None
    )


@overload(tuple)
@overload(list)
def _list(source: Any) -> Any:
    return (lambda source: [x for x in source]) if isinstance(source, (Bounded, Wide)) else None  # noqa: C416


@overload(set)
def _set(source: Any) -> Any:
    if isinstance(source, (Bounded, Frozen, Wide, types.UniTuple)):

        def members(source):  # type: ignore[no-untyped-def]
            out = set()
            for x in source:
                out.add(x)
            return out

        return members
    return None


@overload(frozenset)
def _frozenset(source: Any) -> Any:
    if isinstance(source, (Bounded, types.IterableType)):

        def members(source):  # type: ignore[no-untyped-def]
            out = set()
            for x in source:
                out.add(x)
            return out

        return members
    return None


@overload_method(Bounded, "count")
def _count(source: Any, wanted: Any) -> Any:
    def count(source, wanted):  # type: ignore[no-untyped-def]
        found = 0
        for x in source:
            if x == wanted:
                found += 1
        return found

    return count


@overload_method(Bounded, "index")
def _index(source: Any, wanted: Any) -> Any:
    def index(source, wanted):  # type: ignore[no-untyped-def]
        for i, x in enumerate(source):
            if x == wanted:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    return index


@overload(reversed)
def _reversed(source: Any) -> Any:
    if not _ordered(source):
        return None

    def backwards(source):  # type: ignore[no-untyped-def]
        last = size(source) - 1
        return [item(source, last - i) for i in range(last + 1)]

    return backwards


@overload(any)
def _any(source: Any) -> Any:
    if not isinstance(source, Bounded):
        return None

    def some(source):  # type: ignore[no-untyped-def]
        for x in source:  # noqa: SIM110
            if x:
                return True
        return False

    return some


@overload(all)
def _all(source: Any) -> Any:
    if not isinstance(source, Bounded):
        return None

    def every(source):  # type: ignore[no-untyped-def]
        for x in source:  # noqa: SIM110
            if not x:
                return False
        return True

    return every


@functools.cache
def unpacker(count: int) -> Any:
    """What makes a tuple of so many parts of anything that is unpacked into so many names."""

    @intrinsic
    def unpack(typing_context: Any, value: Any) -> Any:
        kind: Any = value.type if isinstance(value, types.Optional) else value
        if isinstance(kind, types.BaseTuple):
            result = kind
        elif isinstance(kind, (types.List, Frozen)) or _ordered(kind):
            result = types.UniTuple(kind.dtype, count)
        elif isinstance(kind, Wide):
            result = types.UniTuple(kind, count)
        else:
            return value(value), _borrowed

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            (given,), (value,) = sig.args, args
            if isinstance(given, types.Optional):
                value = context.cast(builder, value, given, given.type)
            if isinstance(kind, types.BaseTuple):
                context.nrt.incref(builder, kind, value)
                return value
            if isinstance(kind, Wide):
                letters = types.List(kind)
                value = context.compile_internal(builder, _letters, signature(letters, kind), [value])
                made = _taken(context, builder, letters, value)
                context.nrt.decref(builder, letters, value)
                return made
            return _taken(context, builder, kind, value)

        def _taken(context: Any, builder: Any, kind: Any, value: Any) -> Any:
            length, item = casts.sequence_access(context, builder, kind, value)
            with builder.if_then(builder.icmp_signed("!=", length, INT64(count)), likely=False):
                context.call_conv.return_user_exc(builder, ValueError, ("not as many values to unpack",))
            items = [item(INT64(i)) for i in range(count)]
            for part in items:
                context.nrt.incref(builder, kind.dtype, part)
            return context.make_tuple(builder, types.UniTuple(kind.dtype, count), items)

        return result(value), generate

    return unpack


def _borrowed(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    context.nrt.incref(builder, sig.args[0], args[0])
    return args[0]


def _letters(text):  # type: ignore[no-untyped-def]
    return [x for x in text]  # noqa: C416


# --- sets -------------------------------------------------------------------------------------------

_SETS = (types.Set, Frozen, Bounded)


def _sets(one: Any, other: Any) -> bool:
    """Whether two are sets of which Numba does not know one."""
    known = isinstance(one, types.Set) and isinstance(other, types.Set)
    return (
        not known
        and isinstance(one, _SETS)
        and isinstance(other, _SETS)
        and not _ordered(one)
        and not _ordered(other)
        and not (isinstance(one, Frozen) and isinstance(other, Frozen))
    )


def _union(one, other):  # type: ignore[no-untyped-def]
    out = one
    for x in other:
        out = inserted(out, x)
    return out


def _common(one, other):  # type: ignore[no-untyped-def]
    out = one
    for x in one:
        if x not in other:
            out = removed(out, x)
    return out


def _without(one, other):  # type: ignore[no-untyped-def]
    out = one
    for x in other:
        out = removed(out, x)
    return out


def _either(one, other):  # type: ignore[no-untyped-def]
    out = one
    for x in other:
        out = removed(out, x) if x in one else inserted(out, x)
    return out


def _fresh(body: Any) -> Any:
    """The same where the first is a set that Numba knows, and the second one is not: it must stay as it is."""

    def union(one, other):  # type: ignore[no-untyped-def]
        out = set(one)
        for x in other:
            out.add(x)
        return out

    def common(one, other):  # type: ignore[no-untyped-def]
        out = set(one)
        for x in one:
            if x not in other:
                out.discard(x)
        return out

    def without(one, other):  # type: ignore[no-untyped-def]
        out = set(one)
        for x in other:
            out.discard(x)
        return out

    def either(one, other):  # type: ignore[no-untyped-def]
        out = set(one)
        for x in other:
            if x in one:
                out.discard(x)
            else:
                out.add(x)
        return out

    return {_union: union, _common: common, _without: without, _either: either}.get(body, body)


@intrinsic
def inserted(typing_context: Any, members: Any, new: Any) -> Any:
    """A frozenset with one member more."""
    return _edited(members, new, True)


@intrinsic
def removed(typing_context: Any, members: Any, old: Any) -> Any:
    """A frozenset without a member, if it has it."""
    return _edited(members, old, False)


def _edited(members: Any, given: Any, more: bool) -> Any:
    problem = casts.obstacle(given, members.dtype, "a member")
    if problem:
        raise errors.TypingError(f"a set gets {problem}")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, found = sig.args
        value = casts.cast(context, builder, found, kind.dtype, args[1], True)
        return casts.with_member(context, builder, kind, args[0], value, more)

    return members(members, given), generate


def _within(one, other):  # type: ignore[no-untyped-def]
    for x in one:  # noqa: SIM110
        if x not in other:
            return False
    return True


def _apart(one, other):  # type: ignore[no-untyped-def]
    for x in one:  # noqa: SIM110
        if x in other:
            return False
    return True


def _operation(sign: Any, body: Any) -> None:
    @overload(sign)
    def operate(one: Any, other: Any) -> Any:
        if not _sets(one, other):
            return None
        return body if isinstance(one, Bounded) else _fresh(body)


for _sign, _body in (
    (operator.or_, _union),
    (operator.and_, _common),
    (operator.sub, _without),
    (operator.xor, _either),
    (operator.le, _within),
    (operator.ior, _union),
    (operator.isub, _without),
    (operator.iand, _common),
):
    _operation(_sign, _body)


@overload(operator.ge)
def _ge(one: Any, other: Any) -> Any:
    return (lambda one, other: other <= one) if _sets(one, other) else None


@overload(operator.lt)
def _lt(one: Any, other: Any) -> Any:
    return (lambda one, other: len(one) < len(other) and one <= other) if _sets(one, other) else None


@overload(operator.gt)
def _gt(one: Any, other: Any) -> Any:
    return (lambda one, other: len(other) < len(one) and other <= one) if _sets(one, other) else None


def _method(name: str, body: Any) -> None:
    @overload_method(Bounded, name)
    def method(one: Any, other: Any) -> Any:
        return body if _unordered(one) else None


for _name, _body in (
    ("union", _union),
    ("intersection", _common),
    ("difference", _without),
    ("symmetric_difference", _either),
    ("issubset", _within),
    ("isdisjoint", _apart),
):
    _method(_name, _body)


@overload_method(Bounded, "issuperset")
def _issuperset(one: Any, other: Any) -> Any:
    def issuperset(one, other):  # type: ignore[no-untyped-def]
        for x in other:  # noqa: SIM110
            if x not in one:
                return False
        return True

    return issuperset


@overload_method(Bounded, "__hash__")
def _hash(source: Any) -> Any:
    def digest(source):  # type: ignore[no-untyped-def]
        out = size(source)
        for x in source:
            out = (out ^ hash(x)) & 0xFFFFFFFFFFFF
            out = (out << 5) ^ (out >> 7)
        return out

    return digest
