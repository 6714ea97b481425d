"""The code grader as a Gradescope autograder: a zip with `setup.sh` and `run_autograder` at its root.

Gradescope unpacks the archive to /autograder/source, runs setup.sh once, and for each submission run_autograder, which
writes /autograder/results/results.json. The archive brings gametree along, so that nothing but NumPy is installed.
"""

import io
import json
import time
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from gametree import games
from gametree.course.programs.judging import POINTS, AssignmentRecipe, ProgramGrades, explain, grade_program
from gametree.course.programs.sandbox import MOST_BYTES, Limits
from gametree.errors import GametreeError, InputError
from gametree.reading import text_of

SETUP: Final = """#!/usr/bin/env bash
set -euo pipefail
# gametree needs Python 3.11 or newer; older images have it under its own name.
apt-get update
for version in 3.13 3.12 3.11; do
  if apt-get install -y "python$version" "python$version-venv"; then
    "python$version" -m venv /autograder/python
    break
  fi
done
/autograder/python/bin/pip install 'numpy>=1.26'
"""
RUN: Final = """#!/usr/bin/env bash
here="$(cd "$(dirname "$0")" && pwd)"
python="$here/python/bin/python"
[ -x "$python" ] || python="${PYTHON:-python3}"
exec "$python" -B "$here/source/grade_submission.py" "$here"
"""
GRADE: Final = '''"""Grades the submission; started by run_autograder."""

import sys
from pathlib import Path

base = Path(sys.argv[1])
sys.path.insert(0, str(base / "source"))

from gametree.course.programs.gradescope import main

main(base)
'''
EPOCH: Final = (2020, 1, 1, 0, 0, 0)


def archive(recipe: AssignmentRecipe, file: str = "") -> bytes:
    """The archive for an assignment. `file` is what students call their program."""
    recipe.assignment()
    task = {**asdict(recipe), "file": file or f"{recipe.function}.py"}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        _add(pack, "setup.sh", SETUP.encode(), 0o755)
        _add(pack, "run_autograder", RUN.encode(), 0o755)
        _add(pack, "grade_submission.py", GRADE.encode())
        _add(pack, "assignment.json", (json.dumps(task, indent=2) + "\n").encode())
        root = Path(games.__file__).parent.parent
        for source in sorted(root.rglob("*")):
            if source.is_file() and source.suffix != ".pyc":
                _add(pack, f"gametree/{source.relative_to(root).as_posix()}", source.read_bytes())
    return out.getvalue()


def _add(pack: zipfile.ZipFile, name: str, data: bytes, mode: int = 0o644) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = mode << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    pack.writestr(entry, data)


def main(base: Path) -> None:
    """Grades base/submission and writes base/results/results.json, whatever happens."""
    begun = time.monotonic()
    try:
        task = json.loads((base / "source" / "assignment.json").read_text(encoding="utf-8"))
        program = submission(base / "submission", task.pop("file"))
        recipe = AssignmentRecipe(**{**task, "limits": Limits(**task["limits"])})
        data = results(grade_program(*program, recipe.assignment()))
    except GametreeError as error:
        data = {"score": 0.0, "output": str(error)}
    except Exception as error:
        data = {
            "score": 0.0,
            "output": f"The grader itself failed; tell your teacher. ({type(error).__name__}: {error})",
        }
    data["execution_time"] = round(time.monotonic() - begun)
    folder = base / "results"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(
        json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def submission(folder: Path, name: str) -> tuple[str, str]:
    """The student's program and its name: the file that was asked for, or the only Python file there is."""
    path = folder / name
    if not path.is_file():
        found = sorted(folder.glob("*.py")) if folder.is_dir() else []
        if len(found) != 1:
            there = ", ".join(one.name for one in found) or "no Python file"
            raise InputError(f"The submission has to hold {name}; it holds {there}.")
        path = found[0]
    return text_of(path, MOST_BYTES, "program"), path.name


def results(report: ProgramGrades) -> dict[str, Any]:
    """A report in the format of Gradescope's results.json."""
    return {
        "score": round(report.score, 2),
        "output": f"{report.name}, {report.assignment.function}: {report.score:g} of {report.points} points",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": f"position {place}",
                "number": str(place),
                "score": one.score,
                "max_score": float(POINTS),
                "output": "\n".join(explain(one)),
                "visibility": "visible",
            }
            for place, one in enumerate(report.judged, 1)
        ],
    }
