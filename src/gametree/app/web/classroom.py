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
from gametree.app.web.register import Register, Student
from gametree.app.web.visitors import Visitor
from gametree.course.folders import csv_text, read_exercises
from gametree.course.generation import make
from gametree.course.interactive import sheet
from gametree.course.questions import title
from gametree.course.recipe import Recipe
from gametree.documents.classroom import CLASS_REQUESTS, ClassDocument, JoinedDocument, ResultDocument
from gametree.documents.lecturing import SheetDocument
from gametree.documents.teaching import Kind
from gametree.errors import InputError

LONGEST_NAME: Final = 60

Tell = Callable[[Answer], None]


class Classroom:
    """The class in a file; exercises from other files or folders are added to it."""

    def __init__(self, file: Path, exercises: tuple[Path, ...] = ()):
        self.register: Register = Register(file)
        for path in exercises:
            self.register.add(read_exercises(path).values())
        if not self.register.exercises:
            self.register.add(make(Recipe(kind=kind), seed) for seed, kind in enumerate(get_args(Kind)))
        self.sheets: dict[int, SheetDocument] = {}
        """The exercises as pages show them, once they were asked for."""
        self.making: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Closes the file."""
        self.register.close()

    def desk(self, pool: Pool, visitor: Visitor) -> "Desk":
        """Where a visitor asks."""
        return Desk(self, pool, visitor)

    def table(self) -> str:
        """The class as CSV: a line a student, a column an exercise."""
        register = self.register
        numbers = range(1, len(register.exercises) + 1)
        head = ["name", *(f"{number}. {title(one)}" for number, one in zip(numbers, register.exercises))]
        rows: list[list[Any]] = []
        for student in register.students():
            found = [register.last(student.id, number) for number in numbers]
            scores = [one.score for one in found if one is not None]
            rows.append(
                [student.name, *("" if one is None else one.score for one in found), float(sum(scores))]
            )
        return csv_text([*head, f"of {sum(one.points for one in register.exercises)}"], rows)

    def joined(self, student: Student) -> JoinedDocument:
        """A student and its exercises."""
        found: JoinedDocument = {"student": student.id, "name": student.name, "exercises": []}
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
        return found

    def viewed(self) -> ClassDocument:
        """The class as its teacher sees it."""
        exercises = self.register.exercises
        found: ClassDocument = {"exercises": [], "students": []}
        for number, one in enumerate(exercises, 1):
            found["exercises"].append({"number": number, "title": title(one), "points": one.points})
        now = time.time()
        for student in self.register.students():
            results: list[ResultDocument | None] = []
            for number, one in enumerate(exercises, 1):
                last = self.register.last(student.id, number)
                results.append(
                    None if last is None else {"score": last.score, "points": one.points, "tries": last.tries}
                )
            found["students"].append(
                {"name": student.name, "results": results, "seen": max(0.0, now - student.seen)}
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


def _refused(kind: str, message: str) -> Answer:
    return {"done": True, "error": {"kind": kind, "message": message}}


def _name(text: str) -> str:
    """A name as it is shown: without what cannot be seen."""
    name = " ".join("".join(one if one.isprintable() else " " for one in text).split())
    if not name or len(name) > LONGEST_NAME:
        raise InputError(f"a name has 1 to {LONGEST_NAME} characters")
    return name
