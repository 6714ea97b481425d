"""A whole strategy as one tree: the player's own move in every position, and every answer to it."""

from collections.abc import Hashable, Iterable
from typing import Any, Final

from gametree.errors import InputError, UnsuitableError
from gametree.explain.outline import Outline, outline
from gametree.game import CHANCE, Game, check_state

_MOST_POSITIONS: Final = 200_000
_MOST_PLIES: Final = 100
"""A longer game is no picture."""


def strategy(game: Game, state: Any = None, *, merge_symmetric: bool = True, most: int = 500) -> Outline:
    """The best strategy of the player who moves, to the end of the game.

    At the player's own turns one move is left: one that wins soonest, else one that draws, else one that loses
    latest; ties go to the first action. Symmetric answers are merged unless asked otherwise.

    >>> from gametree.games.tic_tac_toe import TicTacToe
    >>> game = TicTacToe()
    >>> tree = strategy(game, game.parse_state("X.X/.O./O.."))
    >>> [(child.move, child.payoff) for child in tree.children]
    [('b3', 1.0)]
    """
    state = check_state(game, state)
    if game.players != 2 or game.total is None:
        raise UnsuitableError("a best strategy is drawn for games of two players who share a fixed total")
    chosen = _Chosen(game, game.player(state))
    return outline(chosen, state, merge_symmetric=merge_symmetric, most=most)


class _Chosen(Game):
    """A game in which one player has a single move everywhere: the best."""

    def __init__(self, game: Game, player: int):
        self.game = game
        self.who = player
        self.players = game.players
        self.payoffs = game.payoffs
        self.total = game.total
        self.worth = _Worth(game)

    def initial(self) -> Any:
        return self.game.initial()

    def player(self, state: Any) -> int:
        return self.game.player(state)

    def actions(self, state: Any) -> Iterable[Any]:
        actions = list(self.game.actions(state))
        if self.game.player(state) != self.who:
            return actions
        return [max(actions, key=lambda action: self.worth.of(self.game.result(state, action), self.who))]

    def result(self, state: Any, action: Any) -> Any:
        return self.game.result(state, action)

    def is_terminal(self, state: Any) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: Any, player: int) -> float:
        return self.game.utility(state, player)

    def key(self, state: Any) -> Hashable:
        return self.game.key(state)

    def symmetries(self, state: Any) -> Iterable[Any]:
        return self.game.symmetries(state)

    def show(self, state: Any) -> str:
        return self.game.show(state)

    def name_action(self, state: Any, action: Any) -> str:
        return self.game.name_action(state, action)


class _Worth:
    """What positions are worth, by plain minimax that remembers."""

    def __init__(self, game: Game):
        self._game = game
        self._even = (game.total or 0) / 2
        self._known: dict[Hashable, tuple[float, int]] = {}

    def of(self, state: Any, player: int, plies: int = 1) -> tuple[float, int]:
        """The payoff to a player, then how welcome the length of the game is: wins soon, losses late."""
        payoff, length = self._value(state, plies)
        if player != 0:
            payoff = 2 * self._even - payoff
        return payoff, -length if payoff > self._even else length if payoff < self._even else 0

    def _value(self, state: Any, plies: int) -> tuple[float, int]:
        """The payoff to player 0 and the number of moves until the end."""
        key = self._game.key(state)
        if key not in self._known:
            if self._game.is_terminal(state):
                self._known[key] = float(self._game.utility(state, 0)), 0
            else:
                self._known[key] = self._best(state, plies)
        return self._known[key]

    def _best(self, state: Any, plies: int) -> tuple[float, int]:
        player = self._game.player(state)
        if player == CHANCE:
            raise UnsuitableError("a best strategy is drawn for games without chance")
        if len(self._known) > _MOST_POSITIONS or plies > _MOST_PLIES:
            raise InputError(
                f"the game has more than {_MOST_POSITIONS:,} positions from here or lasts more than {_MOST_PLIES}"
                " moves, too many for one picture: begin nearer to its end"
            )
        states = [self._game.result(state, action) for action in self._game.actions(state)]
        best = max(states, key=lambda one: self.of(one, player, plies + 1))
        payoff, length = self._value(best, plies + 1)
        return payoff, length + 1
