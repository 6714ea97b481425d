"""Mates in two, three and four, found by looking at everything: positions of random games and all their solutions.

`python -m games.mates FILE` in `tests` writes them anew, the same ones for the same seed. A mate in n is proven by
alpha-beta over all moves to 2n − 1 plies, which knows nothing but mate (no evaluation, no table, no selection), and
which finds none in n − 1. `bm` are all moves that mate in n, `dm` is n.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gametree as gt
from gametree.game import with_evaluation
from gametree.games import Chess
from gametree.games.chess.board import WHITE

SEED = 4
QUOTAS = {2: 40, 3: 35, 4: 25}
AHEAD, FEW = 10, 6
"""The mover is ahead by so many pawns, the other has so few pieces: there mates are likely, and trees are small."""
MOST_NODES = 3_000_000


def nothing(state: Any, player: int) -> float:
    """What is known of a position that is not at its end."""
    return 0.0


CHESS = Chess()
BLIND = with_evaluation(CHESS, nothing)


def is_won(state: Any, plies: int) -> bool:
    """Whether the player to move mates within so many plies, whatever the other does."""
    found = gt.alphabeta(BLIND, state, limit=gt.Limit(depth=plies, nodes=MOST_NODES))
    return found.stopped_by != "nodes" and found.value is not None and float(found.value) == 1


def is_lost(state: Any, plies: int) -> bool:
    """Whether the player to move is mated within so many plies, whatever happens."""
    if CHESS.is_terminal(state):
        return CHESS.utility(state, state.turn) == -1
    found = gt.alphabeta(BLIND, state, depth=plies)
    return found.value is not None and float(found.value) == -1


def length(state: Any) -> int | None:
    """In how many moves the player to move mates; None where it takes more than four, or nobody knows."""
    return next((moves for moves in (1, 2, 3, 4) if is_won(state, 2 * moves - 1)), None)


def solutions(state: Any, moves: int) -> list[str]:
    """All first moves that mate in so many."""
    keys = [a for a in CHESS.actions(state) if is_lost(CHESS.result(state, a), 2 * moves - 2)]
    return sorted(CHESS.name_action(state, key) for key in keys)


def game(rng: random.Random) -> Iterator[Any]:
    """The positions of a random game in which the mover is far ahead, every third of them."""
    state, greed = CHESS.initial(), rng.choice((0.2, 0.4, 0.6))
    while not CHESS.is_terminal(state):
        theirs = state.black if state.turn == WHITE else state.white
        ahead = CHESS.evaluate_lolli(state, state.turn) >= AHEAD and theirs.bit_count() <= FEW
        if ahead and rng.random() < 1 / 3:
            yield state
        actions = list(CHESS.actions(state))
        taking = [action for action in actions if (state.white | state.black) >> (action >> 6 & 63) & 1]
        state = CHESS.result(state, rng.choice(taking if taking and rng.random() < greed else actions))


def collect(seed: int, quotas: dict[int, int]) -> Iterator[str]:
    """Lines of EPD, so many of each length, no two of them from one game."""
    rng = random.Random(seed)
    left = dict(quotas)
    number = 0
    while any(left.values()):
        for state in game(rng):
            moves = length(state)
            if moves is not None and left.get(moves, 0) > 0:
                left[moves] -= 1
                number += 1
                board = " ".join(CHESS.fen(state).split()[:4])
                yield f'{board} bm {" ".join(solutions(state, moves))}; dm {moves}; id "mate {number}";'
                break


if __name__ == "__main__":
    lines = []
    for line in collect(SEED, QUOTAS):
        lines.append(line)
        print(len(lines), line, file=sys.stderr, flush=True)
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")
