"""What makes the network of chess: its positions, its training, and the array that is left in the end."""

import sys
from pathlib import Path

import chess
import numpy as np
import pytest

import fit_network
from boards import board_of, random_boards
from fit_network import GREATEST, Network, Slopes, new_network, outcomes, rounded, train
from gametree.games.chess_network import MINE, PARTS, ROWS, SCALE, judge_by_network, new_notes
from gametree.games.chess_notation import read_fen
from gametree.lanes import LANES
from network_positions import (
    FULLNESS,
    MOVES,
    SHARES,
    Positions,
    describe,
    empty,
    evenly,
    list_moves,
    make_positions,
    mix,
    play,
    read_boards,
    thin,
    wander_from,
)
from perft import NotHereError
from teacher_network import FIRST_LAYER, LATER_LAYERS, Array, Teacher

WORTH: Array = np.array([0, 1, 3, 3, 5, 9, 0, -1, -3, -3, -5, -9, 0])
"""What a board's numbers are worth to White, in pawns."""


def described(codes: Array, turns: Array) -> Positions:
    """Positions as whoever counts pieces would judge them."""
    positions = empty(len(codes))
    for k, turn in enumerate(turns.tolist()):
        found = describe(codes[k], turn, positions.rows[k])
        positions.pieces[k], positions.turned[k], positions.zone[k] = found
    worth = WORTH[codes].sum(axis=1) * (1 - 2 * turns)
    positions.target[:] = 1 / (1 + np.exp(-worth / SCALE))
    return positions


def coded(boards: list[chess.Board]) -> tuple[Array, Array]:
    turns = np.array([0 if board.turn else 1 for board in boards], np.int8)
    return np.array([board_of(board) for board in boards]), turns


def scattered(count: int, seed: int) -> tuple[Array, Array]:
    """Pieces anywhere, kings at home: positions of one game are too much alike to learn from a few thousand."""
    rng = np.random.default_rng(seed)
    codes = np.zeros((count, 64), np.int8)
    for board in codes:
        squares = rng.permutation(64)[: rng.integers(2, 14)]
        board[squares] = rng.choice([1, 2, 3, 4, 5, 7, 8, 9, 10, 11], len(squares))
        board[[rng.integers(8), 56 + rng.integers(8)]] = 6, 12
    return codes, rng.integers(0, 2, count)


# --- positions --------------------------------------------------------------------------------------


def test_lines_of_a_file_become_boards(tmp_path: Path) -> None:
    boards = random_boards(50, seed=1)
    file = tmp_path / "positions.txt"
    file.write_text("".join(f"{board.fen()};-12\n" for board in boards))
    assert all((found == given).all() for found, given in zip(read_boards(file), coded(boards)))


def after(board: chess.Board, move: chess.Move) -> bytes:
    other = board.copy(stack=False)
    other.push(move)
    return board_of(other).tobytes()


def test_moves_are_the_legal_ones_but_for_castling_and_en_passant() -> None:
    moves: Array = np.empty(MOVES, np.int64)
    for board in random_boards(1000, seed=2)[::25]:
        turn = 0 if board.turn else 1
        found = set()
        for move in moves[: list_moves(board_of(board), turn, moves)]:
            codes = board_of(board)
            if play(codes, turn, int(move)):
                found.add(codes.tobytes())
            else:
                assert (codes == board_of(board)).all()
        assert found == {
            after(board, move)
            for move in board.legal_moves
            if not board.is_castling(move)
            and not board.is_en_passant(move)
            and move.promotion in (None, chess.QUEEN)
        }


def test_who_wanders_arrives_at_a_position_without_check() -> None:
    codes, turns = coded(random_boards(400, seed=3)[::10])
    steps = np.arange(40) % 5
    made = wander_from(codes, turns, steps, np.random.default_rng(1))
    assert 20 < made <= 40
    for k in range(made):
        board = chess.Board.empty()
        board.set_piece_map(
            {s: chess.Piece((c - 1) % 6 + 1, c <= 6) for s, c in enumerate(codes[k].tolist()) if c}
        )
        for side in chess.COLORS:
            board.turn = side
            assert not board.is_check()


def counted(codes: Array) -> Array:
    """How many pieces of each colour and kind there are."""
    return np.bincount(codes, minlength=13)[1:]


