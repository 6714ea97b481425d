"""How soon does `gametree serve` answer, and does it stay so when a class asks at once?

    python benchmarks/serve.py
    python benchmarks/serve.py --clients 50 --analyses 1000 --cancelled 500 --kills 2

A server is started on a free port of this machine, and asked over WebSockets as the page asks it.

First page: from the start of the process to the whole of index.html. First line: from a click (a new position) to the
first partial answer, where the code of the game is compiled: in a server that has just been started, whose code is on
disk, and in one whose workers have thought about the game before. Stop: from `cancel` to the last answer of an endless
analysis.

Load: so many analyses are queued by so many clients at once, a part of them endless ones that are cancelled at random
times, and workers are killed (SIGKILL) in the middle. Every request has to get exactly one last answer. Ping is the
round trip of a WebSocket ping on a connection of its own, sent every 20 ms while the load lasts; the same without load
is what the machine adds. Memory is the greatest sum of what server and workers have for themselves and their share of
what they have together (PSS, /proc; elsewhere it is left out).

The exit code is 1 where an answer is lost or given twice; a time that is too long is printed as such.
"""

import argparse
import asyncio
import contextlib
import json
import math
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refusal import refuse
from smallest import parse

SMALLEST = "--starts 1 --clicks 2 --stops 2 --clients 3 --analyses 9 --cancelled 4 --kills 1"
GAMES = ("tic-tac-toe", "nim", "connect-four", "othello")
STOPPED = ("connect-four", "othello", "pig")
PACE = 0.01
"""Seconds between two that are cancelled, on average."""
WITHIN = 0.5
"""Seconds for an analysis that is not cancelled."""
FAST = 300_000
"""So many nodes in a second are searched by compiled code alone."""
PATIENCE = 600


