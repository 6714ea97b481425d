"""Compiled bodies for the primitives; importing this module also registers those for plain Python."""

from typing import Any

from numba.core import types
from numba.extending import intrinsic

from gametree.compiled import numbers, primitives, sequences, shapes, spans
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


@overload(primitives.outcome)
def _outcome(game: Any, state: Any, plies: Any) -> Any:
    if not isinstance(game, GameType):
        return None
    if game.game.payoffs is None:
        return lambda game, state, plies: game.utility(state, 0)
    low, high = map(float, game.game.payoffs)
    win = primitives.WIN

    def outcome(game, state, plies):  # type: ignore[no-untyped-def]
        payoff = game.utility(state, 0)
        if payoff >= high:
            return win - plies
        return plies - win if payoff <= low else payoff

    return outcome


@intrinsic
def _store(typing_context: Any, value: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value, words, position = args
        kind, span, _ = sig.args
        for word in shapes.words_of(context, builder, kind, value):
            builder.store(word, spans.item(context, builder, span, words, position))
            position = builder.add(position, context.get_constant(types.intp, 1))
        return position

    plain = value.literal_type if isinstance(value, types.Literal) else value
    return types.intp(plain, words, types.intp), generate


@overload(primitives.store)
def _store_any(value: Any, words: Any, at: Any) -> Any:
    return lambda value, words, at: _store(value, words, at)
