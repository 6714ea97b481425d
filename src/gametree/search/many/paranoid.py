"""Paranoid search: what a player, or a team, can be sure of if everybody else works against it.

Sturtevant & Korf, On Pruning Techniques for Multi-Player Games (AAAI 2000). All others become one opponent who wants
nothing but to keep our payoff small, so alpha-beta applies, however many there are and whatever their payoffs sum to.
Searched to the end, the value is a guarantee: no play of the others can make it less. It says nothing about what the
others get. The kernel is in `paranoid_kernel.py`.
"""

import math
from typing import Any, Unpack

from gametree.game import CHANCE, Game
from gametree.result import Analysis
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, OnProgress, Task, spelled_out
from gametree.search.many import paranoid_kernel, sides
from gametree.search.many.root import ManyRoot, Score
from gametree.search.many.task import alone, ask, at_once

NEEDS = Needs("paranoid", repetition="shared")


class Opposed(ManyRoot):
    """A root whose score is the payoff of the side that asks, alone."""

    kernel: Any = staticmethod(paranoid_kernel.value)

    def _scored(self, payoff: float) -> Score | None:
        return None if math.isnan(payoff) else (float(payoff) + 0.0,)

    def final(self, state: Any, plies: int) -> Score | None:
        return self._scored(sides.payoff_to_us(self.game, state, self.run.memory, self.run.clock))

    def recurred(self, mover: int, plies: int) -> Score:
        return (float(self.run.memory.even),)

    def judged(self, state: Any) -> Score | None:
        return self._scored(sides.estimate_to_us(self.game, state, self.run.memory, self.run.clock))

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Score | None) -> Score | None:
        alpha, beta = -math.inf, math.inf
        if bounds is not None and mover != CHANCE:
            if self.sides.of[mover] == self.ours:
                alpha = bounds[0]
            else:
                beta = bounds[0]
        run = self.run
        return self._scored(run.call(state, depth, alpha, beta, run.memory, run.clock, run.path))

    def takes(self, mover: int, score: Score, best: Score) -> bool:
        return score > best if self.sides.of[mover] == self.ours else score < best

    def payoff(self, score: Score) -> float:
        return score[0]

    def payoffs(self, score: Score) -> tuple[float, ...]:
        return alone(self.game, self.sides, self.player, score[0])


@spelled_out
@sound
def paranoid(
    game: Game,
    state: Any = None,
    *,
    player: int | None = None,
    moves: bool = False,
    on_progress: OnProgress | None = None,
    **keywords: Unpack[Keywords],
) -> Analysis:
    """What the player to move (or `player`) gets for sure, with its team, if everybody else is against it.

    `values` is known for all players only where two sides share a constant sum; else it is empty. Ties go to the first
    in the order of `actions`. Only `evaluate(state, player)` of the side that asks is used. With seconds or nodes and
    no depth, a game with `evaluate` is searched depth after depth.

    >>> from gametree import Tree
    >>> result = paranoid(Tree([[(1, 2, 6), (4, 3, 2)], [(6, 1, 2), (7, 4, -2)]], movers=(0, 1, 2)))
    >>> result.value == 6, result.line, result.values
    (True, (1, 0), ())
    """
    given = Task.of(NEEDS, game, state, moves=moves, on_progress=on_progress, **keywords)
    task = ask(given, player)
    asked: dict[str, Any] = {} if player is None else {"player": player}
    done = at_once(task, everybody=False, **asked)
    return Opposed.search(task, **asked) if done is None else done
