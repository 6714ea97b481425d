"""How strong is the engine in checkers and Othello? Against OpenSpiel's C++ MCTS, and in Othello against grhino.

    pip install "gametree[bench]"; apt install grhino
    python benchmarks/strength_mcts.py --jobs 2
    python benchmarks/strength_mcts.py --games othello --opponents rhino --rhino-level 5

**Time.** Both sides have `--seconds` (0.2) a move. OpenSpiel's bot takes a time by the clock (`max_wall_clock_time`);
how long it takes for a move and how many simulations it makes in that time are measured at the start, on positions of
the openings, and printed. Ours is `Engine` with `Limit(seconds=…)`, one thread, its table emptied between games. grhino
knows no time, only levels from 1 to 5; its slowest move is printed beside ours.

**Games** begin with random plies that a short search of ours finds even, each opening with both sides.

**Rules.** OpenSpiel pays 1, 0 or −1 in Othello, ours the difference in discs; a match counts wins. In checkers the bot
thinks again, `--seconds`, for every jump of a capture with a choice. The match is played by OpenSpiel's draw rule, and
our engine knows it. What differs otherwise is in openspiel_games.py. Before a match both rules play 2,000 random
positions side by side and have to agree.
"""

import argparse
import functools
import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gametree as gt
from edition import edition
from gametree.arena.entrants import Contestant
from gametree.arena.match import Match, match
from gametree.arena.openings import Opening, Openings
from gametree.arena.playing import END
from gametree.games.othello import PASS
from gametree.search.analyze import Engine
from openspiel_games import Mcts, OpenSpielCheckers, actions_of, agree
from peers import located
from refusal import refuse
from smallest import parse

SMALLEST = "--games othello --count 2 --seconds 0.01 --rhino-level 1 --results {new}"
ASKED = 0.95


def load(name: str) -> gt.Game:
    return OpenSpielCheckers() if name == "checkers" else gt.games.load(name)


class Ours:
    """The engine, on the clock."""

    def __init__(self, name: str, seconds: float):
        self.engine = Engine(load(name))
        self.engine.prepare()
        self.limit = gt.Limit(seconds=seconds)

    def begin(self, seed: int) -> None:
        self.engine.clear()

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.engine.analyze(state, self.limit, history=history).action


def theirs(name: str, options: argparse.Namespace) -> Mcts:
    limit = gt.Limit(seconds=options.seconds)
    return Mcts(name, load(name), limit, options.exploration, options.rollouts)


def measured(name: str, options: argparse.Namespace, openings: Sequence[Opening]) -> str:
    """How many simulations OpenSpiel's bot makes in its time, and how long it takes."""
    counts, seconds = [], []
    for opening in openings:
        bot = theirs(name, options)
        path = [bot.game.initial()]
        for action in opening.actions:
            path.append(bot.game.result(path[-1], action))
        bot.follow(path)
        began = time.perf_counter()
        counts.append(bot.bot.mcts_search(bot.state).explore_count)
        seconds.append(time.perf_counter() - began)
    return (
        f"OpenSpiel's MCTS in {name}: {statistics.median(counts):.0f} simulations ({min(counts)} to {max(counts)})"
        f" in {statistics.median(seconds):.3f} s ({min(seconds):.3f} to {max(seconds):.3f}),"
        f" median of {len(openings)} openings"
    )


# --- grhino -----------------------------------------------------------------------------------------


def find_rhino() -> str | None:
    """The program that speaks GTP."""
    return located("gtp-rhino")


