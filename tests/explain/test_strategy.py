"""A whole strategy as one tree: one move for the player, every answer to it, and nothing better."""

from typing import Any

import pytest

import oracle
from explain.gallery import Matches, three_players
from gametree import games
from gametree.errors import InputError, UnsuitableError
from gametree.explain.strategy_tree import policy_outline
from gametree.game import Game
from gametree.games.tree.game import Chance, Tree
from gametree.games.tree.outline import Outline
from gametree.search.solve import strategy as solved

TIC_TAC_TOE = games.load("tic-tac-toe")


def strategy(game: Game, state: Any = None, merge_symmetric: bool = True) -> Outline:
    """The tree of the mover's best strategy."""
    return policy_outline(solved.strategy(game, state), merge_symmetric=merge_symmetric)


def outcomes(root: Outline, player: int) -> float:
    """What the player gets at least, over all leaves."""
    sign = 1 if player == 0 else -1
    return min(sign * leaf.payoff for leaf in root.leaves if isinstance(leaf.payoff, float))


@pytest.mark.parametrize(
    "text", ["X../.O./...", "XO./.../...", "X.X/.O./O..", "XOX/.O./X.O", "..X/.O./X.O", "XXO/OOX/X.."]
)
def test_a_strategy_is_worth_what_minimax_says(text: str) -> None:
    state = TIC_TAC_TOE.parse_state(text)
    player = TIC_TAC_TOE.player(state)
    value = oracle.minimax(TIC_TAC_TOE, state).value * (1 if player == 0 else -1)
    for merge in (True, False):
        assert outcomes(strategy(TIC_TAC_TOE, state, merge_symmetric=merge), player) == value


def test_the_player_has_one_move_and_the_other_has_all() -> None:
    root = strategy(TIC_TAC_TOE, TIC_TAC_TOE.parse_state("X../.O./..."), merge_symmetric=False)
    for node in root.walk():
        if node.children:
            every = len(list(TIC_TAC_TOE.actions(node.state)))
            assert len(node.children) == (1 if node.player == root.player else every)


def test_symmetric_answers_are_merged() -> None:
    root = strategy(TIC_TAC_TOE)
    assert [child.alike for child in root.children[0].children] == [2, 2, 1, 2, 1] and root.size < 200


def test_wins_come_soon_and_losses_late() -> None:
    soon = Tree([[[5, 5]], 5, [[4]]], payoffs=(-5, 5))
    assert [child.move for child in strategy(soon).children] == ["2"]
    late = Tree([-5, [[-5]], [-5, -5]], payoffs=(-5, 5))
    assert [child.move for child in strategy(late).children] == ["2"]
    second = strategy(Matches(), (3, 1))
    assert second.kind == "min" and len(second.children) == 1


def test_what_has_no_such_strategy_is_refused() -> None:
    with pytest.raises(UnsuitableError, match="has 3 players"):
        strategy(three_players())
    with pytest.raises(UnsuitableError, match="has chance nodes"):
        strategy(Tree([Chance([(1, 2)]), 3]))
    with pytest.raises(InputError, match="more than 500 nodes"):
        strategy(Tree([[[[1] * 30]] * 30]))
