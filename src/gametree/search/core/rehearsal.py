"""The rehearsal: before a search a few random lines are played, to see whether the rules keep the contract.

It takes milliseconds and turns the most frequent slips (a forgotten `return`, a third player, utilities that do not add
up, odds that do not sum to 1) into words, before a search runs into them and perhaps calls the result exact. What the
rules themselves raise is left to the search, which may never get there. A game is rehearsed once.
"""

import math
import numbers
import random
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import islice
from typing import Any, Final

from gametree.errors import RulesError
from gametree.game import CHANCE, Game, check_state, names_of
from gametree.kernel.clock import now
from gametree.search.core.overtime import OutOfTime, expire, stand_in, wake_at
from gametree.search.core.plays import CLOSE, MAX_ACTIONS
from gametree.search.core.watchdog import watched

LONGEST: Final = 60
"""Plies of a line."""
_ENOUGH: Final = 1_000_000
"""Nanoseconds after which no other line is begun."""
_PATIENCE: Final = 100_000_000
"""Nanoseconds after which the line under way is left: rules may be slow."""
_SHARE: Final = 1e9 / 8
"""Nanoseconds of each second of a search that it may take at most."""
_LINES: Final = 8
_LOOKED_AT: Final = 64
"""So many actions of a state are looked at."""
_ONE_CALL: Final = 3.0
"""Seconds that one call of the rules may take here."""


def rehearse(game: Game, state: Any, seconds: float | None = None) -> list[Any]:
    """The states of a random line from `state`, one of a few; refused where the rules break the contract on them.

    `seconds`: what the whole search may take.
    """
    known = vars(game).get("_rehearsed")
    if known is not None:
        return known  # type: ignore[no-any-return]
    state = check_state(game, state)
    states = [state]
    begun = now()
    answers: set[Any] = set()
    patience = _PATIENCE if seconds is None else min(_PATIENCE, int(seconds * _SHARE))
    with watched(type(game).__name__, lambda: begun, _ONE_CALL):
        asked = _Rehearsed(game, begun + patience)
        for number in range(_LINES):
            kept = _line(asked.rules, state, random.Random(number), answers, begun, number == 0)
            if number == 0:
                states += kept[1:]
            if now() - begun > _ENOUGH:
                break
        if answers == {None}:
            raise RulesError(
                f"{type(game).__name__}.is_terminal returned None in every state: is a `return` missing?"
            )
    object.__setattr__(game, "_rehearsed", states)
    return states


class _Rehearsed:
    """A game whose rules do not answer any more from a certain time on."""

    def __init__(self, game: Game, end: int):
        self.rules = stand_in(game)
        wake_at(self, end)

    def ring(self) -> None:
        """Time is over."""
        expire(self.rules)


def search_for_slips(game: Game, state: Any, seconds: float = 1.0) -> None:
    """Plays random lines for a while, and refuses rules that break the contract on them: something went wrong there."""
    begun = now()
    number = _LINES
    with watched(type(game).__name__, lambda: begun, _ONE_CALL):
        while now() - begun < seconds * 1e9 and number < 10_000:
            _line(game, state, random.Random(number), set(), now())
            number += 1


def _line(
    game: Game, state: Any, draws: random.Random, answers: set[Any], begun: int, first: bool = False
) -> list[Any]:
    """The states of a random line; what the rules raise ends it."""
    states: list[Any] = [state]
    line: list[Any] = []
    for _ in range(LONGEST):
        try:
            choices = looked_at(game, state, answers, first and not line)
            if not choices:
                break
            line.append(draws.choice(choices))
            state = _after(game, state, line[-1])
        except RulesError as error:
            raise RulesError(str(error), _names(game, states[0], line)) from None
        except (Exception, OutOfTime):  # of the rules: the search may never get there
            break
        states.append(state)
        if now() - begun > _PATIENCE:
            break
    return states


def _names(game: Game, state: Any, line: Sequence[Any]) -> Sequence[str]:
    try:
        return names_of(game, state, line)
    except Exception:  # names are a user's, too
        return [repr(action) for action in line]


# --- one state --------------------------------------------------------------------------------------


