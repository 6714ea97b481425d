"""The rules checker: every slip is found and explained, and sound rules pass."""

import itertools
import json
import math
import random
import sys
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

from fixtures.kuhn_poker import KuhnPoker
from fixtures.prisoners_dilemma import PrisonersDilemma
from gametree import CHANCE, Chance, Game, InputError, RulesError, Tree, games
from gametree.check import Finding, Report, check
from gametree.games import ConnectFour, Nim, TicTacToe

COUNTER = 0


class Pile(NamedTuple):
    """How much lies on the pile, and who adds next."""

    high: int
    mover: int


class Race(Game):
    """Add one or two in turn; whoever reaches five wins. Sound rules, for others to break."""

    payoffs: Any = (-1, 1)

    def initial(self) -> Any:
        return Pile(0, 0)

    def player(self, state: Any) -> Any:
        return state.mover

    def actions(self, state: Any) -> Any:
        return () if self.is_terminal(state) else (1, 2)

    def result(self, state: Any, action: Any) -> Any:
        return Pile(min(5, state.high + action), 1 - state.mover)

    def is_terminal(self, state: Any) -> Any:
        return state.high >= 5

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state.mover else 1


def found(game: Game, kind: str, **options: Any) -> Finding:
    """The finding of a kind; the test fails with the whole report where there is none."""
    report = check(game, **{"compile": "never", "seconds": 2, "plays": 30, **options})
    match = [finding for finding in report.findings if finding.kind == kind]
    assert match, f"no {kind} in:\n{report}"
    return match[0]


def kinds(report: Report) -> set[str]:
    return {finding.kind for finding in report.findings}


# --- sound rules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game",
    [
        Race(),
        KuhnPoker(),
        PrisonersDilemma(),
        *map(games.load, games.names()),
        Nim(misere=True),
        ConnectFour(width=4, height=4),
        Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
        Tree(Chance([(0.5, [1, 2]), (0.5, 3)])),
        Tree([(1, 2, 3), [(3, 2, 1), (0, 0, 9)]], movers=(0, 1, 2)),
    ],
    ids=repr,
)
def test_sound_rules_pass(game: Game) -> None:
    report = check(game, compile="never", seconds=1)
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


# --- the six elements -------------------------------------------------------------------------------


class NoInitial(Race):
    def initial(self) -> Any:
        return dict[str, Any]()["start"]


class NoneInitial(Race):
    def initial(self) -> Any:
        return None


class RandomInitial(Race):
    def initial(self) -> Any:
        return Pile(random.randrange(1 << 60), 0)


class ThirdPlayer(Race):
    def player(self, state: Any) -> Any:
        return 2 if state.high == 3 else state.mover


class NonePlayer(Race):
    def player(self, state: Any) -> Any:
        return None


class FloatPlayer(Race):
    def player(self, state: Any) -> Any:
        return float(state.mover)


class DeadEnd(Race):
    def actions(self, state: Any) -> Any:
        return () if state.high >= 4 else (1, 2)


class Endless(Race):
    def actions(self, state: Any) -> Any:
        return itertools.count(1) if state.high >= 2 else (1, 2)


class EndlessAndSlow(Race):
    def actions(self, state: Any) -> Any:
        for action in itertools.count(1):
            time.sleep(1e-4)
            yield action


class TwiceTheSame(Race):
    def actions(self, state: Any) -> Any:
        return (1, 2, 1)


class NoneActions(Race):
    def actions(self, state: Any) -> Any:
        return None


class NoneAsAction(Race):
    def actions(self, state: Any) -> Any:
        return (1, None)

    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, action or 2)


class ListsAsActions(Race):
    def actions(self, state: Any) -> Any:
        return ([1], [2])

    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, action[0])


class SetOfStrings(Race):
    def actions(self, state: Any) -> Any:
        return {"one", "two"}

    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, 1 if action == "one" else 2)


