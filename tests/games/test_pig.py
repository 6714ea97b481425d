"""Pig: roll or hold."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametree import CHANCE, check
from gametree.errors import InputError
from gametree.games.pig import HOLD, ROLL, Pig, State
from mutation import mutated


def test_a_turn_begins_with_a_roll() -> None:
    pig = Pig()
    assert list(pig.actions(pig.initial())) == [ROLL]
    assert list(pig.actions(State(3, 4, 5, 1, False))) == [ROLL, HOLD]


def test_each_face_of_the_die_is_equally_likely() -> None:
    pig = Pig()
    rolling = pig.result(pig.initial(), ROLL)
    assert pig.player(rolling) == CHANCE
    assert list(pig.chance(rolling)) == [(face, 1 / 6) for face in range(1, 7)]
    assert [odds for _, odds in Pig(sides=2).chance(rolling)] == [0.5, 0.5]


@pytest.mark.parametrize("mover", [0, 1])
def test_a_one_loses_the_points_of_the_turn(mover: int) -> None:
    assert Pig().result(State(30, 40, 12, mover, True), 1) == State(30, 40, 0, 1 - mover, False)


def test_other_faces_add_to_the_turn() -> None:
    assert Pig().result(State(30, 40, 12, 1, True), 6) == State(30, 40, 18, 1, False)


def test_holding_keeps_the_points_and_passes_the_die() -> None:
    assert Pig().result(State(30, 40, 12, 0, False), HOLD) == State(42, 40, 0, 1, False)
    assert Pig().result(State(30, 40, 12, 1, False), HOLD) == State(30, 52, 0, 0, False)


@pytest.mark.parametrize("mover", [0, 1])
def test_who_reaches_the_goal_has_won(mover: int) -> None:
    pig = Pig(goal=50)
    end = pig.result(State(40, 40, 6, mover, True), 4)
    assert pig.is_terminal(end)
    assert [pig.utility(end, player) for player in (0, 1)] == [1 - mover, mover]
    assert list(pig.actions(end)) == []
    assert not pig.is_terminal(pig.result(State(40, 40, 6, mover, True), 3))


def test_what_is_won_adds_up_and_is_a_probability() -> None:
    pig = Pig(goal=30)
    assert (pig.payoffs, pig.total) == ((0, 1), 1)
    for state in (State(29, 0, 0, 0, True), State(0, 12, 17, 1, False), pig.initial()):
        mine, theirs = (pig.evaluate(state, player) for player in (0, 1))
        assert 0 < mine < 1
        assert mine + theirs == pytest.approx(1)


def test_the_rules_keep_the_contract() -> None:
    report = check(Pig(goal=12), plays=20)
    assert report.ok, str(report)


# --- text ---------------------------------------------------------------------------------------------

STATES = st.builds(
    State,
    st.integers(0, 99),
    st.integers(0, 99),
    st.just(0) | st.integers(2, 99),
    st.integers(0, 1),
    st.booleans(),
).filter(lambda s: (s.first, s.second)[s.mover] + s.turn < 100)
ENDS = st.integers(0, 99).flatmap(
    lambda other: st.sampled_from([State(100, other, 0, 0, False), State(other, 103, 0, 1, False)])
)


@given(state=STATES | ENDS)
def test_what_is_shown_is_read_back(state: State) -> None:
    assert Pig().parse_state(Pig().show(state)) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("23 41", State(23, 41, 0, 0, False)),
        (" 23  41 12 ", State(23, 41, 12, 0, False)),
        ("23 41 12 Second", State(23, 41, 12, 1, False)),
        ("23 41 second rolls", State(23, 41, 0, 1, True)),
        ("100 41", State(100, 41, 0, 0, False)),
        ("41 104", State(41, 104, 0, 1, False)),
    ],
)
def test_a_position_is_two_scores_the_turn_and_who_moves(text: str, state: State) -> None:
    assert Pig().parse_state(text) == state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no position of Pig"),
        ("23", "is no position of Pig"),
        ("23 41 12 third", "for example 23 41 12 second"),
        ("-1 3", "is no position of Pig"),
        ("100 100", "only one player can have reached 100"),
        ("100 3 5", "the game is over at 100"),
        ("100 3 rolls", "the game is over at 100"),
        ("90 3 12", "90 and 12 of this turn reach 100"),
        ("90 3 1", "a one ends it"),
        ("first 3, second 4\nthe first player has won", "is no position of Pig"),
        ("first 100, second 4\nthe first player moves", "is no position of Pig"),
        ("first 3, second 4, second holds 5\nthe first player moves", "is no position of Pig"),
    ],
)
def test_other_texts_are_no_position(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Pig().parse_state(text)


def test_malformed_positions_and_moves_are_read_or_refused() -> None:
    rng, pig = random.Random(1), Pig()
    texts = ("23 41 12 second", pig.show(State(3, 4, 5, 0, True)), pig.show(State(100, 4, 0, 0, False)))
    refused = 0
    for _ in range(500):
        for parse, known in (
            (pig.parse_state, texts),
            (lambda text: pig.parse_action(State(3, 4, 5, 0, True), text), ("6", "roll")),
        ):
            try:
                parse(mutated(rng.choice(known), rng, known))
            except InputError as error:
                assert 0 < len(str(error)) < 500
                refused += 1
    assert refused > 250


def test_moves_are_roll_and_hold_and_throws_are_faces() -> None:
    pig, state = Pig(), State(3, 4, 5, 0, False)
    assert [pig.name_action(state, action) for action in pig.actions(state)] == ["roll", "hold"]
    assert [pig.parse_action(state, text) for text in (" Roll", "HOLD ")] == [ROLL, HOLD]
    rolling = pig.result(state, ROLL)
    assert [pig.name_action(rolling, face) for face, _ in pig.chance(rolling)] == list("123456")
    assert pig.parse_action(rolling, " 4 ") == 4


@pytest.mark.parametrize(
    ("state", "text", "words"),
    [
        (State(3, 4, 0, 0, False), "hold", "'hold' is not legal here: roll"),
        (State(3, 4, 5, 0, False), "pass", "'pass' is not legal here: roll or hold"),
        (State(3, 4, 5, 0, True), "roll", "'roll' is no face of the die: 1 to 6"),
        (State(3, 4, 5, 0, True), "7", "'7' is no face"),
        (State(100, 4, 0, 0, False), "roll", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused(state: State, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Pig().parse_action(state, text)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"goal": 0}, "goal=0: goal must be a whole number of at least 1"),
        ({"goal": 2.5}, r"goal=2\.5"),
        ({"sides": 1}, "sides=1: sides must be a whole number of at least 2"),
    ],
)
def test_parameters_that_make_no_game_are_refused(params: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Pig(**params)
