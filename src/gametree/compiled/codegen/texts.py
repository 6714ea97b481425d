"""What rules do with texts: letters, slices, `in`, `count`, `replace`, `join` and the rest, as Python has it."""

import operator
from typing import Any

from gametree.compiled.codegen.extending import leave_out, overload, overload_method
from gametree.compiled.guards.arithmetic import on_ints
from gametree.compiled.toolchain import INT64, extending, intrinsic, lower_builtin, types
from gametree.compiled.types.bounded import Bounded
from gametree.compiled.types.constants import Frozen
from gametree.compiled.types.wide import (
    Wide,
    as_wide,
    byte,
    cut,
    joined,
    length,
    letter,
    low_word,
    same,
)
from gametree.kernel import atoms

_LOOSE = (types.Integer, types.Boolean, types.NoneType, types.Optional)


def _with_text(one: Any, other: Any) -> bool:
    """Whether one of two is a text and the other one may be compared with it."""
    loose = (Wide, *_LOOSE)
    return (isinstance(one, Wide) and isinstance(other, loose)) or (
        isinstance(other, Wide) and isinstance(one, loose)
    )


def _foreign(one: Any, other: Any) -> bool:
    """Whether a text is compared with what is never one."""
    rows = (types.BaseTuple, types.List, types.Set, Bounded, Frozen, types.Float)
    return (isinstance(one, Wide) and isinstance(other, rows)) or (
        isinstance(other, Wide) and isinstance(one, rows)
    )


leave_out(operator.eq, Wide)
leave_out(operator.ne, Wide)


@overload(operator.eq)
def _equal(one: Any, other: Any) -> Any:
    if _with_text(one, other):
        return lambda one, other: same(as_wide(one), as_wide(other))
    if _foreign(one, other):
        return lambda one, other: False
    return None


@overload(operator.ne)
def _unequal(one: Any, other: Any) -> Any:
    if _with_text(one, other):
        return lambda one, other: not same(as_wide(one), as_wide(other))
    if _foreign(one, other):
        return lambda one, other: True
    return None


def _identical(negated: bool) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = next(kind for kind in sig.args if isinstance(kind, Wide))
        one, other = (context.cast(builder, arg, found, kind) for arg, found in zip(args, sig.args))
        return builder.icmp_unsigned("!=" if negated else "==", one, other)

    return lower


for _kinds in (
    (Wide, Wide),
    (Wide, types.none),
    (types.none, Wide),
    (Wide, types.NoneType),
    (types.NoneType, Wide),
):
    lower_builtin(operator.is_, *_kinds)(_identical(False))
    lower_builtin(operator.is_not, *_kinds)(_identical(True))


def _order(one: Any, other: Any) -> Any:
    return isinstance(one, Wide) and isinstance(other, Wide)


def _before(one, other):  # type: ignore[no-untyped-def]
    """Whether a text comes first in the alphabet."""
    sizes = length(one), length(other)
    for i in range(min(sizes[0], sizes[1])):
        a, b = byte(one, i), byte(other, i)
        if a != b:
            return a < b
    return sizes[0] < sizes[1]


@overload(operator.lt)
def _lt(one: Any, other: Any) -> Any:
    return _before if _order(one, other) else None


@overload(operator.gt)
def _gt(one: Any, other: Any) -> Any:
    return (lambda one, other: other < one) if _order(one, other) else None


@overload(operator.le)
def _le(one: Any, other: Any) -> Any:
    return (lambda one, other: not other < one) if _order(one, other) else None


@overload(operator.ge)
def _ge(one: Any, other: Any) -> Any:
    return (lambda one, other: not one < other) if _order(one, other) else None


@overload_method(Wide, "__hash__")
def _hash(text: Any) -> Any:
    def digest(text):  # type: ignore[no-untyped-def]
        return hash(low_word(text))

    return digest


@overload(bool)
@overload(operator.truth)
def _bool(text: Any) -> Any:
    """By its words: `bool` inside would ask `truth`, which asks `bool`."""
    if isinstance(text, Wide):
        nothing, zero = atoms.NONE, atoms.INT

        def truth(text):  # type: ignore[no-untyped-def]
            word = low_word(text)
            return word != 0 and word != nothing and word != zero  # no text begins with such a byte

        return truth
    return None