def test_a_thinned_position_has_lost_as_much_on_both_sides() -> None:
    rng = np.random.default_rng(11)
    lost = []
    for board in random_boards(400, seed=11)[::10]:
        before, codes = board_of(board), board_of(board)
        thin(codes, rng)
        assert ((codes == before) | (codes == 0)).all()
        gone = counted(before) - counted(codes)
        assert (gone[:6] == gone[6:]).all() and gone[5] == 0
        lost.append(int(gone[:6].sum()))
    assert 3 < max(lost) <= 6


def test_a_mixed_position_has_the_same_pieces_and_its_kings_where_they_were() -> None:
    rng = np.random.default_rng(12)
    moved = 0
    for board in random_boards(400, seed=12)[::10]:
        before, codes = board_of(board), board_of(board)
        mix(codes, rng)
        assert (counted(codes) == counted(before)).all()
        assert all((codes == king)[before == king].all() for king in (6, 12))
        assert not ((codes[[*range(8), *range(56, 64)]] - 1) % 6 == 0).any()
        moved += int((codes != before).sum() > 0)
    assert moved > 20


def test_positions_are_drawn_by_how_many_pieces_there_are() -> None:
    codes = np.zeros((1000, 64), np.int8)
    pieces = np.sort(np.random.default_rng(13).integers(2, 33, 1000))
    for board, count in zip(codes, pieces):
        board[:count] = 1
    chances = evenly(codes)
    part = [sum(count >= edge for edge in FULLNESS) for count in pieces]
    assert np.bincount(part, chances) == pytest.approx(SHARES)
    assert evenly(codes[pieces >= FULLNESS[-1]]).sum() == pytest.approx(1)


def plain_teacher(pawns: int = 1) -> Teacher:
    """Judges every position to be worth so many pawns, one where nothing is said."""
    first = [np.zeros(shape, kind) for kind, shape in FIRST_LAYER]
    later = [np.zeros((PARTS, *shape), kind) for kind, shape in LATER_LAYERS]
    teacher = Teacher(*first, *later)
    teacher.fourth_begin[:] = pawns * 361 * 16
    return teacher


def test_positions_come_with_the_chances_that_the_teacher_gives() -> None:
    codes, turns = coded(random_boards(30, seed=4))
    one, other = (
        make_positions(codes, turns, 30, plain_teacher(), np.random.default_rng(5)) for _ in range(2)
    )
    assert 10 < len(one.target) <= 30
    assert one.target == pytest.approx(1 / (1 + np.exp(-1 / SCALE)))
    assert all((mine == theirs).all() for mine, theirs in zip(one, other))
    assert ((one.pieces >= 2) & (one.pieces <= 32)).all()


def test_most_of_the_decided_positions_are_left_out() -> None:
    codes, turns = coded(random_boards(600, seed=14))
    made = [
        len(make_positions(codes, turns, 600, plain_teacher(pawns), np.random.default_rng(5)).target)
        for pawns in (1, 5, 9)
    ]
    assert made[1] / made[0] == pytest.approx(0.5, abs=0.12)
    assert made[2] / made[0] == pytest.approx(0.2, abs=0.1)


# --- training ---------------------------------------------------------------------------------------


