"""How fast and how strong is Monte-Carlo tree search, side by side with OpenSpiel's C++ MCTSBot?

    pip install "gametree[bench]"
    python benchmarks/mcts.py                            # simulations a second, one thread and two
    python benchmarks/mcts.py --strength --count 200     # matches at equal simulations and at equal time
    python benchmarks/mcts.py --memory                   # resident memory while searching for 60 s

**Speed.** Both make the same number of simulations from the same position with uniform random playouts, one a
simulation; both prove what they can (`solver`, OpenSpiel's `solve`). They take turns, `--rounds` times; what is printed
is the median of each, in seconds of the processor, and the ratio of the two. Ours counts everything from the call to
the `Analysis`, on a tree that is empty at the beginning. Compiling is not counted.

**Two threads** against one are measured by the clock on the wall, also in turns, in searches that take one thread about
a second and a half; what is printed is the median of the ratios of two searches that follow each other.

**Strength.** Games begin with random plies that a short search finds even, each opening with both sides. At equal
simulations both have `--budget` a move; at equal time `--seconds`. Theirs explores with `--exploration` (2) on payoffs
between −1 and 1; ours with half of that on payoffs between 0 and 1, which is the same. The tree is not kept between
moves on either side. Othello and backgammon are played for a win, as theirs are: see `OthelloForAWin` below.

**Memory.** Resident memory of the process before and while a search of `--length` seconds fills and recycles a tree of
`--megabytes`; the growth has to stay below that and a little for the stack.

**Rules.** Checkers is played by OpenSpiel's draw rule. What differs otherwise is in openspiel_games.py.
"""

import argparse
import functools
import importlib.util
import os
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gametree as gt
from edition import edition
from gametree.arena.entrants import Contestant
from gametree.arena.match import Match, match
from gametree.arena.openings import Openings
from gametree.games.backgammon.board import State as BackgammonState
from gametree.games.backgammon.rules import Backgammon
from gametree.games.othello import Othello, State
from gametree.search.mcts.search import MonteCarlo
from openspiel_games import THEIRS, Mcts, OpenSpielCheckers, mcts_bot
from refusal import refuse
from smallest import parse

SMALLEST = "--games connect-four --rounds 1 --simulations 100"
ASKED = {"connect-four": 10.0, "checkers": 10.0, "othello": 20.0, "go": 5.0, "backgammon": 20.0}
"""By which factor ours is to be faster."""
SIMULATIONS = {"connect-four": 50_000, "checkers": 4_000, "othello": 3_000, "go": 2_000, "backgammon": 400}
"""So many take OpenSpiel about a second."""
THREADS_SECONDS = 1.5
THREADS_ASKED = 1.7


class OthelloForAWin(Othello):
    """Othello in which it does not matter by how many discs a game is won."""

    def __init__(self) -> None:
        super().__init__()
        self.payoffs = (-1.0, 1.0)

    def utility(self, state: State, player: int) -> float:
        ahead = Othello.utility(self, state, player)
        return 1 if ahead > 0 else -1 if ahead < 0 else 0


class BackgammonForAWin(Backgammon):
    """Backgammon in which a gammon counts no more than any other win."""

    payoffs = (-1, 1)

    def utility(self, state: BackgammonState, player: int) -> float:
        return 1 if Backgammon.utility(self, state, player) > 0 else -1


def load(name: str) -> gt.Game:
    if name == "checkers":
        return OpenSpielCheckers()
    if name == "othello":
        return OthelloForAWin()
    if name == "backgammon":
        return BackgammonForAWin()
    return gt.games.load(name)


def first_turn(game: gt.Game) -> Any:
    """The first state at which a player moves: dice are thrown before, always the same."""
    state = game.initial()
    while game.player(state) == gt.CHANCE:
        state = game.result(state, next(iter(game.chance(state)))[0])
    return state


# --- speed --------------------------------------------------------------------------------------------


