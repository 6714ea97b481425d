"""The tree of a Monte-Carlo search can be drawn."""

import pytest

import gametree as gt
from gametree.explain.pictures.svg import svg
from gametree.explain.search_tree import as_tree
from gametree.games import TicTacToe
from search.mcts.forest import random_tree


def test_moves_come_by_their_visits_and_leaves_are_means() -> None:
    thinker = gt.MonteCarlo(TicTacToe(), solver=False, compile="never")
    thinker.analyze(simulations=400)
    tree = as_tree(thinker.tree, depth=2, most=2)
    names = [tree.name_action(0, action) for action in tree.actions(0)]
    visits = [int(name.split("×")[1]) for name in names]
    assert len(names) == 2 and visits == sorted(visits, reverse=True)
    assert visits[0] == max(thinker.tree.visits(child) for child in thinker.tree.children(thinker.tree.root))
    assert names[0] in svg(tree)


@pytest.mark.parametrize("players", [2, 3])
def test_dice_and_payoff_vectors_are_drawn(players: int) -> None:
    for seed in range(5):
        game = random_tree(seed, 4, players, 0.6, ragged=False)
        thinker = gt.MonteCarlo(game, compile="never", seed=seed)
        thinker.analyze(simulations=30)
        assert svg(as_tree(thinker.tree, depth=3)).startswith("<svg")


@pytest.mark.parametrize("given", [{"depth": 0}, {"most": True}])
def test_a_tree_of_nothing_is_refused(given: dict[str, int]) -> None:
    thinker = gt.MonteCarlo(TicTacToe(), compile="never")
    thinker.analyze(simulations=5)
    with pytest.raises(gt.InputError, match="a whole number of at least 1"):
        as_tree(thinker.tree, **given)
