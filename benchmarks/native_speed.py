"""Does a plain Python game class search at native speed, and how does that compare with the peers?

    pip install "gametree[bench]"
    python benchmarks/native_speed.py                       the empty board
    python benchmarks/native_speed.py --moves 4444432555 --depth 17     a position from the middle of a game

One Connect Four position, alpha-beta without a table, a fixed move order, 0 at the horizon. A node is a
call of the value function, the root included (a form that looks at the ends of the game without a call
counts them all the same). Contestants that are slow search fewer plies, as deep as fits their node budget;
the table says how deep, and it is nodes per second that are compared. `--same-depth` gives every Connect
Four contestant the same depth instead (below some 10 plies the fast ones then show what a call costs from
Python, not what a node costs).

The machine may be noisy, so every run of a contestant is paired with a run of gametree right beside it,
over several rounds; a ratio is the median over the rounds of gametree's rate divided by the contestant's in
the same pair. Before anything is timed, gametree and the hand-written searches have to agree on nodes and
value, and so do OpenSpiel's search and ours with OpenSpiel's move order. The peers' nodes are counted in a
run that is not timed.

A ratio that falls short is printed as such; the exit code is 0, for this is a measurement and not a test.
"""

import argparse
import importlib
import importlib.metadata
import json
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import connect_four_numba as by_hand
import gametree as gt
from connect_four_numba import CENTRE_FIRST, LEFT_TO_RIGHT, Position, Run
from peers import NotHereError, imported
from smallest import parse

SMALLEST = "--rounds 1 --depth 6"
ENOUGH = 0.05  # seconds: a run that is shorter is repeated, or the clock would be measured


NOTE_ON_RATIOS = """
ratio: gametree's nodes/s, compiled, over the contestant's. Where none is asked for, the row is there to
compare with: the search by hand with every node a call, as the textbook writes it."""
NOTE_ON_OPENSPIEL = """\
OpenSpiel: algorithms/minimax.py with its own move order (left to right), on a game it has in C++ and on one
it has in Python (another game: only nodes/s compare). Its C++ alpha-beta has no Python binding."""
NOTE_ON_EASYAI = "easyAI: the Connect Four that is in its wheel, with its own move order and scoring."


@dataclass
class Contestant:
    """Somebody who searches: `run` does it once and tells nodes and seconds."""

    key: str
    label: str
    version: str
    depth: int
    asked: float | None
    run: Callable[[], Run]
    runs: list[Run] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return statistics.median(run.nodes / run.seconds for run in self.runs)

    @property
    def ratio(self) -> float | None:
        return statistics.median(self.ratios) if self.ratios else None

    @property
    def verdict(self) -> str:
        if self.asked is None or self.ratio is None:
            return ""
        return "ok" if self.ratio >= self.asked else "short"


@dataclass(frozen=True)
class Task:
    """The position, and how deep to search it."""

    moves: tuple[int, ...]
    depth: int
    same_depth: bool

    @property
    def start(self) -> Position:
        return by_hand.position(self.moves)

    @property
    def text(self) -> str:
        return "".join(str(column + 1) for column in self.moves)


# --- gametree --------------------------------------------------------------------------------------------


def zero(state: Any, player: int) -> float:
    """The evaluation at the horizon, the same for everybody."""
    return 0.0


def gametree_run(task: Task, depth: int, mode: str) -> Callable[[], Run]:
    game = gt.games.load("connect-four")
    state = game.initial()
    for column in task.moves:
        state = game.result(state, column)

    def run() -> Run:
        began = time.perf_counter()
        analysis = gt.alphabeta(game, state, depth=depth, evaluation=zero, compile=mode)
        whole = time.perf_counter() - began
        assert analysis.value is not None
        return Run(analysis.nodes, analysis.seconds, float(analysis.value), whole)

    return run


def compiled(task: Task) -> Contestant:
    run = gametree_run(task, task.depth, "always")
    return Contestant("gametree", "gametree, compiled", gt.__version__, task.depth, None, run)


