"""Small games with hidden information, written for tests."""

from collections.abc import Iterator
from typing import Any

import gametree as gt


class Coin(gt.Game):
    """A coin that falls on 0 with a probability of 0.7 is thrown; the second player saw it and says 0 or 1, true or
    not; the first says how it fell and wins if he is right."""

    payoffs = (-1, 1)

    def initial(self) -> Any:
        return (-1, -1, -1)

    def player(self, state: Any) -> int:
        coin, said, _ = state
        return -1 if coin < 0 else 1 if said < 0 else 0

    def chance(self, state: Any) -> Any:
        return ((0, 0.7), (1, 0.3))

    def actions(self, state: Any) -> Any:
        return range(2)

    def result(self, state: Any, action: int) -> Any:
        coin, said, guess = state
        if coin < 0:
            return (action, said, guess)
        return (coin, action, guess) if said < 0 else (coin, said, action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[2] >= 0)

    def utility(self, state: Any, player: int) -> float:
        right = 1 if state[0] == state[2] else -1
        return right if player == 0 else -right

    def observe(self, state: Any, player: int) -> Any:
        coin, said, guess = state
        return (coin if player == 1 or guess >= 0 else 0 if coin >= 0 else -1, said, guess)


class Partners(gt.Game):
    """Two partners see one bit each and name a bit in turn: they share a point if the second names the exclusive or of
    both. The first can only tell the second by what he names."""

    payoffs = (0, 1)
    total = None

    def initial(self) -> Any:
        return (-1, -1, -1, -1)

    def player(self, state: Any) -> int:
        return -1 if state[1] < 0 else 0 if state[2] < 0 else 1

    def chance(self, state: Any) -> Any:
        return ((0, 0.5), (1, 0.5))

    def actions(self, state: Any) -> Any:
        return range(2)

    def result(self, state: Any, action: int) -> Any:
        first, second, told, named = state
        if first < 0:
            return (action, second, told, named)
        if second < 0:
            return (first, action, told, named)
        return (first, second, action, named) if told < 0 else (first, second, told, action)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[3] >= 0)

    def utility(self, state: Any, player: int) -> float:
        return 1 if state[3] == state[0] ^ state[1] else 0

    def team(self, player: int) -> int:
        return 0

    def observe(self, state: Any, player: int) -> Any:
        first, second, told, named = state
        return (first if player == 0 else second, told, named)


def plays(game: gt.Game, seed: int) -> Iterator[tuple[Any, list[Any]]]:
    """The states of a random play in which a player is to move, each with those before it."""
    from random import Random

    rng = Random(seed)
    state: Any = game.initial()
    history: list[Any] = []
    while not game.is_terminal(state):
        if game.player(state) == gt.CHANCE:
            outcomes, odds = zip(*game.chance(state))
            action = rng.choices(outcomes, odds)[0]
        else:
            yield state, list(history)
            action = rng.choice(list(game.actions(state)))
        history.append(state)
        state = game.result(state, action)
