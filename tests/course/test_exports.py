"""Exercises for Moodle, and the code grader for Gradescope and nbgrader, in the formats that these document."""

import base64
import io
import json
import os
import re
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from course.homework import Judge
from gametree.course.exercise import METHODS, POSSIBLE, Exercise
from gametree.course.formats.moodle import moodle
from gametree.course.generation import make, make_set
from gametree.course.programs.gradescope import archive, main, submission
from gametree.course.programs.judging import AssignmentRecipe
from gametree.course.programs.nbgrader import notebook, solution
from gametree.course.programs.sandbox import Limits
from gametree.course.recipe import Recipe
from gametree.errors import InputError

# --- Moodle -----------------------------------------------------------------------------------------

FIELD = re.compile(r"\{(\d+):(NUMERICAL|SHORTANSWER|MULTICHOICE):((?:\\.|[^}\\])*)\}")


def question(one: Exercise) -> ElementTree.Element:
    root = ElementTree.fromstring(moodle([one]))
    assert root.tag == "quiz" and [found.get("type") for found in root] == ["category", "cloze"]
    return root[1]


def fields(one: Exercise) -> list[tuple[str, list[tuple[str, bool]]]]:
    """The fields of a cloze question: their kind, and each answer with whether it is right."""
    text = question(one).findtext("questiontext/text") or ""
    found = []
    for _, kind, body in FIELD.findall(text):
        options = re.split(r"(?<!\\)~", body)
        right = [(re.sub(r"\\(.)", r"\1", option.lstrip("=")), option.startswith("=")) for option in options]
        found.append((kind, right))
    assert text.count("{") == len(found), text
    return found


@pytest.mark.parametrize("kind", METHODS)
def test_an_exercise_is_one_cloze_question_with_its_picture(kind: str) -> None:
    one = make(Recipe(kind=kind, depth=2, parts=POSSIBLE[kind]), 4)
    found = question(one)
    assert one.id in (found.findtext("name/text") or "")
    text = found.findtext("questiontext/text") or ""
    assert 'src="@@PLUGINFILE@@/tree.svg"' in text and found.find("questiontext").get("format") == "html"  # type: ignore[union-attr]
    file = found.find("questiontext/file")
    assert file is not None and file.get("encoding") == "base64" and file.get("name") == "tree.svg"
    assert base64.b64decode(file.text or "").startswith(b"<svg ")
    ElementTree.fromstring(base64.b64decode(file.text or ""))
    assert all(any(right for _, right in options) for _, options in fields(one))


def test_the_fields_of_alpha_beta_hold_what_is_right() -> None:
    for seed in range(8):
        one = make(Recipe(depth=3, parts=POSSIBLE["alphabeta"][:4]), seed)
        judge = Judge(one)
        found = iter(fields(one))
        for value in judge.values().values():
            kind, options = next(found)
            assert kind == "SHORTANSWER" and all(right for _, right in options)
            texts = {text.replace("−", "-") for text, _ in options}
            assert "-" in texts if value == "–" else texts == {f"{value:g}"}
        kind, options = next(found)
        assert kind == "MULTICHOICE" and {text for text, right in options if right} == judge.moves()
        assert {text for text, _ in options} == set(one.moves)
        kind, options = next(found)
        assert {tuple(re.split("[ ,]+", text)) for text, _ in options} == {tuple(judge.leaves())}
        cuts = judge.cuts()
        for node in list(one.outline.walk())[1:]:
            kind, options = next(found)
            signs = {("alpha", "shallow"): "α-cut, shallow", ("alpha", "deep"): "α-cut, deep",
                     ("beta", "shallow"): "β-cut, shallow", ("beta", "deep"): "β-cut, deep"}  # fmt: skip
            wanted = {signs[pair] for pair in cuts[node.name]} if node.name in cuts else {"not cut"}
            assert kind == "MULTICHOICE" and {text for text, right in options if right} == wanted
        assert next(found, None) is None


def test_numbers_of_chance_have_a_tolerance_and_a_plain_minus() -> None:
    one = make(Recipe(kind="expectiminimax", depth=2, values=(-9, -1)), 1)
    numbers = [options[0][0] for kind, options in fields(one) if kind == "NUMERICAL"]
    assert numbers and all(re.fullmatch(r"-\d+(\.\d+)?:0\.01", number) for number in numbers)


def test_a_bank_holds_many_questions_and_a_hostile_category_is_text() -> None:
    text = moodle(make_set(Recipe(kind="minimax", depth=2), 1, [""] * 5), "<b>&/\x00x")
    root = ElementTree.fromstring(text)
    assert len(root.findall("question[@type='cloze']")) == 5 and text.startswith("<?xml")
    assert root.findtext("question/category/text") == "$course$/top/<b>&//x"


# --- Gradescope -------------------------------------------------------------------------------------


def unpacked(tmp_path: Path, **options: Any) -> Path:
    """The archive as Gradescope lays it out: source, and run_autograder beside it."""
    base = tmp_path / "autograder"
    with zipfile.ZipFile(
        io.BytesIO(archive(AssignmentRecipe("nim", count=1, limits=Limits(20, 5, 256)), **options))
    ) as pack:
        pack.extractall(base / "source")
        modes = {entry.filename: entry.external_attr >> 16 for entry in pack.infolist()}
    assert modes["setup.sh"] & stat.S_IXUSR and modes["run_autograder"] & stat.S_IXUSR
    (base / "source" / "run_autograder").rename(base / "run_autograder")
    (base / "submission").mkdir()
    return base


