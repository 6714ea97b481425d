"""Random games with information sets, and what can be said of them by trying everything."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from gametree import CHANCE, Game, Profile

State = tuple[int, ...]
SIGHTS = ("all", "nothing", "parity")


class Secretive(Game):
    """Who moves is fixed for each ply; of the others' moves everybody sees all, nothing, or whether they are even."""

    total: float | None = None

    def __init__(self, seed: int, players: int = 2, plies: int = 4):
        draw = random.Random(seed)
        self.players: int = players
        movers = [*range(players), *(draw.choice((CHANCE, *range(players))) for _ in range(plies - players))]
        draw.shuffle(movers)
        self.movers: tuple[int, ...] = tuple(movers)
        self.widths: tuple[int, ...] = tuple(draw.choice((1, 2, 2, 3)) for _ in movers)
        self.sights: Any = tuple(tuple(draw.choice(SIGHTS) for _ in movers) for _ in range(players))
        self.seed: int = seed
        self.sums_up: bool = draw.random() < 0.5
        if self.sums_up:
            self.total = 1

    def initial(self) -> State:
        return ()

    def player(self, state: State) -> int:
        return self.movers[len(state)] if len(state) < len(self.movers) else 0

    def actions(self, state: State) -> range:
        return range(0 if self.is_terminal(state) else self.widths[len(state)])

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        weights = [1 + (self.seed + 3 * i) % 5 for i in range(self.widths[len(state)])]
        for outcome, weight in enumerate(weights):
            yield outcome, weight / sum(weights)

    def result(self, state: State, action: int) -> State:
        return (*state, action)

    def is_terminal(self, state: State) -> bool:
        # Some lines end early, whatever is known.
        return len(state) == len(self.movers) or (len(state) == 2 and (self.seed + sum(state)) % 7 == 0)

    def utility(self, state: State, player: int) -> float:
        draw = random.Random(f"{self.seed} {state}")
        payoffs = [draw.randint(-4, 4) for _ in range(self.players)]
        if self.sums_up:
            payoffs[-1] = 1 - sum(payoffs[:-1])
        return payoffs[player]

    def observe(self, state: State, player: int) -> tuple[int, ...]:
        """The own moves, and of the others' what there is to see; −1 where that is nothing."""
        seen = []
        for ply, action in enumerate(state):
            sight = "all" if self.movers[ply] == player else self.sights[player][ply]
            seen.append(action if sight == "all" else action % 2 if sight == "parity" else -1)
        return tuple(seen)


def random_profile(game: Game, draw: random.Random) -> Profile:
    """Any probabilities, 0 among them."""
    found: list[dict[Any, dict[Any, float]]] = [{} for _ in range(game.players)]
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        mover = game.player(state)
        if mover == CHANCE:
            waiting += [game.result(state, outcome) for outcome, _ in game.chance(state)]
            continue
        actions = list(game.actions(state))
        waiting += [game.result(state, action) for action in actions]
        seen = game.observe(state, mover)
        if seen not in found[mover]:
            weights = [draw.choice((0.0, draw.random(), draw.random())) for _ in actions]
            total = sum(weights)
            odds = [w / total for w in weights] if total else [1 / len(actions)] * len(actions)
            found[mover][seen] = dict(zip(actions, odds))
    return Profile(game, found)


def expected(game: Game, strategies: Sequence[Any], player: int, state: Any = None) -> float:
    """What a player gets, by adding up over the whole tree."""
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        return game.utility(state, player)
    mover = game.player(state)
    if mover == CHANCE:
        return sum(
            p * expected(game, strategies, player, game.result(state, one)) for one, p in game.chance(state)
        )
    odds: dict[Any, float] = strategies[mover][game.observe(state, mover)]
    return sum(
        p * expected(game, strategies, player, game.result(state, action)) for action, p in odds.items() if p
    )


def best_by_trying(game: Game, profile: Profile, player: int) -> float:
    """The most that any pure strategy of a player gets against the others: all of them are tried."""
    mine = profile.strategies[player]
    strategies: list[Any] = list(profile.strategies)
    best = -float("inf")
    for choice in product(*(list(odds) for odds in mine.values())):
        strategies[player] = {seen: {action: 1.0} for seen, action in zip(mine, choice)}
        best = max(best, expected(game, strategies, player))
    return best
