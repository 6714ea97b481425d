"""`gametree solve` and `gametree strategy`: what they print, write and refuse."""

import io
import json
import sys
from pathlib import Path

import pytest

from app.conftest import Run

CHASE = """
import gametree as gt

class Chase(gt.Game):
    '''A cat and a mouse on a ring of five: the mouse must not be caught, the cat must not tire.'''
    payoffs = (-1, 1)
    def initial(self): return (0, 2, 0)
    def player(self, s): return s[2]
    def actions(self, s): return (-1, 0, 1)
    def result(self, s, a):
        return ((s[0] + a) % 5, s[1], 1) if s[2] == 0 else (s[0], (s[1] + a) % 5, 0)
    def is_terminal(self, s): return s[0] == s[1]
    def utility(self, s, p): return 1 if p == 0 else -1
"""


def test_a_solved_game_is_shown_with_its_value_line_and_proof(run: Run) -> None:
    outcome = run("solve", "tic-tac-toe", "--position", "X.O/.X./..O")
    assert outcome.code == 0, outcome.err
    lines = outcome.out.splitlines()
    assert lines[:9] == [
        "3  X . O",
        "2  . X .",
        "1  . . O",
        "   a b c",
        "X to move",
        "",
        "TicTacToe, solved by retrograde analysis",
        "  value     draw for X",
        "  best      c2",
    ]
    assert "looked at all 57 positions of the game from here" in outcome.out


def test_every_move_and_only_who_wins(run: Run) -> None:
    outcome = run("solve", "nim", "--set", "counters=6", "--moves")
    assert [line.split(None, 1)[1] for line in outcome.out.splitlines() if "  move  " in line] == [
        "1: loss in 4",
        "2: win in 3",
        "3: loss in 2",
    ]
    assert "win" in run("solve", "nim", "--weak").out


def test_json_is_the_solution_and_nothing_else(run: Run) -> None:
    outcome = run("solve", "nim", "--set", "counters=6", "--json", "--moves-played", "2")
    data = json.loads(outcome.out)
    assert (data["schema"], data["outcome"], data["solved"]) == ("gametree.solution/1", "loss", True)
    assert data["analysis"]["player"] == 1


def test_a_limit_that_is_too_small_is_told_by_the_exit_code(run: Run) -> None:
    outcome = run("solve", "tic-tac-toe", "--nodes", "50")
    assert outcome.code == 1
    assert "TicTacToe, not solved by retrograde analysis" in outcome.out
    assert "stopped by nodes" in outcome.out and "estimate" in outcome.out
    assert json.loads(run("solve", "tic-tac-toe", "--nodes", "50", "--json").out)["solved"] is False


def test_a_game_of_ones_own_that_goes_in_circles(run: Run, folder: Path) -> None:
    (folder / "chase.py").write_text(CHASE)
    outcome = run("solve", "chase.py")
    assert outcome.code == 0
    assert "value     draw for player 0" in outcome.out and "play can go in circles" in outcome.out
    assert "play that never ends counts as 0 for player 0" in outcome.out
    told = run("solve", "chase.py", "--endless", "0").out
    assert "never ends" not in told and "draw for player 0" in told


def test_what_cannot_be_solved_is_refused_in_one_line(run: Run) -> None:
    assert "there is no game 'chequers'" in run("solve", "chequers").refusal
    assert "seconds must be a number" in run("solve", "nim", "--seconds", "-1").refusal
    assert "more than 10 positions" in run("solve", "nim", "--method", "graph", "--most-states", "10").refusal
    assert "does not compare whole states" in run("solve", "chess", "--method", "graph").refusal
    assert "'perhaps' is not one of" in run("solve", "nim", "--compile", "perhaps").refusal
    assert "is no position of Nim" in run("solve", "nim", "--position", "x").refusal
    assert "Invalid value" in run("solve", "nim", "--method", "magic").refusal


def test_a_strategy_is_shown_and_checked(run: Run) -> None:
    outcome = run("strategy", "nim", "--set", "counters=6")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[3:] == [
        "Nim, strategy of the first player",
        "  guarantees win in 3",
        "  moves      4, one for every position that can arise",
        "             at first: 2",
        "             after 2 1: 3",
        "             after 2 2: 2",
        "             after 2 3: 1",
        "  checked    right: it guarantees win in 3; 6 positions, 3 replies, 1 end, 3",
        "             plays looked at",
    ]


