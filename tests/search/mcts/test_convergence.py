"""Without proofs the means still go where minimax, expectiminimax and max^n are; UCB1 keeps to its bound."""

import math
from statistics import mean
from typing import Any

import pytest

import gametree as gt
from gametree import Chance
from gametree.games import ConnectFour, TicTacToe
from gametree.games.tree.game import ChanceTree
from search.agreement import COMPILES
from search.mcts.forest import PAYOFFS, random_tree, truth

WAY = "always" if COMPILES else "never"
SPREAD = PAYOFFS[1] - PAYOFFS[0]


def gap(seed: int, players: int, simulations: int, compile: str, **options: Any) -> float:
    """How far the value of a tree is from the truth, as a share of the spread of payoffs."""
    game = random_tree(seed, 2, players, 0.3, ties=False)
    found = gt.mcts(
        game, simulations=simulations, solver=False, seed=seed, memory_mb=4, compile=compile, **options
    )
    mover = game.player(0)
    return abs(found.values[mover] - truth(game, 0)[mover]) / SPREAD


@pytest.mark.parametrize("players", [2, 3])
def test_means_approach_the_value_of_the_tree(players: int) -> None:
    gaps = [gap(seed, players, 800, "never") for seed in range(4)]
    assert mean(gaps) < 0.05


@pytest.mark.needs_compiler
@pytest.mark.parametrize("policy", ["ucb1", "ucb1-tuned", "puct", "epsilon-greedy", "boltzmann"])
def test_with_more_simulations_means_come_closer(policy: str) -> None:
    options: dict[str, Any] = {"tree_policy": policy}
    if policy == "epsilon-greedy":
        options["epsilon"] = 0.05  # a constant share is spent on bad actions for ever
    if policy == "boltzmann":
        options["temperature"] = 0.02
    few = mean(gap(seed, 2 + seed % 2, 100, "always", **options) for seed in range(10))
    many = mean(gap(seed, 2 + seed % 2, 20_000, "always", **options) for seed in range(10))
    assert many < few and many < 0.04


@pytest.mark.slow
@pytest.mark.needs_compiler
@pytest.mark.parametrize("players", [2, 3])
def test_hundreds_of_trees_converge(players: int) -> None:
    gaps = sorted(gap(seed, players, 100_000, "always") for seed in range(300))
    # Where two actions are worth almost the same to who chooses, it takes very long to tell which he takes.
    assert gaps[285] < 0.05 and mean(gaps) < 0.01


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_tic_tac_toe_and_small_connect_four_converge_to_a_draw() -> None:
    for game in (TicTacToe(), ConnectFour(4, 4)):
        found = gt.mcts(game, simulations=2_000_000, solver=False, memory_mb=512, exploration=0.7)
        assert abs(found.values[0]) < 0.1


# --- UCB1 on a bandit ---------------------------------------------------------------------------------


def bandit(chances: tuple[float, ...]) -> gt.Game:
    """One decision; every arm then pays 1 with its chance, else 0."""
    arms = [Chance([(p, (1.0, 0.0)), (1 - p, (0.0, 1.0))]) for p in chances]
    return ChanceTree(arms, payoffs=(0, 1))


def pulls(chances: tuple[float, ...], n: int, seed: int, compile: str, policy: str) -> list[int]:
    search = gt.MonteCarlo(
        bandit(chances), seed=seed, solver=False, memory_mb=1, compile=compile, tree_policy=policy
    )
    search.analyze(simulations=n)
    tree = search.tree
    counts = [tree.visits(arm) for arm in tree.children(tree.root)]
    assert sum(counts) == n
    return counts


def assert_within_the_bound(chances: tuple[float, ...], n: int, seeds: range, compile: str) -> None:
    """Auer, Cesa-Bianchi & Fischer 2002, theorem 1, and the bound on the pulls of each arm in its proof."""
    runs = [pulls(chances, n, seed, compile, "ucb1") for seed in seeds]
    worse = [(max(chances) - p) for p in chances]
    regret = mean(sum(d * count for d, count in zip(worse, run)) for run in runs)
    bound = 8 * sum(math.log(n) / d for d in worse if d) + (1 + math.pi**2 / 3) * sum(worse)
    assert regret <= bound
    for arm, d in enumerate(worse):
        if d:
            assert mean(run[arm] for run in runs) <= 8 * math.log(n) / d**2 + 1 + math.pi**2 / 3
    # A policy that does not learn would be far beyond it.
    assert sum(worse) / len(worse) * n > 1.5 * bound


@pytest.mark.needs_compiler
def test_the_regret_of_ucb1_is_within_the_published_bound() -> None:
    assert_within_the_bound((0.9, 0.6, 0.5), 10_000, range(20), "always")
    assert_within_the_bound((0.1, 0.5, 0.9, 0.5), 10_000, range(20), "always")


@pytest.mark.slow
def test_the_regret_is_within_the_bound_on_many_bandits() -> None:
    n = 100_000 if COMPILES else 10_000
    for chances in ((0.9, 0.8), (0.55, 0.45, 0.35), (0.9, *[0.6] * 9), (0.3, 0.1, 0.05)):
        assert_within_the_bound(chances, n, range(30 if COMPILES else 3), WAY)
