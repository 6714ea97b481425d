"""What a game is, as searches see it (`Capabilities`), and what a search needs of a game (`Needs`).

A refusal names the game, what stands in the way, and what to use instead.
"""

import math
import random
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

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


@dataclass(frozen=True)
class Capabilities:
    """What decides which searches fit a game."""

    name: str
    players: int
    total: float | None
    """What utilities sum to; None where they do not sum to a constant."""
    payoffs: tuple[float, float] | None
    chance: bool
    hidden: bool
    """Whether players do not see the whole state."""
    evaluates: bool
    """Whether it can judge a state that is not an end."""
    repetition: str | None
    """What a position that recurs is: "draw", "loss", "win" or "forbid"."""

    @property
    def zero_sum(self) -> bool:
        """Whether what one of two players gains the other loses."""
        return self.players == 2 and self.total is not None


_capabilities: "weakref.WeakKeyDictionary[Game, Capabilities]" = weakref.WeakKeyDictionary()


def capabilities(game: Any, method: str) -> Capabilities:
    """What a game can do, looked at once; `method` refuses what is not a game."""
    if isinstance(game, Game) and game in _capabilities:
        return _capabilities[game]
    require_game(game, method)
    found = _capabilities[game] = Capabilities(
        name=type(game).__name__,
        players=game.players,
        total=game.total,
        payoffs=game.payoffs,
        chance=offers(game, "chance"),
        hidden=offers(game, "observe"),
        evaluates=offers(game, "evaluate"),
        repetition=None if game.repetition is None else game.repetition[0],
    )
    return found


Repetition = Literal["any", "path", "states", "shared", "playouts", "none"]
"""How a search takes rules on repeated positions: it follows the "path" of two players; it does, but remembers
"states" alone; all players have to know what they get ("shared"), or two ("playouts"); it takes "any" or "none"."""


@dataclass(frozen=True)
class Needs:
    """What a search takes for granted of a game."""

    method: str
    zero_sum: bool = False
    """Two players whose payoffs sum to a constant."""
    chance: bool = True
    """Chance nodes are welcome."""
    repetition: Repetition = "path"
    distances: bool = False
    """Wins and losses are ordered by their distance, beyond all payoffs."""
    estimates: bool = True
    """An evaluation has a use; a proof needs none."""
    most_players: float = math.inf

    def require(self, game: Any, method: str = "") -> None:
        """Refuses a game that lacks something, in the name of a method."""
        name = method or self.method
        words = self.refusal(capabilities(game, name), name)
        if words:
            raise UnsuitableError(words)

    def refusal(self, game: Capabilities, method: str = "") -> str:
        """Why a game does not fit, and what to use instead; "" where it fits."""
        name, method = game.name, method or self.method
        if game.hidden:
            return (
                f"{name} hides information (it defines `observe`); {method} assumes that every player sees"
                " the whole state. It needs a search for imperfect information."
            )
        if game.chance and not self.chance:
            instead = "expectiminimax or maxn" if self.zero_sum else "maxn or paranoid"
            return f"{name} has chance nodes; {method} needs none. Use {instead}."
        if self.zero_sum and game.players != 2:
            instead = "maxn" if self.chance else "maxn or paranoid"
            return f"{name} has {game.players} players; {method} needs two. Use {instead}."
        if game.players > self.most_players:
            return f"{name} has {game.players} players; {method} takes up to {self.most_players}"
        if self.zero_sum and game.total is None:
            return (
                f"the utilities of {name} do not sum to a constant (total = None), so what one player gains the"
                f" other does not lose; {method} assumes that. Use maxn."
            )
        if game.repetition is not None:
            words = _REPETITIONS[self.repetition](game, method)
            if words:
                return words
        if self.distances and any(LARGEST < abs(end) < math.inf for end in game.payoffs or ()):
            return (
                f"{name}.payoffs is {game.payoffs!r}; {method} orders wins by distance beyond payoffs of"
                f" up to ±{LARGEST:.0e}. Scale the utilities down, or leave `payoffs` out"
            )
        return ""


def _follows_paths(game: Capabilities, method: str) -> str:
    if game.repetition not in ("win", "loss") or game.payoffs is not None:
        return ""
    return (
        f"{game.name} says that a repeated position is a {game.repetition}, but not what that is worth to"
        f" {method}: declare `payoffs = (lowest, highest)`"
    )


def _remembers_states(game: Capabilities, method: str) -> str:
    if game.repetition == "draw":
        return ""
    return _follows_paths(game, method) or (
        f"{game.name} says that a repeated position is a {game.repetition!r}: what a state is worth"
        f" then depends on the path to it, and {method} remembers states alone. Use alphabeta."
    )


def _pays_all(game: Capabilities, method: str) -> str:
    if game.repetition in ("win", "loss"):
        instead = "use minimax or alphabeta" if game.players == 2 else "let a repeated position be a draw"
        return (
            f"{game.name} says that a repeated position is a {game.repetition} for one player, which does not say what"
            f" all players get; {method} needs that: {instead}"
        )
    if game.repetition == "draw" and game.total is None:
        return (
            f"{game.name} says that a repeated position is a draw, but not what players share then; {method} needs a"
            " constant sum: declare `total`"
        )
    return ""


def _plays_on(game: Capabilities, method: str) -> str:
    if game.repetition == "forbid":
        return ""
    if not game.zero_sum:
        return (
            f"{game.name} says that a repeated position is a {game.repetition}; {method} knows what that is worth only"
            " where two players share a constant total. Let `is_terminal` and `utility` say it"
        )
    if game.repetition in ("win", "loss") and game.payoffs is None:
        return (
            f"{game.name} says that a repeated position is a {game.repetition}, but not what that is worth: declare"
            " `payoffs = (lowest, highest)`"
        )
    return ""


def _takes_none(game: Capabilities, method: str) -> str:
    instead = (
        "Put what has to be counted into the state, and let the game end by it."
        if game.chance
        else "Use alphabeta."
    )
    return (
        f"{game.name} has a rule on repeated positions (`repetition`), so that what a position is worth depends on"
        f" those before it; {method} does not follow them. {instead}"
    )


_REPETITIONS = {
    "any": lambda game, method: "",
    "path": _follows_paths,
    "states": _remembers_states,
    "shared": _pays_all,
    "playouts": _plays_on,
    "none": _takes_none,
}
"""Why a rule on repeated positions does not fit, by how a search takes such rules."""


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
