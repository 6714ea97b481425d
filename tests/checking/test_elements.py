"""The rules checker on the six elements and on chance: every slip is found."""

import itertools
import math
import random
import time
from typing import Any

import numpy as np
import pytest

from checking.race import Pile, Race, found
from gametree import CHANCE, Game
from gametree.checking.checker import check

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
    seconds = 2 if game is EndlessAndSlow else 10
    assert found(game(), kind, seconds=seconds).severity == severity


def test_actions_after_the_end_are_told_and_not_blamed() -> None:
    report = check(ActionsAfterTheEnd(), compile="never")
    assert report.ok
    assert not report.warnings


def test_an_exception_is_shown_with_the_line_of_the_rules() -> None:
    finding = found(RaisingResult(), "result-raises")
    assert finding.message.startswith("After 2, 2, `result` raised IndexError: tuple index out of range")
    assert "test_elements.py, line " in finding.message


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