class Rhino:
    """Debian's grhino as a process of its own, spoken to in GTP."""

    def __init__(self, level: int):
        self.game = load("othello")
        program = find_rhino()
        assert program is not None
        self.process = subprocess.Popen(
            [program, f"--level={level}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.begin(0)

    def ask(self, command: str) -> str:
        """The answer to a GTP command: "= text" or "? reason", then an empty line."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines: list[str] = []
        while not lines or lines[-1].strip():
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"grhino ended at {command!r}")
            lines.append(line)
        answer = "".join(lines).strip()
        if not answer.startswith("="):
            raise RuntimeError(f"grhino refuses {command!r}: {answer}")
        return answer[1:].strip()

    def begin(self, seed: int) -> None:
        self.ask("clear_board")
        self.path: list[Any] = [self.game.initial()]

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        path = (*history, state)
        known = len(self.path)
        for before, action in zip(path[known - 1 :], actions_of(self.game, path[known - 1 :])):
            if action == PASS:  # grhino passes by itself, and does not know the word
                continue
            self.ask(f"play {'bw'[self.game.player(before)]} {self.game.name_action(before, action)}")
        said = self.ask(f"genmove {'bw'[self.game.player(state)]}").lower()
        action = self.game.parse_action(state, said)
        # grhino has made its move on its own board.
        self.path = [*path, self.game.result(state, action)]
        return action


# --- the matches ------------------------------------------------------------------------------------


def opponent(kind: str, name: str, options: argparse.Namespace) -> Contestant:
    if kind == "rhino":
        return Contestant(
            f"grhino level {options.rhino_level}", functools.partial(Rhino, options.rhino_level)
        )
    label = f"OpenSpiel MCTS {options.seconds:g} s, c {options.exploration:g}, {options.rollouts} rollouts"
    return Contestant(label, functools.partial(theirs, name, options))


def meet(kind: str, name: str, options: argparse.Namespace) -> Match:
    game = load(name)
    book = Openings(game, seed=options.seed)
    if kind == "mcts":
        agree(name, load(name))
        print(measured(name, options, book.take(10)), flush=True)
    ours = f"gametree {options.seconds:g} s, edition {edition('search', 'games')}"
    return match(
        game,
        Contestant(ours, functools.partial(Ours, name, options.seconds)),
        opponent(kind, name, options),
        games=options.count,
        seed=options.seed,
        openings=book,
        results=Path(options.results) / f"{name}-{kind}.jsonl",
        jobs=options.jobs,
        on_progress=functools.partial(progress, f"{name} against {kind}"),
    )


def progress(label: str, so_far: Match) -> None:
    print(f"\r{label}: {so_far.score}".ljust(120), end="", file=sys.stderr, flush=True)


def report(kind: str, played: Match) -> str:
    slowest = "slowest moves: {:.2f} s and {:.2f} s".format(*played.slowest)
    if kind == "rhino":
        return f"{played}\n  {slowest}"
    score = played.score
    verdict = "reached" if score.share >= ASKED else "missed"
    if set(played.reasons) != {END}:
        verdict = "unclear: not all games were played to their end"
    return f"{played}\n  {slowest}\n  asked: {100 * ASKED:.0f} %, {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--games", nargs="+", choices=["checkers", "othello"], default=["checkers", "othello"]
    )
    parser.add_argument("--opponents", nargs="+", choices=["mcts", "rhino"], default=["mcts", "rhino"])
    parser.add_argument("--count", type=int, default=100, help="games of each match (100)")
    parser.add_argument("--seconds", type=float, default=0.2, help="a move (0.2)")
    parser.add_argument("--exploration", type=float, default=2.0, help="the constant of UCT (2)")
    parser.add_argument("--rollouts", type=int, default=1, help="playouts of a simulation (1)")
    parser.add_argument("--rhino-level", type=int, choices=range(1, 6), default=3, help="1 to 5 (3)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at a time; no more than cores")
    parser.add_argument("--results", default="results/strength", help="the folder of the files to go on from")
    options = parse(parser, SMALLEST)
    try:
        for kind in options.opponents:
            if kind == "mcts" and importlib.util.find_spec("pyspiel") is None:
                print('OpenSpiel is not here: pip install "gametree[bench]"')
                continue
            if kind == "rhino" and find_rhino() is None:
                print("grhino is not here: apt install grhino")
                continue
            for name in options.games:
                if kind == "mcts" or name == "othello":
                    text = report(kind, meet(kind, name, options))
                    print("\r" + " " * 120 + "\r", end="", file=sys.stderr, flush=True)
                    print(text, flush=True)
    except gt.InputError as error:
        refuse(error)
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")


if __name__ == "__main__":
    main()
