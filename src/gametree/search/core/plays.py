"""What can follow a state, and random plays.

One line is played before a search, to see whether the rules keep the contract.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, Protocol

from gametree.errors import RulesError
from gametree.game import CHANCE, Game, offers
from gametree.kernel.random import Generator, below, seeded, unit

CLOSE = 1e-9
"""Probabilities may sum to 1 with this error."""
MAX_ACTIONS = 100_000
"""More actions than this in one state are taken for an `actions` that does not end."""


def choices_at(game: Game, state: Any) -> list[Any]:
    """What can follow: the actions, at a chance node the outcomes; one more than MAX_ACTIONS at the most."""
    if game.player(state) == CHANCE and offers(game, "chance"):
        return [outcome for outcome, _ in islice(game.chance(state), MAX_ACTIONS + 1)]
    return list(islice(game.actions(state), MAX_ACTIONS + 1))


def sums_to_one(game: Game, state: Any) -> bool:
    """Whether the probabilities of a chance node are such, and sum to 1."""
    odds = [float(probability) for _, probability in islice(game.chance(state), MAX_ACTIONS + 1)]
    return all(probability >= 0 for probability in odds) and abs(math.fsum(odds) - 1) <= CLOSE


def odds_problem(game: Game, state: Any, path: Sequence[str]) -> RulesError:
    """What to say of a chance node whose probabilities are none."""
    name = type(game).__name__
    odds = [float(probability) for _, probability in islice(game.chance(state), MAX_ACTIONS + 1)]
    wrong = [probability for probability in odds if not probability >= 0]
    if not odds:
        return RulesError(f"{name}.chance gives no outcomes at {state!r}", path)
    if wrong:
        return RulesError(f"{name}.chance gives the probability {wrong[0]!r} at {state!r}", path)
    return RulesError(
        f"the probabilities of {name}.chance at {state!r} sum to {math.fsum(odds):.12g}; they have to sum to 1",
        path,
    )


def root_actions(game: Game, state: Any) -> list[Any]:
    """The actions at the root, at a chance node its outcomes; an `actions` that does not end is refused."""
    actions = choices_at(game, state)
    name = type(game).__name__
    if len(actions) > MAX_ACTIONS:
        raise RulesError(f"{name}.actions gave more than {MAX_ACTIONS:,} actions in one state: does it end?")
    if not actions:
        raise RulesError(f"{name} has no actions in a state that is not terminal: {state!r}")
    return actions


def dead_end(game: Game) -> RulesError:
    """The message for rules that leave a player no action."""
    return RulesError(
        f"{type(game).__name__}: a state was reached from which every action leads to a position that must not"
        " recur. Rules that forbid repetition need an action that is always allowed, such as passing"
    )


# --- random plays -------------------------------------------------------------------------------------


class Draws(Protocol):
    """Where chance comes from: `random.Random`, or the generator of the kernels."""

    def choice(self, options: Any, /) -> Any: ...

    def choices(self, options: Any, odds: Any, /) -> list[Any]: ...


class KernelDraws:
    """The generator of the kernels, for plays that are the same on every version of Python.

    >>> KernelDraws(7).choice("abcdef")
    'd'
    """

    def __init__(self, seed: int):
        self._generator = Generator(random=seeded(seed))

    def choice(self, options: Any, /) -> Any:
        return options[below(self._generator, len(options))]

    def choices(self, options: Any, odds: Any, /) -> list[Any]:
        """One of the options, by its odds."""
        draw, place = unit(self._generator), 0
        for place, probability in enumerate(odds):  # noqa: B007
            draw -= probability
            if draw < 0:
                break
        return [options[place]]


class Step(NamedTuple):
    """One step of a play."""

    state: Any
    choices: Sequence[Any]
    """The actions, at a chance node the outcomes."""
    action: Any
    after: Any
    thrown: bool
    """Whether chance has moved."""


def random_play(game: Game, state: Any, draws: Draws, most: int, by_odds: bool = True) -> Iterator[Step]:
    """A random play, step by step: at most so many, and none where the game is over or nothing can be done.

    Outcomes of chance are drawn `by_odds`, or all alike.
    """
    for _ in range(most):
        if game.is_terminal(state):
            return
        thrown = game.player(state) == CHANCE and offers(game, "chance")
        choices: Sequence[Any]
        if thrown and by_odds:
            choices, odds = zip(*game.chance(state))
            action = draws.choices(choices, odds)[0]
        else:
            choices = choices_at(game, state)
            if not choices:
                return
            action = draws.choice(choices)
        after = game.result(state, action)
        yield Step(state, choices, action, after, thrown)
        state = after


def draw_outcome(game: Game, state: Any, draws: Draws) -> Any:
    """An outcome of chance, drawn by its probability."""
    outcomes, odds = zip(*game.chance(state))
    return draws.choices(outcomes, odds)[0]
