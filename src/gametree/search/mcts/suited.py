"""Which games Monte-Carlo tree search fits: all but those that hide something."""

from gametree.errors import UnsuitableError
from gametree.game import Game, offers
from gametree.search.mcts.words import MOST_PLAYERS


def require_suited(game: Game) -> None:
    """Refuses what the search is not defined for, and names what is."""
    name = type(game).__name__
    if offers(game, "observe"):
        raise UnsuitableError(
            f"{name} hides information (it defines `observe`); mcts assumes that every player sees the whole state."
            " It needs a search for imperfect information."
        )
    if game.players > MOST_PLAYERS:
        raise UnsuitableError(f"{name} has {game.players} players; mcts takes up to {MOST_PLAYERS}")
    if game.repetition is None or game.repetition[0] == "forbid":
        return
    rule = game.repetition[0]
    if game.players != 2 or game.total is None:
        raise UnsuitableError(
            f"{name} says that a repeated position is a {rule}; mcts knows what that is worth only where two players"
            " share a constant total. Let `is_terminal` and `utility` say it"
        )
    if rule in ("win", "loss") and game.payoffs is None:
        raise UnsuitableError(
            f"{name} says that a repeated position is a {rule}, but not what that is worth: declare"
            " `payoffs = (lowest, highest)`"
        )
