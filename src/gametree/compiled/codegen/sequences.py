"""Tuples and lists as Python programmers use them, where Numba is narrower.

A tuple whose length is known only at run time (`tuple(cells)`, `board[:i]`, `(0,) * n`) is a list here; where the
contract wants a state, it becomes a tuple of the right length again or an error (see `casts.py`).
"""

import inspect
import itertools
import operator
from typing import Any

from gametree.compiled.codegen.extending import overload, overload_method
from gametree.compiled.toolchain import (
    AbstractTemplate,
    AttributeTemplate,
    cgutils,
    cpu_target,
    default_manager,
    errors,
    infer_getattr,
    intrinsic,
    llvm,
    lower_builtin,
    signature,
    types,
)
from gametree.compiled.types import casts
from gametree.compiled.types.constants import Frozen
from gametree.kernel.put import put

_TUPLE = (types.UniTuple, types.NamedUniTuple)
_LIST = (types.List,)
_FLEXIBLE = (types.List, Frozen, types.RangeType, types.Generator, types.Array, types.Set)


# --- making tuples and lists ------------------------------------------------------------------------


@overload(tuple)
def _tuple(items: Any) -> Any:
    if isinstance(items, (types.List, types.RangeType, types.Generator, types.Set)):
        return lambda items: [x for x in items]  # noqa: C416
    return None


@overload(operator.getitem)
def _cut(items: Any, index: Any) -> Any:
    if isinstance(items, _TUPLE) and isinstance(index, types.SliceType):

        def cut(items, index):  # type: ignore[no-untyped-def]
            bounds = index.indices(len(items))
            return [items[i] for i in range(bounds[0], bounds[1], bounds[2])]

        return cut
    return None


@overload(operator.add)
def _add(one: Any, other: Any) -> Any:
    lists = (types.List, Frozen)
    mixed = (isinstance(one, lists) and isinstance(other, (*_TUPLE, *lists))) or (
        isinstance(one, _TUPLE) and isinstance(other, lists)
    )
    if mixed and not (isinstance(one, types.List) and isinstance(other, types.List)):

        def add(one, other):  # type: ignore[no-untyped-def]
            out = [x for x in one]  # noqa: C416
            for x in other:
                out.append(x)
            return out

        return add
    if isinstance(one, types.List) and isinstance(other, types.Tuple) and len(other) == 0:
        return lambda one, other: [x for x in one]  # noqa: C416
    return None


@overload(operator.mul)
def _repeat(items: Any, times: Any) -> Any:
    if isinstance(items, _TUPLE) and isinstance(times, types.Integer):

        def repeat(items, times):  # type: ignore[no-untyped-def]
            out = [items[0] for _ in range(0)]
            for _ in range(times):
                for x in items:
                    out.append(x)
            return out

        return repeat
    return None


@overload(put)
def _put(t: Any, i: Any, x: Any) -> Any:
    if isinstance(t, _TUPLE):
        return lambda t, i, x: _replaced(t, i, x)
    if isinstance(t, types.List):

        def put_in_list(t, i, x):  # type: ignore[no-untyped-def]
            out = [y for y in t]  # noqa: C416
            out[i] = x
            return out

        return put_in_list
    return None


@intrinsic
def _replaced(typing_context: Any, t: Any, i: Any, x: Any) -> Any:
    """The tuple with one element replaced, through memory on the stack."""
    problem = casts.obstacle(x, t.dtype, "")
    if problem:
        raise errors.TypingError(f"put gets {problem}")

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind, _, given = sig.args
        row, index, value = args
        size = context.get_constant(types.intp, kind.count)
        negative = builder.icmp_signed("<", index, context.get_constant(types.intp, 0))
        index = builder.select(negative, builder.add(index, size), index)
        with builder.if_then(builder.icmp_unsigned(">=", index, size), likely=False):
            context.call_conv.return_user_exc(builder, IndexError, ("put: index outside the tuple",))
        slot = cgutils.alloca_once_value(builder, row)
        item = casts.cast(context, builder, given, kind.dtype, value)
        builder.store(item, builder.gep(slot, [llvm.Constant(llvm.IntType(32), 0), index]))
        return builder.load(slot)

    return t(t, types.intp, x), generate


