"""How fast are equilibria of games with hidden information found, beside LiteEFG and OpenSpiel's C++?

Processor time, medians of `--runs` rounds in which all take turns. The same games with the same information sets: Leduc
poker by ranks, as OpenSpiel's `suit_isomorphism`; liar's dice with one die each; Kuhn poker. It measures CFR+
iterations a second, NashConv after `--seconds` on Leduc, exact solutions with the game listed from its rules (compiling
not counted), and external sampling. LiteEFG (`pip install LiteEFG`) is built from source; a peer that is not installed
is left out.

    python benchmarks/equilibria.py --seconds 1
"""

import argparse
import contextlib
import io
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import gametree as gt
from gametree.games import Kuhn, Leduc, LiarsDice
from gametree.search.core.runner import prepare
from gametree.search.hidden.listing import listed
from gametree.search.hidden.mccfr import pool_for
from gametree.search.hidden.sampling import NOBODY, walk
from gametree.search.hidden.tableau import PLUS, PREDICTIVE, Passes
from peers import NotHereError, imported
from smallest import parse

SMALLEST = "--runs 1 --seconds 0.02 --games kuhn leduc --exact leduc"


class Peered(NamedTuple):
    """A game, and what OpenSpiel calls it."""

    game: gt.Game
    theirs: str


GAMES = {
    "kuhn": Peered(Kuhn(), "kuhn_poker"),
    "leduc": Peered(Leduc(), "leduc_poker(suit_isomorphism=True)"),
    "liars-dice-4": Peered(LiarsDice(sides=4), "liars_dice(dice_sides=4)"),
    "liars-dice-6": Peered(LiarsDice(sides=6), "liars_dice(dice_sides=6)"),
}
Contestant = Callable[[int], None]
"""Does so many iterations."""


def speed(iterate: Contestant, seconds: float) -> float:
    """Iterations a second of processor time."""
    done, chunk = 0, 1
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        iterate(chunk)
        done += chunk
        if spent < seconds / 8:
            chunk *= 2
    return done / (time.process_time() - start)


@contextlib.contextmanager
def silence() -> Any:
    """Peers that print from C++ are not heard."""
    out = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 1)
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        os.dup2(out, 1)
        os.close(null)
        os.close(out)


class Ours:
    """CFR on the sequence form."""

    def __init__(self, game: gt.Game, variant: int = PLUS):
        form = listed(game)
        assert form is not None
        self.passes = Passes(form, "auto")
        self.learner = self.passes.learner()
        self.judgement = self.passes.judgement()
        self.variant = variant

    def iterate(self, count: int) -> None:
        self.passes.iterate(self.learner, self.variant, count)

    def nash_conv(self) -> float:
        return self.passes.judge(self.learner.average, self.judgement)


class Lite:
    """LiteEFG's graph."""

    def __init__(self, name: str, algorithm: str = "CFRplus"):
        leg = imported("LiteEFG")
        module = imported(f"LiteEFG.baselines.{algorithm}")
        with silence():
            self.environment = leg.OpenSpielEnv(imported("pyspiel").load_game(name))
            self.graph = module.graph()
            self.environment.set_graph(self.graph)

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self.graph.update_graph(self.environment)
            self.environment.update_strategy(self.graph.current_strategy())

    def nash_conv(self) -> float:
        return float(sum(self.environment.exploitability(self.graph.current_strategy(), "avg-iterate")))


class Spiel:
    """OpenSpiel's C++ solver."""

    def __init__(self, name: str, solver: str = "CFRPlusSolver"):
        self.spiel = imported("pyspiel")
        self.game = self.spiel.load_game(name)
        self.solver = getattr(self.spiel, solver)(self.game)

    def iterate(self, count: int) -> None:
        for _ in range(count):
            self.solver.evaluate_and_update_policy()

    def nash_conv(self) -> float:
        return float(self.spiel.nash_conv(self.game, self.solver.average_policy()))


def present(make: Callable[[], Any], name: str) -> dict[str, Any]:
    """A contestant, where it is installed."""
    try:
        return {name: make()}
    except NotHereError as error:
        print(f"{name} is left out: {error}")
        return {}


