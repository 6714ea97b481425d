"""Ludo: the rules by hand-made cases, and searches through the dice."""

import itertools
import math
from typing import Any

import pytest

import oracle_many
from gametree import CHANCE, check, maxn, paranoid
from gametree.errors import InputError
from gametree.games import Ludo
from gametree.games.ludo.track import spots


def moves(game: Ludo, text: str) -> list[str]:
    state = game.parse_state(text)
    return [game.name_action(state, action) for action in game.actions(state)]


def after(game: Ludo, text: str, move: str) -> str:
    state = game.parse_state(text)
    return game.show(game.result(state, game.parse_action(state, move)))


TWO = Ludo(players=2, tokens=2)


def test_the_die_is_rolled_first_and_fairly() -> None:
    game = Ludo()
    assert game.player(game.initial()) == CHANCE
    assert [outcome for outcome, _ in game.chance(game.initial())] == [1, 2, 3, 4, 5, 6]
    assert sum(odds for _, odds in game.chance(game.initial())) == pytest.approx(1)


def test_only_a_six_brings_a_token_in() -> None:
    assert moves(TWO, "A yard yard / B yard yard / A to move a 5") == ["pass"]
    assert moves(TWO, "A yard yard / B yard yard / A to move a 6") == ["in"]
    assert moves(TWO, "A yard 9 / B yard yard / A to move a 6") == ["in", "9-15"]


def test_tokens_on_one_square_are_one_choice() -> None:
    assert moves(TWO, "A 9 9 / B yard yard / A to move a 2") == ["9-11"]


def test_home_is_reached_exactly() -> None:
    assert TWO.home == 57
    assert moves(TWO, "A 55 56 / B yard yard / A to move a 2") == ["55-home"]
    assert moves(TWO, "A 55 home / B yard yard / A to move a 3") == ["pass"]


def test_a_six_rolls_again_and_the_third_ends_the_turn() -> None:
    assert after(TWO, "A 3 yard / B yard yard / A to move a 6", "3-9").endswith("A to roll after 1 six")
    rolled = after(TWO, "A 3 yard / B yard yard / A to roll after 2 sixes", "6")
    assert rolled.splitlines()[0] == "A  3 yard"
    assert rolled.endswith("B to roll")
    assert after(TWO, "A 3 yard / B yard yard / A to roll after 2 sixes", "5").endswith(
        "A to move a 5 after 2 sixes"
    )


def test_who_is_landed_on_goes_back_unless_the_square_is_safe() -> None:
    # B begins at square 26, so its place 4 is A's place 30.
    assert "B  yard 1" in after(TWO, "A 28 yard / B 4 1 / A to move a 2", "28-30")
    # A's place 27 is B's entry; A's 35 is eight behind it.
    assert "B  1 yard" in after(TWO, "A 25 yard / B 1 yard / A to move a 2", "25-27")
    assert "B  9 yard" in after(TWO, "A 33 yard / B 9 yard / A to move a 2", "33-35")
    # In its own column a token is out of reach.
    assert "B  26 yard" in after(TWO, "A 50 yard / B 26 yard / A to move a 2", "50-52")


def test_the_first_with_all_tokens_home_wins() -> None:
    game = Ludo(players=3, tokens=1)
    state = game.parse_state("A 55 / B home / C 4 / A to move a 2".replace("home", "40"))
    end = game.result(state, 0)
    assert game.is_terminal(end)
    assert [game.utility(end, player) for player in range(3)] == [2, -1, -1]
    assert list(game.actions(end)) == []
    assert game.show(end).endswith("A has won")
    assert game.parse_state(game.show(end)) == end


def test_a_team_wins_together_and_does_not_send_back_its_own() -> None:
    game = Ludo(tokens=1, teams=True)
    assert [game.team(player) for player in range(4)] == [0, 1, 0, 1]
    state = game.parse_state("A 56 / B 5 / C 40 / D 6 / A to move a 1")
    half = game.result(state, 0)
    assert not game.is_terminal(half)
    # A is home: after D it is B's turn again.
    assert game.result(game.parse_state("A home / B 5 / C 40 / D 6 / D to move a 1"), 0).mover == 1
    end = game.result(game.parse_state("A home / B 5 / C 56 / D 6 / C to move a 1"), 0)
    assert [game.utility(end, player) for player in range(4)] == [1, -1, 1, -1]
    assert game.show(end).endswith("A and C have won")
    # C's place 4 is A's place 30: partners share a square.
    shared = game.result(game.parse_state("A 28 / B 5 / C 4 / D 6 / A to move a 2"), 0)
    assert shared.tokens == (30, 5, 4, 6)


@pytest.mark.parametrize("teams", [False, True])
def test_searches_go_through_the_dice(teams: bool) -> None:
    game = Ludo(tokens=1, teams=teams, quarter=3)
    state = game.parse_state("A 12 / B 7 / C 11 / D 3 / A to move a 2")
    for depth in (1, 2, 3, 4):
        truth = oracle_many.maxn(game, state, depth)
        found = maxn(game, state, depth=depth, compile="never")
        assert found.values == pytest.approx(truth.values, abs=1e-12)
        assert (found.action, found.nodes) == (truth.action, truth.nodes)
        sure = paranoid(game, state, depth=depth, compile="never")
        assert sure.value is not None
        assert float(sure.value) <= found.values[0] + 1e-12


def test_at_the_dice_there_is_a_value_and_no_action() -> None:
    game = Ludo(players=2, tokens=1, quarter=3)
    found = maxn(game, depth=3, compile="never")
    assert (found.action, found.line, found.player) == (None, (), CHANCE)
    assert found.values == pytest.approx(oracle_many.maxn(game, depth=3).values, abs=1e-12)
    assert "chance decides" in str(found)
    assert paranoid(game, depth=3, player=1, compile="never").player == 1


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"players": 5}, "two, three or four"),
        ({"tokens": 5}, "at most four tokens"),
        ({"tokens": 0}, "at least 1"),
        ({"quarter": 1}, "at least 2"),
        ({"teams": True, "players": 3}, "teams=True takes four players"),
        ({"teams": 1}, "True or False"),
    ],
)
def test_boards_that_cannot_be_are_refused(params: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Ludo(**params)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A yard yard", "the tokens of A, B are wanted"),
        ("A yard / B yard yard", "the places of 2 tokens"),
        ("A yard 58 / B yard yard", "'58' is no place of a token"),
        ("A yard up / B yard yard", "'up' is no place"),
        ("E yard yard / B yard yard", "write a player"),
    ],
)
def test_texts_that_are_no_position_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        TWO.parse_state(text)


def test_moves_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="'7' is not what a die shows: A is to roll"):
        TWO.parse_action(TWO.initial(), "7")
    with pytest.raises(InputError, match="'in' is not a legal action"):
        TWO.parse_action(TWO.parse_state("A 3 4 / B yard yard / A to move a 1"), "in")


@pytest.mark.parametrize("way", ["never", pytest.param("auto", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "params", [{"players": 2, "tokens": 1, "quarter": 2}, {"teams": True, "tokens": 1, "quarter": 2}]
)
def test_the_rules_keep_the_contract(params: dict[str, Any], way: str) -> None:
    report = check(Ludo(**params), plays=5, seconds=0.3, compile=way)
    assert report.exit_code == 0, str(report)


@pytest.mark.parametrize("quarter", range(2, 20))
def test_no_two_places_lie_on_each_other(quarter: int) -> None:
    places = [(x, y) for _, x, y, _ in spots(quarter, (0, 1, 2, 3))]
    assert min(math.dist(*pair) for pair in itertools.combinations(places, 2)) > 0.99
