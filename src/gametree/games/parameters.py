"""The parameters of a game: what its constructor takes, and the refusal of what it does not."""

import contextlib
import inspect
import operator
from collections.abc import Callable
from typing import Any, Final

from gametree.errors import InputError

_WORDS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_KINDS: Final = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def whole_number(name: str, value: Any, least: int) -> int:
    """The value as an int, refused where it is no whole number or too small.

    >>> whole_number("counters", 21, least=1)
    21
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or number < least:
        raise InputError(f"{name}={value!r}: {name} must be a whole number of at least {least}")
    return number


def parameters(factory: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """What a class or a function that makes a game takes, by name."""
    # The metaclass of Game hides the signature of the class behind its own `__call__`.
    is_class = inspect.isclass(factory)
    function: Any = factory.__init__ if is_class else factory
    if function is object.__init__:
        return {}
    try:
        signature = inspect.signature(function, eval_str=True)
    except NameError:
        signature = inspect.signature(function)
    named = list(signature.parameters.values())[1 if is_class else 0 :]
    return {parameter.name: parameter for parameter in named}


def named(factory: Callable[..., Any]) -> list[inspect.Parameter]:
    """Those parameters that have a name of their own: `*args` and `**kwargs` have none."""
    unnamed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [parameter for parameter in parameters(factory).values() if parameter.kind not in unnamed]


def bind(game: str, factory: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The arguments for a game, each checked against its annotation.

    A text is read as the kind that is wanted, so that a command line may pass on what it was given.
    """
    takes = parameters(factory)
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in takes.values()):
        return given
    for name in given:
        if name not in takes:
            raise InputError(f"{game} has no parameter {name!r}; {_takes(game, takes)}")
    for name, parameter in takes.items():
        required = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_POSITIONAL
        if required and name not in given:
            raise InputError(f"{game} needs the parameter {name!r}; {_takes(game, takes)}")
    return {name: _convert(game, takes, name, value) for name, value in given.items()}


def _convert(game: str, takes: dict[str, inspect.Parameter], name: str, value: Any) -> Any:
    kind = takes[name].annotation
    if kind not in _KINDS:
        return value
    if isinstance(value, str) and kind is not str:
        with contextlib.suppress(KeyError, ValueError):
            value = _WORDS[value.strip().lower()] if kind is bool else kind(value)
    fits = isinstance(value, kind) or (kind is float and isinstance(value, int))
    if kind is int and hasattr(value, "__index__"):
        fits = True
    if not fits or (isinstance(value, bool) and kind is not bool):
        raise InputError(f"{game}: {name}={value!r} is not {_KINDS[kind]}; {_takes(game, takes)}")
    return value


def _takes(game: str, takes: dict[str, inspect.Parameter]) -> str:
    return (
        f"{game} takes {', '.join(map(written, takes.values()))}" if takes else f"{game} takes no parameters"
    )


def written(parameter: inspect.Parameter) -> str:
    """A parameter with its default, as one writes it in a call."""
    if parameter.default is parameter.empty:
        return parameter.name
    return f"{parameter.name}={parameter.default!r}"
