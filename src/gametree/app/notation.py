"""Positions, moves and players as people write them."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from gametree.errors import InputError
from gametree.game import Game, nth_player
from gametree.search.core.plays import choices_at


def position(game: Game, text: str | None = None, played: str | None = None) -> Any:
    """The state that `--position` describes, after the moves of `--moves-played`.

    >>> from gametree.games import ConnectFour
    >>> game = ConnectFour()
    >>> position(game, played="4 4 5") == position(game, "44", "5")
    True
    """
    return place_with_history(game, text, played)[0]


def place_with_history(game: Game, text: str | None, played: str | None) -> tuple[Any, list[Any]]:
    """The same, with the states before it, oldest first."""
    if text is None:
        state = game.initial()
    else:
        state = game.parse_state(text)
        if state is None:
            raise InputError(f"{type(game).__name__}.parse_state returned None for {text!r}")
    history = []
    for number, word in enumerate(words_of(played or ""), 1):
        try:
            action = read_action(game, state, word)
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None
        history.append(state)
        state = game.result(state, action)
    return state, history


def words_of(text: str) -> list[str]:
    """The moves of a text: between commas or semicolons where there are any, else between spaces."""
    return [
        word for word in re.split(r"\s*[,;]\s*" if re.search("[,;]", text) else r"\s+", text.strip()) if word
    ]


def read_action(game: Game, state: Any, text: str) -> Any:
    """The legal action that a text names, in the game's own notation or a variation in case and spaces."""
    wanted = text.strip()
    if game.is_terminal(state):
        raise InputError("the game is over")
    actions = choices_at(game, state)
    names = [game.name_action(state, action) for action in actions]
    if wanted in names:
        return actions[names.index(wanted)]
    refusal = InputError(f"{wanted!r} is no legal move here")
    try:
        action = game.parse_action(state, wanted)
        if action in actions:
            return action
    except InputError as error:
        refusal = error
    except (ValueError, LookupError, TypeError):
        # What `int("abc")` raises inside a user's own parse_action means: not a move.
        pass
    alike = [i for i, name in enumerate(names) if _folded(name) == _folded(wanted)]
    if len(alike) == 1:
        return actions[alike[0]]
    for spelling in _respelled(wanted):
        with contextlib.suppress(ValueError, LookupError, TypeError):
            action = game.parse_action(state, spelling)
            if action in actions:
                return action
    raise refusal


def _respelled(text: str) -> Iterator[str]:
    """What somebody may have meant who writes "1. e4", "E2-E4", "e2 e4", "11 to 15" or "11–15"."""
    bare = re.sub(r"^[0-9]+\.+\s*", "", text)
    joined = re.sub(r"\s*(?:[-–—>→]+|\bto\b|\s)\s*", "-", bare, flags=re.IGNORECASE)
    for spelling in (bare, joined, bare.lower(), joined.lower()):
        if spelling and spelling != text:
            yield spelling


def _folded(text: str) -> str:
    return "".join(text.casefold().split())


def says_whose_turn(board: str) -> bool:
    """Whether a board, as the game shows it, says itself who moves."""
    lines = board.strip().splitlines()
    return bool(lines) and re.search(r"\b(to move|moves|turn)\b", lines[-1]) is not None


def player_names(game: Game) -> tuple[str, ...]:
    """What the players are called: as the game says, else by their order.

    >>> from gametree import Tree
    >>> from gametree.games import TicTacToe
    >>> player_names(TicTacToe()), player_names(Tree([(1, 2), (3, 4)]))
    (('X', 'O'), ('the first player', 'the second player'))
    """
    return game.player_names or tuple(map(nth_player, range(game.players)))
