"""`gametree gtp`: the Go Text Protocol, with a search that does what the test tells it."""

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import gametree
from gametree.app.gtp import protocol
from gametree.app.gtp.protocol import Command
from gametree.app.gtp.session import Options, Session
from gametree.app.gtp.thinker import Clock, budget, think
from gametree.app.gtp.under_way import UnderWay
from gametree.errors import InputError
from gametree.game import Game
from gametree.games import Go, Hex, Othello
from gametree.result import Limit
from mutation import mutated


class Program:
    """The program at the other end; the search behind the session plays the moves that it is told."""

    def __init__(self, game: str = "go", size: int | None = 5, moves: Sequence[str] = (), **options: Any):
        self.said: list[str] = []
        self.moves = list(moves)
        self.limits: list[Limit] = []
        self.session = Session(self.said.append, UnderWay(game, size), Options(**options), ask=self._think)

    def _think(self, game: Game, state: Any, history: Sequence[Any], limit: Limit) -> Any:
        if limit != Limit(nodes=1):
            self.limits.append(limit)
            return game.parse_action(state, self.moves.pop(0)) if self.moves else None
        return None

    def ask(self, *lines: str) -> str:
        """The answer to the last of some lines."""
        for line in lines:
            self.session.obey(line)
        return self.said[-1]


def test_it_says_who_it_is_and_what_it_can_do() -> None:
    program = Program()
    assert program.ask("1 protocol_version") == "=1 2\n"
    assert program.ask("name") == "= gametree\n"
    assert program.ask("version").startswith("= 0.")
    assert program.ask("7 known_command genmove") == "=7 true\n"
    assert program.ask("known_command loadsgf") == "= false\n"
    listed = program.ask("list_commands").removeprefix("= ").split()
    assert set(listed) >= {
        "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board",
        "komi", "play", "genmove", "undo", "showboard", "time_settings", "time_left", "final_score",
    }  # fmt: skip


def test_a_game_is_played_shown_taken_back_and_scored() -> None:
    program = Program(moves=["D4"])
    assert program.ask("boardsize 5", "komi 0.5", "clear_board", "play black C3") == "=\n"
    assert program.ask("3 genmove w") == "=3 D4\n"
    assert program.ask("showboard") == (
        "= \n5  . . . . .\n4  . . . O .\n3  . . X . .\n2  . . . . .\n1  . . . . .\n   A B C D E\nX to move\n"
    )
    assert program.ask("final_score") == "= W+0.5\n"
    assert program.ask("undo") == "=\n"
    assert program.ask("final_score") == "= B+24.5\n"
    assert program.ask("undo", "undo") == "? cannot undo: no move has been made\n"


def test_a_search_that_has_no_opinion_still_moves_legally() -> None:
    program = Program()
    assert program.ask("genmove black") == "= A1\n"
    assert program.ask("reg_genmove white") == "= B1\n"
    assert program.ask("genmove white") == "= B1\n"


def test_after_two_passes_the_answer_is_a_pass_and_play_may_go_on() -> None:
    program = Program()
    assert program.ask("play b C3", "play w pass", "play b pass", "genmove w") == "= pass\n"
    assert program.ask("play w D4") == "=\n"


def test_one_colour_may_play_twice_in_go_and_not_in_hex() -> None:
    program = Program()
    assert program.ask("play b C3", "play b D4", "play b B2") == "=\n"
    assert program.ask("final_score") == "= B+17.5\n"
    other = Program("hex")
    assert other.ask("play b c3", "play b d4") == "? illegal move: it is white's turn\n"


def test_superko_is_kept() -> None:
    program = Program()
    for move in ("b B5", "w C5", "b A4", "w B4", "b B3", "w D4", "b E1", "w C3"):
        assert program.ask(f"play {move}") == "=\n"
    assert program.ask("play b C4") == "=\n"
    assert (
        program.ask("play w B4") == "? illegal move: B4 would retake the ko at once; play elsewhere first\n"
    )
    # With a pass between, the simple ko is lifted; superko is not.
    assert (
        program.ask("play w pass", "play w B4")
        == "? illegal move: B4 brings a position about again (superko)\n"
    )


def test_other_games_have_their_moves_and_ends() -> None:
    program = Program("hex", size=2, moves=["b1"])
    assert program.ask("play black a1", "genmove white") == "= b1\n"
    assert program.ask("final_score") == "? cannot score: the game is not over\n"
    assert program.ask("play b a2", "final_score") == "= B+\n"
    assert program.ask("genmove white") == "? the game is over\n"
    assert program.ask("komi 7.5") == "? there is no komi in hex\n"
    reversi = Program("othello", size=None, moves=["d6"])
    assert reversi.ask("play black F5", "genmove white") == "= d6\n"
    assert reversi.ask("boardsize 7").startswith("? unacceptable size: size=7: Othello is played on")


def test_komi_leaves_the_stones_where_they_are() -> None:
    program = Program()
    assert program.ask("play b C3", "komi 25", "final_score") == "= 0\n"
    assert program.ask("komi 0.25") == "? komi=0.25: komi counts whole and half points\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9 frobnicate", "?9 unknown command 'frobnicate': see list_commands"),
        ("12", "?12 unknown command '': see list_commands"),
        ("boardsize", "? syntax error: after the command comes a size, not ''"),
        ("boardsize five", "? syntax error: a size is a whole number, not 'five'"),
        ("boardsize 19", "? unacceptable size: size=19: boards have 2 to 9 rows"),
        ("komi much", "? syntax error: komi is a number, not 'much'"),
        ("play", "? syntax error: after the command comes a colour and a move, not ''"),
        ("play red C3", "? syntax error: 'red' is no colour; there are black and white"),
        ("play b Z9", "? illegal move: 'Z9' is no point of this board"),
        ("play b resign", "? illegal move: who resigns does not play"),
        ("genmove", "? syntax error: after the command comes a colour"),
        ("genmove b now", "? syntax error: after the command comes a colour, not 'b now'"),
        (
            "time_settings 1 2",
            "? syntax error: after the command comes the main time and the overtime and a number",
        ),
        ("time_settings -1 0 0", "? syntax error: times and numbers of moves are at least 0"),
        ("time_left b soon 0", "? syntax error: a time is a number, not 'soon'"),
        ("name " + "x" * 100, "? syntax error: after the command comes nothing, not 'xxxx"),
    ],
)
def test_what_is_wrong_is_answered_and_changes_nothing(line: str, message: str) -> None:
    program = Program()
    before = program.session.table.state
    answer = program.ask(line)
    assert answer.startswith(message) and len(answer) < 300
    assert program.session.table.state == before


