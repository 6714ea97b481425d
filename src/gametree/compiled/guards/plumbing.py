"""Every guarded function is told where the clock of the search lies: it counts calls and looks at the time there.

Numba's functions take a pointer to room for an exception. A caller of ours writes the address of the clock into that
room before each call, and a callee reads it there before anything else: no signature changes, and what has no use for
the address is optimised away. A unit without checks has none of this.

    deep call           a call in a circle of calls counts itself in `clock.depth`, and gives up beyond MOST_CALLS
    loop                a loop that need not end looks at the time now and then, and gives up when it is past
                        `clock.patience`
    time                a member of the contract does not begin when `clock.over` says that time is over
    giving up           the function returns a number from FIRST on, which stands for a place in the rules, through
                        all its callers, whatever `except` they have
"""

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from numba.core import callconv, lowering

from gametree.compiled.guards.places import (
    ANYWHERE,
    BEYOND,
    FIRST,
    LOOP,
    OUTGROWN,
    OVER,
    OVERFLOW,
    RECURSION,
    Place,
)
from gametree.compiled.toolchain import INT64, cgutils, ir, llvm
from gametree.compiled.types.machine import frame_address, now
from gametree.game import ESSENTIAL, OPTIONAL
from gametree.kernel.clock import Clock

MOST_CALLS: Final = 1000
"""As deep as Python itself goes."""
_BELOW: Final = 1 << 20
"""So many bytes beyond the search's own limit the stack of the rules may reach."""
_STRIDE: Final = 1 << 14
"""Rounds of a loop between two looks at the clock."""
_RULES: Final = frozenset((*ESSENTIAL, *OPTIONAL))
_CODE: Final = llvm.IntType(32)
_WORDS: Final = INT64.as_pointer()
_PLACE: Final = {field.name: field.place for field in Clock.fields}


class Guard:
    """What is guarded at the moment: one unit at a time is compiled, under Numba's lock."""

    def __init__(self) -> None:
        self.active = False
        self.places: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self.at: tuple[str, str, int] | None = None
        """File, function and line of the rules that are lowered; None in code of ours."""

    def number(self, why: str) -> int:
        """The number that stands for giving up here.

        What Numba keeps for other units, too, gives up ANYWHERE; who calls it from the rules says where.
        """
        if self.at is None:
            return OUTGROWN if why == BEYOND else ANYWHERE
        place = Place(why, *self.at)
        if place not in self._numbers:
            self._numbers[place] = FIRST + len(self.places)
            self.places.append(place)
        return self._numbers[place]


GUARD: Final = Guard()


@contextlib.contextmanager
def guarding(active: bool) -> Iterator[list[Place]]:
    """Within this block functions are compiled with guards, or without; gives the places at which they may give up."""
    GUARD.__init__()  # type: ignore[misc]
    GUARD.active = active
    try:
        yield GUARD.places
    finally:
        GUARD.active, GUARD.at = False, None


def give_up(builder: Any, why: str) -> None:
    """Leaves the function at once: what it would return cannot be trusted."""
    builder.ret(llvm.Constant(_CODE, GUARD.number(why)))


def give_up_if(builder: Any, condition: Any, why: str = OVERFLOW) -> None:
    """Leaves the function where a condition holds, which is rare."""
    with builder.if_then(condition, likely=False):
        give_up(builder, why)


# --- the clock, from function to function -----------------------------------------------------------


def clock_of(builder: Any) -> Any:
    """Where the clock lies: what the caller wrote into the room for an exception."""
    function = builder.function
    known = getattr(function, "gametree_clock", None)
    if known is None:
        with builder.goto_entry_block():
            word = builder.load(builder.bitcast(function.args[1], _WORDS.as_pointer()))
        known = function.gametree_clock = word
    return known


