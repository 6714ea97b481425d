"""A matrix of payoffs as a game: what it is written with, what it says as text, and how it is played."""

import re
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree.games.matrix.repeated import Repeated
from gametree.strategic import Form

BOTH = ("silent", "betray")
DILEMMA = gt.Matrix([[(-1, -1), (-3, 0)], [(0, -3), (-2, -2)]], rows=BOTH, columns=BOTH)
pytestmark = pytest.mark.interpreted_anyway


@st.composite
def forms(draw: Any) -> Form:
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    number = st.fractions(-5, 5, max_denominator=6)
    cells = int(np.prod(sizes))
    payoffs = tuple(tuple(draw(number) for _ in sizes) for _ in range(cells))
    names = tuple(tuple(f"{'xyz'[p]} {at}" for at in range(size)) for p, size in enumerate(sizes))
    return Form(tuple("ABC"[: len(sizes)]), names, payoffs)


def test_a_matrix_is_a_game_of_hidden_choices() -> None:
    state = DILEMMA.initial()
    assert [DILEMMA.player(state), DILEMMA.is_terminal(state)] == [0, False]
    after = DILEMMA.result(state, 1)
    assert DILEMMA.player(after) == 1
    # The second player sees the same whatever the first has chosen; the first knows his own choice.
    assert {DILEMMA.observe(DILEMMA.result(state, choice), 1) for choice in DILEMMA.actions(state)} == {
        (-1, -1)
    }
    assert DILEMMA.observe(after, 0) == (1, -1)
    end = DILEMMA.result(after, 0)
    assert DILEMMA.is_terminal(end) and list(DILEMMA.actions(end)) == []
    assert [DILEMMA.utility(end, player) for player in (0, 1)] == [0, -3]
    assert DILEMMA.observe(end, 0) == DILEMMA.observe(end, 1) == (1, 0)


def test_a_matrix_passes_the_rules_checker() -> None:
    report = gt.check(DILEMMA)
    assert not report.findings, str(report)


def test_the_sum_and_the_range_of_payoffs_are_found() -> None:
    assert DILEMMA.total is None and DILEMMA.payoffs == (-3, 0)
    assert gt.Matrix([[1, -1], [-1, 1]]).total == 0
    assert gt.Matrix([[(3, 1), (0, 4)]]).total == 4


def test_payoffs_are_kept_exactly() -> None:
    cells = [[(Fraction(1, 3), 0.1), ("2/7", 10**20)]]
    assert gt.Matrix(cells).form.payoffs == (
        (Fraction(1, 3), Fraction(1, 10)),
        (Fraction(2, 7), Fraction(10**20)),
    )


def test_arrays_and_tables_are_matrices_too() -> None:
    one = gt.Matrix(np.array([[[1, 2], [3, 4]]]))
    assert one.form == gt.Matrix.of([[1, 3]], np.array([[2, 4]])).form == gt.Matrix([[(1, 2), (3, 4)]]).form
    assert gt.Matrix(np.array([[1, 0]])).form.payoffs[0] == (Fraction(1), Fraction(-1))
    three = gt.Matrix.of(*(np.arange(8).reshape(2, 2, 2) * factor for factor in (1, 10, 100)))
    assert three.form.payoff((1, 0, 1), 2) == 500 and three.players == 3


@given(forms())
@settings(max_examples=40, deadline=None)
def test_json_and_nfg_give_the_same_game_again(form: Form) -> None:
    game = gt.Matrix(form)
    assert gt.Matrix.parse(game.to_json()).form == form
    assert gt.Matrix.parse(game.to_nfg("a title")).form == form


@given(forms())
@settings(max_examples=25, deadline=None)
def test_the_game_pays_what_the_form_says(form: Form) -> None:
    game = gt.Matrix(form)
    for profile in product(*map(range, form.sizes)):
        state = game.initial()
        for choice in profile:
            assert choice in game.actions(state)
            state = game.result(state, choice)
        assert state == profile and game.is_terminal(state)
        vector = form.payoffs[form.index(profile)]
        assert [game.utility(state, player) for player in range(form.players)] == list(map(float, vector))


@pytest.mark.parametrize(
    "text",
    [
        "         silent  betray\nsilent   -1,-1   -3,0\nbetray   0,-3    -2,-2  # two years",
        "A/B silent betray; silent -1,-1 -3,0; betray 0,-3 -2,-2",
        "silent betray\nsilent: (-1, -1) | (−3, 0)\nbetray: (0, -3) | (-2, -2)",
        '{"actions": [["silent", "betray"], ["silent", "betray"]], "payoffs": [[[-1,-1],[-3,0]],[[0,-3],[-2,-2]]]}',
        str(DILEMMA).replace(", ", ","),
    ],
)
def test_a_table_is_read_as_people_type_it(text: str) -> None:
    assert gt.Matrix.parse(text).form == DILEMMA.form


