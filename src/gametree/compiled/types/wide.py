"""Texts, None and members of enums in machine code: one whole number of as many bits as the longest needs.

`kernel/atoms.py` says which number stands for what. Texts are compared as numbers; a letter is a byte, a slice a shift.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from gametree.compiled.guards import plumbing
from gametree.compiled.guards.places import BEYOND
from gametree.compiled.toolchain import (
    INT64,
    RefType,
    cgutils,
    errors,
    intrinsic,
    iternext_impl,
    llvm,
    lower_builtin,
    lower_cast,
    lower_constant,
    models,
    register_model,
    typeof_impl,
    types,
)
from gametree.kernel import atoms


class Wide(types.IterableType, types.Hashable):
    """The Numba type of texts and the like, of so many words."""

    def __init__(self, words: int):
        self.words = words
        super().__init__(f"text({words})")

    @property
    def key(self) -> Any:
        return self.words

    @property
    def iterator_type(self) -> types.Type:
        return WideIterator(self)

    def unify(self, context: Any, other: Any) -> Any:
        return self if _fits(other) else None

    def can_convert_from(self, context: Any, other: Any) -> Any:
        return context_conversion("safe") if _fits(other) else None


def context_conversion(name: str) -> Any:
    from numba.core.typeconv import Conversion

    return getattr(Conversion, name)


def _fits(kind: Any) -> bool:
    if isinstance(kind, types.Optional):
        return _fits(kind.type)
    return kind == types.none or isinstance(kind, (Wide, types.Integer, types.Boolean))


class WideIterator(types.SimpleIteratorType):
    """Walks over the letters of a text."""

    def __init__(self, source: Wide):
        self.source = source
        super().__init__(f"iter({source})", source)


class Letters:
    """A text, None or a member of an enum that compiled code names."""

    def __init__(self, value: Any, words: int):
        self.value = value
        self.words = words


class Current:
    """How many words the texts of the game have that is being compiled, under Numba's lock."""

    words = 1


@contextlib.contextmanager
def of_width(words: int) -> Iterator[None]:
    """Within this block a game is compiled whose texts have so many words."""
    before, Current.words = Current.words, words
    try:
        yield
    finally:
        Current.words = before


def wide() -> Wide:
    """The type of texts in the game that is being compiled."""
    return Wide(Current.words)


@typeof_impl.register(Letters)
def _typeof_letters(letters: Letters, context: Any) -> Wide:
    return wide()


@register_model(Wide)
class _WideModel(models.PrimitiveModel):
    """In memory an array of words: as a number it would be aligned like no list is."""

    def __init__(self, manager: Any, kind: Wide):
        self._array = llvm.ArrayType(INT64, kind.words)
        self._words = kind.words
        super().__init__(manager, kind, llvm.IntType(64 * kind.words))

    def get_data_type(self) -> Any:
        return self._array

    def as_data(self, builder: Any, value: Any) -> Any:
        array = llvm.Constant(self._array, llvm.Undefined)
        for i, word in enumerate(split(builder, value)):
            array = builder.insert_value(array, word, i)
        return array

    def from_data(self, builder: Any, value: Any) -> Any:
        return join(builder, [builder.extract_value(value, i) for i in range(self._words)])


def split(builder: Any, value: Any) -> list[Any]:
    """The words of a wide number."""
    kind = value.type
    count = kind.width // 64
    if count == 1:
        return [value]
    return [builder.trunc(builder.lshr(value, kind(64 * i)), INT64) for i in range(count)]


def join(builder: Any, words: list[Any]) -> Any:
    """The wide number of some words."""
    if len(words) == 1:
        return words[0]
    kind = llvm.IntType(64 * len(words))
    made = builder.zext(words[0], kind)
    for i, word in enumerate(words[1:], 1):
        made = builder.or_(made, builder.shl(builder.zext(word, kind), kind(64 * i)))
    return made


def number(value: Any, words: int) -> int:
    """The number of a constant of the rules."""
    found = atoms.number_of(value.value if isinstance(value, Letters) else value)
    if found is None or found >> 64 * words:
        shown = value.value if isinstance(value, Letters) else value
        raise errors.TypingError(f"refused: uses {shown!r}; write short texts in letters of Latin-1")
    return found