def test_a_strategy_is_written_drawn_read_and_answered(run: Run, folder: Path) -> None:
    files = ("--out", "o.json", "--out", "o.svg")
    position = ("--position", "X.O/.X./..O")
    outcome = run("strategy", "tic-tac-toe", *position, "--player", "O", *files)
    assert outcome.code == 0, outcome.err
    assert outcome.err.splitlines() == ["wrote o.json", "wrote o.svg"]
    assert run("strategy", "tic-tac-toe", *position, "--player", "O", "--map", "--out", "map.svg").code == 0
    for name in ("o.svg", "map.svg"):
        text = Path(name).read_text()
        assert (
            text.startswith("<svg ") and "TicTacToe: the whole strategy of O, which guarantees a draw" in text
        )
    checked = run("strategy", "tic-tac-toe", "--check", "o.json")
    assert checked.code == 0 and checked.out.startswith("o.json is right: it guarantees 0;")
    assert json.loads(run("strategy", "tic-tac-toe", "--check", "o.json", "--json").out)["ok"] is True
    answer = run("strategy", "tic-tac-toe", "--against", "o.json")
    assert "TicTacToe, best response of X" in answer.out and "gain       0" in answer.out
    assert json.loads(run("strategy", "tic-tac-toe", "--against", "o.json", "--json").out)["gain"] == 0.0
    data = json.loads(run("strategy", "tic-tac-toe", *position, "--player", "second", "--json").out)
    assert data == json.loads(Path("o.json").read_text())


def test_a_strategy_that_was_tampered_with_is_found_out(run: Run, folder: Path) -> None:
    run("strategy", "tic-tac-toe", "--out", "x.json")
    data = json.loads(Path("x.json").read_text())
    data["value"] = {"payoff": 1.0, "outcome": "win", "plies": 9}
    Path("x.json").write_text(json.dumps(data))
    outcome = run("strategy", "tic-tac-toe", "--check", "x.json")
    assert outcome.code == 1 and "x.json is wrong: a play ends with 0" in outcome.out
    data["moves"][0]["play"] = "__import__('os').system('true')"
    Path("x.json").write_text(json.dumps(data))
    assert "x.json: move 1 of the strategy has" in run("strategy", "tic-tac-toe", "--check", "x.json").refusal


def test_what_makes_no_strategy_is_refused_in_one_line(run: Run, folder: Path) -> None:
    Path("bytes.json").write_bytes(b"\xff\xfe")
    Path("other.json").write_text("{}")
    for arguments, words in (
        (("--out", "x.gif"), "--out x.gif: the ending says what is written; it is .json, .svg"),
        (
            ("--map", "--out", "x.tex"),
            "--out x.tex: the ending says what is written; it is .json, .svg, .png or",
        ),
        (("--player", "both"), "--player both: it is first, second, X, O"),
        (("--most", "9", "--out", "x.svg"), "--most 90"),
        (("--player", "third"), "--player third: it is first, second, X, O"),
        (("--check", "nowhere.json"), "nowhere.json cannot be read"),
        (("--check", "bytes.json"), "bytes.json is no UTF-8 text"),
        (("--check", "other.json"), "other.json: the text is no strategy"),
        (("--check", "other.json", "--out", "x.json"), "--check and --out together: --check only reads"),
        (("--check", "other.json", "--against", "other.json"), "--check and --against together"),
        (("--most-states", "9"), "more than 9 positions"),
        (("--seconds", "0"), "stopped by seconds"),
        (("--position", "XXX/OO./..."), "the game is over here"),
        (("--out", "no/such/folder/x.json"), "cannot be written"),
    ):
        assert words in run("strategy", "tic-tac-toe", *arguments).refusal
    assert "a map is drawn for games in which" in run("strategy", "nim", "--map", "--out", "nim.svg").refusal
    assert "that of player 1" not in run("strategy", "tic-tac-toe", "--help").out


def test_somebody_at_a_terminal_sees_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("gametree.search.core.stopwatch.REPORT", 0.0)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    outcome = run("solve", "tic-tac-toe")
    assert outcome.code == 0
    assert "positions looked at" in screen.getvalue()


@pytest.mark.parametrize("command", ["solve", "strategy"])
def test_the_help_has_worked_examples(run: Run, command: str) -> None:
    text = run(command, "--help").out
    assert f"gametree {command} tic-tac-toe" in text and "Examples:" in text
