"""Rules that are wrong: each ends in a message that helps, compiled as well as interpreted, and never in a crash."""

import inspect
import logging
import math
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gametree as gt
from compiled.asserting import Asserted, AssertedInGenerator
from gametree.compiled import native, notices
from gametree.search.core.stopwatch import WRAPPING_UP

needs_compiler = pytest.mark.needs_compiler


@pytest.fixture(params=["never", pytest.param("always", marks=needs_compiler)])
def mode(request: pytest.FixtureRequest) -> str:
    """Interpreted and compiled."""
    return str(request.param)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """What the library logs, as if it had said nothing before, and however slowly it compiles."""
    monkeypatch.setattr(notices, "_said", set())
    monkeypatch.setattr(notices, "PATIENCE", 600.0)
    caplog.set_level(logging.INFO, logger="gametree")
    return caplog


class Nim(gt.Game):
    """Take one to three of seven; whoever takes the last one wins."""

    def initial(self) -> Any:
        return (7, 0)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Iterable[Any]:
        return range(1, min(3, s[0]) + 1)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s: Any) -> Any:
        return s[0] == 0

    def utility(self, s: Any, p: int) -> Any:
        return -1 if p == s[1] else 1


# --- results of the wrong type ----------------------------------------------------------------------


class ForgottenReturn(Nim):
    def result(self, s: Any, a: Any) -> Any:
        (s[0] - a, 1 - s[1])


class ListResult(Nim):
    def result(self, s: Any, a: Any) -> Any:
        return [s[0] - a, 1 - s[1]]


class IntResult(Nim):
    def result(self, s: Any, a: Any) -> Any:
        return s[0] - a


class LongerResult(Nim):
    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1], a)


class GrowingState(Nim):
    """Every action is kept in the state."""

    def initial(self) -> Any:
        return ((), 0)

    def actions(self, s: Any) -> Any:
        return (1, 2)

    def result(self, s: Any, a: Any) -> Any:
        return ((*s[0], a), 1 - s[1])

    def is_terminal(self, s: Any) -> Any:
        return len(s[0]) == 3


def test_a_forgotten_return_is_named(mode: str) -> None:
    with pytest.raises(
        gt.RulesError, match=r"ForgottenReturn\.result returned None: is a `return` missing\?"
    ) as error:
        gt.alphabeta(ForgottenReturn(), compile=mode)
    assert len(error.value.path) == 1


def test_a_list_as_a_state_is_refused(mode: str) -> None:
    with pytest.raises(gt.RulesError, match=r"ListResult\.result returned a list, which cannot be hashed"):
        gt.alphabeta(ListResult(), compile=mode)


@needs_compiler
@pytest.mark.parametrize(
    ("cls", "reason"),
    [
        (IntResult, "the state is int 5, not a tuple of 2"),
    ],
)
def test_a_result_of_another_type_does_not_compile(cls: type[Nim], reason: str) -> None:
    with pytest.raises(gt.CompileError, match=f"{cls.__name__} does not compile: {reason}"):
        gt.alphabeta(cls(), compile="always")


@needs_compiler
@pytest.mark.parametrize("cls", [LongerResult, GrowingState])
def test_states_that_grow_are_searched_alike_in_both_ways(cls: type[Nim]) -> None:
    plain, compiled = (
        gt.alphabeta(cls(), compile=way, limit=gt.Limit(nodes=500)) for way in ("never", "auto")
    )
    assert (plain.value, plain.line, plain.nodes) == (compiled.value, compiled.line, compiled.nodes)


def test_interpreted_any_hashable_state_will_do() -> None:
    right = gt.alphabeta(Nim(), compile="never")
    assert gt.alphabeta(LongerResult(), compile="auto").nodes == right.nodes
    assert gt.alphabeta(GrowingState(), compile="auto").value == 1


def test_a_result_that_the_other_rules_cannot_read_fails_in_these_rules() -> None:
    with pytest.raises(TypeError, match="not subscriptable") as error:
        gt.alphabeta(IntResult(), compile="auto")
    assert traceback.extract_tb(error.tb)[-1].filename == __file__


# --- states -----------------------------------------------------------------------------------------


