"""How many uniform random games a second are played to the end, side by side with OpenSpiel?

    python benchmarks/playouts.py [--seconds 3] [game ...]

Ours are played by a kernel over the compiled rules that gathers all actions of every state and draws one. OpenSpiel's
are the simulations of its C++ `MCTSBot` (a hundred at a time, so that the tree hardly matters), and, for comparison, a
loop in Python over its bindings. The rules differ in places (docs/dice-and-territory.md): its Go ends after 162 moves.
"""

import argparse
import functools
import random
import time
from typing import Any

from gametree import games
from gametree.game import CHANCE
from gametree.kernel.clock import Clock, poll
from gametree.result import Limit
from gametree.search.core.repetition import Path
from gametree.search.core.runner import Run
from gametree.search.core.stopwatch import execute
from smallest import parse

SMALLEST = "--seconds 0.1"
SPIEL = {
    "backgammon": "backgammon(scoring_type=full_scoring)",
    "go": "go(board_size=9,komi=7.5)",
    "hex": "hex(board_size=11)",
    "othello": "othello",
}
LOW = (1 << 62) - 1


def random_games(game: Any, state: Any, count: int, seed: int, clock: Clock, path: Path) -> int:
    """Plays so many games without chance; the number of plies, or −1 when told to stop."""
    word = seed
    plies = 0
    for _ in range(count):
        here = state
        while not game.is_terminal(here):
            if clock.nodes == clock.next and poll(clock):
                return -1
            clock.nodes += 1
            n = 0
            for action in game.actions(here):
                path.places[n] = action
                n += 1
            word = (word * 6364136223846793005 + 1442695040888963407) & LOW
            here = game.result(here, path.places[(word >> 30) % n])
            plies += 1
    return plies


def random_games_with_dice(game: Any, state: Any, count: int, seed: int, clock: Clock, path: Path) -> int:
    """The same with chance nodes, which are no plies."""
    word = seed
    plies = 0
    for _ in range(count):
        here = state
        while not game.is_terminal(here):
            if clock.nodes == clock.next and poll(clock):
                return -1
            clock.nodes += 1
            word = (word * 6364136223846793005 + 1442695040888963407) & LOW
            chosen = 0
            if game.player(here) == CHANCE:
                left = (word >> 30) / (1 << 32)
                for outcome, probability in game.chance(here):
                    chosen = outcome
                    left -= probability
                    if left < 0:
                        break
            else:
                n = 0
                for action in game.actions(here):
                    path.places[n] = action
                    n += 1
                chosen = path.places[(word >> 30) % n]
                plies += 1
            here = game.result(here, chosen)
    return plies


def ours(name: str, seconds: float) -> tuple[float, float]:
    """Games a second and plies a game."""
    game = games.load(name)
    kernel = random_games_with_dice if name == "backgammon" else random_games
    run = Run(kernel, game, Limit(), "always")
    state = game.initial()
    execute(run, lambda: run.call(state, 1, 1, run.clock, run.path))
    played = plies = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        run.renew()
        found: int = execute(
            run, functools.partial(run.call, state, 500, 12345 + played, run.clock, run.path)
        )
        plies += found
        played += 500
    return played / took, plies / played


def theirs(name: str, seconds: float) -> tuple[float, float, float]:
    """Games a second in C++, plies a game, games a second through Python."""
    import pyspiel

    game = pyspiel.load_game(SPIEL[name])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 100, 64, False, 1, False)
    played = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        start = game.new_initial_state()
        while start.is_chance_node():
            start.apply_action(start.chance_outcomes()[0][0])
        bot.step(start)
        played += 100
    in_cpp = played / took
    rng = random.Random(1)
    played = plies = 0
    began = time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                plies += 1
        played += 1
    return in_cpp, plies / played, played / took


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=["backgammon", "hex", "go", "othello"])
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parse(parser, SMALLEST)
    print(
        "game        games/s (plies)      OpenSpiel C++ (plies)     ratio    OpenSpiel from Python    ratio"
    )
    for name in given.games:
        fast, length = ours(name, given.seconds)
        in_cpp, other_length, in_python = theirs(name, given.seconds)
        print(
            f"{name:<11} {fast:>8,.0f} ({length:5.1f}) {in_cpp:>15,.0f} ({other_length:5.1f})"
            f" {fast / in_cpp:>13.1f} {in_python:>18,.0f} {fast / in_python:>13.1f}"
        )


if __name__ == "__main__":
    main()
