"""Simultaneous moves in plain rules: moves one after the other of which nobody sees those before his own.

A game needs no declaration. Players choose together in a state where each who follows the first sees the same, and has
the same actions, whatever those before him have done.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Final

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, check_state, offers, player_name
from gametree.strategic import Form, exact

MOST_CELLS: Final = 1_000_000


@dataclass(frozen=True)
class Joint:
    """The choices that are made together in a state, and where they lead."""

    players: tuple[int, ...]
    """Who chooses, in the order of the moves; and what they are called."""
    who: tuple[str, ...]
    actions: tuple[tuple[Any, ...], ...]
    names: tuple[tuple[str, ...], ...]
    states: tuple[Any, ...]
    """What follows from each combination; the last player's choice changes fastest."""


def joint(game: Game, state: Any) -> Joint:
    """The joint move of a state that is not terminal and no chance node; of one player where nobody else chooses."""
    players: list[int] = []
    actions: list[tuple[Any, ...]] = []
    names: list[tuple[str, ...]] = []
    states: list[Any] = [state]
    while True:
        mover = _common(game, states, players)
        if mover is None:
            break
        choices = tuple(game.actions(states[0]))
        if not choices:
            raise RulesError(
                f"{type(game).__name__} has no actions in a state that is not terminal: {states[0]!r}"
            )
        players.append(mover)
        actions.append(choices)
        names.append(tuple(game.name_action(states[0], action) for action in choices))
        if len(states) * len(choices) > MOST_CELLS:
            raise UnsuitableError(
                f"a joint move of {type(game).__name__} has more than {MOST_CELLS:,} combinations"
            )
        states = [game.result(one, action) for one in states for action in choices]
    who = tuple(player_name(game.player_names, player) for player in players)
    return Joint(tuple(players), who, tuple(actions), tuple(names), tuple(states))


def _common(game: Game, states: list[Any], before: list[int]) -> int | None:
    """Who chooses next without seeing what the others have chosen; None where nobody does."""
    first = states[0]
    if game.is_terminal(first):
        return None
    mover = game.player(first)
    if not before:
        return mover
    if mover == CHANCE or mover in before or not offers(game, "observe"):
        return None
    seen = game.observe(first, mover)
    for state in states[1:]:
        if game.is_terminal(state) or game.player(state) != mover or game.observe(state, mover) != seen:
            return None
    return mover


def form_of(game: "Game | Form", state: Any = None) -> Form:
    """The strategic form of a game in which everybody chooses once, at the same time."""
    if isinstance(game, Form):
        return game
    if not isinstance(game, Game):
        raise InputError(
            f"{game!r} is no game: give a Matrix, or a game whose players choose at the same time"
        )
    known = getattr(game, "form", None)
    if state is None and isinstance(known, Form):
        return known
    state = check_state(game, state)
    name = type(game).__name__
    if game.is_terminal(state) or game.player(state) == CHANCE:
        raise UnsuitableError(f"{name} is over here, or chance decides: there is nothing to choose")
    found = joint(game, state)
    if any(not game.is_terminal(one) for one in found.states):
        raise UnsuitableError(
            f"{name} goes on after the first choice, so it is no matrix. Use shapley(game) for simultaneous moves with"
            " a future, or cfr(game) for hidden information"
        )
    # Whoever is never asked has one thing to do.
    everybody = (*found.players, *(one for one in range(game.players) if one not in found.players))
    order = sorted(range(game.players), key=everybody.__getitem__)
    choices = [*found.names, *((("nothing",),) * (game.players - len(found.players)))]
    sizes = [len(some) for some in choices]
    vectors = [
        tuple(exact(game.utility(one, player)) for player in range(game.players)) for one in found.states
    ]
    placed = _reordered(sizes, order)
    return Form(
        tuple(player_name(game.player_names, player) for player in range(game.players)),
        tuple(choices[at] for at in order),
        tuple(vectors[placed(profile)] for profile in product(*(range(sizes[at]) for at in order))),
    )


def _reordered(sizes: list[int], order: list[int]) -> Callable[[tuple[int, ...]], int]:
    """Where the cell of a profile in the order of the players stands among those in the order of the moves."""
    strides = [prod(sizes[at + 1 :]) for at in range(len(sizes))]
    return lambda profile: sum(choice * strides[at] for choice, at in zip(profile, order))
