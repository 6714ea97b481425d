"""The clock manager: no move takes time that is not there, and time that is there is used."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree.app.uci.protocol import Go
from gametree.app.uci.search import budget_of
from gametree.arena import budget as clock

seconds = st.floats(0, 100_000, allow_nan=False)
overheads = st.floats(0, 5, allow_nan=False)
counts = st.none() | st.integers(1, 200)


@settings(deadline=None, derandomize=True)
@given(left=seconds, increment=st.floats(0, 600), moves=counts, overhead=overheads)
def test_no_move_takes_more_than_what_is_left_after_the_overhead(
    left: float, increment: float, moves: int | None, overhead: float
) -> None:
    budget = clock.share(left, increment, moves, overhead)
    assert 0 < budget.soft <= budget.hard <= max(left - overhead, clock.SHORTEST)


@settings(deadline=None, derandomize=True)
@given(
    left=st.floats(0.2, 10_000),
    increment=st.floats(0, 60),
    moves=counts,
    overhead=st.floats(0.001, 0.1),
    whole=st.booleans(),
)
def test_a_clock_is_never_run_down(
    left: float, increment: float, moves: int | None, overhead: float, whole: bool
) -> None:
    """Every move takes the whole of its budget, or its soft end, and loses all of the overhead besides."""
    togo = moves
    for _ in range(300):
        budget = clock.share(left, increment, togo, overhead)
        spent = budget.hard if whole else min(budget.soft * 1.5, budget.hard)
        if left > overhead + clock.SHORTEST:
            assert spent + overhead <= left + 1e-9
            left += increment - spent - overhead
        else:
            # The overhead alone is more than the clock holds: nothing can help any more but the least.
            assert spent == clock.SHORTEST
            return
        if togo is not None:
            togo -= 1
            if togo == 0:
                return


@settings(deadline=None, derandomize=True)
@given(left=st.floats(1, 10_000), overhead=st.floats(0, 0.01))
def test_a_move_without_an_increment_takes_a_sensible_part_of_the_time(left: float, overhead: float) -> None:
    budget = clock.share(left, overhead=overhead)
    assert left / 60 < budget.soft < left / 15 and budget.hard <= 0.4 * left


def test_the_middle_of_a_game_has_half_as_much_time_as_its_beginning() -> None:
    left, spent = 5.0, []
    for _ in range(30):
        spent.append(clock.share(left, 0.05, overhead=0.01).soft)
        left += 0.05 - spent[-1] - 0.01
    assert spent[-1] > spent[0] / 2


@settings(deadline=None, derandomize=True)
@given(left=st.floats(1, 1000), increment=st.floats(0, 10), more=st.floats(0, 1000))
def test_more_time_means_no_shorter_thought(left: float, increment: float, more: float) -> None:
    assert clock.share(left, increment).soft <= clock.share(left + more, increment).soft + 1e-9
    assert clock.share(left, increment).soft <= clock.share(left, increment + more).soft + 1e-9


@settings(deadline=None, derandomize=True)
@given(left=st.floats(1, 1000), moves=st.integers(1, 100))
def test_time_for_few_moves_is_spent_faster(left: float, moves: int) -> None:
    assert clock.share(left, moves=moves).soft >= clock.share(left, moves=moves + 1).soft - 1e-9


def test_the_last_move_before_the_control_takes_most_of_the_time_and_leaves_a_rest() -> None:
    budget = clock.share(10.0, moves=1)
    assert 8 < budget.soft <= budget.hard <= 9


@pytest.mark.parametrize("left", [0.0, -1.0, 0.01])
def test_even_without_time_a_move_is_made(left: float) -> None:
    assert clock.share(left, overhead=0.03) == clock.Budget(clock.SHORTEST, clock.SHORTEST)


@settings(deadline=None, derandomize=True)
@given(st.floats(0.001, 1000), overheads)
def test_a_fixed_time_is_used_but_for_the_overhead(given_seconds: float, overhead: float) -> None:
    budget = clock.fixed(given_seconds, overhead)
    assert given_seconds / 2 <= budget.hard <= max(given_seconds, clock.SHORTEST)
    assert budget.soft == budget.hard and (budget.hard >= given_seconds - overhead)
    assert not clock.content(budget, clock.Pace().after("e4", 0), budget.hard * 0.99, choices=1)


# --- being content ----------------------------------------------------------------------------------


def paced(*found: tuple[str, float]) -> clock.Pace:
    pace = clock.Pace()
    for choice, worth in found:
        pace = pace.after(choice, worth)
    return pace


CALM = paced(*[("e4", 0.3)] * 8)


def test_changes_of_mind_and_bad_news_stretch_the_time() -> None:
    restless = paced(*[("e4", 0.3), ("d4", 0.3)] * 4)
    worried = paced(*[("e4", 0.3)] * 7, ("e4", -0.7))
    assert CALM.stretch < 1 < min(restless.stretch, worried.stretch)
    budget = clock.share(60.0)
    assert clock.content(budget, CALM, budget.soft, choices=20)
    assert not clock.content(budget, restless, budget.soft, choices=20)
    assert not clock.content(budget, worried, budget.soft, choices=20)


def test_good_news_do_not_stretch_the_time() -> None:
    assert paced(*[("e4", 0.3)] * 7, ("e4", 3.0)).stretch == CALM.stretch


@settings(deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(-50, 50)), min_size=1, max_size=40), seconds)
def test_the_hard_end_is_the_end_however_restless_the_search(
    found: list[tuple[str, float]], left: float
) -> None:
    budget = clock.share(left)
    assert clock.content(budget, paced(*found), budget.hard, choices=20)


def test_an_only_move_needs_no_thought() -> None:
    assert clock.content(clock.share(60.0), paced(("e4", 0.0)), 0.0, choices=1)
    assert not clock.content(clock.UNLIMITED, paced(("e4", 0.0)), 1e9, choices=1)


# --- from the protocol ------------------------------------------------------------------------------


def test_the_clock_of_the_player_to_move_counts() -> None:
    go = Go(wtime=60_000, btime=1_000)
    assert budget_of(go, 0, 0.0) == clock.share(60.0) and budget_of(go, 1, 0.0) == clock.share(1.0)
    assert budget_of(Go(wtime=1_000), 1, 0.0) == clock.share(1.0)


def test_without_a_clock_there_is_no_end() -> None:
    for go in (Go(), Go(infinite=True, wtime=1), Go(depth=3), Go(nodes=5), Go(mate=2)):
        assert budget_of(go, 0, 0.0) == clock.UNLIMITED and math.isinf(clock.UNLIMITED.hard)


def test_moves_to_go_and_increments_are_taken_into_account() -> None:
    go = Go(wtime=10_000, winc=500, movestogo=10)
    assert budget_of(go, 0, 0.03) == clock.share(10.0, 0.5, 10, 0.03)
    assert budget_of(Go(movetime=700, wtime=5), 0, 0.03) == clock.fixed(0.7, 0.03)
