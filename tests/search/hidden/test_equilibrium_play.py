"""Small games with hidden information are played by an equilibrium: mixed, by seeded chance."""

import gc
import weakref
from collections import Counter

import pytest

import gametree as gt
from gametree.games import Kuhn, Leduc, PhantomTicTacToe
from gametree.search.hidden.equilibrium_play import KEPT


def test_analyze_solves_a_small_game_and_says_why() -> None:
    kuhn = Kuhn()
    found = gt.analyze(kuhn, kuhn.parse_state("K J pass bet"))
    assert found.method == "equilibrium"
    assert found.strategy == (("fold", 0.0), ("call", 1.0))
    assert "it is solved" in found.parameters["why"]
    assert "call 100 %" in str(found)
    assert gt.analyze(PhantomTicTacToe(), limit=gt.Limit(nodes=50)).method == "ismcts"


def test_the_value_before_the_deal_is_that_of_the_game() -> None:
    found = gt.analyze(Kuhn())
    assert found.action is None
    assert float(found.value or 0) == pytest.approx(-1 / 18)


def test_kuhns_bluff_is_played_as_often_as_the_equilibrium_says() -> None:
    """With a jack after a pass the second player bluffs one time in three."""
    kuhn = Kuhn()
    state = kuhn.parse_state("Q J pass")
    odds = dict(gt.analyze(kuhn, state).strategy or ())
    assert odds["bet"] == pytest.approx(1 / 3)
    played = Counter(gt.Bot(kuhn, level=10, seed=seed).move(state) for seed in range(120))
    assert played[1] / 120 == pytest.approx(1 / 3, abs=0.13)
    assert gt.Bot(kuhn, level=10, seed=5).move(state) == gt.Bot(kuhn, level=10, seed=5).move(state)


def test_the_other_card_changes_nothing() -> None:
    kuhn = Kuhn()
    one, other = (gt.analyze(kuhn, kuhn.parse_state(f"{card} J pass")) for card in "QK")
    assert (one.strategy, one.value, one.names) == (other.strategy, other.value, other.names)


def test_leduc_is_solved_as_well() -> None:
    leduc = Leduc()
    found = gt.analyze(leduc, leduc.parse_state("K J raise call K"))
    assert found.method == "equilibrium"
    assert sum(odds for _, odds in found.strategy or ()) == pytest.approx(1)


def test_more_players_have_no_value_to_play_for() -> None:
    with pytest.raises(gt.UnsuitableError, match="3 players"):
        gt.analyze(Kuhn(players=3), method="equilibrium")
    assert gt.analyze(Kuhn(players=3), limit=gt.Limit(nodes=20)).method == "ismcts"


def test_games_that_were_played_long_ago_are_forgotten() -> None:
    first = gt.Matrix([[1, 0], [0, 1]])
    gt.analyze(first, method="equilibrium")
    gone = weakref.ref(first)
    del first
    for _ in range(KEPT):
        gt.analyze(gt.Matrix([[1, 0], [0, 1]]), method="equilibrium")
    gc.collect()
    assert gone() is None
