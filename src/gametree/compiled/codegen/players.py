"""Compiled bodies for the primitives of `seats.py`."""

from typing import Any

from gametree.compiled.codegen.extending import overload
from gametree.game import offers
from gametree.kernel import players


@overload(players.estimate_for)
def _estimate_for(game: Any, state: Any, player: Any) -> Any:
    if game.unit.has_evaluation:
        return lambda game, state, player: game.evaluate(state, player)
    return lambda game, state, player: float("nan")


@overload(players.has_lots)
def _has_lots(game: Any) -> Any:
    said = bool(offers(game.game, "chance"))
    return lambda game: said


@overload(players.lots)
def _lots(game: Any, state: Any) -> Any:
    def none(game, state):  # type: ignore[no-untyped-def]
        # Never entered: it gives the pairs their type.
        if game.is_terminal(state):
            for action in game.actions(state):
                yield action, 0.0

    if offers(game.game, "chance"):
        return lambda game, state: game.chance(state)
    return none
