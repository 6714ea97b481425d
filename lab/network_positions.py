"""Positions to fit the network of chess to: quiet ones, as a search comes to them, and judged by a teacher.

    python lab/network_positions.py --games games.txt --count 20000000 --seed 1 --file positions.npz
    python lab/network_positions.py --games games.txt --from network.npy --count 20000000 --seed 2 --file more.npz

A search with quiescence takes its network's word mostly where nothing is left to be won by taking. Positions of good
games are much alike, and have little of what a search looks at. So from each given position a game is played on, and
positions near it are kept:

    lead        Each move is the best of some random ones by the network that the fitting begins with: so games come to
                where it thinks well of a position.
    stroll      From the positions of that game up to three random moves are played. These and those above lose nothing
                on their own target (`exchange`), or only rarely.
    resolve     Then whatever wins most by taking is taken, until nothing does. Positions in check are left out.

Some given positions are thinned first, by pairs of like pieces, one of each side. They are drawn so that there are
enough with few pieces, and of those that turn out to be decided most are left out: what a search has to tell apart is
nearly even.

The teacher is the network of Stockfish 15.1, without any search; the engine is asked for its network once, and for
nothing else. The scores in the file of games are not looked at. `--teacher counting` needs no engine: it counts pieces.
A tenth of the given positions is held out with what is made of them, 200,000 at the most: of one and the same position
many are made, some of them twice, so the given positions are divided and not what is made of them. `--from`: the
network that leads, in place of one with random weights. The file has some seventy bytes for each position (see
`network_boards.py`).
"""

import argparse
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import gametree as gt
from engines import NotHereError, refuse, stockfish
from gametree.games.chess.network import SCALE
from network_boards import (
    MOVES,
    Positions,
    attacked,
    describe,
    empty,
    exchange,
    king_of,
    list_moves,
    play,
    read_boards,
    resolve,
    take_back,
    thin,
)
from student_network import Network, new_network, outcome, read_network
from teacher_network import (
    Array,
    Teacher,
    compiled,
    counting_teacher,
    export_teacher,
    judge_by_teacher,
    read_teacher,
    room,
)

FULLNESS, SHARES = (8, 14, 20, 26), (0.02, 0.08, 0.22, 0.3, 0.38)
"""How often positions are drawn with fewer than so many pieces, and with as many as the last or more."""
THINNED, SETTLED = 0.35, 4
"""How often pairs of pieces are taken away, half of the time twice; and how many moves are not looked at then."""
LENGTH, CHOICES = 40, (2, 11)
"""Moves of a game; random moves of which the best is played: from the first to less than the second, by the game."""
EACH, OFTEN = 2, (0.35, 0.75, 0.95)
"""Positions after each move; where a random number is below the first, no random move leads there, and so on."""
SOUND, SOUND_TRIES, TRIES = 0.9, 8, 12
"""How often a random move may not lose anything, how many are drawn for it, and how many at all."""
AHEAD, KEPT = (3.0, 6.0, 10.0), (1.0, 0.6, 0.2, 0.05)
"""Pawns from which on a position is decided, or more than that; and how many are kept of the even ones and of these."""
LOST, FEWEST = 6, 3
"""Positions in a row with the second of these or more which end a game; so does one with so few pieces."""
MUCH = 1e9
"""More than any judgement."""
GAMES = 2000
"""Games at a time."""
HELD, LEAST = 200_000, 10
"""How many positions are held out at the most, and how many are made at the least."""
COUNTING = "counting"
"""The name of the teacher who needs no engine."""


# --- moves ------------------------------------------------------------------------------------------


@compiled
def draw_move(board: Array, turn: int, rng: Any, moves: Array, count: int, sound: bool) -> int:
    """One of these moves that may be played, or −1."""
    for attempt in range(TRIES if count else 0):
        move = moves[int(rng.random() * count)]
        if sound and attempt < SOUND_TRIES and exchange(board, turn, move) < 0:
            continue
        taken = board[move & 63]
        piece = board[move >> 6]
        if play(board, turn, move):
            take_back(board, move, piece, taken)
            return int(move)
    return -1


