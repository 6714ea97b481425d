"""A few random lines of play before a search: states for the compiler to look at, and the scale of an evaluation."""

import statistics
import weakref
from collections.abc import Sequence
from itertools import islice
from typing import Any

from gametree.game import CHANCE, Game, offers
from gametree.kernel.random import Generator, below, seeded, unit
from gametree.search.core.plays import MAX_ACTIONS, rehearse

GAMES = 6
"""So many games tell how large evaluations are."""
_scales: "weakref.WeakKeyDictionary[Game, float]" = weakref.WeakKeyDictionary()


def random_line(game: Game, state: Any, seed: int, most: int = 200) -> list[Any]:
    """The states of one random game from a state on."""
    random = Generator(random=seeded(seed))
    states = [state]
    while len(states) < most and not game.is_terminal(state):
        if offers(game, "chance") and game.player(state) == CHANCE:
            draw = unit(random)
            for outcome, probability in game.chance(state):
                action = outcome
                draw -= probability
                if draw < 0:
                    break
        else:
            actions = list(islice(game.actions(state), MAX_ACTIONS))
            action = actions[below(random, len(actions))]
        state = game.result(state, action)
        states.append(state)
    return states


def samples(game: Game, state: Any) -> Sequence[Any]:
    """States that have to fit the machine types of the initial one."""
    if not offers(game, "chance"):
        return [state, *rehearse(game, state)]
    try:
        return random_line(game, state, 0, 60)
    except Exception:  # what the rules raise is left to the search
        return [state]


def usual_judgement(game: Game, even: float) -> float:
    """How far from an even game evaluations usually are: the median over a few random games."""
    if game not in _scales:
        seen = []
        for number in range(GAMES):
            for state in random_line(game, game.initial(), number)[2::3]:
                if not game.is_terminal(state):
                    seen.append(abs(float(game.evaluate(state, 0)) - even))
        _scales[game] = statistics.median(seen) if seen else 0.0
    return _scales[game] or 1.0
