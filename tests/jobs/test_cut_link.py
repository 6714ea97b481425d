"""Two workers in networks of their own; the link of both is cut for half a minute, and nothing is lost.

sudo pytest -m slow tests/jobs/test_cut_link.py
"""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gametree.jobs.cluster import Cluster
from gametree.jobs.spread import Task, spread
from jobs.hosted import running
from jobs.work import Squares

CUT = 30.0


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def may() -> bool:
    """Whether networks can be made here: that is for root alone, and not within every container."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"gt-try-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    if made:
        veth = [
            "ip",
            "link",
            "add",
            f"gtt{os.getpid() % 9999}",
            "type",
            "veth",
            "peer",
            "name",
            "eth0",
            "netns",
            name,
        ]
        made = subprocess.run(veth, capture_output=True).returncode == 0
        subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return made


pytestmark = [pytest.mark.same_in_all_modes, pytest.mark.slow]


@pytest.fixture
def networks() -> Iterator[list[tuple[str, str, str]]]:
    """Two namespaces, each at one end of a cable: name, cable at this end, address of this end."""
    if not may():
        pytest.skip("networks of their own are for root, with iproute2")
    made: list[tuple[str, str, str]] = []
    try:
        for number in (1, 2):
            name, cable = f"gt-{os.getpid()}-{number}", f"gtc{os.getpid() % 99999}{number}"
            here, there = f"10.213.{number}.1", f"10.213.{number}.2"
            ip("netns", "add", name)
            made.append((name, cable, here))
            ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
            ip("addr", "add", f"{here}/24", "dev", cable)
            ip("link", "set", cable, "up")
            ip("-n", name, "addr", "add", f"{there}/24", "dev", "eth0")
            ip("-n", name, "link", "set", "eth0", "up")
            ip("-n", name, "link", "set", "lo", "up")
        yield made
    finally:
        for name, cable, _ in made:
            subprocess.run(["ip", "link", "del", cable], capture_output=True)
            subprocess.run(["ip", "netns", "del", name], capture_output=True)


def test_a_link_that_is_cut_for_half_a_minute_loses_nothing(
    tmp_path: Path, networks: list[tuple[str, str, str]]
) -> None:
    port = 20_000 + os.getpid() % 10_000
    key = str(tmp_path / "cluster.pem")
    (first, _, here1), (second, _, here2) = networks
    start = ("start", "--workers", "0", "--host", "0.0.0.0", "--port", str(port), "--cluster-key", key)

    def join(host: str, there: str) -> tuple[str, ...]:
        return ("join", f"tls://{host}:{port}", "--workers", "1", "--host", there, "--cluster-key", key)

    with (
        running(*start, until="Ctrl-C"),
        running(*join(here1, "10.213.1.2"), until="joined", prefix=("ip", "netns", "exec", first)),
        running(*join(here2, "10.213.2.2"), until="joined", prefix=("ip", "netns", "exec", second)),
        Cluster(f"tls://127.0.0.1:{port}", key) as cluster,
    ):
        workers = [seat.address for seat in cluster.seats()]
        assert len(workers) == 2
        begun = time.monotonic()
        cut = threading.Thread(target=_cut, args=([cable for _, cable, _ in networks],))
        cut.start()
        tasks = (Task(f"number {n}", {"number": n, "sleeps": 0.1}) for n in range(500))
        found = [done.result and done.result["square"] for done in spread(Squares(), tasks, executor=cluster)]
        took = time.monotonic() - begun
        cut.join()
        assert found == [n * n for n in range(500)]
        assert took > CUT  # it was cut in the middle of it
        assert [seat.address for seat in cluster.seats()] == workers  # and nobody had to begin anew


def _cut(cables: list[str]) -> None:
    time.sleep(5)
    for cable in cables:
        ip("link", "set", cable, "down")
    time.sleep(CUT)
    for cable in cables:
        ip("link", "set", cable, "up")
