"""Games of many players on the command line."""

import json

import pytest

from gametree.app.cli import main


@pytest.mark.parametrize(
    ("method", "name"), [("maxn", "maxn"), ("paranoid", "paranoid"), ("best-reply", "best_reply")]
)
def test_analyze_takes_the_methods_for_many_players(
    method: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["analyze", "mnk", "--position", "XX.O/YO../Y.../....", "--method", method, "--depth", "2"]
    assert main([*asked, "--compile", "never", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["method"], found["action"], found["value"]["payoff"]) == (name, "c4", 2.0)


def test_what_the_die_shows_is_typed_like_a_move(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["analyze", "ludo", "--method", "maxn", "--depth", "2", "--compile", "never"]
    assert main([*asked, "--moves-played", "6 in 3", "--moves"]) == 0
    shown = capsys.readouterr().out
    assert "A to move a 3 after 1 six" in shown
    assert "1-4" in shown
    assert main(asked) == 0
    assert "chance decides" in capsys.readouterr().out
    assert main([*asked, "--moves-played", "7"]) == 2
    assert "'7' is not what a die shows" in capsys.readouterr().err


def test_a_method_for_two_names_the_ones_for_many(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "mnk", "--method", "alphabeta"]) == 2
    assert "Use maxn or paranoid" in capsys.readouterr().err
