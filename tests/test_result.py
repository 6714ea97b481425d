"""What goes into a search and what comes out of it: values, limits, analyses."""

import json
import math
from importlib import resources
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
from gametree import Analysis, InputError, Limit, Move, Tree, Value
from gametree.result import best_first
from test_contract import Coins, Judged

# --- Value ------------------------------------------------------------------------------------------

payoffs = st.floats(allow_nan=False) | st.integers(-(2**50), 2**50)
distances = st.none() | st.integers(0, 500)
estimates = st.builds(Value, payoffs)
values = estimates | st.builds(Value.win, payoffs, distances) | st.builds(Value.loss, payoffs, distances)


@given(values, values)
def test_of_two_values_one_is_less_or_they_are_equal(one: Value, other: Value) -> None:
    assert [one < other, one == other, one > other].count(True) == 1
    assert (one <= other) == (one < other or one == other)
    assert (one >= other) == (other <= one)
    assert (one != other) != (one == other)


@given(values, values, values)
def test_the_order_of_values_is_transitive(a: Value, b: Value, c: Value) -> None:
    low, middle, high = sorted((a, b, c))
    assert low <= middle <= high and low <= high


@given(values, values)
def test_equal_values_have_equal_hashes(one: Value, other: Value) -> None:
    again = Value(one.payoff, one.outcome, one.plies)
    assert again == one and hash(again) == hash(one)
    if one == other:
        assert hash(one) == hash(other)


@given(payoffs)
def test_a_number_compares_and_hashes_like_a_value_that_is_neither_won_nor_lost(payoff: float) -> None:
    assert Value(payoff) == payoff and hash(Value(payoff)) == hash(payoff)
    assert float(Value(payoff)) == payoff
    assert Value.loss(0) < payoff < Value.win(0)
    assert Value(payoff) in {payoff}


@given(payoffs, payoffs)
def test_between_wins_and_losses_payoffs_decide(one: float, other: float) -> None:
    assert (Value(one) < Value(other)) == (float(one) < float(other))
    assert (Value(one) < other) == (float(one) < float(other))
    assert (one < Value(other)) == (float(one) < float(other))


@given(payoffs, st.integers(0, 500), st.integers(0, 500))
def test_a_sooner_win_and_a_later_loss_are_better(payoff: float, one: int, other: int) -> None:
    assert (Value.win(payoff, one) > Value.win(payoff, other)) == (one < other)
    assert (Value.loss(payoff, one) > Value.loss(payoff, other)) == (one > other)
    assert Value.win(payoff, one) > Value.win(payoff)
    assert Value.loss(payoff, one) < Value.loss(payoff)


@given(values)
def test_every_win_is_beyond_and_every_loss_below_every_estimate(value: Value) -> None:
    rank = {"loss": -1, None: 0, "win": 1}
    assert (value > Value(math.inf)) == (value.outcome == "win")
    assert (value < Value(-math.inf)) == (value.outcome == "loss")
    assert rank[value.outcome] == (value > math.inf) - (value < -math.inf)


def test_a_value_compares_with_numbers_and_values_only() -> None:
    assert Value(1) != "1"
    assert Value.win() != 1
    with pytest.raises(TypeError):
        assert Value(1) < "1"  # type: ignore[operator]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((math.nan,), "cannot be nan"),
        ((1, "draw"), "must be 'win', 'loss' or None"),
        ((1, None, 3), "distance of a win or a loss"),
        ((1, "win", -1), "at least 0"),
    ],
)
def test_a_value_that_cannot_be_is_refused(arguments: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Value(*arguments)


def test_values_read_as_people_say_them() -> None:
    shown = [str(value) for value in (Value(0.25), Value.win(1, 3), Value.win(), Value.loss(-1, 8))]
    assert shown == ["0.25", "win in 3", "win", "loss in 8"]


def test_a_value_is_frozen() -> None:
    with pytest.raises(AttributeError):
        Value(1).payoff = 2  # type: ignore[misc]


# --- Limit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seconds", -1),
        ("seconds", math.nan),
        ("seconds", "1"),
        ("seconds", True),
        ("depth", -1),
        ("depth", 1.5),
        ("depth", 2.0),
        ("depth", "8"),
        ("depth", True),
        ("nodes", 0),
        ("nodes", -5),
        ("nodes", 1e6),
        ("nodes", False),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"Limit\({name}=.*\): {name} must be a .*number of at least"):
        Limit(**{name: value})


def test_limits_may_be_combined_and_left_out() -> None:
    assert Limit() == Limit(seconds=None, depth=None, nodes=None)
    assert repr(Limit(seconds=0.5, nodes=10)) == "Limit(seconds=0.5, nodes=10)"
    assert Limit(seconds=0, depth=0, nodes=1).depth == 0
    assert Limit(seconds=math.inf).seconds == math.inf
    with pytest.raises(TypeError):
        Limit(1)  # type: ignore[call-arg]


