"""Every script of benchmarks/ runs in its smallest form, with its peers where they are installed."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.same_in_all_modes

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "benchmarks").glob("*.py"))
SCRIPTS = [file for file in FILES if "__main__" in file.read_text(encoding="utf-8")]
ABSENT = re.compile(r"not installed|not here|not run|no stockfish|no such file", re.IGNORECASE)
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.benchmarks
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.stem)
def test_a_benchmark_runs_in_its_smallest_form(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(script), "--smallest"], capture_output=True, text=True, cwd=tmp_path
    )
    said = done.stdout + done.stderr
    absent = ABSENT.search(said)
    if absent and "CI" not in os.environ:
        pytest.skip(f"a peer is missing (benchmarks/packages installs them): {absent[0]}")
    assert done.returncode == 0 and not absent, said
    assert done.stdout.strip()
    assert not list(tmp_path.iterdir()), "the smallest form leaves nothing behind"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda file: file.stem)
def test_a_benchmark_asks_a_question_and_says_how_to_run_it(script: Path) -> None:
    text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
    assert "?" in text.partition("\n\n")[0] and f"python benchmarks/{script.name}" in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda file: file.name)
def test_documents_name_scripts_that_are_there(document: Path) -> None:
    for name in re.findall(r"\b(?:benchmarks|lab)/\w+\.\w+", document.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), f"{document.name} names {name}"
