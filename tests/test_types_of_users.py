"""Checkers of types on games as users write them: what they find is never ours."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SOURCE = HERE.parent / "src"
TYPED = sorted((HERE / "fixtures" / "typed_games").glob("*.py"))
UNTYPED = sorted((HERE / "idioms" / "games").glob("*.py"))

pytestmark = pytest.mark.same_in_all_modes


def readme_lines(folder: Path) -> Path:
    """The game of the README's first screen, and a bot that plays it."""
    text = (HERE.parent / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?class Nim.*?)```", text, re.DOTALL)
    assert found is not None
    path = folder / "ten_lines.py"
    path.write_text(found[1] + "\nmove: int = gt.Bot(Nim()).move(State(3, 0))\n", encoding="utf-8")
    return path


def pyright(folder: Path, *paths: Path) -> list[dict[str, Any]]:
    """What pyright says in its default mode, without warnings."""
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(SOURCE)], "include": [*map(str, paths)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "-p", str(folder), "--pythonpath", sys.executable]
    said = subprocess.run([*command, "--outputjson", "--level", "error"], capture_output=True, text=True)
    report = json.loads(said.stdout)
    assert report["summary"]["filesAnalyzed"] >= len(paths)
    return list(report["generalDiagnostics"])


def mypy(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "mypy", "--config-file=", "--cache-dir", str(folder / "mypy")]
    said = subprocess.run(
        [*command, *arguments], capture_output=True, text=True, cwd=folder, env={"MYPYPATH": str(SOURCE)}
    )
    assert not said.stderr
    return said.stdout


def test_pyright_finds_nothing_in_typed_games_and_nothing_of_ours_in_others(tmp_path: Path) -> None:
    found = pyright(tmp_path, readme_lines(tmp_path), *TYPED, *UNTYPED)
    untyped = {str(path) for path in UNTYPED}
    strange = [
        one
        for one in found
        # Their own tuples are their own affair; no error may speak of the contract.
        if one["file"] not in untyped or re.search(r'"(Game|Bot|Limit|Analysis)\b|gametree', one["message"])
    ]
    assert strange == []


def test_pyright_knows_what_a_bot_plays(tmp_path: Path) -> None:
    wrong = TYPED[[path.stem for path in TYPED].index("nim")].read_text() + "\ntext: str = bot.move(state)\n"
    (tmp_path / "wrong.py").write_text(wrong)
    found = pyright(tmp_path, tmp_path / "wrong.py")
    assert [one["rule"] for one in found] == ["reportAssignmentType"]


@pytest.mark.slow
def test_mypy_finds_nothing_in_games_of_users(tmp_path: Path) -> None:
    clean = "Success: no issues found"
    assert clean in mypy(tmp_path, "--strict", str(readme_lines(tmp_path)), *map(str, TYPED))
    for path in UNTYPED:
        assert clean in mypy(tmp_path, str(path)), path
    (tmp_path / "wrong.py").write_text(TYPED[-1].read_text() + "\ntext: str = bot.move(state)\n")
    assert 'variable has type "str"' in mypy(tmp_path, "wrong.py")
