"""Random games with information sets, and what can be said of them by trying everything."""

import functools
import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

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
        return payoffs(self.seed, self.players, self.sums_up, state)[player]

    def observe(self, state: State, player: int) -> tuple[int, ...]:
        """The own moves, and of the others' what there is to see; −1 where that is nothing."""
        seen = []
        for ply, action in enumerate(state):
            sight = "all" if self.movers[ply] == player else self.sights[player][ply]
            seen.append(action if sight == "all" else action % 2 if sight == "parity" else -1)
        return tuple(seen)


@functools.lru_cache(maxsize=1_000)
def payoffs(seed: int, players: int, sums_up: bool, state: State) -> list[int]:
    """Payoffs from −4 to 4; with `sums_up` the last player has what is left to 1."""
    draw = random.Random(f"{seed} {state}")
    found = [draw.randint(-4, 4) for _ in range(players)]
    if sums_up:
        found[-1] = 1 - sum(found[:-1])
    return found


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
    """The most that any pure strategy of a player gets against the others: all of them are tried.

    A play counts with every pure strategy that makes the player's moves in it.
    """
    mine = profile.strategies[player]
    number = {seen: i for i, seen in enumerate(mine)}
    tried = np.array(list(product(*(list(odds) for odds in mine.values()))))
    got = np.zeros(len(tried))
    waiting: list[Any] = [(game.initial(), 1.0, np.full(len(tried), True))]
    while waiting:
        state, likely, makes = waiting.pop()
        if game.is_terminal(state):
            got += likely * game.utility(state, player) * makes
            continue
        mover = game.player(state)
        if mover == CHANCE:
            waiting += [(game.result(state, one), likely * p, makes) for one, p in game.chance(state)]
        elif mover == player:
            place = number[game.observe(state, player)]
            for action in game.actions(state):
                waiting.append((game.result(state, action), likely, makes & (tried[:, place] == action)))
        else:
            odds = profile.strategies[mover][game.observe(state, mover)]
            waiting += [(game.result(state, action), likely * p, makes) for action, p in odds.items() if p]
    return float(got.max())


def span(game: Game, player: int) -> float:
    """How far apart the best and the worst end are for a player."""
    found: list[float] = []
    waiting = [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            found.append(game.utility(state, player))
        elif game.player(state) == CHANCE:
            waiting += [game.result(state, outcome) for outcome, _ in game.chance(state)]
        else:
            waiting += [game.result(state, action) for action in game.actions(state)]
    return max(found) - min(found)
