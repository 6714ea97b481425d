"""The rules checker as a whole: sound rules pass, problems are shown by the shortest way, time is kept."""

import json
import math
import sys
import time
import types
from typing import Any

import pytest

from checking.race import Pile, Race, found
from checking.test_elements import ActionsAfterTheEnd, DeadEnd, Endless, EndlessAndSlow, WinnerTakesOne
from checking.test_optional_members import Confident, CrashesOnNonsense, ForTheMover
from fixtures.kuhn_poker import KuhnPoker
from fixtures.prisoners_dilemma import PrisonersDilemma
from gametree import Chance, Game, InputError, RulesError, Tree, games
from gametree.checking.checker import Report, check
from gametree.games import ConnectFour, Nim, TicTacToe

pytestmark = pytest.mark.same_in_all_modes


def kinds(report: Report) -> set[str]:
    return {finding.kind for finding in report.findings}


# --- sound rules ------------------------------------------------------------------------------------


# Random games of these are long: their own tests check them, on smaller boards or with more time.
LONG = ("battleship", "backgammon", "chess", "chinese-checkers", "go", "hex")


@pytest.mark.parametrize(
    "game",
    [
        Race(),
        KuhnPoker(),
        PrisonersDilemma(),
        *(games.load(name) for name in games.names() if name not in LONG),
        Nim(misere=True),
        ConnectFour(width=4, height=4),
        Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
        Tree(Chance([(0.5, [1, 2]), (0.5, 3)])),
        Tree([(1, 2, 3), [(3, 2, 1), (0, 0, 9)]], movers=(0, 1, 2)),
    ],
    ids=repr,
)
def test_sound_rules_pass(game: Game) -> None:
    report = check(game, compile="never", seconds=10, plays=2)
    assert report.ok, report
    assert report.exit_code == 0
    assert report.finished


def test_the_states_of_a_small_game_are_all_seen() -> None:
    report = check(Nim(counters=21), compile="never")
    assert (report.complete, report.states) == (True, 42)
    least, mean, greatest = report.branching
    assert (least, greatest) == (1, 3)
    assert mean == pytest.approx(2.85, abs=0.01)
    assert 21 / 3 <= report.average_length <= 21


def test_the_same_seed_gives_the_same_report() -> None:
    one, other = (check(Race(), compile="never", seed=7) for _ in range(2))
    assert one.to_dict() | {"seconds": 0} == other.to_dict() | {"seconds": 0}


def test_a_check_can_begin_at_any_state() -> None:
    report = check(Race(), state=Pile(4, 1), compile="never")
    assert (report.states, report.average_length) == (2, 1)


# --- long games and time ----------------------------------------------------------------------------


class Forever(Race):
    def actions(self, state: Any) -> Any:
        return (1, 2)

    def result(self, state: Any, action: Any) -> Any:
        return Pile(state.high + action, 1 - state.mover)

    def is_terminal(self, state: Any) -> Any:
        return False


class RoundAndRound(Race):
    def result(self, state: Any, action: Any) -> Any:
        return Pile(5 if state.high + action == 5 else (state.high + action) % 5, 1 - state.mover)


class Slow(Race):
    def is_terminal(self, state: Any) -> Any:
        time.sleep(0.05)
        return super().is_terminal(state)


def test_a_game_without_end_is_told() -> None:
    finding = found(Forever(), "no-end", plays=1)
    assert finding.severity == "note"
    assert "`repetition`" in finding.message


def test_a_position_that_recurs_is_told() -> None:
    assert found(RoundAndRound(), "cycle").severity == "note"


@pytest.mark.parametrize(
    "game", [Forever(), Endless(), EndlessAndSlow(), Slow()], ids=lambda g: type(g).__name__
)
def test_a_check_takes_no_longer_than_it_may(game: Game) -> None:
    start = time.perf_counter()
    report = check(game, compile="never", seconds=1)
    assert time.perf_counter() - start < 2.5
    assert str(report)


def test_where_time_was_too_short_the_report_says_so() -> None:
    assert "seconds=1" in found(Slow(), "time", seconds=0.5).message


# --- the shortest way -------------------------------------------------------------------------------


class LateSlip(Game):
    """Step left or right on a long line; far to the right `player` slips."""

    def initial(self) -> Any:
        return (0, 0, 0)

    def player(self, state: Any) -> Any:
        return 5 if state[0] == 12 else state[1]

    def actions(self, state: Any) -> Any:
        return ("right", "left", "rest")

    def result(self, state: Any, action: Any) -> Any:
        at, mover, noise = state
        # The noise makes almost every state a new one: nobody gets far by looking at all of them.
        noise = (noise * 31 + len(action) * 7 + at) % 100_003
        return (at + {"right": 1, "left": -1, "rest": 0}[action], 1 - mover, noise)

    def is_terminal(self, state: Any) -> Any:
        return state[0] <= -30

    def utility(self, state: Any, player: int) -> Any:
        return 0


def test_the_shortest_way_to_a_problem_is_shown() -> None:
    finding = found(DeadEnd(), "dead-end")
    assert finding.path == ("2", "2")
    assert finding.message.startswith("After 2, 2, `actions` gives nothing")
    assert finding.state_text == "Pile(high=4, mover=0)"


