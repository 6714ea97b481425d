"""Random games with information sets: values and best responses are those that trying everything finds."""

import math
import random
from collections.abc import Iterator
from typing import Any

import pytest

import gametree as gt
from gametree.search.hidden.cfr import VARIANTS
from gametree.search.hidden.exploitability import of_form
from gametree.search.hidden.listing import listed
from gametree.search.hidden.sequence_form import SequenceForm
from gametree.search.hidden.tableau import Passes
from search.hidden.random_games import Secretive, best_by_trying, expected, random_profile, span

FEWEST, MOST = 200, 100_000
PARTS = 10
TOO_MANY = 3_000
"""Games with more pure strategies of one player are passed over."""
ITERATIONS = 30


def some(begin: int, count: int) -> Iterator[Secretive]:
    """So many games, of two and of three players in turn."""
    seed = begin
    while count:
        players = 2 + seed % 2
        game = Secretive(seed, players, plies=players + 2)
        sets: list[dict[Any, int]] = [{} for _ in range(players)]
        count_actions(game, game.initial(), sets)
        if all(math.prod(mine.values()) <= TOO_MANY for mine in sets):
            count -= 1
            yield game
        seed += 1


def count_actions(game: Secretive, state: Any, sets: list[dict[Any, int]]) -> None:
    if game.is_terminal(state):
        return
    mover = game.player(state)
    actions = list(game.actions(state))
    if mover >= 0:
        sets[mover][game.observe(state, mover)] = len(actions)
    for action in actions:
        count_actions(game, game.result(state, action), sets)


def agree(game: Secretive) -> None:
    """Values and best responses are those of adding up over the tree and of trying every pure strategy."""
    players = game.players
    profile = random_profile(game, random.Random(game.seed))
    form = listed(game, compile="never")
    assert form is not None
    found = of_form(form, profile)
    for player in range(players):
        assert abs(found.values[player] - expected(game, profile.strategies, player)) < 1e-9
        assert abs(found.best_responses[player] - best_by_trying(game, profile, player)) < 1e-9
        answer = expected(game, found.responses[player].strategies, player)
        assert abs(answer - found.best_responses[player]) < 1e-9
    passes = Passes(form, "auto")
    sums = passes.floats(passes.size)
    base = 0
    for one, mine in enumerate(profile.local(form)):
        plan = [1.0] + [0.0] * (form.sequences(one) - 1)
        for parent, first, odds in zip(form.parent[one], form.first[one], mine):
            for place, p in enumerate(odds):
                plan[first + place] = plan[parent] * p
        # Where a player never comes by himself, the passes take actions for equally likely: leave those out.
        sums[base : base + len(plan)] = plan
        base += len(plan)
    assert abs(passes.judge(sums, passes.judgement()) - found.nash_conv) < 1e-9
    stay_under_the_bounds(game, form, passes)


def stay_under_the_bounds(game: Secretive, form: SequenceForm, passes: Passes) -> None:
    """The bounds of theory, with Δ the span of a player's payoffs, T the iterations, sums over his information sets.

    Counterfactual regret of an action is at most Δ√(|A|T) in any game (Zinkevich et al. 2007, theorem 4). Where two
    players share a constant sum, NashConv of the average is at most Σ Δ√|A| / √T over both; at most twice that with
    the averaging of CFR+ (Tammelin et al. 2015), and at most Σ 6Δ(√|A| + 1/√T) / √T by DCFR (Brown & Sandholm 2019).
    """
    spans = [span(game, player) for player in range(game.players)]
    sets = [
        (delta, count, first + base)
        for delta, counts, firsts, base in zip(spans, form.count, form.first, passes.tableau.sequences)
        for count, first in zip(counts, firsts)
    ]
    root = math.sqrt(ITERATIONS)
    plain = sum(delta * math.sqrt(count) / root for delta, count, _ in sets)
    faded = sum(6 * delta * (math.sqrt(count) + 1 / root) / root for delta, count, _ in sets)
    bounds = {"vanilla": plain, "cfr+": 2 * plain, "dcfr": faded}
    for variant, bound in bounds.items():
        learner = passes.learner()
        passes.iterate(learner, VARIANTS[variant], ITERATIONS)
        if variant == "vanilla":
            for delta, count, first in sets:
                most = max(learner.regrets[first : first + count])
                assert most <= delta * math.sqrt(count) * root + 1e-9
        if game.players == 2 and game.total is not None:
            gap = passes.judge(learner.average, passes.judgement())
            assert -1e-9 <= gap <= bound + 1e-9, variant


def test_best_responses_and_regret_of_random_games_are_those_of_trying_everything() -> None:
    for game in some(0, FEWEST):
        agree(game)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_those_of_a_hundred_thousand_random_games_are(part: int) -> None:
    for game in some((1 + part) * 1_000_000, MOST // PARTS):
        agree(game)


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