class ListState(Nim):
    def initial(self) -> Any:
        return [7, 0]


class NoState(Nim):
    def initial(self) -> Any:
        pass


class HugeAtFirst(Nim):
    def initial(self) -> Any:
        return (1 << 70, 0)

    def result(self, s: Any, a: Any) -> Any:
        return (0, 1 - s[1])


class HugeLater(Nim):
    """Each move makes the number a million times larger."""

    def initial(self) -> Any:
        return (1, 0)

    def actions(self, s: Any) -> Any:
        return (1, 2)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] << 20, 1 - s[1])

    def is_terminal(self, s: Any) -> Any:
        return s[0] > 1 << 75


class Board(NamedTuple):
    stones: np.uint64
    mover: int


class MixedSigns(Nim):
    """The stones are bits of a uint64; `a` is a Python int."""

    def initial(self) -> Any:
        return Board(np.uint64(0b111), 0)

    def actions(self, s: Any) -> Any:
        for i in range(3):
            if int(s.stones) >> i & 1:
                yield i

    def result(self, s: Any, a: Any) -> Any:
        return Board(s.stones ^ (1 << a), 1 - s.mover)  # mixes

    def is_terminal(self, s: Any) -> Any:
        return s.stones == 0


def test_a_state_that_changes_in_place_is_refused(mode: str) -> None:
    with pytest.raises(
        gt.RulesError, match=r"a state of ListState cannot be hashed \(list changes in place\)"
    ):
        gt.alphabeta(ListState(), compile=mode)
    with pytest.raises(gt.GametreeError, match=r"a state of Nim .*list"):
        gt.alphabeta(Nim(), [7, 0], compile=mode)


def test_no_initial_state_is_named(mode: str) -> None:
    with pytest.raises(gt.RulesError, match=r"NoState\.initial returned None"):
        gt.alphabeta(NoState(), compile=mode)


@needs_compiler
@pytest.mark.parametrize("cls", [HugeAtFirst, HugeLater])
def test_ints_over_64_bits_run_interpreted_and_say_so(cls: type[Nim], said: pytest.LogCaptureFixture) -> None:
    found = gt.alphabeta(cls(), compile="auto")
    assert found.exact and not found.parameters["compiled"]
    (line,) = said.messages
    assert line.startswith(f"{cls.__name__} runs interpreted: state[0] is ")
    assert "does not fit 64 bits; split it into several fields" in line
    with pytest.raises(gt.CompileError, match="does not fit 64 bits"):
        gt.alphabeta(cls(), compile="always")


@needs_compiler
def test_uint64_mixed_with_a_signed_int_runs_interpreted_and_names_line_and_operands(
    said: pytest.LogCaptureFixture,
) -> None:
    game = MixedSigns()
    found = gt.alphabeta(game, compile="auto")
    assert not found.parameters["compiled"] and found.value == 1
    (line,) = said.messages
    assert (
        f"result (test_bad_games.py:{marked(MixedSigns, '# mixes')}): mixes uint64 with a signed int" in line
    )
    assert "s.stones (uint64)" in line and "at `^`" in line
    with pytest.raises(gt.CompileError, match="mixes uint64 with a signed int"):
        gt.alphabeta(game, compile="always")


# --- the contract -----------------------------------------------------------------------------------


def test_an_attribute_that_hides_a_member_is_refused_by_name() -> None:
    class Hiding(Nim):
        def __init__(self) -> None:
            self.order = [3, 2, 1]  # type: ignore[assignment,method-assign]

    with pytest.raises(
        AttributeError, match=r"Hiding: the attribute `order` hides the member `order`.*`order_`"
    ):
        Hiding()


def test_a_class_attribute_that_hides_a_member_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="the attribute `key` hides the member `key` of the contract"):
        type("Hiding", (Nim,), {"key": 3})


class ThirdPlayer(Nim):
    def player(self, s: Any) -> Any:
        return 2


class ChanceWithoutDice(Nim):
    def player(self, s: Any) -> Any:
        return gt.CHANCE


class DeadEnd(Nim):
    """With three counters there is nothing to do."""

    def actions(self, s: Any) -> Any:
        return range(1, min(3, s[0]) + 1) if s[0] != 3 else range(0)


