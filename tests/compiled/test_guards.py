"""Compiled rules give up where Python's would go another way: the answer is the interpreter's, or an error in words."""

import random
from typing import Any

import numpy as np
import pytest

import gametree as gt
from gametree.compiled.guards import is_guarded, sums

from .random_rules import calculation, differing

pytestmark = pytest.mark.needs_compiler


class Counting(gt.Game):
    """Four plies, whose numbers `step` makes; who has an odd one at the end wins."""

    payoffs = (-1, 1)

    def __init__(self) -> None:
        self.table = np.arange(5)

    def initial(self) -> Any:
        return (3, 0, 0)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Any:
        return (1, 2)

    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return number + action

    def result(self, s: Any, a: Any) -> Any:
        return (self.step(s[0], a, s[2]), 1 - s[1], s[2] + 1)

    def is_terminal(self, s: Any) -> Any:
        return s[2] >= 4

    def utility(self, s: Any, p: Any) -> Any:
        return 1 if (s[0] % 2 == 1) == (p == 0) else -1


class Powers(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return (number + action) ** 9 % 1_000_003


class Shifts(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return (1 << 60 << (10 if ply == 2 else 1)) >> 58 - action


class LowestNegated(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        lowest = -(2**62) - (2**62 if ply == 3 else 0)
        return abs(-lowest) % 11 + action


class LongSums(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        numbers = [2**61 + action] * (5 if ply == 3 else 2)
        return sum(numbers) % 101


class FloatsToInts(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return int(1e19 if ply == 3 else 7.0) % 5 + action


class Ratios(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        big = 2**53 + 1 if ply == 3 else 4
        return int(big > 2.0**53) + int(big / 3 * 3) % 2 + action


OVERFLOWING = [Powers, Shifts, LowestNegated, LongSums, FloatsToInts, Ratios]


@pytest.mark.parametrize("cls", OVERFLOWING)
def test_what_leaves_64_bits_is_answered_as_python_answers(
    cls: type[Counting], caplog: pytest.LogCaptureFixture
) -> None:
    native_answer = gt.alphabeta(cls())
    told = caplog.text
    python = gt.alphabeta(cls(), compile="never")
    assert (native_answer.value, native_answer.action, native_answer.nodes) == (
        python.value,
        python.action,
        python.nodes,
    )
    assert f"at {cls.__name__}.step (test_guards.py:" in told


def test_who_insists_on_machine_code_hears_where_it_ends() -> None:
    with pytest.raises(gt.CompileError, match=r"Powers\.step \(test_guards\.py:\d+\) a number leaves"):
        gt.alphabeta(Powers(), compile="always")


def test_an_engine_goes_on_interpreted_and_stays_so() -> None:
    engine = gt.Engine(Powers())
    first, again = (engine.analyze(limit=gt.Limit(depth=6)) for _ in range(2))
    assert first.value == again.value == gt.Engine(Powers(), compile="never").analyze(depth=6).value


class Outside(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return int(self.table[ply * 2])


class NegativeShift(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return 1 << (-action if ply == 3 else action)


def down(number: int) -> int:
    return 0 if number == 0 else 1 + down(number - 1)


class Endless(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        return down(-1 if ply == 3 else 3)


SEARCHES: list[Any] = [
    pytest.param(lambda game: gt.alphabeta(game, compile="always"), id="alphabeta"),
    pytest.param(lambda game: gt.mcts(game, simulations=500, compile="always"), id="mcts"),
]


@pytest.mark.bounds
@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(
    ("cls", "error", "words"),
    [
        (Outside, IndexError, "out of bounds"),
        (NegativeShift, ValueError, "negative shift count"),
        (Endless, RecursionError, r"down \(test_guards\.py:\d+\) calls itself without end"),
    ],
)
def test_what_rules_do_wrong_comes_back_as_their_own_error(
    search: Any, cls: Any, error: Any, words: str
) -> None:
    game = cls()
    object.__setattr__(game, "_rehearsed", [game.initial()])  # what a rehearsal would not have met
    with pytest.raises(error, match=words) as raised:
        search(game)
    last = raised.traceback[-1]
    assert str(last.path) == __file__


class Trusting(Powers):
    compiled_checks = False


def test_checks_can_be_left_out() -> None:
    assert "Trusting" in gt.alphabeta(Trusting(), compile="always").game
    assert is_guarded(Powers()) and not is_guarded(Trusting())


@pytest.mark.parametrize("name", list(gt.games.names()))
def test_games_of_the_library_do_not_pay_for_checks(name: str) -> None:
    """Not even in calls: a unit without checks has no trace of them."""
    assert not is_guarded(gt.games.load(name))


def test_rules_that_a_user_adds_to_a_game_of_the_library_are_checked() -> None:
    class Greedy(gt.games.Othello):
        def evaluate(self, state: Any, player: int) -> float:
            return float(state.mine.bit_count())

    assert is_guarded(Greedy())


@pytest.mark.parametrize("number", range(6))
def test_a_calculation_is_pythons_or_gives_up(number: int) -> None:
    assert not differing([calculation(random.Random(1000 * number + i)) for i in range(40)])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(500))
def test_100_000_calculations_are_pythons_or_give_up(number: int) -> None:
    assert not differing([calculation(random.Random(1_000_000 + 200 * number + i)) for i in range(200)])


def test_floats_are_added_with_what_rounding_loses() -> None:
    """As CPython 3.12 does it, whose `sum` gives these figures."""
    for items, expected in (
        ([0.1] * 10, 1.0),
        ([1e100, 1.0, -1e100], 1.0),
        ([1.0, 1e100, 1.0, -1e100], 2.0),
        ([float("inf"), 1.0], float("inf")),
    ):
        step: Any = sums._compensated
        end: Any = sums._finished
        total, lost = 0.0, 0.0
        for item in items:
            total, lost = step(total, lost, item)
        assert end(total, lost) == expected


class Adding(Counting):
    def step(self, number: Any, action: Any, ply: Any) -> Any:
        tenths = [0.1] * 10
        others = sum(0.1 for _ in range(10))
        return int(sum(tenths) == 1.0) * 2 + int(others == 1.0) + action


def test_sums_of_floats_are_the_interpreters() -> None:
    compiled, python = (gt.alphabeta(Adding(), compile=way) for way in ("always", "never"))
    assert (compiled.value, compiled.nodes) == (python.value, python.nodes)