@compiled
def stroll(board: Array, turn: int, steps: int, rng: Any, moves: Array) -> int:
    """Plays so many random moves and returns whose turn it is then, or −1 where no move was found."""
    for _ in range(steps):
        count = list_moves(board, turn, moves)
        move = draw_move(board, turn, rng, moves, count, rng.random() < SOUND)
        if move < 0:
            return -1
        play(board, turn, move)
        turn = 1 - turn
    return turn


@compiled
def lead(board: Array, turn: int, choices: int, network: Network, desk: Any, rng: Any, moves: Array) -> bool:
    """Plays the best of some random moves; whether one was found."""
    one, mine, theirs = desk
    count = list_moves(board, turn, moves)
    best, chosen = np.float32(MUCH), -1
    for _ in range(choices):
        move = draw_move(board, turn, rng, moves, count, True)
        if move < 0:
            return False
        if move == chosen:
            continue
        piece, taken = board[move >> 6], board[move & 63]
        play(board, turn, move)
        one.pieces[0], one.turned[0], one.zone[0] = describe(board, 1 - turn, one.rows[0])
        worth = outcome(network, one, 0, mine, theirs)
        take_back(board, move, piece, taken)
        if worth < best:
            best, chosen = worth, move
    play(board, turn, chosen)
    return True


# --- positions --------------------------------------------------------------------------------------


@compiled
def begin(board: Array, turn: int, rng: Any) -> int:
    """Thins a position, perhaps, and returns how many moves are to be played first; −1 where a king can be taken."""
    if rng.random() >= THINNED:
        return 0
    thin(board, rng)
    if rng.random() < 0.5:
        thin(board, rng)
    return -1 if attacked(board, king_of(board, 1 - turn), turn) else SETTLED


@compiled
def near(board: Array, turn: int, first: bool, rng: Any, moves: Array) -> int:
    """Goes to a quiet position nearby and returns whose turn it is there, or −1; the first may be the same one."""
    draw, steps = rng.random(), 0
    if not first:
        draw = OFTEN[0] + (1 - OFTEN[0]) * draw
    while steps < len(OFTEN) and draw >= OFTEN[steps]:
        steps += 1
    turn = stroll(board, turn, steps, rng, moves)
    return resolve(board, turn, moves) if turn >= 0 else -1


@compiled
def decided(worth: float) -> int:
    """How far it is: 0 for an even position."""
    found = 0
    for pawns in AHEAD:
        found += abs(worth) >= pawns
    return found


@compiled
def play_on(
    given: Array,
    turns: Array,
    teacher: Teacher,
    space: Any,
    network: Network,
    desk: Any,
    rng: Any,
    into: Positions,
) -> int:
    """Plays a game from each of these positions, describes those near its moves, and returns how many they are."""
    moves, board = np.empty(MOVES, np.int64), np.empty(64, np.int8)
    sums, products = space
    made = 0
    for k in range(turns.size):
        game, turn = given[k], int(turns[k])
        first = begin(game, turn, rng)
        choices = CHOICES[0] + int(rng.random() * (CHOICES[1] - CHOICES[0]))
        lost, fewest = 0, 32
        for ply in range(LENGTH if first >= 0 else 0):
            for which in range(EACH if ply >= first else 0):
                board[:] = game
                mover = near(board, turn, which == 0, rng, moves)
                if mover < 0:
                    continue
                worth = judge_by_teacher(board, mover, teacher, sums, products)
                far = decided(worth)
                lost = lost + 1 if far >= 2 else 0
                pieces, turned, zone = describe(board, mover, into.rows[made])
                fewest = min(fewest, pieces)
                if rng.random() < KEPT[far]:
                    into.target[made] = 1 / (1 + np.exp(-worth / SCALE))
                    into.pieces[made], into.turned[made], into.zone[made] = pieces, turned, zone
                    made += 1
            if lost >= LOST or fewest <= FEWEST or not lead(game, turn, choices, network, desk, rng, moves):
                break
            turn = 1 - turn
    return made


def evenly(boards: Array) -> Array:
    """How likely each position is to be drawn."""
    part = np.searchsorted(FULLNESS, np.count_nonzero(boards, axis=1), side="right")
    chances = np.array(SHARES)[part] / np.bincount(part, minlength=len(SHARES))[part]
    found: Array = chances / chances.sum()
    return found


