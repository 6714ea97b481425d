"""Playing below one's strength: fewer nodes, and moves that are close to each other confused.

Evaluations have no common unit (pawns, discs, lines of four), so that the confusion is measured in usual steps of the
estimate: by how much a random move changes it, on average.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gametree.arena.calibration import Level, Levels, levels_of
from gametree.errors import InputError
from gametree.game import Game, offers
from gametree.result import Limit, Move
from gametree.search.core.plays import random_play
from gametree.search.core.stopwatch import StopWatch

LEVELS: Final = range(1, 11)
CAREFUL: Final = 6
"""From this level on no noise makes a player miss a win or choose a loss that it sees."""
PLAIN: Final = 6.0
"""Below it, a win counts as so many usual steps more than the best estimate, a loss as so many less than the worst."""
LOWEST: Final = 800
HIGHEST: Final = 2400
"""Ratings are nominal: they spread the levels evenly. How they compare with others is a question for a match."""

FULL: Final = Level(2_000_000, 0.0)
"""The highest rating. Level 10 of a bot thinks by the clock instead."""

PATIENCE: Final = 1.0
"""Seconds that it may take to see how large a step usually is."""
STEPS: Final = 200
LONGEST: Final = 40
PLAYS: Final = 1000


@dataclass(frozen=True)
class Strength:
    """How many nodes a player may look at, and how blurred it sees, in usual steps of the estimate."""

    nodes: int
    blur: float
    careful: bool
    lines: int | None = None
    """How many of the best moves it weighs against each other; None for all."""


def at_level(level: float, game: Game | None = None, levels: Levels | None = None) -> Strength:
    """What a level amounts to in a game, or in any; between two levels, something between.

    >>> at_level(1).careful, at_level(10)
    (False, Strength(nodes=2000000, blur=0.0, careful=True, lines=1))
    """
    levels = (*(levels or levels_of(game)), FULL)
    below = min(int(level), LEVELS[-1] - 1) - 1
    lower, upper = levels[below : below + 2]
    share = level - 1 - below
    nodes = math.exp((1 - share) * math.log(lower.nodes) + share * math.log(upper.nodes))
    blur = (1 - share) * lower.blur + share * upper.blur
    # Fewer lines are a leap in strength, so they come with the level that has them and not before; who sees clearly
    # needs only the best.
    lines = lower.lines if share < 1 else upper.lines
    return Strength(round(nodes), blur, level >= CAREFUL, lines if blur > 0 else 1)


def at_rating(rating: int, game: Game | None = None) -> Strength:
    """What a rating amounts to."""
    if not LOWEST <= rating <= HIGHEST:
        raise InputError(f"ratings are {LOWEST} to {HIGHEST}; {rating} is none")
    return at_level(1 + (rating - LOWEST) / (HIGHEST - LOWEST) * (LEVELS[-1] - 1), game)


def usual_step(game: Game) -> float:
    """By how much a random move changes the estimate of a position, on average; 0 without an evaluation.

    >>> from gametree.games import Nim, TicTacToe
    >>> usual_step(Nim()), usual_step(TicTacToe()) > 0
    (0.0, True)
    """
    if not offers(game, "evaluate"):
        return 0.0
    rng = random.Random(0)
    steps: list[float] = []
    watch = StopWatch(Limit(seconds=PATIENCE)).begin(aside=True)
    rules = watch.rules(game)
    with watch.in_time():  # rules may be slow
        for _ in range(PLAYS):
            if len(steps) >= STEPS:
                break
            before = math.nan
            for step in random_play(rules, rules.initial(), rng, LONGEST):
                here = float(rules.evaluate(step.state, 0))
                if math.isfinite(here - before):
                    steps.append(abs(here - before))
                before = math.nan if step.thrown else here  # what luck changes is no step of a player's
    return sum(steps) / len(steps) if steps else 0.0


def choose(moves: Sequence[Move], strength: Strength, step: float, rng: random.Random) -> Move:
    """The move that seems best through a blur. `moves` is not empty; `step` is the usual one of the game."""
    wins = [move for move in moves if move.value.outcome == "win"]
    unsure = [move for move in moves if move.value.outcome is None]
    if not unsure or (strength.careful and wins):
        return max(wins or moves, key=lambda move: move.value)
    if strength.careful:
        moves = unsure
    unit = step or 1.0  # where nothing is estimated, all are equal and any noise decides
    seen = _worths(moves, PLAIN * unit)
    for i in sorted(range(len(moves)), key=lambda i: moves[i].name):  # in whatever order the rules give them
        seen[i] += rng.gauss(0, strength.blur * unit)
    return moves[seen.index(max(seen))]


def _worths(moves: Sequence[Move], decided: float) -> list[float]:
    """The moves on the scale of the estimates: wins lie above and losses below, near ones further."""
    # An infinite payoff has no place on a scale.
    payoffs = [min(max(move.value.payoff, -1e300), 1e300) for move in moves]
    unsure = [payoff for move, payoff in zip(moves, payoffs) if move.value.outcome is None]
    low, high = min(unsure), max(unsure)
    found = []
    for move, payoff in zip(moves, payoffs):
        beyond = decided + decided / max(move.value.plies or 1, 1)
        if move.value.outcome == "win":
            found.append(high + beyond)
        elif move.value.outcome == "loss":
            found.append(low - beyond)
        else:
            found.append(payoff)
    return found
