"""Does every search keep its time, whatever the rules cost?

    python benchmarks/slow_rules.py
    python benchmarks/slow_rules.py --searches 40 --method solve mcts

Each search gets a game whose rules take a time between 1 µs and 20 ms each call, and a limit between --least and --most
seconds; both are drawn by their logarithm. The overshoot is how much later than asked the search returned. Asked is at
most one call of a rule and 10 ms. A rule waits by the clock of the machine, and how many began after the time was over
is counted besides: on a machine that others use, threads are late, and this figure shows whether the search was.
Before each search a loop that does nothing is asked to end after 20 ms: how late that is, is what the machine adds.
"""

import argparse
import contextlib
import math
import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import gametree as gt
from smallest import parse

SMALLEST = "--searches 2 --least 0.05 --most 0.1 --method minimax mcts"
CHEAPEST, DEAREST = 1e-6, 20e-3
ALLOWED = 0.010


class Waiting(gt.Game):
    """Take one to five of sixty; every rule takes its time."""

    payoffs = (-1, 1)

    def __init__(self, cost: float):
        self.cost = cost
        self.begun: list[float] = []
        self.calls = 0

    def wait(self) -> None:
        until = time.perf_counter() + self.cost
        if len(self.begun) < 1_000_000:
            self.begun.append(until - self.cost)
        while time.perf_counter() < until:
            pass

    def initial(self) -> Any:
        return (60, 0, 1)

    def player(self, state: Any) -> int:
        self.wait()
        return int(state[1])

    def actions(self, state: Any) -> Iterable[Any]:
        self.wait()
        return range(1, min(5, state[0]) + 1)

    def result(self, state: Any, action: Any) -> Any:
        self.wait()
        return (state[0] - action, 1 - state[1], (7 * state[2] + action) % 1009)

    def is_terminal(self, state: Any) -> bool:
        self.wait()
        return bool(state[0] == 0)

    def utility(self, state: Any, player: int) -> float:
        self.wait()
        return -1 if (player == state[1]) == (state[2] % 2 == 0) else 1


class Judged(Waiting):
    """The same with an estimate."""

    def evaluate(self, state: Any, player: int) -> float:
        self.wait()
        return float((state[2] % 17 - 8) / 10 * (1 if player == 0 else -1))


class Thrown(Judged):
    """A throw says how many may be taken at most."""

    def initial(self) -> Any:
        return (60, 0, 1, 0)

    def player(self, state: Any) -> int:
        self.wait()
        return int(state[1]) if state[3] else gt.CHANCE

    def chance(self, state: Any) -> Any:
        self.wait()
        return [(k, 1 / 3) for k in (1, 2, 3)]

    def actions(self, state: Any) -> Iterable[Any]:
        self.wait()
        return range(1, min(state[3] + 1, state[0]) + 1)

    def result(self, state: Any, action: Any) -> Any:
        self.wait()
        left, mover, seed, throw = state
        if not throw:
            return (left, mover, seed, action)
        return (left - action, 1 - mover, (7 * seed + action) % 1009, 0)


class Hidden(Waiting):
    """A card each, then three rounds of bets."""

    payoffs = (-5, 5)

    def initial(self) -> Any:
        return (0, 0, ())

    def player(self, state: Any) -> int:
        self.wait()
        return len(state[2]) % 2 if state[1] else gt.CHANCE

    def chance(self, state: Any) -> Any:
        self.wait()
        return [(card, 1 / 6) for card in range(1, 7)]

    def actions(self, state: Any) -> Iterable[Any]:
        self.wait()
        return (0, 1, 2)

    def result(self, state: Any, action: Any) -> Any:
        self.wait()
        if not state[0]:
            return (action, 0, ())
        return (state[0], action, ()) if not state[1] else (*state[:2], (*state[2], action))

    def is_terminal(self, state: Any) -> bool:
        self.wait()
        return len(state[2]) >= 6

    def utility(self, state: Any, player: int) -> float:
        self.wait()
        worth = ((state[0] > state[1]) - (state[0] < state[1])) * (1 + sum(state[2]) % 4)
        return float(worth if player == 0 else -worth)

    def observe(self, state: Any, player: int) -> Any:
        self.wait()
        return (state[player], state[2])


