"""Compiled bodies for the primitives; importing this module also registers those for plain Python."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gametree.compiled.codegen import numbers, random, rows, sequences, texts, vectors
from gametree.compiled.codegen.extending import lowered, overload
from gametree.compiled.toolchain import DOUBLE, INT64, cgutils, intrinsic, llvm, types
from gametree.compiled.types import arguments, bounded, machine, pointers, wide
from gametree.compiled.types.bounded import Bounded
from gametree.compiled.types.game_type import GameType
from gametree.compiled.types.wide import Wide
from gametree.game import FARTHEST, offers
from gametree.kernel import atoms, clock, keys, primitives
from gametree.kernel.clock import BY_CLOCK, BY_STACK, RUNNING

REGISTERED = (random, vectors, numbers, sequences, rows, texts)


@intrinsic
def _stack_address(typing_context: Any) -> Any:
    """Where the stack of this thread stands now."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return machine.frame_address(builder)

    return types.int64(), generate


@intrinsic
def _now(typing_context: Any) -> Any:
    """What time it is in the nanoseconds of `time.perf_counter_ns`; long ago where only Python can tell."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return machine.now(builder)

    return types.int64(), generate


@overload(clock.expired)
def _expired(clock: Any) -> Any:
    running, by_stack, by_clock = RUNNING, BY_STACK, BY_CLOCK

    def expired(clock):  # type: ignore[no-untyped-def]
        if _stack_address() < clock.stack:
            return by_stack
        return by_clock if _now() >= clock.deadline else running

    return expired


@overload(primitives.estimate)
def _estimate(game: Any, state: Any) -> Any:
    if not isinstance(game, GameType):
        return None
    if game.unit.has_evaluation:
        return lambda game, state: game.evaluate(state, 0)
    return lambda game, state: float("nan")


@overload(primitives.estimate_for)
def _estimate_for(game: Any, state: Any, player: Any) -> Any:
    if game.unit.has_evaluation:
        return lambda game, state, player: game.evaluate(state, player)
    return lambda game, state, player: float("nan")


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


def _write(context: Any, builder: Any, kind: Any, value: Any, array: Any, words: Any, at: Any) -> Any:
    """Writes a value into an array word by word; the index behind it."""
    for word in arguments.words_of(context, builder, kind, value):
        builder.store(word, pointers.item(context, builder, array, words, at))
        at = builder.add(at, context.get_constant(types.intp, 1))
    return at


@lowered(primitives.store)
def _store(typing_context: Any, value: Any, words: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _write(context, builder, sig.args[0], args[0], sig.args[1], *args[1:])

    return types.intp(types.unliteral(value), words, types.intp), generate


@lowered(primitives.keep)
@lowered(primitives.keep_state)
def _keep(typing_context: Any, game: Any, value: Any, shelf: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _write(context, builder, sig.args[1], args[1], sig.args[2], *args[2:])
        return context.get_dummy_value()

    return types.none(game, types.unliteral(value), shelf, types.intp), generate


def _taking(primitive: Any, kind_of: Callable[[Any], Any]) -> None:
    @lowered(primitive)
    def _take(typing_context: Any, game: Any, shelf: Any, at: Any) -> Any:
        kind = kind_of(game.unit)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return arguments.from_words(context, builder, kind, sig.args[1], *args[1:])

        return kind(game, shelf, types.intp), generate


_taking(primitives.take, lambda unit: unit.action_type)
_taking(primitives.take_state, lambda unit: unit.state_type)


def _key_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The words of `keys.state_key`, one multiplication and the mixer for each."""

    def constant(number: int) -> llvm.Constant:
        return llvm.Constant(INT64, number)

    def fold(so_far: Any, kind: Any, value: Any) -> Any:
        if isinstance(kind, types.BaseTuple):
            so_far = builder.mul(builder.xor(so_far, constant(len(kind))), constant(keys.FIRST))
            for part, item in zip(kind, cgutils.unpack_tuple(builder, value, len(kind))):
                so_far = fold(so_far, part, item)
            return so_far
        if isinstance(kind, Wide):
            return letters(so_far, value)
        if isinstance(kind, Bounded):
            return members(so_far, kind, value)
        if isinstance(kind, types.Optional):
            valid, item = arguments.maybe(context, builder, kind, value)
            slot = cgutils.alloca_once_value(builder, mixed(so_far, constant(atoms.NONE)))
            with builder.if_then(valid):
                builder.store(fold(so_far, kind.type, item), slot)
            return builder.load(slot)
        (word,) = arguments.words_of(context, builder, kind, value)
        if isinstance(kind, types.Float):
            number = context.cast(builder, value, kind, types.float64)
            small = builder.fcmp_ordered("<", number, llvm.Constant(DOUBLE, keys.WHOLE))
            small = builder.and_(small, builder.fcmp_ordered(">", number, llvm.Constant(DOUBLE, -keys.WHOLE)))
            nearby = builder.select(small, number, llvm.Constant(DOUBLE, 0.5))
            whole = builder.fptosi(nearby, INT64)
            same = builder.fcmp_ordered("==", builder.sitofp(whole, DOUBLE), nearby)
            word = builder.select(same, whole, word)
        return mixed(so_far, word)

    def mixed(so_far: Any, word: Any) -> Any:
        word = builder.mul(builder.add(so_far, word), constant(keys.FIRST))
        word = builder.mul(builder.xor(word, builder.lshr(word, constant(30))), constant(keys.STEP_1))
        word = builder.mul(builder.xor(word, builder.lshr(word, constant(27))), constant(keys.STEP_2))
        return builder.xor(word, builder.lshr(word, constant(31)))

    def letters(so_far: Any, value: Any) -> Any:
        """Of a text its words up to the last letter; of an int among texts the int."""
        first, *rest = wide.split(builder, value)
        mark = builder.and_(first, constant(0xFF))
        number = builder.icmp_unsigned("==", mark, constant(atoms.INT))
        found = mixed(so_far, builder.select(number, builder.ashr(first, constant(8)), first))
        for i, word in enumerate(rest):
            more = word
            for later in rest[i + 1 :]:
                more = builder.or_(more, later)
            found = builder.select(builder.icmp_unsigned("!=", more, constant(0)), mixed(found, word), found)
        return found

    def members(so_far: Any, kind: Any, value: Any) -> Any:
        """A tuple in its order; a set as the sum of its members, whatever their order."""
        length = builder.extract_value(value, 0)
        start = builder.mul(builder.xor(so_far, length), constant(keys.FIRST))
        slot = cgutils.alloca_once(builder, INT64)
        builder.store(constant(0) if kind.unordered else start, slot)
        with cgutils.for_range(builder, length) as loop:
            item = bounded.load(context, builder, kind, value, loop.index)
            before = builder.load(slot)
            if kind.unordered:
                builder.store(builder.add(before, fold(constant(keys.FIRST), kind.dtype, item)), slot)
            else:
                builder.store(fold(before, kind.dtype, item), slot)
        found = builder.load(slot)
        return mixed(start, found) if kind.unordered else found

    return fold(constant(keys.FIRST), kind, value)