@lower_builtin(bool, Wide)
def _is_something(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    (value,) = args
    nothing = [value.type(0), value.type(atoms.NONE), value.type(atoms.INT)]
    tests = [builder.icmp_unsigned("!=", value, one) for one in nothing]
    return builder.and_(tests[0], builder.and_(tests[1], tests[2]))


@overload(operator.not_)
def _not(text: Any) -> Any:
    return (lambda text: not bool(text)) if isinstance(text, Wide) else None


@overload(len)
def _len(text: Any) -> Any:
    return (lambda text: length(text)) if isinstance(text, Wide) else None


@overload(operator.getitem)
def _getitem(text: Any, index: Any) -> Any:
    if not isinstance(text, Wide):
        return None
    if isinstance(index, (types.Integer, types.Boolean, Wide)):

        def get(text, index):  # type: ignore[no-untyped-def]
            size, at = length(text), int(index)
            if at < 0:
                at += size
            if at < 0 or at >= size:
                raise IndexError("index out of range")
            return letter(byte(text, at))

        return get
    if isinstance(index, types.SliceType):

        def part(text, index):  # type: ignore[no-untyped-def]
            start, stop, step = index.indices(length(text))
            if step == 1:
                return cut(text, start, max(start, stop))
            out = cut(text, 0, 0)
            for i in range(start, stop, step):
                out = joined(out, letter(byte(text, i)))
            return out

        return part
    return None


@overload(operator.add)
def _add(one: Any, other: Any) -> Any:
    if isinstance(one, Wide) and isinstance(other, Wide):

        def add(one, other):  # type: ignore[no-untyped-def]
            if _is_number(one) and _is_number(other):
                return as_wide(int(one) + int(other))
            return joined(one, other)

        return add
    return None


@extending.register_jitable
def _is_number(text):  # type: ignore[no-untyped-def]
    return low_word(text) & 0xFF == 2  # atoms.INT


@overload(operator.mul)
def _mul(one: Any, other: Any) -> Any:
    if isinstance(one, types.Integer) and isinstance(other, Wide):
        return lambda one, other: other * one
    if isinstance(one, Wide) and isinstance(other, types.Integer):

        def repeat(one, other):  # type: ignore[no-untyped-def]
            if _is_number(one):
                return as_wide(_TIMES(int(one), int(other)))
            out = cut(one, 0, 0)
            for _ in range(other):
                out = joined(out, one)
            return out

        return repeat
    return None


_TIMES = on_ints("mul")


def _numeric(sign: Any, name: str) -> None:
    """What has a meaning for ints alone."""
    checked = sign if name == "mod" else on_ints(name)

    @overload(sign)
    def operate(one: Any, other: Any) -> Any:
        numbers = (Wide, types.Integer, types.Boolean)
        if (isinstance(one, Wide) and isinstance(other, numbers)) or (
            isinstance(other, Wide) and isinstance(one, numbers)
        ):
            if name == "add" and isinstance(one, Wide) and isinstance(other, Wide):
                return None
            return lambda one, other: checked(int(one), int(other))
        return None


for _sign, _name in (
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.floordiv, "floordiv"),
    (operator.mod, "mod"),
):
    _numeric(_sign, _name)


def _compared(sign: Any) -> None:
    @overload(sign)
    def compare(one: Any, other: Any) -> Any:
        if isinstance(one, Wide) and isinstance(other, types.Integer):
            return lambda one, other: sign(int(one), other)
        if isinstance(other, Wide) and isinstance(one, types.Integer):
            return lambda one, other: sign(one, int(other))
        return None


for _sign in (operator.lt, operator.le, operator.gt, operator.ge):
    _compared(_sign)


@overload(range)
def _range(start: Any, stop: Any = None) -> Any:
    if isinstance(start, Wide) and (stop is None or isinstance(stop, types.Omitted)):
        return lambda start, stop=None: range(int(start))
    return None


@overload(operator.setitem)
def _setitem(items: Any, index: Any, value: Any) -> Any:
    if isinstance(items, types.List) and isinstance(index, Wide):

        def put(items, index, value):  # type: ignore[no-untyped-def]
            items[int(index)] = value

        return put
    return None


@extending.register_jitable
def _found(text, part, start):  # type: ignore[no-untyped-def]
    """Where a part begins, from a place on; -1 where it does not occur."""
    size, wanted = length(text), length(part)
    for i in range(start, size - wanted + 1):
        if same(cut(text, i, i + wanted), part):
            return i
    return -1


@overload(operator.contains)
def _contains(text: Any, part: Any) -> Any:
    if isinstance(text, Wide) and isinstance(part, Wide):
        return lambda text, part: _found(text, part, 0) >= 0
    return None


@overload_method(Wide, "find")
def _find(text: Any, part: Any, start: Any = 0) -> Any:
    def find(text, part, start=0):  # type: ignore[no-untyped-def]
        at = start + length(text) if start < 0 else start
        return _found(text, part, max(at, 0))

    return find


