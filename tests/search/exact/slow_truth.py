"""The naive truth about margins: plain recursion over the plain rules, without a single hint."""

import random
from collections.abc import Iterator
from typing import Any

from gametree.game import Game


def margin(game: Game, state: Any, known: dict[Any, int] | None = None) -> int:
    """The margin of a state to its mover; at the end to whoever would move next."""
    if known is not None and state in known:
        return known[state]
    mover = game.player(state)
    if game.is_terminal(state):
        return game.margin(state, mover)
    best = max(margin_of(game, state, action, known) for action in game.actions(state))
    if known is not None:
        known[state] = best
    return best


def margin_of(game: Game, state: Any, action: Any, known: dict[Any, int] | None = None) -> int:
    """The margin of an action to the player who takes it."""
    child = game.result(state, action)
    found = margin(game, child, known)
    return found if game.player(child) == game.player(state) else -found


def endings(game: Game, rng: random.Random, plies: int, left: int, count: int) -> Iterator[Any]:
    """States of random play in a game of so many plies at most, up to `left` of them before the end."""
    while count > 0:
        state = game.initial()
        for _ in range(plies - rng.randint(0, left)):
            if game.is_terminal(state):
                break
            state = game.result(state, rng.choice(list(game.actions(state))))
        else:
            yield state
            count -= 1
