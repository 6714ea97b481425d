"""Simultaneous moves with a future: Shapley's iteration against what is known and against plain induction."""

import random
from fractions import Fraction
from typing import Any

import pytest

import gametree as gt
from gametree.games.matrix.repeated import Repeated
from gametree.search.matrix.joint import joint
from gametree.search.matrix.zero_sum import zero_sum
from search.matrix import naive

pytestmark = pytest.mark.interpreted_anyway


def by_hand(game: gt.Game, state: Any, discount: Fraction = Fraction(1), depth: int = 99) -> Fraction:
    """The value by plain recursion, to a depth."""
    if game.is_terminal(state):
        return Fraction(game.utility(state, 0))
    if depth == 0:
        return Fraction(0)
    if game.player(state) < 0:
        return discount * sum(
            (Fraction(odds) * by_hand(game, game.result(state, one), discount, depth - 1))
            for one, odds in game.chance(state)
        )
    rows = list(game.actions(state))
    table = []
    for one in rows:
        within = game.result(state, one)
        table.append(
            [by_hand(game, game.result(within, other), discount, depth - 1) for other in game.actions(within)]
        )
    return discount * zero_sum(table)[0]


def test_a_repeated_game_is_worth_its_matrix_so_many_times() -> None:
    draw = random.Random(1)
    for _ in range(8):
        table = naive.random_form(draw, (2, 2), 9).table(0)
        matrix = gt.Matrix([list(row) for row in table])
        found = gt.shapley(Repeated(matrix, rounds=3))
        assert found.value == 3 * zero_sum(table)[0] and found.error == 0


def test_what_is_solved_is_what_plain_recursion_finds() -> None:
    game = Repeated(gt.games.RockPaperScissors(), rounds=2)
    found = gt.shapley(game)
    assert found.value == by_hand(game, game.initial()) == 0
    state = game.parse_state("rock paper")
    assert found.at(state).value == by_hand(game, state) == -1
    assert "1/3 rock" in str(found.at(state))


def test_soccer_is_worth_what_its_first_steps_say_within_what_is_left() -> None:
    game = gt.games.GridSoccer(width=2, height=2)
    discount = Fraction(1, 2)
    found = gt.shapley(game, discount=0.5, tolerance=1e-6)
    depth = 4
    exact = by_hand(game, game.initial(), discount, depth)
    assert abs(found.value - exact) <= discount**depth + Fraction(1, 10**6)
    assert found.error <= 1e-6 and found.passes > 1
    # Whoever has the ball is ahead, and both sides are alike.
    assert found.value < 0
    turned = game.initial()._replace(ball=0)
    assert gt.shapley(game, turned, discount=0.5, tolerance=1e-6).value == -found.value


def test_goofspiel_is_worth_nothing_to_equals() -> None:
    game = gt.games.load("goofspiel", cards=3, order="descending")
    found = gt.shapley(game)
    assert found.value == 0 and found.method == "backward induction over matrices"


def test_joint_moves_are_found_from_what_players_see() -> None:
    game = gt.games.GridSoccer(width=3, height=1)
    both = joint(game, game.initial())
    assert both.players == (0, 1) and len(both.states) == 25
    seen = joint(gt.games.Nim(4), gt.games.Nim(4).initial())
    assert seen.players == (0,)


def test_grid_soccer_keeps_the_contract_and_its_rules() -> None:
    game = gt.games.GridSoccer(width=3, height=2)
    report = gt.check(game, seconds=1, compile="never")
    # Both see the whole pitch, and need not remember how it came about.
    assert not report.problems and {one.kind for one in report.warnings} == {"observe-recall"}, str(report)
    state = game.initial()
    for move in ("left", "left"):
        state = game.result(state, game.parse_action(state, move))
    # A stands at the left side without the ball: his step is none. B carries the ball to the left.
    after = game.result(state, 0)
    assert game.show(after).splitlines()[0] == "a B ."
    tackled = after
    for move in ("stand", "left"):
        tackled = game.result(tackled, game.parse_action(tackled, move))
    # B runs into A and loses the ball.
    assert game.show(game.result(tackled, 0)).splitlines()[0] == "A b ."


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: gt.shapley(gt.games.IteratedPrisonersDilemma(2)),
            "not for two players whose payoffs have one sum",
        ),
        (lambda: gt.shapley(gt.games.GridSoccer(2, 1)), "give a discount below 1"),
        (lambda: gt.shapley(gt.games.GridSoccer(2, 1), discount=2), "above 0 and at most 1"),
        (lambda: gt.shapley(gt.games.GridSoccer(2, 1), discount=0.5, tolerance=0), "above 0"),
        (lambda: gt.shapley(gt.games.GridSoccer(), discount=0.5, most_states=50), "more than 50 states"),
        (lambda: gt.games.GridSoccer(100, 100), "at most 400 squares"),
        (lambda: gt.shapley(3), "shapley takes a game"),  # type: ignore[arg-type]
        (lambda: gt.shapley(gt.games.MatchingPennies), r"write MatchingPennies\(\)"),  # type: ignore[arg-type]
        (
            lambda: gt.shapley(gt.games.GridSoccer(2, 1), discount="x"),  # type: ignore[arg-type]
            "discount='x': what a step later is worth",
        ),
        (lambda: gt.shapley(gt.games.GridSoccer(2, 1), discount=0.5, tolerance="x"), "tolerance='x'"),  # type: ignore[arg-type]
        (lambda: gt.shapley(gt.games.GridSoccer(2, 1), discount=0.5, most_states="x"), "most_states='x'"),  # type: ignore[arg-type]
        (lambda: gt.shapley(gt.games.Kuhn()), r"Kuhn hides from .* which state it is.*use cfr\(game\)"),
        (lambda: gt.shapley(gt.games.Leduc()), "Leduc hides from"),
        (lambda: gt.shapley(gt.games.LiarsDice(sides=2)), "LiarsDice hides from"),
        (lambda: gt.shapley(gt.games.load("goofspiel", cards=3, sealed=True)), "Goofspiel hides from"),
    ],
)
def test_what_cannot_be_solved_is_refused(call: Any, words: str) -> None:
    with pytest.raises(gt.GametreeError, match=words):
        call()
    solved = gt.shapley(gt.games.MatchingPennies())
    with pytest.raises(gt.InputError, match="within a joint move"):
        solved.at((0, -1))
