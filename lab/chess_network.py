"""Makes a network for chess from nothing: games, positions made of them and judged, weights fitted to those.

    python lab/chess_network.py FOLDER              as the shipped one is made: Stockfish 15.1, two cores, a day
    python lab/chess_network.py FOLDER --small      in less than a minute, without any engine

Every step writes a file to the folder: games.txt (`chess_games.py`), positions.npz (`network_positions.py`) and
network.npy (`fit_network.py`). A step whose file is there is not done again. Games and positions of the small network
come from a player and a teacher who count pieces: it shows that every step works, and no more.
"""

import argparse
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import chess_games
import gametree as gt
from engines import NotHereError, refuse
from fit_network import fit, write_network
from network_positions import divided, read_positions, teacher_of, write_positions
from student_network import new_network


@dataclass(frozen=True)
class Scale:
    """How much of everything, and who plays and teaches; None is Stockfish."""

    who: str | None
    games: int
    rounds: int
    """Moves by which every game goes on; a game that is over makes room for another."""
    count: int
    epochs: int
    rate: float


SHIPPED = Scale(None, games=4096, rounds=1000, count=42_000_000, epochs=6, rate=1e-3)
SMALL = Scale(chess_games.COUNTING, games=64, rounds=30, count=6_000, epochs=3, rate=1e-2)


def make(folder: Path, scale: Scale, seed: int, threads: int) -> Path:
    """The file of the network, made with what is in the folder already."""
    folder.mkdir(parents=True, exist_ok=True)
    games, positions, network = (folder / name for name in ("games.txt", "positions.npz", "network.npy"))
    if not games.exists():
        judge, rounds = chess_games.judge_of(scale.who), iter(range(scale.rounds))
        with games.open("w", encoding="utf-8") as file:
            rng = random.Random(seed)
            chess_games.write_games(judge, file, rng, scale.games, chess_games.LOOSE, rounds)
    if not positions.exists():
        numbers = np.random.default_rng(seed)
        leader = new_network(numbers)
        made = divided(games, scale.count, teacher_of(scale.who, None), leader, numbers)
        write_positions(*made, positions)
    if not network.exists():
        given, held = read_positions(positions)
        write_network(fit(given, held, None, scale.epochs, seed, threads, scale.rate), network)
    return network


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--small", action="store_true", help="a toy, without any engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    try:
        print(make(given.folder, SMALL if given.small else SHIPPED, given.seed, given.threads))
    except (OSError, ValueError, NotHereError, gt.InputError, subprocess.SubprocessError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
