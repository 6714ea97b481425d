"""A game that a referee keeps, in a worker process: what a seat sees, and what it plays."""

import random
from functools import cached_property
from typing import Any

from gametree.app.notation import player_names, read_action
from gametree.app.serve.positions import MOST_ACTIONS, Reached, given, range_of
from gametree.board import Board, board_of
from gametree.board.found import touches_of
from gametree.documents.playing import SeatAction, SeatDocument
from gametree.errors import InputError
from gametree.game import Game, mover_at, offers
from gametree.view import View, hides, seen_by, shown_to, view_of


def view_at(at: Reached, seat: int) -> View:
    """What a seat has seen so far."""
    return view_of(at.game, at.state, at.history, seat)


def seen(at: Reached, seat: int) -> SeatDocument:
    """A position as a seat sees it: made from its view, and from what everybody knows."""
    game = at.game
    ended = at.ended()
    view = view_at(at, seat)
    masked = seen_by(game, view) if hides(game) else at.state
    board = None if masked is None else game.board(masked) if hides(game) else board_of(game, masked)
    own = bool(at.actions) and game.player(at.states[-2]) == seat
    return {
        "game": at.name,
        "seat": seat,
        "players": list(player_names(game)),
        "mover": None if ended else mover_at(game, at.state),
        "text": shown_to(game, view) if hides(game) else game.show(at.state),
        "board": None if board is None else board.to_json(),
        "actions": [] if ended else _actions(at, view, masked, board),
        "payoffs": None if ended is None else given(ended[0]),
        "ended": "" if ended is None else ended[1],
        "last": game.name_action(at.states[-2], at.actions[-1]) if own else "",
        "notation": None,
        "range": range_of(game),
        "hides": hides(game),
    }


def _actions(at: Reached, view: View, masked: Any, board: Board | None) -> list[SeatAction]:
    """What can be played, with the cells of the board that the seat sees."""
    touched = _Touched(at.game, view, masked, board)
    found: list[SeatAction] = []
    for action in view.actions[:MOST_ACTIONS]:
        name = at.game.name_action(at.state, action)
        found.append({"name": name, "touches": touched.by(action, name)})
    return found


class _Touched:
    """The cells of actions. They are found without a look at the true state: cells, too, could tell what is hidden."""

    def __init__(self, game: Game, view: View, masked: Any, board: Board | None):
        self._game = game
        self._view = view
        self._masked = masked
        self._ids = frozenset(() if board is None else board.ids)

    def by(self, action: Any, name: str) -> list[str]:
        """The cells of an action; where nothing else tells, the one that has its name."""
        if self._ids and self._state is not None:
            return [id for id in touches_of(self._game, self._state, action) if id in self._ids]
        return [name] if name in self._ids else []

    @cached_property
    def _state(self) -> Any:
        """A state that looks the same from here, and in which the seat has the same actions, if one is known."""
        game, view = self._game, self._view
        if not hides(game):
            return self._masked
        if not offers(game, "touches"):
            return None
        if self._fits(self._masked):
            return self._masked
        world = _world(game, view)
        return world if self._fits(world) else None

    def _fits(self, state: Any) -> bool:
        # A state that is only made to be shown may have another mover.
        game, view = self._game, self._view
        if state is None or game.is_terminal(state) or game.player(state) != view.player:
            return False
        return set(view.actions) <= set(game.actions(state))


def _world(game: Game, view: View) -> Any:
    """One of the worlds in which a player may be: the same one wherever he has seen the same."""
    if not offers(game, "worlds"):
        return None
    return game.worlds(view.observation, view.player, random.Random(repr(view.observation)).randrange)


def read_move(at: Reached, seat: int, word: str) -> Any:
    """The action that a seat plays by its name; refused without a word about the moves of others."""
    if at.ended() is not None:
        raise InputError("the game is over: there is nothing to move")
    if at.game.player(at.state) != seat:
        raise InputError(f"it is not the turn of {player_names(at.game)[seat]}")
    action = read_action(at.game, at.state, word)
    if at.forbidden(action):
        raise InputError(f"{word} would repeat a position, which the rules forbid")
    return action
