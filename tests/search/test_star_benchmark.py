"""The script that counts what the Stars save."""

import pytest

import star
from fixtures.dice_nim import Ordered
from gametree import CHANCE, games


def test_every_way_is_counted_from_the_same_positions() -> None:
    game = Ordered(2, 3, 4)
    states = star.positions(game, 5, seed=2)
    assert states == star.positions(game, 5, seed=2)
    assert all(not game.is_terminal(state) and game.player(state) != CHANCE for state in states)
    counts = star.measure(game, states, 2, 0, "never")
    assert [count.way for count in counts] == list(star.WAYS)
    assert counts[0].nodes > counts[2].nodes > counts[3].nodes
    assert star.table(counts).splitlines()[1].split()[-1] == "100.0%"


def test_without_backgammon_it_says_what_it_looks_at_instead(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "names", lambda: ("pig",))
    star.main(["--positions", "1", "--depth", "1", "--compile", "never"])
    out = capsys.readouterr().out
    assert out.startswith(
        "there is no backgammon here: pig instead\nPig(goal=100, sides=6), 1 random position"
    )
    assert "Star2" in out
