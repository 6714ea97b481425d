"""The code grader: what students' programs find, and what becomes of those that misbehave."""

import json
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
from gametree.course.folders import grade_programs, program_table
from gametree.course.programs.judging import assign, assign_trees, check_here, grade_program
from gametree.course.programs.nbgrader import solution
from gametree.course.programs.reference import positions, truth
from gametree.course.programs.sandbox import MOST_BYTES, Call, Limits, Outcome, run
from gametree.errors import InputError, UnsuitableError
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.reading import text_of

LECTURE = gt.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
RIGHT = solution("alphabeta")
LAST = "return value(state, -math.inf, math.inf)"
QUICK = Limits(seconds=20, cpu=10, memory=256)


def tried(source: str, limits: Limits = QUICK, function: str = "alphabeta") -> Outcome:
    return run(Call(source, "student.py", function, LECTURE, 0), limits)


# --- right and wrong programs -----------------------------------------------------------------------


@pytest.mark.parametrize("function", ["alphabeta", "minimax"])
@pytest.mark.parametrize(
    "game", [TicTacToe(), Nim(), ConnectFour(width=4, height=4)], ids=lambda game: type(game).__name__
)
def test_the_textbook_earns_every_point(game: gt.Game, function: str) -> None:
    states = positions(game, function, 2, seed=1, most=300)
    report = grade_program(solution(function), "student.py", assign(game, function, states))
    assert report.right and report.score == report.points == 6, str(report)


def test_the_reference_is_that_of_the_library() -> None:
    for game in (TicTacToe(), Nim(), ConnectFour(width=4, height=4)):
        for state in positions(game, "alphabeta", 3, seed=2, most=250):
            found = truth(game, state, "alphabeta")
            expected = gt.alphabeta(game, state, compile="never", moves=True)
            full = gt.minimax(game, state, compile="never")
            once = gt.alphabeta(game, state, compile="never")
            assert (found.value, found.nodes) == (float(once.values[0]), once.nodes)
            small = full.nodes <= max(20_000, 20 * found.nodes)
            assert found.minimax_nodes == (full.nodes if small else None)
            best = [m.action for m in expected.moves if m.value == expected.value]
            assert [list(game.actions(state))[place] for place in found.best] == best


def test_trees_are_an_assignment_too_and_cutting_beyond_the_bound_is_a_setting() -> None:
    for cut in (">=", ">"):
        assigned = assign_trees(count=3, seed=4, cut=cut)
        assert grade_program(solution("alphabeta", cut=cut), "student.py", assigned).right
    other = grade_program(
        solution("alphabeta", cut=">"), "student.py", assign(gt.Tree([[3, 3], [3, 1], [3, 2]]), states=[0])
    )
    assert other.judged[0].nodes[0] == 0 and "nothing is cut" in other.judged[0].nodes[1]


def test_a_search_to_a_depth_gets_the_evaluation() -> None:
    game = ConnectFour(width=4, height=4)
    assigned = assign(game, states=[game.initial()], depth=2)
    assert grade_program(solution("alphabeta", 2), "student.py", assigned).right


