"""What keeps compiled rules honest: arithmetic beyond 64 bits, indices out of range, calls and loops without end.

Rules are checked unless their class says `compiled_checks = False`, which counts for the module of that class alone: a
subclass elsewhere with rules of its own is checked, whatever its base says. The games of the library go without: their
suite looks for what the checks would find.
"""

from typing import Any

from gametree.game import Game

_ROOMS = ("gametree.search.", "gametree.compiled.", "gametree.kernel.")
_SHIPPED = "gametree.games."


def is_guarded(game: Any) -> bool:
    """Whether any rules of a game are checked."""
    return any(
        is_checked(game, function)
        for base in type(game).__mro__
        if base not in Game.__mro__
        for function in map(_function, vars(base).values())
        if hasattr(function, "__code__")
    )


def _function(member: Any) -> Any:
    return getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def is_checked(game: Any, function: Any) -> bool:
    """Whether a function, as the compiler takes it, is checked: kernels of ours are not."""
    module = function.__module__ or ""
    return not module.startswith(_ROOMS) and module != "gametree.game" and not _is_trusted(game, module)


def _is_trusted(game: Any, module: str) -> bool:
    """Whether a class of the game's family says that the rules in its module need no checks."""
    if module.startswith(_SHIPPED):
        return True
    return any(
        vars(base).get("compiled_checks") is False and module == base.__module__
        for base in type(game).__mro__
    )


def digest(game: Any) -> bytes:
    """What machine code depends on: whose rules are checked."""
    said = [base.__module__ for base in type(game).__mro__ if vars(base).get("compiled_checks") is False]
    return repr((is_guarded(game), said)).encode()
