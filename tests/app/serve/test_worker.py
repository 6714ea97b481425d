"""A worker in this process: a request that is cancelled before it is begun."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from gametree import games
from gametree.app.serve.library import Library
from gametree.app.serve.worker import Worker, run

pytestmark = pytest.mark.same_in_all_modes


def test_what_is_cancelled_before_it_is_begun_is_not_begun() -> None:
    said: list[dict[str, Any]] = []
    worker = Worker(Library(()), said.append)
    request = {"id": 7, "do": "analyze", "game": "othello", "limit": {"seconds": 60}}
    worker.expect(7)
    worker.cancel(7)
    worker.answer(request)
    assert said == [{"id": 7, "done": True, "analysis": None}]
    # One that was answered is cancelled too late, and what comes next is none of it.
    worker.cancel(7)
    worker.expect(8)
    worker.answer({"id": 8, "do": "position", "game": "nim"})
    assert said[-1]["position"]["mover"] == 0


def test_a_request_and_its_cancel_in_one_breath() -> None:
    said: list[dict[str, Any]] = []
    answered = threading.Event()

    def send(answer: dict[str, Any]) -> None:
        said.append(answer)
        if answer["done"]:
            answered.set()

    def lines() -> Iterator[bytes]:
        for one in (
            {"id": 7, "do": "analyze", "game": "othello", "limit": {"seconds": 60}},
            {"id": 0, "do": "cancel", "of": 7},
        ):
            yield json.dumps(one).encode()
        threading.Event().wait()

    worker = Worker(Library(()), send)
    threading.Thread(target=run, args=(worker, lines()), daemon=True).start()
    assert answered.wait(20)
    assert said[-1]["analysis"] is None or said[-1]["analysis"]["stopped_by"] == "cancelled"


def test_plug_ins_are_looked_for_once_and_not_with_every_message(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    plug_ins = games._plug_ins

    def ask() -> Any:
        asked.append("again")
        return plug_ins()

    monkeypatch.setattr(games, "_plug_ins", ask)
    said: list[dict[str, Any]] = []
    worker = Worker(Library(()), said.append)
    for id in range(3):
        worker.answer({"id": id, "do": "position", "game": "nim"})
        worker.answer({"id": -id, "do": "hello"})
    assert not any("error" in one for one in said)
    assert asked == ["again"]
