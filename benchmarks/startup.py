"""How long does a user wait before gametree thinks: the first `analyze` of a game, the next one, `import`, `--help`?

    python benchmarks/startup.py --runs 5
    python benchmarks/startup.py --runs 5 --against ../other-checkout

Every figure is the median over fresh processes. "Cold" has an empty cache directory of its own each time, "warm" one
that an earlier process has filled. Seconds are those of the processor, of the whole process, from the start of Python
to the answer, so that whatever is imported on the way counts and other work on the machine hardly does. With
`--against`, another checkout runs in turns with this one, and the last column is this one's part of its time.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from smallest import parse

SMALLEST = "--runs 1 --games tic-tac-toe"
HERE = Path(__file__).resolve().parent.parent
GAMES = ("tic-tac-toe", "connect-four", "chess")

ANALYZE = """
import sys, time
import gametree as gt
gt.analyze(gt.games.load(sys.argv[1]), limit=gt.Limit(depth=2), compile="always")
print(time.process_time())
"""
IMPORT = "import time, gametree; print(time.process_time())"
HELP = """
import contextlib, io, sys, time
sys.argv = ["gametree", "--help"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    from gametree.app.cli import main
    main()
print(time.process_time())
"""


def seconds(checkout: Path, cache: Path, script: str, *arguments: str) -> float:
    """What a script costs the processor, in a process of its own that runs the package of a checkout."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(checkout / "src"),
        "GAMETREE_CACHE_DIR": str(cache),
    }
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise SystemExit(f"the measured process failed in {checkout}:\n{done.stderr}")
    return float(done.stdout.splitlines()[-1])


def measure(checkouts: list[Path], games: list[str], runs: int) -> dict[str, list[list[float]]]:
    """The seconds of each figure, of each checkout, of each run."""
    figures: dict[str, list[list[float]]] = defaultdict(lambda: [[] for _ in checkouts])
    with tempfile.TemporaryDirectory() as folder:
        for number in range(runs + 1):
            for place, checkout in enumerate(checkouts):
                warm = Path(folder, f"warm-{place}")
                found = {"import gametree": seconds(checkout, warm, IMPORT)}
                found["gametree --help"] = seconds(checkout, warm, HELP)
                for game in games:
                    # The first round fills the warm cache, and Python's own of bytecode: it does not count.
                    cold = Path(folder, f"cold-{place}-{number}-{game}") if number else warm
                    found[f"analyze {game}, cold"] = seconds(checkout, cold, ANALYZE, game)
                    found[f"analyze {game}, warm"] = seconds(checkout, warm, ANALYZE, game)
                for name, figure in found.items():
                    if number:
                        figures[name][place].append(figure)
    return figures


def table(figures: dict[str, list[list[float]]], names: list[str]) -> str:
    rows = [["CPU seconds", *names, *(["ratio"] if len(names) > 1 else [])]]
    for name, editions in sorted(figures.items()):
        medians = [statistics.median(runs) for runs in editions]
        ratio = [f"{medians[0] / medians[1]:.2f}"] if len(medians) > 1 else []
        rows.append([name, *(f"{median:.2f}" for median in medians), *ratio])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))])
        for row in rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="How long gametree takes before it thinks.")
    parser.add_argument("--runs", type=int, default=5, help="fresh processes for each figure (default: 5)")
    parser.add_argument("--against", type=Path, help="another checkout, which runs in turns with this one")
    parser.add_argument("--games", nargs="+", default=list(GAMES), help=f"(default: {' '.join(GAMES)})")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    options = parse(parser, SMALLEST)
    if options.runs < 1:
        parser.error("--runs is at least 1")
    if options.against is not None and not (options.against / "src" / "gametree").is_dir():
        parser.error(f"{options.against} is not a checkout of gametree")
    checkouts = [HERE] + ([options.against.resolve()] if options.against else [])
    figures = measure(checkouts, options.games, options.runs)
    if options.json:
        print(json.dumps({"checkouts": [str(path) for path in checkouts], "seconds": figures}, indent=2))
        return
    print(
        f"{options.runs} fresh processes for each figure, medians; Python {platform.python_version()},"
        f" Numba {importlib.metadata.version('numba')}\n"
    )
    print(table(figures, ["this", "other"][: len(checkouts)]))


if __name__ == "__main__":
    main()
