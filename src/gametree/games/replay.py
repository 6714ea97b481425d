"""Positions that are given by the moves that lead to them."""

from collections.abc import Iterable
from typing import Any

from gametree.errors import InputError
from gametree.game import Game


def replay(game: Game, words: Iterable[str], of: str = "", how: str = "") -> list[Any]:
    """The states from the start to after the last move; a word that is no move is refused with its number.

    >>> from gametree.games import Nim
    >>> replay(Nim(counters=5), ["2", "3"])[-1]
    State(left=0, mover=0)
    """
    states = [game.initial()]
    for number, word in enumerate(words, 1):
        try:
            states.append(game.result(states[-1], game.parse_action(states[-1], word)))
        except InputError as error:
            raise InputError(f"move {number}{of}: {error}{how}") from None
    return states
