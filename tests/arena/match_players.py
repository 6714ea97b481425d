"""Players and games for the tests of matches. They live in a module so that other processes can import them."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from gametree import CHANCE, Game
from gametree.games import ConnectFour, Nim


class Seeded:
    """Plays at random, by the seed that it is given before every game."""

    def __init__(self, game: Game):
        self.game = game
        self.rng = random.Random(0)

    def begin(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def move(self, state: Any) -> Any:
        return self.rng.choice(list(self.game.actions(state)))


def seeded_connect_four() -> Seeded:
    return Seeded(ConnectFour())


class Expert:
    """Plays Nim perfectly."""

    def move(self, state: Any) -> int:
        return int(state.left % 4 or 1)


def greedy(state: Any, history: Sequence[Any]) -> int:
    """Takes as much as it may in Nim."""
    return min(3, int(state.left))


def first_action(state: Any, history: Sequence[Any]) -> int:
    """The first column of Connect Four that is not full."""
    return next(iter(ConnectFour().actions(state)))


def slow_score(left: int, first_is_expert: bool) -> float:
    """What the expert makes against the greedy player, move by move: Nim(left) with the expert first or second."""
    expert = first_is_expert
    while True:
        left -= (left % 4 or 1) if expert else min(3, left)
        if left == 0:
            return 1.0 if expert else 0.0
        expert = not expert


class Circle(Game):
    """Two players push a stone around a circle of four fields and never get anywhere."""

    def __init__(self, what: str = "draw", times: int = 3):
        self.repetition = (what, times)

    def initial(self) -> Any:
        return (0, 0)

    def player(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Iterable[int]:
        return (1, 3)

    def result(self, state: Any, action: int) -> Any:
        return ((state[0] + action) % 4, 1 - state[1])

    def is_terminal(self, state: Any) -> bool:
        return False

    def utility(self, state: Any, player: int) -> float:
        return 0


class Endless(Circle):
    """The same without a rule on repetition."""

    def __init__(self) -> None:
        self.repetition = None


class Dice(Game):
    """Each player in turn rolls a die, and may keep it or give it away; four rolls, the higher sum wins."""

    def initial(self) -> Any:
        return (0, -1, 0, 0)

    def player(self, state: Any) -> int:
        return CHANCE if state[1] < 0 else int(state[0] % 2)

    def chance(self, state: Any) -> Iterable[tuple[int, float]]:
        return [(roll, 1 / 6) for roll in range(1, 7)]

    def actions(self, state: Any) -> Iterable[int]:
        return (0, 1)

    def result(self, state: Any, action: int) -> Any:
        turn, roll, first, second = state
        if roll < 0:
            return (turn, action, first, second)
        return (turn + 1, -1, first + roll, second) if action == 0 else (turn + 1, -1, first, second + roll)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 4)

    def utility(self, state: Any, player: int) -> float:
        lead = (state[2] > state[3]) - (state[2] < state[3])
        return float(lead if player == 0 else -lead)


def keeps(state: Any, history: Sequence[Any]) -> int:
    """Keeps every die."""
    return int(state[0] % 2)


def gives(state: Any, history: Sequence[Any]) -> int:
    """Gives every die away."""
    return int(1 - state[0] % 2)


class Twice(Nim):
    """Nim in which the first player moves twice in a row, now and then."""

    def player(self, state: Any) -> int:
        return 0 if state.left % 5 == 0 else int(state.mover)

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1


class Crash:
    """Raises in its third move."""

    def begin(self, seed: int) -> None:
        self.left = 2

    def move(self, state: Any) -> int:
        self.left -= 1
        if self.left < 0:
            raise ZeroDivisionError("out of luck")
        return 1
