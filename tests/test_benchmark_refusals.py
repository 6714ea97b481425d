"""A benchmark that cannot do what it was asked says so in a line and ends with 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
FIT = ("fit_network.py", "--file", "new.npy", "--positions")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tactics.py", "--data", "nowhere.epd"], "nowhere.epd"),
        (["tactics.py", "--data", "one.epd", "--profile", "magic"], "profile='magic': it is"),
        (["fast_moves.py", "--feature", "magic"], "'magic' is no feature of the engine"),
        (["fast_moves.py", "--seconds", "-1"], "seconds must be a number"),
        (["fast_moves.py", "--count", "1"], "at least 2 positions"),
        (["fit_chess.py", "weights", "--files", "nowhere.txt"], "nowhere.txt"),
        (["fit_chess.py", "weights", "--files", "one.epd"], "a line is POSITION;SCORE, not '7k/"),
        (
            ["fit_chess.py", "positions", "--engine", "no-engine", "--games", "1", "--file", "new"],
            "no-engine",
        ),
        ([*FIT, "nowhere.txt"], "nowhere.txt"),
        ([*FIT, "empty.txt"], "empty.txt has no positions"),
        ([*FIT, "one.epd"], "a line is POSITION;SCORE, not '7k/"),
        ([*FIT, "no-king.txt"], "king"),
        ([*FIT, "one.txt"], "one.txt has one position"),
        ([*FIT, "two.txt", "--engine", "no-engine"], "no-engine"),
        ([*FIT, "two.txt", "--engine", "true"], "true wrote no network"),
        ([*FIT, "two.txt", "--teacher", "one.epd"], "one.epd is no network of Stockfish"),
        ([*FIT, "two.txt", "--teacher", "nowhere.nnue"], "nowhere.nnue"),
        ([*FIT, "two.txt", "--epochs", "0"], "at least 1"),
        ([*FIT, "two.txt", "--count", "9"], "--count is at least 10"),
        ([*FIT, "two.txt", "--file", "no-folder/new.npy"], "no folder no-folder"),
        (["move_choice.py", "--games", "nowhere.jsonl"], "nowhere.jsonl"),
        (["move_choice.py", "--games", "empty.txt"], "no games, and so no positions"),
        (["move_choice.py", "--games", "two.txt"], "line 2 is no game"),
        (["move_choice.py", "--games", "two.txt", "--nodes", "0"], "at least 1"),
        (["stopping.py", "--games", "ludo"], "Ludo has chance nodes"),
        (["best_first.py", "no-such-table"], "no-such-table"),
        (["node_rate.py", "--runs", "0"], "at least 1"),
        (["levels.py", "--games", "nim"], "nim"),
        (["features.py", "--features", "magic"], "magic"),
        (
            ["features.py", "--games", "connect-four", "--features", "table", "--max-games", "2"],
            "holds another match",
        ),
        (["levels.py", "--games", "connect-four", "--pairs", "2", "--count", "2"], "holds another match"),
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
    if said == "holds another match":  # a file that other players have begun
        begun = (
            json.dumps({"schema": "gametree.match/1", "contestants": ["somebody", "another"], "seed": 1})
            + "\n"
        )
        for name in ("connect-four-table-10000.jsonl", "connect-four-2-1.jsonl"):
            (tmp_path / name).write_text(begun, encoding="utf-8")
        rest += ["--results", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *rest], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr
    assert said in done.stderr
