"""Fits the weights of the chess evaluation to the judgement of another engine.

    python benchmarks/fit_chess.py positions --seconds 600 --seed 1 --file positions.txt
    python benchmarks/fit_chess.py weights --files positions.txt more.txt > src/gametree/games/chess_weights.py

positions  A UCI engine (Stockfish where nothing is said) plays games against itself at a small depth, after some
           random moves and with random moves among its own. A line of the file: a position, the engine's score for
           White in hundredths of a pawn, and how the game ended for White. Positions in check, those whose best
           move takes or promotes, and lost ones are left out.
weights    Least squares between winning chances: the logistic function of our evaluation against three parts of the
           engine's score and one part of the result. Weights stay near those that are there now unless the positions
           speak against them. A tenth of the positions is held out; the error on it is printed before and after.

It needs the extra `test` (for python-chess). Without an engine nothing can be fitted; the weights that come with
gametree need none.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import chess
import chess.engine
import numpy as np

import gametree as gt
from gametree.games.chess_board import pieces
from gametree.games.chess_evaluation import FULL, NAMES, PLACES, default_weights, phase
from gametree.games.chess_features import count
from gametree.games.chess_notation import read_fen
from perft import NotHereError, stockfish
from refusal import refuse

DEPTH = 7
LOST = 1200
"""A score of so many hundredths, six times in a row, ends a game."""
KEPT = 700
"""Positions with greater scores are not fitted to."""
SLOPE = 180.0
"""Hundredths of a pawn for the logistic function to go from 1/2 to 0.73."""
RESULT_SHARE = 0.25
SQUARES = 6 * 32
"""Pieces on squares, files e to h mirrored."""
BATCH, EPOCHS = 4096, 60
NEARNESS = 2e-8
"""What it costs a weight to leave where it was, for a hundredth of a pawn squared."""
Array = np.ndarray[Any, np.dtype[np.float32]]


# --- positions --------------------------------------------------------------------------------------


def worth(found: chess.engine.PlayResult) -> int:
    """The score of a move to who plays it; mates are beyond all scores."""
    return found.info["score"].relative.score(mate_score=10 * LOST)


def game(judge: chess.engine.SimpleEngine, rng: random.Random) -> Iterator[str]:
    """The lines of one game."""
    board = chess.Board()
    for _ in range(rng.choice((4, 6, 8, 10, 12))):
        if not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
    chance = rng.choice((0.0, 0.05, 0.15, 0.25))
    kept: list[tuple[str, int]] = []
    result, lost = 0.5, 0
    while not (board.is_game_over() or board.halfmove_clock >= 60 or board.is_repetition(3)):
        found = judge.play(board, chess.engine.Limit(depth=DEPTH), info=chess.engine.INFO_SCORE)
        move, score = found.move, worth(found)
        assert move is not None
        lost = lost + 1 if abs(score) > LOST else 0
        if lost > 6 or board.ply() > 240:
            result = 0.5 if lost <= 6 else float((score > 0) == board.turn)
            break
        if lost == 0 and not (board.is_check() or board.is_capture(move) or move.promotion):
            kept.append((board.fen(), score if board.turn else -score))
        board.push(rng.choice(list(board.legal_moves)) if rng.random() < chance else move)
    outcome = board.outcome()
    if outcome is not None and outcome.winner is not None:
        result = float(outcome.winner)
    for fen, score in kept:
        yield f"{fen};{score};{result}"


def write_positions(options: argparse.Namespace, file: IO[str]) -> None:
    rng, lines = random.Random(options.seed), 0
    end = time.monotonic() + options.seconds
    with chess.engine.SimpleEngine.popen_uci(options.engine or stockfish()) as judge:
        while time.monotonic() < end:
            for line in game(judge, rng):
                file.write(line + "\n")
                lines += 1
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
        fen, score, result = line.split(";") if line.count(";") == 2 else ("", "", "")
        if not fen:
            raise gt.InputError(f"a line is POSITION;SCORE;RESULT, not {line[:80]!r}")
        if abs(int(score)) > KEPT:
            continue
        state = read_fen(fen, False)
        rows.append(features(state))
        middle.append(phase(state) / FULL)
        chances = float(logistic(np.float32(int(score) / SLOPE)))
        target.append((1 - RESULT_SHARE) * chances + RESULT_SHARE * float(result))
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

They were fitted by `benchmarks/fit_chess.py`, to what Stockfish 15.1 says of quiet positions at depth 7, and to how the
games ended.
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
    except (OSError, ValueError, NotHereError, gt.InputError, chess.engine.EngineError) as error:
        refuse(error)


if __name__ == "__main__":
    main()
