"""`sum` as the interpreter at hand adds: ints without end, floats with what rounding loses, from Python 3.12 on.

Python 3.12 and later add floats by Neumaier's method (Kahan and Babuška), and so does machine code there.
"""

import math
from typing import Any, Final

from gametree.compiled.codegen.extending import overload
from gametree.compiled.frontend.comprehensions import COMPENSATED
from gametree.compiled.guards.arithmetic import on_ints
from gametree.compiled.toolchain import types
from gametree.compiled.types.constants import Frozen

_plus: Final = on_ints("add")


def add(total: Any, lost: Any, item: Any) -> Any:
    """One step: the sum so far with `item`, and what rounding has lost up to now."""
    raise NotImplementedError


def end(total: Any, lost: Any) -> Any:
    """The sum, with what rounding has lost."""
    raise NotImplementedError


def sum_of(items: Any, start: Any = 0) -> Any:
    """`sum` of what machine code can walk over."""
    raise NotImplementedError


def _compensated(total, lost, item):  # type: ignore[no-untyped-def]
    """One step of Neumaier's sum of floats."""
    both = total + item
    if math.fabs(total) >= math.fabs(item):
        lost += (total - both) + item
    else:
        lost += (item - both) + total
    return both, lost


def _finished(total, lost):  # type: ignore[no-untyped-def]
    """The end of Neumaier's sum of floats."""
    return total + lost if lost != 0.0 and math.isfinite(lost) else total


@overload(add)
def _add(total: Any, lost: Any, item: Any) -> Any:
    kinds = (total, item)
    if any(isinstance(kind, types.Float) for kind in kinds):
        if not COMPENSATED:
            return lambda total, lost, item: (float(total) + float(item), lost)
        if not all(isinstance(kind, types.Float) for kind in kinds):
            # An int is added as it is.
            return lambda total, lost, item: (float(total) + float(item), lost)
        return _compensated
    if any(kind == types.uint64 for kind in kinds):
        return lambda total, lost, item: (total + item, lost)
    return lambda total, lost, item: (_plus(total, item), lost)


@overload(end)
def _end(total: Any, lost: Any) -> Any:
    if isinstance(total, types.Float) and COMPENSATED:
        return _finished
    return lambda total, lost: total


@overload(sum_of)
def _sum_of(items: Any, start: Any = 0) -> Any:
    given = not isinstance(start, (int, types.Omitted))
    if isinstance(items, types.BaseTuple) and not isinstance(items, types.UniTuple):
        if given:
            return lambda items, start=0: sum(items, start)
        return lambda items, start=0: sum(items)
    if not isinstance(
        items, (types.List, types.UniTuple, Frozen, types.Array, types.RangeType, types.Generator)
    ):
        return None
    item = items.yield_type if isinstance(items, types.Generator) else items.dtype
    as_float = isinstance(item, types.Float) or isinstance(start, types.Float)

    def floats(items, start=0):  # type: ignore[no-untyped-def]
        total = float(start)
        lost = 0.0
        for item in items:
            total, lost = add(total, lost, item)
        return end(total, lost)

    def whole(items, start=0):  # type: ignore[no-untyped-def]
        total = start
        lost = 0.0
        for item in items:
            total, lost = add(total, lost, item)
        return total

    return floats if as_float else whole
