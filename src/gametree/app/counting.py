"""Perft for people: counts ply by ply with their speed, and the share of each move."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gametree.errors import InputError
from gametree.game import Game
from gametree.result import Limit
from gametree.search.perft import perft


@dataclass(frozen=True)
class Count:
    """How many lines of a length there are, and how long it took to count them."""

    depth: int
    lines: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The count as plain data."""
        return {"depth": self.depth, "lines": self.lines, "seconds": self.seconds}


def counts(game: Game, depth: int, state: Any, compile: str) -> Iterator[Count]:
    """The counts of depth 1 to `depth`."""
    Limit(depth=depth)
    # Compiling is not counting.
    perft(game, min(depth, 1), state, compile=compile)
    for plies in range(min(depth, 1), depth + 1):
        start = time.perf_counter()
        lines = perft(game, plies, state, compile=compile)
        yield Count(plies, lines, time.perf_counter() - start)


def divide(game: Game, depth: int, state: Any, compile: str) -> dict[str, int]:
    """The count below each move at the root, by its name.

    >>> from gametree.games import Nim
    >>> divide(Nim(counters=4), 3, Nim(counters=4).initial(), "never")
    {'1': 3, '2': 1, '3': 0}
    """
    if depth < 1:
        raise InputError(f"--divide needs a depth of at least 1, not {depth}")
    return {
        game.name_action(state, action): perft(game, depth - 1, game.result(state, action), compile=compile)
        for action in game.actions(state)
    }