@lowered(keys.state_key)
def _key(typing_context: Any, state: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _key_of(context, builder, sig.args[0], args[0])

    return types.uint64(types.unliteral(state)), generate


_state_key = intrinsic(_key)


def _telling(primitive: Any, answer: Callable[[Any], int]) -> None:
    """Compiled code knows what depends on the game alone as a constant."""

    @lowered(primitive)
    def _tell(typing_context: Any, game: Any) -> Any:
        told = answer(game.unit)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return context.get_constant(types.int64, told)

        return types.int64(game), generate


_telling(primitives.action_words, lambda unit: arguments.word_count(unit.action_type))
_telling(primitives.state_words, lambda unit: arguments.word_count(unit.state_type))


@lowered(primitives.bits)
def _bits(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], INT64)

    return types.int64(types.float64), generate


@lowered(primitives.unbits)
def _unbits(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.bitcast(args[0], DOUBLE)

    return types.float64(types.int64), generate


@lowered(primitives.above)
def _above(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        (number,) = args
        one, zero = llvm.Constant(INT64, 1), llvm.Constant(DOUBLE, 0.0)
        word = builder.bitcast(number, INT64)
        positive = builder.fcmp_ordered(">", number, zero)
        following = builder.select(positive, builder.add(word, one), builder.sub(word, one))
        following = builder.select(builder.fcmp_ordered("==", number, zero), one, following)
        return builder.bitcast(following, DOUBLE)

    return types.float64(types.float64), generate


@overload(primitives.position)
def _position(game: Any, state: Any) -> Any:
    def keyed(game, state):  # type: ignore[no-untyped-def]
        return np.int64(_state_key(game.key(state)))

    def plain(game, state):  # type: ignore[no-untyped-def]
        return np.int64(_state_key(state))

    return keyed if offers(game.game, "key") else plain


@overload(primitives.identity)
def _identity(game: Any, state: Any) -> Any:
    def usual(game, state):  # type: ignore[no-untyped-def]
        return primitives.position(game, state)

    def folded(game, state):  # type: ignore[no-untyped-def]
        key = _state_key(game.key(state))
        for image in game.symmetries(state):
            key = min(key, _state_key(game.key(image)))
        return np.int64(key)

    return folded if offers(game.game, "symmetries") else usual


@overload(primitives.chance_outcomes)
def _chance_outcomes(game: Any, state: Any) -> Any:
    def none(game, state):  # type: ignore[no-untyped-def]
        # Never entered: it gives the pairs their type.
        if game.is_terminal(state):
            for action in game.actions(state):
                yield action, 0.0

    if offers(game.game, "chance"):
        return lambda game, state: game.chance(state)
    return none


@overload(primitives.plies_left)
def _plies_left(game: Any, state: Any) -> Any:
    never = primitives.NEVER
    if offers(game.game, "clock"):
        return lambda game, state: game.clock(state)
    return lambda game, state: never


@overload(primitives.passed)
def _passed(game: Any, state: Any) -> Any:
    if offers(game.game, "null"):
        return lambda game, state: game.null(state)
    return lambda game, state: state


@overload(primitives.threatened)
def _threatened(game: Any, state: Any) -> Any:
    if offers(game.game, "threatened"):
        return lambda game, state: game.threatened(state)
    return lambda game, state: False


@overload(primitives.threatens)
def _threatens(game: Any, state: Any, action: Any) -> Any:
    if offers(game.game, "threatens"):
        return lambda game, state, action: game.threatens(state, action)
    if offers(game.game, "threatened"):
        return lambda game, state, action: game.threatened(game.result(state, action))
    return lambda game, state, action: False


@overload(primitives.recurrence)
def _recurrence(game: Any, state: Any) -> Any:
    def own(game, state):  # type: ignore[no-untyped-def]
        return np.int64(_state_key(game.repetition_key(state)))

    def usual(game, state):  # type: ignore[no-untyped-def]
        return primitives.position(game, state)

    return own if offers(game.game, "repetition_key") else usual


@lowered(primitives.action_code)
def _action_code(typing_context: Any, action: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        (kind,), (word,) = sig.args, args
        if isinstance(kind, types.Integer):
            word = context.cast(builder, word, kind, types.int64)
            shift = llvm.Constant(INT64, primitives.CODE_BITS)
            word = builder.xor(word, builder.ashr(word, shift))
        else:
            word = _key_of(context, builder, kind, word)
        return builder.and_(word, llvm.Constant(INT64, primitives.CODES - 1))

    return types.int64(types.unliteral(action)), generate


@lowered(primitives.action_number)
def _action_number(typing_context: Any, action: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        none = llvm.Constant(INT64, -1)
        (kind,), (word,) = sig.args, args
        if not isinstance(kind, types.Integer):
            return none
        word = context.cast(builder, word, kind, types.int64)
        end = llvm.Constant(INT64, 1 << primitives.NUMBER_BITS)
        return builder.select(builder.icmp_unsigned("<", word, end), word, none)

    return types.int64(types.unliteral(action)), generate


@lowered(primitives.fetch)
def _fetch(typing_context: Any, table: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = pointers.item(context, builder, sig.args[0], *args)
        byte = llvm.IntType(8).as_pointer()
        number = llvm.IntType(32)
        kind = llvm.FunctionType(llvm.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # To be read, to stay in every cache, data.
        settings = [llvm.Constant(number, setting) for setting in (0, 3, 1)]
        builder.call(function, [builder.bitcast(place, byte), *settings])
        return context.get_dummy_value()

    return types.none(table, types.intp), generate


@overload(primitives.prospects)
def _prospects(game: Any, state: Any) -> Any:
    farthest = FARTHEST

    def given(game, state):  # type: ignore[no-untyped-def]
        low, high = game.prospects(state)
        return max(low, -farthest), min(high, farthest)

    def margins(game, state):  # type: ignore[no-untyped-def]
        if game.is_terminal(state):
            margin = game.margin(state, game.player(state))
            return margin, margin
        return -farthest, farthest

    def utilities(game, state):  # type: ignore[no-untyped-def]
        if game.is_terminal(state):
            payoff = game.utility(state, game.player(state))
            if not -farthest <= payoff <= farthest or payoff != np.floor(payoff):
                raise ValueError("a utility that is no whole number")
            margin = np.int64(payoff)
            return margin, margin
        return np.int64(-farthest), np.int64(farthest)

    if offers(game.game, "prospects"):
        return given
    return margins if offers(game.game, "margin") else utilities


@overload(primitives.forced)
def _forced(game: Any, state: Any) -> Any:
    if offers(game.game, "forced"):
        return lambda game, state: game.forced(state)
    return lambda game, state: state


@overload(primitives.likeness)
def _likeness(game: Any, state: Any) -> Any:
    def own(game, state):  # type: ignore[no-untyped-def]
        return np.int64(_state_key(game.value_key(state)))

    def usual(game, state):  # type: ignore[no-untyped-def]
        return primitives.identity(game, state)

    return own if offers(game.game, "value_key") else usual


@overload(primitives.signed_key)
def _signed_key(value: Any) -> Any:
    return lambda value: np.int64(_state_key(value))
