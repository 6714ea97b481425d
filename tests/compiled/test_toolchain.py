"""The stubs of `compiled/toolchain` say nothing of Numba and LLVM that is not so."""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gametree.compiled

pytest.importorskip("numba")
pytestmark = pytest.mark.same_in_all_modes

FOLDER = Path(gametree.compiled.__file__).parent / "toolchain"
ROOM = importlib.import_module("gametree.compiled.toolchain")
IN_EVERY_SUBCLASS = {"BaseTuple.__iter__"}
STUBS = [
    (path, ROOM if path.stem == "__init__" else getattr(ROOM, path.stem)) for path in FOLDER.glob("*.pyi")
]


def declared(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            name = node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        else:
            continue
        if not name.startswith("_"):
            yield name, node


@pytest.mark.parametrize(("path", "module"), STUBS, ids=lambda given: getattr(given, "stem", ""))
def test_every_declared_name_is_there_and_every_class_has_its_bases(path: Path, module: Any) -> None:
    names = dict(declared(path))
    assert names
    for name, node in names.items():
        found = getattr(module, name)
        if isinstance(node, ast.ClassDef) and inspect.isclass(found):
            for base in node.bases:
                assert isinstance(base, ast.Name)
                assert issubclass(found, getattr(module, base.id)), f"{name} is no {base.id}"


@pytest.mark.parametrize(("path", "module"), STUBS, ids=lambda given: getattr(given, "stem", ""))
def test_every_declared_method_is_there(path: Path, module: Any) -> None:
    for name, node in declared(path):
        if isinstance(node, ast.FunctionDef):
            assert callable(getattr(module, name))
        if not isinstance(node, ast.ClassDef):
            continue
        for member in node.body:
            place = f"{name}.{getattr(member, 'name', '')}"
            if isinstance(member, ast.FunctionDef) and place not in IN_EVERY_SUBCLASS:
                assert member.name == "__getattr__" or hasattr(getattr(module, name), member.name), place


def test_what_is_declared_is_what_the_room_imports() -> None:
    names = {name for name, _ in declared(FOLDER / "__init__.pyi")}
    assert names | {"ir", "llvm", "types"} == set(ROOM.__all__)
