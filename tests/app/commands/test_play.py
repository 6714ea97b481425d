"""`gametree play` from a pipe, and the command as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.conftest import Run

FULL_GAME = "a1\nb1\nc1\na2\nb2\nc2\na3\nb3\nc3\n" * 3
GAMETREE = (sys.executable, "-m", "gametree")


def test_a_full_game_is_played_from_a_pipe_without_prompts(run: Run) -> None:
    outcome = run("play", "tic-tac-toe", "--seed", "1", stdin=FULL_GAME)
    assert outcome.code == 0 and outcome.err == "" and ">" not in outcome.out
    assert outcome.out.splitlines()[-1] in ("You have won.", "You have lost.", "A draw.")


def test_the_same_seed_plays_the_same_game(run: Run) -> None:
    games = [run("play", "tic-tac-toe", "--seed", "5", "--level", "2", stdin=FULL_GAME).out for _ in range(2)]
    assert games[0] == games[1]


def test_input_that_ends_is_no_error(run: Run) -> None:
    outcome = run("play", "nim", "--player", "second")
    assert outcome.code == 0 and outcome.out.endswith("The input ends here, and so does the game.\n")


@pytest.mark.parametrize("script", ["zz\n?\nmoves\nhelp\nb2\nlevel 99\nundo\nb2\nresign\n", FULL_GAME])
def test_forty_columns_are_enough(run: Run, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    outcome = run("play", "tic-tac-toe", stdin=script)
    assert outcome.code == 0 and max(map(len, outcome.out.splitlines())) <= 40


def test_colours_are_for_those_who_want_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[" in run("play", "tic-tac-toe").out
    assert "\x1b" not in run("play", "tic-tac-toe", "--no-color").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("play", "tic-tac-toe").out


def test_ascii_means_ascii(run: Run, folder: Path) -> None:
    source = (folder / "mynim.py").read_text()
    (folder / "fancy.py").write_text(source + "\n    def show(self, s): return '●' * s[0] + ' …'\n")
    assert "●" in run("play", "fancy.py").out
    outcome = run("play", "fancy.py", "--ascii").out
    assert outcome.isascii() and "??????? ..." in outcome


def test_an_error_in_the_rules_ends_the_game_with_the_users_line(run: Run, folder: Path) -> None:
    source = (folder / "mynim.py").read_text().replace("s[0] - a,", "s[0] - a + 0 // (a - 2),")
    (folder / "late.py").write_text(source)
    outcome = run("play", "late.py", "--player", "both", stdin="2\n")
    assert outcome.code == 2 and "at late.py:" in outcome.err and "Traceback" not in outcome.err


# --- as a process -----------------------------------------------------------------------------------


def test_the_command_runs_as_a_module() -> None:
    done = subprocess.run([*GAMETREE, "games"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "tic-tac-toe" in done.stdout and done.stderr == ""


def test_a_reader_who_goes_away_is_no_error() -> None:
    command = subprocess.Popen([*GAMETREE, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout is not None and command.stderr is not None
    command.stdout.close()
    errors = command.stderr.read()
    command.stderr.close()
    assert command.wait(timeout=60) == 141 and errors == b""


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_ctrl_c_ends_a_game_politely() -> None:
    command = subprocess.Popen(
        [*GAMETREE, "play", "nim"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background may have had interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert command.stdout is not None
    # The greeting says that the game waits for input.
    command.stdout.readline()
    time.sleep(0.3)
    command.send_signal(signal.SIGINT)
    _, errors = command.communicate(timeout=60)
    assert command.returncode == 130 and "interrupted" in errors and "Traceback" not in errors


def test_help_loads_no_compiler_and_no_colours() -> None:
    heavy = ("numba", "numpy", "llvmlite", "rich", "asyncio", "importlib.metadata")
    program = f"import sys; from gametree.app.cli import main; main(['--help']); print({heavy!r})\n" + (
        f"sys.exit(bool({{*sys.modules}} & {{*{heavy!r}}}))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60).returncode == 0
