"""How a command line names a game, and what it answers where there is none."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.conftest import NIM
from gametree.app.load import guess, load
from gametree.errors import InputError
from gametree.games import ConnectFour, TicTacToe


def test_a_shipped_game_is_known_by_its_name() -> None:
    assert isinstance(load("connect-four"), ConnectFour)


def test_parameters_are_read_as_what_the_game_wants() -> None:
    game = load("tic-tac-toe", ["width=4", "k=4", "height=4"])
    assert isinstance(game, TicTacToe) and (game.width, game.k) == (4, 4)
    assert repr(load("nim", ["misere=yes"])) == "Nim(counters=21, take=3, misere=True)"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4), ("-4", -4), ("0.5", 0.5), ("1e3", 1000.0), ("true", True), ("False", False),
        ("__import__('os')", "__import__('os')"), ("nan", "nan"), ("1_000", "1_000"), ("", ""), ("٣", "٣"),
        ("None", None), ("3,4", (3, 4)), ("3,", (3,)), ("(1, 0.5, x)", (1, 0.5, "x")), ("[]", ()), ("-", "-"),
    ],
)  # fmt: skip
def test_values_without_an_annotation_are_read_as_what_they_look_like(text: str, value: object) -> None:
    assert guess(text) == value and type(guess(text)) is type(value)


ANNOTATED = """
import gametree
class Piles(gametree.Game):
    def __init__(self, sizes: list[int], opt: int | None = 5, note: str | None = "x", text: str = ""):
        self.given = sizes, opt, note, text
    def initial(self): return 0
    def player(self, s): return 0
    def actions(self, s): return [0]
    def result(self, s, a): return 1
    def is_terminal(self, s): return s == 1
    def utility(self, s, p): return 0
"""


def test_settings_are_read_as_the_annotations_want_them(folder: Path) -> None:
    (folder / "piles.py").write_text(ANNOTATED)
    game: Any = load("piles.py", ["sizes=3,4", "opt=None", "note=4", "text=None"])
    assert game.given == ([3, 4], None, "4", "None")
    assert load("piles.py", ["sizes=(7,)", "opt=2", "note=none"]).given == ([7], 2, None, "")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("target", "settings", "message"),
    [
        ("chequers", (), "there is no game 'chequers'"),
        ("tictactoe", (), "did you mean tic-tac-toe"),
        ("tic-tac-toe", ("size=3",), "tic-tac-toe has no parameter 'size'; tic-tac-toe takes width=3"),
        ("tic-tac-toe", ("width=abc",), "width='abc' is not a whole number"),
        ("tic-tac-toe", ("width",), "write a name and a value"),
        ("tic-tac-toe", ("=3",), "write a name and a value"),
        ("tic-tac-toe", ("width=0",), "at least 1"),
        ("nowhere.py", (), "nowhere.py does not exist"),
        ("nowhere.py:Nim", (), "nowhere.py does not exist"),
        ("no.such.module:Nim", (), "there is no module 'no.such.module'"),
        ("gametree.games.nim:Nim2", (), "has no 'Nim2'; it has: Nim"),
        ("gametree.games.nim:re", (), "is no game"),
        ("gametree.games.nim:State", (), "is no game"),
    ],
)
def test_what_cannot_be_loaded_is_refused_in_words(
    target: str, settings: tuple[str, ...], message: str, folder: Path
) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        load(target, settings)


@pytest.mark.parametrize("target", ["mynim.py", "mynim.py:Nim", "./mynim.py", "mynim:Nim"])
def test_a_game_of_ones_own_is_named_by_file_or_module(target: str, folder: Path) -> None:
    assert repr(load(target, ["counters=9"])) == "Nim(counters=9)"


def test_a_file_may_import_what_lies_beside_it(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "beside_the_game.py").write_text("COUNTERS = 4")
    (folder / "sub" / "game.py").write_text(
        NIM + "\nfrom beside_the_game import COUNTERS\ngame = Nim(COUNTERS)\n"
    )
    assert repr(load("sub/game.py:game")) == "Nim(counters=4)"


def test_a_file_called_like_a_module_of_python_hides_nothing(folder: Path) -> None:
    import statistics

    (folder / "statistics.py").write_text(NIM)
    load("statistics.py")
    import sys

    assert sys.modules["statistics"] is statistics


def test_a_function_that_makes_a_game_will_do(folder: Path) -> None:
    (folder / "made.py").write_text(
        NIM + "\ndef small(counters: int): return Nim(counters)\ndef no(): return 3\n"
    )
    assert repr(load("made.py:small", ["counters=3"])) == "Nim(counters=3)"
    with pytest.raises(InputError, match="makes int, which is no gametree"):
        load("made.py:no")


def test_a_base_class_is_not_one_more_game(folder: Path) -> None:
    (folder / "derived.py").write_text(NIM + "\nclass Misere(Nim):\n    def utility(self, s, p): return 1\n")
    assert type(load("derived.py")).__name__ == "Misere"


BROKEN = {
    "empty.py": ("x = 1", "empty.py defines no game"),
    "only_imports.py": ("from gametree.games import Nim", "defines no game"),
    "two.py": (
        NIM + NIM.replace("class Nim", "class Other"),
        "defines 2 games; name one: two.py:Nim or two.py:Other",
    ),
    "syntax.py": ("x = 1\ndef f(:\n", "SyntaxError: invalid syntax, at syntax.py:2: def f(:"),
    "raising.py": ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero, at raising.py:2: y = x / 0"),
    "importing.py": ("import no_such_thing", "No module named 'no_such_thing', at importing.py:1"),
    "leaving.py": ("raise SystemExit", "ends the program when imported"),
    "needy.py": (
        NIM.replace("counters=7", "counters, take"),
        "Nim needs counters, take: add --set counters=…",
    ),
    "half.py": (
        "import gametree\nclass Half(gametree.Game):\n    def initial(self): return 0",
        "`player(self, state)`",
    ),
    "hiding.py": ("import gametree\nclass H(gametree.Game):\n    order = 3", "hides the member `order`"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_gives_no_game_is_refused_with_its_own_line(name: str, folder: Path) -> None:
    source, message = BROKEN[name]
    (folder / name).write_text(source)
    with pytest.raises(InputError) as refusal:
        load(name)
    assert message in str(refusal.value)


def test_a_name_that_is_a_file_here_is_pointed_out(folder: Path) -> None:
    with pytest.raises(InputError, match=r"or is it mynim\.py"):
        load("mynim")


def test_a_game_that_is_made_already_takes_no_parameters(folder: Path) -> None:
    (folder / "ready.py").write_text(NIM + "\ngame = Nim(3)\n")
    with pytest.raises(InputError, match="is made already"):
        load("ready.py:game", ["counters=4"])
