"""Double oracle with alpha-beta bounds: what Shapley's induction finds, by fewer states."""

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import gametree as gt
from gametree.games.matrix.repeated import Repeated
from gametree.search.matrix.double_oracle import INFINITE, _Search
from gametree.search.matrix.zero_sum import zero_sum
from search.matrix import naive
from search.matrix.test_markov import by_hand

pytestmark = pytest.mark.interpreted_anyway


class Stages(gt.Game[Any, Any]):
    """Random payoffs at the end of some joint moves, in which either may begin, or a die, or one alone."""

    def __init__(self, seed: int, depth: int = 3, spread: int = 4):
        self.seed: int = seed
        self.depth: int = depth
        self.spread: int = spread

    def kind(self, done: tuple[int, ...]) -> int:
        """0 and 1: who of both is first to choose; 2 and 3: one of them alone; 4: a die."""
        return random.Random(f"{self.seed} {done}").choice((0, 0, 1, 1, 2, 3, 4))

    def initial(self) -> Any:
        return (), -1

    def player(self, state: Any) -> int:
        done, held = state
        kind = self.kind(done)
        if kind == 4:
            return gt.CHANCE
        return kind % 2 if held < 0 else 1 - kind % 2

    def actions(self, state: Any) -> range:
        return range(0 if self.is_terminal(state) else 2 + (self.seed + len(state[0])) % 2)

    def chance(self, state: Any) -> Iterator[tuple[int, float]]:
        yield from ((0, 0.25), (1, 0.75))

    def result(self, state: Any, action: int) -> Any:
        done, held = state
        if held < 0 and self.kind(done) < 2:
            return done, action
        return (*done, action if held < 0 else 3 * held + action), -1

    def is_terminal(self, state: Any) -> bool:
        return len(state[0]) >= self.depth - random.Random(f"{self.seed} {state[0][:1]}").randint(0, 1)

    def utility(self, state: Any, player: int) -> float:
        payoff = random.Random(f"{self.seed} {state[0]} end").randint(-self.spread, self.spread)
        return payoff if player == 0 else -payoff

    def observe(self, state: Any, player: int) -> Any:
        done, held = state
        return done, held >= 0 and player == self.kind(done) % 2 and held


def compare(seed: int) -> tuple[int, int]:
    """How many states were seen, and how many there are."""
    game = Stages(seed, depth=2 + seed % 2, spread=1 + seed % 5)
    all_states, found = gt.shapley(game), gt.double_oracle(game)
    assert found.value == all_states.value
    for stage in found.stages:
        assert stage.value == all_states.at(stage.state).value
        if stage.choice is not None:
            # What is promised is kept: against these strategies nobody gains at any state that follows.
            values = [all_states.at(one).value for one in stage.choice.states]
            assert_optimal(stage, values)
    search = _Search(game, game.initial(), 10**6)
    for at in range(len(search.graph.states)):
        worth = all_states.at(search.graph.states[at]).value
        assert search.low(at) <= worth <= search.high(at)
        assert search.serialized(at, Fraction(-1, 2), Fraction(1, 2), 0) is not None
    return int(found.method.split(", ")[1].split()[0].replace(",", "")), len(all_states.stages)


def assert_optimal(stage: Any, values: list[Fraction]) -> None:
    players, mixes = stage.choice.players, stage.mixes
    wide = len(mixes[1]) if len(mixes) > 1 else 1
    table = [values[start : start + wide] for start in range(0, len(values), wide)]
    sign = 1 if players[0] == 0 else -1
    against = [sum(p * row[j] for p, row in zip(mixes[0], table)) for j in range(wide)]
    assert min(sign * worth for worth in against) == sign * stage.value
    if len(mixes) > 1:
        mine = [sum(p * worth for p, worth in zip(mixes[1], row)) for row in table]
        assert max(sign * worth for worth in mine) == sign * stage.value


def test_random_games_are_worth_what_induction_says() -> None:
    counts = [compare(seed) for seed in range(60)]
    assert sum(seen for seen, _ in counts) < sum(every for _, every in counts)


@pytest.mark.slow
def test_many_random_games_are_worth_what_induction_says() -> None:
    for seed in range(60, 3_000):
        compare(seed)


def test_goofspiel_is_solved_by_fewer_states() -> None:
    game = gt.games.Goofspiel(cards=4, order="descending")
    every, found = gt.shapley(game), gt.double_oracle(game)
    assert found.value == every.value == 0
    assert found.at(game.initial()).value == 0 and len(found.stages) < len(every.stages)


def test_a_saddle_point_needs_no_matrix_below_it() -> None:
    draw = random.Random(3)
    matrix = gt.Matrix([[3, 5], [1, draw.randint(-9, 9)]])
    game = Repeated(matrix, rounds=3)
    found = gt.double_oracle(game)
    assert found.value == by_hand(game, game.initial()) == 9 and len(found.stages) == 1


def test_matrices_are_solved_as_a_whole_is() -> None:
    draw = random.Random(5)
    for _ in range(20):
        table = naive.random_form(draw, (4, 5), 9).table(0)
        found = gt.double_oracle(gt.Matrix([list(row) for row in table]))
        assert found.value == zero_sum(table)[0]


def test_payoffs_of_floats_lie_within_the_widest_window() -> None:
    assert Fraction(1.7e308) < INFINITE


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: gt.double_oracle(gt.games.IteratedPrisonersDilemma(2)), gt.UnsuitableError, "have one sum"),
        (lambda: gt.double_oracle(gt.games.GridSoccer(2, 1)), gt.UnsuitableError, "come back to a state"),
        (lambda: gt.double_oracle(gt.games.Kuhn()), gt.UnsuitableError, "hides from"),
        (
            lambda: gt.double_oracle(gt.games.Goofspiel(cards=4), most_states=50),
            gt.UnsuitableError,
            "more than 50 states",
        ),
        (
            lambda: gt.double_oracle("goofspiel"),  # type: ignore[arg-type]
            gt.InputError,
            "double_oracle",
        ),
        (
            lambda: gt.double_oracle(Repeated(gt.games.MatchingPennies(), rounds=2)).at(((0, 0), 7)),
            gt.InputError,
            "was not needed",
        ),
    ],
)
def test_what_it_cannot_solve_is_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()
