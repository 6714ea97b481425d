"""What the kernels of many players ask of a child before they search it."""

from typing import Any

from gametree.kernel.clock import Clock
from gametree.search.core.repetition import FORBID, Path, bars
from gametree.search.many.sides import SideTable, estimate_to_us, payoff_to_us

OVER, BARRED, RECURRING, HORIZON, INNER = range(5)
"""Terminal; a position that must not recur; one that is a draw as it recurs; to be judged; to be searched."""


def kind_of(game: Any, child: Any, depth: int, path: Path) -> int:
    """What is to be done with a child of a node from which `depth` plies are left."""
    if game.is_terminal(child):
        return OVER
    if game.repetition is not None and bars(game, child, depth, path):
        return BARRED if path.rule == FORBID else RECURRING
    return HORIZON if depth == 1 else INNER


def worth(game: Any, child: Any, kind: int, sides: SideTable, clock: Clock) -> float:
    """What a child that is not to be searched is worth to our side; nan where that is no sound number."""
    if kind == OVER:
        return payoff_to_us(game, child, sides, clock)
    if kind == HORIZON:
        return estimate_to_us(game, child, sides, clock)
    return sides.even