class SetOfNumbers(Race):
    def actions(self, state: Any) -> Any:
        return {1, 2}


class ShuffledActions(Race):
    def actions(self, state: Any) -> Any:
        return random.sample((1, 2, 3, 4, 5, 6), 6)


class NoneResult(Race):
    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, action) if state.high < 3 else None


class OtherClass(Race):
    def result(self, state: Any, action: Any) -> Any:
        after = super().result(state, action)
        return tuple(after) if after.high == 4 else after


class ForgottenElement(Race):
    def initial(self) -> Any:
        return (0, 0, 0)

    def player(self, state: Any) -> Any:
        return state[1]

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= 5

    def result(self, state: Any, action: Any) -> Any:
        return (min(5, state[0] + action), 1 - state[1])

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state[1] else 1


class History(Race):
    """The state is what was played: it is meant to grow."""

    def initial(self) -> Any:
        return ()

    def player(self, state: Any) -> Any:
        return len(state) % 2

    def is_terminal(self, state: Any) -> Any:
        return sum(state) >= 5

    def result(self, state: Any, action: Any) -> Any:
        return (*state, action)

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == len(state) % 2 else 1


class RaisingResult(Race):
    def result(self, state: Any, action: Any) -> Any:
        return Pile((1, 2, 3, 4, 5)[state.high + action], 1 - state.mover)


class RaisingGenerator(Race):
    def actions(self, state: Any) -> Any:
        yield 1
        yield 2 // (3 - state.high)


class NoneTerminal(Race):
    def is_terminal(self, state: Any) -> Any:
        return True if state.high >= 5 else None


class ArrayTerminal(Race):
    def is_terminal(self, state: Any) -> Any:
        return np.array([state.high >= 5, False])


class NoneUtility(Race):
    def utility(self, state: Any, player: int) -> Any:
        return 1 if player != state.mover else None


class NanUtility(Race):
    def utility(self, state: Any, player: int) -> Any:
        return math.nan


class InfiniteUtility(Race):
    def utility(self, state: Any, player: int) -> Any:
        return math.inf if player == 0 else -math.inf


class TextUtility(Race):
    def utility(self, state: Any, player: int) -> Any:
        return "1"


class RaisingUtility(Race):
    def utility(self, state: Any, player: int) -> Any:
        raise RuntimeError("whose turn?")


class WinnerTakesOne(Race):
    def utility(self, state: Any, player: int) -> Any:
        return 0 if player == state.mover else 1


class GeneralSum(Race):
    payoffs = (-9, 9)

    def utility(self, state: Any, player: int) -> Any:
        return player if state.mover == 0 else 1


class OutsidePayoffs(Race):
    def utility(self, state: Any, player: int) -> Any:
        return 3 * super().utility(state, player)


class OddPayoffs(Race):
    payoffs = (1, -1)


class OddTotal(Race):
    total = "zero"  # type: ignore[assignment]


class OddPlayers(Race):
    players = 0


class ActionsAfterTheEnd(Race):
    def actions(self, state: Any) -> Any:
        return (1, 2)


