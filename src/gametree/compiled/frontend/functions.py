"""A user's functions in a form that compiles: rewritten where the source can be had, over globals Numba understands."""

import ast
import builtins
import collections
import dataclasses
import enum
import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

from gametree.compiled.fingerprint import unwrap
from gametree.compiled.frontend import rewrite, source
from gametree.compiled.frontend.comprehensions import PREFIX
from gametree.compiled.types import records
from gametree.compiled.types.constants import Constant, Frozen, FrozenDict, as_row, type_of
from gametree.compiled.types.wide import Letters
from gametree.kernel import atoms
from gametree.kernel.primitives import NEVER, Choice

_TRUSTED = frozenset(sys.stdlib_module_names) | {"numpy", "numba"}
_MISSING = object()


class RefusedError(Exception):
    """Something that compiled rules must not do; the message is "refused: reason; advice"."""


class Translator:
    """Makes the compiled twins of functions, each once."""

    def __init__(
        self,
        cls: type,
        contract: Iterable[str],
        tuples: Iterable[type],
        jit: Callable[[types.FunctionType], Any],
    ):
        self.cls = cls
        self._contract = frozenset(contract)
        self._jit = jit
        self._twins: dict[int, Any] = {}
        self._kept: list[Any] = []
        self._parts: dict[str, Any] = {}
        self.as_state: Any = None
        self.sums: Any = None
        """How `sum` adds: `guards.sums`."""
        self.stand_ins: Any = None
        """What stands for `sum`, `str` and `chr`."""
        self.as_action: Any = None
        self.game: Any = None
        self.recursion: Callable[[types.FunctionType], Any] | None = None
        self._texts: list[str] = []
        """The texts that rules spell out."""
        self._enums: dict[str, enum.EnumMeta] = {}
        functions = [unwrap_member(m) for base in cls.__mro__ for m in vars(base).values()]
        called = [
            _names(f.__code__) for f in functions if isinstance(f, types.FunctionType) and not _is_base(f)
        ]
        self._measured = frozenset().union(*called) & rewrite.ITERABLES
        for named in tuples:
            self._know(named)

    def twin(self, function: types.FunctionType) -> Any:
        """The dispatcher of a function; functions may refer to each other in circles."""
        key = id(function)
        if key in self._twins:
            return self._twins[key]
        self._kept.append(function)
        if (
            not _is_ours(function)
            and "print" in _names(function.__code__)
            and "print" not in function.__globals__
        ):
            raise RefusedError('refused: prints; leave `print` out of the rules, or ask for compile="never"')
        reached = {**_free_values(function), **_global_values(function)}
        for value in reached.values():
            if isinstance(value, type) and _has_parts(value):
                self._know(value)
            if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in _TRUSTED:
                for name in _names(function.__code__):
                    part = vars(value).get(name)
                    if isinstance(part, type) and _has_parts(part):
                        self._know(part)
        syntax = None if _is_ours(function) else source.syntax_of(function)
        if syntax is None:
            return self._as_it_is(function)
        return self._rewritten(function, syntax, reached)

    def _as_it_is(self, function: types.FunctionType) -> Any:
        space: dict[str, Any] = {"__name__": function.__module__, "__builtins__": builtins}
        closure = tuple(types.CellType(None) for _ in function.__closure__ or ())
        local = types.FunctionType(
            function.__code__, space, function.__name__, function.__defaults__, closure or None
        )
        local.__kwdefaults__ = function.__kwdefaults__
        self._finish(local, function)
        for cell, original in zip(closure, function.__closure__ or ()):
            try:
                cell.cell_contents = self._shadow(original.cell_contents)
            except ValueError:
                continue
        space.update({k: self._shadow(v) for k, v in _global_values(function).items()})
        if self.recursion is not None and space.get(function.__name__) is self._twins[id(function)]:
            space[function.__name__] = self.recursion(function)
        return self._twins[id(function)]

    def _rewritten(
        self, function: types.FunctionType, syntax: ast.FunctionDef, reached: dict[str, Any]
    ) -> Any:
        owner = self._owner(function)
        methods = {name for name in dir(self.cls) if self._is_method(name)}
        context = rewrite.Context(
            contract=self._contract,
            methods=frozenset(methods - self._contract),
            parts={name: kind for name, (kind, _) in self._parts.items()},
            is_method=owner is not None,
            measured=self._measured,
            returns_state=owner is not None and function.__name__ in ("result", "null"),
            for_none=_for_none(function) if owner is not None else None,
            returns_action=self.as_action is not None
            and owner is not None
            and function.__name__ in ("actions", "tactical"),
            text=self._spelt,
            known=_known(reached),
        )
        self._enums.update({k: v for k, v in reached.items() if isinstance(v, enum.EnumMeta)})
        result = rewrite.rewrite(syntax, context)
        filename = function.__code__.co_filename
        space: dict[str, Any] = {"__name__": function.__module__, "__builtins__": builtins}
        module = ast.Module([*result.lifted, _without_defaults(result.function)], [])
        exec(compile(module, filename, "exec", dont_inherit=True), space)  # the user's own code, rewritten
        made = {part.name: space[part.name] for part in (*result.lifted, result.function)}
        local = made.pop(result.function.name)
        local.__defaults__ = _all_defaults(function)
        self._finish(local, function)
        # Global names win over a function's own name: recursion goes through the enclosing scope.
        if result.function.name not in reached:
            del space[result.function.name]
        names = set().union(*(_names(f.__code__) for f in (local, *made.values())))
        for name in names:
            if name in made:
                continue
            value = reached.get(name, _MISSING)
            if value is not _MISSING:
                space[name] = self._shadow(value)
            elif name.startswith(PREFIX):
                special = self._special(name, owner)
                if special is not None:
                    space[name] = special
            elif name in _STAND_INS:
                space[name] = getattr(self.stand_ins, _STAND_INS[name])
        for name, part in made.items():
            part.__module__ = function.__module__
            part.__qualname__ = f"{function.__qualname__}.{name}"
            space[name] = self._jit(part)
        return self._twins[id(function)]

    def _finish(self, local: types.FunctionType, function: types.FunctionType) -> None:
        local.__qualname__ = function.__qualname__
        local.__module__ = function.__module__
        self._twins[id(function)] = self._jit(local)

    def _special(self, name: str, owner: type | None) -> Any:
        """What a name made by a rewriting rule stands for."""
        if name == rewrite.AS_STATE:
            return self.as_state
        if name == rewrite.AS_ACTION:
            return self.as_action
        kind, _, member = name.removeprefix(PREFIX).partition("_")
        if kind == "sum":
            return getattr(self.sums, member, None)
        if kind == "unpack":
            return self.stand_ins.unpackers(int(member))
        if kind == "as":
            return getattr(self.stand_ins, f"as_{member}")
        if name == rewrite.SOME:
            return self.stand_ins.some
        if kind == "nothing":
            return Letters(None, 0)
        if kind == "text":
            return self._shadow(self._texts[int(member)])
        if kind == "members":
            return self._shadow(tuple(self._enums[member]))
        if kind == "values":
            members: Any = self._enums[member]
            return self._shadow(tuple(one.value for one in members))
        if kind == "own":
            return self.twin(unwrap(inspect.getattr_static(self.cls, member)))
        if kind == "part":
            return self.twin(self._parts[member][1])
        if kind == "super" and owner is not None:
            order = self.cls.__mro__
            for base in order[order.index(owner) + 1 :]:
                if member in vars(base):
                    return self.twin(unwrap(vars(base)[member]))
        return None

    def _spelt(self, text: str) -> str:
        """The name under which compiled code knows a text."""
        if text not in self._texts:
            self._texts.append(text)
        return f"{PREFIX}text_{self._texts.index(text)}"

    def _owner(self, function: types.FunctionType) -> type | None:
        """The class of the game's family in which a function is a method."""
        for base in self.cls.__mro__:
            for member in vars(base).values():
                if not isinstance(member, staticmethod) and unwrap_member(member) is function:
                    return base
        return None

    def _is_method(self, name: str) -> bool:
        member = inspect.getattr_static(self.cls, name, None)
        return isinstance(member, types.FunctionType) or (
            hasattr(member, "__wrapped__") and not isinstance(member, (staticmethod, classmethod))
        )

    def _know(self, named: type) -> None:
        """Remembers the methods and properties that a named tuple has of its own."""
        given = () if isinstance(named, enum.EnumMeta) else records.fields(named)
        for base in named.__mro__:
            if base in (tuple, int, str, object) or base.__module__ == "enum":
                continue
            for name, member in vars(base).items():
                if name.startswith("_") or name in given:
                    continue
                if isinstance(member, functools.cached_property):
                    self._parts.setdefault(name, ("property", member.func))
                if isinstance(member, property) and isinstance(member.fget, types.FunctionType):
                    self._parts.setdefault(name, ("property", member.fget))
                elif isinstance(member, types.FunctionType):
                    self._parts.setdefault(name, ("method", member))

    def _shadow(self, value: Any) -> Any:
        """What stands for a global value in compiled code."""
        if getattr(value, "is_primitive", False):
            return value
        if isinstance(value, Choice):
            return self._shadow(value.of(self.game))
        if isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__"):
            inner = unwrap(value)
            return self.twin(inner) if isinstance(inner, types.FunctionType) else value
        if isinstance(value, types.ModuleType):
            trusted = value.__name__.partition(".")[0] in _TRUSTED
            return value if trusted else Namespace(value.__name__, vars(value), self._shadow)
        if isinstance(value, enum.EnumMeta):
            return Namespace(value.__name__, dict(value.__members__), self._shadow)
        if atoms.is_atom(value) and value is not None:
            return Letters(value, 0)
        if isinstance(value, enum.Enum):
            return value.value
        if records.is_record(value):
            return _plain(value)
        if isinstance(value, type):
            if records.is_record_class(value):
                if problem := records.problem(value):
                    raise RefusedError(
                        f"refused: makes a {value.__name__}, {problem.replace('; ', ': ', 1)}; see there"
                    )
                return records.twin(value)
            trusted = value.__module__.partition(".")[0] in _TRUSTED | {"builtins"}
            if trusted or hasattr(value, "_fields") or issubclass(value, Exception):
                return value
            space = {k: v for base in reversed(value.__mro__) for k, v in vars(base).items()}
            return Namespace(value.__name__, space, self._shadow)
        if isinstance(value, (tuple, list, dict, set, frozenset)):
            return Constant(value) if isinstance(type_of(value), (Frozen, FrozenDict)) else _plain(value)
        return value


