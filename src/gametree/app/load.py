"""The game that a command line names: one that is shipped, or a class in a file of the user's own."""

import importlib
import importlib.util
import re
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin

from gametree import games
from gametree.app.failures import theirs
from gametree.errors import GametreeError, InputError
from gametree.game import Game
from gametree.games.parameters import bind, named, parameters

_NUMBER = re.compile(r"[+-]?([0-9]+|[0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WRITTEN_OUT = (int, float, bool, str)


def load(target: str, settings: Sequence[str] = ()) -> Game:
    """The game for `connect-four`, `mygame.py`, `mygame.py:Nim` or `package.module:Nim`, and `--set` options.

    A file or module of the user's own is imported, which runs it.

    >>> load("tic-tac-toe", ["width=4"])
    TicTacToe(width=4, height=3, k=3)
    """
    given = dict(setting(text) for text in settings)
    place, name = _split(target)
    if _is_file(place):
        return _make(_pick(_import_file(place), name, place), given)
    if name is not None or "." in place:
        return _make(_pick(_import_module(place), name, place), given)
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


def _split(target: str) -> tuple[str, str | None]:
    """The place and the class in it. The colon of a Windows drive letter separates nothing."""
    place, colon, name = target.rpartition(":")
    if not colon or len(place) == 1 or "/" in name or "\\" in name:
        return target, None
    return place, name


def _is_file(place: str) -> bool:
    return place.endswith(".py") or "/" in place or "\\" in place


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


def _import_file(place: str) -> ModuleType:
    path = Path(place)
    if not path.is_file():
        what = "is a directory; name a file in it" if path.is_dir() else "does not exist"
        raise InputError(f"{place} {what}")
    path = path.resolve()
    name = _module_name(path)
    # What lies beside the file can be imported by it, as when Python runs it.
    _put_first(path.parent)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{place} is no Python file: its name has to end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader = spec.loader
    try:
        _run(place, lambda: loader.exec_module(module))
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _module_name(path: Path) -> str:
    """The name of the file, unless others may import a module called so: my `random.py` is not theirs."""
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    if not taken:
        found = importlib.util.find_spec(path.stem) if path.stem.isidentifier() else None
        taken = found is not None and found.origin != str(path)
    return f"gametree_file_{path.stem}" if taken else path.stem


def _import_module(place: str) -> ModuleType:
    _put_first(Path.cwd())
    try:
        found = importlib.util.find_spec(place)
    except (ImportError, ValueError):
        found = None
    if found is None:
        raise InputError(
            f"there is no module {place!r} that can be imported from here; a file is named with its ending,"
            f" for example {place.rpartition('.')[2] or 'mygame'}.py"
        )
    module: list[ModuleType] = []
    _run(place, lambda: module.append(importlib.import_module(place)))
    return module[0]


def _run(place: str, step: Callable[[], object]) -> None:
    """Runs the user's module; what it raises comes back as a refusal that shows the user's own line."""
    try:
        step()
    except GametreeError:
        raise
    except SystemExit:
        raise InputError(
            f'{place} ends the program when imported: put that under if __name__ == "__main__"'
        ) from None
    except Exception as error:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
        said = f"{type(error).__name__}: {text}" if text else type(error).__name__
        at = theirs(error)
        raise InputError(f"{place} cannot be imported: {said}{f', {at}' if at else ''}") from error


def _put_first(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


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
