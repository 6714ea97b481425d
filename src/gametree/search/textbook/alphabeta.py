"""Alpha-beta: the value of minimax without looking at what cannot change it.

Russell & Norvig, Artificial Intelligence: A Modern Approach, figure 5.7; Knuth & Moore, An Analysis of Alpha-Beta
Pruning (1975). A node is left as soon as α ≥ β.
"""

import math
from typing import Any, Literal, Unpack

from gametree.errors import InputError
from gametree.game import Game
from gametree.kernel.clock import Clock, horizon, poll
from gametree.result import Analysis
from gametree.search.core.answer import WHOLE, Window
from gametree.search.core.repetition import FORBID, Path, bars, dead_end, payoff
from gametree.search.core.root import Payoffs
from gametree.search.core.sound import sound
from gametree.search.core.task import Keywords, Needs, Task, spelled_out

INFINITY = math.inf
STOPPED = math.nan


def value(game: Any, state: Any, depth: int, alpha: float, beta: float, clock: Clock, path: Path) -> float:
    """What a state that is not terminal is worth to player 0, `depth` ≥ 1 plies deep; nan when told to stop.

    With α < β on entry, the result v proves: α < v < β, the value is v; v ≤ α, it is at most v; v ≥ β, it is at
    least v (fail-soft: v may lie outside the window). Leaves are valued by their parent, so that only inner nodes
    cost a call.
    """
    i = 0
    if game.player(state) == 0:
        best: float = -INFINITY
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
                v = payoff(0, path)
            elif depth == 1:
                v = horizon(game, child, clock)
            else:
                path.places[depth] = i
                v = value(game, child, depth - 1, alpha, beta, clock, path)
            if v != v:
                return STOPPED
            i += 1
            if v > best:
                best = v
                if v >= beta:
                    return best
                if v > alpha:
                    alpha = v
    else:
        best = INFINITY
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
                v = payoff(1, path)
            elif depth == 1:
                v = horizon(game, child, clock)
            else:
                path.places[depth] = i
                v = value(game, child, depth - 1, alpha, beta, clock, path)
            if v != v:
                return STOPPED
            i += 1
            if v < best:
                best = v
                if v <= alpha:
                    return best
                if v < beta:
                    beta = v
    if i == 0:
        raise ValueError("a state that is not terminal has no actions")
    if game.repetition is not None and abs(best) == INFINITY:
        return dead_end(clock)
    return best


NEEDS = Needs("alphabeta", zero_sum=True, chance=False)


class AlphaBeta(Payoffs):
    """A root whose actions are left as soon as α ≥ β. Fail-soft: scores may lie outside the window."""

    kernel: Any = staticmethod(value)

    def searched(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float:
        run = self.run
        return run.call(state, depth, *bounds, run.clock, run.path)  # type: ignore[no-any-return]


class FailHard(AlphaBeta):
    """The same nodes, and every score clipped to its window."""

    def score(self, state: Any, depth: int, plies: int, mover: int, bounds: Window) -> float | None:
        score = super().score(state, depth, plies, mover, bounds)
        return None if score is None else min(max(score, bounds[0]), bounds[1])


_WAYS = {"soft": AlphaBeta, "hard": FailHard}


@spelled_out
@sound
def alphabeta(
    game: Game,
    state: Any = None,
    *,
    moves: bool = False,
    window: Window = WHOLE,
    fail: Literal["soft", "hard"] = "soft",
    **keywords: Unpack[Keywords],
) -> Analysis:
    """Finds what minimax finds, looking at fewer nodes.

    `window` is (α, β) at the root, from player 0's side; a value outside it comes back as a bound. Ties go to the
    first in the order of `actions`. With `moves=True` every root action is searched with the whole window, so
    that all their values are exact; that costs more nodes.

    >>> from gametree import Tree
    >>> result = alphabeta(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> result.value == 3, result.line, result.nodes
    (True, (0, 0), 11)
    """
    if fail not in _WAYS:
        raise InputError(f'fail={fail!r}: it is "soft" or "hard"')
    try:
        alpha, beta = window
        sound = bool(alpha < beta)
    except (TypeError, ValueError):
        sound = False
    if not sound:
        raise InputError(f"window={window!r}: it takes (alpha, beta) with alpha < beta")
    task = Task.of(NEEDS, game, state, moves=moves, **keywords)
    return _WAYS[fail].search(task, window=(float(alpha), float(beta)), fail=fail)