def looked_at(game: Game, state: Any, answers: set[Any], first: bool = False) -> list[Any]:
    """What can follow a state, nothing where the game is over; refused where the rules' answers are none."""
    name = type(game).__name__
    over = game.is_terminal(state)
    answers.add(None if over is None else bool(over))
    if isinstance(over, (str, bytes, float)) or callable(over) or hasattr(over, "send"):
        raise RulesError(
            f"{name}.is_terminal returned {_shown(over)}, which is not True or False: write bool(…) or a comparison"
        )
    if over:
        words = wrong_utilities(game, state)
        if words:
            raise RulesError(words)
        return []
    mover = game.player(state)
    thrown = mover == CHANCE and type(game).offered.chance
    if not thrown and (not _is_whole(mover) or not 0 <= mover < game.players):
        chance = " (CHANCE), but defines no `chance`" if _is_whole(mover) and mover == CHANCE else ""
        missing = ": is a `return` missing?" if mover is None else ""
        raise RulesError(
            f"{name}.player returned {_shown(mover)}{chance}{missing or f'; players are 0 to {game.players - 1}'}"
        )
    choices = _outcomes(game, state) if thrown else _actions(game, state)
    if not choices:
        raise RulesError(f"{name} has no actions in a state that is not terminal: {state!r}")
    if not thrown:
        _look_at_extras(game, state, choices, first)
    return choices


def _actions(game: Game, state: Any) -> list[Any]:
    name = type(game).__name__
    given = game.actions(state)
    if given is None:
        raise RulesError(f"{name}.actions returned None: is a `return` or `yield` missing?")
    if not isinstance(given, Iterable):
        raise RulesError(
            f"{name}.actions returned {_shown(given)}; it has to give all actions: a list, a range, or `yield` them"
        )
    actions = list(islice(given, _LOOKED_AT))
    for action in actions:
        _hashable(action, f"{name}.actions gave")
    again = list(islice(game.actions(state), _LOOKED_AT))
    if not _same(actions, again):
        raise RulesError(
            f"{name}.actions gave {_shown(actions)} and, asked again in the same state, {_shown(again)}: rules are"
            " pure, with nothing drawn at random or remembered (chance has a method of its own, `chance`)"
        )
    return actions


def _outcomes(game: Game, state: Any) -> list[Any]:
    """The outcomes of chance that may come."""
    name = type(game).__name__
    given = game.chance(state)
    if given is None:
        raise RulesError(f"{name}.chance returned None: is a `return` or `yield` missing?")
    if not isinstance(given, Iterable):
        raise RulesError(f"{name}.chance returned {_shown(given)}; it gives pairs of outcome and probability")
    pairs = list(islice(given, MAX_ACTIONS + 1))
    for pair in pairs:
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise RulesError(
                f"{name}.chance gave {_shown(pair)} at {_shown(state)}; it gives pairs of outcome and probability,"
                " such as (6, 1 / 6)"
            )
        words = _wrong_number(pair[1])
        if words or not pair[1] >= 0:
            raise RulesError(f"{name}.chance gives the probability {pair[1]!r} at {_shown(state)}{words}")
        _hashable(pair[0], f"{name}.chance gave the outcome")
    if not pairs:
        raise RulesError(f"{name}.chance gives no outcomes at {_shown(state)}")
    total = math.fsum(float(probability) for _, probability in pairs)
    if not abs(total - 1) <= CLOSE:
        raise RulesError(
            f"the probabilities of {name}.chance at {_shown(state)} sum to {total:.12g}; they have to sum to 1"
        )
    return [outcome for outcome, probability in pairs if probability > 0]


def _after(game: Game, state: Any, action: Any) -> Any:
    """The state that an action leads to."""
    name = type(game).__name__
    fixed = isinstance(state, (tuple, int, str, frozenset))
    before = (repr(state), hash(state)) if not fixed else None
    after = game.result(state, action)
    if after is None:
        raise RulesError(f"{name}.result returned None: is a `return` missing?")
    if not fixed and (repr(state), hash(state)) != before:
        raise RulesError(
            f"{name}.result changes the state it is given; it has to make a new one and leave the old one as it is"
        )
    if after is game:
        raise RulesError(f"{name}.result returned the game itself: it returns the state that follows")
    try:
        hash(after)
    except TypeError:
        kind = type(after).__name__
        raise RulesError(
            f"{name}.result returned a {kind}, which cannot be hashed."
            " Use a NamedTuple, a tuple or another immutable value."
        ) from None
    if isinstance(after, (tuple, int, str, frozenset)) and not _same(after, game.result(state, action)):
        raise RulesError(
            f"{name}.result gave two different states for the action {_shown(action)} at {_shown(state)}: rules are"
            " pure, with nothing drawn at random (chance has a method of its own, `chance`)"
        )
    for member in ("key", "repetition_key", "value_key"):
        if getattr(type(game).offered, member):
            _hashable(getattr(game, member)(after), f"{name}.{member} returned")
    return after


