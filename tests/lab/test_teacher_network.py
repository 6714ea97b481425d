"""The network that ours is fitted to: read from a file, and compared with the same sums written out."""

import re
import shutil
import subprocess
from pathlib import Path

import chess
import numpy as np
import pytest

from boards import board_of, random_boards
from engines import NotHereError, stockfish
from teacher_network import (
    FIRST_LAYER,
    INPUTS,
    LATER_LAYERS,
    LAYERS,
    PARTS,
    PAWN,
    VERSION,
    Array,
    Teacher,
    counting_teacher,
    export_teacher,
    judge_by_teacher,
    read_teacher,
    room,
)

TEXT = b"random numbers"


def random_file(folder: Path) -> Path:
    """As large as the real one, with weights that keep most numbers away from where they are cut off."""
    rng = np.random.default_rng(1)
    file = folder / "random.nnue"
    with file.open("wb") as out:
        out.write(np.array([VERSION, LAYERS, len(TEXT)], "<u4").tobytes() + TEXT)
        for layers in (FIRST_LAYER, *[LATER_LAYERS] * PARTS):
            out.write(b"mark")
            for kind, shape in layers:
                most = {np.int8: 20, np.int16: 30, np.int32: 4000}[kind]
                out.write(
                    rng.integers(-most, most, shape, kind).astype(np.dtype(kind).newbyteorder("<")).tobytes()
                )
    return file


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_file(tmp_path_factory.mktemp("teacher"))


@pytest.fixture(scope="module")
def teacher(file: Path) -> Teacher:
    return read_teacher(file)


def judged(teacher: Teacher, board: chess.Board) -> float:
    return judge_by_teacher(board_of(board), 0 if board.turn else 1, teacher, *room())


def inputs(board: chess.Board, side: chess.Color) -> list[int]:
    """Places among the inputs, from the names that the page of `teacher_network.py` gives them."""
    seen = board if side == chess.WHITE else board.mirror()
    king = seen.king(chess.WHITE)
    assert king is not None
    if chess.square_file(king) < 4:
        seen = seen.transform(chess.flip_horizontal)
        king ^= 7
    kings = [chess.square(file, rank) for rank in range(7, -1, -1) for file in (7, 6, 5, 4)]
    kinds = [(kind, colour) for kind in range(chess.PAWN, chess.KING) for colour in chess.COLORS]
    found = []
    for square, piece in seen.piece_map().items():
        kind = 10 if piece.piece_type == chess.KING else kinds.index((piece.piece_type, piece.color))
        found.append((kings.index(king) * 11 + kind) * 64 + square)
    return found


def written_out(teacher: Teacher, board: chess.Board) -> float:
    part = (chess.popcount(board.occupied) - 1) // 4
    products, straight = [], []
    for side in (board.turn, not board.turn):
        places = inputs(board, side)
        sums = np.clip(teacher.begin + teacher.inputs[places].sum(axis=0, dtype=int), 0, 127)
        products.append(sums[:512] * sums[512:] // 128)
        straight.append(int(teacher.straight[places, part].sum()))
    second = teacher.second_begin[part] + teacher.second[part].astype(int) @ np.concatenate(products)
    squared = np.minimum(second[:15].astype(int) ** 2 // 2**19, 127)
    inner = np.concatenate([squared, np.clip(second[:15] // 64, 0, 127), [0, 0]])
    third = np.clip((teacher.third_begin[part] + teacher.third[part].astype(int) @ inner) // 64, 0, 127)
    total = int(teacher.fourth_begin[part, 0]) + int(teacher.fourth[part].astype(int) @ third)
    total += int(int(second[15]) * 600 * 16 / (127 * 64))
    return (int((straight[0] - straight[1]) / 2) + total) / 16 / PAWN


def test_the_judgement_is_what_the_sums_come_to(teacher: Teacher) -> None:
    found = []
    for board in random_boards(300, seed=1)[::15]:
        found.append(judged(teacher, board))
        assert found[-1] == pytest.approx(written_out(teacher, board), abs=1e-9)
    assert len(set(found)) > 15  # else everything was cut off


def test_colours_and_sides_make_no_difference(teacher: Teacher) -> None:
    for board in random_boards(60, seed=2)[::6]:
        assert judged(teacher, board) == judged(teacher, board.mirror())


def test_the_file_is_read_to_its_end(file: Path, teacher: Teacher) -> None:
    assert teacher.inputs.shape == (INPUTS, 1024)
    assert file.read_bytes().endswith(teacher.fourth[-1].tobytes())


def spoiled(content: bytes, how: str) -> bytes:
    if how == "empty":
        return b""
    if how == "text":
        return b"7k/8/5KQ1/8/8/8/8/8 w - - 0 1"
    if how == "other layers":
        return content[:4] + b"what" + content[8:]
    return content[:-1] if how == "short" else content + b"!"


def test_the_teacher_who_counts_counts_pieces() -> None:
    worth = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    teacher = counting_teacher()
    for board in random_boards(60, seed=5)[::20]:
        pieces = board.piece_map().values()
        ahead = sum(worth[p.piece_type] * (1 if p.color == board.turn else -1) for p in pieces)
        assert judged(teacher, board) == ahead


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("empty", "is no network of Stockfish$"),
        ("text", "is no network of Stockfish$"),
        ("other layers", "another Stockfish than 15.1"),
        ("short", "not all of one"),
        ("long", "another Stockfish than 15.1"),
    ],
)
def test_another_file_is_refused(how: str, said: str, file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.nnue"
    other.write_bytes(spoiled(file.read_bytes(), how))
    with pytest.raises(ValueError, match=said):
        read_teacher(other)


@pytest.mark.skipif(shutil.which("sh") is None, reason="the engine is a script")
def test_an_engine_with_another_network_is_refused(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\necho nothing > teacher.nnue\n")
    engine.chmod(0o755)
    with pytest.raises(ValueError, match="has another network than Stockfish"):
        export_teacher(str(engine))


def test_stockfish_judges_likewise() -> None:
    try:
        engine = stockfish()
    except NotHereError as reason:
        pytest.skip(str(reason))
    boards = [board for board in random_boards(200, seed=3)[::8] if not board.is_check()]
    asked = "".join(f"position fen {board.fen()}\neval\n" for board in boards)
    said = subprocess.run([engine], input=asked, capture_output=True, text=True, check=True).stdout
    if not said.startswith("Stockfish 15.1 "):
        pytest.skip(f"this is {said.splitlines()[0]}, not 15.1")
    found = [float(number) for number in re.findall(r"NNUE evaluation\s+([+-][\d.]+)", said)]
    teacher = export_teacher(engine)
    ours: Array = np.array([judged(teacher, board) * (1 if board.turn else -1) for board in boards])
    assert np.abs(ours - found).max() < 0.011