def test_brackets_are_read_with_fractions_and_commas_at_the_end() -> None:
    assert gt.Matrix.parse("[[(1/2, −1), (0, +3)],]").form.payoffs == (
        (Fraction(1, 2), Fraction(-1)),
        (Fraction(0), Fraction(3)),
    )


def test_a_gambit_file_with_outcomes_is_read() -> None:
    text = """NFG 1 R "Two outcomes" { "Row" "Column" } { { "1" "2" } { "1" "2" } } "a comment"
    { { "win" 1, 0 } { "lose" 0 1/2 } } 1 2 0 1"""
    game = gt.Matrix.parse(text)
    assert game.player_names == ("Row", "Column")
    assert [tuple(map(str, vector)) for vector in game.form.payoffs] == [
        ("1", "0"),
        ("0", "0"),
        ("0", "1/2"),
        ("1", "0"),
    ]


def test_positions_and_choices_are_read_and_shown() -> None:
    state = DILEMMA.parse_state("betray")
    assert state == (1, -1) and DILEMMA.show(state) == "A: betray\nB: –"
    assert DILEMMA.parse_state(DILEMMA.show(state)) == state
    end = DILEMMA.parse_state("betray silent")
    assert DILEMMA.show(end).endswith("payoffs: 0, -3") and DILEMMA.parse_state(DILEMMA.show(end)) == end


def test_what_a_player_has_seen_is_said_on_one_line() -> None:
    assert DILEMMA.show_observation(DILEMMA.observe((1, -1), 0), 0) == "A: betray, B: –"
    end = (1, 0)
    assert "\n" not in DILEMMA.show_observation(DILEMMA.observe(end, 1), 1)


def test_three_players_are_shown_a_table_for_each_choice_of_the_third() -> None:
    three = gt.Matrix.parse('{"payoffs": [[[[1,2,3],[4,5,6]]]], "players": ["X", "Y", "Z"]}')
    assert str(three) == "Z: c1\nX\\Y  b1\na1   1, 2, 3\nZ: c2\nX\\Y  b1\na1   4, 5, 6"
    assert re.fullmatch(r"Matrix\(1 × 1 × 2, [0-9a-f]{8}\)", repr(three))


def test_games_of_one_size_are_told_apart_by_their_payoffs_and_names() -> None:
    cells = [[1, 0], [0, 1]]
    some = [
        gt.Matrix(cells),
        gt.Matrix([[1, 0], [0, 2]]),
        gt.Matrix([[(1, -1), (0, 0)], [(0, 0), (1, 1)]]),
        gt.Matrix(cells, rows=("up", "down")),
        gt.Matrix(cells, names=("X", "Y")),
    ]
    assert len({repr(one) for one in some}) == 5 == len({repr(Repeated(one, 2)) for one in some})
    assert repr(gt.Matrix(cells)) == repr(gt.Matrix.parse("1 0; 0 1"))
    assert repr(Repeated(some[0], 2)) == f"Repeated({some[0]!r}, rounds=2)"
    assert repr(gt.games.IteratedPrisonersDilemma(2)) == "IteratedPrisonersDilemma(rounds=2)"
    assert repr(gt.games.MatchingPennies()) == "MatchingPennies(2 × 2)"


def test_a_saved_profile_is_refused_by_another_matrix() -> None:
    first, second = gt.Matrix([[1, 0], [0, 1]]), gt.Matrix([[3, 0], [0, 1]])
    profile = gt.cfr(first, iterations=5, compile="never").profile
    with pytest.raises(gt.InputError, match="is one of Matrix"):
        gt.exploitability(second, profile)
    with pytest.raises(gt.InputError, match="is a profile of Matrix"):
        gt.Profile.from_json(second, profile.to_json())


def test_a_large_matrix_is_shown_in_part() -> None:
    shown = str(gt.Matrix(np.zeros((30, 30)))).splitlines()
    assert len(shown) == 14 and shown[0].endswith("…")


