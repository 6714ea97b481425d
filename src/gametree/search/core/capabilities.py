"""Which games a method fits. A refusal names the game, what stands in the way, and what to use instead."""

import math
import random
import weakref
from collections.abc import Sequence
from itertools import islice
from typing import Any

from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.game import CHANCE, Game, offers

LARGEST = 1e15
CLOSE = 1e-9
"""So far from 1 may probabilities sum to."""
MAX_ACTIONS = 100_000
"""More actions than this in one state are taken for an `actions` that does not end."""


def require_game(game: Any, method: str) -> None:
    """Refuses what is not a game, and a class where an instance is meant."""
    if isinstance(game, type) and issubclass(game, Game):
        raise InputError(f"{method} takes a game, not its class: write {game.__name__}() for {game.__name__}")
    if not isinstance(game, Game):
        raise InputError(f"{method} takes a game (an instance of a subclass of gametree.Game), not {game!r}")


def require_sight(game: Game, method: str) -> None:
    """Refuses hidden information."""
    if offers(game, "observe"):
        raise UnsuitableError(
            f"{type(game).__name__} hides information (it defines `observe`); {method} assumes that every player sees"
            " the whole state. It needs a search for imperfect information."
        )


def require_two_player(game: Game, method: str) -> None:
    """Refuses what minimax is not defined for: chance, hidden information, more players, unequal sums."""
    name = type(game).__name__
    require_sight(game, method)
    if offers(game, "chance"):
        raise UnsuitableError(f"{name} has chance nodes; {method} needs none. Use expectiminimax or maxn.")
    if game.players != 2:
        raise UnsuitableError(f"{name} has {game.players} players; {method} needs two. Use maxn or paranoid.")
    if game.total is None:
        raise UnsuitableError(
            f"the utilities of {name} do not sum to a constant (total = None), so what one player gains the"
            f" other does not lose; {method} assumes that. Use maxn."
        )
    if game.repetition is not None and game.repetition[0] in ("win", "loss") and game.payoffs is None:
        raise UnsuitableError(
            f"{name} says that a repeated position is a {game.repetition[0]}, but not what that is worth to"
            f" {method}: declare `payoffs = (lowest, highest)`"
        )


def require_expectation(game: Game, method: str) -> None:
    """Refuses what expectiminimax is not defined for: hidden information, more players, unequal sums, repetition."""
    name = type(game).__name__
    require_sight(game, method)
    if game.players != 2:
        raise UnsuitableError(f"{name} has {game.players} players; {method} needs two. Use maxn.")
    if game.total is None:
        raise UnsuitableError(
            f"the utilities of {name} do not sum to a constant (total = None), so what one player gains the"
            f" other does not lose; {method} assumes that. Use maxn."
        )
    if game.repetition is not None:
        instead = (
            "Put what has to be counted into the state, and let the game end by it."
            if offers(game, "chance")
            else "Use alphabeta."
        )
        raise UnsuitableError(
            f"{name} has a rule on repeated positions (`repetition`), so that what a position is worth depends on"
            f" those before it; {method} does not follow them. {instead}"
        )


def require_many(game: Game, method: str, chance: bool = True) -> None:
    """Refuses what the searches of many players are not defined for: hidden information, some rules on repetition."""
    name = type(game).__name__
    require_sight(game, method)
    if offers(game, "chance") and not chance:
        raise UnsuitableError(f"{name} has chance nodes; {method} needs none. Use maxn or paranoid.")
    if game.repetition is not None and game.repetition[0] in ("win", "loss"):
        instead = "use minimax or alphabeta" if game.players == 2 else "let a repeated position be a draw"
        raise UnsuitableError(
            f"{name} says that a repeated position is a {game.repetition[0]} for one player, which does not say what"
            f" all players get; {method} needs that: {instead}"
        )
    if game.repetition is not None and game.repetition[0] == "draw" and game.total is None:
        raise UnsuitableError(
            f"{name} says that a repeated position is a draw, but not what players share then; {method} needs a"
            " constant sum: declare `total`"
        )


def require_distances(game: Game, method: str) -> None:
    """Refuses payoffs so large that wins by distance have no place beyond them."""
    if game.payoffs is not None and any(LARGEST < abs(end) < math.inf for end in game.payoffs):
        raise UnsuitableError(
            f"{type(game).__name__}.payoffs is {game.payoffs!r}; {method} orders wins by distance beyond payoffs of"
            f" up to ±{LARGEST:.0e}. Scale the utilities down, or leave `payoffs` out"
        )


_rehearsed: "weakref.WeakKeyDictionary[Game, list[Any]]" = weakref.WeakKeyDictionary()


def rehearse(game: Game, state: Any) -> list[Any]:
    """Plays one random line from `state`, refuses rules that break the contract on it, and returns its states.

    It costs microseconds and turns the most frequent slips (a forgotten `return`, a third player, utilities that
    do not add up) into words before a search runs into them. What the rules themselves raise is left to the search:
    it may never get there. A game is rehearsed once.
    """
    if game in _rehearsed:
        return _rehearsed[game]
    states = [state]
    try:
        _play_one_line(game, state, states)
    except RulesError:
        raise
    except Exception:
        return states
    _rehearsed[game] = states
    return states


def _play_one_line(game: Game, state: Any, states: list[Any]) -> None:
    name = type(game).__name__
    rng = random.Random(0)
    path: list[str] = []
    for _ in range(60):
        if game.is_terminal(state):
            _check_utilities(game, state, path)
            return
        mover = game.player(state)
        thrown = mover == CHANCE and offers(game, "chance")
        if mover not in range(game.players) and not thrown:
            chance = " (CHANCE), but defines no `chance`" if mover == CHANCE else ""
            raise RulesError(
                f"{name}.player returned {mover!r}{chance}; players are 0 to {game.players - 1}", path
            )
        if thrown and not sums_to_one(game, state):
            raise odds_problem(game, state, path)
        if thrown:
            actions = [outcome for outcome, chance in islice(game.chance(state), MAX_ACTIONS) if chance > 0]
        else:
            actions = list(islice(game.actions(state), 64))
        if not actions:
            raise RulesError(f"{name} has no actions in a state that is not terminal: {state!r}", path)
        action = rng.choice(actions)
        path.append(game.name_action(state, action))
        state = game.result(state, action)
        if state is None:
            raise RulesError(f"{name}.result returned None: is a `return` missing?", path)
        try:
            hash(state)
        except TypeError:
            raise RulesError(
                f"{name}.result returned a {type(state).__name__}, which cannot be hashed."
                " Use a NamedTuple, a tuple or another immutable value.",
                path,
            ) from None
        states.append(state)


def _check_utilities(game: Game, state: Any, path: list[str]) -> None:
    name = type(game).__name__
    payoffs = [game.utility(state, player) for player in range(game.players)]
    for payoff in payoffs:
        try:
            number = float(payoff)
        except (TypeError, ValueError):
            raise RulesError(f"{name}.utility returned {payoff!r}, which is not a number", path) from None
        if math.isnan(number):
            raise RulesError(f"{name}.utility returned nan", path)
    total = sum(payoffs)
    if game.total is not None and abs(total - game.total) > 1e-9 * max(1, *map(abs, payoffs)):
        raise RulesError(
            f"the utilities of {name} at {state!r} are {', '.join(map(str, payoffs))}: they sum to {total:g},"
            f" not to {game.total:g}. If every end sums to {total:g}, declare `total = {total:g}`; if ends"
            " differ, declare `total = None` (minimax and alphabeta then do not apply; use maxn)",
            path,
        )


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
