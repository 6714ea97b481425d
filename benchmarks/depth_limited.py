"""Would depth-limited solving play games well that are too large to be listed?

    python benchmarks/depth_limited.py [--games kuhn leduc liars-dice] [--depths 1 2 3]

Each decision is solved for by a linear programme that looks so many decisions ahead. Decisions before it are chance,
by what was found for them (with 1 % of any action, as by a trembling hand), and what comes after is valued: `random`
by random play of all; with `biased` each player chooses in secret how he goes on, at random, or inclined to the first
or to the last action (multi-valued states: Brown, Sandholm & Amos 2018). The profile of all these decisions is judged
exactly, by best responses. It is the best case for this kind of search: all worlds are listed, not sampled.
"""

import argparse
import functools
import time
from typing import Any

import gametree as gt
from gametree.games import Kuhn, Leduc, LiarsDice
from smallest import parse

SMALLEST = "--games kuhn --depths 1"
GAMES: dict[str, gt.Game] = {"kuhn": Kuhn(), "leduc": Leduc(), "liars-dice": LiarsDice(sides=4)}
TREMBLE = 0.01
INCLINED = 5.0
"""So many times as likely is the action that a player is inclined to."""
RANDOM = (None,)
BIASED = (None, 0, -1)
UNSET = -1


class Limited(gt.Game):
    """A game between two of its decisions: those before are chance, and after `last` its worth is estimated.

    A state is one of the game, how many decisions were made, and how both players go on after the last one.
    """

    def __init__(self, game: gt.Game, found: Any, first: int, last: int, ways: Any):
        self.game = game
        self.found = found
        self.first = first
        self.last = last
        self.ways = ways
        self.total = game.total
        self.payoffs = game.payoffs

    def initial(self) -> Any:
        return (self.game.initial(), 0, UNSET, UNSET)

    def _at_leaf(self, state: Any) -> bool:
        inner, made, _, _ = state
        return made >= self.last and not self.game.is_terminal(inner) and self.game.player(inner) >= 0

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state[0]) or (self._at_leaf(state) and state[3] != UNSET)

    def player(self, state: Any) -> int:
        if self._at_leaf(state):
            return 0 if state[2] == UNSET else 1
        return gt.CHANCE if state[1] < self.first else self.game.player(state[0])

    def chance(self, state: Any) -> Any:
        inner = state[0]
        mover = self.game.player(inner)
        if mover == gt.CHANCE:
            return self.game.chance(inner)
        odds = self.found[mover][self.game.observe(inner, mover)]
        return [(action, TREMBLE / len(odds) + (1 - TREMBLE) * p) for action, p in odds.items()]

    def actions(self, state: Any) -> Any:
        return range(len(self.ways)) if self._at_leaf(state) else self.game.actions(state[0])

    def result(self, state: Any, action: Any) -> Any:
        inner, made, first, second = state
        if self._at_leaf(state):
            return (inner, made, action, UNSET) if first == UNSET else (inner, made, first, action)
        decided = int(self.game.player(inner) >= 0)
        return (self.game.result(inner, action), made + decided, first, second)

    def utility(self, state: Any, player: int) -> float:
        inner, _, first, second = state
        if self.game.is_terminal(inner):
            return float(self.game.utility(inner, player))
        ways = (self.ways[first], self.ways[second])
        worth = self._worth(inner, ways)
        return worth if player == 0 else (self.total or 0) - worth

    @functools.cache  # noqa: B019
    def _worth(self, inner: Any, ways: Any) -> float:
        game = self.game
        if game.is_terminal(inner):
            return float(game.utility(inner, 0))
        mover = game.player(inner)
        if mover == gt.CHANCE:
            return sum(p * self._worth(game.result(inner, one), ways) for one, p in game.chance(inner))
        actions = list(game.actions(inner))
        weights = [1.0] * len(actions)
        if ways[mover] is not None:
            weights[ways[mover]] = INCLINED
        worth = [self._worth(game.result(inner, action), ways) for action in actions]
        return sum(w * v for w, v in zip(weights, worth)) / sum(weights)

    def observe(self, state: Any, player: int) -> Any:
        own = state[2 + player]
        return (self.game.observe(state[0], player), own)


def numbered(game: gt.Game) -> dict[tuple[int, Any], int]:
    """For each information set how many decisions were made before it."""
    found: dict[tuple[int, Any], int] = {}
    waiting = [(game.initial(), 0)]
    while waiting:
        state, made = waiting.pop()
        if game.is_terminal(state):
            continue
        mover = game.player(state)
        if mover == gt.CHANCE:
            waiting += [(game.result(state, one), made) for one, _ in game.chance(state)]
            continue
        found[mover, game.observe(state, mover)] = made
        waiting += [(game.result(state, action), made + 1) for action in game.actions(state)]
    return found


def played(game: gt.Game, depth: int, ways: Any) -> gt.Profile:
    """Every decision by a search that looks `depth` decisions ahead."""
    number = numbered(game)
    found: list[dict[Any, Any]] = [{}, {}]
    for first in range(max(number.values()) + 1):
        limited = Limited(game, found, first, first + depth, ways)
        solved = gt.solve(limited, method="linear-programme", compile="never").equilibrium
        assert solved is not None
        for (player, seen), made in number.items():
            if made == first:
                found[player][seen] = dict(solved.profile.at(player, (seen, UNSET)))
    return gt.Profile(game, found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", nargs="*", choices=GAMES, default=list(GAMES))
    parser.add_argument("--depths", nargs="*", type=int, default=[1, 2, 3])
    asked = parse(parser, SMALLEST)
    for name in asked.games:
        game = GAMES[name]
        print(
            f"{name}: exploitable by; uniform {float(gt.exploitability(game, gt.Profile.uniform(game))):.3f}"
        )
        for depth in asked.depths:
            row = []
            for called, ways in (("random", RANDOM), ("biased", BIASED)):
                start = time.process_time()
                lost = float(gt.exploitability(game, played(game, depth, ways)))
                row.append(f"{called} {lost:.3f} ({time.process_time() - start:.1f} s)")
            print(f"  {depth} ahead: {', '.join(row)}", flush=True)


if __name__ == "__main__":
    main()