@pytest.mark.parametrize(
    ("cells", "options", "words"),
    [
        ([], {}, "the matrix is empty"),
        (5, {}, "a matrix is a list of rows"),
        ([[1, 2], [3]], {}, "ragged at level 2: its lists have 1 and 2 entries"),
        ([[1, [2]]], {}, "some entries are lists and some are not"),
        ([[1], 2], {}, "some entries are lists and some are not"),
        ([[(1, 2), 3]], {}, "the cell .* is a number and others are tuples"),
        ([[(1, 2, 3)]], {}, "has 3 payoffs, but 2 players choose"),
        ([1, 2], {}, "has 1 level of lists and numbers in them"),
        ([[True]], {}, "the payoff True is no finite number"),
        ([[float("nan")]], {}, "no finite number"),
        ([["x"]], {}, "the payoff 'x' is no number"),
        ([["1e99999999"]], {}, "an exponent from"),
        ([[10**400]], {}, "is too large: at most about 1.8e308"),
        ([[1, 2]], {"rows": ("a", "b")}, "A has 1 choices"),
        ([[1, 2]], {"columns": ("a", "a")}, "a name of its own"),
        ([[1, 2]], {"columns": "ab"}, "a name of its own, as texts"),
        ([[1, 2]], {"names": ("A",)}, "2 players choose; give each a name"),
        ([[1, 2]], {"actions": (("a",),)}, "give the names of the choices of each"),
        ([[1, 2]], {"actions": (("a",), ("b", "c")), "rows": ("a",)}, "not both"),
    ],
)
def test_bad_matrices_are_refused(cells: Any, options: Any, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        gt.Matrix(cells, **options)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the text is empty"),
        ("left right", "the text has no payoffs"),
        ("1 2\n3", "has 1 cells and the row above 2"),
        ("1 x 2", "'x' is no payoff"),
        ("up down 1 2", "a row has one name"),
        ("a b\n1 2 3", "2 columns are named and there are 3"),
        ("a b c d; 1 2 3", "names no two players"),
        ("up 1 2; 3 4", "some rows have a name and some have none"),
        ("1 2\na b", "it has no payoffs"),
        ('"up 1 2', "a quotation mark has no partner"),
        ("1/0 2", "the payoff '1/0' is no number"),
        ("1e400 0; 0 1", "the payoff '1e400' .* an exponent from −330 to 330"),
        ("1e99999999 0; 0 1", "an exponent from"),
        ("1e-99999999 0; 0 1", "an exponent from"),
        ('[["1e99999999", 0]]', "an exponent from"),
        ("1e320 0; 0 1", "the payoff '1e320' is too large: at most about 1.8e308"),
        ("9" * 5000 + " 0; 0 1", "at most 1,000 characters"),
        ("[[" + "9" * 400 + ", 0]]", "is too large"),
        ('NFG 1 R "t" { "A" "B" } { 99999 99999 } 1', "99999 × 99999 cells: at most 1,000,000 cells"),
        ('NFG 1 R "t" { "A" "B" } { 1e300 1 } 1', "gives a player 1e.300 choices: at most 1,000,000 cells"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1e400 1', "an exponent from"),
        ("[[1, 2], [3", "cannot be read"),
        ("[" * 5000, "nested too deep|cannot be read"),
        ('{"cells": [[1]]}', "a matrix as JSON is"),
        ('{"payoffs": [[1]], "players": 3}', "lists of texts"),
        ("NFG 2", "begins with NFG 1 R"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1', "has 'its end' where a number is expected"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } 1 2 3', "goes on after its last payoff"),
        ('NFG 1 R "t" { "A" "B" } { 1 } 1 2', "names 2 players and the choices of 1"),
        ('NFG 1 R "t" { "A" "B" } { 1 1 } { { "o" 1 2 } } 2', "has 1 outcomes, and names another"),
        ('NFG 1 R "t" [', "cannot be read at"),
        ('NFG 1 R { "A" }', "where a text in quotation marks is expected"),
    ],
)
def test_bad_texts_are_refused(text: str, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        gt.Matrix.parse(text)


@pytest.mark.parametrize("value", [5e-324, 1.7976931348623157e308, 0.1 + 0.2, 1e-300 / 3])
def test_every_float_is_written_and_read_again(value: float) -> None:
    game = gt.Matrix([[value, -value]])
    assert gt.Matrix.parse(game.to_json()).form == game.form
    assert gt.Matrix.parse(game.to_nfg()).form == game.form


def test_tables_of_different_shapes_and_no_text_are_refused() -> None:
    with pytest.raises(gt.InputError, match="2 tables of one shape"):
        gt.Matrix.of([[1, 2]], [[1]])
    with pytest.raises(gt.InputError, match="a table of payoffs for each player"):
        gt.Matrix.of([[1]])
    with pytest.raises(gt.InputError, match="takes a text, not list"):
        gt.Matrix.parse([[1]])  # type: ignore[arg-type]
    with pytest.raises(gt.InputError, match="one choice too many"):
        DILEMMA.parse_state("silent silent silent")
    with pytest.raises(gt.InputError, match="is not a legal action here; legal are: silent, betray"):
        DILEMMA.parse_action(DILEMMA.initial(), "sing")


def test_searches_that_see_everything_refuse_a_matrix_by_name() -> None:
    with pytest.raises(gt.UnsuitableError, match="Matrix hides information"):
        gt.alphabeta(gt.Matrix([[1, 2]]))