def enter(context: Any, builder: Any, callee: Any, returned: Any, kinds: Any, given: Any, clock: Any) -> Any:
    """Calls a kernel with the address of its clock; where it has none, it gets one that nobody looks at."""
    if not GUARD.active:
        return _plain_call(context.call_conv, builder, callee, returned, kinds, given)
    if clock is None:
        clock = cgutils.alloca_once(builder, INT64, size=len(Clock.fields) + 1)
        for field in Clock.fields:
            value = (1 << 62) if field.name == "patience" else 0
            builder.store(
                llvm.Constant(INT64, value), builder.gep(clock, [llvm.Constant(INT64, field.place)])
            )
    else:
        builder.store(llvm.Constant(INT64, 0), _word(builder, clock, "depth"))
    builder.function.gametree_clock = clock
    return _call_function(context.call_conv, builder, callee, returned, kinds, given)


def _word(builder: Any, clock: Any, name: str) -> Any:
    return builder.gep(clock, [llvm.Constant(INT64, _PLACE[name])])


_plain_call = callconv.CPUCallConv.call_function
_plain_propagate = callconv.CPUCallConv.return_status_propagate
_plain_try_state = callconv.CPUCallConv._get_try_state


def _call_function(
    self: Any, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None
) -> Any:
    if not GUARD.active or not _is_guarded(builder.function):
        return _plain_call(self, builder, callee, resty, argtys, args, attrs)
    clock = clock_of(builder)
    returned = cgutils.alloca_once(builder, self.get_return_type(resty).pointee)
    builder.store(cgutils.get_null_value(returned.type.pointee), returned)
    room = cgutils.alloca_once(builder, llvm.PointerType(callconv.excinfo_t), name="excinfo")
    builder.store(clock, builder.bitcast(room, _WORDS.as_pointer()))
    given = list(self._get_arg_packer(argtys).as_arguments(builder, args))
    attributes = tuple(attrs.split() if isinstance(attrs, str) else attrs or ())
    deep = getattr(builder, "gametree_deep", False)
    if deep:
        builder.gametree_deep = False
        calls = _word(builder, clock, "depth")
        before = builder.load(calls)
        most = llvm.Constant(INT64, MOST_CALLS)
        below = builder.add(frame_address(builder), llvm.Constant(INT64, _BELOW))
        low = builder.icmp_signed("<", below, builder.load(_word(builder, clock, "stack")))
        give_up_if(builder, builder.or_(builder.icmp_signed(">=", before, most), low), RECURSION)
        builder.store(builder.add(before, llvm.Constant(INT64, 1)), calls)
    code = builder.call(callee, [returned, room, *given], attrs=attributes)
    if deep:
        builder.store(before, calls)
    status = self._get_return_status(builder, code, builder.load(room))
    return status, self.context.get_returned_value(builder, resty, builder.load(returned))


def _is_guarded(function: Any) -> bool:
    """Whether a function has room for an exception, in which its caller writes: some that Numba makes have none."""
    given = function.args
    room = llvm.PointerType(llvm.PointerType(callconv.excinfo_t))
    return hasattr(function, "gametree_clock") or (len(given) > 1 and given[1].type == room)


def _propagate(self: Any, builder: Any, status: Any) -> None:
    if GUARD.active:  # past every `except` of the rules
        over = llvm.Constant(_CODE, OVER)
        with builder.if_then(builder.icmp_signed(">=", status.code, over), likely=False):
            code = status.code
            if GUARD.at is not None:
                for anywhere, why in ((ANYWHERE, OVERFLOW), (OUTGROWN, BEYOND)):
                    here = llvm.Constant(_CODE, GUARD.number(why))
                    code = builder.select(
                        builder.icmp_signed("==", code, llvm.Constant(_CODE, anywhere)), here, code
                    )
            builder.ret(code)
    _plain_propagate(self, builder, status)


def _try_state(self: Any, builder: Any) -> Any:
    """Before anybody asks whether there is an exception, the room for it is empty."""
    function = builder.function
    if GUARD.active and _is_guarded(function) and not hasattr(function, "gametree_emptied"):
        builder.function.gametree_emptied = True
        clock_of(builder)
        with builder.goto_entry_block():
            room = builder.function.args[1]
            builder.store(cgutils.get_null_value(room.type.pointee), room)
    return _plain_try_state(self, builder)


