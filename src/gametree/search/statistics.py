"""The numbers of a game: how wide and how long it is, and what that makes of its tree.

The lectures quote them for chess: b ≈ 35 actions in a state, m ≈ 100 plies, hence 35^100 ≈ 10^154 nodes. They are
measured here on random plays. The size of the tree is estimated after Knuth (Estimating the efficiency of backtrack
programs, 1975): the product of the branching factors along a random line is, on average, the number of lines of that
length.
"""

import math
import random
from dataclasses import dataclass
from typing import Any

from gametree.errors import InputError, RulesError
from gametree.game import Game, check_state
from gametree.search.core.plays import random_play
from gametree.search.core.task import capabilities

LONGEST = 10_000
"""Plays longer than this are broken off."""


@dataclass(frozen=True)
class Stats:
    """What random plays tell about a game."""

    game: str
    plays: int
    branching: float
    """b: actions in a state, on average over the states passed."""
    length: float
    """m: plies in a play, on average."""
    least_branching: int
    greatest_branching: int
    shortest: int
    longest: int
    forced: float
    """The share of states with a single action."""
    tree_log10: float
    """The decimal logarithm of the estimated number of nodes of the tree."""
    cut_off: int
    """Plays that were broken off because they did not end."""

    @property
    def power_log10(self) -> float:
        """The decimal logarithm of b^m."""
        return self.length * math.log10(self.branching) if self.branching > 0 else 0.0

    def __str__(self) -> str:
        lines = [
            f"{self.game}: {self.plays} random plays",
            f"  b, actions in a state   {self.branching:.3g} ({self.least_branching} to {self.greatest_branching})",
            f"  m, plies in a play      {self.length:.3g} ({self.shortest} to {self.longest})",
            f"  forced, one action only {self.forced:.1%} of the states",
            f"  b^m                     {power(self.power_log10, digits=1)}",
            f"  nodes of the tree       {power(self.tree_log10, digits=1)}, estimated",
        ]
        if self.cut_off:
            lines.append(f"  {self.cut_off} plays did not end within {LONGEST:,} plies")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {**self.__dict__, "power_log10": self.power_log10}


def power(log10: float, digits: int = 0) -> str:
    """A number from its logarithm: written out where that is short.

    >>> power(2), power(123.456), power(123.456, digits=1)
    ('100', '10^123', '10^123.5')
    """
    return f"{10**log10:,.0f}" if log10 < 6 else f"10^{log10:.{digits}f}"


def stats(game: Game, state: Any = None, *, plays: int = 1000, seed: int = 0) -> Stats:
    """Plays at random and counts.

    >>> from gametree.games import TicTacToe
    >>> found = stats(TicTacToe(), plays=200)
    >>> found.greatest_branching, found.longest
    (9, 9)
    """
    capabilities(game, "stats")
    if not isinstance(plays, int) or plays < 1:
        raise InputError(f"plays={plays!r}: a whole number of at least 1")
    state = check_state(game, state)
    rng = random.Random(seed)
    widths: list[int] = []
    lengths: list[int] = []
    sizes: list[list[float]] = []
    cut_off = 0
    for _ in range(plays):
        width, logs, ended = _play(game, state, rng)
        widths += width
        lengths.append(len(width))
        sizes.append(logs)
        cut_off += not ended
    return Stats(
        game=type(game).__name__,
        plays=plays,
        branching=sum(widths) / len(widths) if widths else 0.0,
        length=sum(lengths) / plays,
        least_branching=min(widths, default=0),
        greatest_branching=max(widths, default=0),
        shortest=min(lengths),
        longest=max(lengths),
        forced=sum(width == 1 for width in widths) / len(widths) if widths else 0.0,
        tree_log10=_mean_log10([_sum_log10(logs) for logs in sizes]),
        cut_off=cut_off,
    )


def _play(game: Game, state: Any, rng: random.Random) -> tuple[list[int], list[float], bool]:
    """One random play: how many actions each state had, log10 of the lines up to each ply, and whether it ended."""
    width: list[int] = []
    logs = [0.0]
    for step in random_play(game, state, rng, LONGEST):
        width.append(len(step.choices))
        logs.append(logs[-1] + math.log10(len(step.choices)))
        state = step.after
    if len(width) == LONGEST:
        return width, logs, False
    if not game.is_terminal(state):
        raise RulesError(f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}")
    return width, logs, True


def _sum_log10(logs: list[float]) -> float:
    top = max(logs)
    return top + math.log10(math.fsum(10 ** (log - top) for log in logs))


def _mean_log10(logs: list[float]) -> float:
    return _sum_log10(logs) - math.log10(len(logs))
