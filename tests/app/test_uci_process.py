"""`gametree uci` as a process of its own, at the other end of a pipe."""

import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import chess
import chess.engine
import pytest

# Read when tests are collected: here the machine code of the whole session is kept.
ENVIRONMENT = dict(os.environ)
COMMAND = [sys.executable, "-m", "gametree", "uci", "--hash", "8"]
PROTOCOL = re.compile(r"id (name|author) |option name |uciok$|readyok$|info |bestmove ")


@contextmanager
def started(*more: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [*COMMAND, *more],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        # Whoever runs the tests in the background may have had interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) if os.name == "posix" else None,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def talk(process: "subprocess.Popen[str]", *lines: str, until: str) -> list[str]:
    """Sends lines, and gives what is said up to a line that begins so."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    said: list[str] = []
    while not said or not said[-1].startswith(until):
        line = process.stdout.readline()
        assert line, f"the process ended after {said}"
        said.append(line.rstrip("\n"))
    return said


def test_a_conversation_and_its_end() -> None:
    with started() as process:
        said = talk(process, "uci", until="uciok")
        said += talk(process, "isready", until="readyok")
        said += talk(process, "rubbish", "position startpos moves e2e5", "isready", until="readyok")
        said += talk(process, "position startpos moves e2e4", "go depth 2", until="bestmove")
        assert sum("error" in line for line in said) == 2
        move = chess.Move.from_uci(said[-1].split()[1])
        assert chess.Board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").is_legal(move)
        said += talk(process, "go infinite", until="info depth 1 ")
        said += talk(process, "isready", until="readyok")
        said += talk(process, "stop", until="bestmove")
        assert process.stdin is not None
        rest, errors = process.communicate("go infinite\nquit\n", timeout=60)
    assert process.returncode == 0 and errors == ""
    assert all(PROTOCOL.match(line) for line in (*said, *rest.splitlines()))


def test_the_end_of_the_input_ends_a_search_without_end() -> None:
    with started() as process:
        talk(process, "go infinite", until="info depth 1 ")
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and errors == ""


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_ctrl_c_ends_it_politely() -> None:
    with started() as process:
        talk(process, "go infinite", until="info depth 1 ")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and errors == "\ngametree: interrupted\n"


def test_an_option_out_of_range_is_refused_on_the_command_line() -> None:
    done = subprocess.run([*COMMAND, "--threads", "0"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == "gametree: --threads: Threads is a whole number from 1 to 64, not '0'\n"


# --- python-chess as the program --------------------------------------------------------------------


def play(engine: chess.engine.SimpleEngine, limit: chess.engine.Limit, seed: int, plies: int) -> chess.Board:
    """A game against random moves, each side at every second seed; python-chess refuses what is not legal."""
    rng = random.Random(seed)
    board = chess.Board()
    if seed % 5 == 0:
        board = chess.Board.from_chess960_pos(rng.randrange(960))
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < plies:
        if board.turn == bool(seed % 2):
            played = engine.play(board, limit, game=seed, info=chess.engine.INFO_ALL)
            assert played.move is not None and board.is_legal(played.move)
            board.push(played.move)
        else:
            board.push(rng.choice(list(board.legal_moves)))
    return board


def test_python_chess_plays_and_analyzes_with_it() -> None:
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120, env=ENVIRONMENT) as engine:
        assert engine.id["name"].startswith("gametree")
        board = play(engine, chess.engine.Limit(nodes=300), seed=1, plies=30)
        assert len(board.move_stack) >= 4
        play(engine, chess.engine.Limit(depth=1), seed=5, plies=10)
        mate = chess.Board("7k/8/6K1/8/8/8/8/R7 w - - 0 1")
        found = engine.analyse(mate, chess.engine.Limit(depth=2), multipv=2)
        assert len(found) == 2 and found[0]["score"].white() == chess.engine.Mate(1)
        assert found[0]["pv"][0] == chess.Move.from_uci("a1a8")


@pytest.mark.slow
def test_python_chess_plays_a_hundred_games_with_it() -> None:
    won = 0
    with chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=120, env=ENVIRONMENT) as engine:
        for seed in range(100):
            limits = (
                chess.engine.Limit(nodes=2000),
                chess.engine.Limit(time=0.02),
                chess.engine.Limit(depth=3),
                chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
            )
            board = play(engine, limits[seed % 4], seed, plies=400)
            outcome = board.outcome(claim_draw=True)
            won += outcome is not None and outcome.winner == bool(seed % 2)
    assert won >= 90