_STAND_INS = {"sum": "sum_of", "str": "str_of", "chr": "chr_of"}


def _has_parts(value: type) -> bool:
    """Whether a class may have methods and properties that are rules."""
    return hasattr(value, "_fields") or records.is_record_class(value) or isinstance(value, enum.EnumMeta)


def _known(reached: dict[str, Any]) -> dict[str, str]:
    """What the rewriting has to know of global names: enums, classes of states, `dataclasses.replace`."""
    known = {}
    for name, value in reached.items():
        if isinstance(value, enum.EnumMeta):
            known[name] = "enum"
        elif value is dataclasses.replace:
            known[name] = "replace"
        elif value is collections.deque:
            known[name] = "deque"
        elif value is dataclasses or value is collections:
            known[name] = "module"
        elif isinstance(value, type) and (hasattr(value, "_fields") or records.is_record_class(value)):
            known[name] = " ".join(records.fields(value))
    return known


def unwrap_member(member: Any) -> Any:
    """The plain function of a class member; a property's getter."""
    return unwrap(member.fget) if isinstance(member, property) else unwrap(member)


def _plain(value: Any) -> Any:
    """A tuple of what Numba knows."""
    if atoms.is_atom(value) and value is not None:
        return Letters(value, 0)
    if isinstance(value, enum.Enum):
        return value.value
    if records.is_record(value):
        value = as_row(value)
    if isinstance(value, tuple):
        parts = [_plain(part) for part in value]
        return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def _for_none(function: types.FunctionType) -> ast.expr | None:
    """What a method may return None for, in code where every path has one type.

    `null` leaves the state as it is, which no passing does; a `clock` that never runs out is far off.
    """
    if function.__name__ == "null":
        return ast.Name(function.__code__.co_varnames[1], ast.Load())
    return ast.Constant(NEVER) if function.__name__ == "clock" else None


