"""The node-count signature."""

import json

import pytest

from app.conftest import Run
from gametree import games
from gametree.app.commands import bench


def test_every_position_of_the_bench_can_be_read() -> None:
    for entry in bench.entries():
        game = games.load(entry.game, **dict(word.split("=") for word in entry.parameters.split()))
        assert entry.method in ("minimax", "alphabeta", "analyze")
        assert not entry.position or not game.is_terminal(game.parse_state(entry.position))


def test_the_signature_is_one_number_in_the_last_line(run: Run) -> None:
    outcome = run("bench", "--quick", "--compile", "never")
    *rows, last = outcome.out.splitlines()
    assert len(rows) == len(bench.entries(quick=True)) and all("nodes/s interpreted" in row for row in rows)
    total = sum(int(row.split()[0].replace(",", "")) for row in rows)
    assert last == f"Bench: {total} (quick)"


@pytest.mark.slow
def test_compiled_and_interpreted_give_the_same_signature(run: Run) -> None:
    def nodes(compile: str) -> list[int]:
        data = json.loads(run("bench", "--quick", "--json", "--compile", compile).out)
        assert data["nodes"] == sum(entry["nodes"] for entry in data["entries"])
        return [entry["nodes"] for entry in data["entries"]]

    assert nodes("auto") == nodes("never")


@pytest.mark.slow
def test_the_whole_signature_is_the_same_interpreted(run: Run) -> None:
    assert run("bench").out.splitlines()[-1] == run("bench", "--compile", "never").out.splitlines()[-1]
