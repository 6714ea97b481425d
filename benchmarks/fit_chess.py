"""Fits the weights of the chess evaluation to the judgement of another engine.

    python benchmarks/fit_chess.py positions --seconds 600 --seed 1 --file positions.txt
    python benchmarks/fit_chess.py positions --even --seconds 600 --seed 1 --file positions.txt
    python benchmarks/fit_chess.py weights --files positions.txt more.txt > src/gametree/games/chess_weights.py

positions  A UCI engine (Stockfish where nothing is said) plays thousands of games against itself at a small depth, all
           a move further at a time, after some random moves and with random moves among its own. A line of the file: a
           position, and the engine's score for White in hundredths of a pawn. Positions in check, those whose best
           move takes or promotes, and lost ones are left out. `--even`: few random moves, games given up as soon as
           one side is ahead, all positions but those in check: more like the games of good players.
weights    Least squares between winning chances: the logistic function of our evaluation against that of the engine's
           score. Weights stay near those that are there now unless the positions speak against them. The weight of the
           tempo is fitted along and then put back: after a random move whoever is to move is better off than usual, and
           an estimate that swings with every ply makes a search shallow. A tenth of the positions is held out; the
           error on it is printed before and after.

It needs the extra `test` (for python-chess). Without an engine nothing can be fitted; the weights that come with
gametree need none.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import chess
import numpy as np

import gametree as gt
from gametree.games.chess.board import pieces
from gametree.games.chess.evaluation import FULL, NAMES, PLACES, default_weights, phase
from gametree.games.chess.features import count
from gametree.games.chess.notation import read_fen
from perft import NotHereError, stockfish
from refusal import refuse

DEPTH = 4
GAMES = 4096
"""Games under way at a time."""
MATE = 32_000
"""What a mate counts as, in hundredths of a pawn."""
LONGEST, QUIET = 140, 40
"""Plies of a game, and plies in it without a capture or pawn move."""
SLOPE = 180.0
"""Hundredths of a pawn for the logistic function to go from 1/2 to 0.73."""
SQUARES = 6 * 32
"""Pieces on squares, files e to h mirrored."""
PUT_BACK = NAMES.index("tempo")
BATCH, EPOCHS = 4096, 30
NEARNESS = 2e-8
"""What it costs a weight to leave where it was, for a hundredth of a pawn squared."""
Array = np.ndarray[Any, np.dtype[np.float32]]


# --- positions --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Manner:
    """How games are played, and what is kept of them."""

    chances: tuple[float, ...]
    """How often a random move is played: one of these in each game."""
    decided: int
    """A score of so many hundredths of a pawn decides a game,"""
    times: int
    """so many times in a row."""
    kept: int
    """Positions with greater scores are left out."""
    loud: bool
    """Whether positions are kept whose best move takes or promotes."""


LOOSE = Manner((0.0, 0.05, 0.15, 0.3), 900, 4, 1000, False)
EVEN = Manner((0.0, 0.01, 0.03, 0.06), 350, 2, 350, True)


@dataclass
class Game:
    """A game under way."""

    board: chess.Board
    chance: float
    """How often a random move is played."""
    manner: Manner = LOOSE
    decided: int = 0
    """For how many moves one side has been far ahead."""

    @property
    def is_over(self) -> bool:
        board = self.board
        over = self.decided >= self.manner.times or board.halfmove_clock >= QUIET or board.ply() > LONGEST
        return over or board.is_game_over(claim_draw=False)


def new_game(rng: random.Random, manner: Manner = LOOSE) -> Game:
    """A game after some random moves."""
    while True:
        board = chess.Board()
        for _ in range(rng.choice((4, 6, 7, 8, 8, 9, 10, 12))):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return Game(board, rng.choice(manner.chances), manner)


def judged(engine: str, fens: Sequence[str]) -> Iterator[tuple[chess.Move, int]]:
    """The engine's move in every position, and its score to the player to move.

    All are asked at once and the answers read when the engine is done: to wait for each would take several times as
    long.
    """
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as said:
        asked.write("setoption name Hash value 16\n")
        asked.writelines(f"position fen {fen}\ngo depth {DEPTH}\n" for fen in fens)
        asked.write("isready\n")  # answered behind the last move
        asked.seek(0)
        subprocess.run([engine], stdin=asked, stdout=said, check=True)
        said.seek(0)
        score = 0
        for line in said:
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
            elif words[:1] == ["bestmove"]:
                yield chess.Move.from_uci(words[1]), score


def write_positions(options: argparse.Namespace, file: IO[str]) -> None:
    rng, lines = random.Random(options.seed), 0
    engine = options.engine or stockfish()
    manner = EVEN if options.even else LOOSE
    games = [new_game(rng, manner) for _ in range(options.games)]
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        fens = [game.board.fen() for game in games]
        for k, (move, score) in enumerate(judged(engine, fens)):
            game, board = games[k], games[k].board
            calm = manner.loud or not (board.is_capture(move) or move.promotion)
            if calm and not board.is_check() and abs(score) <= manner.kept:
                file.write(f"{fens[k]};{score if board.turn else -score}\n")
                lines += 1
            game.decided = game.decided + 1 if abs(score) > manner.decided else 0
            board.push(rng.choice(list(board.legal_moves)) if rng.random() < game.chance else move)
            if game.is_over:
                games[k] = new_game(rng, manner)
        file.flush()
    print(f"{lines} positions", file=sys.stderr)


# --- weights ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Positions:
    """Features for White less those for Black, how much of the middlegame there is, and what to fit to."""

    features: Array
    middle: Array
    target: Array


def read_positions(files: Sequence[Path]) -> Positions:
    rows, middle, target = [], [], []
    for line in dict.fromkeys(line for file in files for line in file.read_text("utf-8").splitlines()):
        fen, _, score = line.partition(";")
        if not re.fullmatch("-?[0-9]{1,5}", score):
            raise gt.InputError(f"a line is POSITION;SCORE, not {line[:80]!r}")
        state = read_fen(fen, False)
        rows.append(features(state))
        middle.append(phase(state) / FULL)
        target.append(float(logistic(np.float32(int(score) / SLOPE))))
    return Positions(np.array(rows, np.float32), np.array(middle, np.float32), np.array(target, np.float32))


def features(state: Any) -> Array:
    row = np.zeros(SQUARES + len(NAMES), np.float32)
    for kind in range(6):
        for square in range(64):
            if pieces(state, kind) >> square & 1:
                white = state.white >> square & 1
                place = square if white else square ^ 56
                row[kind * 32 + place // 8 * 4 + min(place % 8, 7 - place % 8)] += 1 if white else -1
    mine, theirs = (sum(count(state, colour), ()) for colour in (0, 1))
    row[SQUARES:] = [here - there for here, there in zip(mine, theirs)]
    return row


def logistic(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def weights_now() -> Array:
    """The default weights in hundredths: two rows, the middlegame's and the endgame's."""
    weights = default_weights()[1:].reshape(-1, 2).T * 100
    squares = [
        weights[:, kind * 64 + rank * 8 + file] for kind in range(6) for rank in range(8) for file in range(4)
    ]
    return np.concatenate([np.array(squares).T, weights[:, PLACES:]], axis=1).astype(np.float32)


def fit(given: Positions) -> Array:
    """Adam (Kingma & Ba 2015) on batches."""
    rng = np.random.default_rng(0)
    scale = np.maximum(1.0, given.features.std(axis=0)).astype(np.float32)
    parts = [given.features / scale * share[:, None] for share in (given.middle, 1 - given.middle)]
    before = weights_now() * scale
    weights = before.copy()
    holding = np.full(weights.shape, NEARNESS)
    holding[:, SQUARES:] *= 0.1
    holding /= scale**2
    places = rng.permutation(len(given.target))
    held, rest = np.split(places, [len(places) // 10])

    def chances(at: Any) -> Any:
        return logistic((parts[0][at] @ weights[0] + parts[1][at] @ weights[1]) / SLOPE)

    def error(at: Any) -> float:
        return float(np.mean((chances(at) - given.target[at]) ** 2))

    print(f"{len(places)} positions, error {error(held):.6f}", file=sys.stderr)
    first, second, step, rate = np.zeros_like(weights), np.zeros_like(weights), 0, 2.0
    for epoch in range(EPOCHS):
        rng.shuffle(rest)
        for start in range(0, len(rest), BATCH):
            at = rest[start : start + BATCH]
            p = chances(at)
            pull = 2 * (p - given.target[at]) * p * (1 - p) / SLOPE / len(at)
            slope = np.stack([part[at].T @ pull for part in parts]) + 2 * holding * (weights - before)
            step += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-12)
        if epoch % 10 == 9:
            rate *= 0.6
    print(f"after fitting {error(held):.6f}", file=sys.stderr)
    weights[:, SQUARES + PUT_BACK] = before[:, SQUARES + PUT_BACK]
    return centred(weights / scale)


def centred(weights: Array) -> Array:
    """A kind's squares have the mean 0; what they had goes to the kind itself. No pawn stands on the last ranks."""
    weights = weights.copy()
    weights[:, :4] = weights[:, 28:32] = 0
    for kind in range(6):
        used = slice(4, 28) if kind == 0 else slice(kind * 32, kind * 32 + 32)
        mean = weights[:, used].mean(axis=1)
        weights[:, used] -= mean[:, None]
        if kind < 5:
            weights[:, SQUARES + kind] += mean
    return weights


