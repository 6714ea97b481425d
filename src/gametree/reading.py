"""Reads what people hand in, text and JSON: strictly, with words for what is wrong, and nothing of it is ever run."""

import json
import math
import re
import types
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from gametree.arguments import is_number, is_whole
from gametree.errors import InputError

DEEPEST: Final = 900
"""Objects and lists are not nested more deeply."""
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
"""What opens and closes; texts are passed over whole."""


def text_of(path: Path, most_bytes: float = math.inf, what: str = "") -> str:
    """The text in a file; one clear line where there is none, or more of it than `what` can have."""
    try:
        if path.stat().st_size > most_bytes:
            raise InputError(f"{path.name} has more than {most_bytes:,} bytes: that is no {what}")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is no UTF-8 text (byte {error.start + 1})") from None


def parse(text: str, name: str = "the text") -> Any:
    """JSON, strictly: no NaN, no number beyond all bounds, and no name twice in an object.

    >>> parse('{"A": 1, "A": 2}')
    Traceback (most recent call last):
    ...
    gametree.errors.InputError: the text: "A" stands twice in one object
    """

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                raise InputError(f'{name}: "{key[:40]}" stands twice in one object')
            found[key] = value
        return found

    def constant(word: str) -> Any:
        raise InputError(f'{name}: {word} is no JSON; write "∞" in quotes for infinity')

    if _depth(text) > DEEPEST:
        raise InputError(f"{name}: objects and lists are nested too deeply")
    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InputError(f"{name}: objects and lists are nested too deeply") from None
    except InputError:
        raise
    except ValueError:
        raise InputError(f"{name}: a number has too many digits") from None


def _depth(text: str) -> int:
    """How deeply objects and lists are nested. Python's own limit will not do: while rules are searched it is high, and
    the reader of JSON would run out of stack."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return 0
    depth = deepest = 0
    for found in _BRACKETS.finditer(text):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in "]}":
            depth -= 1
    return deepest


def mismatch(data: Any, kind: Any, name: str = "the text") -> str:
    """Why data is not of a kind (a document, or a part of one); "" where it is. Names that nobody asked for are let be.

    >>> from gametree.documents.teaching import GivenCut
    >>> mismatch({"branch": "C2", "kind": 3}, GivenCut, "the cut")
    'kind of the cut is 3: it has to be "alpha", "beta", "α" or "β"'
    """
    if is_typeddict(kind):
        if not isinstance(data, dict):
            return f"{name} is {short(data)}: it has to be an object"
        for key, hint in get_type_hints(kind, include_extras=True).items():
            if key in data:
                if why := mismatch(data[key], hint, f"{key} of {name}"):
                    return why
            elif key in kind.__required_keys__:
                return f"{name} lacks {key}"
        return ""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is NotRequired:
        return mismatch(data, arguments[0], name)
    if origin is list and isinstance(data, list):
        reasons = (mismatch(one, arguments[0], f"entry {at} of {name}") for at, one in enumerate(data, 1))
        return next(filter(None, reasons), "")
    if origin is dict and isinstance(data, dict):
        return next(filter(None, (mismatch(data[key], arguments[1], f"{key} of {name}") for key in data)), "")
    return (
        "" if _is(data, kind, origin, arguments) else f"{name} is {short(data)}: it has to be {words(kind)}"
    )


def _is(data: Any, kind: Any, origin: Any, arguments: tuple[Any, ...]) -> bool:
    if origin in (Union, types.UnionType):
        return any(not mismatch(data, one) for one in arguments)
    if origin is Literal:
        return any(data == one and isinstance(data, bool) == isinstance(one, bool) for one in arguments)
    if origin is Annotated:
        least, most = (*arguments[1:], math.inf)[:2]
        return not mismatch(data, arguments[0]) and least <= data <= most
    if kind is int:
        return is_whole(data)
    if kind is float:
        return is_number(data)
    if kind in (str, bool):
        return isinstance(data, kind)
    return kind is Any or (kind in (None, type(None)) and data is None)


def words(kind: Any) -> str:
    """What a kind of data is called.

    >>> words(list[str]), words(int | None), words(Annotated[int, 0])
    ('a list', 'a whole number or null', 'a whole number of at least 0')
    """
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        parts = list(dict.fromkeys(words(one) for one in arguments))
    elif origin is Literal:
        parts = [json.dumps(one, ensure_ascii=False) for one in arguments]
    elif origin is Annotated:
        least, *most = arguments[1:]
        between = f"from {least:g} to {most[0]:g}" if most else f"of at least {least:g}"
        return f"{words(arguments[0])} {between}"
    else:
        return _CALLED.get(origin or kind, "an object")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


_CALLED: Final[dict[Any, str]] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    type(None): "null",
    list: "a list",
}


def short(data: Any) -> str:
    """Data as it is shown in a refusal."""
    text = repr(data)
    return text if len(text) <= 60 else text[:59] + "…"
