"""Players of a user's own, good ones and bad ones."""

import os
import time
from typing import Any


class Greedy:
    """Takes as much as it may in Nim."""

    def move(self, state: Any) -> int:
        return min(3, int(state.left))


class Knowing:
    """Is made with the game."""

    def __init__(self, game: Any):
        self.game = game

    def move(self, state: Any, history: Any, clock: Any) -> Any:
        assert isinstance(history, tuple)
        print("thinking aloud")
        return list(self.game.actions(state))[-1]


def last(state: Any, history: Any) -> int:
    return min(3, int(state.left))


class Hangs(Greedy):
    def move(self, state: Any) -> int:
        time.sleep(60)
        return 1


class Exits(Greedy):
    def move(self, state: Any) -> int:
        os._exit(7)


class Raises(Greedy):
    def move(self, state: Any) -> int:
        raise ValueError("out of luck")


class Illegal(Greedy):
    def move(self, state: Any) -> int:
        return 99


class Babbles(Greedy):
    def move(self, state: Any) -> int:
        print("x" * (1 << 21))
        return 1


class Speechless:
    pass


number = 3