@lower_builtin("typed_getitem", types.BaseTuple, types.Integer)
def _part_of_any_type(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """The part of a mixed tuple that has the type of the loop body which asks for it.

    Numba's own takes for granted that a cast makes no blocks of code. That of an int to a text or None makes some.
    """
    (kind, _), (row, index) = sig.args, args
    wanted = context.get_value_type(sig.return_type)
    slot = cgutils.alloca_once(builder, wanted)
    builder.store(cgutils.get_null_value(wanted), slot)
    inside = builder.icmp_signed(">=", index, index.type(-len(kind)))
    inside = builder.and_(inside, builder.icmp_signed("<", index, index.type(len(kind))))
    with builder.if_then(builder.not_(inside), likely=False):
        context.call_conv.return_user_exc(builder, IndexError, ("tuple index out of range",))
    for i, part in enumerate(kind):
        if context.typing_context.unify_types(part, sig.return_type) != sig.return_type:
            continue  # this body is never run for that part
        here = builder.icmp_signed("==", index, index.type(i))
        here = builder.or_(here, builder.icmp_signed("==", index, index.type(i - len(kind))))
        with builder.if_then(here):
            value = builder.extract_value(row, i)
            builder.store(context.cast(builder, value, part, sig.return_type), slot)
    found = builder.load(slot)
    context.nrt.incref(builder, sig.return_type, found)
    return found


# --- asking about them ------------------------------------------------------------------------------


@overload(any)
def _any(items: Any) -> Any:
    if isinstance(items, (*_TUPLE, *_FLEXIBLE)):

        def some(items):  # type: ignore[no-untyped-def]
            for x in items:  # noqa: SIM110
                if x:
                    return True
            return False

        return some
    return None


@overload(all)
def _all(items: Any) -> Any:
    if isinstance(items, (*_TUPLE, *_FLEXIBLE)):

        def every(items):  # type: ignore[no-untyped-def]
            for x in items:  # noqa: SIM110
                if not x:
                    return False
            return True

        return every
    return None


@overload(operator.not_)
def _not(items: Any) -> Any:
    if isinstance(items, (types.List, Frozen, types.BaseTuple)):
        return lambda items: len(items) == 0
    return None


@overload(bool)
def _bool(items: Any) -> Any:
    if isinstance(items, (types.List, Frozen, types.BaseTuple)):
        return lambda items: len(items) != 0
    return None


@overload_method(types.UniTuple, "count")
def _count(items: Any, item: Any) -> Any:
    def count(items, item):  # type: ignore[no-untyped-def]
        found = 0
        for x in items:
            if x == item:
                found += 1
        return found

    return count


def _same(one, other):  # type: ignore[no-untyped-def]
    if len(one) != len(other):
        return False
    for i in range(len(one)):  # noqa: SIM110
        if one[i] != other[i]:
            return False
    return True


def _mixed(one: Any, other: Any) -> bool:
    rows, lists = _TUPLE, (types.List, Frozen)
    return (isinstance(one, rows) and isinstance(other, lists)) or (
        isinstance(one, lists) and isinstance(other, (*rows, Frozen))
    )


@overload(operator.eq)
def _equal(one: Any, other: Any) -> Any:
    return _same if _mixed(one, other) else None


@overload(operator.ne)
def _unequal(one: Any, other: Any) -> Any:
    if not _mixed(one, other):
        return None

    def differ(one, other):  # type: ignore[no-untyped-def]
        return not one == other  # noqa: SIM201

    return differ


# --- walking over them ------------------------------------------------------------------------------


@overload(reversed)
def _reversed(items: Any) -> Any:
    if isinstance(items, types.RangeType):

        def backwards(items):  # type: ignore[no-untyped-def]
            step = items.step
            count = len(items)
            return range(items.start + (count - 1) * step, items.start - step, -step)

        return backwards
    if isinstance(items, (*_TUPLE, types.List, Frozen)):
        return lambda items: [items[len(items) - 1 - i] for i in range(len(items))]
    return None


@overload(itertools.product)
def _product(*factors: Any) -> Any:
    if len(factors) == 1 and isinstance(factors[0], types.BaseTuple):
        factors = tuple(factors[0])
    if len(factors) == 2:

        def two(*factors):  # type: ignore[no-untyped-def]
            return [(a, b) for a in factors[0] for b in factors[1]]

        return two
    if len(factors) == 3:

        def three(*factors):  # type: ignore[no-untyped-def]
            return [(a, b, c) for a in factors[0] for b in factors[1] for c in factors[2]]

        return three
    return None


@overload(itertools.combinations)
def _combinations(items: Any, size: Any) -> Any:
    size = getattr(size, "literal_value", None)

    def pairs(items, size):  # type: ignore[no-untyped-def]
        pool = [x for x in items]  # noqa: C416
        return [(pool[i], pool[j]) for i in range(len(pool)) for j in range(i + 1, len(pool))]

    def triples(items, size):  # type: ignore[no-untyped-def]
        pool = [x for x in items]  # noqa: C416
        n = len(pool)
        return [
            (pool[i], pool[j], pool[k]) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)
        ]

    return {2: pairs, 3: triples}.get(size)


