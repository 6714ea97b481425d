"""Positions to fit the network of chess to: not far away from given ones, and judged by a teacher.

A network that a search asks sees what a search sees: pieces that hang, exchanges half done, blunders. Positions of good
games have little of it, so that from each up to four random moves are played; for a third of these a capture is looked
for first. A move is refused that takes a king or leaves its own to be taken; nobody castles or takes en passant.
Positions in check are left out: a search does not judge them.

The positions of some ten thousand games are much alike, and a network learns them by heart. So half of them are thinned
first, by pairs of like pieces, one of each side, and in some a few pieces are put elsewhere. Given positions are drawn
so that there are about as many with few pieces as with many, and of those that turn out to be decided most are left
out: what a search has to tell apart is nearly even.

A position takes some seventy bytes:

    rows        up to 32 rows of the network (`chess_network.py`), as the mover sees the pieces
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
from gametree.games.chess_network import BEGIN, SCALE, ZONES, view, zone
from gametree.games.chess_notation import read_fen
from teacher_network import Array, Teacher, compiled, judge_by_teacher, room

WHOLE = BEGIN // ZONES
HALFWAY = WHOLE // 2
"""The rows of a zone; those from here on are for the other's pieces."""
FULLNESS, SHARES = (8, 14, 20, 26), (0.05, 0.13, 0.21, 0.27, 0.34)
"""How often positions are drawn with fewer than so many pieces, and with as many as the last or more."""
THINNED, PAIRS = 0.5, 6
"""How often pairs of pieces are taken away, and how many at the most."""
PAIRED = (0.45, 0.58, 0.72, 0.87, 1.0)
"""Of which kind: pawns where a random number is below the first, and so on."""
MIXED, PUT = 0.4, 3
"""How often pieces are put elsewhere, and how many at the most."""
AHEAD, KEPT = (3.0, 7.0), (1.0, 0.5, 0.2)
"""Pawns from which on a position is decided, or more than that; and how many are kept of the even ones and of these."""
LENGTHS, OFTEN = (0, 1, 2, 3, 4), (0.25, 0.33, 0.22, 0.12, 0.08)
"""How many random moves are played, and how often so many."""
CAPTURES = 0.35
"""How often a capture is looked for."""
TRIES = 12
"""Moves drawn until one may be played; in the first half captures only, where one is looked for."""
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
STEPS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)])
"""Files and ranks: first the directions of a rook, then those of a bishop."""
JUMPS = np.array([(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)])
MOVES = 512
"""More than thirty-two pieces can have."""
CHUNK = 100_000
"""Positions made at a time: their boards are needed no longer than that."""


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


# --- random moves -----------------------------------------------------------------------------------


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
def wander(board: Array, turn: int, steps: int, rng: Any, moves: Array) -> int:
    """Plays so many random moves and returns whose turn it is then, or −1 where no move was found."""
    for _ in range(steps):
        count = list_moves(board, turn, moves)
        capture = rng.random() < CAPTURES
        played = False
        for attempt in range(TRIES if count else 0):
            move = moves[int(rng.random() * count)]
            if capture and attempt < TRIES // 2 and board[move & 63] == 0:
                continue
            if play(board, turn, move):
                played = True
                break
        if not played:
            return -1
        turn = 1 - turn
    return turn


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


@compiled
def mix(board: Array, rng: Any) -> None:
    """Puts some pieces on empty squares elsewhere; kings stay, and pawns stay off the first and last rank."""
    for _ in range(1 + int(rng.random() * PUT)):
        for _ in range(TRIES):
            origin, target = int(rng.random() * 64), int(rng.random() * 64)
            kind = (int(board[origin]) - 1) % 6
            on_edge = target < 8 or target >= 56
            if board[origin] and kind != KING and not board[target] and not (kind == PAWN and on_edge):
                board[target] = board[origin]
                board[origin] = 0
                break


@compiled
def alter(board: Array, turn: int, rng: Any) -> bool:
    """Thins and mixes a position, perhaps; whether one is left in which no king can be taken."""
    if rng.random() < THINNED:
        thin(board, rng)
    if rng.random() < MIXED:
        mix(board, rng)
    return not attacked(board, king_of(board, 1 - turn), turn)


# --- positions --------------------------------------------------------------------------------------

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


@compiled
def wander_from(boards: Array, turns: Array, steps: Array, rng: Any) -> int:
    """Alters these boards and plays on, moves those that are worth judging to the front, and returns how many."""
    moves = np.empty(MOVES, np.int64)
    made = 0
    for k in range(steps.size):
        board = boards[k]
        if not alter(board, int(turns[k]), rng):
            continue
        turn = wander(board, int(turns[k]), steps[k], rng, moves)
        if turn >= 0 and not attacked(board, king_of(board, turn), 1 - turn):
            for square in range(64):
                boards[made, square] = board[square]
            turns[made] = turn
            made += 1
    return made


@compiled
def describe_all(
    boards: Array, turns: Array, teacher: Teacher, rng: Any, sums: Array, products: Array, into: Positions
) -> int:
    """Describes those of the positions that are kept, and returns how many."""
    made = 0
    for k in range(turns.size):
        turn = int(turns[k])
        worth = judge_by_teacher(boards[k], turn, teacher, sums, products)
        decided = (abs(worth) >= AHEAD[0]) + (abs(worth) >= AHEAD[1])
        if rng.random() < KEPT[decided]:
            into.target[made] = 1 / (1 + np.exp(-worth / SCALE))
            found = describe(boards[k], turn, into.rows[made])
            into.pieces[made], into.turned[made], into.zone[made] = found
            made += 1
    return made


def evenly(boards: Array) -> Array:
    """How likely each position is to be drawn."""
    part = np.searchsorted(FULLNESS, np.count_nonzero(boards, axis=1), side="right")
    chances = np.array(SHARES)[part] / np.bincount(part, minlength=len(SHARES))[part]
    found: Array = chances / chances.sum()
    return found


def make_positions(boards: Array, turns: Array, count: int, teacher: Teacher, rng: Any) -> Positions:
    """Up to so many positions: those that turn out to be in check, or decided, are not replaced."""
    positions, made = empty(count), 0
    upto = np.cumsum(evenly(boards))
    for start in range(0, count, CHUNK):
        size = min(CHUNK, count - start)
        picks = np.searchsorted(upto[:-1], rng.random(size), side="right")
        there, turn = boards[picks], turns[picks]
        more = wander_from(there, turn, rng.choice(LENGTHS, size, p=OFTEN), rng)
        into = Positions(*(array[made : made + more] for array in positions))
        made += describe_all(there[:more], turn[:more], teacher, rng, *room(), into)
    return Positions(*(array[:made] for array in positions))


def empty(count: int) -> Positions:
    return Positions(
        np.zeros((count, 32), np.uint16),
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint8),
        np.zeros(count, np.uint8),
        np.zeros(count, np.float32),
    )
