"""Positions and moves as people write them."""

from typing import Any

import pytest

from gametree import Game
from gametree.app.notation import player_names, position, read_action, says_whose_turn
from gametree.errors import InputError
from gametree.games import Checkers, Chess, ConnectFour, Nim, Othello, TicTacToe


class Cards(Game):
    """A game whose author wrote a careless parse_action."""

    def initial(self) -> int:
        return 0

    def player(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> tuple[int, ...]:
        return (0, 1, 2)

    def result(self, state: int, action: int) -> int:
        return state + 1

    def is_terminal(self, state: int) -> bool:
        return state == 2

    def utility(self, state: int, player: int) -> float:
        return 0

    def name_action(self, state: int, action: int) -> str:
        return ("Ace of Spades", "King", "king")[action]

    def parse_action(self, state: int, text: str) -> Any:
        return int(text)

    def parse_state(self, text: str) -> Any:
        return None


def test_moves_are_played_from_the_position_that_is_given() -> None:
    game = ConnectFour()
    assert position(game, "44", "5") == position(game, "445") == position(game, None, "4, 4,5")


def test_a_move_that_cannot_be_played_is_counted() -> None:
    with pytest.raises(InputError, match="move 3: '9' is no column"):
        position(ConnectFour(), None, "4 4 9")


def test_nothing_is_played_after_the_end() -> None:
    with pytest.raises(InputError, match="move 4: the game is over"):
        position(Nim(counters=3), None, "1 1 1 1")


def test_a_parse_state_that_returns_nothing_is_named() -> None:
    with pytest.raises(InputError, match=r"Cards\.parse_state returned None for 'x'"):
        position(Cards(), "x")


@pytest.mark.parametrize("text", ["Ace of Spades", " ace of spades ", "aceofspades", "0"])
def test_case_and_spaces_do_not_matter_where_the_move_is_clear(text: str) -> None:
    assert read_action(Cards(), 0, text) == 0


def test_an_exact_name_comes_before_one_that_is_alike() -> None:
    assert (read_action(Cards(), 0, "King"), read_action(Cards(), 0, "king")) == (1, 2)


@pytest.mark.parametrize("text", ["KING", "queen", "7", "-1"])
def test_what_is_ambiguous_unknown_or_illegal_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no legal move here"):
        read_action(Cards(), 0, text)


def test_players_are_called_as_the_boards_call_them() -> None:
    assert player_names(TicTacToe()) == ("X", "O")
    assert player_names(Cards()) == ("the first player", "the second player")


def test_a_board_that_names_the_mover_is_not_repeated() -> None:
    assert says_whose_turn(TicTacToe().show(TicTacToe().initial()))
    assert not says_whose_turn("(21, 0)") and not says_whose_turn("")


@pytest.mark.parametrize(
    ("game", "text", "name"),
    [
        (Chess(), "e4", "e4"),
        (Chess(), "E2E4", "e4"),
        (Chess(), "e2-e4", "e4"),
        (Chess(), "E2-E4", "e4"),
        (Chess(), "e2 e4", "e4"),
        (Chess(), "e2 to e4", "e4"),
        (Chess(), "1. e4!", "e4"),
        (Chess(), "nf3", "Nf3"),
        (Chess(), "NF3", "Nf3"),
        (Chess(), "ng1-f3", "Nf3"),
        (Checkers(), "11 15", "11-15"),
        (Checkers(), "11–15", "11-15"),
        (Checkers(), "11 to 15", "11-15"),
        (Checkers(), "1. 11-15", "11-15"),
        (Othello(), "D3", "d3"),
        (Othello(), "d 3", "d3"),
    ],
    ids=str,
)
def test_moves_are_read_as_people_type_them(game: Game, text: str, name: str) -> None:
    state = game.initial()
    assert game.name_action(state, read_action(game, state, text)) == name


@pytest.mark.parametrize("text", ["0-0", "o-o", "O-O", "00", "e1g1", "E1-G1"])
def test_castling_is_read_as_people_type_it(text: str) -> None:
    game = Chess()
    state = game.parse_state("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert game.name_action(state, read_action(game, state, text)) == "O-O"


def test_a_bishop_may_be_small_where_no_pawn_is_meant() -> None:
    game = Chess()
    state = game.parse_state("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1")
    assert game.name_action(state, read_action(game, state, "bg2")) == "Bg2"
    assert game.name_action(state, read_action(game, state, "bc4")) == "bxc4"
    assert game.name_action(state, read_action(game, state, "Bc4")) == "Bxc4"
