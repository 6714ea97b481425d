"""Playing below one's strength."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree.arena.handicap import HIGHEST, LOWEST, choose, handicap
from gametree.errors import InputError
from gametree.result import Move, Value


def moves(*values: Value) -> list[Move]:
    return [Move(i, value, "exact", str(i)) for i, value in enumerate(values)]


@settings(deadline=None, derandomize=True)
@given(st.integers(LOWEST, HIGHEST - 1))
def test_a_higher_rating_sees_no_less(rating: int) -> None:
    lower, higher = handicap(rating), handicap(rating + 1)
    assert lower.nodes <= higher.nodes and lower.blur > higher.blur >= 0


@pytest.mark.parametrize("rating", [LOWEST - 1, HIGHEST + 1])
def test_there_are_no_other_ratings(rating: int) -> None:
    with pytest.raises(InputError, match=f"ratings are {LOWEST} to {HIGHEST}"):
        handicap(rating)


def test_without_blur_the_best_is_chosen() -> None:
    found = moves(Value(0.1), Value(0.3), Value(0.2))
    assert choose(found, 0.0, random.Random(0)).action == 1


def test_the_blur_confuses_near_moves_more_often_than_far_ones() -> None:
    rng = random.Random(0)
    found = moves(Value(0.0), Value(-0.2), Value(-9.0))
    chosen = [choose(found, 0.5, rng).action for _ in range(500)]
    assert chosen.count(0) > chosen.count(1) > 100 and chosen.count(2) == 0


@settings(deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_the_nearest_win_is_seen_and_a_loss_avoided_through_any_blur(seed: int) -> None:
    rng = random.Random(seed)
    won = moves(Value(0.5), Value.win(plies=5), Value.win(plies=3), Value.loss(plies=2))
    assert choose(won, 100.0, rng).action == 2
    assert choose(moves(Value.loss(plies=2), Value(-5.0)), 100.0, rng).action == 1
    assert choose(moves(Value.loss(plies=2), Value.loss(plies=4)), 100.0, rng).action == 1
