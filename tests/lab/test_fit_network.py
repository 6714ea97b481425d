"""What makes the network of chess: its positions, its training, and the array that is left in the end."""

import sys
from pathlib import Path

import chess
import numpy as np
import pytest

import network_positions
from boards import board_of, random_boards
from engines import NotHereError
from fit_network import Adam, Slopes, train
from gametree.games.chess.network import MINE, PARTS, ROWS, SCALE, judge_by_network, new_caches
from gametree.games.chess.notation import read_fen
from gametree.kernel.vectors import LANES
from network_boards import (
    COUNTED,
    MOVES,
    WHOLE,
    Positions,
    describe,
    empty,
    exchange,
    list_moves,
    play,
    read_boards,
    resolve,
    thin,
)
from network_positions import EACH, FULLNESS, LENGTH, SHARES, evenly, lead, make_positions, play_on, stroll
from student_network import (
    GREATEST,
    Network,
    new_network,
    outcomes,
    read_network,
    restored,
    rounded,
)
from teacher_network import FIRST_LAYER, LATER_LAYERS, Array, Teacher, room

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


def board_from(codes: Array, turn: int) -> chess.Board:
    board = chess.Board.empty()
    board.set_piece_map({s: chess.Piece((c - 1) % 6 + 1, c <= 6) for s, c in enumerate(codes.tolist()) if c})
    board.turn = turn == 0
    return board


def swapped(board: chess.Board, target: chess.Square, standing: int) -> int:
    """What whoever is to move wins on a square where so much stands; he takes with his least piece or stops."""
    attackers = list(board.attackers(board.turn, target))
    if not attackers:
        return 0
    least = min(attackers, key=lambda square: board.piece_type_at(square) or 0)
    piece = board.remove_piece_at(least)
    assert piece
    board.set_piece_at(target, piece)
    board.turn = not board.turn
    return max(0, standing - swapped(board, target, int(COUNTED[piece.piece_type])))


def test_an_exchange_wins_what_the_least_pieces_leave() -> None:
    moves: Array = np.empty(MOVES, np.int64)
    for board in random_boards(1000, seed=15)[::20]:
        turn, codes = 0 if board.turn else 1, board_of(board)
        for move in moves[: list_moves(codes, turn, moves)].tolist():
            origin, target = move >> 6, move & 63
            after, piece = board.copy(stack=False), board.piece_at(origin)
            assert piece
            after.remove_piece_at(origin)
            after.set_piece_at(target, piece)
            after.turn = not board.turn
            won, standing = int(COUNTED[codes[target]]), int(COUNTED[codes[origin]])
            if piece.piece_type == chess.PAWN and chess.square_rank(target) in (0, 7):
                won, standing = won + 8, 9
            assert exchange(codes, turn, move) == won - swapped(after, target, standing)
        assert (codes == board_of(board)).all()


def test_who_resolves_arrives_where_nothing_is_won_by_taking() -> None:
    moves: Array = np.empty(MOVES, np.int64)
    changed = kept = 0
    for board in random_boards(1000, seed=3)[::10]:
        codes = board_of(board)
        turn = resolve(codes, 0 if board.turn else 1, moves)
        changed += int((codes != board_of(board)).any())
        if turn < 0:
            continue
        kept += 1
        quiet = board_from(codes, turn)
        assert not quiet.is_check() and not quiet.was_into_check()
        for move in moves[: list_moves(codes, turn, moves)].tolist():
            if codes[move & 63] and play(codes.copy(), turn, move):
                assert exchange(codes, turn, move) <= 0
    assert changed > 20 and kept > 60


def test_who_strolls_or_leads_makes_legal_moves() -> None:
    moves: Array = np.empty(MOVES, np.int64)
    rng, network = np.random.default_rng(1), new_network(np.random.default_rng(2), width=8)
    desk = empty(1), np.empty_like(network.begin), np.empty_like(network.begin)
    for board in random_boards(400, seed=16)[::20]:
        turn, there = 0 if board.turn else 1, {after(board, move) for move in board.legal_moves}
        codes, others = board_of(board), board_of(board)
        assert stroll(codes, turn, 1, rng, moves) == 1 - turn
        assert lead(others, turn, 3, network, desk, rng, moves)
        assert codes.tobytes() in there and others.tobytes() in there


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


