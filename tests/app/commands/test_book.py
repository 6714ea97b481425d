"""`gametree book`: built, shown, asked, and refused in words."""

import json
from pathlib import Path

import pytest

from app.conftest import Run

pytestmark = pytest.mark.same_in_all_modes
SMALL = ("connect-four", "--set", "width=3", "--set", "height=4")


def test_a_book_is_built_shown_and_asked(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.gtbook"
    built = run("book", "build", *SMALL, "--plies", "3", "--out", str(file), "--json")
    data = json.loads(built.out)
    assert data["plies"] == 3 and data["bytes"] == file.stat().st_size
    assert data["made"] == "gametree book build connect-four --set width=3 --set height=4 --plies 3"
    shown = run("book", "show", *SMALL, "--book", str(file))
    assert "ConnectFour(width=3, height=4)" in shown.out and f"{data['positions']}" in shown.out
    asked = json.loads(run("book", "probe", *SMALL, "--book", str(file), "--position", "2", "--json").out)
    assert asked["margin"] == 0 and [move["action"] for move in asked["moves"]] == ["2", "1", "3"]
    words = run("book", "probe", *SMALL, "--book", str(file)).out
    assert "score 0 (0)" in words and "line 2" in words
    beyond = run("book", "probe", *SMALL, "--book", str(file), "--position", "12321")
    assert "this position is not in the book" in beyond.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", *SMALL), "say where the book is written, --out FILE.gtbook"),
        (("build", *SMALL, "--out", "x.bin"), "a book is a file whose name ends in .gtbook"),
        (("build", *SMALL, "--out", "nowhere/x.gtbook"), "there is no folder nowhere"),
        (("build", *SMALL, "--out", "x.gtbook", "--plies", "0"), "a whole number from 1 to 40"),
        (("build", "tic-tac-toe", "--out", "x.gtbook"), "gives the exact solver no hints"),
        (("show", *SMALL), "there is no book for ConnectFour(width=3, height=4)"),
        (("probe", *SMALL, "--book", "missing.gtbook"), "No such file"),
        (("burn", *SMALL), "'build', 'show', 'probe'"),
    ],
)
def test_what_cannot_be_done_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run("book", *words)
    assert outcome.code == 2 and said in " ".join(outcome.err.split())


def test_a_book_of_another_game_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "small.gtbook"
    run("book", "build", *SMALL, "--plies", "1", "--out", str(file))
    outcome = run("book", "show", "connect-four", "--book", str(file))
    assert outcome.code == 2 and "this book is of ConnectFour(width=3, height=4)" in " ".join(
        outcome.err.split()
    )
