"""Worker processes, and who is served by them when.

What only takes a moment (a position, a move) goes first. A new analysis gets a first slice at once; after that, those
that wait take turns. An analysis whose search remembers what it found makes room at the end of its slice and goes on
later. One that would begin anew runs to its end, or until it is cancelled; at least one worker is kept from these. A
worker that dies is replaced, and what it was doing is done again, once.
"""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from gametree.documents.lecturing import LECTURE_REQUESTS

FIRST_SLICE: Final = 0.1
SLICE: Final = 0.25
STOPS_WITHIN: Final = 2.0
"""Seconds in which what can be stopped, or takes only a moment, has to have ended after it was told to; else its
process is ended, and with it whatever is remembered there. Machine code may be made in between, which takes a while."""
UNSTOPPABLE_WITHIN: Final = 0.1
"""The same for a search that does not hear it."""
NOTHING_FOUND: Final = 1.0
"""Seconds that a search gets before others, where it has found nothing yet."""
MOMENT: Final = 20.0
"""Seconds in which the rules of a game have to give a position."""
EFFORT: Final = 120.0
"""The same for a move, or a tree to look at."""
GRACE: Final = 5.0
"""Seconds that a search gets beyond its limit, for rules that are slow, before its process is ended."""
DIES_WITHIN: Final = 1.0
"""Seconds in which a process is gone that says nothing any more."""
MOST_WAITING: Final = 5_000
MOST_BYTES: Final = 64 * 2**20
"""The longest line that a worker may write."""

_FOUND: Final = {
    "position": "position",
    "methods": "methods",
    "analyze": "analysis",
    "move": "move",
    "referee": "played",
    "hint": "analysis",
    "program": "program",
    **{name: name for name in ("trace", *LECTURE_REQUESTS)},
}
"""What the answer to a request is called."""

Answer = dict[str, Any]


@dataclass(eq=False)
class Job:
    """A request on its way."""

    request: dict[str, Any]
    """With an id of the pool's own: that of the one who asks may be in use by another."""
    tell: Callable[[Answer], None]
    """Takes every answer; the last one has `done`."""
    number: int
    """Its place in the queue: the next one comes first."""
    turns: int = 0
    spent: float = 0.0
    """Seconds that it was thought about, in slices that are over."""
    nodes: int = 0
    deaths: int = 0
    remembers: bool = False
    """Whether it can be stopped and go on later."""
    finished: bool = False
    latest: Answer | None = None
    """The analysis that was told last, with its winning chances."""
    worker: "_Process | None" = field(default=None, repr=False)
    pool: "Pool | None" = field(default=None, repr=False)

    def cancel(self) -> bool:
        """Ends it; whether there was anything to end."""
        return self.pool is not None and self.pool.cancel(self)

    @property
    def brief(self) -> bool:
        """Whether it takes only a moment."""
        return self.request["do"] not in ("analyze", "move", "referee", "hint", "program", "trace", "explore")

    @property
    def resumable(self) -> bool:
        """Whether it may be put off: then time alone ends it, and the answer does not depend on slices."""
        limit = self.request.get("limit", {"seconds": 1})
        by_time = self.request["do"] == "analyze" and all(name == "seconds" for name in limit)
        return by_time and self.request.get("method", "auto") in ("auto", "mcts")

    @property
    def seconds(self) -> float | None:
        """How long it may think altogether; None where nobody says."""
        if self.request["do"] != "analyze":
            return None
        found: float | None = self.request.get("limit", {"seconds": 1}).get("seconds")
        return found

    @property
    def rank(self) -> tuple[bool, bool, int, int]:
        """Which of those that wait comes first."""
        return not self.brief, self.turns > 0, -self.request.get("priority", 0), self.number

    def line(self) -> bytes:
        """What its worker is asked next."""
        request = self.request
        if self.spent and self.seconds is not None:
            request = {**request, "limit": {"seconds": max(0.0, self.seconds - self.spent)}}
        return json.dumps(request).encode() + b"\n"


@dataclass(eq=False)
class _Process:
    """A worker and what it is doing."""

    process: asyncio.subprocess.Process
    job: Job | None = None
    since: float = 0.0
    making_room: bool = False
    """Whether its job was told to stop, so that another gets its turn."""
    closing: asyncio.Handle | None = None
    """Ends the process, where it does not answer in time."""
    why: str = ""
    """Why it was ended, in words."""


