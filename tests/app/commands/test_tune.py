"""`gametree tune`: numbers found by playing, in words, as a file and as a plot."""

import json
from pathlib import Path

import pytest

from app.conftest import Run

pytestmark = pytest.mark.same_in_all_modes

SMALL = (
    *("nim", "--set", "counters=7", "--parameters", "mcts:exploration=0.2..1.4..4"),
    *("--by", "mcts:simulations=10,compile=never", "--games", "8", "--match", "2"),
)


def test_numbers_are_found_said_and_written(run: Run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("found.json", "found.svg")]
    written = [word for file in files for word in ("--out", str(file))]
    outcome = run("tune", *SMALL, *written, "--results", str(tmp_path / "all.jsonl"))
    assert outcome.code == 0, outcome.err
    assert (
        "games           8 of 8" in outcome.out
        and "exploration" in outcome.out
        and "against start" in outcome.out
    )
    found = json.loads(files[0].read_text())
    assert found["schema"] == "gametree.tuning/1" and set(found["parameters"]) == {"exploration"}
    assert files[1].read_text().startswith("<svg ")
    again = run("tune", *SMALL, "--results", str(tmp_path / "all.jsonl"), "--json")
    assert json.loads(again.out) == found


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("tic-tac-toe",), "TicTacToe has no `features` with `weights` to be tuned"),
        (
            (*SMALL, "--out", "found.png"),
            "--out found.png: the ending says what is written; it is .json or .svg",
        ),
        ((*SMALL, "--games", "1"), "--games 1: at least 4"),
        ((*SMALL, "--match", "-1"), "--match -1: how many games are played against the start"),
        (
            (*SMALL, "--jobs", "2", "--cluster", "tls://here:1"),
            "--jobs 2: processes of this machine, or --cluster",
        ),
        ((*SMALL, "--cluster-key", "k.pem"), "--cluster-key k.pem: a key of which cluster"),
        ((*SMALL, "--cluster", "tcp://10.0.0.1:1"), "is not encrypted"),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments: tuple[str, ...], why: str) -> None:
    outcome = run("tune", *arguments)
    assert outcome.code == 2 and why in " ".join(outcome.err.split())


def test_the_file_to_go_on_from_is_named_by_the_experiment(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = run("tune", *SMALL)
    (named,) = [file.name for file in tmp_path.glob("*.jsonl")]
    assert named.startswith("tune-Nim-") and f"results: {named}" in first.err
    before = (tmp_path / named).read_bytes()
    assert run("tune", *SMALL).out == first.out and (tmp_path / named).read_bytes() == before
    run("tune", *SMALL, "--seed", "1", "--match", "0")
    assert len(list(tmp_path.glob("*.jsonl"))) == 2