@overload(itertools.permutations)
def _permutations(items: Any, size: Any) -> Any:
    if getattr(size, "literal_value", None) != 2:
        return None

    def pairs(items, size):  # type: ignore[no-untyped-def]
        pool = [x for x in items]  # noqa: C416
        n = len(pool)
        return [(pool[i], pool[j]) for i in range(n) for j in range(n) if i != j]

    return pairs


# --- state._replace(field=value) --------------------------------------------------------------------


class Replace(types.BoundFunction):
    """`state._replace` before it is called."""

    def get_impl_key(self, sig: Any) -> Any:
        return ("_replace", sig.args)


default_manager.register(Replace, lambda manager, kind: manager.lookup(kind.this))


@infer_getattr
class _NamedTupleMembers(AttributeTemplate):
    key = types.BaseNamedTuple

    def generic_resolve(self, kind: Any, name: str) -> Any:
        if name != "_replace":
            return None

        class Template(AbstractTemplate):
            key = (kind, "_replace")

            def generic(self, args: Any, kws: Any) -> Any:
                if args or not kws:
                    raise errors.TypingError("_replace takes field=value")
                return _replacement(kind, kws)

        return Replace(Template, kind)


def _replacement(kind: Any, given: dict[str, Any]) -> Any:
    """The signature takes every field; those not given are left out, which keeps signatures apart."""
    parts = list(kind)
    for name, found in given.items():
        if name not in kind.fields:
            raise errors.TypingError(f"{kind.instance_class.__name__} has no field {name!r}")
        at = kind.fields.index(name)
        if casts.obstacle(found, parts[at], f".{name}"):
            parts[at] = found
    result = types.BaseTuple.from_types(tuple(parts), kind.instance_class)
    values = [given.get(name, types.Omitted(None)) for name in kind.fields]

    def implementation(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        items = cgutils.unpack_tuple(builder, args[0], len(kind))
        for at, (found, value) in enumerate(zip(values, args[1:])):
            if not isinstance(found, types.Omitted):
                items[at] = casts.cast(context, builder, found, parts[at], value, True)
        made = context.make_tuple(builder, result, items)
        context.nrt.incref(builder, result, made)
        return made

    keyword = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("self", keyword)]
    parameters += [inspect.Parameter(name, keyword, default=None) for name in kind.fields]
    arguments = (kind, *values)
    cpu_target.target_context.insert_func_defn([(implementation, ("_replace", arguments), arguments)])
    return signature(result, *arguments).replace(pysig=inspect.Signature(parameters)).as_method()
