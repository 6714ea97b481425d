"""A command line to test: its exit code, what it printed, what it complained about."""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gametree.app.cli import main


@dataclass(frozen=True)
class Outcome:
    """What a run of the command left behind."""

    code: int
    out: str
    err: str

    @property
    def refusal(self) -> str:
        """The one line that a refusal prints."""
        assert self.code == 2, (self.code, self.err)
        assert self.out == "" and self.err.startswith("gametree: ") and self.err.count("\n") == 1, (
            self.out,
            self.err,
        )
        return self.err.removeprefix("gametree: ").strip()


Run = Callable[..., Outcome]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests leave the user's cache alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAMETREE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line in this process."""

    def call(*arguments: str, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(arguments)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return call


NIM = """
import gametree as gt

class Nim(gt.Game):
    payoffs = (-1, 1)
    def __init__(self, counters=7):
        self.counters = counters
    def initial(self): return (self.counters, 0)
    def player(self, s): return s[1]
    def actions(self, s): return range(1, min(3, s[0]) + 1)
    def result(self, s, a): return (s[0] - a, 1 - s[1])
    def is_terminal(self, s): return s[0] == 0
    def utility(self, s, p): return -1 if p == s[1] else 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory of the user's own, with mynim.py in it; its modules are forgotten afterwards."""
    (tmp_path / "mynim.py").write_text(NIM)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]
