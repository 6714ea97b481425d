"""The conversation of `gametree uci`, with an engine that does what the test tells it."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from app.uci_program import FakeEngine, Program
from gametree.app.uci.options import Options
from gametree.arena.strength import at_rating
from gametree.games import Chess
from gametree.games.chess.board import State
from gametree.games.chess.notation import write_fen
from gametree.result import Limit, Value


@pytest.fixture
def program() -> Iterator[Program]:
    one = Program().ready()
    yield one
    one.session.close()


class Endless(FakeEngine):
    """Thinks until it is stopped."""

    beat = 3600.0


class Quick(FakeEngine):
    """Has nothing more to find after three depths."""

    last_depth = 3
    beat = 0.0


# --- introductions ----------------------------------------------------------------------------------


def test_it_introduces_itself_and_its_options(program: Program) -> None:
    lines = program.answer("uci")
    assert lines[0].startswith("id name gametree ") and lines[-1] == "uciok"
    names = [line.removeprefix("option name ").split(" type ")[0] for line in lines if "option" in line]
    assert {
        "Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo", "Clear Hash",
        "Move Overhead",
    } <= set(names)  # fmt: skip


def test_it_is_ready_even_during_a_search() -> None:
    program = Program(make=Endless).ready()
    program.send("go infinite")
    assert program.answer("isready") == ["readyok"]
    assert program.best("stop")


class Slow(FakeEngine):
    """Takes long to compile, until the test lets it."""

    gate: Any

    def analyze(self, state: Any = None, limit: Limit | None = None, **more: Any) -> Any:
        if self.compile == "auto" and state is None:
            self.gate.wait(20)
        return super().analyze(state, limit, **more)


@pytest.fixture
def slow() -> Iterator[type[Slow]]:
    import threading

    Slow.gate = threading.Event()
    yield Slow
    Slow.gate.set()


def test_readyok_waits_for_the_machine_code(slow: type[Slow]) -> None:
    program = Program(make=slow)
    assert program.answer("isready", "isready", "uci")[-1] == "uciok"
    assert "readyok" not in program.said
    slow.gate.set()
    program.until("readyok")
    program.until("readyok")
    assert program.said.count("readyok") == 2


def test_a_search_does_not_wait_for_the_machine_code(slow: type[Slow]) -> None:
    program = Program(make=slow)
    assert program.best("go movetime 20") == "a2a3"
    assert program.engine.compile == "never" and not slow.gate.is_set()


def test_a_search_goes_on_with_the_machine_code_when_it_is_there(slow: type[Slow]) -> None:
    slow.beat = 3600.0
    try:
        program = Program(make=slow)
        program.send("go infinite")
        program.until("info depth 1")
        slow.gate.set()
        program.until("info depth 1")  # the second engine begins where the first one left off
        assert program.best("stop") == "a2a3"
    finally:
        slow.beat = FakeEngine.beat
    assert [engine.compile for engine in program.engines] == ["auto", "never"]
    assert len(program.engines[0].asked) == 2  # once to get ready, and once for the move


class Broken(FakeEngine):
    """Cannot be compiled for a reason nobody foresaw."""

    def analyze(self, state: Any = None, limit: Limit | None = None, **more: Any) -> Any:
        if self.compile == "auto":
            raise OSError("no space left on device")
        return super().analyze(state, limit, **more)


def test_an_engine_that_cannot_get_ready_is_replaced_by_one_that_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = Program(make=Broken).ready()
    assert program.best("go depth 2") == "a2a3" and "no space left" in capsys.readouterr().err


# --- positions --------------------------------------------------------------------------------------


def test_positions_are_the_start_or_a_fen_and_moves(program: Program) -> None:
    program.send("position startpos moves e2e4 e7e5")
    assert write_fen(program.session.position.state).startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3")
    assert len(program.session.position.history) == 2
    program.send("position fen 4k3/P7/8/8/8/8/8/4K2R w K - 3 9 moves e1g1 e8d7 a7a8n")
    assert write_fen(program.session.position.state) == "N7/3k4/8/8/8/8/8/5RK1 b - - 0 10"


def test_moves_that_follow_earlier_ones_are_added_to_the_game(program: Program) -> None:
    program.send("position startpos moves e2e4")
    before = program.session.position
    program.send("position startpos moves e2e4 e7e5")
    assert program.session.position.history == (*before.history, before.state)
    program.send("position startpos moves d2d4")
    assert write_fen(program.session.position.state).startswith("rnbqkbnr/pppppppp/8/8/3P4")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("position", "write `position startpos`"),
        ("position fen", "needs a FEN"),
        ("position fen moves e2e4", "needs a FEN"),
        ("position startpos e2e4", "after `position startpos` comes `moves`"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "king"),
        ("position fen rubbish", "a FEN has six fields"),
        ("position startpos moves e2e4 e2e4", "move 2: 'e2e4' is not legal"),
        ("position startpos moves Nf3", "'Nf3' is no move: write e2e4"),
        ("position startpos moves 0000", "is no move"),
        ("position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1 moves a7a8", "a promotion names its piece"),
    ],
)
def test_a_position_that_cannot_be_leaves_the_last_good_one(program: Program, line: str, words: str) -> None:
    program.send("position startpos moves d2d4")
    good = program.session.position
    (answer,) = program.answer(line)
    assert answer.startswith("info string error: ") and words in answer
    assert program.session.position == good and program.best("go depth 1") == "a7a5"


def test_castling_is_written_by_the_kings_square_or_in_chess960_by_the_rooks(program: Program) -> None:
    fen = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves"
    program.send(f"{fen} e1g1 e8c8")
    castled = program.session.position.state
    program.send(f"{fen} e1h1 e8a8")  # what some programs send all the same
    assert program.session.position.state == castled
    program.send("setoption name UCI_Chess960 value true", f"{fen} e1h1 e8a8")
    assert program.session.position.state == castled
    program.send("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1")
    assert program.best("go depth 1 searchmoves f1h1") == "f1h1"
    program.send("setoption name UCI_Chess960 value false", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert program.best("go depth 1 searchmoves e1g1") == "e1g1"


# --- searches ---------------------------------------------------------------------------------------


def test_every_depth_is_reported_in_the_words_of_the_protocol(program: Program) -> None:
    assert program.best("go depth 3") == "a2a3"
    assert [info["depth"] for info in program.infos()] == ["1", "2", "3"]
    last = program.infos()[-1]
    assert last.keys() == {
        "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv",
    }  # fmt: skip
    assert (last["seldepth"], last["score"], last["nodes"]) == ("6", "cp 25", "3000")
    assert (last["hashfull"], last["pv"]) == ("3", "a2a3 a7a5")
    assert program.said[-1] == "bestmove a2a3 ponder a7a5"


def test_several_lines_are_numbered(program: Program) -> None:
    program.best("setoption name MultiPV value 3", "go depth 1")
    assert [info["multipv"] for info in program.infos()] == ["1", "2", "3"]
    assert [info["pv"].split()[0] for info in program.infos()] == ["a2a3", "a2a4", "b1a3"]


def test_no_more_lines_are_asked_for_than_there_are_moves(program: Program) -> None:
    program.best("setoption name MultiPV value 99", "go depth 1")
    assert program.engine.asked[-1]["lines"] == 20


def test_limits_reach_the_engine(program: Program) -> None:
    program.best("go depth 5 nodes 2500")
    assert program.engine.asked[-1]["limit"] == Limit(depth=5, nodes=2500)
    program.best("position startpos moves e2e4", "go movetime 100")
    assert 0.03 < program.engine.asked[-1]["limit"].seconds <= 0.07
    assert len(program.engine.asked[-1]["history"]) == 1


@pytest.mark.parametrize(
    ("go", "patient"),
    [
        ("go movetime 100", False),
        ("go wtime 5000 btime 5000 winc 50 binc 50", False),
        ("go movetime 1000", True),
        ("go wtime 600000 btime 600000", True),
        ("go depth 3", True),
    ],
)
def test_moves_without_an_equal_are_followed_further_where_there_is_time(
    program: Program, go: str, patient: bool
) -> None:
    program.best(go)
    assert program.engine.asked[-1]["profile"] == ("patient" if patient else "fast")


def test_only_some_moves_are_searched_where_that_is_asked_for(program: Program) -> None:
    assert program.best("go searchmoves g1f3 b1c3 depth 2") == "g1f3"
    assert len(program.engine.asked[-1]["actions"]) == 2
    (answer,) = program.answer("go searchmoves e2e5")
    assert answer == "info string error: 'e2e5' is not legal in this position"


def test_an_endless_search_answers_only_when_it_is_stopped() -> None:
    program = Program(make=Quick).ready()
    program.send("go infinite")
    program.until("info depth 3")
    time.sleep(0.05)
    assert "bestmove" not in program.said[-1]
    assert program.best("stop") == "a2a3"


def test_a_stop_without_a_search_is_nothing(program: Program) -> None:
    assert program.answer("stop") == []


def test_a_stop_that_comes_before_the_engine_is_under_way_is_heard() -> None:
    program = Program(make=Quick).ready()
    for _ in range(200):
        program.best("go infinite", "stop")
    assert sum(line.startswith("bestmove") for line in program.said) == 200


def test_another_go_ends_the_search_under_way() -> None:
    program = Program(make=Endless).ready()
    program.send("go infinite")
    program.until("info depth 1")
    program.send("go infinite")
    program.until("bestmove")
    program.until("info depth 1")
    assert program.best("stop") == "a2a3"


def test_pondering_goes_on_until_the_move_is_played() -> None:
    program = Program(make=Quick).ready()
    program.send("go ponder wtime 1000 btime 1000")
    program.until("info depth 3")
    time.sleep(0.05)
    assert not program.said[-1].startswith("bestmove")
    assert program.best("ponderhit") == "a2a3"


def test_after_ponderhit_the_clock_runs() -> None:
    program = Program(make=Endless).ready()
    program.send("go ponder wtime 2000 btime 2000")
    program.until("info depth 1")
    assert program.engine.asked[-1]["limit"].seconds is None
    begun = time.monotonic()
    program.best("ponderhit")
    assert time.monotonic() - begun < 2.0  # the flag would have fallen


def test_a_stop_ends_pondering() -> None:
    program = Program(make=Endless).ready()
    program.send("go ponder wtime 60000 btime 60000")
    program.until("info depth 1")
    assert program.best("stop") == "a2a3"


def test_ponderhit_needs_a_search(program: Program) -> None:
    assert program.answer("ponderhit") == ["info string error: `ponderhit` without a search"]


def test_pondering_without_an_end_is_ended_by_stop_only() -> None:
    program = Program(make=Quick).ready()
    program.send("go ponder infinite", "ponderhit")
    program.until("info depth 3")
    time.sleep(0.05)
    assert not program.said[-1].startswith("bestmove")
    assert program.best("stop") == "a2a3"


def test_an_only_move_is_played_at_once_on_a_clock() -> None:
    program = Program().ready()
    program.send("position fen 7k/8/8/8/8/8/6q1/7K w - - 0 1")
    assert program.best("go wtime 600000 btime 600000") == "h1g2"
    assert len(program.infos()) == 1


def test_a_mate_that_was_asked_for_ends_the_search() -> None:
    class Mates(FakeEngine):
        values = (Value(0.5), Value.win(plies=9), Value.win(plies=5), Value.win(plies=3))
        beat = 0.0

    program = Program(make=Mates).ready()
    program.best("go mate 3")
    assert [info["score"] for info in program.infos()] == ["cp 50", "mate 5", "mate 3"]


def test_the_nearest_mate_is_played_without_further_thought_on_a_clock() -> None:
    class Mates(FakeEngine):
        values = (Value(0.5), Value.win(plies=3))
        beat = 0.0

    program = Program(make=Mates).ready()
    program.best("go wtime 600000 btime 600000")
    assert [info["depth"] for info in program.infos()] == ["1", "2", "3"]


def test_where_there_is_no_move_there_is_no_best_one(program: Program) -> None:
    assert program.best("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go depth 3") == "(none)"
    assert program.infos()[-1]["score"] == "mate 0"
    assert program.best("position fen 7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "go depth 3") == "(none)"
    assert program.infos()[-1]["score"] == "cp 0"


class Silent(FakeEngine):
    """Finds nothing, as a search does where a rule has ended the game or the time was too short."""

    def _found(self, state: State, choices: list[int], depth: int, lines: int) -> Any:
        found: Any = super()._found(state, choices, depth, lines)
        found.action, found.value, found.line, found.lines = None, None, (), ()
        return found


def test_where_the_search_finds_nothing_a_legal_move_is_played() -> None:
    program = Program(make=Silent).ready()
    assert program.best("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go depth 3") in ("a1a2", "a1b1", "a1b2")
    assert program.best("go depth 3 searchmoves a1b2") == "a1b2" and program.infos() == []


class Faulty(FakeEngine):
    """Falls over."""

    def analyze(self, state: Any = None, limit: Limit | None = None, **more: Any) -> Any:
        if state is not None:
            raise ZeroDivisionError
        return super().analyze(state, limit, **more)


def test_a_fault_in_the_search_costs_no_game(capsys: pytest.CaptureFixture[str]) -> None:
    program = Program(make=Faulty).ready()
    assert program.best("go wtime 1000 btime 1000") == "a2a3"
    assert program.said[-2].startswith("info string error: a fault")
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_debug_tells_the_budget(program: Program) -> None:
    assert program.answer("debug on", "go movetime 50")[0].startswith("info string budget 0.025 s")
    program.until("bestmove")
    program.best("debug off", "go movetime 10")
    assert sum("budget" in line for line in program.said) == 1


# --- options ----------------------------------------------------------------------------------------


def test_options_change_the_engine_in_use(program: Program) -> None:
    assert program.answer("setoption name hash value 128", "setoption name Threads value 2") == []
    assert (program.engine.hash_mb, program.engine.threads) == (128, 2)
    program.send("setoption name Clear Hash", "ucinewgame")
    assert program.engine.cleared == 2


def test_options_set_before_the_engine_is_ready_apply_to_it(slow: type[Slow]) -> None:
    program = Program(make=slow)
    program.send("setoption name Hash value 128", "setoption name Threads value 2")
    slow.gate.set()
    program.ready()
    assert (program.engine.hash_mb, program.engine.threads) == (128, 2)


def test_another_evaluation_is_another_engine(program: Program) -> None:
    program.send("setoption name Evaluation value lolli")
    program.ready()
    assert program.engine.options.evaluation == "lolli" and len(program.engines) == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("setoption", "write `setoption name Hash value 64`"),
        ("setoption Hash value 4", "write `setoption name Hash value 64`"),
        ("setoption name Hash", "Hash is a whole number from 1 to 16384, not ''"),
        ("setoption name Hash value 0", "from 1 to 16384, not '0'"),
        ("setoption name Hash value 99999999999999999999", "from 1 to 16384"),
        ("setoption name Hash value 4.5", "from 1 to 16384"),
        ("setoption name Ponder value maybe", "Ponder is true or false, not 'maybe'"),
        ("setoption name Evaluation value nnue", "Evaluation is network or default or lolli, not 'nnue'"),
        ("setoption name Contempt value 3", "there is no option 'Contempt'; there are Hash, "),
        ("setoption name Hash value 9000", "not enough memory"),
    ],
)
def test_an_option_that_cannot_be_set_is_refused(program: Program, line: str, words: str) -> None:
    (answer,) = program.answer(line)
    assert answer.startswith("info string error: ") and words in answer
    assert program.session.options == Options() and program.engine.hash_mb == 64


@pytest.mark.parametrize("line", ["setoption name Hash value 4", "ucinewgame"])
def test_nothing_is_set_during_a_search(line: str) -> None:
    program = Program(make=Endless).ready()
    program.send("go infinite")
    program.until("info depth 1")
    (answer,) = program.answer(line)
    assert "send `stop` first" in answer
    program.best("stop")
    assert program.answer(line) == []


def test_a_limited_strength_looks_at_fewer_nodes_and_at_several_moves(program: Program) -> None:
    program.send("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    played = {program.best("go wtime 60000 btime 60000") for _ in range(30)}
    assert played <= {"a2a3", "a2a4", "b1a3", "b1c3", "b2b3", "b2b4"} and len(played) > 1
    assert program.engine.asked[-1]["limit"].nodes == at_rating(800, Chess()).nodes
    assert {info["multipv"] for info in program.infos()} == {"1"}


def test_the_more_a_limited_strength_sees_the_fewer_moves_it_looks_at(program: Program) -> None:
    program.send("setoption name UCI_LimitStrength value true")
    lines = []
    for elo in (800, 1400, 2400):
        program.send(f"setoption name UCI_Elo value {elo}")
        program.best("go nodes 5000")
        lines.append(program.engine.asked[-1]["lines"])
    assert lines == [6, at_rating(1400, Chess()).lines, 1] and 6 > lines[1] > 1


# --- the rest ---------------------------------------------------------------------------------------


def test_the_board_and_its_evaluation_can_be_seen(program: Program) -> None:
    board = program.answer("position startpos moves e2e4", "d")
    assert all(line.startswith("info string ") for line in board)
    assert board[-1].endswith("FEN rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    program.send("setoption name Evaluation value lolli")
    (line,) = program.answer("eval")
    assert line == "info string evaluation +0.00 pawns for White, before any search"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hello", "unknown command 'hello'; there are"),
        ("quit now", "`quit` takes nothing after it"),
        ("debug", "write `debug on`"),
        ("go depth", "`go depth` needs a whole number after it, not nothing"),
        ("go depth 0", "at least 1, not 0"),
        ("go movestogo -1", "at least 0, not -1"),
        ("go wtime soon", "not 'soon'"),
        ("go dpeth 5", "`go` has unknown 'dpeth 5'"),
        ("go searchmoves e9e4", "'e9e4' is no move"),
    ],
)
def test_what_cannot_be_understood_is_said_to_be_so(program: Program, line: str, words: str) -> None:
    (answer,) = program.answer(line)
    assert answer.startswith("info string error: ") and words in answer
    assert program.answer("isready") == ["readyok"]


def test_unknown_words_beside_known_ones_are_passed_over(program: Program) -> None:
    assert program.best("go depth 1 blindfold") == "a2a3"
    assert any("unknown 'blindfold'" in line for line in program.said)


def test_empty_lines_and_registrations_are_nothing(program: Program) -> None:
    assert program.answer("", "  \t ", "register later") == []


def test_quit_and_the_end_of_the_input_end_the_conversation() -> None:
    program = Program(make=Endless).ready()
    program.session.run(["uci", "go infinite", "quit", "d"])
    assert program.said[-1].startswith("bestmove")
    program.session.run(["go infinite"])
    assert program.said[-1].startswith("bestmove")
