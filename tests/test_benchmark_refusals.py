"""A benchmark that cannot do what it was asked says so in a line and ends with 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.same_in_all_modes

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tactics.py", "--data", "nowhere.epd"], "nowhere.epd"),
        (["tactics.py", "--data", "one.epd", "--profile", "magic"], "profile='magic': it is"),
        (["stopping.py", "--games", "ludo"], "Ludo has chance nodes"),
        (["best_first.py", "no-such-table"], "no-such-table"),
        (["node_rate.py", "--runs", "0"], "at least 1"),
        (["levels.py", "--games", "nim"], "nim"),
        (["features.py", "--features", "magic"], "magic"),
        (
            ["features.py", "--games", "connect-four", "--features", "table", "--max-games", "2"],
            "holds another experiment",
        ),
        (
            ["levels.py", "--games", "connect-four", "--pairs", "2", "--count", "2"],
            "holds another experiment",
        ),
    ],
    ids=str,
)
def test_a_refusal_is_a_line_and_exit_code_2(words: list[str], said: str, tmp_path: Path) -> None:
    script, *rest = words
    (tmp_path / "one.epd").write_text("7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7;\n", encoding="utf-8")
    if said == "holds another experiment":  # a file that other players have begun
        begun = (
            json.dumps({"schema": "gametree.match/2", "players": ["somebody", "another"], "seed": 1}) + "\n"
        )
        for name in ("connect-four-general-table-10000.jsonl", "connect-four-2-1.jsonl"):
            (tmp_path / name).write_text(begun, encoding="utf-8")
        rest += ["--results", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *rest], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert "error: " in done.stderr
    assert said in done.stderr
