"""What kernels for many players call besides the rules: estimates for anybody, and chance where a game has it.

Each function has a body for interpreted runs; `seats_overloads.py` gives the same name a compiled one.
"""

from collections.abc import Iterable
from typing import Any

from gametree.kernel.primitives import primitive


@primitive
def estimate_for(game: Any, state: Any, player: int) -> float:
    """The game's evaluation for a player; `nan` where it has none."""
    from gametree.game import offers

    return float(game.evaluate(state, player)) if offers(game, "evaluate") else float("nan")


@primitive
def has_lots(game: Any) -> bool:
    """Whether chance moves in the game."""
    from gametree.game import offers

    return offers(game, "chance")


@primitive
def lots(game: Any, state: Any) -> Iterable[tuple[Any, float]]:
    """The outcomes at a chance node, each with its probability; none in a game without chance."""
    return game.chance(state)  # type: ignore[no-any-return]
