"""What it would take to solve a game, from random plays: an estimate, to be read as one.

Knuth (1975): the product of the branching factors along a random line is, on average, the number of lines of that
length. So random plays tell the size of the tree. Alpha-beta needs at least about the square root of it (Knuth & Moore
1975: the minimal tree); with a bad order more, with positions that meet again fewer. How much fewer nobody can tell
beforehand, so the time is that of the square root and no bound on either side.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from gametree.game import Game, check_state
from gametree.result import Limit
from gametree.search.core.stopwatch import StopWatch
from gametree.search.statistics import power, stats_within

MOST_PLAYS: Final = 200
STEPS: Final = 4_000
"""How many positions random plays pass, more or less; at least three plays."""
YEAR: Final = 365.25 * 86_400


@dataclass(frozen=True)
class Estimate:
    """How large the tree below a state is and how long it takes at some speed, by random plays."""

    plays: int
    branching: float
    """b: actions in a state, on average over the plays."""
    length: float
    """m: plies in a play, on average."""
    longest: int
    tree_log10: float
    """The decimal logarithm of the number of nodes of the tree."""
    endless: bool
    """Whether plays were broken off because they did not end."""
    speed: float
    """Nodes a second that were measured."""

    @property
    def least_log10(self) -> float:
        """The decimal logarithm of about the least that alpha-beta looks at without a table."""
        return self.tree_log10 / 2

    @property
    def seconds_log10(self) -> float:
        """The decimal logarithm of the seconds for that."""
        return self.least_log10 - math.log10(max(self.speed, 1e-9))

    @property
    def time(self) -> str:
        """How long that is, in words.

        >>> Estimate(10, 35, 80, 120, 123.5, False, 1e6).time
        'about 10^48 years'
        """
        return duration(self.seconds_log10)

    def sentence(self) -> str:
        """The estimate in words."""
        plays = f"{self.plays} random plays" + (", some of them broken off," if self.endless else "")
        speed = power(math.log10(max(self.speed, 1.0)))
        return (
            f"{plays} have b = {self.branching:.3g} moves in a position and m = {self.length:.3g} plies, a tree of"
            f" about {power(self.tree_log10)} nodes; alpha-beta looks at about {power(self.least_log10)} of them at"
            f" best, {self.time} at {speed} nodes/s, less what positions that meet again save"
        )

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain data."""
        more = {"least_log10": self.least_log10, "seconds_log10": self.seconds_log10}
        return {**asdict(self), **more}


def estimate(game: Game, state: Any, speed: float, seed: int = 0) -> Estimate:
    """What random plays from a state tell; the longer they are, the fewer.

    >>> from gametree.games import TicTacToe
    >>> found = estimate(TicTacToe(), None, speed=1e6)
    >>> found.longest, 5 < found.tree_log10 < 6.5
    (9, True)
    """
    found = estimate_within(StopWatch(Limit()).begin(aside=True), game, check_state(game, state), speed, seed)
    assert found is not None
    return found


def estimate_within(watch: StopWatch, game: Game, state: Any, speed: float, seed: int = 0) -> Estimate | None:
    """The same as far as a stop-watch leaves time for it; None where that is not enough for a single play."""
    first = stats_within(watch, game, state, 3, seed)
    if first is None:
        return None
    plays = int(min(MOST_PLAYS, max(3, STEPS / max(first.length, 1))))
    found = (stats_within(watch, game, state, plays, seed) if plays > 3 else first) or first
    return Estimate(
        plays=found.plays,
        branching=found.branching,
        length=found.length,
        longest=found.longest,
        tree_log10=found.tree_log10,
        endless=found.cut_off > 0,
        speed=speed,
    )


def duration(log10: float) -> str:
    """A time from the logarithm of its seconds, in words.

    >>> duration(0), duration(3), duration(5.5), duration(9), duration(40)
    ('about 1 s', 'about 17 minutes', 'about 4 days', 'about 32 years', 'about 10^33 years')
    """
    if log10 > math.log10(YEAR) + 6:
        return f"about 10^{log10 - math.log10(YEAR):.0f} years"
    seconds = 10**log10
    if seconds < 0.5:
        return "less than a second"
    for size, name in ((YEAR, "year"), (86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            count = round(seconds / size)
            return f"about {count:,} {name}{'s' * (count > 1)}"
    return f"about {seconds:.0f} s"
