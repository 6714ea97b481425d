"""A position as a page or another program needs it: board, whose turn it is, what can be played."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gametree.app.notation import player_names, read_action
from gametree.arena.playing import recurrence_end
from gametree.board import board_of
from gametree.board.found import touches_of
from gametree.documents.parts import Number
from gametree.documents.protocol import ActionDocument, PositionDocument
from gametree.errors import InputError
from gametree.game import CHANCE, Game, mover_at, offers
from gametree.result import plain
from gametree.search.core.plays import choices_at
from gametree.view import hides

MOST_ACTIONS = 5_000
_KEPT = 100
"""So many positions are kept with the way to them."""


@dataclass(frozen=True)
class Reached:
    """Where the moves of a message lead."""

    game: Game
    name: str
    """What messages call the game."""
    states: tuple[Any, ...]
    """All states of the game so far, the first one first."""
    actions: tuple[Any, ...]
    """What was played in between."""

    @property
    def state(self) -> Any:
        """The state that is reached."""
        return self.states[-1]

    @property
    def history(self) -> tuple[Any, ...]:
        """The states before, oldest first."""
        return self.states[:-1]

    def ended(self) -> tuple[list[float], str] | None:
        """What every player gets and why, where the game is over by its rules or by a repetition."""
        game, state = self.game, self.state
        if game.is_terminal(state):
            return [game.utility(state, player) for player in range(game.players)], "the game is over"
        if game.repetition is not None and self.actions:
            keys = [game.repetition_key(one) for one in self.states]
            found = recurrence_end(game, keys.count(keys[-1]), game.player(self.states[-2]))
            if found is not None:
                return [
                    float(found[0] if player == 0 else -found[0]) for player in range(game.players)
                ], found[1]
        return None

    def forbidden(self, action: Any) -> bool:
        """Whether an action leads to a position once more that the rules forbid to repeat."""
        match self.game.repetition:
            case ("forbid", int(times)):
                after = self.game.repetition_key(self.game.result(self.state, action))
                return [self.game.repetition_key(one) for one in self.states].count(after) + 1 >= times
        return False


class Ways:
    """The way to a position, by its moves. Who plays on asks for one move more each time: what was reached is kept."""

    def __init__(self) -> None:
        self._known: dict[tuple[Game, str | None, tuple[str, ...]], Reached] = {}

    def reach(self, game: Game, name: str, position: str | None, moves: Sequence[str]) -> Reached:
        """The game after the moves; refused where one of them cannot be played."""
        words = tuple(moves)
        known = next(
            (at for at in range(len(words), -1, -1) if (game, position, words[:at]) in self._known), None
        )
        if known is None:
            known, at = 0, _beginning(game, name, position)
        else:
            at = self._known.pop((game, position, words[:known]))
            self._known[game, position, words[:known]] = at
        for number, word in enumerate(words[known:], known + 1):
            try:
                action = read_action(game, at.state, word)
            except InputError as error:
                raise InputError(f"move {number}: {error}") from None
            after = game.result(at.state, action)
            at = Reached(game, name, (*at.states, after), (*at.actions, action))
        self._known[game, position, words] = at
        while len(self._known) > _KEPT:
            del self._known[next(iter(self._known))]
        return at


def _beginning(game: Game, name: str, position: str | None) -> Reached:
    state = game.initial() if position is None else game.parse_state(position)
    if state is None:
        raise InputError(f"{name} reads no position from {position!r}")
    return Reached(game, name, (state,), ())


def described(at: Reached) -> PositionDocument:
    """The position that a message leads to."""
    game, state = at.game, at.state
    ended = at.ended()
    board = board_of(game, state)
    last = ""
    if at.actions:
        last = game.name_action(at.states[-2], at.actions[-1])
        if board is not None:
            board = board.marked(touches_of(game, at.states[-2], at.actions[-1]))
    return {
        "game": at.name,
        "players": list(player_names(game)),
        "mover": None if ended else mover_at(game, state),
        "text": game.show(state),
        "board": None if board is None else board.to_json(),
        "actions": [] if ended else _actions(at),
        "payoffs": None if ended is None else given(ended[0]),
        "ended": "" if ended is None else ended[1],
        "last": last,
        "notation": _notation(game, state),
        "range": range_of(game),
        "hides": hides(game),
    }


def given(payoffs: Iterable[float]) -> list[Number]:
    """Payoffs as a message has them."""
    return cast("list[Number]", [plain(float(one)) for one in payoffs])


def range_of(game: Game) -> list[Number] | None:
    """The least and the greatest payoff, where the game says them."""
    return None if game.payoffs is None else given(game.payoffs)


def _notation(game: Game, state: Any) -> str | None:
    """A position as its game reads it: in the notation of books where there is one, else as it is shown."""
    in_books = getattr(game, "fen", None)
    if callable(in_books):
        return str(in_books(state))
    return game.show(state) if offers(game, "parse_state") else None


def _actions(at: Reached) -> list[ActionDocument]:
    game, state = at.game, at.state
    by_chance = game.player(state) == CHANCE and offers(game, "chance")
    odds = dict(enumerate(probability for _, probability in game.chance(state))) if by_chance else {}
    found: list[ActionDocument] = []
    for number, action in enumerate(choices_at(game, state)[:MOST_ACTIONS]):
        if not by_chance and at.forbidden(action):
            continue
        one: ActionDocument = {
            "name": game.name_action(state, action),
            "touches": list(touches_of(game, state, action)),
        }
        if by_chance:
            one["probability"] = float(odds[number])
        found.append(one)
    return found
