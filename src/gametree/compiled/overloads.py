"""Compiled bodies for the primitives; importing this module also registers those for plain Python."""

from typing import Any

from numba.core import types
from numba.extending import intrinsic

from gametree.compiled import numbers, primitives, sequences, shapes
from gametree.compiled.extending import overload
from gametree.compiled.gametype import GameType

REGISTERED = (numbers, sequences)


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
