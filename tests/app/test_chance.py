"""Games with dice on the command line."""

import json

import pytest

from app.conftest import Run
from gametree import Chance, Tree, expectiminimax, solve
from gametree.app.terminal import move_rows
from gametree.games import Pig


def test_analyze_takes_dice_by_itself_or_by_name(run: Run) -> None:
    given = ("--depth", "2", "--compile", "never", "--json")
    by_itself = json.loads(run("analyze", "pig", *given).out)
    by_name = json.loads(run("analyze", "pig", "--method", "expectiminimax", *given).out)
    assert by_itself["method"] == by_name["method"] == "expectiminimax"
    assert by_itself["value"] == by_name["value"]
    assert by_itself["line"] == ["roll"]


def test_throws_are_read_among_the_moves_and_values_of_outcomes_are_shown(run: Run) -> None:
    played = run(
        "analyze",
        "pig",
        "--moves-played",
        "roll 5 hold roll",
        "--moves",
        "--depth",
        "1",
        "--compile",
        "never",
    )
    assert played.out.startswith("first 5, second 0\nthe second player rolls\nchance decides\n")
    assert "best      chance decides" in played.out
    rows = played.out.rstrip().splitlines()[-6:]
    assert sorted(row.split()[0] for row in rows) == list("123456")


def test_a_mean_that_is_even_is_no_draw() -> None:
    tree = Tree([Chance([(0.5, 1), (0.5, -1)]), -1])
    rows = move_rows(tree, expectiminimax(tree, moves=True, compile="never"))
    assert [row.split() for row in rows] == [["1", "0"], ["2", "-1"]]


def test_solve_prints_the_probability_to_win(run: Run) -> None:
    shown = run("solve", "pig", "--set", "goal=4", "--set", "sides=2").out
    assert "value     0.571429 for the first player" in shown
    assert "the error is at most" in shown
    data = json.loads(run("solve", "pig", "--set", "goal=4", "--set", "sides=2", "--json").out)
    assert data["analysis"]["value"]["payoff"] == pytest.approx(4 / 7)
    assert data["error"] == solve(Pig(goal=4, sides=2)).error


def test_an_illegal_throw_is_refused_with_its_place(run: Run) -> None:
    assert (
        "move 2: '7' is no face of the die: 1 to 6"
        in run("analyze", "pig", "--moves-played", "roll 7").refusal
    )