class HiddenDeadEnd(Nim):
    """The dead end lies off the line that is rehearsed: only after 1, 1, 1."""

    def initial(self) -> Any:
        return (7, 0, 0)

    def actions(self, s: Any) -> Any:
        if s[2] == 111:
            return
        yield from range(1, min(3, s[0]) + 1)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1], s[2] * 10 + a)


class DeadStart(Nim):
    def actions(self, s: Any) -> Any:
        return range(0)


def test_a_player_out_of_range_is_refused(mode: str) -> None:
    with pytest.raises(gt.RulesError, match=r"ThirdPlayer\.player returned 2; players are 0 to 1"):
        gt.alphabeta(ThirdPlayer(), compile=mode)
    with pytest.raises(gt.RulesError, match=r"player returned -1 \(CHANCE\), but defines no `chance`"):
        gt.alphabeta(ChanceWithoutDice(), compile=mode)


@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta])
def test_a_dead_end_is_told_with_the_way_to_it(search: Any, mode: str) -> None:
    with pytest.raises(
        gt.RulesError, match=r"DeadEnd has no actions in a state that is not terminal: \(3, "
    ) as error:
        search(DeadEnd(), compile=mode)
    assert sum(map(int, error.value.path)) == 4


@pytest.mark.needs_compiler
@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta])
def test_a_dead_end_off_the_rehearsed_line_is_told_with_the_way_to_it(search: Any) -> None:
    with pytest.raises(gt.RulesError, match=r"no actions in a state that is not terminal: \(4, 1, 111\)"):
        search(HiddenDeadEnd(), compile="always")


def test_a_dead_start_is_told(mode: str) -> None:
    with pytest.raises(
        gt.RulesError, match=r"DeadStart has no actions in a state that is not terminal: \(7, 0\)"
    ):
        gt.alphabeta(DeadStart(), compile=mode)


# --- numbers ----------------------------------------------------------------------------------------


class NanUtility(Nim):
    def utility(self, s: Any, p: int) -> Any:
        return math.nan


class HiddenNan(Nim):
    """Not a number only at the end of 1, 1, 1, 1, 1, 1, 1."""

    def initial(self) -> Any:
        return (7, 0, 0)

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] - a, 1 - s[1], s[2] + 1)

    def utility(self, s: Any, p: int) -> Any:
        if s[2] == 7:
            return math.nan
        return -1 if p == s[1] else 1


class NanEvaluation(Nim):
    def evaluate(self, s: Any, p: int) -> Any:
        return math.nan


class TextUtility(Nim):
    def utility(self, s: Any, p: int) -> Any:
        return "won"


def test_a_utility_that_is_not_a_number_is_refused(mode: str) -> None:
    with pytest.raises(gt.RulesError, match=r"NanUtility\.utility returned nan"):
        gt.alphabeta(NanUtility(), compile=mode)
    with pytest.raises(gt.RulesError, match=r"TextUtility\.utility returned 'won', which is not a number"):
        gt.alphabeta(TextUtility(), compile=mode)


@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta])
def test_nan_off_the_rehearsed_line_is_refused(search: Any, mode: str) -> None:
    with pytest.raises(gt.RulesError, match="nan"):
        search(HiddenNan(), compile=mode)


def test_an_evaluation_that_is_not_a_number_is_refused(mode: str) -> None:
    with pytest.raises(gt.RulesError, match="nan"):
        gt.alphabeta(NanEvaluation(), depth=3, compile=mode)


# --- actions without end ----------------------------------------------------------------------------


class EndlessActions(Nim):
    def actions(self, s: Any) -> Any:
        while True:
            yield 1


class EndlessBelow(Nim):
    """With fewer than five counters the actions do not end."""

    def actions(self, s: Any) -> Any:
        yield 1
        if s[0] < 5:
            while True:
                yield 2

    def result(self, s: Any, a: Any) -> Any:
        return (max(0, s[0] - a), 1 - s[1])


def test_actions_without_end_at_the_root_are_refused(mode: str) -> None:
    with pytest.raises(
        gt.RulesError, match=r"EndlessActions\.actions gave more than 100,000 actions in one state"
    ):
        gt.alphabeta(EndlessActions(), compile=mode)