def _look_at_extras(game: Game, state: Any, actions: Sequence[Any], first: bool) -> None:
    """The numbers that optional members give, and at the first state the texts."""
    name = type(game).__name__
    offered = type(game).offered

    def number(member: str, *arguments: Any) -> Any:
        given = getattr(game, member)(state, *arguments)
        words = _wrong_number(given)
        if words:
            raise RulesError(f"{name}.{member} returned {_shown(given)}{words}")
        return given

    for action in actions[:2]:
        for member in ("order", "urgency"):
            if getattr(offered, member):
                number(member, action)
        if offered.prior and number("prior", action) < 0:
            raise RulesError(f"{name}.prior returned {game.prior(state, action)!r}: weights are not negative")
    if first:
        words = {"name_action": (actions[0],), "show": ()}
        for member, more in words.items():
            if getattr(offered, member):
                text = getattr(game, member)(state, *more)
                if not isinstance(text, str):
                    missing = ": is a `return` missing?" if text is None else ", which is no text"
                    raise RulesError(f"{name}.{member} returned {_shown(text)}{missing}")
    if offered.evaluate and not offered.observe:
        number("evaluate", 0)
    if offered.observe:
        _hashable(game.observe(state, game.player(state)), f"{name}.observe returned")
    if offered.clock:
        plies = game.clock(state)
        if plies is not None and not _is_whole(plies):
            raise RulesError(
                f"{name}.clock returned {_shown(plies)}: it gives a whole number of plies, or None"
            )


def wrong_utilities(game: Game, state: Any) -> str:
    """What is wrong with the payoffs at a terminal state; "" where nothing is."""
    name = type(game).__name__
    payoffs = [game.utility(state, player) for player in range(game.players)]
    for payoff in payoffs:
        words = _wrong_number(payoff)
        if words:
            return f"{name}.utility returned {_shown(payoff)}{words}"
    declared: Any = game.payoffs
    if declared is not None:
        low, high = declared
        spare = CLOSE * max(1.0, abs(low), abs(high))
        for payoff in payoffs:
            if not low - spare <= payoff <= high + spare:
                return (
                    f"{name}.utility returned {_shown(payoff)}, which is outside `payoffs = ({low!r}, {high!r})`:"
                    " declare the least and the greatest that it can be"
                )
    total = sum(payoffs)
    # Infinite payoffs sum to nan, which is not compared: a search that cannot take them says so itself.
    if game.total is None or not abs(total - game.total) > 1e-9 * max(1, *map(abs, payoffs)):
        return ""
    return (
        f"the utilities of {name} at {state!r} are {', '.join(map(str, payoffs))}: they sum to {total:g},"
        f" not to {game.total:g}. If every end sums to {total:g}, declare `total = {total:g}`; if ends"
        " differ, declare `total = None` (minimax and alphabeta then do not apply; use maxn)"
    )


# --- the game as such -------------------------------------------------------------------------------


def look_over(game: Game) -> None:
    """Refuses a game whose class or attributes stand in its own way."""
    cls = type(game)
    name = cls.__name__
    if cls.__hash__ is None:
        raise RulesError(
            f"{name} defines equality, so that games cannot be told apart by a search: with a dataclass write"
            " `@dataclass(eq=False)`, else leave out `__eq__`"
        )
    for base in cls.__mro__:
        if base is Game:
            break
        if vars(base).get("__slots__"):
            raise RulesError(
                f"{base.__name__} has `__slots__`; leave it out: searches read a game's attributes"
            )
    if not _is_whole(game.players) or game.players < 1:
        raise RulesError(f"{name}.players is {game.players!r}: how many play, a whole number")
    if game.total is not None and _wrong_number(game.total):
        raise RulesError(
            f"{name}.total is {game.total!r}: what utilities sum to, a number, or None where that differs"
        )
    payoffs: Any = game.payoffs
    if payoffs is not None:
        pair = isinstance(payoffs, Sequence) and not isinstance(payoffs, str) and len(payoffs) == 2
        if not pair or any(_wrong_number(end) for end in payoffs) or not payoffs[0] <= payoffs[1]:
            raise RulesError(
                f"{name}.payoffs is {payoffs!r}: declare the least and the greatest utility, `payoffs = (-1, 1)`"
            )


def _wrong_number(value: Any) -> str:
    """Why a value cannot be counted with, in words to go on with; "" where it can."""
    if value is None:
        return ": is a `return` missing?"
    if isinstance(value, Decimal):
        return ", a Decimal, which does not mix with floats: write float(…)"
    if isinstance(value, (str, bytes)) or not (
        isinstance(value, numbers.Real) or hasattr(value, "__float__")
    ):
        return ", which is not a number"
    try:
        return ", which is not a number" if math.isnan(float(value)) else ""
    except OverflowError:
        return ", which is too large for a float"
    except (TypeError, ValueError):
        return ", which is not a number"


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) or (hasattr(value, "__index__") and not hasattr(value, "__len__"))


def _hashable(value: Any, said: str) -> None:
    try:
        hash(value)
    except TypeError:
        raise RulesError(
            f"{said} {_shown(value)}, which cannot be hashed: write a tuple or another immutable value"
        ) from None


def _same(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # arrays, or an `__eq__` of the user's own
        return True


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