def test_whole_numbers_of_numpy_become_pythons() -> None:
    import numpy as np

    limit = Limit(depth=np.int64(3), nodes=np.uint8(200))  # type: ignore[arg-type]
    assert (type(limit.depth), type(limit.nodes)) == (int, int)
    assert limit == Limit(depth=3, nodes=200)


# --- Analysis ---------------------------------------------------------------------------------------


def schema() -> Any:
    return json.loads(resources.files("gametree").joinpath("schemas/analysis.schema.json").read_text("utf-8"))


def example(**changes: Any) -> Analysis:
    fields: dict[str, Any] = {
        "game": "Coins",
        "method": "alphabeta",
        "player": 1,
        "action": 2,
        "value": Value.win(1, 3),
        "values": (-1.0, 1.0),
        "line": (2, 1, 2),
        "names": ("2", "1", "2"),
        "moves": (Move(1, Value(-0.5), "upper", "1"), Move(2, Value.win(1, 3), "exact", "2")),
        "depth": 4,
        "nodes": 12_345,
        "seconds": 0.5,
        "exact": True,
        "stopped_by": "end",
        "parameters": {"depth": 4},
    }
    return Analysis(**fields | changes)


def test_the_schema_is_itself_sound() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert schema()["$id"] == example().to_dict()["schema"]


@pytest.mark.parametrize(
    "analysis",
    [
        example(),
        example(
            value=None, values=(), action=None, line=(), names=(), moves=(), exact=False, stopped_by="nodes"
        ),
        example(value=Value(math.inf), depth=None),
        example(value=Value.loss(-1), bound="lower", stopped_by="cancelled"),
        gt.minimax(Coins(), compile="never", moves=True),
        gt.alphabeta(Coins(), compile="never", limit=Limit(nodes=3)),
        gt.alphabeta(Judged(), compile="never", depth=2),
        gt.minimax(Coins(), (0, 1), compile="never"),
        gt.minimax(Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), compile="never"),
        gt.expectiminimax(
            Tree(gt.Chance([(0.5, 1), (0.5, [2, 3])])), compile="never", distribution=True, moves=True
        ),
    ],
)
def test_every_analysis_keeps_to_the_schema(analysis: Analysis) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    assert not list(validator.iter_errors(analysis.to_dict()))
    assert not list(validator.iter_errors(json.loads(analysis.to_json(indent=2))))


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "gametree.analysis/2"},
        {"value": {"payoff": 1, "outcome": None, "plies": 3}},
        {"value": {"payoff": 1, "outcome": "draw", "plies": None}},
        {"bound": "about"},
        {"nodes": -1},
        {"stopped_by": "boredom"},
        {"surplus": 1},
    ],
)
def test_the_schema_refuses_what_is_no_analysis(change: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(example().to_dict() | change, schema())


def test_the_schema_wants_every_field() -> None:
    data = example().to_dict()
    for name in data:
        with pytest.raises(jsonschema.ValidationError, match=f"'{name}' is a required property"):
            jsonschema.validate({key: value for key, value in data.items() if key != name}, schema())


def test_an_analysis_names_its_best_action() -> None:
    assert example().name == "2"
    assert example(names=(), line=()).name is None


def test_an_analysis_prints_what_matters() -> None:
    text = str(example())
    assert text.splitlines()[0] == "Coins, alphabeta"
    for words in ("2", "win in 3 for player 1 (exact)", "2 1 2", "4 plies, 12,345 nodes", "1: ≤ -0.5"):
        assert words in text
    assert "(estimate)" in str(example(exact=False))
    assert "≥ win in 3" in str(example(bound="lower"))
    assert "stopped by the node limit" in str(example(stopped_by="nodes"))
    assert "not known: stopped too early" in str(example(value=None))


def test_an_analysis_calls_players_by_their_names() -> None:
    assert "win in 3 for O (exact)" in str(example(players=("X", "O")))
    assert "for O" in example(players=("X", "O"))._repr_html_()
    assert "for X" in str(example(players=("X", "O"), player=-1))
    assert "payoffs   1 to A, 2 to B, -3 to C" in str(example(players=("A", "B", "C"), values=(1, 2, -3)))
    assert (
        example(players=("X", "O")).to_dict()["players"] == ["X", "O"]
        and example().to_dict()["players"] == []
    )


def test_an_analysis_in_a_notebook_escapes_names() -> None:
    html = example(game="<b>", names=("<i>",))._repr_html_()
    assert "&lt;b&gt;" in html and "<i>" not in html


def test_an_analysis_is_frozen_and_can_be_hashed() -> None:
    with pytest.raises(AttributeError):
        example().nodes = 1  # type: ignore[misc]
    assert hash(example()) == hash(example())


def test_moves_are_ranked_by_value_and_equal_ones_keep_their_order() -> None:
    moves = [Move(i, value, "exact", str(i)) for i, value in enumerate([Value(0), Value.win(1, 5), Value(0)])]
    assert [move.action for move in best_first(moves)] == [1, 0, 2]
