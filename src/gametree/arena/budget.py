"""How long to think: a budget from the clock, and when to be content within it. Pure functions of numbers.

A budget has two ends. At the hard one the search is cut off in the middle of a depth: together with the overhead,
what a move loses on its way to the other program, it lies before the flag falls. At the soft one no further
depth is begun; it moves with how sure the search is.
"""

import math
from dataclasses import dataclass
from typing import Final

HORIZON: Final = 32
"""The moves that the time left has to do for, where nobody says how many there are.

With fewer the first moves take what the middle of the game needs; twice the time is worth about as much there."""
RESERVE: Final = 1 / 3
"""How much of the overheads of the moves to come is kept back: most moves lose far less than the most they may."""
LONGEST_SHARE: Final = 5.0
"""A move takes at most so many times its share."""
LARGEST_PART: Final = 0.4
"""No move takes more of the time left than this, unless it is the last one before more time is added."""
LAST_PART: Final = 0.85
SHORTEST: Final = 0.001
"""Even with no time left a move has to be found."""


@dataclass(frozen=True)
class Budget:
    """Seconds: when to begin no further depth, and when to stop whatever is known."""

    soft: float
    hard: float

    def __post_init__(self) -> None:
        assert 0 < self.soft <= self.hard, (self.soft, self.hard)


UNLIMITED: Final = Budget(math.inf, math.inf)


def share(left: float, increment: float = 0.0, moves: int | None = None, overhead: float = 0.0) -> Budget:
    """The budget of one move, with `left` seconds on the clock for `moves` moves, or for all to come.

    `hard` never exceeds what is left after the overhead, or a millisecond where nothing is.

    >>> budget = share(left=5.0, increment=0.05, overhead=0.03)
    >>> round(budget.soft, 3), round(budget.hard, 3)
    (0.196, 0.978)
    """
    usable = left - overhead
    if usable <= SHORTEST:
        return Budget(SHORTEST, SHORTEST)
    horizon = HORIZON if moves is None else min(max(moves, 1), HORIZON)
    spread = max(usable - RESERVE * overhead * (horizon - 1), usable / 4) / horizon
    last = moves is not None and moves <= 1
    most = usable * (LAST_PART if last else LARGEST_PART)
    soft = min(spread + increment, most)
    soft = max(soft, SHORTEST / 2)
    hard = max(min(soft * LONGEST_SHARE, most), soft)
    return Budget(soft, min(hard, usable))


def fixed(seconds: float, overhead: float = 0.0) -> Budget:
    """The budget where a move has its own time: all of it but the overhead, or half of very little.

    >>> fixed(1.0, overhead=0.03)
    Budget(soft=0.97, hard=0.97)
    """
    usable = max(seconds - overhead, seconds / 2, SHORTEST)
    return Budget(usable, usable)


@dataclass(frozen=True)
class Pace:
    """How settled a search is, depth after depth: the choice, its worth, and how often the choice changed."""

    choice: object = None
    worth: float = 0.0
    unrest: float = 0.0
    """Half of what it was with every depth, and one more with every change of mind."""
    fell: float = 0.0
    """By how much the worth fell with the last depth, in pawns."""
    depths: int = 0

    def after(self, choice: object, worth: float) -> "Pace":
        """The pace after one more depth."""
        changed = self.depths > 0 and choice != self.choice
        fell = max(0.0, self.worth - worth) if self.depths else 0.0
        return Pace(choice, worth, self.unrest / 2 + changed, fell, self.depths + 1)

    @property
    def stretch(self) -> float:
        """What the soft end is multiplied with: less than 1 where nothing happens, more where much does."""
        return 0.7 + 0.6 * min(self.unrest, 2.0) + 0.8 * min(self.fell, 1.0)


def content(budget: Budget, pace: Pace, elapsed: float, choices: int) -> bool:
    """Whether to move now rather than to begin a further depth, which would take about as long as all before it.

    >>> content(share(60.0), Pace().after("e4", 0.3), elapsed=0.1, choices=20)
    False
    >>> content(share(60.0), Pace().after("e4", 0.3), elapsed=0.1, choices=1)
    True
    """
    if budget.soft == budget.hard:
        return elapsed >= budget.hard
    if choices <= 1 and pace.depths >= 1:
        return True
    return elapsed >= min(budget.soft * pace.stretch, budget.hard)