def test_comments_empty_lines_and_control_characters_are_passed_over() -> None:
    program = Program()
    program.session.run(["\n", "  # nothing\n", "\x07na\x01me\t# who\n", "quit\n", "name\n"])
    assert program.said == ["= gametree\n", "=\n"]


def test_a_fault_of_ours_is_answered_and_the_game_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("oh")

    said: list[str] = []
    session = Session(said.append, UnderWay("go", 5), ask=broken)
    assert session.obey("genmove b") and session.obey("name")
    assert said == ["? a fault in gametree; see its standard error\n", "= gametree\n"]
    assert "RuntimeError: oh" in capsys.readouterr().err


def test_a_thousand_malformed_lines_are_answered() -> None:
    rng = random.Random("gtp")
    lines = (
        "1 play black C3",
        "genmove w",
        "time_settings 300 30 5",
        "boardsize 5",
        "komi 7.5",
        "undo",
        "showboard",
    )
    program = Program()
    for _ in range(1000):
        line = mutated(rng.choice(lines), rng, lines).replace("\n", " ")
        count = len(program.said)
        program.session.obey(line)
        for answer in program.said[count:]:
            assert answer[0] in "=?" and answer.endswith("\n") and "\n\n" not in answer


# --- time -------------------------------------------------------------------------------------------


def test_thinking_takes_what_was_set() -> None:
    program = Program(seconds=2.0)
    program.ask("genmove b", "time_settings 100 0 0", "genmove w", "time_left b 10 0", "genmove b")
    assert [limit.seconds for limit in program.limits] == [2.0, 4.95, 0.45]
    nodes = Program(nodes=300)
    nodes.ask("genmove b")
    assert nodes.limits == [Limit(nodes=300)]


@pytest.mark.parametrize(
    ("clock", "left", "seconds"),
    [
        (None, None, 5.0),
        (Clock(0, 30, 0), None, 5.0),
        (Clock(0, 0, 0), None, 0.01),
        (Clock(0, 30, 10), None, 2.95),
        (Clock(600, 30, 10), (600.0, 0), 14.95),
        (Clock(600, 30, 10), (4.0, 0), 2.95),
        (Clock(600, 30, 10), (10.0, 5), 1.95),
        (Clock(600, 0, 0), (0.0, 0), 0.01),
    ],
)
def test_the_budget_is_a_share(clock: Clock | None, left: tuple[float, int] | None, seconds: float) -> None:
    assert budget(clock, left, 5.0, 80) == seconds


@pytest.mark.parametrize(
    ("options", "message"),
    [({"seconds": 0.0}, "--seconds 0"), ({"nodes": 0}, "--nodes 0"), ({"threads": 0}, "--thr")],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Options(**options)


def test_only_games_with_a_board_of_their_own_are_served() -> None:
    with pytest.raises(
        InputError, match="'chess' is not played over this protocol; there are: go, hex, othello"
    ):
        UnderWay("chess")


# --- the real thing ---------------------------------------------------------------------------------


def test_a_game_without_an_evaluation_is_for_monte_carlo_trees_and_others_for_the_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, Any, Any]] = []

    def mcts(game: Game, state: Any, limit: Limit, *, history: Any, threads: int, **options: str) -> Any:
        asked.append((" ".join(options.values()), limit, threads))
        return SimpleNamespace(action=44)

    class Engine:
        def __init__(self, game: Game, threads: int):
            self.threads = threads

        def analyze(self, state: Any, limit: Limit, *, history: Any) -> Any:
            asked.append(("engine", limit, self.threads))
            return SimpleNamespace(action=19)

    monkeypatch.setattr(gametree, "Engine", Engine)
    monkeypatch.setattr(gametree, "mcts", mcts)
    limit = Limit(nodes=20)
    assert think(Go(), Go().initial(), (), limit, threads=2) == 44
    assert think(Othello(), Othello().initial(), (), limit) == 19
    assert think(Hex(3), Hex(3).initial(), (), limit) == 44
    assert asked == [("rave prior", limit, 2), ("engine", limit, 1), ("rave", limit, 1)]


def test_the_command_says_nothing_but_the_protocol() -> None:
    lines = "1 boardsize 3\n2 genmove b\nnonsense\n3 showboard\n4 quit\n"
    command = [sys.executable, "-m", "gametree", "gtp", "--nodes", "5"]
    # Compiling would take longer than the game.
    interpreted = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, timeout=120, check=True, env=interpreted
    )
    answers = done.stdout.split("\n\n")
    assert [answer[:2] for answer in answers if answer] == ["=1", "=2", "? ", "=3", "=4"]


def test_a_line_is_a_number_a_name_and_words() -> None:
    assert protocol.read("99999999999 name") == Command("", "99999999999", ("name",))
    assert protocol.read("5  play  w  a1 ") == Command("5", "play", ("w", "a1"))
