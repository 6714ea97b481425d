"""Random games with information sets: values and best responses are those that trying everything finds."""

import math
import random

import pytest

import gametree as gt
from gametree.search.hidden.listing import listed
from gametree.search.hidden.tableau import Passes
from search.hidden.random_games import Secretive, best_by_trying, expected, random_profile

FEWEST, MOST = 200, 100_000
TOO_MANY = 3_000
"""Games with more pure strategies of one player are left to others."""


def compare(seed: int) -> bool:
    players = 2 + seed % 2
    game = Secretive(seed, players, plies=players + 2)
    profile = random_profile(game, random.Random(seed))
    if any(math.prod(len(odds) for odds in mine.values()) > TOO_MANY for mine in profile.strategies):
        return False
    found = gt.exploitability(game, profile)
    for player in range(players):
        assert found.values[player] == pytest.approx(expected(game, profile.strategies, player), abs=1e-9)
        assert found.best_responses[player] == pytest.approx(best_by_trying(game, profile, player), abs=1e-9)
        answer = expected(game, found.responses[player].strategies, player)
        assert answer == pytest.approx(found.best_responses[player], abs=1e-9)
    form = listed(game, compile="never")
    assert form is not None
    passes = Passes(form, "never")
    sums = [0.0] * passes.size
    base = 0
    for one, mine in enumerate(profile.local(form)):
        plan = [1.0] + [0.0] * (form.sequences(one) - 1)
        for parent, first, odds in zip(form.parent[one], form.first[one], mine):
            for place, p in enumerate(odds):
                plan[first + place] = plan[parent] * p
        # Where a player never comes by himself, the passes take actions for equally likely: leave those out.
        sums[base : base + len(plan)] = plan
        base += len(plan)
    judgement = passes.judgement()
    assert passes.judge(sums, judgement) == pytest.approx(float(found.nash_conv), abs=1e-9)
    return True


def test_best_responses_of_random_games_are_those_of_trying_everything() -> None:
    assert sum(map(compare, range(FEWEST))) > FEWEST * 0.6


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_best_responses_of_a_hundred_thousand_random_games(part: int) -> None:
    each = MOST // 10
    assert sum(map(compare, range(part * each, (part + 1) * each))) > each * 0.6


@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_regret_finds_what_the_linear_programme_finds(seed: int) -> None:
    """Where two players share a constant sum, both bounds close on one value."""
    pytest.importorskip("highspy")
    game = Secretive(seed)
    if game.total is None:
        pytest.skip("the sum is not constant")
    exact = gt.solve(game, method="linear-programme").equilibrium
    found = gt.cfr(game, iterations=400, compile="never")
    assert exact is not None and found.bounds is not None
    assert abs(float(exact.nash_conv)) < 1e-9
    assert found.bounds[0] - 1e-9 <= float(exact.values[0]) <= found.bounds[1] + 1e-9


@pytest.mark.parametrize("seed", range(0, 20, 2))
def test_vanilla_stays_under_its_bound_in_random_games(seed: int) -> None:
    """Zinkevich et al. 2007: average regret is at most Δ · Σ √actions / √T over the information sets of a player."""
    game = Secretive(seed)
    found = gt.cfr(game, variant="vanilla", iterations=50, compile="never")
    if game.total is None:
        return
    span = 9 + 8  # payoffs are −4 to 4, and what is left to 1
    bound = sum(span * math.sqrt(count) for counts in found.form.count for count in counts) / math.sqrt(50)
    assert float(found.nash_conv) <= bound
