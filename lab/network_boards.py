"""Boards of 64 numbers (see `judge_by_teacher`) to make positions for the network of chess of: moves, exchanges, rows.

A move is refused that takes a king or leaves its own to be taken; nobody castles or takes en passant, and pawns become
queens. A position takes some seventy bytes:

    rows        up to 32 rows of the network (`gametree/games/chess/network.py`), as the mover sees the pieces
    pieces      how many
    turned      what the squares of these rows have to be exclusive-ored with, to be what the other sees
    zone        the zone of the other's king, whose weights are for what the other sees
    target      the mover's chance to win, by the teacher: from 0 to 1
"""

import re
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

import gametree as gt
from gametree.games.chess.network import BEGIN, ZONES, view, zone
from gametree.games.chess.notation import read_fen
from teacher_network import Array, compiled

WHOLE = BEGIN // ZONES
HALFWAY = WHOLE // 2
"""The rows of a zone; those from here on are for the other's pieces."""
PAIRS = 6
"""How many pairs of pieces are taken away at the most,"""
PAIRED = (0.45, 0.58, 0.72, 0.87, 1.0)
"""and of which kind: pawns where a random number is below the first, and so on."""
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
COUNTED = np.array([0, 1, 3, 3, 5, 9, 100, 1, 3, 3, 5, 9, 100])
"""Pawns that a board's numbers count in an exchange."""
RESOLVED = 8
"""Captures one after the other until a position is given up."""
STEPS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
"""Files and ranks: first the directions of a rook, then those of a bishop."""
JUMPS = np.array([(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)])
MOVES = 512
"""More than thirty-two pieces can have."""


class Positions(NamedTuple):
    """See above."""

    rows: Array
    pieces: Array
    turned: Array
    zone: Array
    target: Array


# --- reading ----------------------------------------------------------------------------------------

LINE = re.compile("([1-8PNBRQKpnbrqk/]+) ([wb]) [^;]*;-?[0-9]{1,5}")
EMPTY = str.maketrans({str(n): "." * n for n in range(1, 9)})
CODES = np.zeros(128, np.int8)
CODES[[ord(letter) for letter in "PNBRQKpnbrqk"]] = range(1, 13)


def read_boards(file: Path) -> tuple[Array, Array]:
    """Boards (see `judge_by_teacher`) and whose turn it is, each once, from lines POSITION;SCORE.

    `read_fen` would take minutes for a million lines; it is asked only what is wrong with one.
    """
    lines: dict[str, str] = {}
    for line in file.read_text("utf-8", errors="replace").splitlines():
        found = LINE.fullmatch(line)
        ranks = found[1].translate(EMPTY) if found else ""
        if not found or len(ranks) != 71 or ranks[8::9] != "///////":
            complain(line)
        lines[f"{ranks}/{found[2]}"] = line
    if not lines:
        raise gt.InputError(f"{file} has no positions")
    letters = np.frombuffer("".join(lines).encode(), np.uint8).reshape(-1, 73)
    codes = CODES[letters[:, :72].reshape(-1, 8, 9)[:, ::-1, :8]].reshape(-1, 64)
    pawns = (codes[:, [*range(8), *range(56, 64)]] - 1) % 6 == PAWN
    wrong = pawns.any(axis=1) | (np.count_nonzero(codes, axis=1) > 32)
    for king in (6, 12):
        wrong |= np.count_nonzero(codes == king, axis=1) != 1
    if wrong.any():
        complain(list(lines.values())[int(wrong.argmax())])
    return codes, (letters[:, 72] == ord("b")).astype(np.int8)


def complain(line: str) -> NoReturn:
    fen, _, score = line.partition(";")
    if re.fullmatch("-?[0-9]{1,5}", score):
        read_fen(fen, False)
    raise gt.InputError(f"a line is POSITION;SCORE, not {line[:80]!r}")


# --- moves ------------------------------------------------------------------------------------------


@compiled
def on_board(file: int, rank: int) -> bool:
    return 0 <= file < 8 and 0 <= rank < 8


@compiled
def king_of(board: Array, side: int) -> int:
    for square in range(64):
        if board[square] == 6 + 6 * side:
            return square
    return -1


