"""A class: names, exercises that are marked, a table for the teacher, and a file that survives the server."""

import asyncio
import csv
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from websockets.sync.client import ClientConnection

import schemas
from app.conftest import Run
from app.web.served import Served, ask, serving
from gametree.app.web.classroom import Classroom
from gametree.app.web.register import Register
from gametree.app.web.visitors import Visitor
from gametree.course.exercise import Exercise
from gametree.course.generation import make
from gametree.course.key import key_file
from gametree.course.recipe import Recipe
from gametree.errors import InputError

pytestmark = pytest.mark.same_in_all_modes

PASSWORD = "chalk"


def enter(site: Served) -> dict[str, str]:
    """The cookie of one more browser of a student."""
    said = httpx.post(site.origin + "/door", data={"password": PASSWORD}, headers={"Origin": site.origin})
    return {"Cookie": said.headers["set-cookie"].partition(";")[0]}


@pytest.fixture(scope="module")
def homework(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("homework")
    for seed, kind in enumerate(("minimax", "alphabeta")):
        exercise = make(Recipe(kind=kind, depth=2), seed)
        (folder / f"{seed}.json").write_text(json.dumps(exercise.to_dict()))
    return folder


@pytest.fixture(scope="module")
def site(homework: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("class") / "class.sqlite"
    with serving("--password", PASSWORD, "--classroom", str(file), "--exercises", str(homework)) as served:
        yield served


def test_a_student_joins_answers_and_is_marked_and_the_teacher_sees_it(site: Served) -> None:
    answers: list[dict[str, Any]] = []

    def said(socket: ClientConnection, do: str, **given: Any) -> dict[str, Any]:
        answers.append(ask(socket, len(answers), do, **given))
        return answers[-1]

    with site.socket(additional_headers=enter(site)) as ada, site.socket() as teacher:
        first = said(ada, "join", name="")
        assert "join the class with a name first" in first["error"]["message"]
        joined = said(ada, "join", name="  Ada\tLovelace ")["joined"]
        assert joined["name"] == "Ada Lovelace"
        assert [one["state"] for one in joined["exercises"]] == ["open", "open"]
        shown = said(ada, "class-exercise", number=1)
        assert shown["answers"] == {} and shown["exercise"]["nodes"]
        exercise = Exercise.from_dict(shown["exercise"]["document"])
        right = key_file(exercise)["answers"]
        wrong = {"values": {"A": 999}}
        mark = said(ada, "class-check", number=1, answers=wrong)["check"]
        assert mark["score"] < mark["points"] and mark["mistake"]["where"] == "A"
        full = said(ada, "class-check", number=1, answers=right)["check"]
        assert full["score"] == full["points"] and full["mistake"] is None
        assert said(ada, "class-exercise", number=1)["answers"] == right
        again = said(ada, "join", name="")["joined"]["exercises"][0]
        assert (again["state"], again["score"]) == ("checked", full["score"])
        view = said(teacher, "class-view")["class"]
        assert view["students"][0]["name"] == "Ada Lovelace"
        assert view["students"][0]["results"] == [
            {"score": full["score"], "points": full["points"], "tries": 2},
            None,
        ]
        assert "no exercise 3" in said(ada, "class-exercise", number=3)["error"]["message"]
        assert not said(teacher, "class-release", name="nobody")["released"]
    made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
    validator = jsonschema.Draft202012Validator(made["gametree.class-answer/1"])
    for answer in answers:
        validator.validate(answer)


def test_the_key_never_leaves_for_a_student(site: Served) -> None:
    with site.socket(additional_headers=enter(site)) as bob, site.socket() as teacher:
        ask(bob, 1, "join", name="Bob")
        document = ask(bob, 2, "class-exercise", number=1)["exercise"]["document"]
        refused = ask(bob, 3, "solution", exercise=document)
        assert "the key stays with the teacher" in refused["error"]["message"]
        assert ask(teacher, 4, "solution", exercise=document)["solution"]["answers"]
        right = key_file(Exercise.from_dict(document))["answers"]["values"]
        mark = ask(bob, 5, "class-check", number=1, answers={"values": {}})
        assert set(mark["check"]) == {"exercise", "score", "points", "parts", "mistake"}
        assert json.dumps(right) not in json.dumps(mark)


def test_only_the_teacher_sees_the_class(site: Served) -> None:
    student = enter(site)
    with site.socket(additional_headers=student) as bob:
        for do, given in (("class-view", {}), ("class-release", {"name": "Bob"})):
            assert "only the teacher" in ask(bob, 1, do, **given)["error"]["message"]
    assert site.get("/classroom.csv", headers=student).status_code == 403
    lines = httpx.post(site.origin + "/messages", headers={**student, "Origin": site.origin})
    assert lines.status_code == 403 and "the teacher's programs" in lines.text
    assert site.get("/classroom.csv").status_code == 401


def test_a_name_belongs_to_a_browser_until_the_teacher_releases_it(site: Served) -> None:
    with (
        site.socket(additional_headers=enter(site)) as one,
        site.socket(additional_headers=enter(site)) as other,
        site.socket() as teacher,
    ):
        assert ask(one, 1, "join", name="Grace")["joined"]["name"] == "Grace"
        assert "another browser" in ask(other, 1, "join", name="grace")["error"]["message"]
        assert ask(teacher, 1, "class-release", name="Grace")["released"]
        assert ask(other, 2, "join", name="Grace")["joined"]["name"] == "Grace"
        assert "first" in ask(one, 3, "class-exercise", number=1)["error"]["message"]


def test_names_are_text_and_a_spreadsheet_takes_them_for_nothing_else(site: Served) -> None:
    with site.socket(additional_headers=enter(site)) as one:
        assert ask(one, 1, "join", name="=1+1")["joined"]["name"] == "=1+1"
        for bad in ("\u202e", "x" * 61, "\x00\x01"):
            assert "1 to 60 characters" in ask(one, 2, "join", name=bad)["error"]["message"]
    table = site.get("/classroom.csv", headers=site.cookie)
    assert (
        table.headers["content-type"].startswith("text/csv")
        and "attachment" in table.headers["content-disposition"]
    )
    rows = list(csv.reader(io.StringIO(table.text)))
    assert rows[0][0] == "name" and "'=1+1" in [row[0] for row in rows]


def test_a_class_survives_a_power_cut(homework: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "class.sqlite")
    options = ("--password", PASSWORD, "--classroom", file)
    with serving(*options, "--exercises", str(homework)) as site:
        student = enter(site)
        with site.socket(additional_headers=student) as ada:
            ask(ada, 1, "join", name="Ada")
            mark = ask(ada, 2, "class-check", number=1, answers={"values": {"A": 3}})["check"]
            site.kill()
    with serving(*options, port=site.port) as again, again.socket(additional_headers=student) as ada:
        joined = ask(ada, 1, "join", name="")["joined"]
        assert joined["name"] == "Ada" and joined["exercises"][0]["score"] == mark["score"]
        assert ask(ada, 2, "class-exercise", number=1)["answers"] == {"values": {"A": 3}}


class Marks:
    """A pool that marks at once."""

    def submit(self, request: dict[str, Any], tell: Callable[[dict[str, Any]], None]) -> None:
        tell({"done": True, "check": {"score": 1.0}})


@pytest.mark.parametrize(
    ("broken", "request_", "words"),
    [
        ("hand_in", {"do": "class-check", "number": 1, "answers": {}}, "hand them in again"),
        ("student", {"do": "class-check", "number": 1, "answers": {}}, "try again"),
        ("join", {"do": "join", "name": "Bob"}, "try again"),
        ("last", {"do": "class-exercise", "number": 1}, "exercise 1 could not be shown"),
    ],
)
def test_a_file_that_cannot_be_written_is_told_to_whoever_hands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, request_: dict[str, Any], words: str
) -> None:
    room = Classroom(tmp_path / "class.sqlite")
    room.register.join("Ada", "browser")
    said: list[dict[str, Any]] = []

    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async def ask_once() -> None:
        room.desk(Marks(), Visitor("guest", "browser")).answer(request_, said.append)  # type: ignore[arg-type]
        await asyncio.gather(*room.making, return_exceptions=True)

    monkeypatch.setattr(room.register, broken, full)
    asyncio.run(ask_once())
    room.close()
    assert len(said) == 1 and said[0]["done"] and said[0]["error"]["kind"] == "fault"
    assert "disk is full" in said[0]["error"]["message"] and words in said[0]["error"]["message"]


def test_a_class_without_exercises_of_its_own_gets_one_of_every_kind(tmp_path: Path) -> None:
    room = Classroom(tmp_path / "class.sqlite")
    kinds = [one.kind for one in room.register.exercises]
    assert len(kinds) == len(set(kinds)) >= 4
    room.close()
    again = Register(tmp_path / "class.sqlite")
    assert [one.id for one in again.exercises] == [one.id for one in room.register.exercises]
    again.add(again.exercises)
    half = {"values": {"A": chr(0xD83D)}}
    again.hand_in(again.join("Ada", "browser").id, 1, half, 0.0)
    last = again.last(1, 1)
    assert last is not None and last.answers == half, "half a surrogate pair is no UTF-8"
    assert len(again.exercises) == len(kinds)
    again.close()


def test_a_file_of_another_program_is_left_alone(tmp_path: Path, run: Run) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as data:
        data.execute("create table mine (x)")
    data.close()
    with pytest.raises(InputError, match="belongs to another program"):
        Register(other)
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all, but long enough to be looked at " * 40)
    with pytest.raises(InputError, match="cannot hold a class"):
        Register(text)
    assert "belongs to another program" in run("serve", "--no-open", "--classroom", str(other)).refusal
    assert "cannot hold a class" in run("serve", "--no-open", "--classroom", str(tmp_path)).refusal
    assert "--classroom" in run("serve", "--no-open", "--exercises", str(tmp_path)).refusal


def test_without_a_class_nobody_joins_one() -> None:
    with serving() as site:
        assert site.get("/classroom.csv", headers=site.cookie).status_code == 404
        with site.socket() as socket:
            assert "do is 'join'" in ask(socket, 1, "join", name="Ada")["error"]["message"]
