"""Positions of chess games, and what an engine says of them: the first step to the weights and to the network.

    python lab/chess_games.py --seconds 600 --seed 1 --file games.txt
    python lab/chess_games.py --even --seconds 600 --seed 1 --file games.txt

A UCI engine (Stockfish where nothing is said) plays thousands of games against itself at a small depth, all a move
further at a time, after some random moves and with random moves among its own. A line of the file: a position, and the
engine's score for White in hundredths of a pawn. Positions in check, those whose best move takes or promotes, and lost
ones are left out. `--even`: few random moves, games given up as soon as one side is ahead, all positions but those in
check: more like the games of good players.

`--rounds N` lets every game go on by N moves, whatever the time: with the same seed and engine the same file.
`--engine counting` needs no engine: a player who counts pieces and takes what is worth most.

It needs the extra `test` (for python-chess).
"""

import argparse
import itertools
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import chess

from engines import NotHereError, refuse, stockfish

DEPTH = 4
GAMES = 4096
"""Games under way at a time."""
MATE = 32_000
"""What a mate counts as, in hundredths of a pawn."""
LONGEST, QUIET = 140, 40
"""Plies of a game, and plies in it without a capture or pawn move."""
COUNTING = "counting"
"""The name of the player who needs no engine."""
WORTH = {
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 300,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}
Judge = Callable[[Sequence[str]], Iterator[tuple[chess.Move, int]]]
"""For each position the move that would be played, and the score to the player to move."""


@dataclass(frozen=True)
class Manner:
    """How games are played, and what is kept of them."""

    chances: tuple[float, ...]
    """How often a random move is played: one of these in each game."""
    decided: int
    """A score of so many hundredths of a pawn decides a game,"""
    times: int
    """so many times in a row."""
    kept: int
    """Positions with greater scores are left out."""
    loud: bool
    """Whether positions are kept whose best move takes or promotes."""


LOOSE = Manner((0.0, 0.05, 0.15, 0.3), 900, 4, 1000, False)
EVEN = Manner((0.0, 0.01, 0.03, 0.06), 350, 2, 350, True)


@dataclass
class Game:
    """A game under way."""

    board: chess.Board
    chance: float
    """How often a random move is played."""
    manner: Manner = LOOSE
    decided: int = 0
    """For how many moves one side has been far ahead."""

    @property
    def is_over(self) -> bool:
        board = self.board
        over = self.decided >= self.manner.times or board.halfmove_clock >= QUIET or board.ply() > LONGEST
        return over or board.is_game_over(claim_draw=False)


def new_game(rng: random.Random, manner: Manner = LOOSE) -> Game:
    """A game after some random moves."""
    while True:
        board = chess.Board()
        for _ in range(rng.choice((4, 6, 7, 8, 8, 9, 10, 12))):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return Game(board, rng.choice(manner.chances), manner)


def judged(engine: str, fens: Sequence[str]) -> Iterator[tuple[chess.Move, int]]:
    """The engine's move in every position, and its score to the player to move.

    All are asked at once and the answers read when the engine is done: to wait for each would take several times as
    long.
    """
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as said:
        asked.write("setoption name Hash value 16\n")
        asked.writelines(f"position fen {fen}\ngo depth {DEPTH}\n" for fen in fens)
        asked.write("isready\n")  # answered behind the last move
        asked.seek(0)
        subprocess.run([engine], stdin=asked, stdout=said, check=True)
        said.seek(0)
        score = 0
        for line in said:
            words = line.split()
            if "score" in words:
                kind, number = words[words.index("score") + 1 :][:2]
                score = int(number) if kind == "cp" else MATE if int(number) > 0 else -MATE
            elif words[:1] == ["bestmove"]:
                yield chess.Move.from_uci(words[1]), score


def counted(fens: Sequence[str]) -> Iterator[tuple[chess.Move, int]]:
    """The same of a player who counts pieces: takes what is worth most, else makes the first move there is."""

    def worth(piece: chess.Piece | None) -> int:
        return 0 if piece is None else WORTH[piece.piece_type]

    for fen in fens:
        board = chess.Board(fen)
        score = sum(
            worth(piece) * (1 if piece.color == board.turn else -1) for piece in board.piece_map().values()
        )
        yield max(board.legal_moves, key=lambda move: worth(board.piece_at(move.to_square))), score


def write_games(
    judge: Judge, file: IO[str], rng: random.Random, games: int, manner: Manner, until: Iterator[int]
) -> int:
    """Lets games go on for as long as there are rounds, and returns how many positions were written."""
    lines = 0
    under_way = [new_game(rng, manner) for _ in range(games)]
    for _ in until:
        fens = [game.board.fen() for game in under_way]
        for k, (move, score) in enumerate(judge(fens)):
            game, board = under_way[k], under_way[k].board
            calm = manner.loud or not (board.is_capture(move) or move.promotion)
            if calm and not board.is_check() and abs(score) <= manner.kept:
                file.write(f"{fens[k]};{score if board.turn else -score}\n")
                lines += 1
            game.decided = game.decided + 1 if abs(score) > manner.decided else 0
            board.push(rng.choice(list(board.legal_moves)) if rng.random() < game.chance else move)
            if game.is_over:
                under_way[k] = new_game(rng, manner)
        file.flush()
    return lines


def for_seconds(seconds: float) -> Iterator[int]:
    """Rounds until the time is up."""
    end = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count())


def judge_of(engine: str | None) -> Judge:
    """The engine of that name, or the player who needs none."""
    if engine == COUNTING:
        return counted
    name = engine or stockfish()
    return lambda fens: judged(name, fens)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", help="Stockfish where nothing is said; counting for none")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--rounds", type=int, help="in place of seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--even", action="store_true", help="few random moves, nobody far ahead")
    parser.add_argument("--games", type=int, default=GAMES, help="games under way at a time")
    parser.add_argument("--file", type=Path, required=True, help="what is there already stays")
    given = parser.parse_args()
    until = for_seconds(given.seconds) if given.rounds is None else iter(range(given.rounds))
    try:
        judge = judge_of(given.engine)
        with given.file.open("a", encoding="utf-8") as file:
            rng, manner = random.Random(given.seed), EVEN if given.even else LOOSE
            lines = write_games(judge, file, rng, given.games, manner, until)
    except (OSError, NotHereError, subprocess.SubprocessError) as reason:
        refuse(reason)
    print(f"{lines} positions", file=sys.stderr)


if __name__ == "__main__":
    main()