def results(base: Path) -> dict[str, Any]:
    environment = {**os.environ, "PYTHON": sys.executable}
    subprocess.run(["bash", str(base / "run_autograder")], check=True, env=environment, cwd=base, timeout=120)
    return read_results(base)


def here(base: Path) -> dict[str, Any]:
    """The same without a process of its own."""
    main(base)
    return read_results(base)


def read_results(base: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((base / "results" / "results.json").read_text(encoding="utf-8"))
    return found


def test_the_archive_has_what_gradescope_looks_for_at_its_root() -> None:
    with zipfile.ZipFile(io.BytesIO(archive(AssignmentRecipe("nim", count=1)))) as pack:
        names = pack.namelist()
        assert {"setup.sh", "run_autograder", "assignment.json", "gametree/__init__.py"} <= set(names)
        assert pack.read("setup.sh").startswith(b"#!/usr/bin/env bash\n")
        assert pack.read("run_autograder").startswith(b"#!/usr/bin/env bash\n")
        assert not any(name.endswith(".pyc") or name.startswith("/") or ".." in name for name in names)
    assert archive(AssignmentRecipe("nim", count=1)) == archive(AssignmentRecipe("nim", count=1))


def test_a_submission_is_graded_into_results_json(tmp_path: Path) -> None:
    base = unpacked(tmp_path)
    (base / "submission" / "alphabeta.py").write_text(solution("alphabeta"))
    found = results(base)
    assert found["score"] == 3.0 and found["stdout_visibility"] == "hidden"
    assert isinstance(found["execution_time"], int)
    for place, test in enumerate(found["tests"], 1):
        assert test["number"] == str(place) and (test["score"], test["max_score"]) == (3.0, 3.0)
        assert test["visibility"] == "visible" and "value right" in test["output"]
    (base / "submission" / "alphabeta.py").write_text("import os\nos._exit(1)")
    found = results(base)
    assert found["score"] == 0 and "ended the process" in found["tests"][0]["output"]
    (base / "submission" / "alphabeta.py").unlink()
    assert here(base)["output"] == "The submission has to hold alphabeta.py; it holds no Python file."
    (base / "source" / "assignment.json").write_text("{")
    assert here(base)["output"].startswith("The grader itself failed; tell your teacher.")


def test_the_only_python_file_is_taken_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "homework.py").write_text("x = 1")
    assert submission(tmp_path, "alphabeta.py") == ("x = 1", "homework.py")
    (tmp_path / "other.py").write_text("")
    with pytest.raises(InputError, match=r"it holds homework\.py, other\.py"):
        submission(tmp_path, "alphabeta.py")


def test_an_archive_for_trees_or_for_an_unknown_game() -> None:
    assert archive(AssignmentRecipe("trees", count=2))
    with pytest.raises(InputError, match="there is no game 'nimm'"):
        archive(AssignmentRecipe("nimm"))


# --- nbgrader ---------------------------------------------------------------------------------------

SCHEMA = {
    "type": "object",
    "properties": {
        "schema_version": {"type": "integer", "minimum": 3, "maximum": 3},
        "grade": {"type": "boolean"},
        "locked": {"type": "boolean"},
        "solution": {"type": "boolean"},
        "task": {"type": "boolean"},
        "grade_id": {"type": "string", "pattern": r"^[a-zA-Z0-9_\-]*$"},
        "points": {"type": "number", "minimum": 0},
        "cell_type": {"enum": ["raw", "code", "markdown"]},
    },
    "required": ["schema_version", "grade", "locked", "solution"],
    "additionalProperties": False,
}
"""What nbgrader says of the metadata of a cell in its schema 3."""


@pytest.mark.parametrize("function", ["alphabeta", "minimax"])
@pytest.mark.parametrize("options", [{}, {"depth": 2, "cut": ">"}], ids=["to the end", "to a depth"])
def test_a_notebook_is_valid_and_its_own_solution_earns_every_point(
    function: str, options: dict[str, Any]
) -> None:
    import jsonschema

    against = (
        {"against": "connect-four", "parameters": {"width": 4, "height": 4}}
        if options
        else {"against": "nim"}
    )
    book = json.loads(notebook(AssignmentRecipe(function=function, count=2, **against, **options)))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    for cell in book["cells"]:
        jsonschema.validate(cell["metadata"]["nbgrader"], SCHEMA)
        assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", cell["id"])
    graded = [cell["metadata"]["nbgrader"] for cell in book["cells"]]
    assert [(one["grade"], one["solution"], one["locked"]) for one in graded] == [
        (False, False, True),
        (False, True, False),
        (True, False, True),
    ]
    assert graded[2]["points"] == 6 and len({one["grade_id"] for one in graded}) == 3
    answer, grading = ("".join(cell["source"]) for cell in book["cells"][1:])
    assert "### BEGIN SOLUTION" in answer and "### END SOLUTION" in answer
    names: dict[str, Any] = {}
    exec(answer, names)
    exec(grading, names)
    assert names["report"].score == 6 and grading.splitlines()[-1] == "report.score"


def test_nbformat_has_no_complaint() -> None:
    import nbformat

    text = notebook(AssignmentRecipe("nim", count=1))
    nbformat.validate(nbformat.reads(text, as_version=4))  # type: ignore[no-untyped-call]
    spoiled = json.loads(text)
    spoiled["cells"][0]["cell_type"] = "poem"
    with pytest.raises(nbformat.ValidationError):
        nbformat.validate(spoiled)
