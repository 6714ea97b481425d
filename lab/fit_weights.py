"""Fits the weights of the chess evaluation to what an engine says of positions.

    python lab/chess_games.py --seconds 600 --seed 1 --file games.txt
    python lab/fit_weights.py --games games.txt more.txt > src/gametree/games/chess/weights.py

Least squares between winning chances: the logistic function of our evaluation against that of the engine's score.
Weights stay near those that are there now unless the positions speak against them. The weight of the tempo is fitted
along and then put back: after a random move whoever is to move is better off than usual, and an estimate that swings
with every ply makes a search shallow. A tenth of the positions is held out; the error on it is printed before and
after.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gametree as gt
from engines import refuse
from gametree.games.chess.board import pieces
from gametree.games.chess.evaluation import FULL, NAMES, PLACES, default_weights, phase
from gametree.games.chess.features import count
from gametree.games.chess.notation import read_fen

SLOPE = 180.0
"""Hundredths of a pawn for the logistic function to go from 1/2 to 0.73."""
SQUARES = 6 * 32
"""Pieces on squares, files e to h mirrored."""
PUT_BACK = NAMES.index("tempo")
BATCH, EPOCHS = 4096, 30
NEARNESS = 2e-8
"""What it costs a weight to leave where it was, for a hundredth of a pawn squared."""
Array = np.ndarray[Any, np.dtype[np.float32]]


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

They were fitted by `lab/fit_weights.py`, to what Stockfish 15.1 says of quiet positions at depth 4.
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
    parser.add_argument("--games", type=Path, nargs="+", required=True, help="what chess_games.py wrote")
    given = parser.parse_args()
    try:
        print(written(fit(read_positions(given.games))), end="")
    except (OSError, ValueError, gt.InputError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
