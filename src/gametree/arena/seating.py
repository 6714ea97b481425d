"""Who sits where: the games of a round, such that nobody has a better seat than the others."""

import itertools
import math
import random
from collections.abc import Sequence
from typing import Final

FEW: Final = 6
"""Up to so many ways to sit are all played."""


def seatings(sides: int, players: int, number: int = 0) -> tuple[tuple[int, ...], ...]:
    """For each game of round `number` the player at every side.

    Where there are few ways to sit, all of them. Else everybody sits everywhere in turn, in an order that is another
    one in every round.

    >>> seatings(2, 2)
    ((0, 1), (1, 0))
    >>> seatings(3, 2)
    ((0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0))
    >>> len(seatings(3, 3)), len(seatings(4, 2)), len(seatings(4, 4, 7)), len(seatings(6, 6, 7))
    (6, 6, 4, 6)
    """
    assert players <= sides
    if _ways(sides, players) <= FEW:
        return tuple(
            seats
            for seats in itertools.product(range(players), repeat=sides)
            if _is_fair(seats, sides, players)
        )
    order = list(range(players))
    random.Random(f"seats {number}").shuffle(order)
    at_table = [order[place % players] for place in range(sides)]
    found: list[tuple[int, ...]] = []
    for turn in range(sides):
        seats = at_table[turn:] + at_table[:turn]
        # Where players sit twice, those who do so change.
        for step in range(players if sides % players else 1):
            found.append(tuple(order[(order.index(one) + step) % players] for one in seats))
    return tuple(dict.fromkeys(found))


def _is_fair(seats: Sequence[int], sides: int, players: int) -> bool:
    """Whether everybody has as many seats as the others, give or take one."""
    least = sides // players
    return all(least <= seats.count(one) <= least + bool(sides % players) for one in range(players))


def _ways(sides: int, players: int) -> int:
    """How many fair ways to sit there are."""
    more = sides % players
    counts = [sides // players + (place < more) for place in range(players)]
    return math.comb(players, more) * math.factorial(sides) // math.prod(map(math.factorial, counts))
