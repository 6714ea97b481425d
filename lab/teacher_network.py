"""Reads the network of Stockfish 15.1, and judges chess positions by it: the teacher of our network.

The engine writes its network to a file (`export_net FILE`). Numbers are whole, the lowest byte first; a weight of an
input stands beside those of the same input, a weight of a later layer beside those of the same output:

    4 bytes             version, 0x7AF32F20
    4                   which layers there are, 0x1C102EF2
    4, n                a text's length n, and the text
    4                   mark of the first layer
    2 · 1024            where the sums begin
    2 · 1024 · 22528    what the inputs weigh in the sums
    4 · 8 · 22528       what they weigh in the judgement itself, for few pieces to many
    8 times, for few pieces to many:
      4                 mark of the later layers
      4 · 16, 16 · 1024   second layer: where its numbers begin, and its weights
      4 · 32, 32 · 32     third layer; the last two weights of each 32 weigh nothing
      4 · 1, 32           fourth layer

How a position is judged, for the mover (m) and the other (o):

    inputs ─┬─> 1024 sums m ──> 512 products ─┬─> 16 ─┬─> 15 squared, 15 cut off ──> 32 ──> 1 ─┬─> judgement
            ├─> 1024 sums o ──> 512 products ─┘       └─> the last one ────────────────────────┤
            └─> (weights m − weights o) / 2 ───────────────────────────────────────────────────┘

inputs      Each side looks at the board from its own first rank, mirrored so that its king stands on files e to h. An
            input is a square of that king (32 of them: the eighth rank first, from h to e), a kind of piece (own pawn,
            other pawn, own knight … other queen, any king: 11) and its square (64).
products    sum i times sum 512 + i, both cut off at 0 and 127, divided by 128
cut off     a number divided by 64, then cut off at 0 and 127
squared     a number squared, divided by 2¹⁹, then cut off at 127
"""

import math
import struct
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit

F = TypeVar("F", bound=Callable[..., Any])
Array = np.ndarray[Any, np.dtype[Any]]

VERSION, LAYERS = 0x7AF32F20, 0x1C102EF2
SUMS, HALF = 1024, 512
KIND, KING = 64, 11 * 64
"""Inputs for a kind of piece, and for a square of the king."""
INPUTS = 32 * KING
PARTS = 8
SECOND, THIRD = 16, 32
CUT = 127
FINE = 16
"""The last numbers are so many parts of the engine's unit."""
STRAIGHT = (600 * FINE, CUT * 64)
"""What the sixteenth number of the second layer is multiplied with, and divided by."""
PAWN = 361.0
"""The engine's units in a pawn."""
SECONDS = 60.0
"""To write a file of 47 MB; an engine that needs longer is none that we know."""


class Teacher(NamedTuple):
    """The network as it lies in the file."""

    begin: Array
    inputs: Array
    straight: Array
    second_begin: Array
    second: Array
    third_begin: Array
    third: Array
    fourth_begin: Array
    fourth: Array


def compiled(function: F) -> F:
    """Numba's `njit`, typed. Kept nowhere: Numba would not notice that a function of another file changed."""
    return cast(F, njit(nogil=True, fastmath=True)(function))


# --- reading ----------------------------------------------------------------------------------------

FIRST_LAYER = ((np.int16, (SUMS,)), (np.int16, (INPUTS, SUMS)), (np.int32, (INPUTS, PARTS)))
LATER_LAYERS = (
    (np.int32, (SECOND,)),
    (np.int8, (SECOND, SUMS)),
    (np.int32, (THIRD,)),
    (np.int8, (THIRD, THIRD)),
    (np.int32, (1,)),
    (np.int8, (THIRD,)),
)


def read_teacher(file: Path) -> Teacher:
    """The network in a file; ValueError where there is another thing in it."""
    content = file.read_bytes()
    length = 0
    if len(content) >= 12:
        version, layers, length = struct.unpack_from("<III", content)
    if len(content) < 12 or version != VERSION:
        raise ValueError(f"{file} is no network of Stockfish")
    later = sum(4 + sum(size(kind, shape) for kind, shape in LATER_LAYERS) for _ in range(PARTS))
    if layers != LAYERS or len(content) != 16 + length + sum(size(*array) for array in FIRST_LAYER) + later:
        raise ValueError(f"{file} is a network of another Stockfish than 15.1, or not all of one")
    first, at = arrays(content, 16 + length, FIRST_LAYER)
    parts = []
    for _ in range(PARTS):
        part, at = arrays(content, at + 4, LATER_LAYERS)
        parts.append(part)
    return Teacher(*first, *(np.stack(same) for same in zip(*parts)))


def size(kind: Any, shape: tuple[int, ...]) -> int:
    return math.prod(shape) * int(np.dtype(kind).itemsize)


