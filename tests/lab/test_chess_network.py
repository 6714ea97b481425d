"""A network for chess is made from nothing by one command: games, positions, weights."""

import random
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

import chess_games
import chess_network
from gametree.games.chess.network import ROWS, judge_by_network, new_caches
from gametree.games.chess.notation import read_fen
from gametree.kernel.vectors import LANES, aligned
from network_positions import read_positions

QUEEN_UP = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq - 0 1"


@pytest.mark.needs_compiler
def test_one_command_makes_a_network_that_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["chess_network.py", str(tmp_path / "new"), "--small"])
    chess_network.main()
    said = capsys.readouterr().out
    errors = [
        float(line.partition("held out ")[2].split()[0]) for line in said.splitlines() if "held out" in line
    ]
    assert errors[-1] < 0.8 * errors[0]
    network = np.load(tmp_path / "new" / "network.npy", allow_pickle=False)
    assert network.shape == (ROWS, LANES) and network.dtype == np.int16
    mine, theirs = (
        judge_by_network(read_fen(QUEEN_UP.format(turn), False), aligned(network), *new_caches())
        for turn in "wb"
    )
    assert mine > 0.2 and theirs < -0.2
    positions, held = read_positions(tmp_path / "new" / "positions.npz")
    assert len(positions.target) + len(held.target) == chess_network.SMALL.count
    chess_network.main()  # everything is there: nothing is done again
    assert "epoch" not in capsys.readouterr().out


def test_a_seed_gives_the_same_games() -> None:
    def written(seed: int) -> str:
        file = StringIO()
        rounds = iter(range(6))
        rng = random.Random(seed)
        lines = chess_games.write_games(chess_games.counted, file, rng, 4, chess_games.LOOSE, rounds)
        assert lines == file.getvalue().count("\n") > 0
        return file.getvalue()

    assert written(1) == written(1) != written(2)
