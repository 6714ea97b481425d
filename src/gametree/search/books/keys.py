"""The keys of positions in files: equal where a position is worth the same to the player who moves."""

from typing import Any, Final

from gametree.game import Game, offers
from gametree.kernel import primitives
from gametree.kernel.keys import MASK

SMALL: Final = 1 << 63


def key_of(game: Game, state: Any) -> int:
    """A number of 64 bits for a position and those that are symmetric to it.

    It is the game's own `value_key` where that is such a number: then no two positions share one by chance.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour()
    >>> key_of(game, game.parse_state("1")) == key_of(game, game.parse_state("7"))
    True
    """
    if offers(game, "value_key"):
        key = game.value_key(state)
        if type(key) is int and 0 <= key < SMALL:
            return key
    return primitives.likeness(game, state) & MASK