def arrays(content: bytes, at: int, layout: Any) -> tuple[list[Array], int]:
    """The arrays that lie there one behind the other, and where the last ends."""
    found = []
    for kind, shape in layout:
        there = np.frombuffer(content, np.dtype(kind).newbyteorder("<"), math.prod(shape), at)
        found.append(there.reshape(shape).astype(kind))
        at += size(kind, shape)
    return found, at


def export_teacher(engine: str) -> Teacher:
    """The network of an engine."""
    with tempfile.TemporaryDirectory() as folder:
        # An engine takes a name only up to the first blank, so it is told none of the folder's.
        subprocess.run(
            [engine],
            input="export_net teacher.nnue\nquit\n",
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
            timeout=SECONDS,
        )
        file = Path(folder) / "teacher.nnue"
        if not file.exists():
            raise ValueError(f"{engine} wrote no network when told to `export_net`; Stockfish 15.1 does")
        try:
            return read_teacher(file)
        except ValueError as error:
            raise ValueError(f"{engine} has another network than Stockfish 15.1") from error


def counting_teacher() -> Teacher:
    """A network that counts pieces (pawn 1, knight and bishop 3, rook 5, queen 9), for those who have no engine."""
    teacher = Teacher(
        *(np.zeros(shape, kind) for kind, shape in FIRST_LAYER),
        *(np.zeros((PARTS, *shape), kind) for kind, shape in LATER_LAYERS),
    )
    kinds = teacher.straight.reshape(32, 11, KIND, PARTS)
    for kind, worth in enumerate((1, 3, 3, 5, 9)):
        kinds[:, 2 * kind], kinds[:, 2 * kind + 1] = worth * FINE * PAWN, -worth * FINE * PAWN
    return teacher


# --- judging ----------------------------------------------------------------------------------------


@compiled
def toward_zero(number: int, divisor: int) -> int:
    return number // divisor if number >= 0 else -(-number // divisor)


@compiled
def cut_off(number: int) -> int:
    return min(max(number, 0), CUT)


@compiled
def add_inputs(board: Array, side: int, part: int, teacher: Teacher, sums: Array) -> int:
    """Adds up what a side sees, and returns what it weighs in the judgement itself."""
    king = 0
    for square in range(64):
        if board[square] == 6 + 6 * side:
            king = square
    flip = (56 if side == 1 else 0) ^ (7 if king & 7 < 4 else 0)
    seen = king ^ flip
    first = KING * (4 * (7 - (seen >> 3)) + 7 - (seen & 7))
    for i in range(SUMS):
        sums[i] = teacher.begin[i]
    straight = 0
    for square in range(64):
        piece = int(board[square])
        if piece:
            kind, colour = (piece - 1) % 6, (piece - 1) // 6
            place = 10 if kind == 5 else 2 * kind + (0 if colour == side else 1)
            index = first + KIND * place + (square ^ flip)
            for i in range(SUMS):
                sums[i] += teacher.inputs[index, i]
            straight += int(teacher.straight[index, part])
    return straight


@compiled
def judge_by_layers(products: Array, part: int, teacher: Teacher) -> int:
    """The layers behind the first, in parts of the engine's unit."""
    inner = np.zeros(THIRD, np.int64)
    last = 0
    for j in range(SECOND):
        number = int(teacher.second_begin[part, j])
        for i in range(SUMS):
            number += int(teacher.second[part, j, i]) * int(products[i])
        if j < SECOND - 1:
            inner[j] = min(number * number >> 19, CUT)
            inner[SECOND - 1 + j] = cut_off(number >> 6)
        else:
            last = number
    total = int(teacher.fourth_begin[part, 0])
    for j in range(THIRD):
        number = int(teacher.third_begin[part, j])
        for i in range(2 * SECOND - 2):
            number += int(teacher.third[part, j, i]) * int(inner[i])
        total += int(teacher.fourth[part, j]) * cut_off(number >> 6)
    return total + toward_zero(last * STRAIGHT[0], STRAIGHT[1])


@compiled
def judge_by_teacher(board: Array, turn: int, teacher: Teacher, sums: Array, products: Array) -> float:
    """What a position is worth to the player to move, in pawns.

    A board is 64 numbers, a1 first: 0 for an empty square, 1 to 6 for White's pawn to king, 7 to 12 for Black's. The
    last two arrays (`room()`) are written over; they are not made here, for millions of positions are judged.
    """
    count = 0
    for square in range(64):
        if board[square]:
            count += 1
    part = (count - 1) // 4
    straight = 0
    for k in range(2):
        weight = add_inputs(board, turn if k == 0 else 1 - turn, part, teacher, sums)
        straight += weight if k == 0 else -weight
        for i in range(HALF):
            products[HALF * k + i] = cut_off(int(sums[i])) * cut_off(int(sums[HALF + i])) >> 7
    return (toward_zero(straight, 2) + judge_by_layers(products, part, teacher)) / (FINE * PAWN)


def room() -> tuple[Array, Array]:
    """The arrays that `judge_by_teacher` writes over."""
    return np.zeros(SUMS, np.int16), np.zeros(SUMS, np.uint8)