@lower_constant(Wide)
def _lower_wide(context: Any, builder: Any, kind: Wide, value: Any) -> Any:
    return llvm.Constant(llvm.IntType(64 * kind.words), number(value, kind.words))


# --- into them and out of them ----------------------------------------------------------------------


def of_int(builder: Any, kind: Wide, value: Any) -> Any:
    """An int as it stands where there may be a text, too; larger ones have no room."""
    whole = llvm.IntType(64 * kind.words)
    shifted = builder.shl(value, INT64(8))
    back = builder.ashr(shifted, INT64(8))
    plumbing.give_up_if(builder, builder.icmp_signed("!=", back, value), BEYOND)
    word = builder.or_(shifted, INT64(atoms.INT))
    return word if kind.words == 1 else builder.zext(word, whole)


@lower_cast(types.Integer, Wide)
def _from_int(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return of_int(builder, wanted, context.cast(builder, value, found, types.int64))


@lower_cast(types.Boolean, Wide)
def _from_bool(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return of_int(builder, wanted, builder.zext(value, INT64))


@lower_cast(types.none, Wide)
def _from_none(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    return llvm.Constant(llvm.IntType(64 * wanted.words), atoms.NONE)


@lower_cast(Wide, types.int64)
def to_int(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    """The int that stands there; a TypeError where it is none, as in Python."""
    word = value if found.words == 1 else builder.trunc(value, INT64)
    mark = builder.and_(word, INT64(0xFF))
    with builder.if_then(builder.icmp_unsigned("!=", mark, INT64(atoms.INT)), likely=False):
        context.call_conv.return_user_exc(builder, TypeError, ("a text or None where a number is needed",))
    return builder.ashr(word, INT64(8))


@lower_cast(Wide, Wide)
def _same(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    assert found == wanted, "one game, one width"
    return value


@lower_cast(types.Optional, Wide)
def _from_optional(context: Any, builder: Any, found: Any, wanted: Any, value: Any) -> Any:
    optional = context.make_helper(builder, found, value)
    nothing = llvm.Constant(llvm.IntType(64 * wanted.words), atoms.NONE)
    slot = cgutils.alloca_once_value(builder, nothing)
    with builder.if_then(builder.icmp_unsigned("!=", optional.valid, optional.valid.type(0))):
        builder.store(context.cast(builder, optional.data, found.type, wanted), slot)
    return builder.load(slot)


# --- walking over letters ---------------------------------------------------------------------------


@register_model(WideIterator)
class _WideIteratorModel(models.StructModel):
    def __init__(self, manager: Any, kind: WideIterator):
        members = [("rest", types.EphemeralPointer(types.UniTuple(types.uint64, kind.source.words)))]
        super().__init__(manager, kind, members)


@lower_builtin("getiter", Wide)
def _lower_iter(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    iterator = context.make_helper(builder, sig.return_type)
    iterator.rest = cgutils.alloca_once_value(
        builder, context.data_model_manager[sig.args[0]].as_data(builder, args[0])
    )
    return iterator._getvalue()


@lower_builtin("iternext", WideIterator)
@iternext_impl(RefType.UNTRACKED)
def _lower_next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (kind,) = sig.args
    iterator = context.make_helper(builder, kind, args[0])
    model = context.data_model_manager[kind.source]
    rest = model.from_data(builder, builder.load(iterator.rest))
    valid = builder.icmp_unsigned("!=", rest, rest.type(0))
    result.set_valid(valid)
    with builder.if_then(valid):
        result.yield_(builder.and_(rest, rest.type(0xFF)))
        builder.store(model.as_data(builder, builder.lshr(rest, rest.type(8))), iterator.rest)


# --- what operations on texts are made of -----------------------------------------------------------


def _bits(builder: Any, value: Any) -> Any:
    """How many bits the bytes of a text take, as a number of its width."""
    kind = value.type
    zeros = builder.ctlz(value, llvm.IntType(1)(0))
    used = builder.sub(kind(kind.width), zeros)
    return builder.and_(builder.add(used, kind(7)), kind((1 << kind.width) - 8))


def _demand_text(context: Any, builder: Any, value: Any) -> None:
    low = builder.trunc(value, INT64) if value.type.width > 64 else value
    mark = builder.and_(low, INT64(0xFF))
    wrong = builder.icmp_unsigned("<", builder.sub(mark, INT64(1)), INT64(atoms.CONTROLS - 1))
    with builder.if_then(wrong, likely=False):
        context.call_conv.return_user_exc(
            builder, TypeError, ("None, a number or a member where a text is needed",)
        )


def _clipped(builder: Any, kind: Any, amount: Any) -> Any:
    """An int64 from 0 to the width as a number of the width."""
    return amount if kind.width == 64 else builder.zext(amount, kind)


@intrinsic
def length(typing_context: Any, text: Any) -> Any:
    """How many letters a text has."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        _demand_text(context, builder, args[0])
        bits = _bits(builder, args[0])
        bits = bits if bits.type.width == 64 else builder.trunc(bits, INT64)
        return builder.lshr(bits, INT64(3))

    return types.int64(text), generate


@intrinsic
def byte(typing_context: Any, text: Any, at: Any) -> Any:
    """The letter at a place that is inside, as a number."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        text, at = args
        shift = _clipped(builder, text.type, builder.shl(at, INT64(3)))
        moved = builder.lshr(text, shift)
        low = moved if moved.type.width == 64 else builder.trunc(moved, INT64)
        return builder.and_(low, INT64(0xFF))

    return types.int64(text, types.int64), generate


@intrinsic
def letter(typing_context: Any, code: Any) -> Any:
    """The text of one letter."""
    kind = wide()

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _clipped(builder, llvm.IntType(64 * kind.words), args[0])

    return kind(types.int64), generate


@intrinsic
def cut(typing_context: Any, text: Any, start: Any, end: Any) -> Any:
    """The letters from start to before end, both inside, start no later than end."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        text, start, end = args
        kind = text.type
        full = builder.icmp_signed(">=", builder.sub(end, start), INT64(kind.width // 8))
        size = builder.shl(builder.sub(end, start), INT64(3))
        beyond = builder.icmp_signed(">=", start, INT64(kind.width // 8))
        shift = builder.select(beyond, INT64(0), builder.shl(start, INT64(3)))
        moved = builder.lshr(text, _clipped(builder, kind, shift))
        size = builder.select(full, INT64(0), size)
        mask = builder.sub(builder.shl(kind(1), _clipped(builder, kind, size)), kind(1))
        mask = builder.select(full, kind((1 << kind.width) - 1), mask)
        return builder.select(beyond, kind(0), builder.and_(moved, mask))

    return text(text, types.int64, types.int64), generate


@intrinsic
def joined(typing_context: Any, one: Any, other: Any) -> Any:
    """Two texts, one after the other; gives up where there is no room for them."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, other = args
        kind = one.type
        _demand_text(context, builder, one)
        _demand_text(context, builder, other)
        first = _bits(builder, one)
        room = builder.add(first, _bits(builder, other))
        plumbing.give_up_if(builder, builder.icmp_unsigned(">", room, kind(kind.width)), BEYOND)
        full = builder.icmp_unsigned("==", first, kind(kind.width))
        shift = builder.select(full, kind(0), first)
        moved = builder.shl(other, shift)
        return builder.or_(one, builder.select(full, kind(0), moved))

    return one(one, one), generate


@intrinsic
def low_word(typing_context: Any, text: Any) -> Any:
    """The lowest word of a wide number."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0] if args[0].type.width == 64 else builder.trunc(args[0], INT64)

    return types.int64(text), generate


@intrinsic
def as_wide(typing_context: Any, value: Any) -> Any:
    """An int, None or a text as what may be any of these."""
    kind = wide()
    value = types.unliteral(value)
    if not _fits(value):
        return None

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, args[0], sig.args[0], kind)

    return kind(value), generate


@intrinsic
def same(typing_context: Any, one: Any, other: Any) -> Any:
    """Whether two wide numbers are the same."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.icmp_unsigned("==", *args)

    return types.boolean(one, one), generate
