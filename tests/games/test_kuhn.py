"""Kuhn poker: one card, one bet."""

import random
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from gametree import CHANCE, InputError, Profile, check, exploitability, sequence_form
from gametree.games.kuhn import BET, PASS, Kuhn


@pytest.mark.parametrize(
    ("text", "payoffs"),
    [
        ("K J pass pass", (1, -1)),
        ("J K pass pass", (-1, 1)),
        ("J K bet fold", (1, -1)),
        ("J K bet call", (-2, 2)),
        ("K Q pass bet fold", (-1, 1)),
        ("K Q pass bet call", (2, -2)),
    ],
)
def test_the_higher_card_wins_the_pot_unless_it_folds(text: str, payoffs: tuple[int, int]) -> None:
    kuhn = Kuhn()
    state = kuhn.parse_state(text)
    assert kuhn.is_terminal(state)
    assert (kuhn.utility(state, 0), kuhn.utility(state, 1)) == payoffs
    assert kuhn.parse_state(kuhn.show(state)) == state


def _naive(cards: tuple[int, ...], history: str) -> list[int] | None:
    """The payoffs after passes and bets, written out by the rules; None where the play goes on."""
    n = len(cards)
    if "b" not in history:
        if len(history) < n:
            return None
        inside, paid = list(range(n)), [1] * n
    else:
        first = history.index("b")
        if len(history) < first + n:
            return None
        inside = [ply % n for ply in range(first, first + n) if history[ply] == "b"]
        paid = [2 if player in inside else 1 for player in range(n)]
    winner = max(inside, key=lambda player: cards[player])
    return [sum(paid) - paid[player] if player == winner else -paid[player] for player in range(n)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_play_ends_as_the_rules_written_out_say(players: int) -> None:
    kuhn = Kuhn(players)
    ends = 0
    for cards in permutations(range(players + 1), players):
        waiting = [(kuhn.initial(), "")]
        for card in cards:
            waiting = [(kuhn.result(waiting[0][0], card), "")]
        while waiting:
            state, history = waiting.pop()
            payoffs = _naive(cards, history)
            assert kuhn.is_terminal(state) == (payoffs is not None)
            if payoffs is not None:
                assert [kuhn.utility(state, player) for player in range(players)] == payoffs
                ends += 1
                continue
            assert kuhn.player(state) == len(history) % players
            waiting += [
                (kuhn.result(state, action), history + "pb"[action]) for action in kuhn.actions(state)
            ]
        if players > 2 and cards[0] > 1:
            break  # the betting is the same for all deals
    assert ends


def test_every_card_that_is_left_is_as_likely_as_the_others() -> None:
    kuhn = Kuhn(3)
    state = kuhn.result(kuhn.initial(), 2)
    assert kuhn.player(state) == CHANCE
    assert list(kuhn.chance(state)) == [(0, 1 / 3), (1, 1 / 3), (3, 1 / 3)]


def test_a_player_sees_the_own_card_and_the_betting_alone() -> None:
    kuhn = Kuhn()
    one, other = kuhn.parse_state("K J pass"), kuhn.parse_state("K Q pass")
    assert kuhn.observe(one, 0) == kuhn.observe(other, 0)
    assert kuhn.observe(one, 1) != kuhn.observe(other, 1)
    assert kuhn.show_observation(kuhn.observe(one, 0), 0) == "K pass"
    assert kuhn.show_observation(kuhn.observe(kuhn.initial(), 0), 0) == "?"


@pytest.mark.parametrize(("players", "size"), [(2, 12), (3, 48)])
def test_there_are_so_many_information_sets(players: int, size: int) -> None:
    form = sequence_form(Kuhn(players))
    assert form is not None
    assert sum(map(len, form.sets)) == size


@pytest.mark.parametrize("players", [2, 3])
def test_the_rules_keep_the_contract(players: int) -> None:
    report = check(Kuhn(players))
    assert report.ok and not report.warnings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("K K", "'K' does not fit the deal: j or q"),
        ("K J raise", "'raise' does not fit the first player: pass or bet"),
        ("K J bet call fold", "the game is over before 'fold'"),
    ],
)
def test_what_is_no_position_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=r"write cards|is over") as refused:
        Kuhn().parse_state(text)
    assert words in str(refused.value)


def test_there_are_2_to_10_players() -> None:
    for players in (1, 11):
        with pytest.raises(InputError, match="players"):
            Kuhn(players)


def _family(alpha: Fraction) -> Profile:
    """Kuhn's equilibria: the first player bets J with α, K with 3α, and calls with Q with α + 1/3."""

    def bets(probability: Any) -> dict[int, Any]:
        return {PASS: 1 - probability, BET: probability}

    jack, queen, king = range(3)
    first = {
        (jack, 0, 0): bets(alpha),
        (queen, 0, 0): bets(Fraction(0)),
        (king, 0, 0): bets(3 * alpha),
        (jack, 2, 2): bets(Fraction(0)),
        (queen, 2, 2): bets(alpha + Fraction(1, 3)),
        (king, 2, 2): bets(Fraction(1)),
    }
    second = {
        (jack, 1, 0): bets(Fraction(1, 3)),
        (queen, 1, 0): bets(Fraction(0)),
        (king, 1, 0): bets(Fraction(1)),
        (jack, 1, 1): bets(Fraction(0)),
        (queen, 1, 1): bets(Fraction(1, 3)),
        (king, 1, 1): bets(Fraction(1)),
    }
    return Profile(Kuhn(), (first, second))


@pytest.mark.parametrize("alpha", [Fraction(n, 12) for n in range(5)])
def test_kuhns_family_is_in_equilibrium_exactly(alpha: Fraction) -> None:
    found = exploitability(Kuhn(), _family(alpha), exact=True)
    assert found.nash_conv == 0
    assert found.values == (Fraction(-1, 18), Fraction(1, 18))


@pytest.mark.parametrize("alpha", [Fraction(5, 12), Fraction(1, 2)])
def test_outside_the_family_something_can_be_gained(alpha: Fraction) -> None:
    profile = _family(Fraction(1, 3)).with_strategy(0, {(0, 0, 0): {PASS: 1 - alpha, BET: alpha}})
    assert exploitability(Kuhn(), profile, exact=True).nash_conv > 0


def test_a_profile_is_played_as_often_as_it_says() -> None:
    kuhn, draw = Kuhn(), random.Random(5)
    state = kuhn.parse_state("J K pass bet")
    queen = kuhn.parse_state("Q K pass bet")
    profile = _family(Fraction(1, 6))
    assert {profile.play(state, draw) for _ in range(50)} == {PASS}
    assert abs(sum(profile.play(queen, draw) for _ in range(4000)) / 4000 - 0.5) < 0.04
