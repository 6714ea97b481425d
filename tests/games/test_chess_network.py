"""The network that judges chess positions, compared with the same sums written out."""

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import gametree as gt
from gametree.games.chess.board import State
from gametree.games.chess.network import (
    ADDED,
    BEGIN,
    EMPTY,
    MINE,
    PARTS,
    ROWS,
    SCALE,
    THEIRS,
    UNIT,
    ZONES,
    judge_by_network,
    new_caches,
)
from gametree.games.chess.rules import Chess
from gametree.kernel.vectors import LANES, LINE, MOST, aligned

CHESS = Chess()
LETTERS = "PNBRQK"


def positions(count: int, seed: int = 1) -> list[State]:
    rng = random.Random(seed)
    found: list[State] = []
    while len(found) < count:
        state = CHESS.initial()
        while not CHESS.is_terminal(state) and len(found) < count:
            found.append(state)
            state = CHESS.result(state, rng.choice(list(CHESS.actions(state))))
    return found


def mirrored(fen: str) -> str:
    """The same position with colours and sides exchanged."""
    board, turn, castling, _, *rest = fen.split()
    ranks = "/".join(rank.swapcase() for rank in reversed(board.split("/")))
    rights = "".join(sorted(castling.swapcase()))
    return " ".join([ranks, "b" if turn == "w" else "w", rights, "-", *rest])


ZONE_OF = (
    "0 1 2 3",
    "4 5 6 7",
    "8 8 9 9",
    "10 10 11 11",
    "12 12 13 13",
    "12 12 13 13",
    "14 14 15 15",
    "14 14 15 15",
)
"""By the rank of the king, as its side sees it, and how far from the edge its file is."""


def written_out(state: State) -> float:
    """What the page of `network.py` says, from the text of a position."""
    network = CHESS.network.astype(int)
    board, turn = CHESS.fen(state).split()[:2]
    placed = []
    for rank, row in zip(range(7, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                placed.append((letter.isupper(), LETTERS.index(letter.upper()), rank, file))
                file += 1
    total = 0
    part = min(PARTS - 1, (len(placed) - 2) * PARTS // 31)
    for white, first in ((turn == "w", MINE), (turn != "w", THEIRS)):
        king_rank, king_file = next((r, f) for side, kind, r, f in placed if kind == 5 and side == white)
        nearest = min(king_file, 7 - king_file)
        home = king_rank if white else 7 - king_rank
        zone = int(ZONE_OF[home].split()[nearest])
        sums = network[BEGIN].copy()
        for side, kind, rank, file in placed:
            seen_rank = rank if white else 7 - rank
            seen_file = 7 - file if king_file >= 4 else file
            sums += network[
                zone * 768 + (0 if side == white else 384) + kind * 64 + seen_rank * 8 + seen_file
            ]
        total += int((np.minimum(np.maximum(sums, 0), MOST) ** 2 * network[first + part]).sum())
    total += MOST * int(network[ADDED, part])
    return total / (MOST * MOST * UNIT) * SCALE


@pytest.mark.parametrize("state", positions(300)[::7], ids=CHESS.fen)
def test_the_judgement_is_what_the_sums_come_to(state: State) -> None:
    judged = CHESS.evaluate_network(state, state.turn)
    assert abs(judged - written_out(state)) <= 1 / 128
    assert CHESS.evaluate_network(state, 1 - state.turn) == -judged


def test_a_mirrored_position_is_judged_the_other_way_round() -> None:
    for state in positions(300, seed=2):
        other = CHESS.parse_state(mirrored(CHESS.fen(state)))
        assert CHESS.evaluate_network(state, 0) == -CHESS.evaluate_network(other, 0)


def test_compiled_and_interpreted_judgements_are_the_same() -> None:
    for state in positions(60, seed=3)[::6]:
        one, other = (
            gt.alphabeta(CHESS, state, depth=1, evaluation="network", compile=how)
            for how in ("auto", "never")
        )
        assert (one.value, one.action) == (other.value, other.action)


def test_what_was_kept_of_other_positions_changes_nothing() -> None:
    notes = new_caches()
    given = positions(400, seed=4)
    random.Random(5).shuffle(given)
    for state in given:
        kept = judge_by_network(state, CHESS.network, *notes)
        assert kept == CHESS.evaluate_network(state, state.turn)
    assert not CHESS.kept_sums.any() and not CHESS.kept_pieces.any()


@pytest.mark.needs_compiler
def test_threads_keep_apart_what_they_keep() -> None:
    given = positions(120, seed=6)[::5]

    def judged(state: State) -> tuple[Any, Any]:
        found = gt.alphabeta(CHESS, state, depth=2, evaluation="network", compile="always")
        return found.value, found.nodes

    one_by_one = [judged(state) for state in given]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(judged, given * 4)) == one_by_one * 4


def test_the_network_knows_what_a_piece_is_worth() -> None:
    lost = {"b8": 2.0, "c8": 2.0, "a8": 3.0, "d8": 5.0}
    for square, least in lost.items():
        fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
        row = list(fen[:8])
        row["abcdefgh".index(square[0])] = "1"
        assert CHESS.evaluate_network(CHESS.parse_state("".join(row) + fen[8:]), 0) > least


def test_no_sum_of_a_position_leaves_sixteen_bits() -> None:
    network = CHESS.network.astype(int)
    assert network.shape == (ROWS, LANES)
    # Thirty-two pieces at the most: no position can have sums beyond the greatest 32 of a lane.
    for zone in np.split(np.abs(network[:BEGIN]), ZONES):
        steepest = np.sort(zone, axis=0)[-32:].sum(axis=0) + np.abs(network[BEGIN])
        assert steepest.max() < 1 << 15
    assert np.abs(network[MINE:ADDED]).max() <= 256
    assert not network[EMPTY].any()


def test_every_row_begins_with_a_line_of_memory() -> None:
    assert Chess().network.ctypes.data % LINE == 0
    for begin in range(0, LINE, 2):
        given = np.arange(begin // 2 + 3 * LANES, dtype=np.int16)[begin // 2 :].reshape(3, LANES)
        copy = aligned(given)
        assert copy.ctypes.data % LINE == 0 and copy.flags.c_contiguous
        assert copy.dtype == given.dtype and (copy == given).all()


@pytest.mark.parametrize(
    "question", ["perft(game, 2)", "analyze(game, depth=1)", "Engine(game).analyze(limit=gt.Limit(depth=1))"]
)
def test_only_the_evaluation_by_the_network_reads_it(question: str) -> None:
    program = (
        "import gametree as gt, pickle; from gametree.games.chess.network import default_network as read;"
        "game = pickle.loads(pickle.dumps(gt.games.load('chess')));"
        "game.show(game.result(game.initial(), game.parse_action(game.initial(), 'e4')));"
        f"gt.{question}; print(read.cache_info().currsize);"
        "game.evaluate_network(game.initial(), 0); print(read.cache_info().currsize)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["0", "1"]