@overload_method(Wide, "rfind")
def _rfind(text: Any, part: Any) -> Any:
    def rfind(text, part):  # type: ignore[no-untyped-def]
        wanted = length(part)
        for i in range(length(text) - wanted, -1, -1):
            if same(cut(text, i, i + wanted), part):
                return i
        return -1

    return rfind


@overload_method(Wide, "index")
def _index(text: Any, part: Any, start: Any = 0) -> Any:
    def index(text, part, start=0):  # type: ignore[no-untyped-def]
        at = text.find(part, start)
        if at < 0:
            raise ValueError("substring not found")
        return at

    return index


@overload_method(Wide, "count")
def _count(text: Any, part: Any) -> Any:
    def count(text, part):  # type: ignore[no-untyped-def]
        found, at, wanted = 0, 0, length(part)
        if wanted == 0:
            return length(text) + 1
        while True:
            at = _found(text, part, at)
            if at < 0:
                return found
            found += 1
            at += wanted

    return count


@overload_method(Wide, "replace")
def _replace(text: Any, old: Any, new: Any, count: Any = -1) -> Any:
    def replace(text, old, new, count=-1):  # type: ignore[no-untyped-def]
        size, wanted = length(text), length(old)
        out = cut(text, 0, 0)
        if wanted == 0:
            raise ValueError("an empty text to replace")
        at, done = 0, 0
        while done != count:
            here = _found(text, old, at)
            if here < 0:
                break
            out = joined(joined(out, cut(text, at, here)), new)
            at = here + wanted
            done += 1
        return joined(out, cut(text, at, size))

    return replace


@overload_method(Wide, "startswith")
def _startswith(text: Any, part: Any) -> Any:
    def startswith(text, part):  # type: ignore[no-untyped-def]
        size = length(part)
        return size <= length(text) and same(cut(text, 0, size), part)

    return startswith


@overload_method(Wide, "endswith")
def _endswith(text: Any, part: Any) -> Any:
    def endswith(text, part):  # type: ignore[no-untyped-def]
        size, whole = length(part), length(text)
        return size <= whole and same(cut(text, whole - size, whole), part)

    return endswith


@overload_method(Wide, "join")
def _join(text: Any, parts: Any) -> Any:
    def join(text, parts):  # type: ignore[no-untyped-def]
        out = cut(text, 0, 0)
        first = True
        for part in parts:
            if not first:
                out = joined(out, text)
            out = joined(out, part)
            first = False
        return out

    return join


@overload_method(Wide, "split")
def _split(text: Any, separator: Any) -> Any:
    def split(text, separator):  # type: ignore[no-untyped-def]
        parts = [text for _ in range(0)]
        at, wanted = 0, length(separator)
        if wanted == 0:
            raise ValueError("empty separator")
        while True:
            here = _found(text, separator, at)
            if here < 0:
                parts.append(cut(text, at, length(text)))
                return parts
            parts.append(cut(text, at, here))
            at = here + wanted

    return split


@overload_method(Wide, "strip")
def _strip(text: Any, signs: Any = None) -> Any:
    if not isinstance(signs, Wide):
        return None

    def strip(text, signs=None):  # type: ignore[no-untyped-def]
        start, end = 0, length(text)
        while start < end and letter(byte(text, start)) in signs:
            start += 1
        while end > start and letter(byte(text, end - 1)) in signs:
            end -= 1
        return cut(text, start, end)

    return strip


@extending.register_jitable
def _is_upper(code):  # type: ignore[no-untyped-def]
    return 65 <= code <= 90


@extending.register_jitable
def _is_lower(code):  # type: ignore[no-untyped-def]
    return 97 <= code <= 122


@extending.register_jitable
def _plain_letters(text):  # type: ignore[no-untyped-def]
    """Beyond ASCII letters have rules of their own."""
    for i in range(length(text)):
        if byte(text, i) > 127:
            raise ValueError("a letter beyond ASCII")


def _changing(name: str, upper: bool, lower: bool) -> None:
    @overload_method(Wide, name)
    def _change(text: Any) -> Any:
        def change(text):  # type: ignore[no-untyped-def]
            _plain_letters(text)
            out = cut(text, 0, 0)
            for i in range(length(text)):
                code = byte(text, i)
                if upper and _is_lower(code):
                    out = joined(out, letter(code - 32))
                elif lower and _is_upper(code):
                    out = joined(out, letter(code + 32))
                else:
                    out = joined(out, letter(code))
            return out

        return change


_changing("upper", True, False)
_changing("lower", False, True)
_changing("swapcase", True, True)


@overload_method(Wide, "isupper")
def _isupper(text: Any) -> Any:
    def isupper(text):  # type: ignore[no-untyped-def]
        _plain_letters(text)
        some = False
        for i in range(length(text)):
            if _is_lower(byte(text, i)):
                return False
            some = some or _is_upper(byte(text, i))
        return some

    return isupper


