"""A class: students who join with a name and answer exercises, a teacher who sees how far they are.

The key stays here: an answer has marks and the first mistake, explained. Marks are made in the worker processes.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from gametree.app.serve.pool import Answer, Job, Pool
from gametree.app.web.register import Attempt, Program, Register, Student, Task
from gametree.app.web.visitors import Visitor
from gametree.course.folders import csv_text, read_exercises
from gametree.course.generation import make
from gametree.course.interactive import sheet
from gametree.course.programs.judging import POINTS
from gametree.course.questions import title
from gametree.course.recipe import Recipe
from gametree.documents.classroom import (
    CLASS_REQUESTS,
    ClassDocument,
    ClassHeading,
    JoinedDocument,
    ResultDocument,
)
from gametree.documents.lecturing import SheetDocument
from gametree.documents.teaching import Kind
from gametree.errors import InputError

LONGEST_NAME: Final = 60
POSITIONS: Final = 5
"""On so many positions a program is tried."""

Tell = Callable[[Answer], None]


class Classroom:
    """The class in a file; exercises from other files or folders, and programs to be written, are added to it."""

    def __init__(self, file: Path, exercises: tuple[Path, ...] = (), tasks: tuple[Task, ...] = ()):
        self.register: Register = Register(file)
        self.register.ask(tasks)
        for path in exercises:
            self.register.add(read_exercises(path).values())
        if not self.register.exercises:
            self.register.add(make(Recipe(kind=kind), seed) for seed, kind in enumerate(get_args(Kind)))
        self.sheets: dict[int, SheetDocument] = {}
        """The exercises as pages show them, once they were asked for."""
        self.making: set[asyncio.Task[None]] = set()
        self.running: set[int] = set()
        """The students whose programs are being marked: one at a time, so that nobody keeps the others waiting."""

    def close(self) -> None:
        """Closes the file."""
        self.register.close()

    def desk(self, pool: Pool, visitor: Visitor) -> "Desk":
        """Where a visitor asks."""
        return Desk(self, pool, visitor)

    def table(self) -> str:
        """The class as CSV: a line a student, a column an exercise."""
        headings = self._headings()
        rows: list[list[Any]] = []
        for student in self.register.students():
            found = self._results(student)
            scores = [one["score"] for one in found if one is not None]
            rows.append(
                [student.name, *("" if one is None else one["score"] for one in found), float(sum(scores))]
            )
        head = ["name", *(f"{number}. {one['title']}" for number, one in enumerate(headings, 1))]
        return csv_text([*head, f"of {sum(one['points'] for one in headings)}"], rows)

    def _headings(self) -> list[ClassHeading]:
        """The columns of the class: exercises, then programs."""
        columns = [(title(one), one.points) for one in self.register.exercises]
        columns += [(_asked(one), POINTS * POSITIONS) for one in self.register.tasks]
        return [
            {"number": number, "title": name, "points": points}
            for number, (name, points) in enumerate(columns, 1)
        ]

    def _results(self, student: Student) -> list[ResultDocument | None]:
        """What a student has reached in each column."""
        register = self.register
        last: list[Attempt | Program | None] = [
            register.last(student.id, number) for number in range(1, len(register.exercises) + 1)
        ]
        last += [register.last_program(student.id, number) for number in range(1, len(register.tasks) + 1)]
        return [
            None if one is None else {"score": one.score, "points": column["points"], "tries": one.tries}
            for one, column in zip(last, self._headings())
        ]

    def joined(self, student: Student) -> JoinedDocument:
        """A student and its exercises."""
        found: JoinedDocument = {"student": student.id, "name": student.name, "exercises": [], "programs": []}
        for number, one in enumerate(self.register.exercises, 1):
            last = self.register.last(student.id, number)
            found["exercises"].append(
                {
                    "number": number,
                    "title": title(one),
                    "id": one.id,
                    "points": one.points,
                    "state": "open" if last is None else "checked",
                    "score": None if last is None else last.score,
                }
            )
        for number, task in enumerate(self.register.tasks, 1):
            kept = self.register.last_program(student.id, number)
            found["programs"].append(
                {
                    "number": number,
                    "title": _asked(task),
                    "function": "minimax" if task.function == "minimax" else "alphabeta",
                    "points": POINTS * POSITIONS,
                    "state": "open" if kept is None else "checked",
                    "score": None if kept is None else kept.score,
                }
            )
        return found

    def viewed(self) -> ClassDocument:
        """The class as its teacher sees it."""
        found: ClassDocument = {"exercises": self._headings(), "students": []}
        now = time.time()
        for student in self.register.students():
            found["students"].append(
                {
                    "name": student.name,
                    "results": self._results(student),
                    "seen": max(0.0, now - student.seen),
                }
            )
        return found


class Desk:
    """Answers one visitor of a class."""

    requests: Mapping[str, Any] = CLASS_REQUESTS

    def __init__(self, room: Classroom, pool: Pool, visitor: Visitor):
        self._room = room
        self._register = room.register
        self._pool = pool
        self._visitor = visitor
        self._running = room.running

    def refusal(self, request: Mapping[str, Any]) -> str:
        """Why a request of the protocol is not for this visitor; empty where it is."""
        if request["do"] == "solution" and self._visitor.role != "owner":
            return "in a class the key stays with the teacher"
        return ""

    def answer(self, request: Mapping[str, Any], tell: Tell) -> Job | None:
        """Answers a request, at once or by and by; the job where a worker has it."""
        try:
            match request["do"]:
                case "join":
                    tell({"done": True, "joined": self._room.joined(self._joined(request["name"]))})
                case "class-exercise":
                    self._show(request["number"], tell)
                case "class-check":
                    return self._check(request["number"], request["answers"], tell)
                case "class-program":
                    return self._program(request["number"], request.get("source"), tell)
                case "class-view":
                    self._require_teacher()
                    tell({"done": True, "class": self._room.viewed()})
                case "class-release":
                    self._require_teacher()
                    tell({"done": True, "released": self._register.release(_name(request["name"]))})
        except InputError as error:
            tell(_refused("input", str(error)))
        except sqlite3.Error as error:
            tell(_refused("fault", f"the file of the class could not be used ({error}): try again"))
        return None

    def _joined(self, name: str) -> Student:
        if not name.strip():
            return self._student()
        return self._register.join(_name(name), self._visitor.key)

    def _student(self) -> Student:
        found = self._register.student(self._visitor.key)
        if found is None:
            raise InputError("join the class with a name first")
        return found

    def _require_teacher(self) -> None:
        if self._visitor.role != "owner":
            raise InputError(
                "only the teacher sees the class: who has opened the address that gametree serve printed"
            )

    def _require(self, number: int) -> None:
        count = len(self._register.exercises)
        if number > count:
            raise InputError(f"there is no exercise {number}: the class has {count}")

    def _show(self, number: int, tell: Tell) -> None:
        student = self._student()
        self._require(number)

        async def told() -> None:
            sheets = self._room.sheets
            try:
                if number not in sheets:
                    sheets[number] = await asyncio.to_thread(sheet, self._register.exercises[number - 1])
                last = self._register.last(student.id, number)
            except Exception as error:  # nobody awaits this task: whoever asked would wait for ever
                tell(_refused("fault", f"exercise {number} could not be shown ({error}): try again"))
                return
            tell({"done": True, "exercise": sheets[number], "answers": {} if last is None else last.answers})

        making = asyncio.get_running_loop().create_task(told())
        self._room.making.add(making)
        making.add_done_callback(self._room.making.discard)

    def _check(self, number: int, answers: dict[str, Any], tell: Tell) -> Job:
        student = self._student()
        self._require(number)
        exercise = self._register.exercises[number - 1]

        def kept(answer: Answer) -> None:
            if answer.get("check") is not None:
                try:
                    self._register.hand_in(student.id, number, answers, answer["check"]["score"])
                except sqlite3.Error as error:
                    why = f"the answers could not be kept ({error}): hand them in again"
                    answer = _refused("fault", why)
            tell(answer)

        return self._pool.submit({"do": "check", "exercise": exercise.to_dict(), "answers": answers}, kept)

    def _program(self, number: int, source: str | None, tell: Tell) -> Job | None:
        """Has a program run where the grader runs it, in a process of its own with limits."""
        student = self._student()
        if number > len(self._register.tasks):
            raise InputError(
                f"there is no program {number}: the class is asked for {len(self._register.tasks)}"
            )
        if source is None:
            kept = self._register.last_program(student.id, number)
            tell({"done": True, "program": kept and kept.grades, "source": kept.source if kept else ""})
            return None
        if student.id in self._running:
            raise InputError("your last program is still being marked: wait for it")
        self._running.add(student.id)

        def marked(answer: Answer) -> None:
            self._running.discard(student.id)
            if answer.get("program") is not None:
                try:
                    self._register.hand_in_program(student.id, number, source, answer["program"])
                except sqlite3.Error as error:
                    answer = _refused("fault", f"the program could not be kept ({error}): hand it in again")
            tell(answer if "error" in answer else {**answer, "source": source})

        task = self._register.tasks[number - 1]
        asked = {"do": "program", "game": task.game, "function": task.function, "source": source}
        return self._pool.submit(asked, marked)


def _asked(task: Task) -> str:
    """What a program is asked to do, in words."""
    return f"{task.function} on {'trees' if task.game == 'trees' else task.game}"


def _refused(kind: str, message: str) -> Answer:
    return {"done": True, "error": {"kind": kind, "message": message}}


def _name(text: str) -> str:
    """A name as it is shown: without what cannot be seen."""
    name = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"a name has 1 to {LONGEST_NAME} characters")
    return name
