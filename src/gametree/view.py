"""What one player has seen of a game: all that a player, a search or a program for one seat is ever handed.

A `View` is made at the door, by `view_of`, from the states that a referee keeps. Behind the door there is no way back
from a view to the state: it holds observations, which `observe` gave for this player, and the actions that he may
choose from, which are equal wherever his observations are.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from gametree.errors import InputError, RulesError
from gametree.game import CHANCE, Game, check_state, offers


@dataclass(frozen=True)
class View:
    """What `player` has seen so far, and what he may do now.

    >>> View(0, ("a card", "a card, a bet"), ("call", "fold")).observation
    'a card, a bet'
    """

    player: int
    record: tuple[Hashable, ...]
    """His observations, oldest first, each another than the one before: how often others moved unseen is not told."""
    actions: tuple[Any, ...] = ()
    """What he may do; empty where he is not to move."""
    complete: bool = True
    """Whether the record begins with the game. Where it does not, only its last entry is relied on."""

    def __post_init__(self) -> None:
        if not self.record:
            raise InputError("a View holds at least one observation: View(player, (observation,), actions)")

    @property
    def observation(self) -> Hashable:
        """What he sees now."""
        return self.record[-1]


def view_of(game: Game, state: Any, history: Sequence[Any] = (), player: int | None = None) -> View:
    """What a player has seen at a state, after the states before it: by default the player to move.

    A view is returned as it is.
    """
    if isinstance(state, View):
        return state
    state = check_state(game, state)
    mover = CHANCE if game.is_terminal(state) else game.player(state)
    who = max(mover, 0) if player is None else player
    record: list[Hashable] = []
    before = (*history, state)
    for one in before:
        seen = observed(game, one, who)
        if not record or seen != record[-1]:
            record.append(seen)
    actions = tuple(game.actions(state)) if mover == who else ()
    return View(who, tuple(record), actions, bool(before[0] == game.initial()))


def observed(game: Game, state: Any, player: int) -> Hashable:
    """What a player sees of a state, refused where it cannot be compared."""
    seen = game.observe(state, player)
    try:
        hash(seen)
    except TypeError:
        kind = type(seen).__name__
        raise RulesError(
            f"{type(game).__name__}.observe returned a {kind}, which cannot be hashed: return a tuple, a number or a"
            " text with everything that the player ever saw and did"
        ) from None
    if seen is None:
        raise RulesError(f"{type(game).__name__}.observe returned None: is a `return` missing?")
    return seen


def hides(game: Game) -> bool:
    """Whether players of a game do not see the whole state."""
    return offers(game, "observe")


def seen_by(game: Game, view: View) -> Any:
    """The state as it is shown to a player, for `show` and `board`; None where the game makes no such state.

    It is made from his observation alone, so that nothing else can be in it.
    """
    return game.mask(view.observation, view.player) if offers(game, "mask") else None


def shown_to(game: Game, view: View) -> str:
    """What a player sees as text: his observation in words, or `show` of what is shown to him."""
    masked = None if offers(game, "show_observation") else seen_by(game, view)
    return game.show_observation(view.observation, view.player) if masked is None else game.show(masked)