def interpreted(task: Task) -> Contestant:
    depth = fitting(task, CENTRE_FIRST, 800_000)
    run = gametree_run(task, depth, "never")
    agree("gametree, interpreted", run(), reference(task, CENTRE_FIRST, depth))
    return Contestant("interpreted", "gametree, interpreted", gt.__version__, depth, 200, run)


# --- the peers -------------------------------------------------------------------------------------------


def openspiel_cpp_game(task: Task) -> Contestant:
    pyspiel, minimax = openspiel()
    depth = fitting(task, LEFT_TO_RIGHT, 800_000)
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in task.moves:
        state.apply_action(column)

    def search() -> Any:
        return minimax.alpha_beta_search(
            game, state=state, value_function=lambda state: 0.0, maximum_depth=depth
        )[0]

    run = timed(search, counted(minimax, "_alpha_beta", search))
    agree("OpenSpiel", run(), reference(task, LEFT_TO_RIGHT, depth))
    label = "OpenSpiel alpha-beta, its C++ Connect Four"
    return Contestant("openspiel", label, openspiel_version(), depth, 80, run)


def openspiel_python_game(task: Task) -> Contestant:
    pyspiel, minimax = openspiel()
    importlib.import_module("open_spiel.python.games.tic_tac_toe")  # registers the game
    game = pyspiel.load_game("python_tic_tac_toe")

    def search() -> Any:
        return minimax.alpha_beta_search(game, maximum_depth=9)[0]

    run = timed(search, counted(minimax, "_alpha_beta", search))
    label = "OpenSpiel alpha-beta, its Python tic-tac-toe"
    return Contestant("openspiel-python", label, openspiel_version(), 9, 1000, run)


def easyai(task: Task) -> Contestant:
    library = imported("easyAI")
    games = imported("easyAI.games")
    # The attribute `easyAI.AI.Negamax` is the class; the module of that name has the function that recurs.
    module = sys.modules["easyAI.AI.Negamax"]
    depth = fitting(task, LEFT_TO_RIGHT, 8_000)
    algorithm = library.Negamax(depth)
    game = games.ConnectFour([library.AI_Player(algorithm), library.AI_Player(algorithm)])
    for column in task.moves:
        game.play_move(column)

    def search() -> Any:
        # easyAI asks the game's own scoring at the horizon: -100 where the game is lost, else 0. It adds a
        # bonus for quick wins, so that its nodes are near the textbook's but not the same: no check here.
        algorithm(game)
        return algorithm.alpha

    run = timed(search, counted(module, "negamax", search))
    label = "easyAI Negamax, its own Connect Four"
    return Contestant("easyai", label, importlib.metadata.version("easyAI"), depth, 5000, run)


def openspiel() -> tuple[Any, Any]:
    return imported("pyspiel"), imported("open_spiel.python.algorithms.minimax")


def openspiel_version() -> str:
    return importlib.metadata.version("open_spiel")