class RaisingAfterTheEnd(Race):
    def actions(self, state: Any) -> Any:
        return ((1, 2),)[state.high // 5]


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (NoInitial, "initial-raises", "problem"),
        (NoneInitial, "initial-none", "problem"),
        (RandomInitial, "impure-initial", "problem"),
        (ThirdPlayer, "player-range", "problem"),
        (NonePlayer, "player-range", "problem"),
        (FloatPlayer, "player-range", "problem"),
        (DeadEnd, "dead-end", "problem"),
        (Endless, "actions-endless", "problem"),
        (EndlessAndSlow, "actions-endless", "problem"),
        (TwiceTheSame, "actions-duplicate", "problem"),
        (NoneActions, "actions-type", "problem"),
        (NoneAsAction, "action-none", "warning"),
        (ListsAsActions, "action-unhashable", "warning"),
        (SetOfStrings, "actions-order", "problem"),
        (SetOfNumbers, "actions-set", "warning"),
        (ShuffledActions, "actions-order", "problem"),
        (NoneResult, "result-none", "problem"),
        (OtherClass, "state-type", "problem"),
        (ForgottenElement, "state-length", "problem"),
        (History, "state-length", "warning"),
        (RaisingResult, "result-raises", "problem"),
        (RaisingGenerator, "actions-raises", "problem"),
        (NoneTerminal, "is-terminal-type", "problem"),
        (ArrayTerminal, "is-terminal-type", "problem"),
        (NoneUtility, "utility-number", "problem"),
        (NanUtility, "utility-number", "problem"),
        (InfiniteUtility, "utility-number", "problem"),
        (TextUtility, "utility-number", "problem"),
        (RaisingUtility, "utility-raises", "problem"),
        (WinnerTakesOne, "utility-sum", "problem"),
        (GeneralSum, "utility-sum", "problem"),
        (OutsidePayoffs, "utility-range", "problem"),
        (OddPayoffs, "payoffs", "problem"),
        (OddTotal, "total", "problem"),
        (OddPlayers, "players", "problem"),
        (ActionsAfterTheEnd, "actions-at-end", "note"),
        (RaisingAfterTheEnd, "actions-raises-at-end", "warning"),
    ],
)
def test_a_slip_in_the_six_elements_is_found(game: type[Game], kind: str, severity: str) -> None:
    assert found(game(), kind).severity == severity


def test_actions_after_the_end_are_told_and_not_blamed() -> None:
    report = check(ActionsAfterTheEnd(), compile="never")
    assert report.ok
    assert not report.warnings


def test_an_exception_is_shown_with_the_line_of_the_rules() -> None:
    message = found(RaisingResult(), "result-raises").message
    assert "IndexError: tuple index out of range" in message
    assert "test_check.py, line " in message


def test_a_sum_that_is_the_same_at_every_end_is_named_for_declaring() -> None:
    assert "declare `total = 1`" in found(WinnerTakesOne(), "utility-sum").message
    assert "`total = None`" in found(GeneralSum(), "utility-sum").message


def test_payoffs_that_have_room_for_all_that_was_seen_are_named() -> None:
    assert "`payoffs = (-3, 3)`" in found(OutsidePayoffs(), "utility-range").message


# --- chance -----------------------------------------------------------------------------------------


class Coin(Race):
    """The first player's fate is tossed for at once."""

    def player(self, state: Any) -> Any:
        return CHANCE if state.high == 0 else state.mover

    def chance(self, state: Any) -> Any:
        return [(1, 0.5), (2, 0.5)]


class UndefinedChance(Race):
    def player(self, state: Any) -> Any:
        return CHANCE if state.high == 3 else state.mover


class TooLikely(Coin):
    def chance(self, state: Any) -> Any:
        return [(1, 0.5), (2, 0.6)]


class Impossible(Coin):
    def chance(self, state: Any) -> Any:
        return []


class Negative(Coin):
    def chance(self, state: Any) -> Any:
        return [(1, 1.5), (2, -0.5)]


class NoPairs(Coin):
    def chance(self, state: Any) -> Any:
        return [1, 2]


class SameFaceTwice(Coin):
    def chance(self, state: Any) -> Any:
        return [(1, 0.5), (1, 0.5)]


class RaisingChance(Coin):
    def chance(self, state: Any) -> Any:
        raise KeyError("dice")


def test_sound_chance_passes() -> None:
    assert check(Coin(), compile="never").ok


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (UndefinedChance, "chance-missing", "problem"),
        (TooLikely, "chance-sum", "problem"),
        (Impossible, "chance-sum", "problem"),
        (Negative, "chance-probability", "problem"),
        (NoPairs, "chance-pair", "problem"),
        (SameFaceTwice, "chance-duplicate", "warning"),
        (RaisingChance, "chance-raises", "problem"),
    ],
)
def test_a_slip_in_chance_is_found(game: type[Game], kind: str, severity: str) -> None:
    assert found(game(), kind).severity == severity


