"""Compiled bodies for the primitives, and for plain Python that Numba alone refuses."""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from gametree.compiled import primitives, shapes
from gametree.compiled.extending import overload, overload_method
from gametree.compiled.gametype import GameType

INT64 = ir.IntType(64)


def register() -> None:
    """Importing this module registers; the call says so."""


@intrinsic
def _stack_address(typing_context: Any) -> Any:
    """Where the stack of this thread stands now."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return shapes.frame_address(builder)

    return types.int64(), generate


@overload(primitives.expired)
def _expired(ledger: Any) -> Any:
    stack, reason, running = primitives.STACK, primitives.BY_STACK, primitives.RUNNING

    def expired(ledger):  # type: ignore[no-untyped-def]
        return reason if _stack_address() < ledger[stack] else running

    return expired


@overload(primitives.estimate)
def _estimate(game: Any, state: Any) -> Any:
    if not isinstance(game, GameType):
        return None
    if game.unit.has_evaluation:
        return lambda game, state: game.evaluate(state, 0)
    return lambda game, state: float("nan")


@intrinsic
def _popcount(typing_context: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        count = builder.ctpop(args[0])
        return count if count.type == INT64 else builder.zext(count, INT64)

    return types.int64(value), generate


@overload_method(types.Integer, "bit_count")
def _bit_count(value: Any) -> Any:
    if value.signed:
        return lambda value: _popcount(abs(value))
    return lambda value: _popcount(value)
