"""What machine code depends on, as one digest.

Code objects rather than source text (which cannot be had everywhere): of the class, of every function it reaches,
with their constants; the game's own constants; the kernel. Array attributes count by kind only: they are run-time data.
"""

import builtins
import enum
import functools
import hashlib
import sys
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping
from inspect import signature
from typing import Any

from gametree.compiled.frontend import source
from gametree.game import PRIVATE
from gametree.kernel.digest import code_parts, digest_of, is_array
from gametree.kernel.memory import is_block, layout_of
from gametree.kernel.primitives import Choice

_TRUSTED = frozenset(sys.stdlib_module_names) | {"numpy", "numba"}


class Reach:
    """All that a set of functions can touch from a game: its digest, and how to tell that it has changed."""

    def __init__(self, cls: type, roots: Iterable[types.FunctionType]):
        self.attributes: set[str] = set()
        self._cls = cls
        self._hash = hashlib.blake2b(digest_size=16)
        self._seen: dict[int, object] = {}
        self._watched: dict[tuple[int, str], tuple[Mapping[str, Any], str, Any]] = {}
        self._sizes = [(vars(base), len(vars(base))) for base in cls.__mro__]
        self._codes: list[tuple[types.FunctionType, types.CodeType]] = []
        self._mutable: list[tuple[Any, bytes]] = []
        for root in roots:
            self._feed("signature", str(signature(root)))
            self._function(root)
        self.digest: bytes = self._hash.digest()

    def is_current(self) -> bool:
        """Whether everything reached is still what it was: a notebook may have redefined a helper."""
        return (
            all(space.get(name, _MISSING) is value for space, name, value in self._watched.values())
            and all(len(space) == size for space, size in self._sizes)
            and all(function.__code__ is code for function, code in self._codes)
            and all(digest_of(value) == digest for value, digest in self._mutable)
        )

    def _watch(self, space: Mapping[str, Any], name: str) -> None:
        self._watched[(id(space), name)] = (space, name, space.get(name, _MISSING))

    def _feed(self, *parts: object) -> None:
        for part in parts:
            self._hash.update(repr(part).encode())
            self._hash.update(b"\0")

    def _function(self, function: Any) -> None:
        function = unwrap(function)
        # `Generic` is a base of every game, and other libraries patch `typing` while a process runs.
        if not isinstance(function, types.FunctionType) or function.__module__ == "typing":
            self._feed("callable", getattr(function, "__qualname__", type(function).__qualname__))
            return
        if id(function) in self._seen:
            self._feed("again", function.__qualname__)
            return
        self._seen[id(function)] = function
        code = function.__code__
        self._codes.append((function, code))
        self._feed("function", *code_parts(code))
        self._feed(*(layout_of(note) for note in function.__annotations__.values() if is_block(note)))
        self._value(function.__defaults__)
        self._value(function.__kwdefaults__)
        names = sorted(set(_names(code)) - source.names_of_messages(function))
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            self._feed("free", name)
            if name != "__class__":
                try:
                    content = cell.cell_contents
                except ValueError:
                    continue
                self._named(content, names)
        space = function.__globals__
        for name in names:
            if name in space:
                self._feed("global", name)
                self._watch(space, name)
                self._named(space[name], names)
            elif not hasattr(builtins, name):
                self._watch(space, name)
            self._member(name)

    def _member(self, name: str) -> None:
        """`name` may be an attribute of the game: a method is code, anything else a constant of the instance."""
        self.attributes.add(name)
        for base in self._cls.__mro__:
            if name in vars(base):
                self._watch(vars(base), name)
                member = vars(base)[name]
                if isinstance(member, (types.FunctionType, staticmethod, classmethod)) or hasattr(
                    member, "__wrapped__"
                ):
                    self._feed("method", name)
                    self._function(member)
                elif isinstance(member, property):
                    self._feed("property", name)
                    self._function(member.fget)

    def _named(self, value: Any, names: list[str]) -> None:
        """A value reached by name; of a module or class only what the code can name."""
        if isinstance(value, types.ModuleType):
            root = value.__name__.partition(".")[0]
            if root in _TRUSTED:
                self._feed("module", value.__name__)
                return
            self._feed("module")
            for name in names:
                if name in vars(value):
                    self._feed(name)
                    self._watch(vars(value), name)
                    self._named(vars(value)[name], [n for n in names if n != name])
        elif isinstance(value, type):
            self._class(value, names)
        else:
            self._value(value)

    def _class(self, cls: type, names: list[str]) -> None:
        if id(cls) in self._seen:
            self._feed("class again", cls.__qualname__)
            return
        self._seen[id(cls)] = cls
        if cls.__module__.partition(".")[0] in _TRUSTED | {"builtins"} or isinstance(cls, enum.EnumMeta):
            self._feed("class", cls.__module__, cls.__qualname__)
            if isinstance(cls, enum.EnumMeta):
                members: dict[str, enum.Enum] = dict(cls.__members__)
                self._feed({name: member.value for name, member in members.items()})
            return
        self._feed("class", cls.__qualname__, getattr(cls, "_fields", None))
        if hasattr(cls, "_fields"):
            self._feed(sorted((k, str(v)) for k, v in getattr(cls, "__annotations__", {}).items()))
            self._value(getattr(cls, "_field_defaults", None))
            names = sorted(set(names) | {n for n in vars(cls) if not n.startswith("_")})
        for base in cls.__mro__[:-1]:
            for name in names:
                if name in vars(base):
                    self._feed(name)
                    self._value(vars(base)[name])

    def _value(self, value: Any) -> None:
        if isinstance(value, (types.FunctionType, staticmethod, classmethod, functools.partial)) or hasattr(
            value, "__wrapped__"
        ):
            self._function(value)
        elif hasattr(value, "py_func"):
            self._function(value.py_func)
        elif isinstance(value, Choice):
            self._feed("choice", value.member)
            self._function(value.offered)
            self._function(value.otherwise)
        elif isinstance(value, property):
            self._function(value.fget)
        elif isinstance(value, type):
            self._class(value, [])
        elif isinstance(value, (types.BuiltinFunctionType, types.BuiltinMethodType)):
            self._feed("built in", value.__qualname__)  # its text may have an address in it
        elif _is_sentinel(value):
            self._feed("sentinel", type(value).__qualname__)
        else:
            digest = digest_of(value)
            self._hash.update(digest)
            if isinstance(value, (list, dict, set)) or is_array(value):
                self._mutable.append((value, digest))