class Pool:
    """Workers for the games that `targets` name. Everything happens on one event loop."""

    def __init__(self, targets: Iterable[str] = (), workers: int | None = None):
        self.size: int = max(2, workers or os.cpu_count() or 2)
        self._targets = tuple(targets)
        self._processes: list[_Process] = []
        self._waiting: list[Job] = []
        self._forgetful: set[tuple[str, str]] = set()
        """Games and methods of searches that might be put off by their limit, and would begin anew."""
        self._numbers = itertools.count()
        self._readers: set[asyncio.Task[None]] = set()
        self._tick: asyncio.TimerHandle | None = None
        self._closed = False

    async def start(self) -> None:
        """Starts the workers."""
        await asyncio.gather(*(self._hire() for _ in range(self.size)))

    async def close(self) -> None:
        """Ends everything; what waits gets no answer any more."""
        self._closed = True
        if self._tick is not None:
            self._tick.cancel()
        for one in self._processes:
            _end(one)
        await asyncio.gather(*self._readers, return_exceptions=True)

    # --- what may be asked of it --------------------------------------------------------------------

    def submit(self, request: dict[str, Any], tell: Callable[[Answer], None]) -> Job:
        """Takes a request; `tell` hears every answer to it, on the event loop."""
        number = next(self._numbers)
        job = Job({**request, "id": number}, tell, number, pool=self)
        if len(self._waiting) >= MOST_WAITING:
            message = f"{MOST_WAITING:,} requests wait already: ask again later"
            self._finish(job, {"error": {"kind": "busy", "message": message}})
            return job
        self._waiting.append(job)
        self._dispatch()
        return job

    def cancel(self, job: Job) -> bool:
        """Ends a request, which is answered at once with what was found so far; whether there was anything to end."""
        if job.finished or job.request["do"] == "hello":
            return False
        found: Answer = {_FOUND[job.request["do"]]: None}
        if job.latest is not None:
            found = {**job.latest, "analysis": {**job.latest["analysis"], "stopped_by": "cancelled"}}
        self._finish(job, found)
        if job in self._waiting:
            self._waiting.remove(job)
        if job.worker is not None:
            self._stop(job.worker)
        return True

    @property
    def waiting(self) -> int:
        """How many requests nobody works on."""
        return len(self._waiting)

    # --- who comes next -----------------------------------------------------------------------------

    def _dispatch(self) -> None:
        if self._closed:
            return
        for one in [one for one in self._processes if one.job is None and not one.closing]:
            job = self._next()
            if job is None:
                break
            self._waiting.remove(job)
            self._begin(one, job)
        if self._waiting:
            self._make_room()

    def _next(self) -> Job | None:
        """The next job, where there is one that may begin."""
        may_stay = self._steady < self.size - 1
        ready = [job for job in self._waiting if may_stay or not self._stays(job)]
        return min(ready, key=lambda job: job.rank, default=None)

    @property
    def _steady(self) -> int:
        """How many workers are kept to the end of what they do."""
        return sum(one.job is not None and self._stays(one.job) for one in self._processes)

    def _stays(self, job: Job) -> bool:
        """Whether a job keeps its worker to its end, and may take long."""
        known = not job.remembers and _search(job) in self._forgetful
        return not job.brief and (known or not job.resumable)

    def _begin(self, one: _Process, job: Job) -> None:
        line = job.line()
        one.job, job.worker = job, one
        one.since = time.monotonic()
        one.making_room = False
        job.remembers = False  # until its worker says so: what has not begun cannot go on later
        stdin = one.process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError):  # its death is noticed where its answers are read
            stdin.write(line)
        patience: float | None = MOMENT if job.brief else EFFORT
        if job.request["do"] == "analyze":  # without a limit in seconds it may go on for ever
            patience = None if job.seconds is None else job.seconds - job.spent + GRACE + MOMENT
        if patience is not None:
            why = f"the rules of {job.request.get('game', 'a game')} took more than {patience:.0f} s"
            asyncio.get_running_loop().call_later(patience, self._give_up, one, job, job.turns, why)

    def _give_up(self, one: _Process, job: Job, turn: int, why: str) -> None:
        """Ends a worker that is still at the same turn of a job."""
        if one.job is job and job.turns == turn and not self._closed:
            if not job.finished:
                self._finish(job, {"error": {"kind": "rules", "message": why}})
            one.why = why
            _end(one)

    def _make_room(self) -> None:
        """Stops those whose slice is over, as somebody waits; looks again when the next one will be."""
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None
        now = time.monotonic()
        ends = []
        for one in self._processes:
            if one.job is None or not one.job.remembers or not one.job.resumable or one.making_room:
                continue
            end = one.since + (SLICE if one.job.turns else FIRST_SLICE)
            if one.job.latest is None:
                end = one.since + NOTHING_FOUND
            if end <= now:
                one.making_room = True
                self._stop(one)
            else:
                ends.append(end)
        if ends:
            loop = asyncio.get_running_loop()
            self._tick = loop.call_later(min(ends) - now, self._dispatch)

    def _stop(self, one: _Process) -> None:
        """Tells a worker to stop what it is doing, and ends it where it does not."""
        job, stdin = one.job, one.process.stdin
        if job is None or stdin is None or one.closing:
            return
        with contextlib.suppress(ConnectionError):
            stdin.write(json.dumps({"id": 0, "do": "cancel", "of": job.request["id"]}).encode() + b"\n")
        # A program of a student has limits of its own, and must not be left behind by whoever watches over it. Where
        # a search only makes room, it has all the time it needs.
        if job.finished and job.request["do"] != "program":
            hears = job.brief or job.request["do"] in ("analyze", "move", "referee")
            patience = STOPS_WITHIN if hears else UNSTOPPABLE_WITHIN
            one.closing = asyncio.get_running_loop().call_later(patience, _end, one)

    # --- what workers say ---------------------------------------------------------------------------

    async def _hire(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "gametree.app.serve.worker",
            *self._targets,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MOST_BYTES,
            start_new_session=True,  # Ctrl-C is for us, who end them in order
        )
        one = _Process(process)
        self._processes.append(one)
        reader = asyncio.create_task(self._read(one))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)
        self._dispatch()

    async def _read(self, one: _Process) -> None:
        stdout = one.process.stdout
        assert stdout is not None
        with contextlib.suppress(ConnectionError, ValueError):
            while line := await stdout.readline():
                self._hear(one, json.loads(line))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DIES_WITHIN):
                await one.process.wait()
        _end(one)
        code = await one.process.wait()
        self._processes.remove(one)
        if one.closing is not None:
            one.closing.cancel()
        if self._closed:
            return
        if one.job is not None:
            self._lost(one.job, code)
        await self._hire()

    def _hear(self, one: _Process, answer: Answer) -> None:
        job = one.job
        if job is None or answer["id"] != job.request["id"]:
            return
        if "remembers" in answer:
            job.remembers = answer["remembers"]
            if not job.remembers and job.resumable:
                self._forgetful.add(_search(job))
                if self._steady >= self.size and not job.finished:
                    self._put_back(one, job)
            self._dispatch()
            return
        if answer.get("analysis") is not None:
            answer["analysis"] = self._summed(job, answer["analysis"])
        if not answer["done"]:
            if not job.finished and _is_further(answer, job.latest):
                job.latest = _found(answer)
                job.tell(answer)
            return
        self._end_of_turn(one, job, answer)
        self._dispatch()

    def _put_back(self, one: _Process, job: Job) -> None:
        """Takes a job from a worker that is not for it. Nobody knew before it began; from now on it is known."""
        one.job = job.worker = None
        job.turns += 1
        self._waiting.append(job)
        one.closing = asyncio.get_running_loop().call_soon(_end, one)

    def _end_of_turn(self, one: _Process, job: Job, answer: Answer) -> None:
        if one.closing is not None:
            one.closing.cancel()
            one.closing = None
        one.job = job.worker = None
        if job.finished:
            return
        analysis = answer.get("analysis")
        if analysis is not None:
            if not _is_further(answer, job.latest):
                assert job.latest is not None
                spent = {name: analysis[name] for name in ("nodes", "seconds", "stopped_by")}
                analysis = {**job.latest["analysis"], **spent}
                answer.update({**job.latest, "analysis": analysis})
            job.latest = _found(answer)
            if one.making_room and analysis["stopped_by"] == "cancelled":
                job.turns += 1
                job.spent, job.nodes = analysis["seconds"], analysis["nodes"]
                job.number = next(self._numbers)
                self._waiting.append(job)
                job.tell({**answer, "done": False})
                return
        del answer["id"], answer["done"]
        self._finish(job, answer)

    def _summed(self, job: Job, analysis: dict[str, Any]) -> dict[str, Any]:
        """With what was searched in slices before."""
        return {
            **analysis,
            "nodes": analysis["nodes"] + job.nodes,
            "seconds": analysis["seconds"] + job.spent,
        }

    def _lost(self, job: Job, code: int) -> None:
        """A worker died: its job is done again, once."""
        job.worker = None
        if job.finished:
            return
        job.deaths += 1
        if job.deaths > 1:
            game = job.request.get("game", "a game")
            message = (
                f"the process that plays {game} ended twice ({_cause(code)}): its rules crash Python itself"
            )
            self._finish(job, {"error": {"kind": "rules", "message": message}})
            return
        job.turns += 1
        self._waiting.append(job)
        self._dispatch()

    def _finish(self, job: Job, found: dict[str, Any]) -> None:
        job.finished = True
        job.tell({"id": job.request["id"], "done": True, **found})


def _search(job: Job) -> tuple[str, str]:
    # A tree that is drawn, an exercise, a greeting: not every request has a game.
    return job.request.get("game", ""), job.request.get("method", "auto")


def _found(answer: Answer) -> Answer:
    return {name: answer[name] for name in ("analysis", "chances") if name in answer}


def _is_further(answer: Answer, than_answer: Answer | None) -> bool:
    """Whether an analysis tells at least as much as another one: a new slice begins with shallow depths again."""
    if than_answer is None:
        return True
    analysis, than = answer["analysis"], than_answer["analysis"]
    if analysis["action"] is None and than["action"] is not None:
        return False
    ahead, before = (one["depth"] for one in (analysis, than))
    if before is None:
        return not than["exact"] or bool(analysis["exact"])
    return ahead is None or ahead >= before


def _cause(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


def _end(one: _Process) -> None:
    if one.process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if sys.platform == "win32":
                one.process.kill()
            else:  # that would ask how the process ended, which nobody can be told twice
                os.kill(one.process.pid, signal.SIGKILL)
