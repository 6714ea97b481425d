"""Max^n: everybody takes what is best for oneself.

Luckhardt & Irani, An Algorithmic Solution of N-Person Games (AAAI 1986). With two sides whose payoffs have a constant
sum this is minimax, and alpha-beta finds it; with more, or without a constant sum, Korf's immediate and shallow pruning
(Multi-player Alpha-beta Pruning, 1991) apply where payoffs are bounded. The kernel is in `maxn_kernel.py`.

A player may be indifferent between actions that differ for the others, so there may be many max^n values. Which one is
found is decided by the rule on ties, which is part of the result.
"""

import math
from typing import Any, Literal, Unpack, get_args

from gametree.arguments import number
from gametree.errors import InputError
from gametree.game import CHANCE, Game
from gametree.result import Analysis
from gametree.search.core.runner import Run
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, OnProgress, Task, spelled_out
from gametree.search.many import maxn_kernel
from gametree.search.many.maxn_kernel import MaxN
from gametree.search.many.paranoid import Opposed
from gametree.search.many.root import WORSE, Score, VectorRoot
from gametree.search.many.task import ManyTask, ask, at_once
from gametree.search.many.vectors import CUT, IMMEDIATE, KNOWN, OFF, SHALLOW

NEEDS = Needs("maxn", repetition="shared")
Ties = Literal["first", "paranoid", "friendly", "spiteful", "generous"]
Pruning = Literal["auto", "always", "never"]


class MaxNRoot(VectorRoot):
    """A root at which everybody takes what is best for oneself."""

    kernel: Any = staticmethod(maxn_kernel.value)
    keeps: type[MaxN] = MaxN

    def __init__(self, task: ManyTask, prunes: int, ties: int, promised: bool, most: float | None):
        """`most` is what payoffs may sum to at most, where they have no constant sum."""
        self.prunes: int = prunes
        self.ties: int = ties
        self.promised: bool = promised
        self._total = task.game.total if task.game.total is not None else most
        super().__init__(task)

    def settings(self, run: Run) -> dict[str, Any]:
        game = self.game
        low, high = game.payoffs or (-math.inf, math.inf)
        ceilings: Any = [
            maxn_kernel.ceiling(self._total, low, high, len(members), game.players)
            if game.payoffs
            else math.inf
            for members in self.sides.members
        ]
        if run.compiled:
            import numpy as np

            ceilings = np.array(ceilings)
        return {
            **super().settings(run),
            "ties": self.ties,
            "prunes": self.prunes,
            "promised": self.prunes if self.promised else OFF,
            "lowest": float(low),
            "total": math.inf if self._total is None else float(self._total),
            "ceilings": ceilings,
        }

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Score | None) -> Score | None:
        told = bounds is not None and mover != CHANCE
        above = self.sides.of[mover] if told else maxn_kernel.NOBODY
        bar = bounds[above] if bounds is not None and told else 0.0
        run = self.run
        code = run.call(state, depth, 0, above, bar, run.memory, run.clock, run.path)
        if code == CUT:
            return WORSE
        return self._read() if code == KNOWN else None

    def takes(self, mover: int, score: Score, best: Score) -> bool:
        memory, new, old = self.run.memory, 0, len(score)
        for side in range(len(score)):
            memory.rows[new + side], memory.rows[old + side] = score[side], best[side]
        return maxn_kernel.prefers(new, old, self.sides.of[mover], memory)

    def is_enough(self, best: Score) -> bool:
        side = self.sides.of[self.mover]
        return (
            self.prunes != OFF
            and self.ties == maxn_kernel.FIRST
            and best[side] >= self.run.memory.ceilings[side]
        )


@spelled_out
@sound
def maxn(
    game: Game,
    state: Any = None,
    *,
    moves: bool = False,
    ties: Ties = "first",
    pruning: Pruning = "auto",
    sum_at_most: float | None = None,
    on_progress: OnProgress | None = None,
    **keywords: Unpack[Keywords],
) -> Analysis:
    """The payoffs of all players where everybody takes what is best for oneself, for any number of players.

    `ties` is what an indifferent player does: takes the "first" in the order of `actions`; what is worst ("paranoid")
    or best ("friendly") for the player who asks; what is worst ("spiteful") or best ("generous") for all others
    together. `pruning` is used where it is sound: `payoffs` has to be declared, and no estimate may take part;
    "always" promises that evaluations, too, keep to `payoffs` and `total`; `parameters["pruning"]` says what was done.
    `sum_at_most` bounds the sum of the payoffs where `total` is None. With seconds or nodes and no depth, a game with
    `evaluate` is searched depth after depth.

    >>> from gametree import Tree
    >>> result = maxn(Tree([[(1, 2, 6), (4, 3, 2)], [(6, 1, 2), (7, 4, -2)]], movers=(0, 1, 2)))
    >>> result.values, result.line, result.nodes
    ((7.0, 4.0, -2.0), (1, 1), 7)
    """
    if ties not in get_args(Ties):
        raise InputError(f"ties={ties!r}: it is one of {', '.join(map(repr, get_args(Ties)))}")
    if pruning not in get_args(Pruning):
        raise InputError(f'pruning={pruning!r}: it is "auto", "always" or "never"')
    task = ask(Task.of(NEEDS, game, state, moves=moves, on_progress=on_progress, **keywords))
    most = _checked_sum(game, sum_at_most)
    prunes, words = _pruning(task, pruning, most)
    asked: dict[str, Any] = {"ties": ties, "pruning": words}
    done = at_once(task, everybody=True, **asked)
    if done is not None:
        return done
    if prunes == ALPHABETA:
        return Opposed.search(task, **asked)
    promised = pruning == "always" and task.estimates
    return MaxNRoot.search(task, prunes, maxn_kernel.RULES[ties], promised, most, **asked)


ALPHABETA = 3


def _pruning(task: ManyTask, pruning: str, most: float | None) -> tuple[int, str]:
    """What may be pruned, and the words for it."""
    game = task.game
    total: float | None = game.total if game.total is not None else most
    if pruning == "never":
        return OFF, "off"
    if task.estimates and pruning == "auto":
        return OFF, "off: estimates need not keep to `payoffs`"
    if len(task.sides.members) == 2 and game.total is not None and not task.estimates:
        return ALPHABETA, "alpha-beta: two sides, constant sum"
    if game.payoffs is None:
        if pruning == "always":
            raise InputError(
                f'pruning="always": {type(game).__name__} does not declare `payoffs`, the least and the greatest'
                " payoff, without which nothing can be pruned"
            )
        return OFF, "off: `payoffs` is not declared"
    if total is None:
        return IMMEDIATE, "immediate: the sum of the payoffs is not bounded"
    return SHALLOW, "immediate and shallow"


def _checked_sum(game: Game, most: float | None) -> float | None:
    if most is None:
        return None
    number("sum_at_most", most, "the most that payoffs sum to, a number")
    if game.total is not None and most < game.total:
        raise InputError(f"sum_at_most={most!r}: the payoffs of {type(game).__name__} sum to {game.total:g}")
    return float(most)