def written_out(network: Network, positions: Positions, p: int) -> float:
    """What the logistic function is taken of, by the page of `chess_network.py`."""
    rows = positions.rows[p, : positions.pieces[p]].astype(int)
    sides, squares = rows % 768 // 64, rows % 64
    others = int(positions.zone[p]) * 768 + (sides + 6) % 12 * 64 + (squares ^ int(positions.turned[p]))
    part = min(PARTS - 1, (len(rows) - 2) * PARTS // 31)
    total = float(network.added[part])
    for k, seen in enumerate((rows, others)):
        hidden = np.clip(network.begin + network.inputs[seen].sum(axis=0), 0, 1) ** 2
        total += float(hidden @ network.output[part, k])
    return total


def error(network: Network, positions: Positions) -> float:
    count = len(positions.target)
    chances = [1 / (1 + np.exp(-written_out(network, positions, p))) for p in range(count)]
    return float(np.mean((np.array(chances) - positions.target) ** 2))


def test_slopes_are_those_of_small_differences() -> None:
    rng = np.random.default_rng(6)
    positions = described(*coded(random_boards(200, seed=6)[::20]))
    network = new_network(rng, width=3)
    network.output[...] = rng.standard_normal(network.output.shape)
    slopes, squared = Slopes(network, positions, 1).of(np.arange(10))
    wide = Network(*(array.astype(float) for array in network))
    assert squared / 10 == pytest.approx(error(wide, positions), rel=1e-4)
    for weights, slope in zip(wide, slopes):
        moved = np.flatnonzero(slope)
        assert len(moved)
        for place in rng.choice(moved, min(30, len(moved)), replace=False):
            before, found = weights.flat[place], []
            for small in (1e-5, -1e-5):
                weights.flat[place] = before + small
                found.append(error(wide, positions))
            weights.flat[place] = before
            assert slope.flat[place] == pytest.approx((found[0] - found[1]) / 2e-5, rel=2e-3, abs=1e-6)


def trained(threads: int = 1) -> tuple[Network, list[float]]:
    rng = np.random.default_rng(7)
    network = new_network(rng, width=8)
    given, held = described(*scattered(3000, seed=7)), described(*scattered(300, seed=8))
    return network, [unseen for _, unseen in train(network, given, held, 3, rng, threads, rate=0.01)]


def test_training_lowers_the_error_on_positions_that_were_held_out() -> None:
    network, errors = trained()
    assert errors[-1] < errors[0] / 2
    assert all(np.abs(weights).max() <= most for weights, most in zip(network, GREATEST))


@pytest.mark.needs_compiler
def test_a_seed_gives_the_same_network_and_threads_hardly_another() -> None:
    one, other, two = trained(), trained(), trained(threads=2)
    assert one[1] == other[1]
    assert all((mine == theirs).all() for mine, theirs in zip(one[0], other[0]))
    assert two[1] == pytest.approx(one[1], rel=0.05)


def test_the_rounded_network_judges_as_the_one_in_floating_point() -> None:
    rng = np.random.default_rng(8)
    network = new_network(rng)
    network.output[...] = 0.2 * rng.standard_normal(network.output.shape)
    network.added[...] = np.linspace(-0.5, 0.5, PARTS)
    boards = random_boards(600, seed=8)[::15]
    ours = outcomes(network, described(*coded(boards))) * SCALE
    table = rounded(network)
    assert table.shape == (ROWS, LANES)
    assert table.dtype == np.int16
    states = [read_fen(board.fen(), False) for board in boards]
    found = np.array([judge_by_network(state, table, *new_notes()) for state in states])
    off = found - ours
    assert off.std() < 0.03 and np.abs(off).max() < 0.08
    assert found.std() > 0.2


def test_the_greatest_weights_fit_their_places() -> None:
    network = new_network(np.random.default_rng(9))
    for weights, most in zip(network, GREATEST):
        weights[...] = most
    table = rounded(network).astype(int)
    assert (table[:MINE] > 0).all()
    assert 33 * table[:MINE].max() < 1 << 15
    assert table[MINE:].max() < 1 << 15
    assert table[MINE : MINE + 2 * PARTS].max() == 256


# --- refusals ---------------------------------------------------------------------------------------


def refused(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr(sys, "argv", ["fit_network.py", *words])
    with pytest.raises(SystemExit) as end:
        fit_network.main()
    assert end.value.code == 2
    return capsys.readouterr().err


def two_positions(folder: Path) -> str:
    file = folder / "two.txt"
    file.write_text("".join(f"k7/1Q6/{king}/8/8/8/8/8 b - - 0 1;-999\n" for king in ("1K6", "2K5")))
    return str(file)


def test_without_an_engine_nothing_is_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere() -> str:
        raise NotHereError("there is no stockfish on this machine")

    monkeypatch.setattr(fit_network, "stockfish", nowhere)
    words = ["--positions", two_positions(tmp_path), "--file", str(tmp_path / "new.npy")]
    assert refused(words, monkeypatch, capsys) == "error: there is no stockfish on this machine\n"
    assert not (tmp_path / "new.npy").exists()


def test_positions_that_are_all_in_check_are_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fit_network, "read_teacher", lambda file: plain_teacher())
    monkeypatch.setattr(fit_network, "make_positions", lambda *given: empty(0))
    words = ["--positions", two_positions(tmp_path), "--file", str(tmp_path / "new.npy")]
    said = refused([*words, "--teacher", "any", "--count", "20"], monkeypatch, capsys)
    assert said == "error: of 18 positions made of 1 all are in check or decided\n"
