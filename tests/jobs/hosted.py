"""A cluster on this machine, as a user starts it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Hosted:
    """A cluster in processes of its own."""

    address: str
    key: Path
    process: "subprocess.Popen[str]"

    @property
    def worker_pids(self) -> list[int]:
        """The worker processes, those that are just being started included."""
        return children(self.process.pid)


@contextlib.contextmanager
def hosted(folder: Path, workers: int = 1, port: int = 0) -> Iterator[Hosted]:
    """Starts a cluster, and ends it as Ctrl-C does."""
    key = folder / "cluster.pem"
    arguments = ["start", "--workers", str(workers), "--port", str(port), "--cluster-key", str(key)]
    with running(*arguments, until="Ctrl-C") as (process, said):
        found = re.search(r"tls://[\d.:]+", said)
        assert found, said
        yield Hosted(found[0], key, process)


@contextlib.contextmanager
def running(*arguments: str, until: str, prefix: tuple[str, ...] = ()) -> Iterator[tuple[Any, str]]:
    """A process of `gametree cluster`, from the moment it has said something."""
    command = [*prefix, sys.executable, "-m", "gametree", "cluster", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ}
    )
    try:
        assert process.stdout is not None
        said = ""
        while until not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        yield process, said
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        finally:
            assert process.stdout is not None
            process.stdout.close()


def children(pid: int) -> list[int]:
    """The worker processes of a process."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                stat = (folder / "stat").read_text().rpartition(")")[2].split()
                command = (folder / "cmdline").read_bytes()
                if int(stat[1]) == pid and stat[0] != "Z" and b"spawn_main" in command:
                    found.append(int(folder.name))
    return found


def gone(pids: list[int], seconds: float = 10) -> bool:
    """Whether processes end within some time."""
    end = time.monotonic() + seconds
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
