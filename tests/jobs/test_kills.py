"""Whatever is killed at whatever moment: the results are those of a run that nobody disturbed.

pytest -m slow tests/jobs/test_kills.py
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gametree.errors import GametreeError, InputError
from gametree.jobs.cluster import Cluster
from gametree.jobs.pool import Pool
from gametree.jobs.spread import Gone, Task, spread
from gametree.jobs.store import Store
from jobs.hosted import children, gone, hosted, running
from jobs.work import Squares

pytestmark = [
    pytest.mark.same_in_all_modes,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

HEADER = {"schema": "gametree.match/2", "what": "squares"}
KILLS = int(os.environ.get("GAMETREE_KILLS", "34"))
"""So many of each kind: three kinds of victim make a hundred, and the run itself comes on top."""


def tasks(count: int) -> Iterator[Task]:
    """Some take a moment, some a tenth of a second."""
    for number in range(count):
        yield Task(f"number {number}", {"number": number, "sleeps": 0.1 if number % 7 == 0 else 0.01})


def undisturbed(count: int) -> bytes:
    lines = [HEADER, *({"task": task.hash, "square": task.payload["number"] ** 2} for task in tasks(count))]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


class Counted:
    """Tasks as long as there is somebody to be killed."""

    def __init__(self, killer: "Killer"):
        self.count = 0
        self._killer = killer

    def __iter__(self) -> Iterator[Task]:
        for task in tasks(10**9):
            if not self._killer.busy:
                return
            self.count += 1
            yield task


class Killer:
    """Ends one process after the other at random moments, until there were enough."""

    def __init__(self, victims: Callable[[], list[int]], kills: int, least: float, most: float):
        self.killed = 0
        self._victims, self._kills, self._between = victims, kills, (least, most)
        self._over = threading.Event()
        self._random = random.Random(7)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Killer":
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()

    @property
    def busy(self) -> bool:
        return self.killed < self._kills

    def _run(self) -> None:
        while self.busy and not self._over.wait(self._random.uniform(*self._between)):
            there = self._victims()
            if there:
                os.kill(self._random.choice(there), signal.SIGKILL)
                self.killed += 1


def went_on(path: Path, given: Iterable[Task], executor: Any) -> list[str]:
    """One try; what was given up."""
    store = Store(path, HEADER)
    troubles = []
    try:
        for done in spread(Squares(), given, executor=executor, store=store):
            if done.result is None:
                troubles.append(done.trouble)
        return troubles
    finally:
        store.close(done=not troubles)


def test_workers_of_a_pool(tmp_path: Path) -> None:
    pool = Pool(2)
    try:
        with Killer(lambda: pool.pids, KILLS, 0.5, 2.0) as killer:
            given = Counted(killer)
            went_on(tmp_path / "r", given, pool)
        assert killer.killed == KILLS
        # A task that was hit twice was set aside: the same run again carries it out.
        assert went_on(tmp_path / "r", tasks(given.count), pool) == []
    finally:
        pool.shutdown(cancel_futures=True)
    assert (tmp_path / "r").read_bytes() == undisturbed(given.count)


def test_workers_of_a_cluster(tmp_path: Path) -> None:
    with hosted(tmp_path, workers=2) as two:
        with (
            Cluster(two.address, two.key) as cluster,
            Killer(lambda: two.worker_pids, KILLS, 1.0, 3.0) as killer,
        ):
            given = Counted(killer)
            went_on(tmp_path / "r", given, cluster)
        assert killer.killed == KILLS
        with Cluster(two.address, two.key) as cluster:
            assert went_on(tmp_path / "r", tasks(given.count), cluster) == []
    assert (tmp_path / "r").read_bytes() == undisturbed(given.count)


def test_the_scheduler_of_a_cluster(tmp_path: Path) -> None:
    """It is killed again and again; it is started again, its workers join it again, and the run goes on."""
    count, draws, killed = 200 + KILLS * 20, random.Random(3), 0
    port = 20_000 + os.getpid() % 10_000
    key = tmp_path / "cluster.pem"
    start = ("start", "--workers", "0", "--port", str(port), "--cluster-key", str(key))
    address = f"tls://127.0.0.1:{port}"
    join = ("join", address, "--workers", "2", "--cluster-key", str(key))
    with running(*start, until="Ctrl-C") as (first, _), running(*join, until="joined") as (joined, _):
        first.kill()
        first.wait()
        done = False
        while not done:
            with running(*start, until="Ctrl-C") as (scheduler, _):
                timer = threading.Timer(draws.uniform(0.5, 6.0), scheduler.kill)
                try:
                    with Cluster(address, key, patience=60) as cluster:
                        if killed < KILLS:
                            timer.start()
                        done = went_on(tmp_path / "r", tasks(count), cluster) == [] and killed >= min(
                            KILLS, 3
                        )
                except (Gone, InputError, GametreeError):
                    killed += 1
                finally:
                    timer.cancel()
                if done:
                    workers = children(joined.pid)
    assert gone(workers) and killed >= min(KILLS, 3)
    assert (tmp_path / "r").read_bytes() == undisturbed(count)


def test_the_run_itself(tmp_path: Path) -> None:
    """Counting by processes of its own is killed at random moments; nothing is left, and the count is right."""
    draws = random.Random(5)
    command = [sys.executable, "-m", "gametree", "perft", "othello", "8", "--compile", "never", "--jobs", "2"]
    command += ["--results", str(tmp_path / "r"), "--json"]
    for _ in range(KILLS):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            out, _ = process.communicate(timeout=draws.uniform(1.0, 4.0))
            if process.returncode == 0:
                break
        except subprocess.TimeoutExpired:
            workers = children(process.pid)
            process.kill()
            process.communicate()
            assert gone(workers)
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert json.loads(out)["counts"][-1]["lines"] == 390_216
    whole = tmp_path / "whole"
    subprocess.run([*command[:-2], str(whole), "--json"], stdout=subprocess.DEVNULL, check=True)
    assert (tmp_path / "r").read_bytes() == whole.read_bytes()