def counted(module: Any, name: str, search: Callable[[], Any]) -> int:
    """How often a search calls this recursive function of a module, from a run that nobody times."""
    original = getattr(module, name)
    calls = 0

    def counting(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return original(*args, **kwargs)

    setattr(module, name, counting)
    try:
        search()
    finally:
        setattr(module, name, original)
    return calls


def timed(search: Callable[[], Any], nodes: int) -> Callable[[], Run]:
    """The search as it is, with the nodes that were counted before: it is deterministic."""

    def run() -> Run:
        began = time.perf_counter()
        value = search()
        seconds = time.perf_counter() - began
        return Run(nodes, seconds, float(value))

    return run


# --- the same search by hand -----------------------------------------------------------------------------


def numba_by_hand(task: Task, form: str, asked: float | None) -> Contestant:
    search = by_hand.build(CENTRE_FIRST, form)
    start = task.start
    label = "by hand in Numba" + ("" if form == "inlined" else ", every node a call")
    key = "numba" if form == "inlined" else "numba-calls"
    version = importlib.metadata.version("numba")
    return Contestant(key, label, version, task.depth, asked, lambda: search(start, task.depth))


def cpp_by_hand(task: Task, form: str, asked: float | None, folder: Path) -> Contestant:
    compiler = shutil.which("g++")
    if compiler is None:
        raise NotHereError("there is no g++ on this machine")
    program = folder / "connect_four"
    if not program.exists():
        source = Path(__file__).with_name("connect_four.cpp")
        command = [compiler, "-O3", "-march=native", "-std=c++17", str(source), "-o", str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise NotHereError(f"g++ does not compile connect_four.cpp: {done.stderr.strip()}")
    version = subprocess.run([compiler, "-dumpfullversion"], capture_output=True, text=True).stdout.strip()

    def run() -> Run:
        command = [str(program), form, str(task.depth), task.text]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        nodes, seconds, value = done.stdout.split()
        return Run(int(nodes), float(seconds), float(value))

    label = "by hand in C++ (-O3 -march=native)" + ("" if form == "inlined" else ", every node a call")
    key = "cpp" if form == "inlined" else "cpp-calls"
    return Contestant(key, label, f"g++ {version}", task.depth, asked, run)


# --- the rules of the contest ----------------------------------------------------------------------------


def reference(task: Task, columns: Sequence[int], depth: int) -> Run:
    """What the hand-written search finds with this move order."""
    return by_hand.build(columns)(task.start, depth)


def fitting(task: Task, columns: Sequence[int], budget: int) -> int:
    """The deepest search that stays within a budget of nodes."""
    if task.same_depth:
        return task.depth
    search = by_hand.build(columns)
    depth = 1
    while depth < task.depth and search(task.start, depth + 1).nodes <= budget:
        depth += 1
    return depth


def agree(who: str, run: Run, truth: Run) -> None:
    if (run.nodes, run.value) != (truth.nodes, truth.value):
        raise SystemExit(
            f"{who} does not search the same tree: {run.nodes:,} nodes and value {run.value:+g},"
            f" by hand it is {truth.nodes:,} nodes and {truth.value:+g}. Nothing was measured."
        )


def enough(run: Callable[[], Run]) -> Run:
    """One measurement: the search, repeated until the clock can be trusted; the mean of the repetitions."""
    runs = [run()]
    while sum(each.seconds for each in runs) < ENOUGH:
        runs.append(run())
    return runs[0]._replace(seconds=statistics.fmean(each.seconds for each in runs))


def contest(ours: Contestant, others: Sequence[Contestant], rounds: int) -> None:
    for number in range(rounds):
        for other in others:
            # Who goes first changes from round to round: heat and neighbours favour nobody.
            pair = (ours, other) if number % 2 == 0 else (other, ours)
            rates = {}
            for contestant in pair:
                run = enough(contestant.run)
                contestant.runs.append(run)
                rates[contestant.key] = run.nodes / run.seconds
            other.ratios.append(rates[ours.key] / rates[other.key])
        print(f"round {number + 1} of {rounds} done", file=sys.stderr, flush=True)


# --- telling ---------------------------------------------------------------------------------------------


def table(contestants: Sequence[Contestant]) -> str:
    rows = [
        ("contestant", "version", "depth", "nodes", "seconds", "nodes/s", "ratio", "min-max", "asked", "")
    ]
    for one in contestants:
        middle = sorted(one.runs, key=lambda run: run.nodes / run.seconds)[len(one.runs) // 2]
        ratio = one.ratio
        rows.append(
            (
                one.label,
                one.version,
                str(one.depth),
                f"{middle.nodes:,}",
                f"{middle.seconds:.3f}",
                f"{one.rate:,.0f}",
                "" if ratio is None else number_text(ratio),
                "" if ratio is None else f"{number_text(min(one.ratios))}-{number_text(max(one.ratios))}",
                "" if one.asked is None else f"{one.asked:,g}",
                one.verdict,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[i].ljust(width) if i < 2 else row[i].rjust(width) for i, width in enumerate(widths)]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(len(line) for line in lines))
    return "\n".join(lines)


def number_text(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def as_json(task: Task, contestants: Sequence[Contestant], absent: dict[str, str]) -> str:
    return json.dumps(
        {
            "position": task.text,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "absent": absent,
            "contestants": [
                {
                    "key": one.key,
                    "label": one.label,
                    "version": one.version,
                    "depth": one.depth,
                    "nodes_per_second": one.rate,
                    "runs": [run._asdict() for run in one.runs],
                    "ratio": one.ratio,
                    "ratios": one.ratios,
                    "asked": one.asked,
                    "verdict": one.verdict,
                }
                for one in contestants
            ],
        },
        indent=2,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        entrants: dict[str, Callable[[Task], Contestant]] = {
            "interpreted": interpreted,
            "openspiel-python": openspiel_python_game,
            "openspiel": openspiel_cpp_game,
            "easyai": easyai,
            "numba": lambda task: numba_by_hand(task, "inlined", 0.7),
            "cpp": lambda task: cpp_by_hand(task, "inlined", 0.5, Path(folder)),
            "numba-calls": lambda task: numba_by_hand(task, "calls", None),
            "cpp-calls": lambda task: cpp_by_hand(task, "calls", None, Path(folder)),
        }
        parser = argparse.ArgumentParser(description="gametree beside its peers on one position.")
        parser.add_argument("--rounds", type=int, default=5, help="how often everybody searches (default: 5)")
        parser.add_argument("--depth", type=int, default=15, help="plies for the fast ones (default: 15)")
        parser.add_argument("--moves", default="", help="columns played before (1 to 7), as in 4444432555")
        parser.add_argument("--same-depth", action="store_true", help="the slow ones search as deep, too")
        parser.add_argument(
            "--skip",
            action="append",
            default=[],
            choices=list(entrants),
            metavar="PEER",
            help=f"leave one out; may be repeated: {', '.join(entrants)}",
        )
        parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
        options = parse(parser, SMALLEST)
        try:
            task = Task(tuple(int(c) - 1 for c in options.moves), options.depth, options.same_depth)
            start = task.start
        except ValueError as error:
            parser.error(f"--moves {options.moves}: {error}")
        if options.rounds < 1 or options.depth < 1:
            parser.error("--rounds and --depth are at least 1")

        ours = compiled(task)
        truth = by_hand.build(CENTRE_FIRST)(start, task.depth)
        agree("gametree, compiled", ours.run(), truth)
        others, absent = [], {}
        for key, enter in entrants.items():
            if key in options.skip:
                absent[key] = "left out on request"
                continue
            try:
                other = enter(task)
            except NotHereError as reason:
                absent[key] = str(reason)
                continue
            if key in ("numba", "cpp", "numba-calls", "cpp-calls"):
                agree(other.label, other.run(), truth)
            others.append(other)
        contest(ours, others, options.rounds)

        if not others:
            raise SystemExit("nobody is left to compare with")
        if options.json:
            print(as_json(task, [ours, *others], absent))
            return
        where = f"after {task.text}" if task.text else "on the empty board"
        print(f"Connect Four {where}, alpha-beta without a table; {options.rounds} rounds, medians")
        print(
            f"Python {platform.python_version()}, Numba {importlib.metadata.version('numba')},"
            f" NumPy {importlib.metadata.version('numpy')}, {platform.system()} {platform.machine()}\n"
        )
        print(table([ours, *others]))
        print(NOTE_ON_RATIOS)
        seconds = statistics.median(run.seconds for run in ours.runs)
        whole = statistics.median(run.whole for run in ours.runs)
        print(
            f"gametree: seconds are by its own clock, {seconds:.3f} for the search; the whole call, which"
            f"\nalso recovers the line of play, takes {whole:.3f}. Its nodes leave that out, too."
        )
        if "openspiel" not in absent or "openspiel-python" not in absent:
            print(NOTE_ON_OPENSPIEL)
        if "easyai" not in absent:
            print(NOTE_ON_EASYAI)
        for key, why in absent.items():
            print(f"{key}: not run, {why}")


if __name__ == "__main__":
    main()
