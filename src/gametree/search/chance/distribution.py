"""What can come of best play, and how likely it is: the distribution of payoffs whose mean is the value.

From the root forwards, ply by ply: which states are reached with which probability when both play the first of their
best actions? States that are reached in two ways are one. What the games end with is the distribution; where a search
stops at a depth, estimates stand in it for payoffs.
"""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from gametree.game import CHANCE
from gametree.kernel import primitives

if TYPE_CHECKING:
    from gametree.search.chance.root import ChanceRoot
    from gametree.search.core.answer import Walk

Distribution = tuple[tuple[float, float], ...]
"""Payoffs, the least first, each with its probability."""


def spread(root: "ChanceRoot", walk: "Walk[float]") -> Distribution | None:
    """The distribution behind a walk over the root, to the player whose value it is; None where time ran out."""
    game = root.game
    total = game.total or 0.0

    def mine(payoff: float) -> float:
        return total - payoff if root.player == 1 else payoff

    ends: defaultdict[float, float] = defaultdict(float)
    here: dict[tuple[Any, int], float] = {(root.state, walk.depth): 1.0}
    plies = 0
    while here:
        after: defaultdict[tuple[Any, int], float] = defaultdict(float)
        for (state, depth), chance in here.items():
            if game.is_terminal(state):
                ends[mine(float(game.utility(state, 0)))] += chance
            elif depth == 0:
                ends[mine(primitives.estimate(game, state))] += chance
            elif game.player(state) == CHANCE:
                for outcome, probability in game.chance(state):
                    if probability > 0:
                        after[game.result(state, outcome), depth] += chance * float(probability)
            else:
                best = [root.actions[walk.best or 0]] if plies == 0 else root.choice(state, depth, plies)
                if not best:
                    return None
                after[game.result(state, best[0]), depth - 1] += chance
        here = after
        plies += 1
    return tuple(sorted(ends.items()))
