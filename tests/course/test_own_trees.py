"""Exercises on a teacher's own tree or position, α and β to be filled in, QTI, and answers with the sign of a bound."""

import io
import json
import math
import random
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import oracle
from gametree.app.cli import main
from gametree.course.answers import Answers
from gametree.course.exercise import POSSIBLE, Exercise
from gametree.course.formats.qti import qti
from gametree.course.generation import make
from gametree.course.grading import grade
from gametree.course.key import answer_file, right_answers, solve
from gametree.course.recipe import Recipe

TREE: Any = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def called_with(spec: Any, movers: tuple[int, ...] = (0, 1)) -> dict[tuple[int, ...], tuple[float, float]]:
    """With which α and β each inner node is called: alpha-beta on nested lists, and nothing else."""
    found: dict[tuple[int, ...], tuple[float, float]] = {}

    def value(node: Any, alpha: float, beta: float, path: tuple[int, ...]) -> float:
        if not isinstance(node, list):
            return float(node)
        found[path] = alpha, beta
        best = -math.inf if movers[len(path) % len(movers)] == 0 else math.inf
        for at, child in enumerate(node):
            v = value(child, alpha, beta, (*path, at))
            if movers[len(path) % len(movers)] == 0:
                best = max(best, v)
                alpha = max(alpha, best)
            else:
                best = min(best, v)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    value(spec, -math.inf, math.inf, ())
    return found


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.slow)])
def test_right_windows_are_accepted_and_wrong_ones_are_not(count: int) -> None:
    rng = random.Random(3)
    for seed in range(count):
        spec = [oracle.random_tree_spec(rng, depth=3, branching=3) for _ in range(2)]
        exercise = Exercise("alphabeta", spec, parts=("windows",))
        truth = called_with(spec)
        given = {
            name: "–" if path not in truth else " ".join(f"{end:g}" for end in truth[path])
            for name, path in exercise.paths.items()
            if name in exercise.inner
        }
        assert grade(exercise, Answers(exercise.id, "", {"windows": given})).score == exercise.points
        wrong = rng.choice(list(given))
        given[wrong] = "0 1" if given[wrong] != "0 1" else "–"
        assert grade(exercise, Answers(exercise.id, "", {"windows": given})).score < exercise.points
        key = right_answers(exercise)
        assert grade(exercise, Answers(exercise.id, "", key)).score == exercise.points
        assert seed >= 0


def test_the_sign_of_a_bound_is_right_where_it_is_true() -> None:
    exercise = Exercise("alphabeta", TREE, parts=("values",))

    def score(**values: Any) -> float:
        given = {"A": 3, "B": 3, "C": 2, "D": 2} | values
        return float(grade(exercise, Answers(exercise.id, "", {"values": given})).score)

    assert score(C="≤2") == score(C="<= 2") == score(C="2") == score(B="=3") == exercise.points
    assert score(C="≥2") < exercise.points
    assert score(B="≤3") < exercise.points
    graded = grade(
        exercise, Answers(exercise.id, "", {"values": {"A": "abc", "B": 3, "C": 2, "D": 2}})
    ).text()
    assert "abc (which is no number), right is 3" in graded


# --- QTI ---------------------------------------------------------------------------------------------


def test_qti_has_an_item_for_every_part_and_every_right_answer() -> None:
    exercises = [
        make(Recipe(kind=kind, depth=2, parts=parts), 3) for kind, parts in POSSIBLE.items() if kind != "maxn"
    ] + [make(Recipe(kind="maxn", depth=2), 3)]
    pack = zipfile.ZipFile(io.BytesIO(qti(exercises)))
    assert pack.testzip() is None
    quiz = ElementTree.fromstring(pack.read("quiz.xml"))
    space = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
    items = list(quiz.iter(f"{space}item"))
    assert len(items) == sum(len(one.parts) for one in exercises)
    for item in items:
        right = [node.text or "" for node in item.iter(f"{space}varequal")]
        assert right
        assert all(right)
        labels = {node.get("ident") for node in item.iter(f"{space}response_label")}
        assert not labels or set(right) <= labels
        shares: dict[str, float] = {}
        for condition in item.iter(f"{space}respcondition"):
            name = next(condition.iter(f"{space}varequal")).get("respident") or ""
            shares[name] = float(next(condition.iter(f"{space}setvar")).text or 0)
        assert sum(shares.values()) == pytest.approx(100, abs=0.01)
    manifest = ElementTree.fromstring(pack.read("imsmanifest.xml"))
    named = {node.get("href") for node in manifest.iter() if node.tag.endswith("}file")}
    assert named == set(pack.namelist()) - {"imsmanifest.xml"}
    assert qti(exercises) == qti(exercises)


def test_a_right_menu_is_the_cut_that_was_made() -> None:
    exercise = Exercise("alphabeta", TREE, parts=("cuts",))
    pack = zipfile.ZipFile(io.BytesIO(qti([exercise])))
    text = pack.read("quiz.xml").decode()
    assert solve(exercise).cuts.keys() == {"C2", "C3"}
    for name, place in (("C2", 1), ("C3", 1), ("B1", 0)):
        assert f'<varequal respident="response_{name}">{name}-{place}</varequal>' in text


# --- the command -------------------------------------------------------------------------------------


def test_an_exercise_on_a_tree_and_on_a_position(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["exercise", "--tree", json.dumps(TREE), "--parts", "windows,cuts", "--key"]) == 0
    assert "C (3, ∞)" in capsys.readouterr().out
    assert main(["exercise", "--game", "tic-tac-toe", "--position", "XOX/.O./X.O", "--json"]) == 0
    made = Exercise.from_dict(json.loads(capsys.readouterr().out))
    assert made.spec == [1, [[0], -1], [[0], [1]]]
    Path("tree.txt").write_text("[[3,12],[2,x]]", encoding="utf-8")
    assert main(["exercise", "--tree", "tree.txt", "--kind", "unknown"]) == 0
    assert "The leaf x may be any number" in capsys.readouterr().out
    assert main(["exercise", "--count", "2", "--out", "week.zip"]) == 0
    assert zipfile.ZipFile("week.zip").testzip() is None


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tree", "[[3,12],[2,x]]"], "only an exercise of --kind unknown"),
        (["--tree", "[[3,12],[2,4]]", "--ragged"], "wishes for a random tree"),
        (["--tree", "[[3,12]]"], "no choice"),
        (["--tree", "[3,1]", "--kind", "unknown"], "needs a tree with one"),
        (["--tree", "[3,1]", "--game", "nim"], "not both"),
        (["--tree", "[[3,"], "a subtree is expected"),
        (["--game", "chess", "--plies", "2"], "at most 60"),
        (["--game", "chess", "--plies", "3"], "too many to look at"),
        (["--values", "5"], "all leaves would be equal"),
    ],
)
def test_what_is_no_exercise_is_refused(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["exercise", *arguments]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_the_page_of_an_exercise_is_enough_to_grade_its_answers(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["exercise", "--seed", "7", "--out", "homework.html"]) == 0
    exercise = make(Recipe(), 7)
    Path("ann.json").write_text(
        json.dumps(answer_file(exercise, right_answers(exercise), "Ann")), encoding="utf-8"
    )
    assert main(["grade", "homework.html", "ann.json"]) == 0
    assert f"{exercise.points} of {exercise.points} points" in capsys.readouterr().out
    Path("other.html").write_text("<p>nothing</p>", encoding="utf-8")
    assert main(["grade", "other.html", "ann.json"]) == 2
    assert "is no page of an exercise" in capsys.readouterr().err