HEAD = '''"""The weights of the chess evaluation, in hundredths of a pawn: for the middlegame, and for the endgame.

They were fitted by `benchmarks/fit_chess.py`, to what Stockfish 15.1 says of quiet positions at depth 4.
"""

from typing import Final

PLACES: Final = ('''


def written(weights: Array) -> str:
    """The weights as a module."""
    lines = [HEAD]
    for kind, name in enumerate(("pawns", "knights", "bishops", "rooks", "queens", "kings")):
        lines.append(
            f"    (  # {name}: rank by rank as their owner sees them, files a to d; e to h mirror them"
        )
        for part in weights[:, kind * 32 : kind * 32 + 32]:
            ranks = [", ".join(str(round(x)) for x in part[4 * rank : 4 * rank + 4]) for rank in range(8)]
            halves = (",  ".join(ranks[:4]), ",  ".join(ranks[4:]))
            lines += ["        (", *(f"            {half}," for half in halves), "        ),"]
        lines.append("    ),")
    lines += [")  # fmt: skip", "COUNTED: Final = {"]
    for term, name in enumerate(NAMES):
        middle, end = (f"{round(float(x), 1 if abs(x) < 20 else 0):g}" for x in weights[:, SQUARES + term])
        lines.append(f'    "{name}": ({middle}, {end}),')
    return "\n".join([*lines, "}\n"]).replace("(-0,", "(0,").replace(" -0)", " 0)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    positions = commands.add_parser("positions", help="writes positions and what an engine says of them")
    positions.add_argument("--engine", help="Stockfish where nothing is said")
    positions.add_argument("--seconds", type=float, default=600.0)
    positions.add_argument("--seed", type=int, default=1)
    positions.add_argument("--even", action="store_true", help="few random moves, nobody far ahead")
    positions.add_argument("--games", type=int, default=GAMES, help="games under way at a time")
    positions.add_argument("--file", type=Path, required=True, help="what is there already stays")
    weights = commands.add_parser("weights", help="fits to such files and prints the module of weights")
    weights.add_argument("--files", type=Path, nargs="+", required=True)
    options = parser.parse_args()
    try:
        if options.command == "positions":
            with options.file.open("a", encoding="utf-8") as file:
                write_positions(options, file)
        else:
            print(written(fit(read_positions(options.files))), end="")
    except (OSError, ValueError, NotHereError, gt.InputError, subprocess.SubprocessError) as error:
        refuse(error)


if __name__ == "__main__":
    main()
