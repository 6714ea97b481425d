"""Leduc hold'em, liar's dice and Goofspiel: what wins, what is seen, what is refused."""

from typing import Any

import pytest

from gametree import CHANCE, Game, InputError, check, sequence_form
from gametree.games.goofspiel import Goofspiel
from gametree.games.leduc import Leduc
from gametree.games.liars_dice import LiarsDice


@pytest.mark.parametrize(
    ("game", "text", "payoff"),
    [
        (Leduc(), "K J raise fold", 1),
        (Leduc(), "J K raise raise fold", -3),
        (Leduc(), "J K raise call J check check", 3),
        (Leduc(), "J K raise raise call J raise raise call", 13),
        (Leduc(), "J K check check Q check check", -1),
        (Leduc(), "K K check check Q raise call", 0),
        (Leduc(suits=True), "J♠ K♥ check check J♥ raise call", 5),
        (LiarsDice(), "6 3 1x3 2x3 liar", -1),
        (LiarsDice(), "6 3 2x3 liar", 1),
        (LiarsDice(), "2 3 1x2 liar", 1),
        (LiarsDice(), "2 3 1x4 liar", -1),
        (LiarsDice(sides=4), "4 1 2x1 liar", 1),
        (Goofspiel(cards=3), "3: 2 1, 1: 3 3, 2: 1 2", 1),
        (Goofspiel(cards=3, pays="win"), "3: 2 1, 1: 3 3, 2: 1 2", 1),
        (Goofspiel(cards=3, order="ascending"), "1: 3 1, 2: 1 2, 3: 2 3", -4),
    ],
    ids=str,
)
def test_who_wins_how_much(game: Any, text: str, payoff: int) -> None:
    state = game.parse_state(text)
    assert game.is_terminal(state)
    assert (game.utility(state, 0), game.utility(state, 1)) == (payoff, -payoff)
    assert game.parse_state(game.show(state)) == state


def test_a_round_of_leduc_has_two_raises_and_nobody_folds_who_may_check() -> None:
    leduc = Leduc()

    def names(text: str) -> list[str]:
        state = leduc.parse_state(text)
        return [leduc.name_action(state, action) for action in leduc.actions(state)]

    assert names("K J") == ["check", "raise"]
    assert names("K J raise") == ["fold", "call", "raise"]
    assert names("K J raise raise") == ["fold", "call"]
    assert names("K J raise raise call K") == ["check", "raise"]


def test_cards_are_dealt_from_what_is_left() -> None:
    leduc = Leduc()
    state = leduc.parse_state("K K check check")
    assert leduc.player(state) == CHANCE
    assert list(leduc.chance(state)) == [(0, 0.5), (1, 0.5)]
    assert [p for _, p in Leduc(suits=True).chance(Leduc(suits=True).initial())] == [1 / 6] * 6


def test_only_the_other_cards_stay_unseen() -> None:
    leduc = Leduc()
    one, other = leduc.parse_state("K J raise call Q"), leduc.parse_state("K Q raise call Q")
    assert leduc.observe(one, 0) == leduc.observe(other, 0)
    assert leduc.observe(one, 1) != leduc.observe(other, 1)
    assert leduc.show_observation(leduc.observe(one, 0), 0) == "K raise call Q"
    dice = LiarsDice()
    assert dice.show_observation(dice.observe(dice.parse_state("6 3 1x3"), 1), 1) == "3 1x3"


def test_a_bid_in_goofspiel_is_seen_once_both_have_bid() -> None:
    goof = Goofspiel(cards=3)
    one, other = goof.parse_state("3: 2"), goof.parse_state("3: 1")
    assert goof.player(one) == 1 and goof.observe(one, 1) == goof.observe(other, 1)
    assert goof.observe(goof.parse_state("3: 2 1"), 1) != goof.observe(goof.parse_state("3: 3 1"), 1)
    sealed = Goofspiel(cards=3, sealed=True)
    two, three = sealed.parse_state("3: 2 1"), sealed.parse_state("3: 3 1")
    assert sealed.observe(two, 1) == sealed.observe(three, 1)
    assert sealed.show_observation(sealed.observe(two, 1), 1) == "3: 1 lost"


@pytest.mark.parametrize(
    ("game", "sets"),
    [
        (Leduc(), 288),
        (Leduc(suits=True), 936),
        (LiarsDice(sides=3), 192),
        (Goofspiel(cards=3), 546),
    ],
    ids=str,
)
def test_there_are_so_many_information_sets(game: Game, sets: int) -> None:
    form = sequence_form(game)
    assert form is not None and sum(map(len, form.sets)) == sets


@pytest.mark.parametrize(
    "game", [Leduc(), LiarsDice(sides=3), Goofspiel(cards=3), Goofspiel(cards=3, sealed=True)], ids=str
)
def test_the_rules_keep_the_contract(game: Game) -> None:
    report = check(game, compile="never")
    assert report.ok and not report.warnings


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Leduc(ranks=1), "ranks=1"),
        (lambda: Leduc(ranks=14), "up to 13"),
        (lambda: LiarsDice(sides=1), "sides=1"),
        (lambda: LiarsDice(sides=21), "2 to 20 sides"),
        (lambda: Goofspiel(cards=14), "2 to 13"),
        (lambda: Goofspiel(order="sorted"), "random or ascending or descending"),
        (lambda: Goofspiel(pays="cash"), "points or win"),
        (lambda: Leduc().parse_state("K J fold"), "not a legal action"),
        (lambda: LiarsDice().parse_state("6 3 1x3 1x2"), "not a legal action"),
        (lambda: Goofspiel().parse_state("3: 2 2, 3: 1"), "not a legal action"),
    ],
)
def test_what_does_not_fit_the_game_is_refused(make: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        make()
