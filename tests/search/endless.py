"""Games without an end, and trees that are all depth."""

from typing import Any

from gametree import Game


class Toggle(Game):
    """A lamp that two players switch on and off for ever."""

    def initial(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return state

    def actions(self, state: int) -> range:
        return range(2)

    def result(self, state: int, action: int) -> int:
        return 1 - state

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> float:
        return 0


class JudgedToggle(Toggle):
    """The same with an opinion on it."""

    def evaluate(self, state: int, player: int) -> float:
        return 1 if player == state else -1


def chain(plies: int, end: float) -> Any:
    """A tree without choice: one child a node, `plies` deep."""
    spec: Any = end
    for _ in range(plies):
        spec = [spec]
    return spec


def staircase(plies: int, end: float) -> Any:
    """A tree in which everybody can leave at every step, and nobody who knows better does.

    Player 0 would leave for −1, player 1 for 1, and the end lies between.
    """
    spec: Any = end
    for ply in range(plies - 1, -1, -1):
        spec = [1 if ply % 2 else -1, spec]
    return spec
