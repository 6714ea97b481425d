"""Random games of many players: trees, and a game whose states are numbers, so that one can pass in it."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gametree import CHANCE, Chance, Game, Tree, Turn


def random_vectors(
    rng: random.Random,
    players: int,
    *,
    total: int | None,
    low: int,
    high: int,
    depth: int,
    branching: int = 3,
    chance: float = 0.0,
    twice: float = 0.0,
    floats: bool = False,
) -> Any:
    """The spec of a tree with a payoff for each player, from `low` to `high`, that sum to `total` where it is given.

    `twice` is how often somebody moves out of turn, `chance` how often nobody does.
    """

    def payoffs() -> tuple[float, ...]:
        unit = 10 if floats else 1
        width = unit * (high - low)
        shares = [rng.randint(0, width) for _ in range(players)]
        if total is not None:
            while sum(shares) != unit * (total - players * low):  # give or take, one unit after another
                player = rng.randrange(players)
                step = 1 if sum(shares) < unit * (total - players * low) else -1
                shares[player] = min(max(shares[player] + step, 0), width)
        return tuple(low + share / unit if unit == 1 else round(low + share / unit, 1) for share in shares)

    def subtree(depth: int) -> Any:
        if depth == 0:
            return payoffs()
        children = [
            subtree(0 if rng.random() < 0.25 else depth - 1) for _ in range(rng.randint(1, branching))
        ]
        if rng.random() < chance:
            weights = [rng.randint(1, 4) for _ in children]
            return Chance([(w / sum(weights), child) for w, child in zip(weights, children, strict=True)])
        return Turn(rng.randrange(players), children) if rng.random() < twice else children

    return subtree(depth)


def random_tree(rng: random.Random, **given: Any) -> Tree:
    """A tree of about ten nodes for two to four players: often tied, with a constant sum or without."""
    players = given.pop("players", None) or rng.choice([2, 3, 3, 3, 4])
    low = given.pop("low", rng.choice([0, 0, -1, -2]))
    high = low + rng.choice([1, 2, 3, 6])
    total = rng.choice([None, (players - 1) * low + high, players * low + rng.randint(1, high - low)])
    spec = random_vectors(
        rng, players, total=total, low=low, high=high, depth=rng.choice([1, 2, 3, 3, 4]), **given
    )
    movers = tuple(range(players))
    ordered = rng.choice([movers, movers[::-1], (*movers, 0)])
    declared = (low, high) if given.get("floats") or rng.random() < 0.9 else None
    return Tree(spec, ordered, payoffs=declared)


class Numbers(NamedTuple):
    """A number that says everything, how many plies are left, and whose turn it is."""

    number: int
    left: int
    mover: int


MODULUS = 2_147_483_647


class RandomGame(Game):
    """A game of a few plies in which the number of a state decides what can be done, by a linear congruence.

    The state to begin with is the whole game: `Numbers(seed, plies, 0)`. Passing is possible where the number is not
    divisible by seven. Players of one team get the same.
    """

    total = None

    def __init__(self, players: int = 3, teams: int = 0, dice: bool = False):
        self.players = players
        # An array is data: all these games share one compilation.
        self.setting = np.array([players, teams or players, dice])

    def initial(self) -> Numbers:
        return Numbers(1, 4, 0)

    def player(self, state: Numbers) -> int:
        if self.setting[2] and state.number % 5 == 0:
            return CHANCE
        return state.mover

    def actions(self, state: Numbers) -> Iterator[int]:
        yield from range(1 + state.number // 3 % 3)

    def chance(self, state: Numbers) -> Iterator[tuple[int, float]]:
        if state.number % 2 == 0:
            yield 0, 0.25
            yield 1, 0.75
        else:
            yield 2, 1.0

    def result(self, state: Numbers, action: int) -> Numbers:
        number = (state.number * 48271 + (action + 1) * 7919) % MODULUS
        if self.setting[2] and state.number % 5 == 0:
            return Numbers(number, state.left - 1, state.mover)
        step = 0 if number % 11 == 0 else 1
        return Numbers(number, state.left - 1, (state.mover + step) % int(self.setting[0]))

    def is_terminal(self, state: Numbers) -> bool:
        return state.left <= 0 or state.number // 7 % 6 == 0

    def utility(self, state: Numbers, player: int) -> float:
        return float((state.number // (player % int(self.setting[1]) + 13)) % 7 - 3)

    def evaluate(self, state: Numbers, player: int) -> float:
        return float((state.number // (player % int(self.setting[1]) + 17)) % 9 - 4)

    def team(self, player: int) -> int:
        return player % int(self.setting[1])

    def null(self, state: Numbers) -> Numbers | None:
        if state.number % 7 == 0:
            return None
        return Numbers(
            (state.number * 16807 + 1) % MODULUS, state.left, (state.mover + 1) % int(self.setting[0])
        )


class SureGame(RandomGame):
    """The same without chance."""

    chance = Game.chance  # type: ignore[assignment]
