"""The rules checker on the optional members: judgement, identity, clocks, teams, hidden information, text."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from checking.race import Pile, Race, found
from fixtures.kuhn_poker import KuhnPoker
from gametree import Game, InputError
from gametree.checking.checker import check
from gametree.games import TicTacToe

# --- judgement --------------------------------------------------------------------------------------


class Judged(Race):
    def evaluate(self, state: Any, player: int) -> Any:
        return 0.1 * state.high * (1 if player == 0 else -1)


class ForTheMover(Race):
    def evaluate(self, state: Any, player: int) -> Any:
        return 0.1 * (state.high + 1) * (1 if state.mover == 0 else -1)


class NanEvaluation(Race):
    def evaluate(self, state: Any, player: int) -> Any:
        return math.nan


class RaisingEvaluation(Race):
    def evaluate(self, state: Any, player: int) -> Any:
        return 1 / (3 - state.high)


class NamedEvaluation(Judged):
    def evaluate_bold(self, state: Any, player: int) -> Any:
        return None


class Confident(Race):
    def evaluate(self, state: Any, player: int) -> Any:
        return 1 if player == 0 else -1


class ConfidentAlone(Confident):
    payoffs = None


class ByMargin(Race):
    """Won by as much as is declared only where it takes all; random plays hardly ever do."""

    payoffs = (-50, 50)

    def is_terminal(self, state: Any) -> Any:
        return state.high >= 5 or state.mover > 1

    def result(self, state: Any, action: Any) -> Any:
        return Pile(state.high + action * 3, 1 - state.mover)

    def actions(self, state: Any) -> Any:
        return () if self.is_terminal(state) else (1, 2, 3, 4, 5, 6)

    def utility(self, state: Any, player: int) -> Any:
        return (-1 if player == state.mover else 1) * state.high

    def evaluate(self, state: Any, player: int) -> Any:
        return 30 if player == 0 else -30


class ByMarginOfLess(ByMargin):
    payoffs = (-25, 25)


class Weighed(Race):
    def __init__(self, weights: Any = (0.0, 0.1, 0.2)) -> None:
        self.weights = weights

    def features(self, state: Any, player: int) -> Any:
        sign = 1 if player == 0 else -1
        return (sign * state.high / 5, sign)


class VaryingFeatures(Weighed):
    def features(self, state: Any, player: int) -> Any:
        return (1,) * (2 if state.high < 3 else 1)


class TextFeatures(Weighed):
    def evaluate(self, state: Any, player: int) -> Any:
        return 0

    def features(self, state: Any, player: int) -> Any:
        return ("many", 1)


class TextOrder(Race):
    def order(self, state: Any, action: Any) -> Any:
        return "first"


class ForeignTactical(Race):
    def tactical(self, state: Any) -> Any:
        return (2, 3)


class TacticalTwice(Race):
    def tactical(self, state: Any) -> Any:
        return (2, 2, 1)


class NullKeepsTheTurn(Race):
    def null(self, state: Any) -> Any:
        return state


class ThreatenedBySilence(Race):
    def threatened(self, state: Any) -> Any:
        state.high > 5  # noqa: B015  (the `return` is missing)


class ThreatensWithoutThreat(Race):
    def threatens(self, state: Any, action: Any) -> bool:
        return True


class ThreatensBySilence(Race):
    def threatens(self, state: Any, action: Any) -> Any:
        state.high > 5  # noqa: B015  (the `return` is missing)


class NullOfOtherClass(Race):
    def null(self, state: Any) -> Any:
        return (state.high, 1 - state.mover)


def test_sound_evaluations_pass() -> None:
    for game in (Judged(), Weighed()):
        report = check(game, compile="never")
        assert report.ok and not report.warnings, report


def test_an_estimate_beyond_the_margins_that_were_seen_is_sound_within_what_is_declared() -> None:
    report = check(ByMargin(), compile="never")
    assert report.ok and not [finding for finding in report.findings if finding.kind == "evaluate-range"], (
        report
    )
    assert found(ByMarginOfLess(), "evaluate-range").severity == "warning"


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (ForTheMover(), "evaluate-viewpoint", "warning"),
        (NanEvaluation(), "evaluate-number", "problem"),
        (RaisingEvaluation(), "evaluate-raises", "problem"),
        (NamedEvaluation(), "evaluate-bold-number", "problem"),
        (Confident(), "evaluate-range", "note"),
        (ConfidentAlone(), "evaluate-range", "warning"),
        (Weighed((0.0, 0.1)), "features-weights", "problem"),
        (Weighed(None), "weights-missing", "problem"),
        (VaryingFeatures(), "features-length", "problem"),
        (TextFeatures(), "features-number", "problem"),
        (TextOrder(), "order-number", "problem"),
        (ForeignTactical(), "tactical-subset", "problem"),
        (TacticalTwice(), "tactical-duplicate", "problem"),
        (NullKeepsTheTurn(), "null-mover", "problem"),
        (NullOfOtherClass(), "state-type", "problem"),
        (ThreatenedBySilence(), "threatened-type", "problem"),
        (ThreatensBySilence(), "threatens-type", "problem"),
        (ThreatensWithoutThreat(), "threatens-truth", "problem"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Game) else value,
)
def test_a_slip_in_judgement_is_found(game: Game, kind: str, severity: str) -> None:
    assert found(game, kind).severity == severity


# --- identity, clocks, teams, hidden information ----------------------------------------------------


class KeyWithoutMover(Race):
    def key(self, state: Any) -> Any:
        return state.high


class ConstantKeyAtEnds(Race):
    def key(self, state: Any) -> Any:
        return "over" if state.high == 5 else state


class ListKey(Race):
    def key(self, state: Any) -> Any:
        return [state.high]


class ListRepetitionKey(Race):
    def repetition_key(self, state: Any) -> Any:
        return [state.high]


class SwapsTheMover(Race):
    def symmetries(self, state: Any) -> Any:
        yield Pile(state.high, 1 - state.mover)


class WrongMirror(TicTacToe):
    """Two squares change places, the others stay: as many actions, but other lines."""

    def symmetries(self, state: Any) -> Iterator[Any]:
        def swapped(bits: int) -> int:
            return bits & ~3 | (bits & 1) << 1 | (bits >> 1 & 1)

        yield state._replace(x=swapped(state.x), o=swapped(state.o))


class Limited(Race):
    """The game is over after three plies."""

    class State(NamedTuple):
        high: int
        mover: int
        plies: int

    def initial(self) -> Any:
        return self.State(0, 0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return self.State(min(5, state.high + action), 1 - state.mover, state.plies + 1)

    def is_terminal(self, state: Any) -> Any:
        return state.high >= 5 or state.plies == 3

    def key(self, state: Any) -> Any:
        return (self.is_terminal(state), state.high, state.mover)

    def clock(self, state: Any) -> Any:
        return 3 - state.plies


class NegativeClock(Limited):
    def clock(self, state: Any) -> Any:
        return 1 - state.plies


class FractionalClock(Limited):
    def clock(self, state: Any) -> Any:
        return 1.5


class ClockRunsOut(Limited):
    def clock(self, state: Any) -> Any:
        return 2 - state.plies


class ClockStands(Limited):
    def clock(self, state: Any) -> Any:
        return 3


class ClockHurries(Limited):
    def clock(self, state: Any) -> Any:
        return 9 - 3 * state.plies


class Partners(Race):
    players = 4
    payoffs = (-1, 1)

    def result(self, state: Any, action: Any) -> Any:
        return Pile(min(5, state.high + action), (state.mover + 1) % 4)

    def team(self, player: int) -> Any:
        return player % 2

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player % 2 == state.mover % 2 else 1


class UnequalPartners(Partners):
    total = None

    def utility(self, state: Any, player: int) -> Any:
        return 1 if player == state.mover else 0


class SeventhTeam(Partners):
    def team(self, player: int) -> Any:
        return 7


class SeesTooLittle(KuhnPoker):
    """Who cannot see whether a bet was made does not know whether there is one to fold to."""

    def actions(self, state: Any) -> Any:
        return ("p",) if state.said == "p" else ("p", "b")

    def observe(self, state: Any, player: int) -> Any:
        return (state.first, state.second)[player]


class Absentminded(KuhnPoker):
    def observe(self, state: Any, player: int) -> Any:
        return (state.first, state.second)[player], state.said if player == 1 else ""


class ListObservation(KuhnPoker):
    def observe(self, state: Any, player: int) -> Any:
        return [state.said]


class ShowsAll(KuhnPoker):
    def observe(self, state: Any, player: int) -> Any:
        return state


def test_a_sound_clock_and_sound_teams_pass() -> None:
    for game in (Limited(), Partners()):
        report = check(game, compile="never")
        assert report.ok and not report.warnings, report


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (KeyWithoutMover, "key-collision", "problem"),
        (ConstantKeyAtEnds, "key-collision", "problem"),
        (ListKey, "key-unhashable", "problem"),
        (ListRepetitionKey, "repetition-key-unhashable", "problem"),
        (SwapsTheMover, "symmetries", "problem"),
        (WrongMirror, "symmetries", "problem"),
        (NegativeClock, "clock-number", "problem"),
        (FractionalClock, "clock-number", "problem"),
        (ClockRunsOut, "clock-zero", "problem"),
        (ClockStands, "clock-stands", "problem"),
        (ClockHurries, "clock-jumps", "warning"),
        (UnequalPartners, "team-payoffs", "problem"),
        (SeventhTeam, "team-range", "problem"),
        (SeesTooLittle, "observe-actions", "problem"),
        (Absentminded, "observe-recall", "warning"),
        (ListObservation, "observe-unhashable", "problem"),
        (ShowsAll, "observe-hides-nothing", "note"),
    ],
)
def test_a_slip_in_what_a_state_is_taken_for_is_found(game: type[Game], kind: str, severity: str) -> None:
    assert found(game(), kind).severity == severity


def test_of_two_states_that_collide_both_ways_are_told() -> None:
    message = found(KeyWithoutMover(), "key-collision").message
    assert message.startswith("After ")
    assert "the other state is the one after " in message


# --- text -------------------------------------------------------------------------------------------


class SameNames(Race):
    def name_action(self, state: Any, action: Any) -> str:
        return "add"


class NumberAsName(Race):
    def name_action(self, state: Any, action: Any) -> Any:
        return action


class ForeignLanguage(Race):
    def name_action(self, state: Any, action: Any) -> str:
        return f"add {action}"

    def parse_action(self, state: Any, text: str) -> Any:
        return int(text)


class AcceptsAnything(Race):
    def parse_action(self, state: Any, text: str) -> Any:
        return 2 if text == "2" else 1


class CrashesOnNonsense(Race):
    def parse_state(self, text: str) -> Any:
        return {"start": Pile(0, 0)}[text]


class ReadsAnother(Race):
    def parse_state(self, text: str) -> Any:
        if not text.startswith("Pile"):
            raise InputError("write Pile(...)")
        return Pile(0, 0)

    def show(self, state: Any) -> str:
        return str(state)


class ShowsNothing(Race):
    def show(self, state: Any) -> Any:
        return None


class RaisingName(Race):
    def name_action(self, state: Any, action: Any) -> str:
        raise ValueError("no name")


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (SameNames, "name-action-unique", "problem"),
        (NumberAsName, "name-action-text", "problem"),
        (RaisingName, "name-action-raises", "problem"),
        (ForeignLanguage, "parse-action", "problem"),
        (AcceptsAnything, "parse-action-refusal", "warning"),
        (CrashesOnNonsense, "parse-state-refusal", "warning"),
        (ReadsAnother, "parse-state", "note"),
        (ShowsNothing, "show-text", "problem"),
    ],
)
def test_a_slip_in_text_is_found(game: type[Game], kind: str, severity: str) -> None:
    assert found(game(), kind).severity == severity
