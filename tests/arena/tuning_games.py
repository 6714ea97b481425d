"""Games to be tuned. They live in a module so that other processes can import them."""

from collections.abc import Iterator
from typing import NamedTuple

import gametree as gt


class State(NamedTuple):
    first: int
    last: int
    mover: int
    lead: int


class Row(gt.Game[State, int]):
    """Take a stone from either end of a row; who has taken more wins. `weights` care for what does not matter."""

    weights = (0.0, 0.5, 1.0)
    payoffs = (-1, 1)

    def __init__(self, stones: tuple[int, ...] = (3, 9, 1, 2, 8, 4, 7, 5, 6, 1, 9, 2)):
        self.stones = stones

    def initial(self) -> State:
        return State(0, len(self.stones) - 1, 0, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        yield state.first
        if state.last > state.first:
            yield state.last

    def result(self, state: State, action: int) -> State:
        stone = self.stones[action] if state.mover == 0 else -self.stones[action]
        first = state.first + (action == state.first)
        return State(first, state.last - (action != state.first), 1 - state.mover, state.lead + stone)

    def is_terminal(self, state: State) -> bool:
        return state.first > state.last

    def utility(self, state: State, player: int) -> int:
        won = (state.lead > 0) - (state.lead < 0)
        return won if player == 0 else -won

    def features(self, state: State, player: int) -> Iterator[float]:
        side = 1 if player == 0 else -1
        yield side * state.lead / 10
        yield side * (len(self.stones) - 1 - state.last - state.first) / 4
