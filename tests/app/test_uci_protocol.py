"""Lines of the protocol as values, and malformed ones by the thousand."""

import random
import time

import pytest

from app.uci_program import FakeEngine, Program
from gametree.app.uci.protocol import Debug, Go, SetOption, SetPosition, Word, read
from mutation import mutated

FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LINES = (
    "uci",
    "isready",
    "ucinewgame",
    "debug on",
    "debug off",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5",
    f"position fen {FEN}",
    f"position fen {FEN} moves e1g1 e8c8 d5e6",
    "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1 moves a7a8q",
    "setoption name Hash value 32",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name Ponder value true",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_LimitStrength value true",
    "setoption name UCI_Elo value 1500",
    "setoption name Move Overhead value 100",
    "setoption name Clear Hash",
    "go depth 2",
    "go nodes 3000",
    "go movetime 5",
    "go infinite",
    "go mate 2 depth 3",
    "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 20",
    "go ponder wtime 100 btime 100",
    "go depth 1 searchmoves e2e4 d2d4",
    "ponderhit",
    "stop",
    "d",
    "eval",
)


def test_lines_are_read_as_values() -> None:
    assert read("isready") == Word("isready") and read("debug on") == Debug(True)
    assert read("  position   startpos  moves e2e4\r") == SetPosition(None, ("e2e4",))
    assert read(f"position fen {FEN}") == SetPosition(FEN)
    assert read("position startpos moves") == SetPosition()
    assert read("go infinite ponder") == Go(infinite=True, ponder=True)
    assert read("go searchmoves e2e4 d2d4 depth 3") == Go(depth=3, searchmoves=("e2e4", "d2d4"))
    assert read("setoption name Clear Hash") == SetOption("Clear Hash")
    assert read("setoption name Move   Overhead value 10") == SetOption("Move Overhead", "10")
    assert read("setoption name A value b c") == SetOption("A", "b c")


def test_a_clock_below_zero_has_run_out() -> None:
    assert read("go wtime -20 btime 50") == Go(wtime=0, btime=50)


def test_numbers_have_a_largest_one() -> None:
    assert read(f"go nodes {10**17}") == Go(nodes=10**15)


# --- malformed lines --------------------------------------------------------------------------------


class Instant(FakeEngine):
    """Finds all there is to find at once."""

    beat = 0.0
    last_depth = 3


def suffer(seed: int, count: int) -> None:
    """Sends malformed lines; the session survives each, and after each the next command works."""
    rng = random.Random(seed)
    program = Program(make=Instant).ready()
    session = program.session
    for _ in range(count):
        line = mutated(rng.choice(LINES), rng, LINES).replace("\n", " ")
        begun = time.monotonic()
        alive = session.obey(line)
        assert alive or line.split() == ["quit"], line
        assert program.answer("isready")[-1] == "readyok", line
        took = time.monotonic() - begun
        assert took < 1, f"{took:.1f} s for {line[:200]!r}"
        if rng.random() < 0.02:
            session.close()
            program.send("setoption name UCI_Chess960 value false")
            position = "position startpos moves e2e4"
            assert program.answer("stop", position, "isready")[-1] == "readyok", line
            program._read = len(program.said)
            assert len(program.best("go depth 1")) == 4, line
    session.close()
    assert not any("Traceback" in line or "a fault" in line or "\n" in line for line in program.said)
    errors = sum(line.startswith("info string error: ") for line in program.said)
    assert errors > count / 4  # most of the lines were wrong indeed


@pytest.mark.parametrize("count", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_malformed_lines_do_no_harm(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    suffer(seed=1, count=count)
    assert "Traceback" not in capsys.readouterr().err
