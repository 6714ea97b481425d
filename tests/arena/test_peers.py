"""Real opponents: twenty games each against the engines that Debian has, and our own engine against itself."""

import sys
from typing import Any

import pytest

import gametree as gt
from gametree.arena.engines.program import command_of
from gametree.errors import InputError

pytestmark = pytest.mark.benchmarks

OURS = f"ugi:{sys.executable} -m gametree ugi tic-tac-toe"
MEETINGS: list[tuple[str, str, str, Any]] = [
    ("chess", "level:2", "uci:stockfish,nodes=500", {}),
    ("chess", "level:2", "uci:gnuchess,depth=1", {}),
    ("othello", "level:2", "gtp:grhino", {}),
    ("go", "level:1", "gtp:gnugo", {}),
    ("tic-tac-toe", OURS, OURS, {"openings": "start", "control": gt.Limit(nodes=500)}),
]


@pytest.mark.parametrize(
    ("game", "ours", "theirs", "settings"), MEETINGS, ids=[one[2][:13] for one in MEETINGS]
)
def test_twenty_games_without_a_fault(game: str, ours: str, theirs: str, settings: dict[str, Any]) -> None:
    try:
        command_of(gt.player(theirs).place)
    except InputError as missing:
        pytest.skip(str(missing))
    found = gt.match(gt.games.load(game), ours, theirs, games=20, most_plies=120, **settings)
    assert found.games_played == 20 and found.faults == ({}, {}) and not found.troubles
    assert not found.ran_out, str(found)
