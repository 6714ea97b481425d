"""The protocol over HTTP: lines of a POST are requests, lines of the answer are answers."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from app.web.served import Served, ask, serving

pytestmark = pytest.mark.same_in_all_modes


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    with serving("--workers", "2") as served:
        yield served


def post(site: Served, content: bytes, **headers: str) -> httpx.Response:
    given = {**site.cookie, "Origin": site.origin, **headers}
    return httpx.post(site.origin + "/messages", content=content, headers=given, timeout=120)


def lines(*requests: dict[str, Any]) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in requests)


def test_every_line_is_answered_for_the_last_time_once(site: Served) -> None:
    said = post(
        site,
        lines(
            {"id": 1, "do": "position", "game": "nim"},
            {"id": 2, "do": "analyze", "game": "nim", "settings": {"counters": 9}, "limit": {"depth": 9}},
            {"id": 3, "do": "dance"},
        )
        + b"\n\n{\n",
    )
    assert said.status_code == 200 and said.headers["content-type"] == "application/x-ndjson"
    answers = [json.loads(line) for line in said.text.splitlines()]
    last = {one["id"]: one for one in answers if one["done"]}
    assert len([one for one in answers if one["done"]]) == 4 and last.keys() == {1, 2, 3, None}
    assert last[1]["position"]["mover"] == 0 and last[2]["analysis"]["action"] == "1"
    assert last[3]["error"]["kind"] == last[None]["error"]["kind"] == "message"


def test_half_a_surrogate_pair_is_an_id_like_any_other(site: Served) -> None:
    half = chr(0xD83D)
    said = post(site, lines({"id": half, "do": "position", "game": "nim"}))
    assert json.loads(said.text)["id"] == half
    with site.socket() as socket:
        socket.send(json.dumps({"id": half, "do": "dance"}))
        assert json.loads(socket.recv(timeout=60))["id"] == half
        assert ask(socket, "é", "position", game="nim")["position"]["mover"] == 0


def test_the_gate_stands_before_it_too(site: Served) -> None:
    asked = lines({"id": 1, "do": "hello"})
    assert post(site, asked, Origin="http://evil.example").status_code == 403
    assert httpx.post(site.origin + "/messages", content=asked, headers=site.cookie).status_code == 403
    without = httpx.post(site.origin + "/messages", content=asked, headers={"Origin": site.origin})
    assert without.status_code == 401
    assert httpx.get(site.origin + "/messages", headers=site.cookie).status_code in (404, 405)


def test_too_much_is_refused(site: Served) -> None:
    assert post(site, b"x" * 65_537).status_code == 413
    with site.socket() as socket:
        assert ask(socket, 1, "position", game="nim")["position"]["mover"] == 0


def test_who_hangs_up_leaves_no_work_behind(site: Served) -> None:
    # Neither this one nor the last one makes room for another: what is left behind keeps its place.
    endless = {"id": 1, "do": "analyze", "game": "othello", "method": "minimax", "limit": {"depth": 40}}
    asked = lines(endless, {"id": 2, "do": "position", "game": "nim"})
    headers = {**site.cookie, "Origin": site.origin}
    for _ in range(3):
        with httpx.stream(
            "POST", site.origin + "/messages", content=asked, headers=headers, timeout=60
        ) as answer:
            assert json.loads(next(answer.iter_lines()))["id"] == 2
    with site.socket() as socket:
        said = ask(socket, 1, "analyze", game="nim", limit={"nodes": 50})
        assert said["analysis"]["action"] is not None