# --- purity -----------------------------------------------------------------------------------------


@dataclass(eq=True, unsafe_hash=True)
class Heap:
    """A state that can be changed in place."""

    high: int
    mover: int


class InPlace(Race):
    def initial(self) -> Any:
        return Heap(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        state.high = min(5, state.high + action)
        state.mover = 1 - state.mover
        return state


class GlobalCounter(Race):
    """Every thousandth answer differs."""

    def is_terminal(self, state: Any) -> Any:
        global COUNTER
        COUNTER += 1
        return state.high >= 5 if COUNTER % 1000 else state.high < 5


class OwnCounter(Race):
    def __init__(self) -> None:
        self.asked = [0]

    def player(self, state: Any) -> Any:
        self.asked[0] += 1
        return state.mover


class OwnGenerator(Race):
    def __init__(self) -> None:
        self.random = random.Random(0)

    def utility(self, state: Any, player: int) -> Any:
        self.random.random()
        return super().utility(state, player)


class ClassCounter(Race):
    asked = 0

    def player(self, state: Any) -> Any:
        ClassCounter.asked += 1
        return state.mover


class Dice(Race):
    def result(self, state: Any, action: Any) -> Any:
        return super().result(state, random.random())


class CallOrder(Race):
    """`evaluate` answers for the state that `is_terminal` was asked about last."""

    def __init__(self) -> None:
        self.last = [Pile(0, 0)]

    def is_terminal(self, state: Any) -> Any:
        self.last[0] = state
        return state.high >= 5

    def evaluate(self, state: Any, player: int) -> Any:
        return 0.1 * (self.last[0].high % 5)


class GrowsTired(Race):
    """`actions` changes its mind after five hundred calls."""

    calls: Any = itertools.count()

    def actions(self, state: Any) -> Any:
        return (1, 2) if next(self.calls) < 500 else (1,)


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (InPlace, "state-changed"),
        (GlobalCounter, "impure-is-terminal"),
        (OwnCounter, "game-changed"),
        (OwnGenerator, "game-changed"),
        (ClassCounter, "game-changed"),
        (Dice, "impure-result"),
        (CallOrder, "impure-evaluate"),
        (GrowsTired, "impure-actions"),
    ],
)
def test_methods_that_are_not_pure_are_found(game: type[Game], kind: str) -> None:
    assert found(game(), kind, plays=200).severity == "problem"


def test_the_method_that_changes_an_attribute_is_named() -> None:
    assert "`player` changed the attribute `self.asked`" in found(OwnCounter(), "game-changed").message


def test_the_method_that_changes_the_state_is_named() -> None:
    assert "`result` changed the state" in found(InPlace(), "state-changed").message


def test_a_global_variable_that_changes_is_told() -> None:
    class Counting(Race):
        def player(self, state: Any) -> Any:
            global COUNTER
            COUNTER += 1
            return state.mover

    assert found(Counting(), "global-changed").severity == "warning"


def test_a_cached_property_is_no_change() -> None:
    import functools

    class Lazy(Race):
        @functools.cached_property
        def goal(self) -> int:
            return 5

        def is_terminal(self, state: Any) -> Any:
            return state.high >= self.goal

    assert check(Lazy(), compile="never").ok


# --- states -----------------------------------------------------------------------------------------


class ListState(Race):
    def initial(self) -> Any:
        return [0, 0]

    def player(self, state: Any) -> Any:
        return state[1]

    def is_terminal(self, state: Any) -> Any:
        return state[0] >= 5

    def result(self, state: Any, action: Any) -> Any:
        return [min(5, state[0] + action), 1 - state[1]]

    def utility(self, state: Any, player: int) -> Any:
        return -1 if player == state[1] else 1


