"""`gametree exercise` and `gametree grade` on the command line."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from app.conftest import Run
from gametree.course.programs.nbgrader import solution

ASKED = ("exercise", "--kind", "alphabeta", "--depth", "3", "--branching", "2-3", "--seed", "7")


def answers_for(folder: Path, name: str = "hw", **changes: Any) -> dict[str, Any]:
    """The right answers to an exercise, from its key, with changes."""
    key = json.loads((folder / f"{name}-key.json").read_text())
    given = {**key["answers"], **changes}
    return {"schema": "gametree.answers/1", "exercise": key["exercise"], "student": "Ann", "answers": given}


@pytest.fixture
def homework(run: Run, folder: Path) -> Path:
    """A folder with an exercise and its key."""
    assert run(*ASKED, "--out", "hw.json", "--key").code == 0
    return folder


@pytest.mark.parametrize("name", ["exercise", "grade"])
def test_help_has_worked_examples(run: Run, name: str) -> None:
    outcome = run(name, "--help")
    assert outcome.code == 0 and outcome.out.count(f"  gametree {name} ") >= 3
    assert f"\n  {name} " in run("--help").out


def test_an_exercise_is_printed_as_markdown_and_as_json(run: Run) -> None:
    outcome = run(*ASKED)
    assert outcome.out.startswith("# Alpha-beta\n") and "## 4. Cut branches (4 points)" in outcome.out
    assert run(*ASKED).out == outcome.out
    data = json.loads(run(*ASKED, "--json").out)
    assert data["schema"] == "gametree.exercise/1" and data["seed"] == 7
    both = json.loads(run(*ASKED, "--json", "--key").out)
    assert both["exercise"] == data and both["key"]["exercise"] == data["id"]
    assert len(json.loads(run(*ASKED, "--json", "--count", "3").out)) == 3
    keyed = run(*ASKED, "--key").out
    assert keyed.startswith(outcome.out) and "\n---\n" in keyed and "# Alpha-beta · key" in keyed
    assert run(*ASKED, "--format", "moodle").out.startswith("<?xml")
    assert run(*ASKED, "--format", "html").out.startswith("<!DOCTYPE html>")


def test_a_file_is_written_in_the_format_of_its_ending(run: Run, folder: Path) -> None:
    assert run(*ASKED, "--out", "e.html", "--key").out.split() == ["e.html", "e-key.html"]
    assert json.loads(run(*ASKED, "--out", "e.md", "--json").out) == {"files": ["e.md"]}
    assert (folder / "e.md").read_text() == run(*ASKED).out


def test_a_class_gets_a_set(run: Run, folder: Path) -> None:
    (folder / "class.txt").write_text("Ann\nBob\nZoë\n")
    outcome = run(
        "exercise", "--names", "class.txt", "--seed", "100", "--out", "week", "--key", "--format", "md"
    )
    assert outcome.out == "13 files in week\n"
    assert [path.name for path in sorted((folder / "week").glob("*.md"))] == [
        "01-ann.md",
        "02-bob.md",
        "03-zoe.md",
    ]
    assert run("exercise", "--count", "2", "--out", "two").code == 0
    assert sorted(path.suffix for path in (folder / "two").iterdir()) == [
        ".csv",
        ".html",
        ".html",
        ".json",
        ".json",
    ]
    assert run("exercise", "--count", "2", "--out", "bank.xml").out == "bank.xml\n"
    assert (folder / "bank.xml").read_text().count('type="cloze"') == 2


REFUSALS = {
    "a kind that is none": ("--kind magic", "'magic' is not one of"),
    "a range that is none": ("--branching wide", "--branching wide: it takes a whole number or a range"),
    "a deep cut in a shallow tree": ("--deep-cut", "ask for --depth 4"),
    "too many cuts": ("--cuts 99 --attempts 20", "exactly 99 cuts in 20 tries; the number of cuts was"),
    "a part that is none": ("--parts cats", "has no part 'cats'"),
    "a cut that is none": ("--cut lt", "'lt' is not one of 'ge', 'gt'"),
    "a format that is none": ("--format docx", "--format docx: it is html"),
    "a PDF on the screen": ("--format pdf", "say with --out where"),
    "two formats on the screen": ("--format html,md", "say with --out where"),
    "two formats in one file": ("--format html,md --out x.html", "--format is for a set in a folder"),
    "an ending that is none": (
        "--out x.docx",
        "--out x.docx: the ending says what is written; it is .html, .pdf",
    ),
    "no exercises": ("--count 0", "a set has 1 to 2,000"),
    "names and another count": ("--names class.txt --count 3", "--count 3 and 2 names in class.txt"),
    "no names": ("--names gone.txt", "gone.txt cannot be read"),
    "a set in a file": ("--count 2 --out class.txt", "a set of exercises goes into a folder"),
    "a bank and more": ("--count 2 --out bank.xml --format html", "the ending of bank.xml says it"),
    "a bank with a key": ("--out bank.xml --key", "holds its own key"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_an_exercise_that_cannot_be_had_is_one_line_and_exit_code_2(
    run: Run, folder: Path, what: str
) -> None:
    (folder / "class.txt").write_text("Ann\nBob\n")
    arguments, message = REFUSALS[what]
    assert message in run("exercise", *arguments.split()).refusal


# --- grade ------------------------------------------------------------------------------------------


def test_right_answers_exit_with_0_and_wrong_ones_with_1(run: Run, homework: Path) -> None:
    (homework / "a.json").write_text(json.dumps(answers_for(homework)))
    (homework / "b.json").write_text(json.dumps(answers_for(homework, move="C")))
    right = run("grade", "hw.json", "a.json")
    assert right.code == 0 and "12 of 12 points" in right.out
    wrong = run("grade", "hw.json", "b.json")
    assert wrong.code == 1 and "first mistake at the root: C, right is B" in wrong.out
    hidden = run("grade", "hw.json", "b.json", "--hide")
    assert "right is" not in hidden.out and "first mistake at the root" in hidden.out
    assert json.loads(run("grade", "hw.json", "b.json", "--json").out)["score"] == 11


def test_a_folder_becomes_a_table_and_bad_files_are_passed_over(run: Run, homework: Path) -> None:
    folder = homework / "in"
    folder.mkdir()
    (folder / "ann.json").write_text(json.dumps(answers_for(homework)))
    (folder / "bob.json").write_text("import os; os.system('rm -rf /')")
    (folder / "cy.json").write_text(json.dumps(answers_for(homework, move="D")))
    outcome = run("grade", "hw.json", "in", "--out", "grades.csv")
    assert (outcome.code, outcome.out) == (1, "2 of 3 files graded, table in grades.csv\n")
    assert outcome.err == "gametree: bob.json is no JSON: Expecting value in line 1, column 1\n"
    rows = list(csv.DictReader(io.StringIO((homework / "grades.csv").read_text())))
    assert [row["score"] for row in rows] == ["12", "", "11"]
    assert run("grade", "hw.json", "in", "--csv").out == (homework / "grades.csv").read_text()
    assert [one.get("score") for one in json.loads(run("grade", "hw.json", "in", "--json").out)] == [
        12,
        None,
        11,
    ]
    assert run("grade", "hw.json", "in/ann.json", "in/cy.json").code == 0


def test_a_whole_set_is_graded_each_by_its_own_exercise(run: Run, folder: Path) -> None:
    run("exercise", "--count", "3", "--kind", "minimax", "--out", "week", "--key")
    (folder / "in").mkdir()
    for number in ("01", "02", "03"):
        (folder / "in" / f"{number}.json").write_text(
            json.dumps(answers_for(folder / "week" / "keys", number))
        )
    outcome = run("grade", "week", "in")
    assert outcome.code == 0 and outcome.out.count("5 of 5 points") == 3


BAD = {
    "nothing": ("", "give an exercise and answers"),
    "no answers": ("hw.json", "give an exercise and answers"),
    "a missing exercise": ("gone.json a.json", "gone.json cannot be read"),
    "an exercise that is none": ("a.json a.json", "this is no exercise"),
    "missing answers": ("hw.json gone.json", "gone.json cannot be read"),
    "answers that are none": ("hw.json hw.json", "holds no answers"),
    "an empty folder": ("hw.json empty", "empty holds no .json files"),
    "a table nowhere": ("hw.json a.json --out a.json/x.csv", "cannot be written"),
    "code and answers": ("hw.json a.json --code x.py", "--code grades programs"),
    "missing code": ("--code gone.py --game nim", "gone.py cannot be read"),
    "an unknown game": ("--code x.py --game nimm", "there is no game 'nimm'"),
    "a tree that is none": ("--code x.py --game [[1,", "--game is no JSON"),
    "a function that is none": (
        "--code x.py --game nim --function negamax",
        "knows alphabeta and minimax",
    ),
    "a cut that is none": ("--code x.py --cut lt", "'lt' is not one of 'ge', 'gt'"),
    "an ending that is none": (
        "--out canvas.imscc",
        "--out canvas.imscc: the ending says what is written; it is .csv, .zip or .ipynb",
    ),
    "an exported grader and answers": ("hw.json a.json --out a.zip", "--out a.zip grades programs"),
    "a table of nothing": ("--out grades.csv", "give an exercise and answers"),
    "no memory": ("--code x.py --game nim --memory 1", "at least 64 MB"),
    "no time": ("--code x.py --game nim --seconds 0", "at most an hour"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_graded_is_one_line_and_exit_code_2(run: Run, homework: Path, what: str) -> None:
    (homework / "a.json").write_text(json.dumps(answers_for(homework)))
    (homework / "x.py").write_text("")
    (homework / "empty").mkdir()
    arguments, message = BAD[what]
    assert message in run("grade", *arguments.split()).refusal


def test_code_is_graded(run: Run, folder: Path) -> None:
    (folder / "good.py").write_text(solution("alphabeta"))
    lecture = ("--game", "[[3,12,8],[2,4,6],[14,5,2]]")
    outcome = run("grade", "--code", "good.py", *lecture)
    assert outcome.code == 0 and outcome.out.startswith("good.py, alphabeta: 3 of 3 points")
    assert run("grade", "--code", "good.py", "--game", "trees", "--count", "2").code == 0
    assert json.loads(run("grade", "--code", "good.py", *lecture, "--json").out)["points"] == 3
    there = run("grade", "--code", "good.py", "--game", "tic-tac-toe", "--position", "XOX/.O./X.O")
    assert there.code == 0, there.out
    (folder / "bad.py").write_text("def alphabeta(g, s): return 1 / 0")
    outcome = run("grade", "--code", "bad.py", *lecture)
    assert outcome.code == 1 and "ZeroDivisionError: division by zero (line 1 in alphabeta)" in outcome.out


def test_a_folder_of_code_becomes_a_table(run: Run, folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "in" / "a.py").write_text(solution("alphabeta"))
    (folder / "in" / "b.py").write_bytes(b"\xff")
    outcome = run("grade", "--code", "in", "--game", "[[1,2],[0,3]]", "--out", "t.csv")
    assert (outcome.code, outcome.out) == (1, "1 of 2 programs graded, table in t.csv\n")
    assert "a.py,3,3,3,," in (folder / "t.csv").read_text()
    assert (
        run("grade", "--code", "in", "--game", "[[1,2],[0,3]]", "--csv").out == (folder / "t.csv").read_text()
    )


def test_the_code_grader_is_exported(run: Run, folder: Path) -> None:
    options = (
        "--game",
        "connect-four",
        "--set",
        "width=4",
        "--set",
        "height=4",
        "--depth",
        "2",
        "--count",
        "1",
    )
    assert run("grade", *options, "--out", "a.zip").out == "a.zip\n"
    assert (folder / "a.zip").read_bytes().startswith(b"PK")
    assert run("grade", *options, "--out", "a.ipynb").out == "a.ipynb\n"
    assert json.loads((folder / "a.ipynb").read_text())["nbformat"] == 4
    assert run("grade", "--game", "trees", "--out", "t.zip").code == 0
    refusal = run("grade", "--game", "trees", "--out", "t.ipynb").refusal
    assert "name one instead of trees" in refusal
