"""Grades a folder of programs into one table."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gametree.course.batch import cell
from gametree.course.code import Assignment, CodeReport, grade_code
from gametree.course.sandbox import MOST_SOURCE
from gametree.errors import InputError


@dataclass(frozen=True)
class Graded:
    """What became of one program."""

    file: str
    report: CodeReport | None
    error: str = ""


def read_program(path: Path) -> str:
    """The text of a program; it is not run here."""
    try:
        if path.stat().st_size > 4 * MOST_SOURCE:
            raise InputError(f"{path.name} is too large for a program")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is no UTF-8 text") from None


def grade_programs(files: Iterable[Path], assignment: Assignment) -> list[Graded]:
    """Grades each program; one that cannot be read is a row with an error."""
    rows = []
    for file in files:
        try:
            rows.append(Graded(file.name, grade_code(read_program(file), file.name, assignment)))
        except InputError as error:
            rows.append(Graded(file.name, None, str(error)))
    return rows


def program_table(rows: list[Graded]) -> str:
    """The rows as CSV: what each position earned, and the first thing that went wrong."""
    most = max((len(row.report.judged) for row in rows if row.report), default=0)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    places = [f"position {place}" for place in range(1, most + 1)]
    writer.writerow(["file", "score", "points", *places, "first problem", "error"])
    for row in rows:
        report = row.report
        if report is None:
            writer.writerow([cell(row.file), *[""] * (2 + most), "", cell(row.error)])
            continue
        scores = [cell(one.score) for one in report.judged]
        writer.writerow(
            [cell(row.file), cell(report.score), report.points, *scores, cell(_first(report)), ""]
        )
    return out.getvalue()


def _first(report: CodeReport) -> str:
    for place, one in enumerate(report.judged, 1):
        if one.outcome.problem:
            return f"position {place}: {one.outcome.text}"
        for name, (earned, text) in (("value", one.value), ("move", one.move), ("nodes", one.nodes)):
            if earned < 1:
                return f"position {place}: {name} {text}"
    return ""
