"""Four walks through the package: how many functions and files a reader meets, and how often the file changes.

    python tests/walks.py                    the four walks, as this edition has them
    python tests/walks.py alphabeta          one of them
    python tests/walks.py --record           writes tests/walks.txt, which tests/test_walks.py compares with

A walk is the list of functions of the package in the order of their first call, interpreted. Rules of games are left
out, and so are lambdas and comprehensions, which are read where they stand. Every walk is walked twice, so that nothing
is imported the second time, the one that counts. Another edition is counted by the same script: set PYTHONPATH to its
`src`.
"""

import contextlib
import inspect
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple

import gametree as gt
from gametree.app.cli import main

PACKAGE: Final = Path(gt.__file__).parent
RECORDED: Final = Path(__file__).with_suffix(".txt")
TREE: Final = "[[3,12,8],[2,4,6],[14,5,2]]"


class State(NamedTuple):
    left: int
    mover: int


class Nim(gt.Game):
    """The README's."""

    def initial(self) -> State:
        return State(21, 0)

    def player(self, s: State) -> int:
        return s.mover

    def actions(self, s: State) -> range:
        return range(1, min(3, s.left) + 1)

    def result(self, s: State, a: int) -> State:
        return State(s.left - a, 1 - s.mover)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> int:
        return -1 if p == s.mover else 1


class Walk(NamedTuple):
    """How much of the package a question leads through."""

    functions: int
    files: int
    changes: int
    """How often the next function met is in another file."""

    def __str__(self) -> str:
        return f"{self.functions:9} {self.files:5} {self.changes:7}"


def walked(procedure: Callable[[], object], until: CodeType | None = None) -> list[CodeType]:
    """The functions of the package that are called, in the order of their first call, on whatever thread, until one
    of them returns or everything is done."""
    procedure()
    met: dict[CodeType, None] = {}

    def meet(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "return" and code is until:
            sys.setprofile(None)
        if (
            event == "call"
            and code not in met
            and code.co_name[0] != "<"
            and _room(code) not in ("", "games")
        ):
            met[code] = None

    threading.setprofile(meet)
    sys.setprofile(meet)
    try:
        procedure()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(met)


def _room(code: CodeType) -> str:
    """The package's folder or file that a function is in; "" where it is somebody else's."""
    path = Path(code.co_filename)
    return path.relative_to(PACKAGE).parts[0] if path.is_relative_to(PACKAGE) else ""


def counted(met: list[CodeType]) -> Walk:
    files = [code.co_filename for code in met]
    return Walk(len(files), len(set(files)), sum(a != b for a, b in pairwise(files)))


def command(*words: str) -> None:
    """What the command line does, without its output."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        code = main(words)
    if code:
        raise ValueError(f"gametree {' '.join(words)}: exit code {code}")


def explain_to_svg() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "tree.svg"))
        try:
            command("explain", TREE, "--out", file)
        except ValueError:  # an edition before --out
            command("explain", TREE, "--svg", file)


class Program(io.StringIO):
    """A chess program at the other end, which asks its next question when the last one is answered."""

    def __init__(self) -> None:
        super().__init__()
        self._said = threading.Condition()

    def write(self, text: str) -> int:
        with self._said:
            self._said.notify_all()
            return super().write(text)

    def lines(self) -> Iterator[str]:
        for line, answer in (("isready", "readyok"), ("position startpos", ""), ("go depth 2", "bestmove")):
            yield line + "\n"
            with self._said:
                self._said.wait_for(partial(self._has_said, answer), timeout=120)
        yield "quit\n"

    def hear(self, line: str) -> None:
        self.write(line + "\n")

    def _has_said(self, answer: str) -> bool:
        return answer in self.getvalue()


def uci_go() -> None:
    from gametree.app.uci.session import Session

    program = Program()
    Session(program.hear).run(program.lines())


def walks() -> dict[str, Callable[[], Iterator[tuple[str, Walk]]]]:
    """Every walk by its name, and what it is made of."""

    def alphabeta() -> Iterator[tuple[str, Walk]]:
        yield "alphabeta", counted(walked(lambda: gt.alphabeta(Nim())))

    def analyze() -> Iterator[tuple[str, Walk]]:
        search = inspect.unwrap(gt.analyze).__code__
        met = walked(lambda: command("analyze", "connect-four", "--moves", "--depth", "2"), search)
        start = met.index(search)
        yield "analyze-before", counted(met[:start])
        yield "analyze", counted(met[start:])

    def explain() -> Iterator[tuple[str, Walk]]:
        yield "explain", counted(walked(explain_to_svg))

    def uci() -> Iterator[tuple[str, Walk]]:
        yield "uci", counted(walked(uci_go))

    return {"alphabeta": alphabeta, "analyze": analyze, "explain": explain, "uci": uci}


def counts(name: str) -> dict[str, Walk]:
    """A walk counted by a process of its own, where nothing else has been called and nothing is compiled."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0"}
    arguments = [sys.executable, __file__, name]
    said = subprocess.run(arguments, env=env, capture_output=True, text=True, check=True)
    return read(said.stdout)


def read(text: str) -> dict[str, Walk]:
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("walk"))
    return {name: Walk(*map(int, numbers)) for name, *numbers in rows}


def table(rows: dict[str, Walk]) -> str:
    head = f"{'walk':15} functions files changes\n"
    return head + "".join(f"{name:15} {walk}\n" for name, walk in rows.items())


def run(arguments: list[str]) -> None:
    if arguments and arguments[0] in walks():
        if os.environ.get("NUMBA_DISABLE_JIT") == "1":
            print(table(dict(walks()[arguments[0]]())), end="")
        else:
            print(table(counts(arguments[0])), end="")
        return
    rows: dict[str, Walk] = {}
    for name in walks():
        rows |= counts(name)
    print(table(rows), end="")
    if "--record" in arguments:
        RECORDED.write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    run(sys.argv[1:])
