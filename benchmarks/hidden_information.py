"""How fast and how strong is play where players do not see everything, beside OpenSpiel's ISMCTS and an equilibrium?

    python benchmarks/hidden_information.py [--simulations 1000] [--deals 200] [--speed 200000]

Leduc hold'em, the game in which both run. Speed is simulations a second of processor time, interleaved, the median of
five. For strength every player is asked at every information set, so that what it makes is computed exactly, not
estimated: against each other in both seats, against an equilibrium, and against a best response. `--deals` are played
besides, as people would compare two programs. Then ours plays games in which OpenSpiel's ISMCTS has no resampler.
Levels 1 to `--levels` of a bot are judged by what they make against an equilibrium of Leduc by ranks, the mean of three
seeds.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import gametree as gt
from gametree.games import Leduc
from smallest import parse

SMALLEST = "--simulations 5 --deals 2 --speed 300 --runs 1 --worlds 2 --levels 1"
Policy = Callable[[Any, list[Any]], Any]
MISSING = {
    "liars-dice": "liars_dice",
    "phantom-tic-tac-toe": "phantom_ttt",
    "dark-hex": "dark_hex(board_size=4)",
    "battleship": "battleship",
    "goofspiel": "goofspiel(imp_info=true)",
}


def spiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        return None
    return pyspiel


def spiel_bot(peer: Any, simulations: int, seed: int) -> Any:
    evaluator = peer.RandomRolloutEvaluator(1, seed)
    final = peer.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    return peer.ISMCTSBot(seed, evaluator, 2.0, simulations, -1, final, False, False)


def spiel_state(peer: Any, game: Any, history: list[Any], state: Any, leduc: Leduc) -> Any:
    """The same position in OpenSpiel: cards and actions have the same numbers."""
    other = game.new_initial_state()
    for before, after in zip(history, [*history[1:], state]):
        choices = (
            [card for card, _ in leduc.chance(before)] if leduc.player(before) < 0 else leduc.actions(before)
        )
        other.apply_action(next(one for one in choices if leduc.result(before, one) == after))
    return other


def speed(peer: Any, simulations: int, runs: int) -> None:
    leduc = Leduc(suits=True)
    history = [leduc.initial()]
    for card in (0, 3):
        history.append(leduc.result(history[-1], card))
    state = history.pop()
    gt.ismcts(leduc, state, history=history, simulations=10)
    ours, theirs = [], []
    for _ in range(runs):
        began = time.process_time()
        gt.ismcts(leduc, state, history=history, simulations=simulations)
        ours.append(simulations / (time.process_time() - began))
        if peer is not None:
            bot = spiel_bot(peer, simulations, 1)
            other = spiel_state(peer, peer.load_game("leduc_poker"), history, state, leduc)
            began = time.process_time()
            bot.step(other)
            theirs.append(simulations / (time.process_time() - began))
    print(f"speed on Leduc: ismcts {statistics.median(ours):,.0f} simulations/s", end="")
    if theirs:
        ratio = statistics.median(ours) / statistics.median(theirs)
        print(f", OpenSpiel {statistics.median(theirs):,.0f}: {ratio:.1f} times as fast")
    else:
        print("; OpenSpiel is not installed")


def asked_everywhere(game: gt.Game, policy: Policy) -> gt.Profile:
    """What a player does at every information set, each asked once."""
    strategies: list[dict[Any, dict[Any, float]]] = [{}, {}]

    def walk(state: Any, history: list[Any]) -> None:
        if game.is_terminal(state):
            return
        mover = game.player(state)
        if mover == gt.CHANCE:
            choices = [outcome for outcome, _ in game.chance(state)]
        else:
            choices = list(game.actions(state))
            seen: Any = game.observe(state, mover)
            if seen not in strategies[mover]:
                strategies[mover][seen] = {policy(state, history): 1.0}
        for one in choices:
            walk(game.result(state, one), [*history, state])

    walk(game.initial(), [])
    return gt.Profile(game, strategies)


def seats(game: gt.Game, first: gt.Profile, second: gt.Profile) -> float:
    """What the first makes a deal on average, over both seats, exactly."""
    total = 0.0
    for seat, (one, other) in enumerate(((first, second), (second, first))):
        mixed = gt.Profile(game, [one.strategies[0], other.strategies[1]])
        total += float(gt.exploitability(game, mixed).values[seat])
    return total / 2


def played(
    game: gt.Game, first: gt.Profile, second: gt.Profile, deals: int, seed: int
) -> tuple[float, float]:
    """What the first made a deal, in alternating seats, and the half-width of its 95 % interval."""
    rng = random.Random(seed)
    gains = []
    for deal in range(deals):
        state = game.initial()
        while not game.is_terminal(state):
            mover = game.player(state)
            if mover == gt.CHANCE:
                outcomes, odds = zip(*game.chance(state))
                action = rng.choices(outcomes, odds)[0]
            else:
                action = (first if mover == deal % 2 else second).play(state, rng)
            state = game.result(state, action)
        gains.append(float(game.utility(state, deal % 2)))
    return statistics.mean(gains), 1.96 * statistics.pstdev(gains) / deals**0.5


def strength(peer: Any, simulations: int, deals: int, worlds: int) -> None:
    leduc = Leduc(suits=True)
    ours = asked_everywhere(
        leduc, lambda state, history: gt.ismcts(leduc, state, history=history, simulations=simulations).action
    )
    if peer is not None:
        game = peer.load_game("leduc_poker")
        theirs = asked_everywhere(
            leduc,
            lambda state, history: spiel_bot(peer, simulations, 7).step(
                spiel_state(peer, game, history, state, leduc)
            ),
        )
        mean, error = played(leduc, ours, theirs, deals, 1)
        print(
            f"{simulations} simulations each, Leduc: ismcts makes {seats(leduc, ours, theirs):+.3f} a deal against"
            f" OpenSpiel's, exactly; {mean:+.2f} ± {error:.2f} over {deals} deals"
        )
        print(f"  exploitable by {float(gt.exploitability(leduc, theirs)):.3f}: OpenSpiel's")
    equilibrium = gt.cfr(leduc, limit=gt.Limit(seconds=2)).profile
    players = {
        "ismcts, multiple observers": ours,
        "ismcts, single observer": asked_everywhere(
            leduc,
            lambda state, history: (
                gt.ismcts(leduc, state, history=history, simulations=simulations, observers="single").action
            ),
        ),
        "pimc": asked_everywhere(
            leduc,
            lambda state, history: gt.pimc(leduc, state, history=history, worlds=worlds, depth=12).action,
        ),
        "the equilibrium itself": equilibrium,
    }
    for name, profile in players.items():
        print(
            f"  {name}: {seats(leduc, profile, equilibrium):+.4f} a deal against the equilibrium, exploitable by"
            f" {float(gt.exploitability(leduc, profile)):.3f}"
        )


def levels(highest: int) -> None:
    """What the levels of a bot make against an equilibrium."""
    leduc = Leduc()
    equilibrium = gt.cfr(leduc, limit=gt.Limit(seconds=2)).profile
    for level in range(1, highest + 1):
        made = []
        for seed in range(3):
            bot = gt.Bot(leduc, level=level, seed=seed)
            made.append(seats(leduc, asked_everywhere(leduc, bot.move), equilibrium))
        print(f"  level {level}: {statistics.mean(made):+.3f} a deal ({min(made):+.3f} to {max(made):+.3f})")


def elsewhere(peer: Any, simulations: int) -> None:
    """Games in which OpenSpiel's bot has nothing to sample worlds with."""
    for name, other in MISSING.items():
        game = gt.games.load(name)
        state: Any = game.initial()
        history: list[Any] = []
        rng = random.Random(1)
        while game.player(state) == gt.CHANCE or len(history) < 2:
            if game.player(state) == gt.CHANCE:
                action = next(iter(game.chance(state)))[0]
            else:
                action = rng.choice(list(game.actions(state)))
            history.append(state)
            state = game.result(state, action)
        found = gt.ismcts(game, state, history=history, simulations=simulations)
        said = "not installed"
        if peer is not None:
            said = theirs_on(other)
        print(f"{name}: ours plays {found.name} ({found.notes[0]}); OpenSpiel {said}")


