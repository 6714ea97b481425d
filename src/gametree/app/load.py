"""The game that a command line names: one that is shipped, or a class in a file of the user's own."""

import re
import types
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin

from gametree import games
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.parameters import bind, named, parameters
from gametree.own_code import import_file, import_module, is_file, split, theirs

_NUMBER = re.compile(r"[+-]?([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WRITTEN_OUT = (int, float, bool, str)


def load(target: str, settings: Sequence[str] = ()) -> Game:
    """The game for `connect-four`, `mygame.py`, `mygame.py:Nim` or `package.module:Nim`, and `--set` options.

    A file or module of the user's own is imported, which runs it.

    >>> load("tic-tac-toe", ["width=4"])
    TicTacToe(width=4, height=3, k=3)
    """
    given = dict(setting(text) for text in settings)
    place, name = split(target)
    if is_file(place):
        return _make(_pick(import_file(place), name, place), given)
    if name is not None or "." in place:
        return _make(_pick(import_module(place), name, place), given)
    return _shipped(target, given)


def setting(text: str) -> tuple[str, str]:
    """The name and the value of a `--set` option.

    >>> setting("width=4")
    ('width', '4')
    """
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    if not equals or not name.isidentifier():
        raise InputError(f"--set {text}: write a name and a value, for example --set width=4")
    return name, value.strip()


def guess(text: str) -> Any:
    """A value read as what it looks like; text where it looks like nothing else. Commas make a tuple.

    >>> guess("4"), guess("0.5"), guess("true"), guess("classic"), guess("none")
    (4, 0.5, True, 'classic', None)
    >>> guess("3,4"), guess("3,"), guess("a, b")
    ((3, 4), (3,), ('a', 'b'))
    >>> guess("(3, 4)"), guess("[]")
    ((3, 4), ())
    """
    bracketed = text[:1] + text[-1:] in ("()", "[]")
    if bracketed or "," in text:
        parts = [part.strip() for part in (text[1:-1] if bracketed else text).split(",")]
        return tuple(map(guess, parts[:-1] if parts[-1] == "" else parts))
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text.lower() == "none":
        return None
    found = _NUMBER.fullmatch(text)
    if not found:
        return text
    return int(text) if text.lstrip("+-").isdigit() else float(text)


def _shipped(name: str, given: dict[str, str]) -> Game:
    guessed = {key: guess(value) for key, value in given.items()}
    try:
        return games.load(name, **guessed)
    except InputError as error:
        if name not in games.names():
            own = Path(f"{name}.py")
            raise InputError(
                f"{error}; or is it {own}, a file of your own?" if own.is_file() else error
            ) from None
    # A parameter that is annotated as text takes "4" as it stands, and one that is true or false takes "yes".
    return games.load(name, **given)


# --- the user's own code ----------------------------------------------------------------------------


def _pick(module: ModuleType, name: str | None, place: str) -> Any:
    """The class, function or game that was asked for; without a name, the only game the module defines."""
    found = {
        key: member
        for key, member in vars(module).items()
        if isinstance(member, type) and issubclass(member, Game) and member.__module__ == module.__name__
    }
    if name is not None:
        member = vars(module).get(name)
        if member is None:
            has = f"it has: {', '.join(found)}" if found else "it defines no game"
            raise InputError(f"{place} has no {name!r}; {has}")
        return member
    # A class from which another one in the file is derived is a base, not one more game.
    bases = {base for member in found.values() for base in member.__mro__[1:]}
    leaves = {key: member for key, member in found.items() if member not in bases}
    if not leaves:
        raise InputError(f"{place} defines no game: write a class derived from gametree.Game")
    if len(leaves) > 1:
        choices = " or ".join(f"{place}:{key}" for key in leaves)
        raise InputError(f"{place} defines {len(leaves)} games; name one: {choices}")
    return next(iter(leaves.values()))


def _read(annotation: Any, text: str) -> Any:
    """The value that a text stands for, where a parameter has an annotation; what is checked further on is left."""
    kinds = get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)
    if type(None) in kinds:
        if text.lower() == "none":
            return None
        if str in kinds:
            return text
    if annotation in _WRITTEN_OUT:
        return text
    value = guess(text)
    return list(value) if get_origin(annotation) is list or annotation is list else value


def _make(factory: Any, given: dict[str, str]) -> Game:
    if isinstance(factory, Game):
        if given:
            raise InputError(f"{factory!r} is made already; --set applies where a class is named")
        return factory
    name = getattr(factory, "__name__", repr(factory))
    if not callable(factory) or (isinstance(factory, type) and not issubclass(factory, Game)):
        raise InputError(f"{name} is no game: it is not derived from gametree.Game")
    takes = parameters(factory)
    required = [one.name for one in named(factory) if one.default is one.empty]
    missing = [key for key in required if key not in given]
    if missing:
        options = " ".join(f"--set {key}=…" for key in missing)
        raise InputError(f"{name} needs {', '.join(missing)}: add {options}")
    typed = {
        key: _read(takes[key].annotation if key in takes else None, value) for key, value in given.items()
    }
    arguments = bind(name, factory, typed)
    try:
        game = factory(**arguments)
    except (TypeError, AttributeError) as error:
        if theirs(error) is not None:
            raise
        # The contract refuses a class that lacks a method before any line of the user's is run.
        raise InputError(str(error)) from None
    if not isinstance(game, Game):
        raise InputError(f"{name} makes {type(game).__name__}, which is no gametree.Game")
    return game