@compiled
def attacked(board: Array, square: int, by: int) -> bool:
    """Whether that side attacks the square."""
    own = 1 + 6 * by
    behind = -1 if by == 0 else 1
    for k in range(8):
        file, rank = (square & 7) + JUMPS[k, 0], (square >> 3) + JUMPS[k, 1]
        if on_board(file, rank) and board[rank * 8 + file] == own + KNIGHT:
            return True
        across, up = STEPS[k, 0], STEPS[k, 1]
        file, rank, near = (square & 7) + across, (square >> 3) + up, True
        while on_board(file, rank):
            piece = board[rank * 8 + file]
            if piece:
                if piece == own + QUEEN or piece == own + (ROOK if k < 4 else BISHOP):
                    return True
                if near and (piece == own + KING or (k >= 4 and up == behind and piece == own + PAWN)):
                    return True
                break
            file, rank, near = file + across, rank + up, False
    return False


@compiled
def pawn_moves(board: Array, square: int, turn: int, moves: Array, found: int) -> int:
    up = 1 if turn == 0 else -1
    other = 7 - 6 * turn
    ahead = square + 8 * up
    if board[ahead] == 0:
        moves[found] = square << 6 | ahead
        found += 1
        if square >> 3 == (1 if turn == 0 else 6) and board[ahead + 8 * up] == 0:
            moves[found] = square << 6 | ahead + 8 * up
            found += 1
    for across in (-1, 1):
        if 0 <= (square & 7) + across < 8 and other <= board[ahead + across] < other + 6:
            moves[found] = square << 6 | ahead + across
            found += 1
    return found


@compiled
def piece_moves(board: Array, square: int, kind: int, turn: int, moves: Array, found: int) -> int:
    own = 1 + 6 * turn
    for k in range(8):
        if (kind == BISHOP and k < 4) or (kind == ROOK and k >= 4):
            continue
        across = JUMPS[k, 0] if kind == KNIGHT else STEPS[k, 0]
        up = JUMPS[k, 1] if kind == KNIGHT else STEPS[k, 1]
        file, rank = (square & 7) + across, (square >> 3) + up
        while on_board(file, rank):
            target = rank * 8 + file
            if own <= board[target] < own + 6:
                break
            moves[found] = square << 6 | target
            found += 1
            if board[target] or kind in (KNIGHT, KING):
                break
            file, rank = file + across, rank + up
    return found


@compiled
def list_moves(board: Array, turn: int, moves: Array) -> int:
    """Writes moves as origin · 64 + target, and returns how many; some may leave the king to be taken."""
    found = 0
    for square in range(64):
        kind = int(board[square]) - 1 - 6 * turn
        if kind == PAWN:
            found = pawn_moves(board, square, turn, moves, found)
        elif PAWN < kind <= KING:
            found = piece_moves(board, square, kind, turn, moves, found)
    return found


@compiled
def play(board: Array, turn: int, move: int) -> bool:
    """Makes a move, unless it takes a king or leaves its own to be taken; pawns become queens."""
    origin, target = move >> 6, move & 63
    piece, taken = board[origin], board[target]
    if taken == 6 or taken == 12:
        return False
    board[origin] = 0
    board[target] = piece
    if (piece == 1 and target >= 56) or (piece == 7 and target < 8):
        board[target] = piece + QUEEN
    if attacked(board, king_of(board, turn), 1 - turn):
        board[origin] = piece
        board[target] = taken
        return False
    return True


@compiled
def take_back(board: Array, move: int, piece: int, taken: int) -> None:
    """Puts back what a move took and what made it."""
    board[move >> 6] = piece
    board[move & 63] = taken


@compiled
def promotes(board: Array, move: int) -> bool:
    piece, target = board[move >> 6], move & 63
    return bool((piece == 1 and target >= 56) or (piece == 7 and target < 8))


# --- exchanges --------------------------------------------------------------------------------------


@compiled
def least_attacker(board: Array, square: int, by: int) -> int:
    """Where the least piece of that side stands that attacks the square, or −1."""
    own = 1 + 6 * by
    behind = -1 if by == 0 else 1
    least, found = KING + 1, -1
    for k in range(8):
        file, rank = (square & 7) + JUMPS[k, 0], (square >> 3) + JUMPS[k, 1]
        if least > KNIGHT and on_board(file, rank) and board[rank * 8 + file] == own + KNIGHT:
            least, found = KNIGHT, rank * 8 + file
        across, up = STEPS[k, 0], STEPS[k, 1]
        file, rank, near = (square & 7) + across, (square >> 3) + up, True
        while on_board(file, rank):
            kind = int(board[rank * 8 + file]) - own
            if board[rank * 8 + file]:
                straight = kind == QUEEN or kind == (ROOK if k < 4 else BISHOP)
                beside = near and (kind == KING or (k >= 4 and up == behind and kind == PAWN))
                if (straight or beside) and kind < least:
                    least, found = kind, rank * 8 + file
                break
            file, rank, near = file + across, rank + up, False
    return found