NEVER: dict[str, Any] = {"compile": "never"}
METHODS: dict[str, tuple[type[Waiting], Callable[[Any, gt.Limit], Any]]] = {
    "minimax": (Judged, lambda game, limit: gt.minimax(game, limit=limit, **NEVER)),
    "alphabeta": (Judged, lambda game, limit: gt.alphabeta(game, limit=limit, **NEVER)),
    "analyze": (Judged, lambda game, limit: gt.analyze(game, limit=limit, **NEVER)),
    "mtdf": (Judged, lambda game, limit: gt.mtdf(game, limit=limit, **NEVER)),
    "sss": (Judged, lambda game, limit: gt.sss(game, limit=limit, depth=8, form="list")),
    "dual": (Judged, lambda game, limit: gt.dual(game, limit=limit, depth=8, **NEVER)),
    "pns": (Waiting, lambda game, limit: gt.pns(game, limit=limit)),
    "dfpn": (Waiting, lambda game, limit: gt.dfpn(game, limit=limit, **NEVER)),
    "mcts": (Waiting, lambda game, limit: gt.mcts(game, limit=limit, **NEVER)),
    "maxn": (Judged, lambda game, limit: gt.maxn(game, limit=limit, **NEVER)),
    "paranoid": (Judged, lambda game, limit: gt.paranoid(game, limit=limit, **NEVER)),
    "expectiminimax": (Thrown, lambda game, limit: gt.expectiminimax(game, limit=limit, **NEVER)),
    "solve": (Waiting, lambda game, limit: gt.solve(game, limit=limit, **NEVER)),
    "solve, dice": (Thrown, lambda game, limit: gt.solve(game, limit=limit, **NEVER)),
    "strategy": (Waiting, lambda game, limit: gt.strategy(game, limit=limit, **NEVER)),
    "ismcts": (Hidden, lambda game, limit: gt.ismcts(game, limit=limit, **NEVER)),
    "cfr": (Hidden, lambda game, limit: gt.cfr(game, limit=limit, **NEVER)),
    "mccfr": (Hidden, lambda game, limit: gt.mccfr(game, limit=limit, **NEVER)),
}


def idle(seconds: float = 0.02) -> float:
    """By how many seconds a loop that does nothing is late."""
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass
    return time.perf_counter() - until


def overshoot(name: str, cost: float, seconds: float) -> tuple[float, int]:
    """By how much a search is late, and how many rules began 10 ms or more after the time was over."""
    kind, search = METHODS[name]
    game = kind(cost)
    begun = time.perf_counter()
    with contextlib.suppress(gt.GametreeError):  # in time, it may have nothing to say
        search(game, gt.Limit(seconds=seconds))
    late = time.perf_counter() - begun - seconds
    return late, sum(start > begun + seconds + ALLOWED for start in game.begun)


def between(rng: random.Random, least: float, most: float) -> float:
    return math.exp(rng.uniform(math.log(least), math.log(most)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--searches", type=int, default=200, help="how many in all (200)")
    parser.add_argument("--least", type=float, default=0.1, help="the shortest limit, in seconds (0.1)")
    parser.add_argument("--most", type=float, default=1.0, help="the longest (1)")
    parser.add_argument("--method", nargs="+", choices=METHODS, default=list(METHODS), metavar="NAME")
    parser.add_argument("--seed", type=int, default=1)
    asked = parse(parser, SMALLEST)
    rng = random.Random(asked.seed)
    rows: dict[str, list[tuple[float, int]]] = {name: [] for name in asked.method}
    idles = []
    for name in asked.method:  # what is loaded once, is loaded
        overshoot(name, 1e-6, 0.02)
    for number in range(asked.searches):
        name = asked.method[number % len(asked.method)]
        cost, seconds = between(rng, CHEAPEST, DEAREST), between(rng, asked.least, asked.most)
        idles.append(idle())
        late, after = overshoot(name, cost, seconds)
        rows[name].append((late - cost, after))
    print("| search | searches | overshoot less one call of a rule, median | most | rules begun 10 ms late |")
    print("|---|---|---|---|---|")
    every = [one for found in rows.values() for one in found]
    for name, found in [*rows.items(), ("all", every)]:
        if found:
            over = sorted(1000 * one[0] for one in found)
            began = sum(one[1] > 0 for one in found)
            print(
                f"| {name} | {len(found)} | {over[len(over) // 2]:.1f} ms | {over[-1]:.1f} ms | {began} searches |"
            )
    kept = sum(one[0] <= ALLOWED for one in every)
    idles.sort()
    print(f"\nwithin one call and 10 ms: {kept} of {len(every)}")
    print(
        f"a loop that does nothing: median {1000 * idles[len(idles) // 2]:.1f} ms, most {1000 * idles[-1]:.1f} ms late"
    )


if __name__ == "__main__":
    main()
