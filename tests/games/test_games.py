"""Games by name, and the games of plug-ins."""

import subprocess
import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from gametree import games
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.nim import Nim
from gametree.games.parameters import parameters


class Annotated(Nim):
    """A game of a plug-in."""

    def __init__(self, counters: int, speed: float = 1.0, title: str = "nim", extra: "Any" = None):
        super().__init__(counters)
        self.speed = speed
        self.title = title


def open_ended(**anything: Any) -> Game:
    """A function that makes a game."""
    return Nim(**anything)


def unresolved(counters: "Missing" = 5) -> Game:  # type: ignore[name-defined]  # noqa: F821
    return Nim(counters)


def not_a_game() -> int:
    return 3


NOT_EVEN_A_FUNCTION = 3


@pytest.fixture
def plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints(
        EntryPoint(name, value, games.GROUP)
        for name, value in [
            ("annotated", f"{__name__}:Annotated"),
            ("open-ended", f"{__name__}:open_ended"),
            ("unresolved", f"{__name__}:unresolved"),
            ("not-a-game", f"{__name__}:not_a_game"),
            ("number", f"{__name__}:NOT_EVEN_A_FUNCTION"),
            ("Broken", "no_such_module_at_all:Game"),
            ("nim", "no_such_module_at_all:Nim"),
        ]
    )
    monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: points.select(group=group))


@pytest.mark.parametrize("name", ["nim", "tic-tac-toe", "connect-four"])
def test_every_game_loads_by_its_name(name: str) -> None:
    game = games.load(name)
    assert isinstance(game, Game)
    assert name in games.names()
    assert game.payoffs == (-1, 1)


@pytest.mark.parametrize("spelling", ["Connect-Four", "connect_four", " connect four "])
def test_a_name_may_be_spelt_in_other_ways(spelling: str) -> None:
    assert isinstance(games.load(spelling), games.ConnectFour)


def test_parameters_reach_the_game() -> None:
    assert repr(games.load("tic-tac-toe", width=4, k=3)) == "TicTacToe(width=4, height=3, k=3)"


def test_a_parameter_may_be_the_text_of_a_command_line() -> None:
    assert repr(games.load("nim", counters="9", misere="yes")) == "Nim(counters=9, take=3, misere=True)"


def test_a_game_is_an_attribute_that_is_imported_when_it_is_asked_for() -> None:
    assert games.Nim is Nim
    assert {"ConnectFour", "TicTacToe", "load"} <= set(dir(games))
    with pytest.raises(AttributeError, match="no attribute 'Quoits'"):
        games.Quoits  # noqa: B018


def test_the_games_are_imported_without_numpy_and_numba() -> None:
    code = (
        "import sys, types; package = types.ModuleType('gametree');"
        f"package.__path__ = [{str(Path(games.__path__[0]).parent)!r}]; sys.modules['gametree'] = package;"
        "import gametree.games.tree.game; from gametree import games;"
        "[games.load(name) for name in ('nim', 'tic-tac-toe', 'connect-four')];"
        "sys.exit(any(name in sys.modules for name in ('numpy', 'numba', 'importlib.metadata')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_game_is_described_in_one_line_with_its_parameters() -> None:
    described = games.describe("tic_tac_toe")
    assert described.parameters == ("width=3", "height=3", "k=3")
    assert described.summary == "Fill a board in turn; the first with `k` in a row wins."
    assert str(described).startswith("tic-tac-toe(width=3, height=3, k=3): Fill a board")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("conect-four", "there is no game 'conect-four'; did you mean connect-four"),
        ("zzz", "there is no game 'zzz'; there are: .*nim"),
        ("", "there is no game ''"),
    ],
)
def test_an_unknown_name_is_refused_with_what_there_is(name: str, message: str) -> None:
    for function in (games.load, games.describe):
        with pytest.raises(InputError, match=message):
            function(name)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"sticks": 3}, r"nim has no parameter 'sticks'; nim takes counters=21, take=3, misere=False"),
        ({"counters": "many"}, "nim: counters='many' is not a whole number; nim takes counters=21"),
        ({"counters": 2.5}, r"counters=2\.5 is not a whole number"),
        ({"counters": True}, "counters=True is not a whole number"),
        ({"misere": "perhaps"}, "misere='perhaps' is not true or false"),
        ({"misere": 1}, "misere=1 is not true or false"),
        ({"counters": -1}, "counters=-1: counters must be a whole number of at least 1"),
    ],
)
def test_parameters_that_do_not_fit_are_refused_with_what_the_game_takes(
    params: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        games.load("nim", **params)


@pytest.mark.usefixtures("plug_ins")
def test_games_of_plug_ins_are_listed_and_loaded() -> None:
    assert "annotated" in games.names()
    game = games.load("annotated", counters="4", speed=2, title="x", extra=[1])
    assert repr(game) == "Annotated(counters=4, speed=2, title='x')"
    assert str(games.describe("annotated")) == (
        "annotated(counters, speed=1.0, title='nim', extra=None): A game of a plug-in."
    )
    assert games.load("open-ended", counters=3).initial() == (3, 0)
    assert games.load("unresolved", counters=3).initial() == (3, 0)
    assert list(parameters(unresolved)) == ["counters"]


@pytest.mark.usefixtures("plug_ins")
def test_a_broken_plug_in_is_listed_with_its_error_and_hides_no_other() -> None:
    assert {"Broken", "nim", "number"} <= set(games.names())
    described = games.describe("Broken")
    assert described.error is not None
    assert "no_such_module_at_all" in described.error
    assert str(described).startswith("Broken: cannot be loaded (")
    assert "no Game class" in str(games.describe("number"))


@pytest.mark.usefixtures("plug_ins")
def test_a_plug_in_does_not_replace_a_game_that_ships() -> None:
    assert isinstance(games.load("nim"), Nim)


@pytest.mark.usefixtures("plug_ins")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "Broken",
            r"the plug-in 'Broken' \(no_such_module_at_all:Game\) cannot be loaded: ModuleNotFoundError",
        ),
        ("number", "is no Game class and no function"),
        ("not-a-game", "the plug-in 'not-a-game' makes int, which is no gametree.Game"),
        ("annotated", "annotated needs the parameter 'counters'; annotated takes counters, speed=1.0"),
    ],
)
def test_a_plug_in_that_makes_no_game_is_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        games.load(name)


@pytest.mark.usefixtures("plug_ins")
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"counters": 3, "speed": "fast"}, "speed='fast' is not a number"),
        ({"counters": 3, "title": 7}, "title=7 is not text"),
    ],
)
def test_parameters_of_a_plug_in_are_checked_too(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        games.load("annotated", **params)
    with pytest.raises(InputError, match="not-a-game takes no parameters"):
        games.load("not-a-game", **params)
