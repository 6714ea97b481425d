"""Winning chances: one scale for the values of all games."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
from gametree.arena.chances import Scale, scale_of
from gametree.games import Backgammon, Chess, Ludo, Nim, Othello, Pig, TicTacToe
from gametree.result import Value
from gametree.search.mcts.lines import usual_judgement

pytestmark = pytest.mark.same_in_all_modes
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(NUMBERS, NUMBERS, st.floats(1e-3, 1e3))
def test_a_greater_value_is_no_smaller_chance_and_nothing_but_a_win_is_certain(
    one: float, other: float, usual: float
) -> None:
    scale = Scale(least=-1, greatest=1, fair=0, estimate=usual)
    low, high = sorted((one, other))
    assert 0 <= scale.chance(Value(low)) <= scale.chance(Value(high)) <= 1
    assert scale.chance(Value(low)) + scale.chance(Value(-low)) == pytest.approx(1)
    assert scale.chance(Value.loss(-1, 3)) == 0 and scale.chance(Value.win(1, 3)) == 1


@pytest.mark.parametrize("game", [Chess(), Othello(), TicTacToe()], ids=lambda game: type(game).__name__)
def test_a_usual_lead_is_three_quarters(game: gt.Game) -> None:
    scale = scale_of(game, judged=True)
    assert scale is not None
    usual = usual_judgement(game, 0)
    assert scale.chance(Value(usual)) == 0.75 and scale.chance(Value(-usual)) == 0.25


def test_payoffs_lie_by_their_distance_from_the_ends() -> None:
    scale = scale_of(Backgammon(), judged=False)
    assert scale is not None
    assert [scale.chance(Value(x)) for x in (-3, 0, 1.5, 3)] == [0, 0.5, 0.75, 1]
    seats = scale_of(Ludo(), judged=False)
    assert seats is not None and seats.chance(Value(0)) == 0.25 and seats.chance(Value(3)) == 1
    dice = scale_of(Pig(), judged=False)
    assert dice is not None and dice.chance(Value(0.5)) == 0.5


def test_payoffs_that_a_game_does_not_declare_are_looked_for() -> None:
    class Undeclared(Nim):
        payoffs = None

    scale = scale_of(Undeclared(), judged=True)
    assert scale is not None and (scale.least, scale.greatest) == (-1, 1)


def test_an_exact_draw_is_even_and_an_exact_lead_is_a_win() -> None:
    game = TicTacToe()
    found = gt.minimax(game, game.parse_state("X.O/OX./..."), compile="never", moves=True)
    scale = scale_of(TicTacToe(), judged=True)
    assert scale is not None and found.exact
    players, _, moves = scale.of(found, dice=False)
    assert players == [1, 0] and len(set(moves)) == 2
    assert moves == [{1: 1, 0: 0.5, -1: 0}[int(move.value.payoff)] for move in found.moves]
    even = gt.minimax(game, game.parse_state("XOX/XOO/O.X"), compile="never")
    assert scale.of(even, dice=False)[0] == [0.5, 0.5]


def test_an_exact_payoff_is_a_win_where_there_are_no_dice_and_a_share_where_there_are() -> None:
    tree = gt.Tree([[3, 12, 8], [2, 4, 6]])
    scale = scale_of(tree, judged=True)
    assert scale is not None
    found = gt.minimax(tree)
    assert found.exact
    assert scale.of(found, dice=False)[0] == [1, 0]
    assert 0 < scale.of(found, dice=True)[0][0] < 1


def test_the_second_player_gets_the_other_share_and_many_get_their_own() -> None:
    game = Nim(counters=6)
    second = gt.analyze(game, game.result(game.initial(), 1), compile="never", depth=9)
    scale = scale_of(game, judged=True)
    assert scale is not None and second.player == 1
    assert sum(scale.of(second, dice=False)[0]) == 1
    three = gt.games.load("mnk")
    scale = scale_of(three, judged=True)
    assert scale is not None
    players, _, _ = scale.of(gt.maxn(three, depth=2, compile="never"), dice=False)
    assert len(players) == 3 and all(0 < one < 1 for one in players)


def test_who_never_pays_has_no_scale() -> None:
    assert scale_of(gt.Tree([[0, 0], [0, 0]]), judged=True) is None
