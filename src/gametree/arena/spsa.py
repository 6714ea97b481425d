"""Simultaneous perturbation: all parameters are moved at once, to where games are won.

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation", IEEE
Transactions on Automatic Control 37, 1992. In round k every parameter i is moved by c·sᵢ up in one player and down in
the other, or the other way round, as coins fall; they meet, and the parameters are moved towards the one who won. The
moves c and the gains a shrink as Spall advises ("Implementation of the simultaneous perturbation algorithm", IEEE
Transactions on Aerospace and Electronic Systems 34, 1998).

Rounds come in batches that begin at the same point, so that they can be played at the same time, and a batch is the
same whoever plays it.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

ALPHA: Final = 0.602
GAMMA: Final = 0.101
STEADY: Final = 0.1
"""For so large a share of all rounds the gains hardly shrink."""
GAIN: Final = 0.01
"""What a round moves at the end, in steps squared: found in simulations, see docs/tuning.md."""
LAST: Final = 0.2
"""The result is the mean over this last part of the way: a single point is noisy."""


@dataclass(frozen=True)
class Schedule:
    """How far parameters are moved in every round, in units of the step that each is moved at the end.

    >>> schedule = Schedule(1000)
    >>> round(schedule.move(999), 3), schedule.move(0) > 2, schedule.gain(0) > 4 * schedule.gain(999)
    (1.0, True, True)
    """

    rounds: int
    gain_at_end: float = GAIN

    def move(self, number: int) -> float:
        """How far both players of a round are from the point between them."""
        return float((self.rounds / (number + 1)) ** GAMMA)

    def gain(self, number: int) -> float:
        """How far a round that was won altogether moves that point, for each unit of `move`."""
        steady = STEADY * self.rounds
        return float(self.gain_at_end * ((steady + self.rounds) / (steady + number + 1)) ** ALPHA)


def coins(seed: int, number: int, parameters: int) -> list[int]:
    """Which way each parameter is moved in a round: 1 or −1, the same in every process."""
    draws = random.Random(f"{seed} {number}")
    return [1 if draws.random() < 0.5 else -1 for _ in range(parameters)]


def moved(
    point: Sequence[float], schedule: Schedule, number: int, flips: Sequence[int], share: float
) -> list[float]:
    """Where a round moves the point, in steps: `share` is what the player made who was moved as the coins fell."""
    won = 2 * (2 * share - 1)
    by = schedule.gain(number) / schedule.move(number) * won
    return [value + by * flip for value, flip in zip(point, flips)]
