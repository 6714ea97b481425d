"""How long does a user wait before gametree thinks: compiling, loading from the cache, importing, `--help`?

    python benchmarks/startup.py --runs 5

Every figure is the median over fresh processes. "Cold" has an empty cache directory of its own each time,
"cached" one that an earlier process has filled (GAMETREE_CACHE_DIR says where it is). The first call is
Connect Four, alpha-beta, one ply, compiled; it is timed in a process that has imported gametree and nothing
else, so that whatever the first call imports is in the figure, and once more with Numba imported before, to
tell the two apart.

A figure that is too long is printed as such; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import importlib
import importlib.metadata
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def zero(state: Any, player: int) -> float:
    """The same evaluation as in native_speed.py."""
    return 0.0


def first_call(numba_before: bool) -> None:
    """The measured process: prints the seconds that the import and the first call took."""
    began = time.perf_counter()
    import gametree as gt

    imported = time.perf_counter()
    if numba_before:
        importlib.import_module("numba")
    ready = time.perf_counter()
    gt.alphabeta(gt.games.load("connect-four"), depth=1, evaluation=zero, compile="always")
    done = time.perf_counter()
    print(json.dumps({"import": imported - began, "call": done - ready, "both": done - began}))


def child(cache: Path, *, numba_before: bool = False) -> dict[str, float]:
    command = [sys.executable, __file__, "--child"] + (["--numba-before"] if numba_before else [])
    done = subprocess.run(command, capture_output=True, text=True, env=environment(cache))
    if done.returncode:
        raise SystemExit(f"the measured process failed:\n{done.stderr}")
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "GAMETREE_CACHE_DIR": str(cache)}


def help_command() -> list[str]:
    """`gametree --help` as it is installed beside this Python, or the module where no script is installed."""
    script = shutil.which("gametree", path=str(Path(sys.executable).parent))
    return [script, "--help"] if script else [sys.executable, "-m", "gametree", "--help"]


def help_seconds(cache: Path) -> float | None:
    """None where the command fails: the other figures are worth having all the same."""
    began = time.perf_counter()
    done = subprocess.run(help_command(), capture_output=True, text=True, env=environment(cache))
    seconds = time.perf_counter() - began
    return None if done.returncode else seconds


def measure(runs: int) -> dict[str, list[float]]:
    figures: dict[str, list[float]] = {name: [] for name in ASKED}
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder, "filled")
        child(filled)  # fills the cache, and writes the bytecode files that a first import leaves behind
        help_seconds(filled)
        for number in range(runs):
            cold = child(Path(folder, f"cold-{number}"))
            figures["first call, cold"].append(cold["call"])
            numba = child(Path(folder, f"cold-numba-{number}"), numba_before=True)
            figures["first call, cold, Numba imported before"].append(numba["call"])
            cached = child(filled)
            figures["first call, cached"].append(cached["call"])
            figures["import gametree"].append(cached["import"])
            figures["import to first result, cached"].append(cached["both"])
            numba = child(filled, numba_before=True)
            figures["first call, cached, Numba imported before"].append(numba["call"])
            shown = help_seconds(filled)
            if shown is not None:
                figures["gametree --help"].append(shown)
    return figures


ASKED: dict[str, float | None] = {
    "first call, cold": 2.0,
    "first call, cold, Numba imported before": None,
    "first call, cached": 0.5,
    "first call, cached, Numba imported before": None,
    "import gametree": None,
    "import to first result, cached": 1.5,
    "gametree --help": 0.3,
}


def table(figures: dict[str, list[float]]) -> str:
    rows: list[Sequence[str]] = [("what", "median s", "min-max", "asked", "")]
    for name, seconds in figures.items():
        if not seconds:
            rows.append((name, "fails", "", "", ""))
            continue
        middle, asked = statistics.median(seconds), ASKED[name]
        verdict = "" if asked is None else "ok" if middle < asked else "too long"
        spread = f"{min(seconds):.3f}-{max(seconds):.3f}"
        rows.append((name, f"{middle:.3f}", spread, "" if asked is None else f"< {asked:g}", verdict))
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(row[i].rjust(widths[i]) for i in range(1, 5))]) for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *(line.rstrip() for line in lines[1:])])


def main() -> None:
    parser = argparse.ArgumentParser(description="How long gametree takes before it thinks.")
    parser.add_argument("--runs", type=int, default=5, help="fresh processes for each figure (default: 5)")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--numba-before", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        first_call(options.numba_before)
        return
    if options.runs < 1:
        parser.error("--runs is at least 1")
    figures = measure(options.runs)
    if options.json:
        print(json.dumps({"seconds": figures, "asked": ASKED}, indent=2))
        return
    print(
        f"Connect Four, alpha-beta, one ply; {options.runs} fresh processes for each figure; Python"
        f" {platform.python_version()}, Numba {importlib.metadata.version('numba')}\n"
    )
    print(table(figures))


if __name__ == "__main__":
    main()
