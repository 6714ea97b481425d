"""What another process needs to carry out tasks: a setting, pickled, with the modules of the user's own that it uses.

A class in `mygame.py` is pickled by its name. A process that was not started beside that file cannot import it, so the
text of the file travels with the setting. Parcels go from the process that gives tasks out to those that carry them
out; nothing that a user hands over as data is ever unpickled.
"""

import hashlib
import io
import linecache
import pickle
import site
import sys
import sysconfig
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gametree.errors import InputError

MOST_MODULES: Final = 200


@dataclass(frozen=True)
class Parcel:
    """A pickled object and the modules it was pickled with."""

    content: bytes
    modules: tuple[tuple[str, str, str], ...]
    """Of every module of the user's own: its name, its file and its text."""

    @classmethod
    def of(cls, thing: Any) -> "Parcel":
        """Packs something; refused where it cannot be sent."""
        buffer = io.BytesIO()
        packer = _Packer(buffer)
        try:
            packer.dump(thing)
        except Exception as error:
            raise InputError(
                f"this cannot be sent to other processes ({error}): use classes and functions of a module or a file,"
                " or jobs=1"
            ) from None
        return cls(buffer.getvalue(), tuple(_texts(packer.modules)))

    @property
    def digest(self) -> str:
        """A word for the parcel: who has opened it once need not open it again."""
        return hashlib.blake2b(repr((self.content, self.modules)).encode(), digest_size=16).hexdigest()

    def open(self) -> Any:
        """What was packed."""
        for name, file, text in self.modules:
            if name not in sys.modules:
                _Shipped(name, file, text)
        for name, *_ in self.modules:
            found = sys.modules[name]
            if isinstance(found, _Shipped):
                found.run()
        return pickle.loads(self.content)


class _Packer(pickle.Pickler):
    """Notes the modules that what it packs is defined in."""

    def __init__(self, file: io.BytesIO):
        super().__init__(file, protocol=5)
        self.modules: set[str] = set()

    def reducer_override(self, thing: Any) -> Any:
        kind = thing if isinstance(thing, (type, types.FunctionType)) else type(thing)
        if kind.__module__:
            self.modules.add(kind.__module__)
        return NotImplemented


class _Shipped(types.ModuleType):
    """A module whose text came with a parcel. It runs when it is first needed, so that one may import another."""

    def __init__(self, name: str, file: str, text: str):
        super().__init__(name)
        self.__file__ = file
        self._text = text
        self._begun = False
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        sys.modules[name] = self

    def run(self) -> None:
        if not self._begun:
            self._begun = True
            exec(compile(self._text, str(self.__file__), "exec"), self.__dict__)

    def __getattr__(self, name: str) -> Any:
        if not self.__dict__["_begun"] and not name.startswith("__"):
            self.run()
            return getattr(self, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _texts(names: set[str]) -> Iterator[tuple[str, str, str]]:
    """The user's own modules among these, and those that they use."""
    waiting, seen = sorted(names), set(names)
    count = 0
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        if module is None or not _is_own(module):
            continue
        file = str(module.__file__)
        count += 1
        if count > MOST_MODULES:
            raise InputError(
                f"the files to be sent are more than {MOST_MODULES}: put what is needed into a package"
            )
        if name != "__main__":
            yield name, file, Path(file).read_text(encoding="utf-8")
        for value in list(vars(module).values()):
            used = (
                value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", None)
            )
            if isinstance(used, str) and used not in seen:
                seen.add(used)
                waiting.append(used)


def _is_own(module: types.ModuleType) -> bool:
    """Whether a module is a file of the user's: neither Python's nor that of an installed package."""
    file = getattr(module, "__file__", None)
    if (
        not isinstance(file, str)
        or not file.endswith(".py")
        or module.__name__.partition(".")[0] == "gametree"
    ):
        return False
    installed = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed += [*site.getsitepackages(), site.getusersitepackages()]
    path = Path(file).resolve()
    return path.is_file() and not any(path.is_relative_to(Path(folder).resolve()) for folder in installed)