_plain_recursive = lowering.Lower._lower_call_RecursiveCall


def _recursive_call(self: Any, fnty: Any, expr: Any, signature: Any) -> Any:
    if GUARD.active and GUARD.at is not None:
        self.builder.gametree_deep = True
    return _plain_recursive(self, fnty, expr, signature)


REPLACED: Final[tuple[tuple[Any, str, Any], ...]] = (
    (callconv.CPUCallConv, "call_function", _call_function),
    (callconv.CPUCallConv, "return_status_propagate", _propagate),
    (callconv.CPUCallConv, "_get_try_state", _try_state),
    (lowering.Lower, "_lower_call_RecursiveCall", _recursive_call),
)
"""What stands in the place of Numba's own while a kernel is compiled."""


# --- where the lowering is --------------------------------------------------------------------------


def is_checked(function: Any) -> bool:
    """Whether a function, as Numba has it, belongs to rules that are checked."""
    return bool(function.__dict__.get("gametree_checked"))


def arrive(lower: Any, step: Any) -> None:
    """The lowering has come to a step of a function."""
    if is_checked(lower.func_ir):
        name = lower.func_ir.func_id.func_qualname.rpartition("<locals>.")[2]
        GUARD.at = (step.loc.filename, name, step.loc.line)


@contextlib.contextmanager
def lowering_of() -> Iterator[None]:
    """Within this block a function is lowered, perhaps in the midst of another one."""
    before, GUARD.at = GUARD.at, None
    try:
        yield
    finally:
        GUARD.at = before


def begin_in_time(lower: Any, block: Any) -> None:
    """At the beginning of a rule: gives up when time is over."""
    function = lower.func_ir
    name = function.func_id.func_name
    if not (name in _RULES or name.startswith("evaluate_")) or not is_checked(function):
        return
    if block is function.blocks[min(function.blocks)]:
        builder = lower.builder
        over = builder.load(_word(builder, clock_of(builder), "over"))
        late = builder.icmp_signed("!=", over, llvm.Constant(INT64, 0))
        with builder.if_then(late, likely=False):
            builder.ret(llvm.Constant(_CODE, OVER))


def look_at_the_clock(lower: Any, block: Any) -> None:
    """At the head of a loop that need not end: gives up when the rules have taken too long."""
    if not is_checked(lower.func_ir) or all(block is not head for head in _heads(lower.func_ir)):
        return
    builder = lower.builder
    if block.body:
        arrive(lower, block.body[0])
    clock = clock_of(builder)
    if lower.func_ir.is_generator:  # which begins anew after each `yield`
        counter = _word(builder, clock, "rounds")
    else:
        counter = cgutils.alloca_once_value(builder, llvm.Constant(INT64, 0))
    rounds = builder.add(builder.load(counter), llvm.Constant(INT64, 1))
    builder.store(rounds, counter)
    rest = builder.and_(rounds, llvm.Constant(INT64, _STRIDE - 1))
    with builder.if_then(builder.icmp_unsigned("==", rest, llvm.Constant(INT64, 0)), likely=False):
        late = builder.icmp_signed(">", now(builder), builder.load(_word(builder, clock, "patience")))
        give_up_if(builder, late, LOOP)


def _heads(function: Any) -> list[Any]:
    """The blocks at which a loop begins that is no walk over something."""
    known = function.__dict__.get("gametree_heads")
    if known is None:
        from numba.core.analysis import compute_cfg_from_blocks

        loops = compute_cfg_from_blocks(function.blocks).loops()
        known = []
        for head in {loop.header for loop in loops.values()}:
            block = function.blocks[head]
            walks = any(
                isinstance(assign.value, ir.Expr) and assign.value.op == "iternext"
                for assign in block.find_insts(ir.Assign)
            )
            if not walks:
                known.append(block)
        function.gametree_heads = known
    return known  # type: ignore[no-any-return]
