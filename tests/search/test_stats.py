"""The numbers of a game, against what is known of it."""

import math

import pytest

import gametree as gt
from gametree.search.statistics import stats


class Fork(gt.Game):
    """Always `wide` actions, always `long` plies."""

    def __init__(self, wide: int, long: int):
        self.wide = wide
        self.long = long

    def initial(self) -> int:
        return 0

    def player(self, ply: int) -> int:
        return ply & 1

    def actions(self, ply: int) -> range:
        return range(self.wide)

    def result(self, ply: int, action: int) -> int:
        return ply + 1

    def is_terminal(self, ply: int) -> bool:
        return ply == self.long

    def utility(self, ply: int, player: int) -> float:
        return 0


def test_a_uniform_tree_is_measured_exactly() -> None:
    found = stats(Fork(3, 5), plays=10)
    assert (found.branching, found.length, found.forced) == (3, 5, 0)
    assert found.power_log10 == pytest.approx(5 * math.log10(3))
    assert found.tree_log10 == pytest.approx(math.log10((3**6 - 1) / 2))


def test_a_line_without_choice_is_all_forced() -> None:
    assert stats(Fork(1, 7), plays=3).forced == 1


def test_the_tree_of_tic_tac_toe_is_estimated_near_its_549946_nodes() -> None:
    found = stats(gt.games.load("tic-tac-toe"), plays=20_000, seed=1)
    assert 10**found.tree_log10 == pytest.approx(549_946, rel=0.02)
    assert (found.least_branching, found.greatest_branching, found.shortest, found.longest) == (1, 9, 5, 9)


def test_the_same_seed_gives_the_same_numbers() -> None:
    game = gt.games.load("connect-four")
    assert stats(game, plays=50, seed=3) == stats(game, plays=50, seed=3)
    assert stats(game, plays=50, seed=3) != stats(game, plays=50, seed=4)


def test_a_play_without_end_is_broken_off_and_told() -> None:
    found = stats(Fork(1, -1), plays=1)
    assert found.cut_off == 1
    assert "did not end" in str(found)


def test_no_plays_are_refused() -> None:
    with pytest.raises(gt.InputError, match="plays"):
        stats(Fork(2, 2), plays=0)