def test_a_long_way_to_a_problem_is_shortened_by_leaving_actions_out() -> None:
    # Few plays and more time than they take: how far it is shortened depends on no clock.
    finding = found(LateSlip(), "player-range", plays=4, seconds=60)
    assert finding.path == ("right",) * 12
    assert "After 12 actions that end with right, right, right" in finding.message


def test_each_kind_is_reported_once_with_a_count() -> None:
    report = check(WinnerTakesOne(), compile="never")
    assert [finding.kind for finding in report.problems] == ["utility-sum"]
    # Five on the pile with either player to move.
    assert report.problems[0].count == 2


# --- compiled rules ---------------------------------------------------------------------------------


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Stands in for the comparison: [differences, reason, the states that were given]."""
    answer: list[Any] = [[], "", None]

    def differences(game: Game, states: Any) -> tuple[list[str], str]:
        answer[2] = list(states)
        return answer[0], answer[1]

    module = types.ModuleType("gametree.checking.agreement")
    module.differences = differences  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gametree.checking.agreement", module)
    return answer


def test_compiled_rules_that_agree_are_told(compared: list[Any]) -> None:
    report = check(Race())
    assert report.ok and report.compared
    assert "compared" in str(report)
    assert Pile(0, 0) in compared[2] and Pile(5, 1) in compared[2]


def test_compiled_rules_that_differ_are_a_problem(compared: list[Any]) -> None:
    compared[0] = ["`utility` is 1 interpreted and -1 compiled at Pile(5, 1)"]
    finding = found(Race(), "compiled-differs", compile="auto")
    assert finding.severity == "problem"
    assert "interpreted and -1 compiled" in finding.message


def test_rules_that_do_not_compile_are_told_and_blamed_only_where_compiling_is_a_must(
    compared: list[Any],
) -> None:
    compared[1] = "`actions` uses a set (line 12)"
    assert found(Race(), "not-compiled", compile="auto").severity == "note"
    assert found(Race(), "not-compiled", compile="always").severity == "problem"
    assert not check(Race()).compared


def test_rules_with_problems_are_not_compiled(compared: list[Any]) -> None:
    assert found(DeadEnd(), "not-compared", compile="auto").severity == "note"
    assert compared[2] is None


@pytest.mark.needs_compiler
def test_the_rules_of_a_shipped_game_are_the_same_compiled() -> None:
    report = check(Nim(counters=5))
    assert report.ok and report.compared


def test_nothing_is_compiled_where_that_is_not_wanted(compared: list[Any]) -> None:
    assert not check(Race(), compile="never").compared
    assert compared[2] is None


# --- the report -------------------------------------------------------------------------------------


def test_a_report_prints_in_a_hundred_columns_without_colours() -> None:
    for game in (WinnerTakesOne(), ForTheMover(), LateSlip(), TicTacToe(), ActionsAfterTheEnd()):
        text = str(check(game, compile="never", seconds=1))
        assert max(map(len, text.splitlines())) <= 100
        assert text.isprintable() or "\x1b" not in text


def test_a_report_says_first_what_it_found() -> None:
    assert str(check(WinnerTakesOne(), compile="never")).startswith("WinnerTakesOne: 1 problem\n")
    assert str(check(Race(), compile="never")).startswith("Race: no problems found\n")


def test_a_report_is_plain_data_for_json() -> None:
    report = check(WinnerTakesOne(), compile="never")
    data = json.loads(json.dumps(report.to_dict()))
    assert (data["schema"], data["game"], data["ok"]) == (
        "gametree.check/1",
        "WinnerTakesOne",
        False,
    )
    assert data["problems"][0]["path"] == list(report.problems[0].path)
    assert report.exit_code == 1


def test_problems_come_before_warnings_and_notes() -> None:
    report = check(Confident(), compile="never")
    order = {"problem": 0, "warning": 1, "note": 2}
    ranks = [order[finding.severity] for finding in report.findings]
    assert ranks == sorted(ranks)


def test_what_is_worth_knowing_about_payoffs_is_told() -> None:
    class Loose(Race):
        payoffs = (-10, 10)

    class Undeclared(Race):
        total = None

        def initial(self) -> Any:
            return Pile(-60, 0)

        def result(self, state: Any, action: Any) -> Any:
            return Pile(state.high + action, 1 - state.mover)

        def actions(self, state: Any) -> Any:
            return range(1, 20)

    assert found(Loose(), "payoffs-loose").severity == "note"
    assert "declare `total = 0`" in found(Undeclared(), "constant-sum").message


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"plays": 0}, "plays=0"),
        ({"seconds": 0}, "seconds=0"),
        ({"seconds": math.inf}, "seconds=inf"),
        ({"compile": "maybe"}, '"auto", "always" or "never"'),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check(Race(), **options)


def test_a_class_in_the_place_of_a_game_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match=r"Write Race\(\) rather than Race"):
        check(Race)  # type: ignore[arg-type]


def test_a_state_that_cannot_be_hashed_is_refused() -> None:
    with pytest.raises(RulesError, match="cannot be hashed"):
        check(Race(), state=[0, 0])


def test_kinds_are_slugs() -> None:
    for game in (WinnerTakesOne(), CrashesOnNonsense(), Confident()):
        for kind in kinds(check(game, compile="never", seconds=1)):
            assert kind == kind.lower() and "_" not in kind and " " not in kind
