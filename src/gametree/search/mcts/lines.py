"""A few random lines of play before a search: states for the compiler to look at, and the scale of an evaluation."""

import contextlib
import statistics
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

from gametree.game import Game
from gametree.search.core.overtime import OutOfTime
from gametree.search.core.plays import KernelDraws, random_play
from gametree.search.core.rehearsal import rehearse
from gametree.search.core.stopwatch import StopWatch

LONGEST = 200
GAMES = 6
"""So many games tell how large evaluations are."""
_scales: "weakref.WeakKeyDictionary[Game, float]" = weakref.WeakKeyDictionary()


def random_line(game: Game, state: Any, seed: int, most: int = LONGEST) -> list[Any]:
    """The states of one random game from a state on."""
    return [state, *(step.after for step in random_play(game, state, KernelDraws(seed), most - 1))]


def samples(game: Game, state: Any) -> Sequence[Any]:
    """States that have to fit the machine types of the initial one."""
    return [state, *rehearse(game, state)]


def usual_judgement(game: Game, even: float, watch: StopWatch | None = None) -> float:
    """How far from an even game evaluations usually are: the median over a few random games.

    Under a stop-watch with seconds no more of it than a tenth: rules may be slow.
    """
    if game in _scales:
        return _scales[game] or 1.0
    seen: list[float] = []
    limited = watch is not None and watch.limit.seconds is not None
    rules, whole = game if watch is None else watch.rules(game), False
    with contextlib.suppress(OutOfTime):
        for number in range(GAMES):
            for ply, state in enumerate(_states(rules, number)):
                if limited and watch is not None and watch.seconds > (watch.limit.seconds or 0.0) / 10:
                    raise OutOfTime
                if ply % 3 == 2 and not rules.is_terminal(state):
                    seen.append(abs(float(rules.evaluate(state, 0)) - even))
        whole = True
    usual = statistics.median(seen) if seen else 0.0
    if whole:
        _scales[game] = usual
    return usual or 1.0


def _states(game: Game, seed: int) -> Iterator[Any]:
    """The states of a random game."""
    state = game.initial()
    yield state
    for step in random_play(game, state, KernelDraws(seed), LONGEST - 1):
        yield step.after