WRONG: dict[str, tuple[str, tuple[float, float, float], str]] = {
    "minimax in disguise": (
        RIGHT.replace("best >= beta if largest else best <= alpha", "False"),
        (1, 1, 0),
        "13 visited; alpha-beta in the order of `actions` visits 11, and minimax 13: nothing is cut",
    ),
    "the sign of the other": (
        RIGHT.replace(LAST, LAST.replace("return", "v, m =") + "; return -v, m"),
        (0, 1, 1),
        "wrong: −3, right is 3 (values are payoffs of MAX, whoever moves)",
    ),
    "no move": (RIGHT.replace(LAST, LAST + "[0]"),
                (1, 0, 1), "no move was returned, right is 1"),
    "a move that is none": ("def alphabeta(g, s): return 3, 'b9'", (1, 0, 0.5), "'b9' is no action here"),
    "the wrong move": ("def alphabeta(g, s): return 3, 2", (1, 0, 0.5), "wrong: 3, right is 1"),
    "nothing looked at": ("def alphabeta(g, s): return 3, 0", (1, 1, 0.5), "Fewer: is the order changed"),
    "infinity": ("def alphabeta(g, s): return float('inf'), 0", (0, 1, 0.5), "wrong: ∞, right is 3"),
    "not a number": ("def alphabeta(g, s): return float('nan'), 0", (0, 1, 0.5), "wrong: not a number"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said(what: str) -> None:
    source, earned, message = WRONG[what]
    judged = grade_program(source, "student.py", assign(LECTURE, states=[0])).judged[0]
    assert (judged.value[0], judged.move[0], judged.nodes[0]) == earned
    assert message in " ".join(text for _, text in (judged.value, judged.move, judged.nodes))


def test_every_best_move_is_right() -> None:
    tied = gt.Tree([[3, 4], [3, 5], [1, 1]])
    for place, right in enumerate((1, 1, 0)):
        judged = grade_program(
            f"def alphabeta(g, s): return 3, {place}", "s.py", assign(tied, states=[0])
        ).judged[0]
        assert judged.move[0] == right


# --- programs that misbehave ------------------------------------------------------------------------

MISBEHAVING = {
    "loops": ("def alphabeta(g, s):\n while True: pass", "time", "had not finished after 1 s"),
    "sleeps": ("import time\ndef alphabeta(g, s): time.sleep(60)", "time", "had not finished after 1 s"),
    "eats memory": ("def alphabeta(g, s): return [0] * 10**9", "memory", "more than 256 MB"),
    "eats memory while loading": ("x = 'a' * 10**10", "memory", "more than 256 MB"),
    "forks": ("import os\nwhile True: os.fork()", "raised", "the grader does not allow os.fork (line 2"),
    "starts programs": ("import os\nos.system('id')", "raised", "does not allow os.system"),
    "imports subprocess": ("import subprocess", "raised", "does not allow to import subprocess"),
    "imports ctypes": ("import ctypes", "raised", "does not allow to import ctypes"),
    "imports the library": ("import gametree", "raised", "does not allow to import gametree"),
    "imports what is missing": ("import numpy", "import", "it imports numpy, which is not there"),
    "exits": ("import sys\nsys.exit()", "exit", "called exit instead of returning"),
    "exits at once": ("import os\nos._exit(7)", "exit", "ended the process (exit code 7)"),
    "kills": ("import os\nos.kill(os.getppid(), 9)", "raised", "does not allow os.kill"),
    "crashes": ("import os\nos.abort()", "signal", "crashed Python (SIGABRT)"),
    "raises": ("def alphabeta(g, s):\n  return {}['x']", "raised", "KeyError: 'x' (line 2 in alphabeta)"),
    "interrupts": ("raise KeyboardInterrupt", "exit", "it was interrupted"),
    "calls itself": ("def alphabeta(g, s): return alphabeta(g, s)", "recursion", "calls itself without end"),
    "is no Python": ("def alphabeta(:", "syntax", "student.py is no Python"),
    "has a null byte": ("x = 1\0", "syntax", "is no Python"),
    "has no function": ("def alpha_beta(g, s): pass", "missing", "defines no function alphabeta(game, state)"),
    "has a name that is none": ("alphabeta = 3", "missing", "defines no function"),
    "returns a text": ("def alphabeta(g, s): return 'three'", "raised", "it has to return (value, move)"),
    "returns nothing": ("def alphabeta(g, s): pass", "raised", "it has to return (value, move)"),
    "takes other arguments": ("def alphabeta(g): return 1", "raised", "TypeError"),
    "prints without end": ("def alphabeta(g, s):\n while True: print('x' * 9999)", "output", "more than 10 MB"),
    "reads elsewhere": ("open('/etc/passwd')", "raised", "does not allow to open /etc/passwd"),
    "writes elsewhere": ("open('/tmp/here', 'w')", "raised", "does not allow to open"),
    "opens sockets": ("import socket\nsocket.socket()", "raised", "does not allow socket"),
    "lifts its limits": (
        "import resource\nresource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "raised", "does not allow resource"
    ),
    "looks for the grader": ("import gc\ngc.get_objects()", "raised", "does not allow gc.get_objects"),
    "writes into the channel": (
        "import os\nfor fd in range(3, 50):\n try: os.write(fd, b'{}\\n')\n except OSError: pass",
        "protocol", "wrote into the grader's own channel",
    ),
    "floods the channel": (
        "import os\nfor fd in range(3, 50):\n try:\n  while True: os.write(fd, b'x' * 9999)\n except OSError: pass",
        "protocol", "wrote into the grader's own channel",
    ),
    "closes the channel": (
        "import os, time\nos.closerange(3, 50)\ntime.sleep(30)", "protocol", "closed the grader's own channel"
    ),
    "plays an action that is none": ("def alphabeta(g, s): return g.result(s, 99)", "raised", "99 is no action there"),
    "asks an inner node": ("def alphabeta(g, s): return g.utility(s, 0), 0", "raised", "only terminal states"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISBEHAVING)
def test_a_program_that_misbehaves_gets_a_clear_verdict(what: str) -> None:
    source, problem, message = MISBEHAVING[what]
    patient = problem not in ("time",) and what != "closes the channel"
    outcome = tried(source, QUICK if patient else Limits(seconds=1, cpu=10, memory=256))
    assert (outcome.problem, outcome.value) == (problem, None), outcome
    assert message in outcome.text and "\n" not in outcome.text


def test_processor_time_is_limited_by_itself() -> None:
    outcome = tried("while True: pass", Limits(seconds=30, cpu=1, memory=256))
    assert outcome.problem == "time" and "1 s of processor time" in outcome.text


def test_what_a_program_prints_is_kept_short_and_does_not_disturb() -> None:
    chatty = "print('hello')\n" + RIGHT.replace("    def value", "    print('x' * 50_000)\n    def value", 1)
    outcome = tried(chatty)
    assert outcome.value == 3 and outcome.output.startswith("hello\nxxx") and len(outcome.output) < 2_100


def test_the_standard_library_is_there() -> None:
    source = (
        "import collections, dataclasses, enum, functools, heapq, itertools, math, random, typing\n" + RIGHT
    )
    assert tried(source).value == 3


def open_files() -> int:
    """How many files this process has open, where the system tells."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = open_files()
    tried("open('note.txt', 'w').write('x')\nopen('/proc/self/mem', 'rb')")
    tried("import time\ntime.sleep(9)", Limits(seconds=0.3, cpu=1, memory=256))
    assert list(tmp_path.iterdir()) == []
    assert open_files() == before


CHEATS = {
    "a counter that is not there": "game.visited = game.count = game._count = 0",
    "other methods": "type(game).result = lambda self, s, a: s",
    "the tally of the stand-in": "vars(game).clear()",
    "one's own game": "game._states.clear()",
}


@pytest.mark.parametrize("what", CHEATS)
def test_no_program_can_change_the_count(what: str) -> None:
    source = RIGHT.replace("    def value", f"    {CHEATS[what]}\n    def value", 1)
    cheated = tried(source)
    honest = tried(RIGHT)
    assert honest.visited == 11
    assert cheated.visited <= honest.visited and (cheated.visited < 11 or cheated.value == 3)


def test_the_grader_counts_what_is_asked_and_not_what_is_said() -> None:
    twice = RIGHT.replace(
        "found, _ = value(game.result(state, action)",
        "game.result(state, action); found, _ = value(game.result(state, action)",
    )
    assert tried(twice).visited == 21
    judged = grade_program(twice, "s.py", assign(LECTURE, states=[0])).judged[0]
    assert judged.nodes[0] == 0 and judged.value[0] == 1


def test_a_child_can_ask_for_the_board_and_compare_states() -> None:
    source = (
        "def alphabeta(g, s):\n"
        "  one, other = g.result(s, 0), g.result(s, 0)\n"
        "  assert one is other and one == other and len({one, other}) == 1 and one != s and 'state' in repr(one)\n"
        "  assert g.show(s).startswith('MAX') and g.players == 2 and g.initial() is s\n"
        "  assert g.name_action(s, 1) == '1' and g.player(one) == 1\n"
        "  return 3, g.actions(s)[0]\n"
    )
    outcome = tried(source)
    assert (outcome.problem, outcome.value, outcome.visited) == ("", 3, 3), outcome


# --- assignments, reports, folders ------------------------------------------------------------------

CHANCY = gt.Tree(gt.Chance([(0.5, 1), (0.5, 2)]))
REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "an unknown function": (lambda: assign(LECTURE, "negamax"), InputError, "knows alphabeta and minimax"),
    "an unknown cut": (lambda: assign(LECTURE, cut="<"), InputError, "cut='<'"),
    "no positions": (lambda: assign(LECTURE, count=0), InputError, "1 to 100 positions"),
    "no depth": (lambda: assign(ConnectFour(), depth=0), InputError, "depth=0: at least 1"),
    "a game of chance": (lambda: assign(CHANCY), UnsuitableError, "without chance"),
    "a depth without evaluation": (lambda: assign(LECTURE, depth=2), UnsuitableError, "has no `evaluate`"),
    "a game that is over": (lambda: assign(LECTURE, states=[4]), InputError, "the game is over"),
    "little memory": (lambda: Limits(memory=1), InputError, "at least 64 MB"),
    "no time": (lambda: Limits(seconds=0), InputError, "at most an hour"),
    "nothing to settle": (
        lambda: positions(TicTacToe(), "minimax", 1, 0, most=0), InputError, "settles within 0 nodes"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_an_assignment_that_makes_no_sense_is_refused(what: str) -> None:
    call, kind, message = REFUSED[what]
    with pytest.raises(kind) as refused:
        call()
    assert message in str(refused.value)


def test_actions_that_cannot_be_handed_over_are_refused() -> None:
    class Odd(gt.Game):
        def initial(self) -> int:
            return 0

        def player(self, state: int) -> int:
            return 0

        def actions(self, state: int) -> list[frozenset[int]]:
            return [frozenset({1})]

        def result(self, state: int, action: frozenset[int]) -> int:
            return 1

        def is_terminal(self, state: int) -> bool:
            return state == 1

        def utility(self, state: int, player: int) -> float:
            return 0

    with pytest.raises(InputError, match="cannot be handed to a student's program"):
        run(Call(RIGHT, "s.py", "alphabeta", Odd(), 0))


def test_a_program_that_is_too_long_is_not_run() -> None:
    assert tried("#" * 600_000).problem == "source"


def test_a_report_can_be_read_by_people_and_programs() -> None:
    report = grade_program(
        "print('hi')\ndef alphabeta(g, s): return 3, 2", "s.py", assign(LECTURE, states=[0])
    )
    assert str(report).splitlines() == [
        "s.py, alphabeta: 1.5 of 3 points",
        "  position 1: 1.5 of 3",
        "    value right, 3",
        "    move  wrong: 3, right is 1",
        "    nodes half: 1 visited; alpha-beta in the order of `actions` visits 11. Fewer: is the order changed, or"
        " something left out?",
        "    the position:",
        *(f"      {line}" for line in LECTURE.show(0).splitlines()),
        "    it printed: hi",
    ]
    data = report.to_dict()
    assert json.loads(json.dumps(data)) == data and data["positions"][0]["nodes"]["visited"] == 1


def test_a_folder_of_programs_becomes_a_table(tmp_path: Path) -> None:
    (tmp_path / "ann.py").write_text(RIGHT)
    (tmp_path / "bob.py").write_text("def alphabeta(g, s): return 0")
    (tmp_path / "cy.py").write_bytes(b"\xff")
    (tmp_path / "dee.py").write_text("import numpy")
    rows = grade_programs(sorted(tmp_path.glob("*.py")), assign(LECTURE, states=[0]))
    lines = program_table(rows).splitlines()
    assert lines[0] == "file,score,points,position 1,first problem,error"
    assert lines[1] == "ann.py,3,3,3,,"
    assert lines[2].startswith('bob.py,0.5,3,0.5,"position 1: value wrong: 0, right is 3')
    assert lines[3] == "cy.py,,,,,cy.py is no UTF-8 text (byte 1)"
    assert "it imports numpy" in lines[4]


def test_a_program_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.py cannot be read"):
        text_of(tmp_path / "gone.py", MOST_BYTES, "program")
    (tmp_path / "big.py").write_bytes(b"#" * 2_000_001)
    with pytest.raises(InputError, match="that is no program"):
        text_of(tmp_path / "big.py", MOST_BYTES, "program")


def test_a_notebook_checks_a_function_in_its_own_process() -> None:
    names: dict[str, Any] = {}
    exec(RIGHT, names)
    assert check_here(names["alphabeta"], TicTacToe(), count=2, seed=3).right
    assert check_here(lambda game, state: 5, LECTURE, [0]).score == 0.5


def test_where_a_process_cannot_be_limited_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gametree.course.programs.sandbox._POSIX", False)
    with pytest.raises(InputError, match="grading code needs Linux or macOS"):
        tried(RIGHT)
