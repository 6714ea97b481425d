"""Sampled walks: they come near to equilibria, are the same for one seed, and say what they do not know."""

from typing import Any

import pytest

import gametree as gt
from gametree import InputError, Limit, UnsuitableError
from gametree.games import Kuhn, Leduc
from gametree.search.hidden.mccfr import mccfr
from search.hidden.random_games import Secretive

pytestmark = pytest.mark.bounds
needs_compiler = pytest.mark.skipif("__import__('os').environ.get('NUMBA_DISABLE_JIT', '0') not in ('', '0')")


@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_the_average_comes_near_to_an_equilibrium(sampling: Any) -> None:
    found = mccfr(Kuhn(), sampling=sampling, iterations=8_000, compile="never")
    assert found.information_sets == 12 and found.iterations == 8_000
    assert float(gt.exploitability(Kuhn(), found.profile.listed())) < (
        0.03 if sampling == "external" else 0.15
    )


@needs_compiler
@pytest.mark.parametrize("sampling", ["external", "outcome"])
def test_machine_code_walks_as_plain_rules_do(sampling: Any) -> None:
    fast = mccfr(Kuhn(3), sampling=sampling, iterations=300, memory_mb=1, compile="always")
    slow = mccfr(Kuhn(3), sampling=sampling, iterations=300, memory_mb=1, compile="never")
    assert fast.profile.listed().compare(slow.profile.listed()).greatest < 1e-12


@needs_compiler
def test_more_walks_come_nearer() -> None:
    found = mccfr(Kuhn(), iterations=200_000, memory_mb=1)
    assert float(gt.exploitability(Kuhn(), found.profile.listed())) < 0.004


@pytest.mark.parametrize("seed", range(0, 12, 2))
def test_random_games_come_near_to_their_value(seed: int) -> None:
    game = Secretive(seed)
    if game.total is None:
        pytest.skip("the sum is not constant")
    found = mccfr(game, iterations=3_000, compile="never", seed=seed)
    assert float(gt.exploitability(game, found.profile.listed())) < 0.35


def test_a_searched_response_gains_no_more_than_the_best_one() -> None:
    found = mccfr(Kuhn(), iterations=5, compile="never", seed=3)
    best = gt.exploitability(Kuhn(), found.profile.listed())
    bound = found.lower_bound(iterations=2_000, plays=1_500)
    for gain, error, most in zip(bound.gains, bound.errors, best.gains):
        assert gain <= float(most) + 4 * error
    assert 0 < float(bound) <= float(best)
    assert "a lower bound by searched responses" in str(bound)


def test_one_seed_gives_one_profile() -> None:
    first, second, other = (
        mccfr(Kuhn(), iterations=200, compile="never", seed=seed).profile.listed() for seed in (1, 1, 2)
    )
    assert first == second and first != other


def test_it_ends_in_time() -> None:
    found = mccfr(Kuhn(), limit=Limit(seconds=0.05), compile="never")
    assert found.stopped_by == "seconds" and found.seconds < 1
    assert "lower_bound" in str(found)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="'external' or 'outcome'"):
        mccfr(Kuhn(), sampling="all")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="by seconds or iterations"):
        mccfr(Kuhn(), limit=Limit(nodes=3))
    with pytest.raises(InputError, match="iterations=0"):
        mccfr(Kuhn(), iterations=0)
    with pytest.raises(UnsuitableError, match="raise memory_mb"):
        mccfr(Leduc(), memory_mb=0.01, iterations=500, compile="never")
