"""The rules checker on methods that are not pure and on states that are not values."""

import functools
import itertools
import random
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from checking.race import Pile, Race, found
from gametree import Game
from gametree.checking import snapshot
from gametree.checking.checker import check

COUNTER = 0


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


class RaisingEquality(Nameless):
    def __eq__(self, other: object) -> bool:
        raise NotImplementedError

    def __hash__(self) -> int:
        return 1


class EqualityRaises(Race):
    def initial(self) -> Any:
        return RaisingEquality(0, 0)

    def result(self, state: Any, action: Any) -> Any:
        return RaisingEquality(min(5, state.high + action), 1 - state.mover)


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
        (EqualityRaises, "state-equality"),
        (UnequalHashes, "state-hash"),
        (HashOfThePath, "state-hash"),
        (MoverNotCompared, "equal-states"),
    ],
)
def test_states_that_cannot_be_told_apart_or_brought_together_are_found(game: type[Game], kind: str) -> None:
    assert found(game(), kind).severity == "problem"


def test_the_element_that_cannot_be_hashed_is_named() -> None:
    assert "its element played is a list" in found(ListInside(), "state-unhashable").message


def test_machine_code_that_is_made_meanwhile_is_no_change_of_the_rules() -> None:
    # A bot on another thread may be waiting for it.
    game = Race()
    before = snapshot.attributes(game)
    object.__setattr__(game, "_compiled", object())
    assert snapshot.attributes(game) == before