def make_positions(
    boards: Array, turns: Array, count: int, teacher: Teacher, network: Network, rng: Any
) -> Positions:
    """So many positions, or fewer where games come to none at all; the network is the one that leads."""
    positions, made = empty(count), 0
    upto = np.cumsum(evenly(boards))
    into = empty(GAMES * LENGTH * EACH + 1)  # what is described last need not be kept
    desk = empty(1), np.empty_like(network.begin), np.empty_like(network.begin)
    while made < count:
        picks = np.searchsorted(upto[:-1], rng.random(GAMES), side="right")
        more = play_on(boards[picks], turns[picks], teacher, room(), network, desk, rng, into)
        if not more:
            break
        more = min(more, count - made)
        for array, new in zip(positions, into):
            array[made : made + more] = new[:more]
        made += more
    return Positions(*(array[:made] for array in positions))


# --- to a file --------------------------------------------------------------------------------------


def teacher_of(name: str | None, engine: str | None) -> Teacher:
    """The teacher in a file, the one who counts, or that of an engine."""
    if name is None:
        return export_teacher(engine or stockfish())
    return counting_teacher() if name == COUNTING else read_teacher(Path(name))


def divided(
    games: Path, count: int, teacher: Teacher, network: Network, rng: Any
) -> tuple[Positions, Positions]:
    """What to fit the network to, and what is held out."""
    boards, turns = read_boards(games)
    held, rest = np.split(rng.permutation(len(boards)), [max(1, len(boards) // 10)])
    fewer = min(HELD, count // 10)
    found = []
    for places, share in ((rest, count - fewer), (held, fewer)):
        found.append(make_positions(boards[places], turns[places], share, teacher, network, rng))
        if not len(found[-1].target):
            raise ValueError(f"of {share} positions made of {len(places)} all are in check or decided")
    print(f"{' and '.join(str(len(made.target)) for made in found)} positions", flush=True)
    return found[0], found[1]


def write_positions(positions: Positions, held: Positions, file: Path) -> None:
    parts = {"": positions, "held_": held}
    arrays = {begin + name: array for begin, part in parts.items() for name, array in part._asdict().items()}
    with file.open("wb") as out:
        np.savez(out, **arrays)


def read_positions(file: Path) -> tuple[Positions, Positions]:
    """What `write_positions` wrote; ValueError where there is another thing in the file."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            found = [
                Positions(*(arrays[begin + name] for name in Positions._fields)) for begin in ("", "held_")
            ]
    except (KeyError, ValueError, TypeError, zipfile.BadZipFile) as reason:
        raise ValueError(f"{file} has no positions that network_positions.py wrote") from reason
    return found[0], found[1]


def make(given: argparse.Namespace) -> None:
    if given.count < LEAST:
        raise ValueError(f"--count is at least {LEAST}: a tenth of the positions is held out")
    if not given.file.parent.is_dir():  # found out now, and not when everything is done
        raise ValueError(f"there is no folder {given.file.parent} to write to")
    if len(read_boards(given.games)[0]) < 2:
        raise ValueError(f"{given.games} has one position; some have to be held out")
    rng = np.random.default_rng(given.seed)
    network = read_network(given.begin, rng) if given.begin else new_network(rng)
    teacher = teacher_of(given.teacher, given.engine)
    write_positions(*divided(given.games, given.count, teacher, network, rng), given.file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=Path, required=True, help="what chess_games.py wrote")
    parser.add_argument("--count", type=int, default=20_000_000, help="positions to make (70 bytes each)")
    parser.add_argument("--from", dest="begin", metavar="FILE", type=Path, help="the network that leads")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="Stockfish 15.1; the one on this machine where nothing is said")
    parser.add_argument(
        "--teacher", help="a file that `export_net` wrote, or counting, in place of the engine"
    )
    parser.add_argument("--file", type=Path, required=True, help="where to write the positions")
    try:
        make(parser.parse_args())
    except (OSError, ValueError, NotHereError, gt.InputError, subprocess.SubprocessError) as reason:
        refuse(reason)


if __name__ == "__main__":
    main()
