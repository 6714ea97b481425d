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
import threading
import types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from gametree.errors import GametreeError, InputError

MOST_MODULES: Final = 200
_opening = threading.Lock()


@dataclass(frozen=True)
class Parcel:
    """A pickled object and the modules it was pickled with."""

    content: bytes
    modules: tuple[tuple[str, str, str], ...]
    """Of every module of the user's own: its name, its file and its text."""
    version: str = ""
    """That of gametree where it was packed."""

    @classmethod
    def of(cls, thing: Any) -> "Parcel":
        """Packs something; refused where it cannot be sent."""
        buffer = io.BytesIO()
        packer = _Packer(buffer)
        try:
            packer.dump(thing)
            content = buffer.getvalue()
            if "__main__" in packer.modules:
                content = _by_value(thing) or content
        except Exception as error:
            raise InputError(
                f"this cannot be sent to other processes ({error}): use classes and functions of a module or a file,"
                " or jobs=1"
            ) from None
        return cls(content, tuple(_texts(packer.modules)), version("gametree"))

    @cached_property
    def digest(self) -> str:
        """A word for the parcel: who has opened it once need not open it again."""
        return hashlib.blake2b(repr((self.content, self.modules)).encode(), digest_size=16).hexdigest()

    def open(self) -> Any:
        """What was packed."""
        if self.version != version("gametree"):
            raise GametreeError(
                f"gametree is {self.version} where tasks come from, and {version('gametree')} where they are"
                " carried out: install the same version everywhere"
            )
        with _opening:
            self._bring()
        for name, *_ in self.modules:
            found = sys.modules.get(name)
            if isinstance(found, _Shipped):
                found.run()
        return pickle.loads(self.content)

    def _bring(self) -> None:
        """The modules as they were sent. If one is another than a parcel before has brought, all are made anew."""
        shipped = {name: sys.modules[name] for name, *_ in self.modules if name in sys.modules}
        stale = any(
            isinstance(shipped.get(name), _Shipped) and shipped[name]._text != text
            for name, _, text in self.modules
        )
        for name, file, text in self.modules:
            if name == "__main__":
                _remember(file, text)
            elif name not in shipped or (stale and isinstance(shipped[name], _Shipped)):
                _Shipped(name, file, text)


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
        self.__package__ = name.rpartition(".")[0]
        if Path(file).name == "__init__.py":
            self.__package__ = name
            self.__path__: list[str] = []
        self._text = text
        self._begun = False
        _remember(file, text)
        sys.modules[name] = self

    def run(self) -> None:
        if not self._begun:
            self._begun = True
            exec(compile(self._text, str(self.__file__), "exec"), self.__dict__)

    def __getattr__(self, name: str) -> Any:
        part = sys.modules.get(f"{self.__dict__['__name__']}.{name}")
        if part is not None:
            return part
        if not self.__dict__["_begun"] and not name.startswith("__"):
            self.run()
            return getattr(self, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def _remember(file: str, text: str) -> None:
    """Keeps the text of a file that is not here: rules are compiled from it, and messages quote it."""
    if not Path(file).is_file():
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def _by_value(thing: Any) -> bytes | None:
    """Pickled together with what the program itself defines, which no other process can import.

    Processes that this one has spawned read the program again; it takes Dask's `cloudpickle` to reach others.
    """
    try:
        import cloudpickle
    except ImportError:
        return None
    return bytes(cloudpickle.dumps(thing, protocol=5))


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
        yield name, file, Path(file).read_text(encoding="utf-8")
        package = name.rpartition(".")[0]
        if package and package not in seen:
            seen.add(package)
            waiting.append(package)
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
