"""Playing below one's strength: fewer nodes, and moves that are close to each other confused.

The scale is nominal. A rating of 100 less means half the nodes and a little more confusion; how that compares with
other programs is a question for a match.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gametree.errors import InputError
from gametree.result import Move

LOWEST: Final = 800
HIGHEST: Final = 2400
CANDIDATES: Final = 6
"""So many moves are considered."""
_NODES: Final = 2_000_000
"""At the highest rating."""


@dataclass(frozen=True)
class Handicap:
    """How many nodes a rating may look at, and how blurred it sees, in units of the evaluation."""

    nodes: int
    blur: float


def handicap(rating: int) -> Handicap:
    """What it takes to play at a rating.

    >>> handicap(2400)
    Handicap(nodes=2000000, blur=0.0)
    >>> handicap(1400).nodes, handicap(1400).blur
    (1953, 0.75)
    """
    if not LOWEST <= rating <= HIGHEST:
        raise InputError(f"ratings are {LOWEST} to {HIGHEST}; {rating} is none")
    below = HIGHEST - rating
    return Handicap(max(500, int(_NODES / 2 ** (below / 100))), 0.075 * below / 100)


def choose(moves: Sequence[Move], blur: float, rng: random.Random) -> Move:
    """The move that seems best through a blur; a proven win is seen, and a proven loss is avoided.

    `moves` is not empty. The noise on each estimate is normal, with `blur` its standard deviation.
    """
    wins = [move for move in moves if move.value.outcome == "win"]
    if wins:
        return max(wins, key=lambda move: move.value)
    open_ones = [move for move in moves if move.value.outcome is None]
    if not open_ones:
        return max(moves, key=lambda move: move.value)
    return max(open_ones, key=lambda move: move.value.payoff + rng.gauss(0, blur))
