"""A few random lines of play before a search: states for the compiler to look at, and the scale of an evaluation."""

import statistics
import weakref
from collections.abc import Sequence
from typing import Any

from gametree.game import Game
from gametree.search.core.plays import KernelDraws, random_play
from gametree.search.core.rehearsal import rehearse

GAMES = 6
"""So many games tell how large evaluations are."""
_scales: "weakref.WeakKeyDictionary[Game, float]" = weakref.WeakKeyDictionary()


def random_line(game: Game, state: Any, seed: int, most: int = 200) -> list[Any]:
    """The states of one random game from a state on."""
    return [state, *(step.after for step in random_play(game, state, KernelDraws(seed), most - 1))]


def samples(game: Game, state: Any) -> Sequence[Any]:
    """States that have to fit the machine types of the initial one."""
    return [state, *rehearse(game, state)]


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