@compiled
def exchange(board: Array, turn: int, move: int) -> int:
    """Pawns that a move wins or loses on its target, where each side takes there with its least piece or stops."""
    origin, target = move >> 6, move & 63
    gains = np.zeros(32, np.int64)
    squares, taken = np.zeros(32, np.int64), np.zeros(32, np.int8)
    standing = board[target]
    risk = COUNTED[board[origin]]
    gains[0] = COUNTED[standing]
    if promotes(board, move):
        gains[0] += COUNTED[1 + QUEEN] - COUNTED[1]
        risk = COUNTED[1 + QUEEN]
    squares[0], taken[0] = origin, board[origin]
    board[origin] = 0
    board[target] = taken[0]
    side, count = 1 - turn, 1
    while count < 32:
        square = least_attacker(board, target, side)
        if square < 0:
            break
        gains[count] = risk - gains[count - 1]
        squares[count], taken[count] = square, board[square]
        risk = COUNTED[board[square]]
        board[square] = 0
        board[target] = taken[count]
        side, count = 1 - side, count + 1
    for k in range(count - 1, -1, -1):
        board[squares[k]] = taken[k]
    board[target] = standing
    for k in range(count - 1, 0, -1):
        gains[k - 1] = -max(-gains[k - 1], gains[k])
    return int(gains[0])


@compiled
def resolve(board: Array, turn: int, moves: Array) -> int:
    """Plays what wins most on its target until nothing does, and returns whose turn it is then; −1 in check."""
    for _ in range(RESOLVED):
        best, chosen = 0, -1
        for k in range(list_moves(board, turn, moves)):
            origin, target = moves[k] >> 6, moves[k] & 63
            if board[target] or promotes(board, moves[k]):
                gain = exchange(board, turn, moves[k])
                if gain > best:
                    piece, taken = board[origin], board[target]
                    if play(board, turn, moves[k]):
                        take_back(board, moves[k], piece, taken)
                        best, chosen = gain, moves[k]
        if chosen < 0:
            return -1 if attacked(board, king_of(board, turn), 1 - turn) else turn
        play(board, turn, chosen)
        turn = 1 - turn
    return -1


# --- other material ---------------------------------------------------------------------------------


@compiled
def one_of(board: Array, piece: int, rng: Any) -> int:
    """A square where such a piece stands, or −1."""
    found, chosen = 0, -1
    for square in range(64):
        if board[square] == piece:
            found += 1
            if rng.random() * found < 1.0:
                chosen = square
    return chosen


@compiled
def thin(board: Array, rng: Any) -> None:
    """Takes some pairs of like pieces away, one of each side."""
    for _ in range(1 + int(rng.random() * PAIRS)):
        draw, kind = rng.random(), PAWN
        while draw >= PAIRED[kind]:
            kind += 1
        white, black = one_of(board, 1 + kind, rng), one_of(board, 7 + kind, rng)
        if white >= 0 and black >= 0:
            board[white] = board[black] = 0


# --- descriptions -----------------------------------------------------------------------------------

seen_from, zone_of = compiled(view), compiled(zone)


@compiled
def describe(board: Array, turn: int, rows: Array) -> tuple[int, int, int]:
    """Writes the rows of a position, and returns how many they are, what turns them, and the other's zone."""
    king, other = king_of(board, turn), king_of(board, 1 - turn)
    flip, other_flip = seen_from(turn, king), seen_from(1 - turn, other)
    first = zone_of(king ^ flip) * WHOLE
    count = 0
    for square in range(64):
        piece = int(board[square])
        if piece:
            kind, colour = (piece - 1) % 6, (piece - 1) // 6
            rows[count] = first + (0 if colour == turn else HALFWAY) + kind * 64 + (square ^ flip)
            count += 1
    return count, flip ^ other_flip, zone_of(other ^ other_flip)


def empty(count: int) -> Positions:
    return Positions(
        np.zeros((count, 32), np.uint16),
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint8),
        np.zeros(count, np.float32),
    )
