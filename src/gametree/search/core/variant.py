"""Games made from another game, with some of its rules replaced."""

from collections.abc import Iterable
from typing import Any

from gametree.game import Game


class Variant(Game):
    """A game with the rules of another one. Subclasses replace some, and pass optional members on themselves."""

    def __init__(self, game: Game):
        self.game = game
        self.players: int = game.players
        self.player_names: tuple[str, ...] = game.player_names
        self.payoffs: tuple[float, float] | None = game.payoffs
        self.total: float | None = game.total

    def initial(self) -> Any:
        return self.game.initial()

    def player(self, state: Any) -> int:
        return self.game.player(state)

    def actions(self, state: Any) -> Iterable[Any]:
        return self.game.actions(state)

    def result(self, state: Any, action: Any) -> Any:
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: Any, player: int) -> float:
        return self.game.utility(state, player)
