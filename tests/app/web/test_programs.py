"""Programs that a class writes: run where the grader runs them, marked, and kept."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from websockets.sync.client import ClientConnection

import schemas
from app.web.served import Served, ask, serving
from app.web.test_classroom import PASSWORD, enter
from gametree.app.web.classroom import Classroom
from gametree.app.web.register import Task

pytestmark = pytest.mark.same_in_all_modes


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file = tmp_path_factory.mktemp("class") / "class.sqlite"
    with serving("--password", PASSWORD, "--classroom", str(file), "--program", "minimax:trees") as served:
        yield served


MINIMAX = """
def minimax(game, state):
    if game.is_terminal(state):
        return game.utility(state, 0), None
    best = max if game.player(state) == 0 else min
    found = [(minimax(game, game.result(state, one))[0], one) for one in game.actions(state)]
    return best(found, key=lambda pair: pair[0])
"""


def test_a_program_is_run_where_the_grader_runs_it_and_marked(site: Served) -> None:
    ids = iter(range(1_000))

    def handed(socket: ClientConnection, source: str | None = None, number: int = 1) -> dict[str, Any]:
        given = {} if source is None else {"source": source}
        return ask(socket, next(ids), "class-program", number=number, **given)

    with site.socket(additional_headers=enter(site)) as bob, site.socket() as teacher:
        (task,) = ask(bob, next(ids), "join", name="Bob")["joined"]["programs"]
        assert (task["title"], task["function"], task["points"]) == ("minimax on trees", "minimax", 15)
        assert handed(bob)["program"] is None
        wrong = handed(bob, "def minimax(game, state):\n    return 0, None\n")["program"]
        assert wrong["score"] < 15 and wrong["positions"][0]["value"]["text"].startswith("wrong")
        right = handed(bob, MINIMAX)["program"]
        assert right["score"] == 15 and right["schema"] == "gametree.code-grades/1"
        # What it does stays in its own process: no file, no process, no endless loop.
        for source, why in {
            "def minimax(game, state):\n    open('/etc/passwd')\n": "open",
            "def minimax(game, state):\n    import subprocess; subprocess.run(['ls'])\n": "",
            "import os; os._exit(0)": "",
            "def minimax(": "syntax",
        }.items():
            found = handed(bob, source)["program"]
            assert found["score"] == 0 and why in found["positions"][0]["problem"] + str(found).casefold()
        kept = handed(bob)
        made = {json.loads(text)["$id"]: json.loads(text) for _, text in schemas.schemas()}
        jsonschema.Draft202012Validator(made["gametree.class-answer/1"]).validate(kept)
        assert kept["source"] == "def minimax(" and kept["program"]["score"] == 0
        assert "there is no program 2" in handed(bob, MINIMAX, 2)["error"]["message"]
        view = ask(teacher, next(ids), "class-view")["class"]
        assert view["exercises"][-1]["title"] == "minimax on trees"
        student = next(one for one in view["students"] if one["name"] == "Bob")
        assert student["results"][-1] == {"score": 0, "points": 15, "tries": 6}
        # Nobody else than a class can have a program run.
        said = ask(bob, next(ids), "program", game="trees", function="minimax", source=MINIMAX)
        assert said["error"]["kind"] == "message"


def test_one_program_of_a_student_is_marked_at_a_time(site: Served) -> None:
    slow = "def minimax(game, state):\n    import time; time.sleep(0.5); return 0, None\n"
    with site.socket(additional_headers=enter(site)) as eve:
        ask(eve, 0, "join", name="Eve")
        for id in (1, 2):
            eve.send(json.dumps({"id": id, "do": "class-program", "number": 1, "source": slow}))
        said: dict[int, Any] = {}
        while len(said) < 2:
            answer = json.loads(eve.recv(timeout=60))
            said[answer["id"]] = answer
        assert "still being marked" in said[2]["error"]["message"] and said[1]["program"]["score"] < 15


def test_programs_are_kept_in_the_file_of_a_class_that_was_begun_without(tmp_path: Path) -> None:
    file = tmp_path / "class.sqlite"
    Classroom(file).close()
    room = Classroom(file, tasks=(Task("alphabeta", "tic-tac-toe"),))
    student = room.register.join("Ann", "browser")
    room.register.hand_in_program(student.id, 1, "source", {"score": 3.0})
    room.close()
    again = Classroom(file, tasks=(Task("alphabeta", "tic-tac-toe"), Task("minimax", "trees")))
    assert [one.game for one in again.register.tasks] == ["tic-tac-toe", "trees"]
    kept = again.register.last_program(student.id, 1)
    assert kept is not None and (kept.source, kept.score, kept.tries) == ("source", 3.0, 1)
    table = list(csv.reader(io.StringIO(again.table())))
    assert [one.partition(". ")[2] for one in table[0][-3:-1]] == [
        "alphabeta on tic-tac-toe",
        "minimax on trees",
    ]
    assert table[1][-3:] == ["3", "", "3"]
    again.close()
