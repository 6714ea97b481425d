"""A script of the lab that cannot do what it was told says so in a line and ends with 2."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.same_in_all_modes

LAB = Path(__file__).parent.parent.parent / "lab"
MAKE = ("network_positions.py", "--file", "new.npz", "--games")
FIT = ("fit_network.py", "--file", "new.npy", "--positions")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fast_moves.py", "--feature", "magic"], "'magic' is no feature of the engine"),
        (["fast_moves.py", "--seconds", "-1"], "seconds must be a number"),
        (["fast_moves.py", "--count", "1"], "at least 2 positions"),
        (["fit_weights.py", "--games", "nowhere.txt"], "nowhere.txt"),
        (["fit_weights.py", "--games", "one.epd"], "a line is POSITION;SCORE, not '7k/"),
        (["chess_games.py", "--engine", "no-engine", "--games", "1", "--file", "new"], "no-engine"),
        ([*MAKE, "nowhere.txt"], "nowhere.txt"),
        ([*MAKE, "empty.txt"], "empty.txt has no positions"),
        ([*MAKE, "one.epd"], "a line is POSITION;SCORE, not '7k/"),
        ([*MAKE, "no-king.txt"], "king"),
        ([*MAKE, "one.txt"], "one.txt has one position"),
        ([*MAKE, "two.txt", "--engine", "no-engine"], "no-engine"),
        ([*MAKE, "two.txt", "--engine", "true"], "true wrote no network"),
        ([*MAKE, "two.txt", "--teacher", "one.epd"], "one.epd is no network of Stockfish"),
        ([*MAKE, "two.txt", "--teacher", "nowhere.nnue"], "nowhere.nnue"),
        ([*MAKE, "two.txt", "--count", "9"], "--count is at least 10"),
        ([*MAKE, "two.txt", "--file", "no-folder/new.npz"], "no folder no-folder"),
        ([*FIT, "two.txt"], "two.txt has no positions that network_positions.py wrote"),
        ([*FIT, "nowhere.npz"], "nowhere.npz"),
        ([*FIT, "two.txt", "--epochs", "0"], "at least 1"),
        ([*FIT, "two.txt", "--file", "no-folder/new.npy"], "no folder no-folder"),
        (["move_choice.py", "--games", "nowhere.jsonl"], "nowhere.jsonl"),
        (["move_choice.py", "--games", "empty.txt"], "no games, and so no positions"),
        (["move_choice.py", "--games", "two.txt"], "line 2 is no game"),
        (["move_choice.py", "--games", "two.txt", "--nodes", "0"], "at least 1"),
    ],
    ids=str,
)
def test_a_refusal_is_a_line_and_exit_code_2(words: list[str], said: str, tmp_path: Path) -> None:
    script, *rest = words
    (tmp_path / "one.epd").write_text("7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7;\n", encoding="utf-8")
    judged = [f"7k/8/5KQ1/8/8/8/8/8 {turn} - - 0 1;900\n" for turn in "wb"]
    (tmp_path / "one.txt").write_text(judged[0] * 2, encoding="utf-8")
    (tmp_path / "two.txt").write_text("".join(judged), encoding="utf-8")
    (tmp_path / "no-king.txt").write_text("7k/8/6Q1/8/8/8/8/8 w - - 0 1;900\n", encoding="utf-8")
    (tmp_path / "empty.txt").touch()
    done = subprocess.run(
        [sys.executable, str(LAB / script), *rest], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr
    assert said in done.stderr