class PileWithList(NamedTuple):
    high: int
    mover: int
    played: Any


class ListInside(Race):
    def initial(self) -> Any:
        return PileWithList(0, 0, ())

    def result(self, state: Any, action: Any) -> Any:
        return PileWithList(min(5, state.high + action), 1 - state.mover, [action])


class Nameless:
    """A state that is equal to itself only."""

    def __init__(self, high: int, mover: int):
        self.high, self.mover = high, mover


class NoEquality(Race):
    def initial(self) -> Any:
        return Nameless(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return Nameless(min(5, state.high + action), 1 - state.mover)


class BadHash(Nameless):
    def __eq__(self, other: object) -> bool:
        return isinstance(other, BadHash) and (self.high, self.mover) == (other.high, other.mover)

    __hash__ = object.__hash__


class UnequalHashes(Race):
    def initial(self) -> Any:
        return BadHash(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return BadHash(min(5, state.high + action), 1 - state.mover)


@dataclass(frozen=True)
class PathHash:
    """Equal by what lies on the pile, hashed by how it came there."""

    high: int
    mover: int
    played: tuple[int, ...] = field(default=(), compare=False)

    def __hash__(self) -> int:
        return hash(self.played)


class HashOfThePath(Race):
    def initial(self) -> Any:
        return PathHash(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return PathHash(min(5, state.high + action), 1 - state.mover, (*state.played, action))


@dataclass(frozen=True)
class Forgetful:
    """The mover takes no part in equality."""

    high: int
    mover: int = field(compare=False)


class MoverNotCompared(Race):
    def initial(self) -> Any:
        return Forgetful(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return Forgetful(min(5, state.high + action), 1 - state.mover)


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (ListState, "state-unhashable"),
        (ListInside, "state-unhashable"),
        (NoEquality, "state-equality"),
        (UnequalHashes, "state-hash"),
        (HashOfThePath, "state-hash"),
        (MoverNotCompared, "equal-states"),
    ],
)
def test_states_that_cannot_be_told_apart_or_brought_together_are_found(game: type[Game], kind: str) -> None:
    assert found(game(), kind).severity == "problem"


def test_the_element_that_cannot_be_hashed_is_named() -> None:
    assert "its element played is a list" in found(ListInside(), "state-unhashable").message


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


class NullOfOtherClass(Race):
    def null(self, state: Any) -> Any:
        return (state.high, 1 - state.mover)


def test_sound_evaluations_pass() -> None:
    for game in (Judged(), Weighed()):
        report = check(game, compile="never")
        assert report.ok and not report.warnings, report


@pytest.mark.parametrize(
    ("game", "kind", "severity"),
    [
        (ForTheMover(), "evaluate-viewpoint", "warning"),
        (NanEvaluation(), "evaluate-number", "problem"),
        (RaisingEvaluation(), "evaluate-raises", "problem"),
        (NamedEvaluation(), "evaluate-bold-number", "problem"),
        (Confident(), "evaluate-range", "warning"),
        (Weighed((0.0, 0.1)), "features-weights", "problem"),
        (Weighed(None), "weights-missing", "problem"),
        (VaryingFeatures(), "features-length", "problem"),
        (TextFeatures(), "features-number", "problem"),
        (TextOrder(), "order-number", "problem"),
        (ForeignTactical(), "tactical-subset", "problem"),
        (TacticalTwice(), "tactical-duplicate", "problem"),
        (NullKeepsTheTurn(), "null-mover", "problem"),
        (NullOfOtherClass(), "state-type", "problem"),
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
    finding = found(LateSlip(), "player-range", seconds=6)
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

    module = types.ModuleType("gametree.search.compare")
    module.differences = differences  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gametree.search.compare", module)
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
    assert (data["schema"], data["game"], data["ok"]) == ("gametree.check/1", "WinnerTakesOne", False)
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
