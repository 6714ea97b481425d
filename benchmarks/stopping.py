"""How long does a search go on after its time is up, after `stop()`, after Ctrl-C? And how much memory does it take?

    python benchmarks/stopping.py
    python benchmarks/stopping.py --method mcts
    python benchmarks/stopping.py --searches 40 --most 0.2 --cancels 20 --games connect-four

The overshoot of a deadline is how much later than asked `analyze` returned, over searches whose time is drawn between
--least and --most seconds (as many short ones as long ones, by their logarithm), on positions from random play. A
search that is proven before its time is not counted, and another is drawn. Between two searches a loop that does
nothing but read the clock is asked to end after 20 ms: how late that is, is what the machine adds. On a virtual
machine the host may take a processor away; where the system tells (/proc/stat, in hundredths of a second), the searches
from which nothing was taken stand in a line of their own. `stop()` is called from another thread and Ctrl-C arrives as
a signal while a search without a limit is under way; the latency is the time from there until `analyze` has returned,
or has raised KeyboardInterrupt.

Memory is measured in a process of its own for each game: what it had when everything was compiled, and the most it
had while it searched. The limit allows the table, or the tree, and 32 MB on top.

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
from gametree.search.mcts.search import MonteCarlo
from refusal import refuse
from smallest import parse

SMALLEST = "--games connect-four --searches 3 --most 0.05 --cancels 1"
GAMES = {
    "engine": ("connect-four", "othello", "checkers", "chess"),
    "mcts": ("connect-four", "othello", "checkers", "go", "backgammon"),
}
Thinker = Engine | MonteCarlo
STATUS = Path("/proc/self/status")
STAT = Path("/proc/stat")
LOOP = 0.02
"""Seconds after which the loop that does nothing is to end."""


def thinker(method: str, name: str, megabytes: float, threads: int) -> Thinker:
    """A search for a game, compiled."""
    game = gt.games.load(name)
    made: Thinker
    if method == "mcts":
        made = MonteCarlo(game, memory_mb=megabytes, threads=threads)
    else:
        made = Engine(game, hash_mb=megabytes, threads=threads)
    made.prepare()
    return made


def midgame(game: gt.Game, rng: random.Random) -> Any:
    """A position after some random moves, at which a player moves."""
    state = game.initial()
    moves = rng.randrange(4, 14)
    while moves or game.player(state) == gt.CHANCE:
        by_chance = game.player(state) == gt.CHANCE
        steps = [outcome for outcome, _ in game.chance(state)] if by_chance else list(game.actions(state))
        after = game.result(state, rng.choice(steps))
        if game.is_terminal(after):
            break
        moves -= not by_chance
        state = after
    return state


def stolen() -> int:
    """What the host has taken from all processors so far, in ticks; 0 where nobody tells."""
    if not STAT.exists():
        return 0
    fields = STAT.read_text().split("\n", 1)[0].split()
    return int(fields[8]) if len(fields) > 8 else 0


def idle_loop() -> float:
    """By how many seconds a loop that does nothing else is late."""
    until = time.perf_counter() + LOOP
    while time.perf_counter() < until:
        pass
    return time.perf_counter() - until


def overshoots(
    engines: Sequence[Thinker],
    searches: int,
    least: float,
    most: float,
    undisturbed: list[float],
    idle: list[float],
) -> list[float]:
    """By how many seconds `analyze` was late.

    `undisturbed` gets those where the host took nothing, `idle` how late a loop is that does nothing.
    """
    rng = random.Random(1)
    late: list[float] = []
    while len(late) < searches:
        engine = engines[len(late) % len(engines)]
        seconds = math.exp(rng.uniform(math.log(least), math.log(most)))
        state = midgame(engine.game, rng)
        taken = stolen()
        began = time.perf_counter()
        found = engine.analyze(state, gt.Limit(seconds=seconds))
        elapsed = time.perf_counter() - began
        if found.stopped_by == "seconds":
            late.append(elapsed - seconds)
            if stolen() == taken:
                undisturbed.append(elapsed - seconds)
            idle.append(idle_loop())
    return late


def cancellations(engines: Sequence[Thinker], count: int) -> list[float]:
    """Seconds from `stop()` until the search on another thread has returned."""
    rng = random.Random(2)
    waits: list[float] = []
    while len(waits) < count:
        engine = engines[len(waits) % len(engines)]
        state = midgame(engine.game, rng)
        found: list[Any] = []

        def search(engine: Thinker = engine, state: Any = state, found: list[Any] = found) -> None:
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


def interruptions(engines: Sequence[Thinker], count: int) -> list[float]:
    """Seconds from Ctrl-C until KeyboardInterrupt is raised where `analyze` was called."""
    rng = random.Random(3)
    waits: list[float] = []
    main = threading.main_thread().ident
    assert main is not None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin deaf to it
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


def memory_child(asked: argparse.Namespace) -> None:
    """The measured process: prints what it had after compiling and the most it had while searching."""
    engine = thinker(asked.method, asked.memory_child, asked.hash_mb, asked.threads)
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak counts from here on
    engine.analyze(midgame(engine.game, random.Random(4)), limit=gt.Limit(seconds=asked.memory_seconds))
    print(json.dumps({"before": before, "peak": status("VmHWM")}))


def memory(name: str, asked: argparse.Namespace) -> dict[str, float]:
    command = [sys.executable, __file__, "--memory-child", name, "--method", asked.method]
    command += ["--hash-mb", str(asked.hash_mb), "--memory-seconds", str(asked.memory_seconds)]
    command += ["--threads", str(asked.threads)]
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
    parser.add_argument("--method", choices=list(GAMES), default="engine", help="whose searches (engine)")
    parser.add_argument("--games", nargs="+", help="by default " + "; ".join(map(", ".join, GAMES.values())))
    parser.add_argument("--searches", type=int, default=1000, help="deadlines to keep")
    parser.add_argument("--least", type=float, default=0.01, help="the shortest deadline, in seconds")
    parser.add_argument("--most", type=float, default=2.0, help="the longest")
    parser.add_argument("--cancels", type=int, default=200, help="calls of stop(), and as many Ctrl-C")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash-mb", type=float, default=64, help="the table, or the tree, in megabytes (64)")
    parser.add_argument(
        "--memory-seconds", type=float, default=5.0, help="how long each game fills its table"
    )
    parser.add_argument("--memory-child", help=argparse.SUPPRESS)
    return parse(parser, SMALLEST, argv)


def main(argv: Sequence[str] | None = None) -> None:
    asked = arguments(argv)
    if asked.memory_child:
        memory_child(asked)
        return
    games = asked.games or GAMES[asked.method]
    engines = []
    for name in games:
        engines.append(thinker(asked.method, name, asked.hash_mb, asked.threads))
        engines[-1].analyze(midgame(engines[-1].game, random.Random(0)), limit=gt.Limit(seconds=0.1))
    undisturbed: list[float] = []
    idle: list[float] = []
    print(f"{asked.method}: {', '.join(games)}; {asked.threads} thread(s), {asked.hash_mb:g} MB\n")
    parts: list[tuple[str, Callable[[], list[float]], float, float | None]] = [
        (
            "after the deadline",
            lambda: overshoots(engines, asked.searches, asked.least, asked.most, undisturbed, idle),
            10,
            50,
        ),
        ("after stop()", lambda: cancellations(engines, asked.cancels), 20, None),
        ("after Ctrl-C", lambda: interruptions(engines, asked.cancels), 20, None),
    ]
    for title, measure, p99, most in parts:
        report(title, measure(), p99, most)
    report("a loop that does nothing", idle, 10, 50)
    if undisturbed:
        report("deadline, host took nothing", undisturbed, 10, 50)
    print()
    if not STATUS.exists():
        print("memory: this system has no /proc/self/status to read it from")
        return
    for name in games:
        found = memory(name, asked)
        more = found["peak"] - found["before"] - asked.hash_mb
        verdict = "ok" if more <= 32 else "TOO MUCH"
        print(
            f"{name:<28} compiled {found['before']:6.1f} MB   peak {found['peak']:6.1f} MB"
            f"   beyond the table {more:+6.1f} MB   asked: ≤ 32 MB   {verdict}"
        )


if __name__ == "__main__":
    try:
        main()
    except gt.GametreeError as error:
        refuse(error)
