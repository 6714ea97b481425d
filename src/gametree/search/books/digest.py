"""What the rules of a game do, as a digest: a file made by other rules is told by it.

Plays are followed from the start, chosen by the digest itself; who moves, what can be done, what follows and what it
pays go into it. Code is not looked at: rules that are written anew and do the same have the same digest.
"""

import hashlib
from typing import Any, Final

from gametree.game import CHANCE, Game, offers
from gametree.kernel.keys import state_key
from gametree.search.books.keys import key_of
from gametree.search.core.plays import choices_at

PLAYS: Final = 12
STEPS: Final = 300
"""So many states are looked at, in all plays together."""


def rules_digest(game: Game) -> str:
    """The digest of what the rules do, as text.

    >>> from gametree.games import ConnectFour
    >>> rules_digest(ConnectFour()) == rules_digest(ConnectFour(7, 6))
    True
    >>> rules_digest(ConnectFour(6)) == rules_digest(ConnectFour())
    False
    """
    words = hashlib.sha256()
    steps = 0
    for play in range(PLAYS):
        state: Any = game.initial()
        words.update(b"play %d" % play)
        while steps < STEPS:
            steps += 1
            words.update(b"%d %d" % (state_key(game.key(state)), key_of(game, state)))
            if game.is_terminal(state):
                paid = [float(game.utility(state, player)) for player in range(game.players)]
                paid += [game.margin(state, 0)] if offers(game, "margin") else []
                words.update(repr(paid).encode())
                break
            choices = choices_at(game, state)
            words.update(b"%d: " % game.player(state))
            words.update(b" ".join(b"%d" % state_key(choice) for choice in choices))
            if game.player(state) == CHANCE:
                words.update(repr([float(odds) for _, odds in game.chance(state)]).encode())
            if not choices:
                break
            state = game.result(state, choices[int.from_bytes(words.digest()[:4], "little") % len(choices)])
    return words.hexdigest()[:32]
