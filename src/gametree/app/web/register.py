"""What a class has done, in a SQLite file: who is in it, its exercises, and everything that was handed in."""

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from gametree.course.exercise import Exercise
from gametree.errors import InputError

_APPLICATION: Final = 0x67747263
"""Says in the file whose it is."""
_TABLES: Final = """
create table exercise (
    number integer primary key,
    id text not null unique,
    document text not null
);
create table student (
    id integer primary key,
    name text not null unique collate nocase,
    browser text not null,
    seen real not null
);
create index browsers on student (browser);
create table attempt (
    id integer primary key,
    student integer not null references student,
    exercise integer not null references exercise,
    at real not null,
    answers text not null,
    score real not null
);
create index attempts on attempt (student, exercise, id);
"""
_PROGRAMS: Final = """
create table if not exists task (
    number integer primary key,
    document text not null unique
);
create table if not exists program (
    id integer primary key,
    student integer not null references student,
    task integer not null references task,
    at real not null,
    source text not null,
    grades text not null,
    score real not null
);
create index if not exists programs on program (student, task, id);
"""
"""A class that was begun without programs gets them when it is opened."""


class Student(NamedTuple):
    """One of the class."""

    id: int
    name: str
    seen: float
    """When it was heard of for the last time."""


class Task(NamedTuple):
    """A program that is asked for: which function, on which game."""

    function: str
    game: str


class Program(NamedTuple):
    """The program that was handed in last, what became of it, and how often one was."""

    source: str
    grades: dict[str, Any]
    score: float
    tries: int


class Attempt(NamedTuple):
    """What was handed in last, and how often something was."""

    answers: dict[str, Any]
    score: float
    tries: int


class Register:
    """The class in a file. Whatever is handed in is on disk before it is answered."""

    def __init__(self, file: Path):
        existed = file.exists()
        try:
            self._data = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            (whose,) = self._data.execute("pragma application_id").fetchone()
            tables = self._data.execute("select count(*) from sqlite_master").fetchone()[0]
            if existed and tables and whose != _APPLICATION:
                raise InputError(f"{file} belongs to another program: name another file for the class")
            if not tables:
                self._data.executescript(f"begin; {_TABLES} pragma application_id = {_APPLICATION}; commit")
            self._data.executescript(f"begin; {_PROGRAMS} commit")
            self._data.execute("pragma foreign_keys = on")
        except sqlite3.Error as error:
            raise InputError(f"{file} cannot hold a class: {error}") from None
        self.exercises: tuple[Exercise, ...] = self._listed()
        self.tasks: tuple[Task, ...] = self._asked()

    def close(self) -> None:
        """Closes the file."""
        self._data.close()

    def add(self, exercises: Iterable[Exercise]) -> None:
        """Takes exercises that the class has not yet."""
        known = {one.id for one in self.exercises}
        for one in exercises:
            if one.id not in known:
                known.add(one.id)
                document = json.dumps(one.to_dict(), ensure_ascii=False)
                self._data.execute("insert into exercise (id, document) values (?, ?)", (one.id, document))
        self.exercises = self._listed()

    def _listed(self) -> tuple[Exercise, ...]:
        rows = self._data.execute("select document from exercise order by number")
        return tuple(Exercise.from_dict(json.loads(document)) for (document,) in rows)

    def ask(self, tasks: Iterable["Task"]) -> None:
        """Asks for programs that were not asked for yet."""
        for one in tasks:
            self._data.execute(
                "insert or ignore into task (document) values (?)", (json.dumps(one._asdict()),)
            )
        self.tasks = self._asked()

    def _asked(self) -> tuple["Task", ...]:
        rows = self._data.execute("select document from task order by number")
        return tuple(Task(**json.loads(document)) for (document,) in rows)

    # --- students -----------------------------------------------------------------------------------

    def join(self, name: str, browser: str) -> Student:
        """Takes a student in, or knows it again; refused where the name belongs to another browser."""
        now = time.time()
        row = self._data.execute("select id, browser from student where name = ?", (name,)).fetchone()
        if row is None:
            self._data.execute("update student set browser = '' where browser = ?", (browser,))
            self._data.execute(
                "insert into student (name, browser, seen) values (?, ?, ?)", (name, browser, now)
            )
        elif row[1] not in ("", browser):
            raise InputError(
                f"{name} has joined in another browser: choose another name, or ask your teacher to release it"
            )
        else:
            self._data.execute(
                "update student set browser = '' where browser = ? and id <> ?", (browser, row[0])
            )
            self._data.execute("update student set browser = ? where id = ?", (browser, row[0]))
        found = self.student(browser)
        assert found is not None
        return found

    def student(self, browser: str) -> Student | None:
        """Who has joined in a browser; that it was heard of is written down."""
        row = self._data.execute("select id, name from student where browser = ?", (browser,)).fetchone()
        if row is None:
            return None
        now = time.time()
        self._data.execute("update student set seen = ? where id = ?", (now, row[0]))
        return Student(row[0], row[1], now)

    def release(self, name: str) -> bool:
        """Lets another browser join with a name."""
        return self._data.execute("update student set browser = '' where name = ?", (name,)).rowcount > 0

    def students(self) -> list[Student]:
        """The class, by name."""
        return [
            Student(*row) for row in self._data.execute("select id, name, seen from student order by name")
        ]

    # --- what they hand in --------------------------------------------------------------------------

    def hand_in(self, student: int, number: int, answers: dict[str, Any], score: float) -> None:
        """Keeps answers with their score."""
        self._data.execute(
            "insert into attempt (student, exercise, at, answers, score) values (?, ?, ?, ?, ?)",
            (student, number, time.time(), json.dumps(answers), score),
        )

    def last(self, student: int, number: int) -> Attempt | None:
        """What a student has handed in for an exercise."""
        row = self._data.execute(
            "select answers, score, (select count(*) from attempt where student = a.student and exercise = a.exercise)"
            " from attempt as a where student = ? and exercise = ? order by id desc limit 1",
            (student, number),
        ).fetchone()
        return None if row is None else Attempt(json.loads(row[0]), row[1], row[2])

    def hand_in_program(self, student: int, number: int, source: str, grades: Mapping[str, Any]) -> None:
        """Keeps a program with what became of it."""
        self._data.execute(
            "insert into program (student, task, at, source, grades, score) values (?, ?, ?, ?, ?, ?)",
            (student, number, time.time(), source, json.dumps(grades), grades["score"]),
        )

    def last_program(self, student: int, number: int) -> Program | None:
        """The program that a student has handed in for a task."""
        row = self._data.execute(
            "select source, grades, score, (select count(*) from program where student = a.student and task = a.task)"
            " from program as a where student = ? and task = ? order by id desc limit 1",
            (student, number),
        ).fetchone()
        return None if row is None else Program(row[0], json.loads(row[1]), row[2], row[3])
