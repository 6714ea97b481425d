"""Grades a folder: every file of answers against its own exercise, into one table. One bad file spoils no other."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gametree.course import answers as read
from gametree.course.exercise import SCHEMA, Exercise
from gametree.course.grade import grade
from gametree.course.key import Key, solve
from gametree.course.marks import Report
from gametree.errors import InputError


@dataclass(frozen=True)
class Row:
    """What became of one file."""

    file: str
    report: Report | None
    error: str = ""


def read_exercise(path: Path) -> Exercise:
    """The exercise in a file."""
    try:
        return Exercise.from_dict(read.load(path))
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(path.name) else f"{path.name}: {text}") from None


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


def grade_files(exercises: dict[str, Exercise], files: Iterable[Path]) -> list[Row]:
    """Grades every file; what cannot be graded is a row with an error."""
    keys: dict[str, Key] = {}
    return [_row(exercises, keys, file) for file in files]


def _row(exercises: dict[str, Exercise], keys: dict[str, Key], file: Path) -> Row:
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


def table(rows: list[Row]) -> str:
    """The rows as CSV: a column for each part that any exercise has."""
    parts = list(dict.fromkeys(mark.part for row in rows if row.report for mark in row.report.marks))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = ["file", "student", "exercise", "seed", "score", "points", "percent"]
    writer.writerow([*head, *parts, "first mistake", "error"])
    for row in rows:
        writer.writerow([cell(value) for value in _values(row, parts)])
    return out.getvalue()


def _values(row: Row, parts: list[str]) -> list[Any]:
    report = row.report
    if report is None:
        return [row.file, *[""] * (6 + len(parts)), "", row.error]
    scores = {mark.part: mark.score for mark in report.marks}
    first = next((f"{mark.part}: {mark.mistakes[0]}" for mark in report.marks if mark.mistakes), "")
    seed = "" if report.exercise.seed is None else report.exercise.seed
    percent = round(100 * report.score / report.points, 1)
    who = [row.file, report.student, report.exercise.id, seed, report.score, report.points, percent]
    return [*who, *(scores.get(part, "") for part in parts), first, ""]


def cell(value: Any) -> Any:
    """Text that a spreadsheet does not take for a formula."""
    if isinstance(value, str):
        value = "".join(one if one >= " " else " " for one in value)
        return f"'{value}" if value[:1] in ("=", "+", "-", "@") else value
    return f"{value:g}" if isinstance(value, float) else value
