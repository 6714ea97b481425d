"""What `docs/lectures.md` says of the five lectures can be seen: every command in its tables runs."""

import re
from pathlib import Path

import pytest

from gametree.app.cli import main

TEXT = (Path(__file__).parent.parent / "docs" / "lectures.md").read_text(encoding="utf-8")
LINES = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| in the")]
FOUND = [
    (command, bool(long)) for line in LINES for command, long in re.findall(r"`(gametree [^`]*)`( ◷)?", line)
]
pytestmark = pytest.mark.same_in_all_modes


def words_of(command: str) -> list[str]:
    import shlex

    return shlex.split(command)[1:]


@pytest.mark.parametrize(
    "command", [pytest.param(one, marks=[pytest.mark.slow] if long else []) for one, long in FOUND]
)
def test_a_command_of_the_lectures_shows_something(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words_of(command)) == 0, capsys.readouterr().err
    assert capsys.readouterr().out.strip()


def test_every_line_of_the_tables_has_a_command() -> None:
    assert len(LINES) > 50
    for line in LINES:
        assert "`gametree " in line, line
