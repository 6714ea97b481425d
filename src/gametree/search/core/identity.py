"""Which game it is: one fingerprint of the rules as code, the parameters and the arrays.

What is written to a file for later (results of a match, a profile, a database) belongs to one game. Its text is not
enough: `repr` leaves out tuples, arrays and the rules themselves. Two games are the same here where the code of their
classes, with everything that it reaches, and all their attributes are the same; in whatever process, on one version of
Python.
"""

import hashlib
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic

from gametree.compiled.fingerprint import Reach, unwrap
from gametree.game import PRIVATE, Game
from gametree.kernel.digest import code_parts, digest_of, is_array

_SIZE = 16
_NOT_RULES = (Game, Generic, object)
_PLAIN = (int, float, complex, str, bytes, bool, type(None), range)


@dataclass(frozen=True)
class Identity:
    """What makes a game the same game; equal where the game is."""

    game: str
    """As the game writes itself."""
    rules: str
    """The digest of the code."""
    parameters: str
    """The digest of the attributes, with the contents of arrays."""

    @classmethod
    def of(cls, game: Game) -> "Identity":
        """The identity of a game.

        >>> from gametree.games import Nim
        >>> Identity.of(Nim(21)) == Identity.of(Nim(21)), Identity.of(Nim(21)) == Identity.of(Nim(22))
        (True, False)
        """
        return cls(repr(game), code_digest(type(game)), digest(_attributes(game)))

    @property
    def fingerprint(self) -> str:
        """All of it as one word."""
        return digest((self.rules, self.parameters))

    def difference(self, other: "Identity") -> str:
        """In which part another game differs, in words; empty where it does not."""
        if self.game != other.game:
            return f"it is {other.game}, not {self.game}"
        if self.rules != other.rules:
            return "the rules are others: their code has changed"
        if self.parameters != other.parameters:
            return "the parameters are others, though the game is written alike"
        return ""


def fingerprint(game: Game) -> str:
    """The fingerprint of a game as one word.

    >>> from gametree.games import Nim
    >>> fingerprint(Nim(21)) == fingerprint(Nim(21, misere=True))
    False
    """
    return Identity.of(game).fingerprint


def code_digest(thing: Any) -> str:
    """The digest of a class or a function and of everything of the user's that it reaches."""
    if isinstance(thing, type):
        bases = [base for base in thing.__mro__ if base not in _NOT_RULES]
        roots = [function for base in bases for function in _functions(base)]
        kind: Any = thing
    else:
        roots, kind = [unwrap(thing)], object
        if not isinstance(roots[0], types.FunctionType):
            return code_digest(type(thing))
    constants = [
        (name, value)
        for base in (kind.__mro__ if kind is not object else ())
        if base not in _NOT_RULES
        for name, value in sorted(vars(base).items())
        if not name.startswith("_") and isinstance(value, (*_PLAIN, tuple, frozenset))
    ]
    reached = Reach(kind, roots)
    return digest((kind.__qualname__, reached.digest, constants))


def digest(value: Any) -> str:
    """A word for a value, the same in every process. Functions count by their code, objects by what they hold."""
    state = hashlib.blake2b(digest_size=_SIZE)
    for part in _parts(value, ()):
        state.update(part)
        state.update(b"\0")
    return state.hexdigest()


def _attributes(game: Game) -> dict[str, Any]:
    return {name: value for name, value in sorted(vars(game).items()) if name not in PRIVATE}


def _functions(cls: type) -> Iterator[types.FunctionType]:
    for _, member in sorted(vars(cls).items()):
        found = unwrap(member.fget if isinstance(member, property) else getattr(member, "func", member))
        if isinstance(found, types.FunctionType):
            yield found


def _parts(value: Any, above: tuple[int, ...]) -> Iterator[bytes]:
    """A value, part by part. `above` are the objects it is part of: in a circle each counts once."""
    kind = type(value)
    yield f"{kind.__module__}.{kind.__qualname__}".encode()
    if kind in _PLAIN or is_array(value):
        yield digest_of(value)
        return
    if id(value) in above:
        yield str(len(above) - above.index(id(value))).encode()
        return
    above = (*above, id(value))
    plain = unwrap(value)
    if isinstance(value, (tuple, list)):
        yield str(len(value)).encode()
        for part in value:
            yield from _parts(part, above)
    elif isinstance(value, (dict, types.MappingProxyType)):
        for name, part in value.items():
            yield from _parts(name, above)
            yield from _parts(part, above)
    elif isinstance(value, (set, frozenset)):
        yield from sorted(b"".join(_parts(part, above)) for part in value)
    elif isinstance(value, types.CodeType):
        yield repr(code_parts(value)).encode()
    elif isinstance(value, type):
        yield code_digest(value).encode()
    elif isinstance(plain, types.FunctionType):
        yield code_digest(plain).encode()
    elif isinstance(value, types.MethodType):
        yield from _parts(value.__func__, above)
        yield from _parts(value.__self__, above)
    elif isinstance(value, Game):
        yield from (part.encode() for part in (code_digest(kind), value.__class__.__qualname__))
        yield from _parts(_attributes(value), above)
    elif hasattr(value, "__dict__") or "__repr__" not in _own(kind):
        held = {name: part for name, part in getattr(value, "__dict__", {}).items() if name != "_compiled"}
        for slot in (name for base in kind.__mro__ for name in getattr(base, "__slots__", ())):
            if hasattr(value, slot):
                held[slot] = getattr(value, slot)
        yield from _parts(held, above)
    else:
        yield repr(value).encode()


def _own(kind: type) -> set[str]:
    """What a class and its bases define, `object` left out."""
    return {name for base in kind.__mro__[:-1] for name in vars(base)}
