"""The rooms of the house, and in which direction they may know of each other."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import gametree

pytestmark = pytest.mark.same_in_all_modes

SOURCE = Path(gametree.__file__).parent

BOTTOM = ("compiled", "jobs", "kernel", "contract")
BELOW: dict[str, set[str]] = {
    "notebook": {"app", "front", "arena", "course", "explain", "checking", "search", "games", *BOTTOM},
    "app": {"front", "arena", "course", "explain", "checking", "search", "games", *BOTTOM},
    "front": {"arena", "explain", "checking", "search", "games", *BOTTOM},
    "arena": {"explain", "checking", "search", "games", *BOTTOM},
    "course": {"explain", "search", "games", *BOTTOM},
    "explain": {"search", "games", *BOTTOM},
    "checking": {"search", *BOTTOM},
    "search": set(BOTTOM),  # no games: a search never knows a game's name
    "games": {"contract", "kernel"},
    "compiled": {"contract", "kernel"},
    "jobs": {"contract"},
    "kernel": {"contract"},
    "contract": set(),
}
"""What each room may import besides itself."""

CONTRACT = {
    "game",
    "view",
    "board",
    "result",
    "errors",
    "arguments",
    "documents",
    "own_code",
    "places",
    "reading",
    "strategic",
}
OUTSIDE = {
    "numba": "compiled",
    "llvmlite": "compiled",
    "platformdirs": "compiled",  # and `places`
    "filelock": "compiled",
    "typer": "app",
    "rich": "app",
    "distributed": "jobs",
    "cryptography": "jobs",
    "starlette": "app.web",
    "uvicorn": "app.web",
    "websockets": "app.web",
}
"""Libraries that one room alone may import, or one part of a room."""


@dataclass(frozen=True)
class Import:
    """One import statement: who, what, where, and whether it happens when the module is loaded."""

    module: str
    target: str
    line: int
    immediate: bool

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = ["gametree", *path.relative_to(SOURCE).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports() -> tuple[Import, ...]:
    return tuple(
        entry
        for module, path in modules().items()
        for entry in _of(module, ast.parse(path.read_text()), immediate=True)
    )


def _of(module: str, node: ast.AST, immediate: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield Import(module, alias.name, child.lineno, immediate)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{module}:{child.lineno}: imports are absolute"
            for alias in child.names:
                inner = f"{child.module}.{alias.name}"
                yield Import(
                    module, inner if inner in modules() else str(child.module), child.lineno, immediate
                )
        else:
            function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
            yield from _of(module, child, immediate and not function and not for_types)


def room(module: str) -> str:
    """The room in which a module of ours stands."""
    first = module.split(".")[1] if "." in module else ""
    return {"": "front", "__main__": "app"}.get(first) or ("contract" if first in CONTRACT else first)


def is_ours(module: str) -> bool:
    return module.partition(".")[0] == "gametree"


def test_every_module_stands_in_a_room() -> None:
    assert {room(module) for module in modules()} <= BELOW.keys()


def test_rooms_know_only_the_rooms_below() -> None:
    for entry in imports():
        if is_ours(entry.target):
            here, there = room(entry.module), room(entry.target)
            assert there == here or there in BELOW[here], f"{entry}: {here} does not know {there}"


def test_nothing_but_the_compilers_room_knows_numba_and_nothing_but_the_app_draws() -> None:
    for entry in imports():
        owner = OUTSIDE.get(entry.target.partition(".")[0])
        here = f"{entry.module}.".partition(".")[2]
        asked = (entry.module, entry.target) == ("gametree.places", "platformdirs")
        assert owner is None or asked or here.startswith(f"{owner}."), f"{entry}: that is for {owner} alone"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for entry in imports():
        if entry.immediate and is_ours(entry.target) and entry.target != entry.module:
            graph[entry.module].add(entry.target)
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join((*path, module))
        if module not in done:
            for target in graph[module]:
                visit(target, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def test_the_walk_over_imports_sees_lazy_ones_and_tells_them_apart() -> None:
    text = (
        "import numba\n"
        "from gametree.compiled import cache\n"
        "def f():\n"
        "    import rich.text\n"
        "if TYPE_CHECKING:\n"
        "    from gametree import games, Game\n"
    )
    found = [(entry.target, entry.line, entry.immediate) for entry in _of("m", ast.parse(text), True)]
    assert found == [
        ("numba", 1, True),
        ("gametree.compiled.cache", 2, True),
        ("rich.text", 4, False),
        ("gametree.games", 6, False),
        ("gametree", 6, False),
    ]


@pytest.mark.parametrize("module", ["gametree", "gametree.app.cli"])
def test_importing_is_light(module: str) -> None:
    heavy = {
        "numba",
        "llvmlite",
        "numpy",
        "platformdirs",
        "filelock",
        "multiprocessing",
        "email",
        "asyncio",
    } | ({"typer", "rich"} if module == "gametree" else set())
    script = f"import sys, {module}; print(*sorted(sys.modules.keys() & {heavy!r}))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
