"""Profiles: asked, played, compared, written down and read again."""

from fractions import Fraction
from typing import Any

import pytest

from gametree import Game, InputError, Profile, Tree, Turn, exploitability
from gametree.games.kuhn import BET, PASS, Kuhn
from gametree.games.nim import Nim

KUHN = Kuhn()


def _changed() -> Profile:
    return Profile.uniform(KUHN).with_strategy(0, {(2, 0, 0): {PASS: Fraction(1, 3), BET: Fraction(2, 3)}})


def test_a_profile_survives_being_written_and_read() -> None:
    profile = _changed()
    again = Profile.from_json(KUHN, profile.to_json())
    assert again == profile
    assert again.at(0, (2, 0, 0))[BET] == Fraction(2, 3)


def test_a_profile_prints_in_percent_by_the_names_of_actions() -> None:
    assert "the first player, K            pass 33.3 %, bet 66.7 %" in str(_changed())
    assert "the second player, Q bet       fold 50 %, call 50 %" in str(_changed())


def test_the_greatest_difference_between_profiles_comes_first() -> None:
    compared = Profile.uniform(KUHN).compare(_changed())
    assert compared.greatest == pytest.approx(1 / 6)
    assert compared.rows[0].observation == (2, 0, 0)
    assert "11 of 12 information sets" in str(compared)


def test_what_is_played_with_no_chance_is_not_drawn() -> None:
    class Never:
        def random(self) -> float:
            return 0.0

    assert (
        Profile.uniform(KUHN).with_strategy(0, {(2, 0, 0): {BET: 1}}).play(KUHN.parse_state("K J"), Never())
        == BET
    )


@pytest.mark.parametrize(
    ("strategies", "words"),
    [
        (({},), "takes 2 strategies"),
        (({(0, 0, 0): {0: 0.5, 1: 0.6}}, {}), "sum to 1.1"),
        (({(0, 0, 0): {0: -0.5, 1: 1.5}}, {}), "not from 0 to 1"),
        (({(0, 0, 0): {0: float("nan")}}, {}), "not from 0 to 1"),
        (({(0, 0, 0): [0.5, 0.5]}, {}), "no mapping"),
    ],
)
def test_what_is_no_profile_is_refused(strategies: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Profile(KUHN, strategies)


def test_asking_for_what_it_does_not_know_is_refused() -> None:
    empty = Profile(KUHN, ({}, {}))
    with pytest.raises(InputError, match="does not say what the first player does having seen K"):
        empty(KUHN.parse_state("K J"))
    with pytest.raises(InputError, match="does not say"):
        exploitability(KUHN, empty)
    with pytest.raises(InputError, match="chance decides"):
        empty(KUHN.initial())
    with pytest.raises(InputError, match="over"):
        empty(KUHN.parse_state("K J pass pass"))
    with pytest.raises(InputError, match="player=2"):
        empty.at(2, 0)


def test_without_an_answer_actions_are_equally_likely_where_that_was_agreed() -> None:
    loose = Profile(KUHN, ({}, {}), known=False)
    assert set(loose(KUHN.parse_state("K J")).values()) == {0.5}
    assert exploitability(KUHN, loose, exact=True).nash_conv == Fraction(11, 12)


def test_a_profile_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match=r"one of Kuhn\(players=3\)"):
        exploitability(KUHN, Profile.uniform(Kuhn(3)))
    with pytest.raises(InputError, match="takes a Profile"):
        exploitability(KUHN, {})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="one game"):
        Profile.uniform(KUHN).compare(Profile.uniform(Kuhn(3)))


def test_an_action_that_is_not_legal_is_refused() -> None:
    wrong = Profile.uniform(KUHN).with_strategy(0, {(2, 0, 0): {PASS: 0, BET: 0, 7: 1}})
    with pytest.raises(InputError, match="not legal there"):
        wrong(KUHN.parse_state("K J"))
    with pytest.raises(InputError, match="legal are pass, bet"):
        exploitability(KUHN, wrong)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"Kuhn(players=2)"', '"Kuhn(players=3)"', "is a profile of"),
        ('"rules": "', '"rules": "0', "by other rules.*other_rules=True reads it"),
        ('"parameters": "', '"parameters": "0', "its parameters or arrays differ"),
        ('"1/3"', '"1/0"', "no fraction"),
        ('"1/3"', "2", "not from 0 to 1"),
        ('"sets"', '"set"', "lacks sets"),
        ('"player": 1', '"player": 2', "no player 2"),
    ],
)
def test_a_text_that_is_no_profile_is_refused(old: str, new: str, words: str) -> None:
    text = _changed().to_json()
    assert old in text
    with pytest.raises(InputError, match=words):
        Profile.from_json(KUHN, text.replace(old, new))


def test_rules_whose_code_has_changed_are_taken_where_the_user_says_so() -> None:
    text = _changed().to_json().replace('"rules": "', '"rules": "0')
    assert Profile.from_json(KUHN, text, other_rules=True) == _changed()


def test_trees_that_are_written_alike_have_profiles_of_their_own() -> None:
    one, other = (Tree([Turn(1, [1, end], set="S"), Turn(1, [0, 5], set="S")]) for end in (2, 3))
    assert repr(one) == repr(other) == "Tree(7 nodes, 4 leaves)"
    profile = Profile.uniform(one)
    assert profile != Profile.uniform(other)
    for ask in (
        lambda: Profile.from_json(other, profile.to_json()),
        lambda: exploitability(other, profile),
        lambda: Profile.uniform(other).compare(profile),
    ):
        with pytest.raises(InputError, match=r"another Tree|only profiles of one game"):
            ask()
    assert Profile.from_json(one, profile.to_json()) == profile


def test_an_observation_that_json_has_no_word_for_is_refused() -> None:
    class Odd(Nim):
        def observe(self, state: Any, player: int) -> frozenset[int]:
            return frozenset(state)

    game: Game = Odd(counters=2)
    with pytest.raises(InputError, match="cannot be written as JSON: it is a frozenset"):
        Profile.uniform(game).to_json()
