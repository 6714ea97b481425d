"""Golden playthroughs: what a game shows from the first move to the last."""

from pathlib import Path

import pytest

from games.playthrough import replay

pytestmark = pytest.mark.same_in_all_modes

PLAYTHROUGHS = sorted(Path(__file__).with_name("playthroughs").glob("*.txt"))


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_playthrough_is_replayed_as_it_was_written_down(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert replay(text) == text


def test_every_game_that_ships_has_a_playthrough() -> None:
    told = {path.read_text(encoding="utf-8").split()[1] for path in PLAYTHROUGHS}
    assert told >= {"nim", "tic-tac-toe", "connect-four", "othello", "checkers", "chess"}
    assert told >= {"pig", "backgammon", "go", "hex"}
    assert told >= {"kuhn-poker", "leduc-poker", "liars-dice", "goofspiel"}
    assert told >= {"kuhn-poker"}
    assert told >= {"prisoners-dilemma", "iterated-prisoners-dilemma", "rock-paper-scissors"}
    assert told >= {"matching-pennies", "colonel-blotto"}
    assert told >= {"mnk", "ludo", "chinese-checkers"}
