"""What are two processes worth against one, and a Dask cluster of two workers against two processes?

    python benchmarks/sharing.py
    python benchmarks/sharing.py --tasks 20 --seconds 1 --runs 3

Tasks of about a second, by pure Python that uses the processor alone, are carried out by one process, by two, and by
a cluster of two workers on this machine; perft of Othello by one and by two. They take turns, and of each the best
run counts, so that whatever else the machine does meets all alike. It wants two idle cores: beside the time, the
processor time that all processes took is printed, which tells what sharing itself costs on a machine that is not idle.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gametree as gt
from gametree.errors import InputError
from gametree.jobs.cluster import Cluster
from gametree.jobs.pool import Pool
from gametree.jobs.spread import Task, spread
from smallest import parse

SMALLEST = "--tasks 2 --seconds 0.05 --runs 1 --depth 3"
ASKED_POOL, ASKED_CLUSTER = 1.9, 0.9


@dataclass(frozen=True)
class Work:
    """Counts, in pure Python, as far as a task says."""

    def open(self) -> Callable[[int], dict[str, Any]]:
        return self.count

    def count(self, number: int) -> dict[str, Any]:
        began = time.process_time()
        total = 0
        for one in range(number):
            total += one & 3
        return {"total": total, "cpu": time.process_time() - began}


def rate() -> int:
    """How far is counted in a second of this processor."""
    work, number = Work(), 1 << 20
    return int(number / max(work.count(number)["cpu"], 1e-6))


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """Two workers on this machine, in processes of their own."""
    key = folder / "cluster.pem"
    command = [sys.executable, "-m", "gametree", "cluster", "start", "--workers", "2", "--port", "0"]
    process = subprocess.Popen([*command, "--cluster-key", str(key)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        with Cluster(address, key, patience=60) as found:
            yield found
    finally:
        process.terminate()
        process.communicate()


def timed(tasks: list[Task], executor: Any) -> tuple[float, float]:
    """Seconds, and seconds of processors that the tasks themselves took."""
    began = time.perf_counter()
    done = [one.result or {} for one in spread(Work(), tasks, executor=executor)]
    return time.perf_counter() - began, sum(one["cpu"] for one in done)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=20, help="how many tasks")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long one takes, about")
    parser.add_argument("--runs", type=int, default=3, help="how often everybody takes a turn")
    parser.add_argument("--depth", type=int, default=10, help="of perft of Othello")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parse(parser, SMALLEST)
    each = int(rate() * given.seconds)
    tasks = [Task(f"task {n}", each + n) for n in range(given.tasks)]
    warm = [Task(f"warm {n}", n) for n in range(8)]
    game = gt.games.Othello()
    took: dict[str, list[float]] = {}
    cpu: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        who: dict[str, Any] = {
            "one process": stack.enter_context(Pool(1)),
            "two": stack.enter_context(Pool(2)),
        }
        try:
            who["Dask, two workers"] = stack.enter_context(cluster(folder))
        except InputError as error:
            print(f"Dask was not run: {error}", file=sys.stderr)
        for executor in who.values():
            timed(warm, executor)
            gt.perft(game, min(given.depth, 6), executor=executor)
        for _ in range(given.runs):
            for name, executor in who.items():
                seconds, used = timed(tasks, executor)
                took.setdefault(name, []).append(seconds)
                cpu.setdefault(name, []).append(used)
                began = time.perf_counter()
                gt.perft(game, given.depth, executor=executor)
                took.setdefault(f"perft, {name}", []).append(time.perf_counter() - began)
    best = {name: min(times) for name, times in took.items()}
    ratios = {
        f"two processes against one (asked {ASKED_POOL})": best["one process"] / best["two"],
        "two processes against one, perft": best["perft, one process"] / best["perft, two"],
    }
    if "Dask, two workers" in best:
        ratios[f"Dask against two processes (asked {ASKED_CLUSTER})"] = (
            best["two"] / best["Dask, two workers"]
        )
        ratios["Dask against two processes, perft"] = best["perft, two"] / best["perft, Dask, two workers"]
    if given.json:
        print(
            json.dumps(
                {"seconds": best, "cpu": {n: min(t) for n, t in cpu.items()}, "ratios": ratios}, indent=2
            )
        )
        return
    print(
        f"{given.tasks} tasks of {given.seconds:g} s; perft({given.depth}) of Othello; load {os.getloadavg()[0]:.1f}"
    )
    for name, seconds in best.items():
        processors = f"  tasks took {min(cpu[name]):8.2f} s of processors" if name in cpu else ""
        print(f"  {name:<28} {seconds:8.2f} s{processors}")
    for name, ratio in ratios.items():
        print(f"  {name:<48} {ratio:.3f}")


if __name__ == "__main__":
    main()
