"""The user's own code: a file or a module named in words is imported, which runs it, and what goes wrong is told."""

import importlib
import importlib.util
import sys
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

from gametree.errors import GametreeError, InputError

_OURS: Final = ("gametree", "typer", "click", "rich", "numba", "llvmlite", "numpy")


def split(target: str) -> tuple[str, str | None]:
    """The place and the name in it: `mygame.py:Nim`. The colon of a Windows drive letter separates nothing.

    >>> split("mygame.py:Nim"), split("mygame.py")
    (('mygame.py', 'Nim'), ('mygame.py', None))
    """
    place, colon, name = target.rpartition(":")
    if not colon or len(place) == 1 or "/" in name or "\\" in name:
        return target, None
    return place, name


def is_file(place: str) -> bool:
    """Whether it is written as a file is."""
    return place.endswith(".py") or "/" in place or "\\" in place


_imported: dict[Path, tuple[bytes, ModuleType]] = {}
"""Of every file that was imported, what was in it."""


def import_file(place: str) -> ModuleType:
    """The module that a file is: the same one as long as the file is, so that what it defines is the same."""
    path = Path(place)
    if not path.is_file():
        what = "is a directory; name a file in it" if path.is_dir() else "does not exist"
        raise InputError(f"{place} {what}")
    path = path.resolve()
    text = path.read_bytes()
    known = _imported.get(path)
    if known is not None and known[0] == text and sys.modules.get(known[1].__name__) is known[1]:
        return known[1]
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
    _imported[path] = (text, module)
    return module


def import_module(place: str) -> ModuleType:
    """The module of this name."""
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


def _module_name(path: Path) -> str:
    """The name of the file, unless others may import a module called so: my `random.py` is not theirs."""
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    if not taken:
        found = importlib.util.find_spec(path.stem) if path.stem.isidentifier() else None
        taken = found is not None and found.origin != str(path)
    return f"gametree_file_{path.stem}" if taken else path.stem


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


# --- whose line it was ------------------------------------------------------------------------------


def theirs(error: BaseException) -> str | None:
    """The innermost line of the user's own code that led to an exception; None where there is none.

    >>> theirs(ValueError("never raised")) is None
    True
    """
    if isinstance(error, SyntaxError) and error.filename and not _is_ours(error.filename):
        return f"at {_short(error.filename)}:{error.lineno}{_quoted(error.text)}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not _is_ours(frame.filename):
            inside = f" in {frame.name}" if frame.name != "<module>" else ""
            return f"at {_short(frame.filename)}:{frame.lineno}{inside}{_quoted(frame.line)}"
    return None


def _quoted(line: str | None) -> str:
    return f": {line.strip()}" if line and line.strip() else ""


def _short(filename: str) -> str:
    try:
        return str(Path(filename).relative_to(Path.cwd()))
    except ValueError:
        return filename


def _is_ours(filename: str) -> bool:
    """Whether a file belongs to gametree, to a library it uses or to Python, rather than to the user."""
    if filename.startswith("<"):
        return True
    path = Path(filename)
    for name in _OURS:
        origin = getattr(sys.modules.get(name), "__file__", None)
        if origin is not None and path.is_relative_to(Path(origin).parent):
            return True
    standard = Path(sysconfig.get_path("stdlib"))
    return path.is_relative_to(standard) and "site-packages" not in path.parts
