"""Nim: who takes the last counter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from gametree.errors import InputError
from gametree.games.nim import Nim, State


def test_whoever_takes_the_last_counter_wins() -> None:
    game = Nim(counters=3)
    end = game.result(game.initial(), 3)
    assert game.is_terminal(end)
    assert [game.utility(end, player) for player in (0, 1)] == [1, -1]


def test_in_misere_play_whoever_takes_the_last_counter_loses() -> None:
    game = Nim(counters=3, misere=True)
    end = game.result(game.initial(), 3)
    assert [game.utility(end, player) for player in (0, 1)] == [-1, 1]


@pytest.mark.parametrize("counters", range(1, 14))
@pytest.mark.parametrize("take", [1, 2, 3])
def test_the_first_player_loses_exactly_at_multiples_of_one_more_than_can_be_taken(
    counters: int, take: int
) -> None:
    assert (oracle.minimax(Nim(counters, take)).value == -1) == (counters % (take + 1) == 0)
    assert (oracle.minimax(Nim(counters, take, misere=True)).value == -1) == (
        counters % (take + 1) == 1 % (take + 1)
    )


def test_a_heap_is_shown_with_the_player_who_moves() -> None:
    game = Nim(40)
    assert game.show(State(3, 1)) == "|||\n3 counters left, the second player moves"
    assert game.show(State(1, 0)) == "|\n1 counter left, the first player moves"
    assert game.show(State(40, 0)).startswith("|" * 27 + "...\n40 counters")
    assert game.show(State(0, 0)) == "0 counters left, the second player has won"


@given(left=st.integers(0, 21), mover=st.integers(0, 1), misere=st.booleans())
def test_what_is_shown_is_read_back(left: int, mover: int, misere: bool) -> None:
    game = Nim(misere=misere)
    assert game.parse_state(game.show(State(left, mover))) == State(left, mover)


@pytest.mark.parametrize(
    ("text", "state"),
    [("14", State(14, 0)), (" 14 second ", State(14, 1)), ("14 First", State(14, 0)), ("0", State(0, 0))],
)
def test_a_position_is_a_number_and_who_moves(text: str, state: State) -> None:
    assert Nim().parse_state(text) == state


@pytest.mark.parametrize("text", ["", "many", "14 third", "-3", "2.5", "9" * 5000])
def test_other_texts_are_no_position(text: str) -> None:
    with pytest.raises(InputError, match="for example 14 or 14 second"):
        Nim().parse_state(text)


def test_more_counters_than_the_game_begins_with_cannot_be_left() -> None:
    with pytest.raises(InputError, match="22 counters cannot be left: the game begins with 21"):
        Nim().parse_state("22")


def test_a_move_is_a_number() -> None:
    game = Nim()
    assert game.parse_action(game.initial(), " 2 ") == game.parse_action(game.initial(), "take 2") == 2
    assert game.name_action(game.initial(), 2) == "2"


@pytest.mark.parametrize(
    ("left", "text", "message"),
    [
        (21, "4", "'4' is not legal here: take 1 to 3"),
        (21, "0", "take 1 to 3"),
        (21, "two", "'two' is not legal here"),
        (2, "3", "take 1 to 2"),
        (1, "2", "take 1$"),
        (0, "1", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused(left: int, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Nim().parse_action(State(left, 0), text)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"counters": 0}, "counters=0: counters must be a whole number of at least 1"),
        ({"counters": "x"}, "counters='x'"),
        ({"counters": True}, "counters=True"),
        ({"take": 0}, "take=0"),
        ({"take": 1.5}, r"take=1\.5"),
        ({"misere": 1}, "misere=1: misere must be True or False"),
    ],
)
def test_parameters_that_make_no_game_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Nim(**params)
