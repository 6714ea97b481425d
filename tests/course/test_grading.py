"""What students hand in: however it is written it is read, and what cannot be read is told and passed over."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from gametree.course import answers as read
from gametree.course.answers import Answers
from gametree.course.exercise import POSSIBLE, Exercise
from gametree.course.folders import grade_files, read_exercise, read_exercises, table
from gametree.course.generation import make
from gametree.course.grades import Grades, PartGrade
from gametree.course.grading import grade
from gametree.course.key import answer_file, right_answers
from gametree.course.recipe import Recipe
from gametree.errors import InputError
from gametree.explain.traces.conventions import Conventions
from gametree.games.tree.game import Chance

LECTURE = Exercise("alphabeta", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])


def judged(exercise: Exercise, **given: Any) -> dict[str, PartGrade]:
    known = {name.replace("_", "-"): value for name, value in given.items()}
    report = grade(exercise, Answers(exercise.id, "", known))
    return {one.part: one for one in report.parts}


def mark(exercise: Exercise, part: str, given: Any) -> PartGrade:
    return judged(exercise, **{part: given})[part]


# --- the same answer, written in other ways ---------------------------------------------------------


@pytest.mark.parametrize("three", [3, 3.0, "3", " 3 ", "3.0", "+3", "6/2", "3,0"])
def test_a_value_may_be_written_in_many_ways(three: Any) -> None:
    given = {"a": three, "B": three, "C": 2, "D": 2}
    assert mark(LECTURE, "values", given).right


@pytest.mark.parametrize("given", ["three", "", None, True, [3], {}, "nan", "1e3", "3/0", "--3", 10**400])
def test_what_is_no_number_is_wrong_and_not_a_crash(given: Any) -> None:
    said = mark(LECTURE, "values", {"A": given, "B": 3, "C": 2, "D": 2})
    assert (said.score, said.mistakes[0].where) == (3, "A")


@pytest.mark.parametrize("given", ["B", "b", " B ", "1", 1])
def test_the_best_move_may_be_a_node_or_a_number(given: Any) -> None:
    assert mark(LECTURE, "move", given).right


@pytest.mark.parametrize("given", ["C", "A", "B1", "0", "4", "", 7.5, ["B"], {"B": 1}, "B C"])
def test_another_move_is_wrong(given: Any) -> None:
    assert not mark(LECTURE, "move", given).right


@pytest.mark.parametrize(
    "given",
    [
        ["B1", "B2", "B3", "C1", "D1", "D2", "D3"],
        "B1 B2 B3 C1 D1 D2 D3",
        "b1, b2, b3, c1, d1, d2, d3",
        "[B1; B2; B3; C1; D1; D2; D3]",
        "B1 → B2 → B3 → C1 → D1 → D2 → D3",
    ],
)
def test_a_row_of_leaves_may_be_a_list_or_a_text(given: Any) -> None:
    assert mark(LECTURE, "leaves", given).right


@pytest.mark.parametrize(
    "given",
    [
        [
            {"branch": "C2", "kind": "alpha", "depth": "shallow"},
            {"branch": "C3", "kind": "α", "depth": "shallow"},
        ],
        {"C3": "alpha shallow", "C2": "α-cut, shallow".replace("-cut,", "")},
        {"C2": "shallow alpha", "C3": "alpha shallow", "D1": ""},
        "C2 alpha shallow; C3 α shallow",
        ["c3 alpha shallow", "C2 a shallow"],
    ],
)
def test_cuts_may_be_objects_a_table_or_a_text(given: Any) -> None:
    assert mark(LECTURE, "cuts", given).right


@pytest.mark.parametrize("given", [5, [5], [["C2"]], True, "C2", {"C2": 5}, [None]])
def test_what_is_no_list_of_cuts_is_wrong_and_not_a_crash(given: Any) -> None:
    assert not mark(LECTURE, "cuts", given).right


def test_no_cuts_is_an_answer_and_silence_is_none() -> None:
    plain = Exercise("alphabeta", [[2, 3], [4, 5]])
    assert mark(plain, "cuts", []).right and mark(plain, "cuts", {}).right
    assert mark(plain, "cuts", None).verdict == mark(plain, "cuts", " ").verdict == "not answered"
    assert mark(LECTURE, "cuts", []).verdict == "wrong"


def test_every_tied_move_is_right() -> None:
    tied = Exercise("minimax", [[3, 5], [3, 4], [1, 9]])
    assert [mark(tied, "move", name).right for name in "BCD"] == [True, True, False]


def test_vectors_and_expectations_are_read() -> None:
    triples = Exercise("maxn", [[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], movers=(0, 2))
    assert mark(triples, "values", {"A": "(4, 3, 2)", "B": [4, 3, 2], "C": "1 5 2"}).right
    assert not mark(triples, "values", {"A": "(4, 3)", "B": [4, 3, 2], "C": [1, 5, "two"]}).right
    dice = Exercise("expectiminimax", [Chance([(1 / 3, 1), (2 / 3, 2)]), Chance([(0.5, 0), (0.5, 3)])])
    assert mark(dice, "values", {"A": "1.67", "B": "5/3", "C": "1,5"}).right
    assert mark(dice, "values", {"A": "1.69", "B": 1.6, "C": 1.5}).score < 4


def test_conventions_decide_what_is_right() -> None:
    tree = [[3, 12], [2, 4], [3, 1]]
    at, beyond = (Exercise("alphabeta", tree, conventions=Conventions(cut=cut)) for cut in (">=", ">"))
    assert mark(at, "cuts", ["C2 alpha shallow", "D2 alpha shallow"]).right
    assert mark(beyond, "cuts", ["C2 alpha shallow"]).right
    assert not mark(beyond, "cuts", ["C2 alpha shallow", "D2 alpha shallow"]).right
    soft, hard = (
        Exercise("alphabeta", tree, conventions=Conventions(fail=fail)) for fail in ("soft", "hard")
    )
    assert mark(soft, "values", {"A": 3, "B": 3, "C": 2, "D": 3}).right
    assert mark(hard, "values", {"A": 3, "B": 3, "C": 3, "D": 3}).right
    assert not mark(hard, "values", {"A": 3, "B": 3, "C": 2, "D": 3}).right


def test_a_deep_cut_by_a_bound_that_the_parent_has_too_may_be_called_shallow() -> None:
    # The parent has 5 by its own first child, as the root has: both bounds leave the second child after its 4.
    both = Exercise("alphabeta", [[[[5]]], [[[5], [4, 9]]]])
    deep = Exercise("alphabeta", [[[[5]]], [[[3], [4, 9]]]])
    branch = next(iter(judged_key(both)))
    assert judged_key(both)[branch] == ("deep", "shallow")
    assert set(judged_key(deep).values()) == {("deep",)}
    for depth in ("deep", "shallow"):
        assert mark(both, "cuts", [f"{branch} alpha {depth}"]).right


def judged_key(exercise: Exercise) -> dict[str, tuple[str, ...]]:
    from gametree.course.key import solve

    return {branch: cut.depths for branch, cut in solve(exercise).cuts.items()}


# --- partial credit, by the documented rule ---------------------------------------------------------


def test_values_earn_their_share_and_half_where_they_follow_from_a_mistake() -> None:
    plain = Exercise("minimax", [[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert mark(plain, "values", {"A": 3, "B": 3, "C": 4, "D": 2}).score == 3
    follows = mark(plain, "values", {"A": 4, "B": 3, "C": 4, "D": 2})
    assert (follows.score, [one.where for one in follows.mistakes]) == (2.5, ["C", "A"])
    assert mark(plain, "values", {"A": 5, "B": 3, "C": 4, "D": 2}).score == 2
    assert mark(plain, "values", {"A": 3}).score == 1
    assert mark(LECTURE, "values", {"A": 4, "B": 3, "C": 4, "D": 2}).score == 2
    assert mark(plain, "values", {"A": 3, "B": 3, "C": 2, "D": 2, "Z": 1}).score == 3
    assert mark(plain, "values", [3, 3, 2, 2]).score == 0


def test_leaves_earn_what_stands_before_the_first_mistake() -> None:
    said = mark(LECTURE, "leaves", "B1 B2 B3 C1 C2 D1 D2 D3")
    assert said.score == 1.5 and str(said.mistakes[0]) == "leaf number 5: C2, right is D1"
    assert mark(LECTURE, "leaves", "B1 B2 B3 C1 D1 D2").score == round(3 * 6 / 7, 2)
    assert "the end: the search is over" in str(
        mark(LECTURE, "leaves", "B1 B2 B3 C1 D1 D2 D3 D3").mistakes[0]
    )
    assert mark(LECTURE, "leaves", 5).score == 0


def test_cuts_earn_halves_and_lose_for_branches_that_are_not_cut() -> None:
    assert mark(LECTURE, "cuts", ["C2 alpha shallow"]).score == 2
    assert mark(LECTURE, "cuts", ["C2 beta shallow", "C3 alpha shallow"]).score == 3
    assert mark(LECTURE, "cuts", ["C2 alpha shallow", "C3 alpha shallow", "D3 alpha shallow"]).score == 2
    assert mark(LECTURE, "cuts", ["D2 alpha shallow", "D3 alpha shallow"]).score == 0
    assert "given twice" in str(mark(LECTURE, "cuts", ["C2 alpha shallow"] * 2).mistakes[0])
    tree = Exercise("alphabeta", [[[3], [4]], [[2], [9, 1]]])
    below = mark(tree, "cuts", ["G alpha shallow", "G1 alpha shallow"])
    assert below.score == 0 and "below G, which is cut" in str(below.mistakes[0])


def test_orders_earn_half_where_they_are_on_the_right_way() -> None:
    tree = Exercise("ordering", [[2, 9], [3, 8], [5, 7]])
    assert (
        mark(tree, "best-order", "D1 D2 B1 B2 C1 C2").right
        and mark(tree, "best-order", "D2 D1 C1 C2 B1 B2").right
    )
    half = mark(tree, "best-order", "C1 C2 B1 B2 D1 D2")
    assert (half.score, half.mistakes[0].said) == (1, "5 leaves are visited")
    assert mark(tree, "best-order", "B1 B2 C1 C2 D1 D2").score == 0
    assert mark(tree, "worst-order", "B1 B2 C1 C2 D1 D2").right
    torn = mark(tree, "best-order", "D1 B1 D2 B2 C1 C2")
    assert torn.score == 0 and "tears children" in torn.mistakes[0].said
    assert "every leaf once" in mark(tree, "best-order", "D1 D2").mistakes[0].right
    assert mark(tree, "best-order", {"D1": 1}).score == 0


def test_an_unknown_leaf_earns_each_end_of_its_range() -> None:
    tree = Exercise("unknown", [[3, 12, 8], [2, "x", 6], [14, 5, "y"]][:2])
    right = right_answers(tree)
    assert right == {"depends": "no", "range": {"least": 3, "greatest": 3}, "threshold": "never"}
    assert mark(tree, "range", {"least": 3, "greatest": 4}).score == 1
    assert mark(tree, "range", [3, "3"]).right
    assert mark(tree, "range", "3 to 3").score == 0
    assert mark(tree, "depends", False).right and not mark(tree, "depends", "perhaps").right
    other = Exercise("unknown", [[3, 12], ["x", 9]])
    assert right_answers(other) == {"depends": "yes", "range": {"least": 3, "greatest": 9}, "threshold": 3}
    assert mark(other, "threshold", "3").right and not mark(other, "threshold", "always").right


def test_the_first_mistake_is_the_first_that_the_search_makes() -> None:
    said = mark(LECTURE, "values", {"A": 1, "B": 1, "C": 1, "D": 1})
    assert [one.where for one in said.mistakes] == ["B", "C", "D", "A"]


def test_a_report_tells_score_verdicts_and_mistakes_and_can_hide_what_is_right() -> None:
    given = {"values": {"A": 3, "B": 3, "C": 4, "D": 2}, "leaves": "", "move": "C", "more": 1}
    report = grade(LECTURE, Answers(LECTURE.id, "Ann", given))
    assert report.text().splitlines() == [
        f"{LECTURE.id} · Ann: 3 of 12 points",
        "  values      3 of 4  partly right; first mistake at C: 4, right is 2",
        "  move        0 of 1  wrong; first mistake at the root: C, right is B",
        "  leaves      0 of 3  not answered",
        "  cuts        0 of 4  not answered",
        "  note: the exercise does not ask: more",
    ]
    assert "right is" not in report.text(hide=True) and "first mistake at C" in report.text(hide=True)
    data = report.to_dict()
    assert (data["score"], data["points"], data["parts"][1]["verdict"]) == (3, 12, "wrong")
    assert json.loads(json.dumps(data)) == data


# --- files ------------------------------------------------------------------------------------------


BAD_FILES = {
    "nothing": (b"", "is no JSON"),
    "no JSON": (b"{", "is no JSON: Expecting property name"),
    "no object": (b"[1]", 'holds no answers: it has no "schema": "gametree.answers/1"'),
    "another schema": (b'{"schema": "x"}', "holds no answers"),
    "no exercise": (b'{"schema": "gametree.answers/1", "answers": {}}', '"exercise" is missing'),
    "no answers": (b'{"schema": "gametree.answers/1", "exercise": "e"}', 'no object "answers"'),
    "another exercise": (
        b'{"schema": "gametree.answers/1", "exercise": "e", "answers": {}}',
        "answers 'e', which is none of the exercises",
    ),
    "a name twice": (b'{"schema": "gametree.answers/1", "schema": "x"}', '"schema" stands twice'),
    "nan": (b'{"schema": NaN}', "NaN is no JSON"),
    "a deep nest": (b"[" * 100_000, "nested too deeply"),
    "too many digits": (b'{"schema": ' + b"9" * 10_000 + b"}", "too many digits"),
    "no text": (b"\xff\xfe\x00", "is no UTF-8 text"),
    "a pickle": (b"\x80\x04\x95cposix\nsystem\n", "is no UTF-8 text"),
    "a program": (b"import os; os.system('x')", "is no JSON"),
    "too large": (b" " * 1_000_001, "more than 1,000,000 bytes"),
}


@pytest.mark.parametrize("what", BAD_FILES)
def test_a_bad_file_is_one_clear_line_and_the_others_are_graded(what: str, tmp_path: Path) -> None:
    data, message = BAD_FILES[what]
    (tmp_path / "a.json").write_bytes(data)
    good = answer_file(LECTURE, right_answers(LECTURE), "Ann")
    (tmp_path / "b.json").write_text(json.dumps(good), encoding="utf-8-sig")
    rows = grade_files({LECTURE.id: LECTURE}, sorted(tmp_path.glob("*.json")))
    assert rows[0].report is None and message in rows[0].error and "\n" not in rows[0].error
    assert rows[1].report is not None and rows[1].report.right


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    rows = grade_files({LECTURE.id: LECTURE}, [tmp_path / "gone.json", tmp_path])
    assert rows[0].error.startswith("gone.json cannot be read: No such file") and rows[1].report is None


def test_answers_to_another_exercise_are_refused() -> None:
    with pytest.raises(InputError, match="these are answers to 'x'"):
        grade(LECTURE, Answers("x"))


def test_a_table_has_a_column_for_each_part_and_no_formulas(tmp_path: Path) -> None:
    second = make(Recipe(kind="unknown"), 1)
    handed = {
        "a": answer_file(LECTURE, right_answers(LECTURE), "=SUM(A1)"),
        "b": answer_file(second, right_answers(second), "Bob\nNewline"),
    }
    for name, data in handed.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    (tmp_path / "c.json").write_text("{")
    rows = grade_files({one.id: one for one in (LECTURE, second)}, sorted(tmp_path.glob("*.json")))
    lines = table(rows).splitlines()
    assert lines[0] == (
        "file,student,exercise,seed,score,points,percent,values,move,leaves,cuts,depends,range,threshold,"
        "first mistake,error"
    )
    assert lines[1] == f"a.json,'=SUM(A1),{LECTURE.id},,12,12,100,4,1,3,4,,,,,"
    assert lines[2] == f"b.json,Bob Newline,{second.id},1,4,4,100,,,,,1,2,1,,"
    assert lines[3].startswith("c.json,,,,") and "is no JSON" in lines[3] and len(lines) == 4


def test_an_exercise_survives_its_file(tmp_path: Path) -> None:
    for kind in ("minimax", "alphabeta", "expectiminimax", "maxn", "unknown", "ordering"):
        made = make(Recipe(kind=kind, conventions=Conventions(cut=">", shapes="triangles")), 3, "Zoë")
        path = tmp_path / f"{kind}.json"
        path.write_text(json.dumps(made.to_dict()))
        back = read_exercise(path)
        assert back.to_dict() == made.to_dict() and back.id == made.id
    assert len(read_exercises(tmp_path)) == 6


GOOD = LECTURE.to_dict()
BAD_EXERCISES: dict[str, tuple[Any, str]] = {
    "no object": ([], "this is no exercise"),
    "an unknown kind": ({**GOOD, "kind": "magic"}, "no kind of exercise 'magic'"),
    "no kind": ({**GOOD, "kind": 3}, "kind of the exercise is 3: it has to be a text"),
    "no parts": ({**GOOD, "parts": "values"}, "parts of the exercise is 'values': it has to be a list"),
    "a part that is none": ({**GOOD, "parts": ["range"]}, "has no part 'range'"),
    "a part twice": ({**GOOD, "parts": ["values", "values"]}, "each can be asked once"),
    "no tree": ({**GOOD, "tree": None}, "None is no part of a tree"),
    "a tree of truth": ({**GOOD, "tree": [[True, 1]]}, "True is no part of a tree"),
    "an empty node": ({**GOOD, "tree": [[], [1]]}, "the tree of the exercise cannot be used"),
    "a bottomless tree": ({**GOOD, "tree": json.loads("[" * 40 + "1" + "]" * 40)}, "more than 30 levels"),
    "odd odds": ({**GOOD, "tree": {"chance": [[0.5, 1]]}}, "sum to 0.5"),
    "a chance that is none": ({**GOOD, "tree": {"chance": [1]}}, "is no part of a tree"),
    "unknown conventions": (
        {**GOOD, "conventions": {"colour": "red"}},
        "conventions that do not exist: colour",
    ),
    "a bad convention": ({**GOOD, "conventions": {"cut": "<"}}, "cut='<' is no convention"),
    "movers that are none": ({**GOOD, "movers": ["x"]}, "movers"),
}


@pytest.mark.parametrize("what", BAD_EXERCISES)
def test_an_exercise_that_is_none_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    data, message = BAD_EXERCISES[what]
    path = tmp_path / "e.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError) as refused:
        read_exercise(path)
    assert message in str(refused.value) and str(refused.value).startswith("e.json")


def test_a_folder_without_exercises_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(InputError, match="holds no exercise"):
        read_exercises(tmp_path)


def test_reading_is_strict_about_shape_and_kind_about_spelling() -> None:
    assert read.names(["b1", 5]) is None and read.vector({"a": 1}) is None and read.vector(["x"]) is None
    assert read.number("-∞") == -read.number("inf")  # type: ignore[operator]
    assert isinstance(grade(LECTURE, Answers(LECTURE.id)), Grades)


def test_the_schema_describes_what_is_handed_in() -> None:
    import jsonschema

    text = files("gametree").joinpath("schemas/answers.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    for kind in POSSIBLE:
        made = make(Recipe(kind=kind, depth=2, parts=POSSIBLE[kind]), 2)
        jsonschema.validate(answer_file(made, right_answers(made), "Ann"), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"schema": "gametree.answers/1", "exercise": "x", "answers": {"cats": 1}}, schema)
