"""The numbers of a game: how wide and how long it is, and what that makes of its tree.

The lectures quote them for chess: b ≈ 35 actions in a state, m ≈ 100 plies, hence 35^100 ≈ 10^154 nodes. They are
measured here on random plays. The size of the tree is estimated after Knuth (Estimating the efficiency of backtrack
programs, 1975): the product of the branching factors along a random line is, on average, the number of lines of that
length.
"""

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gametree.errors import InputError, RulesError
from gametree.game import CHANCE, Game, check_state, offers
from gametree.result import Limit
from gametree.search.core.plays import random_play
from gametree.search.core.stopwatch import StopWatch
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
    by: str = "random"
    """Who played: "random", or whose moves were counted."""
    optimal: bool = True
    """Whether minimax is for such a game: two players with a constant sum, without dice, with nothing hidden."""

    @property
    def power_log10(self) -> float:
        """The decimal logarithm of b^m."""
        return self.length * math.log10(self.branching) if self.branching > 0 else 0.0

    def __str__(self) -> str:
        lines = [
            f"{self.game}: {self.plays} {'random plays' if self.by == 'random' else f'plays of {self.by}'}",
            f"  b, actions in a state   {self.branching:.3g} ({self.least_branching} to {self.greatest_branching})",
            f"  m, plies in a play      {self.length:.3g} ({self.shortest} to {self.longest})",
            f"  forced, one action only {self.forced:.1%} of the states",
            f"  b^m                     {power(self.power_log10, digits=1)}",
            f"  nodes of the tree       {power(self.tree_log10, digits=1)}, estimated",
        ]
        lines += self.properties()
        if self.cut_off:
            lines.append(f"  {self.cut_off} plays did not end within {LONGEST:,} plies")
        return "\n".join(lines)

    def properties(self) -> list[str]:
        """Complete, optimal, time and space: what the textbook says of minimax and alpha-beta, with these b and m."""
        b = math.log10(self.branching) if self.branching > 0 else 0.0
        space = power(b + math.log10(max(1.0, self.length)), digits=1)
        complete = "yes, every play ended" if not self.cut_off else "only to a depth: not every play ends"
        optimal = "yes, against an optimal opponent"
        if not self.optimal:
            optimal = "that takes two players with a constant sum, no dice, nothing hidden"
        return [
            "  minimax",
            f"    complete              {complete}",
            f"    optimal               {optimal}",
            f"    time, b^m             {power(self.power_log10, digits=1)}",
            f"    space, b·m            {space}",
            "  alpha-beta, best order",
            f"    time, b^(m/2)         {power(self.power_log10 / 2, digits=1)}",
        ]

    def to_dict(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {**self.__dict__, "power_log10": self.power_log10}


def power(log10: float, digits: int = 0) -> str:
    """A number from its logarithm: written out where that is short.

    >>> power(2), power(123.456), power(123.456, digits=1)
    ('100', '10^123', '10^123.5')
    """
    return f"{10**log10:,.0f}" if log10 < 6 else f"10^{log10:.{digits}f}"


Policy = Callable[[Any, list[Any]], Any]
"""Who plays: the move in a state, after these states."""
DRAWN_PLIES = 4
"""Plays of a policy begin with so many plies at random."""


def stats(
    game: Game,
    state: Any = None,
    *,
    plays: int = 1000,
    seed: int = 0,
    policy: Policy | None = None,
    by: str = "",
) -> Stats:
    """Plays at random, or as a policy does, and counts. `by` is what the policy is called.

    >>> from gametree.games import TicTacToe
    >>> found = stats(TicTacToe(), plays=200)
    >>> found.greatest_branching, found.longest
    (9, 9)
    """
    capabilities(game, "stats")
    if not isinstance(plays, int) or plays < 1:
        raise InputError(f"plays={plays!r}: a whole number of at least 1")
    watch = StopWatch(Limit()).begin(aside=True)
    found = stats_within(watch, game, check_state(game, state), plays, seed, policy, by)
    assert found is not None
    return found


def stats_within(
    watch: StopWatch,
    game: Game,
    state: Any,
    plays: int,
    seed: int = 0,
    policy: Policy | None = None,
    by: str = "",
) -> Stats | None:
    """The same of as many plays as a stop-watch leaves time for; None where that is none."""
    rng = random.Random(seed)
    widths: list[int] = []
    lengths: list[int] = []
    sizes: list[list[float]] = []
    cut_off = 0
    rules = watch.rules(game)
    with watch.in_time():
        while len(lengths) < plays and watch.look_up():
            width, logs, ended = _play(rules, state, rng, policy)
            widths += width
            lengths.append(len(width))
            sizes.append(logs)
            cut_off += not ended
    plays = len(lengths)
    if not plays:
        return None
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
        by=by or ("random" if policy is None else "a policy"),
        optimal=game.players == 2
        and game.total is not None
        and not offers(game, "chance")
        and not offers(game, "observe"),
    )


def _play(
    game: Game, state: Any, rng: random.Random, policy: Policy | None
) -> tuple[list[int], list[float], bool]:
    """One random play: how many actions each state had, log10 of the lines up to each ply, and whether it ended."""
    width: list[int] = []
    logs = [0.0]
    if policy is None:
        for step in random_play(game, state, rng, LONGEST):
            width.append(len(step.choices))
            state = step.after
    else:
        state = _played(game, state, rng, policy, width)
    for count in width:
        logs.append(logs[-1] + math.log10(count))
    if len(width) == LONGEST:
        return width, logs, False
    if policy is None and not game.is_terminal(state):
        raise RulesError(f"{type(game).__name__} has no actions in a state that is not terminal: {state!r}")
    return width, logs, True


def _played(game: Game, state: Any, rng: random.Random, policy: Policy, width: list[int]) -> Any:
    """One play of a policy: its last state. The first plies are drawn, so that no two plays are the same."""
    before: list[Any] = []
    seen: Counter[Any] = Counter()
    while not game.is_terminal(state) and len(width) < LONGEST:
        if game.repetition is not None:
            seen[game.repetition_key(state)] += 1
            if seen[game.repetition_key(state)] >= game.repetition[1]:
                break
        if offers(game, "chance") and game.player(state) == CHANCE:
            outcomes = list(game.chance(state))
            width.append(len(outcomes))
            action = rng.choices([one for one, _ in outcomes], [odds for _, odds in outcomes])[0]
        else:
            actions = list(game.actions(state))
            width.append(len(actions))
            action = rng.choice(actions) if len(width) <= DRAWN_PLIES else policy(state, before)
        before.append(state)
        state = game.result(state, action)
    return state


def _sum_log10(logs: list[float]) -> float:
    top = max(logs)
    return top + math.log10(math.fsum(10 ** (log - top) for log in logs))


def _mean_log10(logs: list[float]) -> float:
    return _sum_log10(logs) - math.log10(len(logs))
