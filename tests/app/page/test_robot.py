"""Every game can be played to its end by somebody who only clicks what can be seen."""

import pytest

from app.page.conftest import OWN, own_games
from app.page.robot import Way, by_finger, by_keys, by_mouse, play_to_the_end
from app.page.visitor import Visitor
from gametree import games
from gametree.app.serve.library import name_of

OF_OUR_OWN = [name_of(target) for target in own_games()]
PEOPLE = "seats=p,p,p,p,p,p"
QUICK = ("tic-tac-toe", "nim", "hexapawn:Hexapawn", "pig", "kuhn-poker", "phantom-tic-tac-toe")
SMALLER = {
    "ludo": "s.tokens=1&s.players=2&s.quarter=5&",
    "hex": "s.size=5&",
    "go": "s.size=5&",
    "pig": "s.goal=20&",
}
"""The default suite plays small boards; `slow` plays all games as they are."""


def test_there_are_twenty_games_of_users() -> None:
    assert len(OF_OUR_OWN) == len(list(OWN.glob("*.py"))) >= 20


@pytest.mark.parametrize("game", QUICK)
def test_the_robot_plays_to_the_end(visitor: Visitor, game: str) -> None:
    visitor.play(game, SMALLER.get(game, "") + PEOPLE)
    assert play_to_the_end(visitor) >= 2
    assert "to move" not in visitor.status


SIX = {
    "grid": ("othello", "s.size=6&"),
    "hex": ("hex", "s.size=3&"),
    "points": ("chinese-checkers", "s.size=2&s.rounds=8&"),
    "dice": ("backgammon", ""),
    "four seats": ("ludo", "s.tokens=1&s.quarter=5&"),
    "a file of one's own": ("hexapawn:Hexapawn", ""),
}


@pytest.mark.parametrize(
    ("kind", "way"),
    [
        pytest.param(kind, way, marks=[] if kind == "points" else [pytest.mark.slow])
        for kind in SIX
        for way in (by_mouse, by_finger, by_keys)
    ],
)
def test_a_whole_game_of_every_kind_by_mouse_by_finger_and_by_keys(
    visitor: Visitor, kind: str, way: Way
) -> None:
    game, query = SIX[kind]
    visitor.play(game, query + PEOPLE)
    assert play_to_the_end(visitor, way=way) >= 2
    assert "to move" not in visitor.status


@pytest.mark.slow
@pytest.mark.parametrize("game", [*games.names(), *OF_OUR_OWN])
def test_the_robot_plays_every_game_to_the_end(visitor: Visitor, game: str) -> None:
    visitor.play(game, PEOPLE)
    assert play_to_the_end(visitor) >= 2
    assert "to move" not in visitor.status