@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta])
def test_a_limit_stops_actions_without_end_further_down(search: Any, mode: str) -> None:
    search(EndlessBelow(), limit=gt.Limit(nodes=10), compile=mode)  # compile before the clock runs
    start = time.perf_counter()
    found = search(EndlessBelow(), limit=gt.Limit(seconds=0.3), compile=mode)
    assert found.stopped_by == "seconds" and not found.exact
    assert 0.3 - WRAPPING_UP <= time.perf_counter() - start < 5
    found = search(EndlessBelow(), limit=gt.Limit(nodes=5000), compile=mode)
    assert (found.stopped_by, found.nodes) == ("nodes", 5000)


# --- exceptions inside the rules --------------------------------------------------------------------


class Rotten(Exception):
    """An exception of the rules' own."""


class BadIndex(Nim):
    def utility(self, s: Any, p: int) -> Any:
        table = (-1, 1)
        return table[s[0] + 5]  # raises


class BadDivision(Nim):
    def result(self, s: Any, a: Any) -> Any:
        share = 12 // (s[0] - 2)  # raises
        return (s[0] - a, 1 - s[1] + 0 * share)


class BadFloatDivision(Nim):
    def evaluate(self, s: Any, p: int) -> Any:
        return 1 / (s[0] - 3)  # raises


class RaisedWithText(Nim):
    def result(self, s: Any, a: Any) -> Any:
        if s[0] == 3:
            raise ValueError(f"three is bad luck for player {s[1]}")  # raises
        return (s[0] - a, 1 - s[1])


class OwnException(Nim):
    def is_terminal(self, s: Any) -> Any:
        if s[0] == 2:
            raise Rotten("two", s)  # raises
        return s[0] == 0


class RaisedByPlayer(Nim):
    def player(self, s: Any) -> Any:
        if s[0] == 2:
            raise KeyError(s[0])  # raises
        return s[1]


class RaisedInHelper(Nim):
    def check(self, left: int) -> int:
        if left == 2:
            raise RuntimeError("two left")  # raises
        return left

    def utility(self, s: Any, p: int) -> Any:
        return -1 if p == s[1] else 1

    def result(self, s: Any, a: Any) -> Any:
        return (self.check(s[0]) - a, 1 - s[1])


RAISING: dict[type[gt.Game], tuple[type[Exception], str]] = {
    BadIndex: (IndexError, "tuple index out of range"),
    BadDivision: (ZeroDivisionError, "integer division or modulo by zero"),
    BadFloatDivision: (ZeroDivisionError, "division by zero"),
    RaisedWithText: (ValueError, "three is bad luck for player 0"),
    Asserted: (AssertionError, "never three"),
    AssertedInGenerator: (AssertionError, "never three"),
    OwnException: (Rotten, "('two', (2, 1))"),
    RaisedByPlayer: (KeyError, "2"),
    RaisedInHelper: (RuntimeError, "two left"),
}


def marked(cls: type, mark: str) -> int:
    """The line of a class that bears a comment."""
    lines, first = inspect.getsourcelines(cls)
    (found,) = [first + i for i, line in enumerate(lines) if line.rstrip().endswith(mark)]
    return found


def exception_of(game: gt.Game, mode: str, search: Any = gt.alphabeta) -> Exception:
    depth = 4 if isinstance(game, BadFloatDivision) else None
    with pytest.raises(RAISING[type(game)][0]) as error:
        search(game, depth=depth, compile=mode)
    return error.value


@pytest.mark.parametrize("cls", RAISING, ids=lambda cls: cls.__name__)
def test_an_exception_keeps_its_type_message_and_line(cls: type[gt.Game], mode: str) -> None:
    error = exception_of(cls(), mode)
    kind, message = RAISING[cls]
    assert type(error) is kind
    assert message in str(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.lineno) == (inspect.getfile(cls), marked(cls, "# raises"))


def look_around(game: gt.Game, state: Any) -> None:
    """Asks for everything at a state, and for the value of the ends one action away."""
    game.player(state)
    for action in list(game.actions(state)):
        child = game.result(state, action)
        if game.is_terminal(child):
            game.utility(child, 0)


