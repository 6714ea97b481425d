"""Many who ask at once, nonsense, workers that are killed, and a server that is killed and started again."""

import asyncio
import json
import os
import random
import signal
import string
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.web.served import Served, alive, ask, last, serving
from serve import Load, Server, load

pytestmark = pytest.mark.same_in_all_modes


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    with serving() as served:
        yield served


def loaded(site: Served, **how: Any) -> Load:
    server = Server(site.process, site.origin, site.cookie["Cookie"], 0.0)
    return asyncio.run(load(server, **how))


def test_no_answer_is_lost_or_given_twice_though_workers_are_killed(site: Served) -> None:
    kills = 1 if sys.platform == "linux" else 0  # elsewhere nobody tells which processes they are
    found = loaded(site, clients=8, analyses=48, cancelled=24, kills=kills, games=("tic-tac-toe", "nim"))
    assert found.sound, found
    assert found.killed == kills


@pytest.mark.slow
def test_a_thousand_analyses_of_fifty_clients_half_of_them_cancelled(site: Served) -> None:
    found = loaded(site, clients=50, analyses=1_000, cancelled=500, kills=3)
    assert found.sound, found
    assert found.megabytes < 500


# --- nonsense ---------------------------------------------------------------------------------------

GOOD: list[dict[str, Any]] = [
    {"id": 1, "do": "position", "game": "nim", "moves": ["1"]},
    {"id": 1, "do": "analyze", "game": "nim", "limit": {"depth": 3}, "lines": 2, "values": True},
    {"id": 1, "do": "move", "game": "nim", "level": 3},
    {"id": 1, "do": "trace", "tree": "[[3,12],[2,4]]"},
    {"id": 1, "do": "cancel", "of": 2},
]
VALUES: list[Any] = [
    None,
    True,
    -1,
    1e300,
    "",
    "x" * 200,
    [],
    [[[]]],
    {},
    {"a": {}},
    "\u0000",
    "<script>",
    "../../etc/passwd",
]


def nonsense(draws: random.Random) -> str | bytes:
    """A line that is no request, or one that nobody can fulfil."""
    request = dict(draws.choice(GOOD))
    text = json.dumps(request)
    match draws.randrange(8):
        case 0:
            return text[: draws.randrange(1, len(text))]
        case 1:
            return text + draws.choice(string.punctuation.replace(" ", ""))
        case 2:
            return "".join(chr(draws.randrange(32, 0x2FFF)) for _ in range(draws.randrange(1, 80)))
        case 3:
            return json.dumps(
                {**request, "".join(draws.choices(string.ascii_letters, k=12)): draws.choice(VALUES)}
            )
        case 4:
            return json.dumps({**request, "do": draws.choice(["", "Position", 3, None, "eval", "__class__"])})
        case 5:
            del request[draws.choice(["id", "do"])]
            return json.dumps(request)
        case 6:
            return json.dumps({**request, "do": "position", "game": draws.choice(VALUES)})
        case _:
            return bytes(draws.randrange(128, 256) for _ in range(draws.randrange(1, 60)))


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_nonsense_gets_an_error_each_and_the_next_request_is_served(site: Served, count: int) -> None:
    draws = random.Random(count)
    with site.socket() as socket:
        for number in range(count):
            line = nonsense(draws)
            socket.send(line)
            answer = json.loads(socket.recv(timeout=60))
            assert answer["done"] and answer["error"]["kind"] in ("message", "input"), (line, answer)
            assert answer["error"]["message"] and "Traceback" not in answer["error"]["message"]
            if number % 100 == 0:
                assert ask(socket, "good", "position", game="nim")["position"]["mover"] == 0
    with site.socket() as socket:
        assert ask(socket, 1, "position", game="nim")["position"]["mover"] == 0


# --- processes that end -----------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")
def test_all_workers_are_killed_and_everything_is_answered(site: Served) -> None:
    with site.socket() as socket:
        for id in range(4):
            socket.send(json.dumps({"id": id, "do": "analyze", "game": "othello", "limit": {}}))
        json.loads(socket.recv(timeout=60))  # they are at it
        before = site.workers()
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        while set(site.workers()) & set(before):
            time.sleep(0.05)
        heard = set[int]()
        while len(heard) < 4:
            answer = json.loads(socket.recv(timeout=60))
            assert not answer["done"], answer
            heard.add(answer["id"])
        for id in heard:
            socket.send(json.dumps({"id": f"stop {id}", "do": "cancel", "of": id}))
            assert last(socket, id)["analysis"]["action"] is not None


def test_who_goes_away_leaves_no_work_behind(site: Served) -> None:
    # Neither these nor the last one make room for another: what is left behind keeps its place.
    with site.socket() as socket:
        for id in range(20):
            endless = {
                "id": id,
                "do": "analyze",
                "game": "othello",
                "method": "minimax",
                "limit": {"depth": 40},
            }
            socket.send(json.dumps(endless))
        ask(socket, "there", "position", game="nim")
    with site.socket() as socket:
        said = ask(socket, 1, "analyze", game="nim", limit={"nodes": 50})
        assert said["analysis"]["action"] is not None


@pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc")
def test_a_server_that_is_killed_leaves_no_process_and_goes_on_when_it_is_started_again(
    tmp_path: Path,
) -> None:
    with serving() as site:
        cookie = site.cookie
        with site.socket() as socket:
            socket.send(json.dumps({"id": 1, "do": "analyze", "game": "othello", "limit": {}}))
            ask(socket, 2, "position", game="nim")
            workers = site.workers()
            assert workers
            site.kill()
        until = time.monotonic() + 30
        while any(map(alive, workers)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not any(map(alive, workers))
        # The page has its cookie still, and asks again.
        with serving(port=site.port) as again, again.socket(additional_headers=cookie) as socket:
            assert again.port == site.port
            socket.send(
                json.dumps({"id": 1, "do": "analyze", "game": "tic-tac-toe", "limit": {"seconds": 0.1}})
            )
            assert last(socket, 1)["analysis"]["action"] is not None


def test_the_end_of_the_server_is_orderly() -> None:
    with serving() as site:
        with site.socket() as socket:
            socket.send(json.dumps({"id": 1, "do": "analyze", "game": "othello", "limit": {}}))
            ask(socket, 2, "position", game="nim")
            workers = site.workers() if sys.platform == "linux" else []
            assert site.close() == 0
        assert "Traceback" not in "".join(site.said)
        assert not any(map(alive, workers))