def iterations(name: str, runs: int, seconds: float) -> None:
    """CFR+ iterations a second."""
    game, theirs = GAMES[name]
    field = {"gametree": Ours(game)} | present(lambda: Lite(theirs), "LiteEFG")
    field |= present(lambda: Spiel(theirs), "OpenSpiel C++")
    for one in field.values():
        one.iterate(2)  # whatever is built at first
    rates: dict[str, list[float]] = {who: [] for who in field}
    for _ in range(runs):
        for who, one in field.items():
            rates[who].append(speed(one.iterate, seconds))
    ours = rates["gametree"]
    print(f"{name}: CFR+ iterations/s; gametree {statistics.median(ours):,.0f}")
    for who, theirs_ in rates.items():
        if who != "gametree":
            ratios = sorted(a / b for a, b in zip(ours, theirs_))
            print(
                f"  {who:<14} {statistics.median(theirs_):>10,.0f}   ratio {statistics.median(ratios):,.0f}"
                f" ({ratios[0]:,.0f}–{ratios[-1]:,.0f})"
            )


def convergence(seconds: float) -> None:
    """NashConv on Leduc after some seconds, each by its CFR+, ours by PCFR+ too."""
    game, theirs = GAMES["leduc"]
    field = {"gametree pcfr+": Ours(game, PREDICTIVE), "gametree cfr+": Ours(game)}
    field |= present(lambda: Lite(theirs, "PCFR"), "LiteEFG PCFR+")
    field |= present(lambda: Lite(theirs), "LiteEFG CFR+")
    field |= present(lambda: Spiel(theirs), "OpenSpiel CFR+")
    print(f"leduc: NashConv after {seconds:g} s")
    for who, one in field.items():
        one.iterate(1)
        speed(one.iterate, seconds)
        print(f"  {who:<16} {one.nash_conv():.2g}")


def exact(name: str, runs: int) -> None:
    """Seconds of processor time for an exact solution, the listing of the game included."""
    game = GAMES[name].game
    gt.solve(game, method="linear-programme")
    taken = []
    for _ in range(runs):
        start = time.process_time()
        found = gt.solve(game, method="linear-programme").equilibrium
        taken.append(time.process_time() - start)
    assert found is not None
    print(
        f"{name}: exact in {statistics.median(taken):.3f} s ({min(taken):.3f}–{max(taken):.3f}), value"
        f" {float(found.values[0]):.10f}, NashConv {float(found.nash_conv):.1g}"
    )


def sampling(name: str, runs: int, seconds: float) -> None:
    """Iterations of external sampling a second; an iteration is a walk for each player."""
    game, theirs = GAMES[name]
    state = game.initial()
    native, pool = prepare(walk, game, [state], True), pool_for(True, 1 << 16, 0)

    def ours(count: int) -> None:
        pool.rounds = count
        native(state, NOBODY, 1.0, 1.0, 1.0, pool)

    def theirs_(count: int) -> None:
        for _ in range(count):
            solver.run_iteration()

    try:
        spiel = imported("pyspiel")
    except NotHereError as error:
        print(f"external sampling: OpenSpiel is left out: {error}")
        return
    solver = spiel.ExternalSamplingMCCFRSolver(spiel.load_game(theirs))
    pairs = [(speed(ours, seconds), speed(theirs_, seconds)) for _ in range(runs)]
    ratios = sorted(a / b for a, b in pairs)
    print(
        f"{name}: external sampling, gametree {statistics.median(a for a, _ in pairs):,.0f} iterations/s, OpenSpiel C++"
        f" {statistics.median(b for _, b in pairs):,.0f}, ratio {statistics.median(ratios):.1f}"
        f" ({ratios[0]:.1f}–{ratios[-1]:.1f})"
    )


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="rounds in which all take turns")
    parser.add_argument("--seconds", type=float, default=2.0, help="of processor time for each turn")
    parser.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES))
    parser.add_argument("--exact", nargs="*", choices=GAMES, default=["leduc", "liars-dice-6"])
    given = parse(parser, SMALLEST, words)
    for name in given.games:
        iterations(name, given.runs, given.seconds)
    convergence(given.seconds)
    for name in given.exact:
        exact(name, given.runs)
    for name in given.games:
        if name in ("kuhn", "leduc"):
            sampling(name, given.runs, given.seconds)


if __name__ == "__main__":
    main()
