"""What is left out is measured in usual steps of the estimate; where nobody knows these, nothing is."""

import math

import pytest

from gametree.search.engine.actions import DEEPEST_GLANCE, is_hopeless, is_late
from gametree.search.engine.kernel import depth_after_pass, is_beyond, is_far_below

DEPTHS = range(1, 20)


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("improving", [False, True])
def test_nothing_is_left_out_by_the_estimate_while_its_usual_step_is_unknown(
    depth: int, improving: bool
) -> None:
    assert not is_beyond(1e6, 0.0, depth, improving, math.inf)
    assert not is_far_below(-1e6, 0.0, depth, math.inf)
    assert not is_hopeless(-1e6, 0.0, depth, math.inf)
    assert depth_after_pass(depth, 1e6, math.inf) == depth_after_pass(depth, 0.0, 1.0)


@pytest.mark.parametrize("depth", DEPTHS)
def test_an_estimate_that_never_changes_settles_nothing(depth: int) -> None:
    assert not is_beyond(0.0, 0.0, depth, False, 0.0)
    assert depth_after_pass(depth, 1e6, 0.0) == depth_after_pass(depth, 0.0, 1.0)


def test_the_deeper_a_search_has_to_go_the_more_there_has_to_be_to_spare() -> None:
    for improving in (False, True):
        enough = [
            next(n for n in range(100) if is_beyond(n / 10, 0.0, depth, improving, 1.0))
            for depth in range(1, DEEPEST_GLANCE + 1)
        ]
        assert enough == sorted(set(enough))
    assert not is_beyond(1e6, 0.0, DEEPEST_GLANCE + 1, True, 1.0)


def test_who_improves_is_settled_sooner_and_tries_more_actions() -> None:
    for depth in range(1, DEEPEST_GLANCE + 1):
        assert is_beyond(0.9 * (depth - 1) + 0.01, 0.0, depth, True, 1.0)
        assert not is_beyond(0.9 * (depth - 1) + 0.01, 0.0, depth, False, 1.0)
        tried = {side: next(n for n in range(99) if is_late(n, depth, side)) for side in (False, True)}
        assert 1 < tried[False] < tried[True]


def test_what_is_missing_is_hopeless_or_far_below_from_some_distance_on() -> None:
    for depth in (1, 2):
        assert not is_far_below(-2.9 * depth, 0.0, depth, 1.0)
        assert is_far_below(-3.0 * depth, 0.0, depth, 1.0)
    assert not is_far_below(-1e6, 0.0, 3, 1.0)
    for depth in DEPTHS:
        assert not is_hopeless(-0.99 - 0.8 * depth, 0.0, depth, 1.0)
        assert is_hopeless(-1.01 - 0.8 * depth, 0.0, depth, 1.0)


def test_after_a_pass_the_search_is_the_shallower_the_more_there_is_to_spare() -> None:
    for depth in DEPTHS:
        after = [depth_after_pass(depth, surplus, 1.0) for surplus in (0.0, 1.9, 2.1, 4.1, 100.0)]
        assert after[0] == after[1] == after[2] + 1 == after[3] + 2 == after[4] + 2
        assert after[0] <= depth - 4
