"""How long does a search go on after its time is up, after `stop()`, after Ctrl-C? And how much memory does it take?

    python benchmarks/stopping.py
    python benchmarks/stopping.py --searches 40 --most 0.2 --cancels 20 --games connect-four

The overshoot of a deadline is how much later than asked `analyze` returned, over searches whose time is drawn between
--least and --most seconds (as many short ones as long ones, by their logarithm), on positions from random play. A
search that is proven before its time is not counted, and another is drawn. `stop()` is called from another thread and
Ctrl-C arrives as a signal while a search without a limit is under way; the latency is the time from there until
`analyze` has returned, or has raised KeyboardInterrupt.

Memory is measured in a process of its own for each game: what it had when everything was compiled, and the most it
had while it searched. The limit allows the table and 32 MB on top.

A figure that is too high is printed as such; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import json
import math
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gametree as gt
from gametree.search.analyze import Engine

GAMES = ("connect-four", "othello", "checkers", "chess")
STATUS = Path("/proc/self/status")


def midgame(game: gt.Game, rng: random.Random) -> Any:
    """A position after some random moves."""
    state = game.initial()
    for _ in range(rng.randrange(4, 14)):
        after = game.result(state, rng.choice(list(game.actions(state))))
        if game.is_terminal(after):
            break
        state = after
    return state


def overshoots(engines: Sequence[Engine], searches: int, least: float, most: float) -> list[float]:
    """By how many seconds `analyze` was late."""
    rng = random.Random(1)
    late: list[float] = []
    while len(late) < searches:
        engine = engines[len(late) % len(engines)]
        seconds = math.exp(rng.uniform(math.log(least), math.log(most)))
        state = midgame(engine.game, rng)
        began = time.perf_counter()
        found = engine.analyze(state, gt.Limit(seconds=seconds))
        elapsed = time.perf_counter() - began
        if found.stopped_by == "seconds":
            late.append(elapsed - seconds)
    return late


def cancellations(engines: Sequence[Engine], count: int) -> list[float]:
    """Seconds from `stop()` until the search on another thread has returned."""
    rng = random.Random(2)
    waits: list[float] = []
    while len(waits) < count:
        engine = engines[len(waits) % len(engines)]
        state = midgame(engine.game, rng)
        found: list[Any] = []

        def search(engine: Engine = engine, state: Any = state, found: list[Any] = found) -> None:
            result = engine.analyze(state, gt.Limit())
            found.append((time.perf_counter(), result.stopped_by))

        thread = threading.Thread(target=search)
        thread.start()
        time.sleep(rng.uniform(0.01, 0.1))
        asked = time.perf_counter()
        engine.stop()
        thread.join()
        returned, reason = found[0]
        if reason == "cancelled":
            waits.append(returned - asked)
    return waits


def interruptions(engines: Sequence[Engine], count: int) -> list[float]:
    """Seconds from Ctrl-C until KeyboardInterrupt is raised where `analyze` was called."""
    rng = random.Random(3)
    waits: list[float] = []
    main = threading.main_thread().ident
    assert main is not None
    while len(waits) < count:
        engine = engines[len(waits) % len(engines)]
        state = midgame(engine.game, rng)
        sent: list[float] = []

        def press(sent: list[float] = sent) -> None:
            sent.append(time.perf_counter())
            signal.pthread_kill(main, signal.SIGINT)

        timer = threading.Timer(rng.uniform(0.02, 0.1), press)
        timer.start()
        try:
            engine.analyze(state, gt.Limit())
            timer.join()
            time.sleep(0.01)
        except KeyboardInterrupt:
            if sent:
                waits.append(time.perf_counter() - sent[0])
    return waits


# --- memory -------------------------------------------------------------------------------------------


def status(field: str) -> float:
    """A field of /proc/self/status, in megabytes."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field + ":"))
    return int(line.split()[1]) / 1024


def memory_child(name: str, hash_mb: float, seconds: float, threads: int) -> None:
    """The measured process: prints what it had after compiling and the most it had while searching."""
    game = gt.games.load(name)
    engine = Engine(game, hash_mb=hash_mb, threads=threads)
    engine.prepare()
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here on
    engine.analyze(limit=gt.Limit(seconds=seconds))
    print(json.dumps({"before": before, "peak": status("VmHWM")}))


def memory(name: str, hash_mb: float, seconds: float, threads: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--memory-child", name, "--hash-mb", str(hash_mb)]
    command += ["--memory-seconds", str(seconds), "--threads", str(threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the measured process failed:\n{done.stderr}")
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


# --- the page -----------------------------------------------------------------------------------------


def quantile(figures: Sequence[float], share: float) -> float:
    """The least figure that the given share of all does not exceed."""
    ordered = sorted(figures)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def report(title: str, figures: Sequence[float], p99: float, most: float | None) -> None:
    milliseconds = [figure * 1000 for figure in figures]
    half, late, worst = quantile(milliseconds, 0.5), quantile(milliseconds, 0.99), max(milliseconds)
    verdict = "ok" if late <= p99 and (most is None or worst <= most) else "TOO LATE"
    asked = f"p99 ≤ {p99:g} ms" + (f", max ≤ {most:g} ms" if most else "")
    print(
        f"{title:<28} {len(figures):5} searches   p50 {half:7.2f} ms   p99 {late:7.2f} ms   max {worst:7.2f} ms"
        f"   asked: {asked}   {verdict}"
    )


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--searches", type=int, default=1000, help="deadlines to keep")
    parser.add_argument("--least", type=float, default=0.01, help="the shortest deadline, in seconds")
    parser.add_argument("--most", type=float, default=2.0, help="the longest")
    parser.add_argument("--cancels", type=int, default=200, help="calls of stop(), and as many Ctrl-C")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash-mb", type=float, default=64)
    parser.add_argument(
        "--memory-seconds", type=float, default=5.0, help="how long each game fills its table"
    )
    parser.add_argument("--memory-child", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    asked = arguments(argv)
    if asked.memory_child:
        memory_child(asked.memory_child, asked.hash_mb, asked.memory_seconds, asked.threads)
        return
    engines = []
    for name in asked.games:
        engines.append(Engine(gt.games.load(name), hash_mb=asked.hash_mb, threads=asked.threads))
        engines[-1].prepare()
        engines[-1].analyze(limit=gt.Limit(seconds=0.1))
    print(f"{', '.join(asked.games)}; {asked.threads} thread(s), {asked.hash_mb:g} MB\n")
    parts: list[tuple[str, Callable[[], list[float]], float, float | None]] = [
        (
            "after the deadline",
            lambda: overshoots(engines, asked.searches, asked.least, asked.most),
            10,
            50,
        ),
        ("after stop()", lambda: cancellations(engines, asked.cancels), 20, None),
        ("after Ctrl-C", lambda: interruptions(engines, asked.cancels), 20, None),
    ]
    for title, measure, p99, most in parts:
        report(title, measure(), p99, most)
    print()
    if not STATUS.exists():
        print("memory: this system has no /proc/self/status to read it from")
        return
    for name in asked.games:
        found = memory(name, asked.hash_mb, asked.memory_seconds, asked.threads)
        more = found["peak"] - found["before"] - asked.hash_mb
        verdict = "ok" if more <= 32 else "TOO MUCH"
        print(
            f"{name:<28} compiled {found['before']:6.1f} MB   peak {found['peak']:6.1f} MB"
            f"   beyond the table {more:+6.1f} MB   asked: ≤ 32 MB   {verdict}"
        )


if __name__ == "__main__":
    main()