@overload_method(Wide, "islower")
def _islower(text: Any) -> Any:
    def islower(text):  # type: ignore[no-untyped-def]
        _plain_letters(text)
        some = False
        for i in range(length(text)):
            if _is_upper(byte(text, i)):
                return False
            some = some or _is_lower(byte(text, i))
        return some

    return islower


@overload_method(Wide, "isdigit")
def _isdigit(text: Any) -> Any:
    def isdigit(text):  # type: ignore[no-untyped-def]
        _plain_letters(text)
        size = length(text)
        for i in range(size):
            if not 48 <= byte(text, i) <= 57:
                return False
        return size > 0

    return isdigit


@overload_method(Wide, "isalpha")
def _isalpha(text: Any) -> Any:
    def isalpha(text):  # type: ignore[no-untyped-def]
        _plain_letters(text)
        size = length(text)
        for i in range(size):
            if not (_is_upper(byte(text, i)) or _is_lower(byte(text, i))):
                return False
        return size > 0

    return isalpha


@overload(ord)
def _ord(text: Any) -> Any:
    if not isinstance(text, Wide):
        return None

    def code(text):  # type: ignore[no-untyped-def]
        if length(text) != 1:
            raise TypeError("ord() expected a character")
        return byte(text, 0)

    return code


@overload(int)
def _int(text: Any) -> Any:
    if not isinstance(text, Wide):
        return None

    def whole(text):  # type: ignore[no-untyped-def]
        if _is_number(text):
            return _unboxed(text)
        size = length(text)
        minus = size > 0 and byte(text, 0) == 45
        start = 1 if minus else 0
        if size == start or size > 18:
            raise ValueError("invalid literal for int()")
        out = 0
        for i in range(start, size):
            digit = byte(text, i) - 48
            if digit < 0 or digit > 9:
                raise ValueError("invalid literal for int()")
            out = 10 * out + digit
        return -out if minus else out

    return whole


@intrinsic
def _unboxed(typing_context: Any, text: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.cast(builder, args[0], sig.args[0], types.int64)

    return types.int64(text), generate


def str_of(value: Any) -> Any:
    """What `str` is in compiled rules."""
    return str(value)


def chr_of(value: Any) -> Any:
    """What `chr` is in compiled rules."""
    return chr(value)


@overload(str_of)
def _str_of(value: Any) -> Any:
    if isinstance(value, Wide):

        def itself(value):  # type: ignore[no-untyped-def]
            if _is_number(value):
                return str_of(_unboxed(value))
            length(value)
            return value

        return itself
    if isinstance(value, types.Integer):

        def digits(value):  # type: ignore[no-untyped-def]
            rest = abs(value)
            out = letter(48 + rest % 10)
            rest //= 10
            while rest > 0:
                out = joined(letter(48 + rest % 10), out)
                rest //= 10
            return joined(letter(45), out) if value < 0 else out

        return digits
    return None


@overload(chr_of)
def _chr_of(value: Any) -> Any:
    if not isinstance(value, types.Integer):
        return None

    def sign(value):  # type: ignore[no-untyped-def]
        if value < 8 or value > 255:
            raise ValueError("a letter beyond Latin-1")
        return letter(value)

    return sign


# --- members of enums -------------------------------------------------------------------------------


@intrinsic
def _content(typing_context: Any, member: Any) -> Any:
    """The value of a member of an enum."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        (value,) = args
        kind = value.type
        low = value if kind.width == 64 else builder.trunc(value, INT64)
        mark = builder.and_(low, INT64(0xFF))
        number = builder.ashr(low, INT64(16))
        boxed = builder.or_(builder.shl(number, INT64(8)), INT64(atoms.INT))
        boxed = boxed if kind.width == 64 else builder.zext(boxed, kind)
        is_int = builder.icmp_unsigned("==", mark, INT64(atoms.INT_MEMBER))
        is_text = builder.icmp_unsigned("==", mark, INT64(atoms.TEXT_MEMBER))
        plain = builder.icmp_unsigned(">=", mark, INT64(atoms.CONTROLS))  # a member that is a text itself
        with builder.if_then(builder.not_(builder.or_(is_int, builder.or_(is_text, plain))), likely=False):
            context.call_conv.return_user_exc(builder, AttributeError, ("value of what is no member",))
        text = builder.select(plain, value, builder.lshr(value, kind(16)))
        return builder.select(is_int, boxed, text)

    return member(member), generate


extending.overload_attribute(Wide, "value")(lambda member: lambda member: _content(member))
extending.overload_attribute(types.Integer, "value")(lambda member: lambda member: member)
