"""Minimax: the value of a game between two players who both play perfectly.

Russell & Norvig, Artificial Intelligence: A Modern Approach, figure 5.3 (MINIMAX-SEARCH), with the cut-off test of
section 5.3: at depth 0 the evaluation stands for the value.
"""

import math
from typing import Any, Unpack

from gametree.game import Game
from gametree.kernel.clock import Clock, horizon, poll
from gametree.result import Analysis
from gametree.search.core.answer import Window
from gametree.search.core.repetition import FORBID, Path, bars, dead_end, payoff
from gametree.search.core.root import Payoffs
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

INFINITY = math.inf
STOPPED = math.nan


def value(game: Any, state: Any, depth: int, clock: Clock, path: Path) -> float:
    """What a state that is not terminal is worth to player 0 when both play perfectly for `depth` ≥ 1 plies.

    nan when told to stop. Leaves are valued by their parent, so that only inner nodes cost a call.
    """
    maximizing = game.player(state) == 0
    best = -INFINITY if maximizing else INFINITY
    i = 0
    for action in game.actions(state):
        if clock.nodes == clock.next and poll(clock):
            return STOPPED
        clock.nodes += 1
        child = game.result(state, action)
        if game.is_terminal(child):
            v = game.utility(child, 0)
        elif game.repetition is not None and bars(game, child, depth, path):
            if path.rule == FORBID:
                i += 1
                continue
            v = payoff(0 if maximizing else 1, path)
        elif depth == 1:
            v = horizon(game, child, clock)
        else:
            path.places[depth] = i
            v = value(game, child, depth - 1, clock, path)
        if v != v:
            return STOPPED
        i += 1
        if (v > best) if maximizing else (v < best):
            best = v
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if game.repetition is not None and abs(best) == INFINITY:
        return dead_end(clock)
    return best


NEEDS = Needs("minimax", zero_sum=True, chance=False)


class Minimax(Payoffs):
    """A root from which everything is searched."""

    kernel: Any = staticmethod(value)
    prunes = False

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run = self.run
        return run.call(state, depth, run.clock, run.path)  # type: ignore[no-any-return]


@spelled_out
@sound
def minimax(game: Game, state: Any = None, *, moves: bool = False, **keywords: Unpack[Keywords]) -> Analysis:
    """Searches every line to the end of the game, or to `depth` with `evaluate` there.

    Ties go to the first in the order of `actions`. With `moves=True` the result holds the value of every action.

    >>> from gametree import Tree
    >>> result = minimax(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> result.value == 3, result.line, result.nodes, result.exact
    (True, (0, 0), 13, True)
    """
    task = Task.of(NEEDS, game, state, moves=moves, **keywords)
    return Minimax.search(task)
