"""A match is killed at random moments, or a process that plays for it: what comes of it is what would have been."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.same_in_all_modes

WORDS = ["match", "connect-four", "level:1", "mcts:simulations=60,compile=never", "--games", "24"]


def command(file: Path) -> list[str]:
    words = [*WORDS, "--openings", "start", "--most-plies", "20", "--jobs", "2"]
    return [sys.executable, "-m", "gametree", *words, "--results", str(file)]


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True)
    lines = [line.split(None, 1) for line in found.stdout.splitlines()]
    return [int(line[0]) for line in lines if "spawn_main" in line[-1]]


def killed(file: Path, draws: random.Random, whom: str) -> bool:
    """Whether the match was hit before it was over."""
    with subprocess.Popen(command(file), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        end = time.monotonic() + draws.uniform(0.5, 8.0)
        while time.monotonic() < end and process.poll() is None:
            time.sleep(0.02)
        if process.poll() is not None:
            return False
        if whom == "match":
            process.kill()
        else:
            for pid in children(process.pid)[:1]:
                os.kill(pid, signal.SIGKILL)
            process.wait()
        return True


def check(folder: Path, times: int) -> None:
    draws = random.Random(33)
    whole = folder / "whole.jsonl"
    subprocess.run(command(whole), check=True, capture_output=True)
    expected = whole.read_bytes()
    file, hits = folder / "r.jsonl", 0
    while hits < times:
        assert not file.exists() or expected.startswith(file.read_bytes()[:200])
        hits += killed(file, draws, draws.choice(["match", "worker"]))
        if file.exists() and file.read_bytes() == expected:
            assert (
                not file.with_name("r.jsonl.waiting").exists()
                or subprocess.run(command(file)).returncode == 0
            )
            file.unlink()
    subprocess.run(command(file), check=True, capture_output=True)
    assert file.read_bytes() == expected
    assert sorted(one.name for one in folder.iterdir()) == ["r.jsonl", "whole.jsonl"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="asks ps for processes")
def test_a_match_that_is_killed_a_hundred_times_comes_to_the_same(tmp_path: Path) -> None:
    check(tmp_path, 100)
