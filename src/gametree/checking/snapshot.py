"""Whether a thing has changed: snapshots of arbitrary Python values, compared by their contents."""

import copy
import dataclasses
import enum
import functools
import hashlib
import inspect
import types
from collections.abc import Hashable
from typing import Any, Final

from gametree.game import PRIVATE, Game

_ATOMS: Final = (int, float, complex, str, bytes, type(None), enum.Enum, range)
_BY_NAME: Final = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)
_DEEPEST: Final = 100
_MOST_PARTS: Final = 200_000
"""A snapshot of more parts than this is cut short: it has to stay cheap."""


def is_fixed(thing: Any) -> bool:
    """Whether a value cannot change in place, all the way down."""
    if isinstance(thing, _ATOMS):
        return True
    if isinstance(thing, (tuple, frozenset)):
        return all(map(is_fixed, thing))
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        parameters: Any = getattr(type(thing), "__dataclass_params__", None)
        return bool(parameters and parameters.frozen) and all(
            is_fixed(getattr(thing, field.name, None)) for field in dataclasses.fields(thing)
        )
    return type(thing).__module__ == "numpy" and type(thing).__hash__ is not None


def duplicate(thing: Any) -> Any:
    """A copy that shares nothing that could change; the thing itself where it cannot be copied."""
    if is_fixed(thing):
        return thing
    try:
        return copy.deepcopy(thing)
    except Exception:  # a class may refuse in whatever way it likes
        return thing


def snapshot(thing: Any) -> Hashable:
    """The contents of a value: two snapshots are equal where nothing has changed between them."""
    return _Snapshot().of(thing, 0)


def same(one: Any, other: Any) -> bool:
    """Whether two answers are the same: equal, or made of the same parts where they define no equality."""
    return one is other or equal(one, other) or snapshot(one) == snapshot(other)


def equal(one: Any, other: Any) -> bool:
    """Whether `one == other`; False where they cannot be compared."""
    try:
        return bool(one == other)
    except Exception:  # arrays compare to arrays, and a user's __eq__ may raise anything
        return False


class _Snapshot:
    """One snapshot under way."""

    def __init__(self) -> None:
        self.parts = 0
        self.above: set[int] = set()

    def of(self, thing: Any, depth: int) -> Hashable:
        self.parts += 1
        if isinstance(thing, _ATOMS):
            # nan differs from itself, and 1 equals True: both would hide or invent a change.
            return type(thing).__name__, repr(thing) if isinstance(thing, float) else thing
        if isinstance(thing, _BY_NAME):
            return "by name", id(thing)
        if depth > _DEEPEST or self.parts > _MOST_PARTS or id(thing) in self.above:
            return "cut short"
        self.above.add(id(thing))
        try:
            return self._inside(thing, depth + 1)
        finally:
            self.above.discard(id(thing))

    def _inside(self, thing: Any, depth: int) -> Hashable:
        kind = type(thing).__qualname__
        if isinstance(thing, (list, tuple)):
            return kind, tuple(self.of(part, depth) for part in thing)
        if isinstance(thing, (set, frozenset)):
            return kind, frozenset(self.of(part, depth) for part in thing)
        if isinstance(thing, dict):
            pairs = ((self.of(key, depth), self.of(value, depth)) for key, value in thing.items())
            return kind, frozenset(pairs)
        if hasattr(thing, "dtype") and hasattr(thing, "tobytes") and not thing.dtype.hasobject:
            return kind, str(thing.dtype), str(thing.shape), hashlib.blake2b(thing.tobytes()).digest()
        try:
            reduced = thing.__reduce_ex__(4)
        except Exception:  # locks, files and the like: all that can be said is which one it is
            return kind, id(thing)
        if isinstance(reduced, str):
            return kind, reduced
        # What pickle would store: arguments, attributes, and iterators over list and dict items.
        parts = [list(part) if hasattr(part, "__next__") else part for part in reduced[1:5]]
        return kind, tuple(self.of(part, depth) for part in parts)


def attributes(game: Game) -> dict[str, Hashable]:
    """A snapshot of everything the rules may keep: attributes of the game and of its classes."""
    found: dict[str, Any] = {}
    for cls in reversed(type(game).__mro__):
        if issubclass(cls, Game) and cls is not Game:
            found |= {
                f"{cls.__name__}.{name}": value
                for name, value in vars(cls).items()
                if not name.startswith("__") and not _is_code(value)
            }
    for name, value in vars(game).items():
        # A cached property is computed once and then stays: nobody can tell the difference.
        kept = isinstance(inspect.getattr_static(type(game), name, None), functools.cached_property)
        if not kept and name not in PRIVATE:
            found[f"self.{name}"] = value
    return {name: snapshot(value) for name, value in found.items()}


def global_names(game: Game) -> dict[str, Hashable]:
    """A snapshot of the global variables that the methods of a game name."""
    found: dict[str, Any] = {}
    for cls in type(game).__mro__:
        if not issubclass(cls, Game) or cls is Game:
            continue
        for member in vars(cls).values():
            function = inspect.unwrap(getattr(member, "__func__", member))
            if isinstance(function, types.FunctionType):
                names = function.__code__.co_names
                found |= {name: function.__globals__[name] for name in names if name in function.__globals__}
    return {name: snapshot(value) for name, value in found.items() if not _is_code(value)}


def _is_code(value: Any) -> bool:
    descriptors = (staticmethod, classmethod, property, functools.cached_property)
    return isinstance(value, (*_BY_NAME, *descriptors)) or callable(value)