def _is_sentinel(value: object) -> bool:
    """Whether it is an object of the standard library that nothing but its address tells from others of its class."""
    kind = type(value)
    return kind.__repr__ is object.__repr__ and kind.__module__.partition(".")[0] in _TRUSTED


_MISSING = object()
_reaches: "weakref.WeakKeyDictionary[type, dict[tuple[int, ...], Reach]]" = weakref.WeakKeyDictionary()


def reach(cls: type, roots: tuple[types.FunctionType, ...]) -> Reach:
    """The reach of some functions from a class; remembered while it stays true."""
    known = _reaches.setdefault(cls, {})
    key = tuple(id(root) for root in roots)
    found = known.get(key)
    if found is None or not found.is_current():
        found = known[key] = Reach(cls, roots)
    return found


def unwrap(function: Any) -> Any:
    """The plain function inside staticmethod, functools.cache and the like."""
    while True:
        if isinstance(function, (staticmethod, classmethod)):
            function = function.__func__
        elif hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif hasattr(function, "py_func"):
            function = function.py_func
        else:
            return function


def constants_digest(game: object, names: Iterable[str]) -> bytes:
    """The digest of a game's own constants, as far as they are among `names`; of arrays only the kind."""
    state = hashlib.blake2b(digest_size=16)
    own = vars(game)
    cls = type(game)
    for name in sorted(names):
        if name in PRIVATE:
            continue
        if name in own:
            value = own[name]
        else:
            value = getattr(cls, name, None)
            if value is None or callable(value) or isinstance(value, property):
                if isinstance(value, property):
                    value = getattr(game, name, None)
                else:
                    continue
        state.update(name.encode())
        if is_array(value):
            state.update(f"array {value.dtype.str} {value.ndim}".encode())
        else:
            state.update(digest_of(value))
    return state.digest()


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


@functools.cache
def toolchain_digest() -> bytes:
    """What else machine code depends on: versions, processor, compiler flags, this room's files and those it uses."""
    import os
    import platform
    from pathlib import Path

    import llvmlite.binding
    import numba
    import numpy
    from numba.core import config

    state = hashlib.blake2b(digest_size=16)
    for part in (sys.version, platform.machine(), numba.__version__, numpy.__version__, llvmlite.__version__):
        state.update(part.encode())
    state.update(llvmlite.binding.get_host_cpu_name().encode())
    state.update(llvmlite.binding.get_host_cpu_features().flatten().encode())
    harmless = {"CACHE_DIR", "NUM_THREADS", "NUMBA_NUM_THREADS", "NUMBA_DEFAULT_NUM_THREADS", "WARNINGS"}
    flags = {k: v for k, v in vars(config).items() if k.isupper() and k not in harmless}
    state.update(repr(sorted((k, str(v)) for k, v in flags.items())).encode())
    given = {k: v for k, v in os.environ.items() if k.startswith("NUMBA_") and k[6:] not in harmless}
    state.update(repr(sorted(given.items())).encode())
    room = Path(__file__).parent
    for file in (*sorted(room.rglob("*.py")), *sorted((room.parent / "kernel").glob("*.py"))):
        state.update(file.read_bytes())
    return state.digest()
