"""Exercises as files: one, or a set for a whole class."""

import json
import re
import unicodedata
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, Literal

from gametree.course.exercise import Exercise
from gametree.course.folders import csv_text
from gametree.course.key import key_file
from gametree.errors import InputError
from gametree.reading import text_of

ENDINGS: Final = {
    "html": ".html",
    "pdf": ".pdf",
    "markdown": ".md",
    "json": ".json",
    "moodle": ".xml",
    "qti": ".zip",
}
"""The formats, and how their files end."""
_WRITERS: Final = {
    "html": ("page", "page", "key_page"),
    "pdf": ("pdf", "pdf", "pdf_key"),
    "markdown": ("markdown", "markdown", "markdown_key"),
}
"""For a format its module, which is loaded when it is wanted, and what writes an exercise and a key there."""
BANKS: Final = ("moodle", "qti")
"""The formats of which one file holds a whole set."""
MOST_STUDENTS: Final = 2_000


def format_of(path: Path) -> str:
    """The format that a file's name asks for."""
    for name, ending in ENDINGS.items():
        if path.suffix.lower() == ending:
            return name
    raise InputError(f"{path.name}: an exercise is a file that ends in {', '.join(ENDINGS.values())}")


def written(exercise: Exercise, form: str) -> bytes:
    """The exercise in a format."""
    if form == "json":
        return _json(exercise.to_dict())
    if form in BANKS:
        return bank([exercise], form)
    if form not in _WRITERS:
        raise InputError(f"form={form!r}: it is {', '.join(ENDINGS)}")
    return _by(form, 1, exercise)


def written_key(exercise: Exercise, form: str) -> bytes:
    """The key in a format."""
    if form == "json":
        return _json(key_file(exercise))
    if form in BANKS:
        raise InputError(f"{form} holds its own key: leave key=True out")
    return _by(form, 2, exercise)


def _by(form: str, which: Literal[1, 2], exercise: Exercise) -> bytes:
    module = import_module(f"gametree.course.formats.{_WRITERS[form][0]}")
    made: str | bytes = getattr(module, _WRITERS[form][which])(exercise)
    return made if isinstance(made, bytes) else made.encode("utf-8", "replace")


def bank(exercises: Sequence[Exercise], form: str) -> bytes:
    """A question bank: one file for all exercises, which holds their keys."""
    if form == "qti":
        from gametree.course.formats.qti import qti

        return qti(exercises)
    from gametree.course.formats.moodle import moodle

    return moodle(exercises).encode("utf-8", "replace")


def _json(data: object) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "replace")


def write(exercise: Exercise, path: Path, form: str, *, key: bool = False) -> list[Path]:
    """Writes an exercise, and its key beside it: exercise.html and exercise-key.html."""
    made = [put(path, written(exercise, form))]
    if key:
        made.append(put(path.with_name(f"{path.stem}-key{path.suffix}"), written_key(exercise, form)))
    return made


def write_set(
    exercises: Sequence[Exercise], folder: Path, forms: Sequence[str], *, key: bool = False
) -> list[Path]:
    """Writes a set into a folder: for each student a file in each format and the JSON for grading.

    Keys go into a folder of their own, `keys`. The table `set.csv` says who has which exercise.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: a set of exercises goes into a folder")
    made = []
    names = [_file_name(place, len(exercises), exercise) for place, exercise in enumerate(exercises, 1)]
    made += [put(folder / f"{form}{ENDINGS[form]}", bank(exercises, form)) for form in BANKS if form in forms]
    plain = [form for form in dict.fromkeys((*forms, "json")) if form not in BANKS]
    for name, exercise in zip(names, exercises, strict=True):
        for form in plain:
            made.append(put(folder / f"{name}{ENDINGS[form]}", written(exercise, form)))
            if key:
                made.append(put(folder / "keys" / f"{name}-key{ENDINGS[form]}", written_key(exercise, form)))
    made.append(put(folder / "set.csv", _table(names, exercises)))
    return made


def put(path: Path, data: bytes) -> Path:
    """Writes a file, with the folders above it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None
    return path


def _file_name(place: int, count: int, exercise: Exercise) -> str:
    number = str(place).zfill(max(2, len(str(count))))
    return f"{number}-{slug(exercise.student)}" if slug(exercise.student) else number


def slug(name: str) -> str:
    """A name as part of a file's name: letters, digits and hyphens, whatever was in it.

    >>> slug("Zoë O'Neil"), slug("../../etc/passwd"), slug("李明")
    ('zoe-o-neil', 'etc-passwd', '')
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:40]


def _table(names: Sequence[str], exercises: Sequence[Exercise]) -> bytes:
    rows = ([name, one.student, one.seed, one.id] for name, one in zip(names, exercises, strict=True))
    return csv_text(["file", "student", "seed", "exercise"], rows).encode("utf-8", "replace")


def read_names(path: Path) -> list[str]:
    """The names of students, one on a line; empty lines do not count."""
    names = [" ".join(line.split()) for line in text_of(path).splitlines() if line.strip()]
    if not names:
        raise InputError(f"{path.name} holds no name")
    if len(names) > MOST_STUDENTS:
        raise InputError(f"{path.name} holds more than {MOST_STUDENTS:,} names")
    return names
