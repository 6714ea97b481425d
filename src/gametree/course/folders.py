"""Grades a folder, of answers or of programs, into one table. One bad file spoils no other."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from gametree.course import answers as read
from gametree.course.exercise import SCHEMA, Exercise
from gametree.course.grades import Grades
from gametree.course.grading import grade
from gametree.course.key import Key, solve
from gametree.course.programs.judging import Assignment, ProgramGrades, grade_program
from gametree.course.programs.sandbox import MOST_BYTES
from gametree.errors import InputError
from gametree.reading import parse, text_of

_ABOUT: Final = re.compile(r'<script type="application/json" id="about">(.*?)</script>', re.DOTALL)
"""Where a page has the exercise that it asks."""

G = TypeVar("G", Grades, ProgramGrades)


@dataclass(frozen=True)
class Row(Generic[G]):
    """What became of one file."""

    file: str
    report: G | None
    error: str = ""


def read_exercise(path: Path) -> Exercise:
    """The exercise in a file: JSON, or the page that was made for students, which holds the same."""
    try:
        return Exercise.from_dict(_of_page(path) if path.suffix.lower() == ".html" else read.load(path))
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(path.name) else f"{path.name}: {text}") from None


def _of_page(path: Path) -> Any:
    found = _ABOUT.search(text_of(path, read.MOST_BYTES, "page of an exercise"))
    data = parse(found[1], path.name) if found else None
    if not isinstance(data, dict) or "document" not in data:
        raise InputError(
            f"{path.name} is no page of an exercise: `gametree exercise --out FILE.html` makes one"
        )
    return data["document"]


def read_exercises(path: Path) -> dict[str, Exercise]:
    """The exercises in a file or a folder, by their ids. Other JSON files in the folder are passed over."""
    if not path.is_dir():
        found = read_exercise(path)
        return {found.id: found}
    exercises = {}
    for file in sorted(path.glob("*.json")):
        try:
            data = read.load(file)
        except InputError:
            continue
        if isinstance(data, dict) and data.get("schema") == SCHEMA:
            exercise = read_exercise(file)
            exercises[exercise.id] = exercise
    if not exercises:
        raise InputError(f"{path} holds no exercise: `gametree exercise --format json --out FILE` makes one")
    return exercises


# --- answers ----------------------------------------------------------------------------------------


def grade_files(exercises: dict[str, Exercise], files: Iterable[Path]) -> list[Row[Grades]]:
    """Grades every file; what cannot be graded is a row with an error."""
    keys: dict[str, Key] = {}
    return [_row(exercises, keys, file) for file in files]


def _row(exercises: dict[str, Exercise], keys: dict[str, Key], file: Path) -> Row[Grades]:
    try:
        given = read.read(read.load(file), file.name)
        exercise = exercises.get(given.exercise)
        if exercise is None:
            raise InputError(f"{file.name} answers {given.exercise[:60]!r}, which is none of the exercises")
        if exercise.id not in keys:
            keys[exercise.id] = solve(exercise)
        return Row(file.name, grade(exercise, given, keys[exercise.id]))
    except InputError as error:
        return Row(file.name, None, str(error))


def table(rows: list[Row[Grades]]) -> str:
    """The rows as CSV: a column for each part that any exercise has."""
    parts = list(dict.fromkeys(one.part for row in rows if row.report for one in row.report.parts))
    head = ["file", "student", "exercise", "seed", "score", "points", "percent", *parts]
    return csv_text([*head, "first mistake", "error"], (_answer_cells(row, parts) for row in rows))


def _answer_cells(row: Row[Grades], parts: list[str]) -> list[Any]:
    grades = row.report
    if grades is None:
        return [row.file, *[""] * (6 + len(parts)), "", row.error]
    scores = {one.part: one.score for one in grades.parts}
    first = next((f"{one.part}: {one.mistakes[0]}" for one in grades.parts if one.mistakes), "")
    seed = "" if grades.exercise.seed is None else grades.exercise.seed
    percent = round(100 * grades.score / grades.points, 1)
    who = [row.file, grades.student, grades.exercise.id, seed, grades.score, grades.points, percent]
    return [*who, *(scores.get(part, "") for part in parts), first, ""]


# --- programs ---------------------------------------------------------------------------------------


def grade_programs(files: Iterable[Path], assignment: Assignment) -> list[Row[ProgramGrades]]:
    """Grades each program; one that cannot be read is a row with an error."""
    rows = []
    for file in files:
        try:
            source = text_of(file, MOST_BYTES, "program")
            rows.append(Row(file.name, grade_program(source, file.name, assignment)))
        except InputError as error:
            rows.append(Row[ProgramGrades](file.name, None, str(error)))
    return rows


def program_table(rows: list[Row[ProgramGrades]]) -> str:
    """The rows as CSV: what each position earned, and the first thing that went wrong."""
    most = max((len(row.report.judged) for row in rows if row.report), default=0)
    places = [f"position {place}" for place in range(1, most + 1)]
    head = ["file", "score", "points", *places, "first problem", "error"]
    return csv_text(head, (_program_cells(row, most) for row in rows))


def _program_cells(row: Row[ProgramGrades], most: int) -> list[Any]:
    grades = row.report
    if grades is None:
        return [row.file, *[""] * (2 + most), "", row.error]
    scores = [one.score for one in grades.judged]
    return [row.file, grades.score, grades.points, *scores, grades.first_problem, ""]


# --- tables -----------------------------------------------------------------------------------------


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as CSV that a spreadsheet takes as text and numbers."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([cell(value) for value in row] for row in rows)
    return out.getvalue()


def cell(value: Any) -> Any:
    """Text that a spreadsheet does not take for a formula."""
    if isinstance(value, str):
        value = "".join(one if one >= " " else " " for one in value)
        return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value
    return f"{value:g}" if isinstance(value, float) else value