@pytest.mark.parametrize("cls", [BadIndex, RaisedWithText, RaisedInHelper], ids=lambda cls: cls.__name__)
def test_an_exception_says_after_which_actions(cls: type[Nim], mode: str) -> None:
    (note,) = exception_of(cls(), mode).__notes__
    state = Nim().initial()
    for action in note.removeprefix(f"in {cls.__name__}, after ").split(", "):
        state = Nim().result(state, int(action))
    with pytest.raises(RAISING[cls][0]):
        look_around(cls(), state)


@needs_compiler
@pytest.mark.parametrize("cls", RAISING, ids=lambda cls: cls.__name__)
def test_both_modes_raise_the_same(cls: type[gt.Game]) -> None:
    one, other = (exception_of(cls(), mode, gt.minimax) for mode in ("never", "always"))
    assert (type(one), one.args) == (type(other), other.args)


def test_an_exception_where_the_search_never_looks_does_not_matter(mode: str) -> None:
    class Guarded(Nim):
        def utility(self, s: Any, p: int) -> Any:
            if s[0] != 0:
                raise ValueError("not the end")
            return -1 if p == s[1] else 1

    assert gt.alphabeta(Guarded(), compile=mode).value == 1


def test_after_an_exception_the_same_game_can_be_searched_again(mode: str) -> None:
    game = RaisedWithText()
    exception_of(game, mode)
    assert gt.alphabeta(game, (2, 0), compile=mode).value == 1
    exception_of(game, mode)


# --- what rules should not do -----------------------------------------------------------------------

PRINTING = """
import gametree as gt

class Chatty(gt.Game):
    def initial(self): return (4, 0)
    def player(self, s): return s[1]
    def actions(self, s): return range(1, min(3, s[0]) + 1)
    def result(self, s, a):
        print("taking", a)
        return (s[0] - a, 1 - s[1])
    def is_terminal(self, s): return s[0] == 0
    def utility(self, s, p): return -1 if p == s[1] else 1

print("value", gt.alphabeta(Chatty(), compile={mode!r}).value)
"""


@pytest.mark.parametrize(
    "way",
    [
        "never",
        pytest.param("auto", marks=needs_compiler),
    ],
)
def test_a_game_that_prints_can_be_searched(way: str, tmp_path: Path) -> None:
    script = tmp_path / "chatty.py"
    script.write_text(PRINTING.format(mode=way))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("taking ") and done.stdout.splitlines()[-1] == "value -1"


class NeverAssigned(Nim):
    def utility(self, s: Any, p: int) -> Any:
        for i in range(s[0]):
            best = i
        return best  # raises


@pytest.mark.parametrize(
    "way",
    [
        "never",
        pytest.param(
            "always",
            marks=[needs_compiler, pytest.mark.xfail(strict=True, reason="compiled, the variable is 0")],
        ),
    ],
)
def test_a_variable_without_a_value_is_told(way: str) -> None:
    with pytest.raises(UnboundLocalError, match="best"):
        gt.alphabeta(NeverAssigned(), compile=way)


# --- no compiler ------------------------------------------------------------------------------------

WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import logging
logging.basicConfig()
import gametree as gt
found = gt.alphabeta(gt.games.Nim())
print(found.value, found.exact, found.parameters["compiled"])
try:
    gt.alphabeta(gt.games.Nim(), compile="always")
except gt.CompileError as error:
    print(error)
print("numpy" in sys.modules, "llvmlite" in sys.modules)
"""


def test_without_numba_everything_runs_interpreted_and_always_says_why() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    result, refusal, loaded = done.stdout.splitlines()
    assert result.endswith(" True False")
    assert refusal.startswith('compile="always", but Numba cannot be imported (')
    assert loaded == "False False"


def test_with_the_compiler_off_everything_runs_interpreted_and_always_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert native.unavailable() == "NUMBA_DISABLE_JIT is set"
    assert not gt.alphabeta(Nim()).parameters["compiled"]
    with pytest.raises(gt.CompileError, match="but NUMBA_DISABLE_JIT is set"):
        gt.alphabeta(Nim(), compile="always")