def timed(work: Callable[[], Any], clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def speed(name: str, game: gt.Game, options: argparse.Namespace) -> str:
    import pyspiel

    count = options.simulations or SIMULATIONS[name]
    theirs = pyspiel.load_game(THEIRS[name])
    state, other = first_turn(game), theirs.new_initial_state()
    while other.is_chance_node():
        other.apply_action(other.chance_outcomes()[0][0])
    ours = MonteCarlo(game)
    ours.prepare()

    def mine() -> None:
        ours.clear()
        found = ours.analyze(state, simulations=count)
        assert found.nodes == count, found

    mine()
    seconds: list[tuple[float, float]] = []
    for number in range(options.rounds):
        their_bot = mcts_bot(theirs, gt.Limit(nodes=count), options.exploration, number + 1)
        search = functools.partial(their_bot.mcts_search, other)
        seconds.append((timed(mine, time.process_time), timed(search, time.process_time)))
    a, b = (statistics.median(column) for column in zip(*seconds))
    ratio = b / a
    verdict = "reached" if ratio >= ASKED[name] else "missed"
    return (
        f"{name:13} {count / a / 1e3:8.1f} {count / b / 1e3:8.1f} k simulations/s   ratio {ratio:6.1f}"
        f"   asked {ASKED[name]:.0f}, {verdict}"
    )


def two_threads(name: str, game: gt.Game, options: argparse.Namespace) -> str:
    state = first_turn(game)
    searches = [MonteCarlo(game, threads=threads, memory_mb=1024) for threads in (1, 2)]

    def work(search: MonteCarlo) -> None:
        search.clear()
        search.analyze(state, simulations=count)

    for search in searches:
        search.prepare()
        search.analyze(state, simulations=100)
    count = searches[0].analyze(state, gt.Limit(seconds=THREADS_SECONDS)).nodes
    work(searches[1])  # so that both have touched their memory
    seconds = [
        tuple(timed(functools.partial(work, search), time.perf_counter) for search in searches)
        for _ in range(options.rounds)
    ]
    ratio = statistics.median(one / two for one, two in seconds)
    verdict = "reached" if ratio >= THREADS_ASKED else "missed"
    return (
        f"{name:13} two threads {ratio:5.2f} times one   asked {THREADS_ASKED}, {verdict}"
        f"   ({count:,} simulations)"
    )


# --- strength -----------------------------------------------------------------------------------------


class Ours:
    """Monte-Carlo tree search with a budget."""

    def __init__(self, name: str, limit: gt.Limit, exploration: float):
        game = load(name)
        self.search = MonteCarlo(game, exploration=exploration)
        self.search.prepare()
        self.limit = limit

    def begin(self, seed: int) -> None:
        self.search.seed = seed

    def move(self, state: Any, history: Sequence[Any] = ()) -> Any:
        self.search.clear()
        return self.search.analyze(state, self.limit, history=history).action


def meet(name: str, kind: str, limit: gt.Limit, options: argparse.Namespace) -> Match:
    game = load(name)
    label = f"edition {edition('search', 'games', 'compiled')}"
    return match(
        game,
        Contestant(
            f"gametree {kind}, c {options.exploration / 2:g}, {label}",
            functools.partial(Ours, name, limit, options.exploration / 2),
        ),
        Contestant(
            f"OpenSpiel {kind}, c {options.exploration:g}",
            functools.partial(Mcts, name, game, limit, options.exploration),
        ),
        games=options.count,
        seed=options.seed,
        openings=Openings(game, seed=options.seed),
        results=Path(options.results) / f"mcts-{name}-{kind.replace(' ', '-')}.jsonl",
        jobs=options.jobs,
    )


def strength(name: str, options: argparse.Namespace) -> None:
    for kind, limit in (
        (f"{options.budget} simulations", gt.Limit(nodes=options.budget)),
        (f"{options.seconds:g} seconds", gt.Limit(seconds=options.seconds)),
    ):
        print(meet(name, kind, limit, options), flush=True)


# --- memory -------------------------------------------------------------------------------------------


def resident() -> float:
    """Megabytes that the process has in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def memory(name: str, game: gt.Game, options: argparse.Namespace) -> str:
    state = first_turn(game)
    search = MonteCarlo(game, memory_mb=options.megabytes)
    search.prepare()
    MonteCarlo(game, memory_mb=1).analyze(state, simulations=100)
    before, peak, done = resident(), 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    found = search.analyze(state, gt.Limit(seconds=options.length))
    done.set()
    watcher.join()
    grown = peak - before
    verdict = "within" if grown <= options.megabytes + 8 else "beyond"
    return (
        f"{name:13} {found.nodes:,} simulations in {found.seconds:.0f} s: resident memory grew by {grown:.0f} MB,"
        f" {verdict} the {options.megabytes:g} MB of the tree"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="+", choices=list(ASKED), default=list(ASKED))
    parser.add_argument("--rounds", type=int, default=7, help="how often each side is timed (7)")
    parser.add_argument("--simulations", type=int, help="of each search; by default about a second of theirs")
    parser.add_argument("--exploration", type=float, default=2.0, help="the constant of theirs (2)")
    parser.add_argument("--strength", action="store_true", help="play matches instead")
    parser.add_argument("--count", type=int, default=200, help="games of each match (200)")
    parser.add_argument("--budget", type=int, default=1000, help="simulations a move (1000)")
    parser.add_argument("--seconds", type=float, default=0.05, help="seconds a move (0.05)")
    parser.add_argument("--memory", action="store_true", help="watch the memory instead")
    parser.add_argument("--length", type=float, default=60, help="seconds of that search (60)")
    parser.add_argument("--megabytes", type=float, default=64, help="of its tree (64)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at a time; no more than cores")
    parser.add_argument("--results", default="results/strength", help="the folder of the files to go on from")
    options = parse(parser, SMALLEST)
    if importlib.util.find_spec("pyspiel") is None:
        refuse('OpenSpiel is not here: pip install "gametree[bench]"')
    for name in options.games:
        game = load(name)
        if options.strength:
            strength(name, options)
        elif options.memory:
            print(memory(name, game, options), flush=True)
        else:
            print(speed(name, game, options), flush=True)
            print(two_threads(name, game, options), flush=True)


if __name__ == "__main__":
    main()
