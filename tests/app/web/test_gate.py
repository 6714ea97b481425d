"""Who may come in: not other pages, other names of this machine, huge frames, or paths that lead elsewhere."""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from app.conftest import Run
from app.web.served import Served, ask, serving
from gametree.app.web.gate import Names
from gametree.app.web.server import _listening
from gametree.app.web.site import DOUBT
from gametree.app.web.visitors import Visitors

pytestmark = pytest.mark.same_in_all_modes


@pytest.fixture(scope="module")
def site() -> Iterator[Served]:
    with serving() as served:
        yield served


def raw(site: Served, *lines: str, most: int = 4096) -> str:
    """What the server answers to a request that is written by hand."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return connection.recv(most).decode()


def test_the_token_is_good_once_and_the_cookie_from_then_on(site: Served) -> None:
    assert site.get("/", headers=site.cookie).status_code == 200
    used = site.get("/?" + site.query)
    assert used.status_code == 401 and "used already" in used.text and "set-cookie" not in used.headers
    other = site.next_address()
    assert other != site.address and site.get("/" + other.rpartition("/")[2]).status_code == 303


def test_the_cookie_is_for_this_page_alone() -> None:
    with serving() as served:
        said = served.get("/?" + served.query)
        for word in ("HttpOnly", "SameSite=strict", "Path=/"):
            assert word in said.headers["set-cookie"]
        assert said.headers["location"] == "/" and "token" not in said.headers["location"]


@pytest.mark.parametrize("path", ["/", "/ws", "/index.html", "/door", "/nothing"])
def test_without_a_token_nothing_is_shown(site: Served, path: str) -> None:
    assert site.get(path).status_code in (401, 404)
    assert site.get(path + "?token=guess").status_code in (401, 404)
    assert site.get(path, headers={"Cookie": f"gametree-{site.port}=owner.9999999999.00"}).status_code in (
        401,
        404,
    )


def test_every_answer_forbids_foreign_scripts_frames_and_referrers(site: Served) -> None:
    for answer in (
        site.get("/", headers=site.cookie),
        site.get("/"),
        site.get("/", headers={"Host": "evil"}),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        "",
        "localhost:{port}.",
        "127.0.0.1:{port}@evil",
    ],
)
def test_another_host_is_refused(site: Served, host: str) -> None:
    named = host.format(port=site.port)
    said = raw(site, "GET / HTTP/1.1", f"Host: {named}", f"Cookie: {site.cookie['Cookie']}")
    assert said.split()[1] in ("400", "421"), said


def test_two_hosts_and_no_host_are_refused(site: Served) -> None:
    cookie = f"Cookie: {site.cookie['Cookie']}"
    good = f"Host: {site.host}"
    assert raw(site, "GET / HTTP/1.1", good, cookie).split()[1] == "200"
    assert raw(site, "GET / HTTP/1.1", good, "Host: evil.example", cookie).split()[1] == "400"
    assert raw(site, "GET / HTTP/1.1", good, good, cookie).split()[1] == "400"
    assert raw(site, "GET / HTTP/1.1", cookie).split()[1] == "400"
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13")
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    ours = f"Origin: {site.origin}"
    assert raw(site, "GET /ws HTTP/1.1", good, cookie, *upgrade, key, ours).split()[1] == "101"
    two = raw(site, "GET /ws HTTP/1.1", good, "Host: evil.example", cookie, *upgrade, key, ours)
    assert two.split()[1] == "400"
    origins = raw(site, "GET /ws HTTP/1.1", good, cookie, *upgrade, key, ours, ours)
    assert origins.split()[1] in ("400", "403")


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://{host}",
        "http://{host}.evil",
        "http://127.0.0.1:1",
        "http://{host}/",
    ],
)
def test_a_websocket_opens_for_our_own_page_alone(site: Served, origin: str | None) -> None:
    named: Any = None if origin is None else origin.format(host=site.host)
    with pytest.raises(InvalidStatus) as refused, site.socket(origin=named):
        pass
    assert refused.value.response.status_code == 403


def test_a_websocket_opens_for_no_one_without_a_cookie(site: Served) -> None:
    with pytest.raises(InvalidStatus) as refused, site.socket(additional_headers={}):
        pass
    assert refused.value.response.status_code == 401


def test_a_request_from_another_page_is_refused_even_with_the_cookie(site: Served) -> None:
    other = {**site.cookie, "Origin": "http://evil.example"}
    assert site.get("/", headers=other).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/../site.py",
        "/../../../../../../../../etc/passwd",
        "/%2e%2e/site.py",
        "/..%2fsite.py",
        "/lecture/../../site.py",
        "//etc/passwd",
        "/etc/passwd",
        "/C:%5Cwindows%5Cwin.ini",
        "/..%5c..%5csite.py",
        "/index.html%00.js",
        "/./index.html",
        "/site.py",
        "/door/door.html",
    ],
)
def test_a_path_leads_to_no_file_but_those_of_the_page(site: Served, path: str) -> None:
    said = raw(site, f"GET {path} HTTP/1.1", f"Host: {site.host}", f"Cookie: {site.cookie['Cookie']}")
    assert said.split()[1] in ("400", "404"), said
    assert "import" not in said and "root:" not in said


def test_a_huge_frame_ends_the_connection_and_nothing_else(site: Served) -> None:
    with site.socket() as socket_, site.socket() as other:
        socket_.send("x" * 65_537)
        with pytest.raises(ConnectionClosedError) as closed:
            socket_.recv(timeout=20)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
        assert ask(other, 1, "position", game="nim")["position"]["mover"] == 0


def test_a_frame_in_many_parts_is_no_way_around_the_bound(site: Served) -> None:
    with site.socket() as socket_, pytest.raises(ConnectionClosedError):
        socket_.send("x" * 1_000 for _ in range(100))
        socket_.recv(timeout=20)


def test_a_slow_client_keeps_nobody_waiting(site: Served) -> None:
    with (
        socket.create_connection(("127.0.0.1", site.port)) as slow,
        site.socket() as deaf,
        site.socket() as other,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        for id in range(300):  # and never reads an answer
            deaf.send(f'{{"id":{id},"do":"position","game":"chess"}}')
        began = time.monotonic()
        assert ask(other, 1, "position", game="nim")["position"]["mover"] == 0
        assert time.monotonic() - began < 60


def test_names_of_loopback_and_of_a_network() -> None:
    assert (
        "[::1]:80" in Names("::1", 80)
        and "[::1]" in Names("::1", 80)
        and "localhost" in Names("localhost", 80)
    )
    assert "127.0.0.2:8642" in Names("127.0.0.2", 8642) and "127.0.0.3:8642" not in Names("127.0.0.2", 8642)
    everywhere = Names("0.0.0.0", 8642)
    assert "192.168.1.7:8642" in everywhere and "evil.example:8642" not in everywhere
    assert not everywhere.loopback
    assert "class.example:8642" in Names("class.example", 8642)
    assert "192.168.1.7:8642" not in Names("class.example", 8642)


@given(st.text(max_size=30))
def test_no_text_but_a_name_is_a_host(text: str) -> None:
    assert (text in Names("127.0.0.1", 8642)) == (
        text.lower() in ("127.0.0.1:8642", "localhost:8642", "[::1]:8642", "::1:8642")
    )


@given(st.text(), st.text())
def test_no_cookie_but_ours_is_good(text: str, other: str) -> None:
    visitors = Visitors(b"key", 1, "password")
    assert visitors.visitor(text) is None and visitors.admit(text) == ""
    good = visitors.welcome("password")
    one = visitors.visitor(good)
    assert one is not None and one.role == "guest"
    assert (visitors.visitor(good + other) is None) == bool(other)
    assert visitors.visitor(good.replace("guest", "owner")) is None
    assert Visitors(b"key", 2, "password").visitor(good) is None, "another port"
    assert Visitors(b"key", 1, "changed").visitor(good) is None, "another password"
    assert Visitors(b"key", 1, "password").visitor(good) == one, "the same server, started anew"


def test_a_cookie_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    visitors = Visitors(b"key", 1)
    cookie = visitors.admit(visitors.token)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 24 * 3600)
    assert visitors.visitor(cookie) is None


def test_another_host_needs_a_password(run: Run) -> None:
    said = run("serve", "--host", "0.0.0.0", "--no-open").refusal
    assert "--password" in said and "others could play and search on this machine" in said


def test_with_a_password_one_comes_in_by_the_door() -> None:
    with serving("--host", "0.0.0.0", "--password", "röd & blå") as site:
        site.origin = f"http://127.0.0.1:{site.port}"
        site.host = site.origin.removeprefix("http://")
        assert site.get("/").headers["location"] == "/door"
        form = site.get("/door").text
        assert 'type="password"' in form and "röd" not in form

        def enter(password: str, **headers: str) -> httpx.Response:
            return httpx.post(
                site.origin + "/door", data={"password": password}, headers={"Origin": site.origin, **headers}
            )

        assert enter("wrong").status_code == 403 and "not the password" in enter("wrong").text
        began = time.monotonic()
        with ThreadPoolExecutor(4) as many:
            assert {one.status_code for one in many.map(enter, ["a", "b", "c", "d"])} == {403}
        assert time.monotonic() - began >= 4 * DOUBT, "guesses wait for each other"
        assert enter("röd & blå", Origin="http://evil.example").status_code == 403
        assert enter("x" * 5000).status_code == 413
        good = enter("röd & blå")
        assert good.status_code == 303
        cookie = {"Cookie": good.headers["set-cookie"].partition(";")[0]}
        assert site.get("/", headers=cookie).status_code == 200
        with site.socket(additional_headers=cookie) as socket_:
            assert ask(socket_, 1, "position", game="nim")["position"]["mover"] == 0


def test_a_port_that_is_taken_is_named(run: Run, site: Served) -> None:
    said = run("serve", "--no-open", "--port", str(site.port)).refusal
    assert f"port {site.port}" in said and "--port 0" in said


def test_small_answers_do_not_wait_for_each_other() -> None:
    # asyncio turns Nagle's algorithm off where the socket says that it speaks TCP.
    with _listening("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()) as asking:
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP and asking.getpeername() == listening.getsockname()