def _is_base(function: types.FunctionType) -> bool:
    return function.__module__ == "gametree.game"


def _is_ours(function: types.FunctionType) -> bool:
    """Kernels and primitives are written to compile as they are."""
    module = function.__module__ or ""
    return module.startswith(("gametree.search", "gametree.compiled", "gametree.kernel"))


def _all_defaults(function: types.FunctionType) -> tuple[Any, ...] | None:
    """The defaults of a function whose keyword-only parameters have become parameters like the others."""
    given = function.__kwdefaults__ or {}
    code = function.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    needed = [i for i, name in enumerate(names) if name not in given]
    positional = function.__defaults__ or ()
    if needed and (positional or needed != list(range(len(needed)))):
        raise RefusedError(
            "refused: has a keyword-only parameter without a default after others; give it a default"
        )
    return (*positional, *(given[name] for name in names if name in given)) or None


def _without_defaults(function: ast.FunctionDef) -> ast.FunctionDef:
    """Defaults were evaluated long ago; placeholders keep the parameters optional."""
    given = function.args
    count = len(given.defaults) + sum(default is not None for default in given.kw_defaults)
    given.args, given.kwonlyargs, given.kw_defaults = [*given.args, *given.kwonlyargs], [], []
    given.defaults = [ast.Constant(None) for _ in range(count)]
    return ast.fix_missing_locations(function)


class Namespace(types.ModuleType):
    """A module or class of which compiled code uses constants and functions."""

    def __init__(self, name: str, space: Any, shadow: Callable[[Any], Any]):
        super().__init__(name)
        self.__dict__["_space"] = space
        self.__dict__["_shadow"] = shadow

    def __getattr__(self, name: str) -> Any:
        space = self.__dict__["_space"]
        if name.startswith("__") or name not in space:
            raise AttributeError(name)
        value = space[name]
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        self.__dict__[name] = shadowed = self.__dict__["_shadow"](value)
        return shadowed


def _global_values(function: types.FunctionType) -> dict[str, Any]:
    space = function.__globals__
    return {name: space[name] for name in _names(function.__code__) if name in space}


def _free_values(function: types.FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # a variable that was never assigned
            continue
    return found


def _names(code: types.CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