@pytest.mark.needs_compiler
def test_positions_come_with_the_chances_that_the_teacher_gives() -> None:
    codes, turns = coded(random_boards(30, seed=4))
    network = new_network(np.random.default_rng(5), width=8)
    one, other = (
        make_positions(codes, turns, 500, plain_teacher(), network, np.random.default_rng(5))
        for _ in range(2)
    )
    assert len(one.target) == 500
    assert one.target == pytest.approx(1 / (1 + np.exp(-1 / SCALE)))
    assert all((mine == theirs).all() for mine, theirs in zip(one, other))
    assert ((one.pieces >= 2) & (one.pieces <= 32)).all()


@pytest.mark.needs_compiler
def test_most_of_the_decided_positions_are_left_out() -> None:
    codes, turns = coded(random_boards(600, seed=14))
    network = new_network(np.random.default_rng(5), width=8)
    desk = empty(1), np.empty_like(network.begin), np.empty_like(network.begin)
    into, made = empty(600 * LENGTH * EACH + 1), []
    for pawns in (1, 4, 8, 12):
        rng, teacher = np.random.default_rng(5), plain_teacher(pawns)
        made.append(play_on(codes.copy(), turns, teacher, room(), network, desk, rng, into))
    assert made[1] / made[0] == pytest.approx(0.6, abs=0.05)
    assert 20 * made[2] < made[0] and 2 * made[3] < made[2]


# --- training ---------------------------------------------------------------------------------------


def written_out(network: Network, positions: Positions, p: int) -> float:
    """What the logistic function is taken of, by the page of `gametree/games/chess/network.py`."""
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
    found = np.array([judge_by_network(state, table, *new_caches()) for state in states])
    off = found - ours
    assert off.std() < 0.03 and np.abs(off).max() < 0.08
    assert found.std() > 0.2


def test_a_network_that_is_read_is_the_one_that_was_written(tmp_path: Path) -> None:
    table = rounded(new_network(np.random.default_rng(10)))
    assert (rounded(restored(table)) == table).all()
    np.save(tmp_path / "network.npy", table)
    rng = np.random.default_rng(11)
    assert (rounded(read_network(tmp_path / "network.npy", rng)) == table).all()
    np.save(tmp_path / "other.npy", table[:-1])
    with pytest.raises(ValueError, match=rf"other.npy is no network of 12307 rows of {LANES} or fewer"):
        read_network(tmp_path / "other.npy", rng)


def test_a_network_with_fewer_sums_gets_new_ones_beside_its_own(tmp_path: Path) -> None:
    table = rounded(new_network(np.random.default_rng(10)))
    np.save(tmp_path / "narrow.npy", table[:, : LANES // 2])
    wider = rounded(read_network(tmp_path / "narrow.npy", np.random.default_rng(11)))
    assert wider.shape == table.shape and (wider[:, : LANES // 2] == table[:, : LANES // 2]).all()
    assert wider[:, LANES // 2 :].any()


def test_a_zone_that_no_position_has_a_say_in_learns_from_the_others() -> None:
    network = new_network(np.random.default_rng(12), width=4)
    slopes = Network(*(np.zeros_like(weights) for weights in network))
    slopes.inputs[5] = 1.0  # a row of zone 0
    before = network.inputs.copy()
    Adam(network).step(slopes, 0.01)
    moved = before - network.inputs
    assert np.allclose(moved[WHOLE + 5], 0.01, atol=1e-4) and np.allclose(moved[5], 0.015, atol=1e-4)
    assert not np.delete(moved.reshape(-1, WHOLE, 4), 5, axis=1).any()


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
    monkeypatch.setattr(sys, "argv", ["network_positions.py", *words])
    with pytest.raises(SystemExit) as end:
        network_positions.main()
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

    monkeypatch.setattr(network_positions, "stockfish", nowhere)
    words = ["--games", two_positions(tmp_path), "--file", str(tmp_path / "new.npz")]
    assert refused(words, monkeypatch, capsys) == "error: there is no stockfish on this machine\n"
    assert not (tmp_path / "new.npz").exists()


def test_positions_that_are_all_in_check_are_no_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(network_positions, "read_teacher", lambda file: plain_teacher())
    monkeypatch.setattr(network_positions, "make_positions", lambda *given: empty(0))
    words = ["--games", two_positions(tmp_path), "--file", str(tmp_path / "new.npz")]
    said = refused([*words, "--teacher", "any", "--count", "20"], monkeypatch, capsys)
    assert said == "error: of 18 positions made of 1 all are in check or decided\n"