def theirs_on(name: str) -> str:
    """What OpenSpiel's bot does on a game, in a process of its own: some of its errors end the process."""
    import subprocess
    import sys

    script = (
        "import pyspiel, sys, random\n"
        f"game = pyspiel.load_game({name!r})\n"
        "state = game.new_initial_state(); rng = random.Random(1); n = 0\n"
        "while state.is_chance_node() or n < 2:\n"
        "    n += 1\n"
        "    if state.is_simultaneous_node():\n"
        "        state.apply_actions([state.legal_actions(p)[0] for p in range(2)])\n"
        "    else:\n"
        "        state.apply_action(rng.choice(state.legal_actions()))\n"
        "bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 20, -1,"
        " pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)\n"
        "print('plays', state.action_to_string(state.current_player(), bot.step(state)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.strip()
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return "fails: " + (lines[-1] if lines else f"exit code {done.returncode}")[:90]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--simulations", type=int, default=1_000)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--speed", type=int, default=200_000, help="simulations of each run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--worlds", type=int, default=30)
    parser.add_argument("--levels", type=int, default=9)
    asked = parse(parser, SMALLEST)
    peer = spiel()
    speed(peer, asked.speed, asked.runs)
    elsewhere(peer, min(asked.simulations, 200))
    strength(peer, asked.simulations, asked.deals, asked.worlds)
    levels(asked.levels)


if __name__ == "__main__":
    main()
