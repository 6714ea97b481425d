"""Boards of games that tell none: found in what they show, or in their states."""

import importlib
import random
from typing import Any

import pytest

from gametree import Game, RulesError, games
from gametree.board import Board, board_of
from gametree.board.found import touches_of

FOUND = {
    "breakthrough": ("grid", 4, 4),
    "chomp": ("grid", 4, 3),
    "col": ("grid", 7, 1),
    "connect_three": ("grid", 4, 4),
    "domineering": ("grid", 4, 4),
    "dots_and_boxes": ("grid", 16, 1),
    "fox_and_hounds": ("grid", 6, 6),
    "hexapawn": ("grid", 3, 3),
    "isolation": ("grid", 4, 4),
    "kalah": ("pits", 8, 1),
    "kayles": ("grid", 8, 1),
    "konane": ("grid", 5, 4),
    "nim": ("pits", 3, 1),
    "notakto": ("grid", 3, 3),
    "othello": ("grid", 4, 4),
    "sim": ("grid", 15, 1),
    "three_mens_morris": ("grid", 3, 3),
    "tictactoe": ("grid", 3, 3),
    "toads_and_frogs": ("grid", 9, 1),
    "tron": ("grid", 5, 5),
}
"""What is found in the games of tests/idioms: a kind, how wide, how high."""
SHIPPED = {
    "backgammon": ("graph", 130),
    "checkers": ("grid", 32),
    "chess": ("grid", 64),
    "chinese-checkers": ("graph", 121),
    "connect-four": ("grid", 42),
    "go": ("grid", 81),
    "hex": ("graph", 121),
    "ludo": "buttons",
    "mnk": ("grid", 16),
    "nim": ("grid", 21),
    "othello": ("grid", 64),
    "pig": "buttons",
    "tic-tac-toe": ("grid", 9),
}
"""What is found in the shipped games when they tell no board: a kind and the number of cells,
or that there is a button for each action."""


def idiom(name: str) -> Game:
    made = importlib.import_module(f"idioms.games.{name}").GAME()
    assert isinstance(made, Game)
    return made


def silent(name: str) -> Game:
    """A shipped game that tells neither its board nor what its actions touch."""
    told = games.load(name)
    cls = type(told)
    members: dict[str, Any] = {
        "board": Game.board,
        "touches": Game.touches,
        "show": lambda self, state: told.show(state),
        "__module__": cls.__module__,
    }
    made: Any = type(Game)(cls.__name__, (cls,), members)  # type: ignore[misc]
    return made()  # type: ignore[no-any-return]


def choices(game: Game, state: Any) -> list[Any]:
    if game.player(state) < 0:
        return [outcome for outcome, _ in game.chance(state)]
    return list(game.actions(state))


def walk(game: Game, plies: int, seed: int = 1) -> list[tuple[Any, Any]]:
    """The states of a random game, each with the action taken."""
    rng, state = random.Random(seed), game.initial()
    found: list[tuple[Any, Any]] = []
    while not game.is_terminal(state) and len(found) < plies:
        action = rng.choice(choices(game, state))
        found.append((state, action))
        state = game.result(state, action)
    return [*found, (state, None)]


@pytest.mark.parametrize("name", FOUND)
def test_boards_of_games_as_people_write_them_are_found(name: str) -> None:
    game, expected = idiom(name), FOUND[name]
    ids = set()
    for state, _ in walk(game, 10):
        board = board_of(game, state)
        assert (board.kind, *board.size) == expected
        assert len(set(board.ids)) == len(board.ids)
        ids.add(board.ids)
    assert len(ids) == 1


@pytest.mark.parametrize("name", FOUND)
def test_a_found_board_changes_where_somebody_moves(name: str) -> None:
    game = idiom(name)
    steps = walk(game, 10)[:-1]
    assert steps and all(touches_of(game, state, action) for state, action in steps)


@pytest.mark.parametrize("name", SHIPPED)
def test_boards_of_shipped_games_that_keep_silent_are_found_in_what_they_show(name: str) -> None:
    game, expected = silent(name), SHIPPED[name]
    for state, action in walk(game, 30):
        board = board_of(game, state)
        if expected == "buttons":
            over = game.is_terminal(state)
            names = [] if over else [game.name_action(state, one) for one in choices(game, state)]
            assert board.kind == "buttons" and list(board.ids) == list(dict.fromkeys(names))
            assert action is None or touches_of(game, state, action) == (game.name_action(state, action),)
        else:
            assert (board.kind, len(board.cells)) == expected


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "othello", "go", "mnk", "chess", "checkers"])
def test_a_found_board_has_the_pieces_of_the_one_that_the_game_tells(name: str) -> None:
    game, quiet = games.load(name), silent(name)
    for state, _ in walk(game, 30):
        told, found = game.board(state), board_of(quiet, state)
        assert told is not None
        assert pieces(told) == pieces(found) and told.mover == found.mover
        assert not found.status or found.status in told.status or told.status in found.status


def pieces(board: Board) -> list[tuple[float, float, str, int | None]]:
    return sorted((cell.x, cell.y, cell.piece.symbol, cell.piece.owner) for cell in board.cells if cell.piece)


def test_who_owns_a_piece_is_seen_from_who_brings_it_about() -> None:
    game = idiom("hexapawn")
    board = board_of(game, game.initial())
    assert {(cell.piece.symbol, cell.piece.owner) for cell in board.cells if cell.piece} == {
        ("W", 0),
        ("B", 1),
    }


def test_what_a_game_tells_comes_first() -> None:
    game = games.load("chess")
    assert board_of(game, game.initial()) == game.board(game.initial())
    assert touches_of(game, game.initial(), game.parse_action(game.initial(), "e4")) == ("e2", "e4")


class Liar(type(games.load("nim"))):  # type: ignore[misc]
    def board(self, state: Any) -> Any:
        return "a heap"


def test_a_board_that_is_none_is_refused_by_name() -> None:
    with pytest.raises(RulesError, match=r"Liar\.board returned str: it returns a gametree\.Board, or None"):
        board_of(Liar(), Liar().initial())


STANDING = {
    "breakthrough": {("W", 0, "white"), ("B", 1, "black")},
    "fox_and_hounds": {("F", 0, ""), ("H", 1, "")},
    "isolation": {("X", 0, ""), ("O", 1, ""), ("#", None, "")},
    "sim": {("R", 0, "red"), ("B", 1, "blue")},
}
"""Pieces of games whose states are bits or places: symbol, owner, colour."""


@pytest.mark.parametrize("name", STANDING)
def test_bits_and_places_are_pieces_that_are_called_as_their_fields(name: str) -> None:
    game = idiom(name)
    seen = set()
    for state, _ in walk(game, 10):
        for cell in board_of(game, state).cells:
            seen |= {(cell.piece.symbol, cell.piece.owner, cell.piece.color)} if cell.piece else set()
    assert seen == STANDING[name]


def test_a_move_touches_the_squares_that_it_leaves_and_enters() -> None:
    game = idiom("breakthrough")
    assert touches_of(game, game.initial(), (4, 9)) == ("4", "9")
    game = idiom("fox_and_hounds")
    assert touches_of(game, game.initial(), (0, -1, 1)) == ("27", "32")
    game = idiom("isolation")
    assert touches_of(game, game.initial(), 5) == ("0", "5")


def test_cells_without_a_shape_are_called_as_the_actions_that_change_them() -> None:
    game = idiom("sim")
    board = board_of(game, game.initial())
    assert [cell.name for cell in board.cells[:3]] == ["1-2", "1-3", "1-4"]
    assert touches_of(game, game.initial(), 3) == ("3",)