@dataclass
class Server:
    """A server that runs, and what is needed to ask it."""

    process: "subprocess.Popen[str]"
    origin: str
    cookie: str
    first_page: float
    """Seconds from the start of the process."""
    work: float = math.nan
    """Seconds of a processor that it took until then; where others use the machine, too, it waits besides."""

    def connect(self) -> Any:
        """A WebSocket as the page opens it."""
        from websockets.asyncio.client import connect

        return connect(
            self.origin.replace("http", "ws") + "/ws",
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": self.cookie},
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
        )

    def workers(self) -> list[int]:
        """The processes that search; empty where the system does not tell."""
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        with contextlib.suppress(OSError):
            return [int(one) for one in listed.read_text().split()]
        return []

    def megabytes(self) -> float:
        """What server and workers have, each page of memory counted once."""
        total = 0.0
        for one in (self.process.pid, *self.workers()):
            with contextlib.suppress(OSError, StopIteration):
                lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
                total += float(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024
        return total

    def end(self) -> None:
        """Ends it, as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(PATIENCE)
        if self.process.stderr is not None:
            self.process.stderr.close()


def start(*arguments: str) -> Server:
    """Starts a server, and opens its page."""
    import httpx

    began = time.monotonic()
    command = [sys.executable, "-m", "gametree", "serve", "--no-open", "--port", "0", *arguments]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    address = next(found[0] for line in process.stderr if (found := re.search(r"http://\S+", line)))
    origin = address.rpartition("/")[0]
    came_in = httpx.get(address, timeout=PATIENCE)
    cookie = came_in.headers["set-cookie"].partition(";")[0]
    httpx.get(origin + "/", headers={"Cookie": cookie}, timeout=PATIENCE).raise_for_status()
    return Server(process, origin, cookie, time.monotonic() - began, _work(process.pid))


def _work(process: int) -> float:
    """Seconds of a processor that a process has used; nan where the system does not tell."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return math.nan


# --- one who asks -----------------------------------------------------------------------------------


async def first_line(socket: Any, id: int, game: str, moves: list[str]) -> float:
    """Seconds from a click to the first line; the analysis is cancelled then."""
    began = time.monotonic()
    asked = {"id": id, "do": "analyze", "game": game, "moves": moves, "limit": {}, "values": True}
    await socket.send(json.dumps(asked))
    while True:
        answer = json.loads(await socket.recv())
        assert "error" not in answer, answer
        if answer["id"] == id and answer.get("analysis") and answer["analysis"]["line"]:
            took = time.monotonic() - began
            await stopped(socket, id)
            return took


async def stopped(socket: Any, id: int) -> float:
    """Seconds from `cancel` to the last answer."""
    began = time.monotonic()
    await socket.send(json.dumps({"id": f"stop {id}", "do": "cancel", "of": id}))
    while True:
        answer = json.loads(await socket.recv())
        if answer["id"] == id and answer["done"]:
            return time.monotonic() - began


async def clicks(server: Server, count: int, game: str = "connect-four") -> list[float]:
    """First lines at positions that were not asked for before."""
    draws = random.Random(1)
    await warmed(server, [game])
    async with server.connect() as socket:
        took = []
        for id in range(1, count + 1):
            moves = [str(draws.randint(1, 7)) for _ in range(4)]
            if game == "pig":
                moves = [
                    step for _ in range(draws.randint(1, 5)) for step in ("roll", str(draws.randint(2, 6)))
                ]
            took.append(await first_line(socket, id, game, moves))
        return took


async def warmed(server: Server, games: Iterable[str]) -> None:
    """Lets both workers think about games until their code is compiled."""

    async def think(game: str) -> None:
        async with server.connect() as socket:
            await socket.send(json.dumps({"id": 1, "do": "analyze", "game": game, "limit": {}}))
            speed = 0.0
            while speed < FAST:
                found = json.loads(await socket.recv())["analysis"]
                speed = found["nodes"] / max(found["seconds"], 1e-3) if not found["exact"] else FAST

    for game in games:
        await asyncio.gather(think(game), think(game))


async def stops(server: Server, count: int) -> list[float]:
    """How long endless analyses go on after they were cancelled."""
    draws = random.Random(2)
    took = []
    async with server.connect() as socket:
        for id in range(count):
            game = draws.choice(STOPPED)
            await socket.send(json.dumps({"id": id, "do": "analyze", "game": game, "limit": {}}))
            await asyncio.sleep(draws.uniform(0.05, 0.3))
            took.append(await stopped(socket, id))
    return took


# --- many who ask -----------------------------------------------------------------------------------


@dataclass
class Load:
    """What became of a load."""

    requests: int
    cancelled: int
    last: Counter[str] = field(default_factory=Counter)
    """How often each request got its last answer."""
    after: int = 0
    """Answers to requests that had their last one."""
    errors: list[str] = field(default_factory=list)
    pings: list[float] = field(default_factory=list)
    idle_pings: list[float] = field(default_factory=list)
    megabytes: float = 0.0
    seconds: float = 0.0
    killed: int = 0

    @property
    def sound(self) -> bool:
        """Whether every request got exactly one last answer, and no error."""
        answered = len(self.last) == self.requests and set(self.last.values()) <= {1}
        return answered and self.after == 0 and not self.errors

    def __str__(self) -> str:
        answered = sum(self.last.values())
        return (
            f"{self.requests:,} analyses, {self.cancelled:,} cancelled, {self.killed} workers killed:"
            f" {answered:,} last answers, {self.requests - len(self.last)} lost, {answered - len(self.last)} twice,"
            f" {self.after} after the last, {len(self.errors)} errors; {self.seconds:.1f} s;"
            f" at most {self.megabytes:.0f} MB (wanted: < 500)"
        )


async def load(
    server: Server, clients: int, analyses: int, cancelled: int, kills: int = 0, games: Sequence[str] = GAMES
) -> Load:
    """Queues analyses from many clients at once, and cancels a part of them."""
    found = Load(analyses, cancelled)
    loaded = asyncio.Event()
    watching = asyncio.create_task(_watch(server, found, loaded))
    await asyncio.sleep(0.5)
    loaded.set()
    began = time.monotonic()
    marks = [number < cancelled for number in range(analyses)]
    random.Random(3).shuffle(marks)
    killing = asyncio.create_task(_kill(server, found, kills))
    await asyncio.gather(
        *(_client(server, found, number, marks[number::clients], games) for number in range(clients))
    )
    found.seconds = time.monotonic() - began
    for task in (killing, watching):
        task.cancel()
    await asyncio.gather(killing, watching, return_exceptions=True)
    return found


async def _client(
    server: Server, found: Load, number: int, endless: list[bool], games: Sequence[str]
) -> None:
    draws = random.Random(number)
    async with server.connect() as socket:
        waiting = set()
        cancelling = []
        for at, is_endless in enumerate(endless):
            game = draws.choice(games)
            limit = {} if is_endless else draws.choice([{"depth": 4}, {"nodes": 3_000}, {"seconds": WITHIN}])
            moves = [] if game != "connect-four" else [str(draws.randint(1, 7)) for _ in range(3)]
            await socket.send(
                json.dumps({"id": at, "do": "analyze", "game": game, "moves": moves, "limit": limit})
            )
            waiting.add(at)
            if is_endless:
                cancelling.append(
                    asyncio.create_task(_cancel(socket, at, draws.uniform(0.0, found.cancelled * PACE)))
                )
        while waiting:
            answer = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            id = answer["id"]
            if "error" in answer:
                found.errors.append(str(answer["error"]))
            if not isinstance(id, int):
                continue
            if id not in waiting:
                found.after += 1
            elif answer["done"]:
                waiting.remove(id)
                found.last[f"{number}.{id}"] += 1
        await asyncio.gather(*cancelling)
        # Nothing may follow.
        await socket.send(json.dumps({"id": "end", "do": "cancel", "of": "nothing"}))
        while (answer := json.loads(await socket.recv()))["id"] != "end":
            found.after += isinstance(answer["id"], int)


async def _cancel(socket: Any, id: int, after: float) -> None:
    await asyncio.sleep(after)
    await socket.send(json.dumps({"id": f"stop {id}", "do": "cancel", "of": id}))


async def _kill(server: Server, found: Load, kills: int) -> None:
    draws = random.Random(4)
    for _ in range(kills):
        await asyncio.sleep(1.0)
        if workers := server.workers():
            os.kill(draws.choice(workers), signal.SIGKILL)
            found.killed += 1


async def _watch(server: Server, found: Load, loaded: asyncio.Event) -> None:
    """Pings on a connection of its own, and memory."""
    async with server.connect() as socket:
        for number in range(1_000_000):
            began = time.monotonic()
            await (await socket.ping())
            (found.pings if loaded.is_set() else found.idle_pings).append(time.monotonic() - began)
            if number % 25 == 0:
                found.megabytes = max(found.megabytes, await asyncio.to_thread(server.megabytes))
            await asyncio.sleep(0.02)


# --- the report -------------------------------------------------------------------------------------


def percentile(numbers: Sequence[float], share: float) -> float:
    """The least number that is no less than so large a share of them."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def row(name: str, seconds: Sequence[float], wanted: str) -> str:
    median, high = statistics.median(seconds), percentile(seconds, 0.99)
    cells = [name, len(seconds), *(f"{1000 * one:.1f}" for one in (median, high, max(seconds))), wanted]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=5, help="servers started for the first page and line")
    parser.add_argument("--clicks", type=int, default=50)
    parser.add_argument("--stops", type=int, default=200)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--analyses", type=int, default=1_000)
    parser.add_argument("--cancelled", type=int, default=500)
    parser.add_argument("--kills", type=int, default=2, help="workers that are killed in the middle")
    given = parse(parser, SMALLEST)
    if given.cancelled > given.analyses:
        refuse(f"--cancelled {given.cancelled}: there are {given.analyses} analyses")
    try:
        import httpx  # noqa: F401
        import starlette  # noqa: F401
        import websockets  # noqa: F401
    except ImportError as missing:
        refuse(f"{missing.name} is not installed: pip install 'gametree[test]'")
    # Compiles what is measured, so that it lies on disk.
    warm = start()
    asyncio.run(warmed(warm, (*GAMES, "pig")))
    warm.end()
    pages, work, lines = [], [], []
    for _ in range(given.starts):
        server = start()
        pages.append(server.first_page)
        work.append(server.work)
        lines.append(asyncio.run(_first(server)))
        server.end()
    print("| ms | count | median | p99 | most | wanted |\n|---|---:|---:|---:|---:|---|")
    print(row("first page", pages, "< 1,000"))
    print(row("first page, work of the server's process", work, ""))
    print(row("first line, server just started", lines, ""))
    server = start()
    print(row("first line", asyncio.run(clicks(server, given.clicks)), "< 200"))
    print(row("first line, a game with dice", asyncio.run(clicks(server, given.clicks, "pig")), "< 200"))
    print(row("stop", asyncio.run(stops(server, given.stops)), "p99 < 20"))
    found = asyncio.run(load(server, given.clients, given.analyses, given.cancelled, given.kills))
    server.end()
    print(row("ping without load", found.idle_pings, ""))
    print(row("ping under load", found.pings, "p99 < 50"))
    print()
    print(found)
    for error in found.errors[:5]:
        print(f"error: {error}")
    return 0 if found.sound else 1


async def _first(server: Server) -> float:
    async with server.connect() as socket:
        return await first_line(socket, 0, "connect-four", [])


if __name__ == "__main__":
    sys.exit(main())
