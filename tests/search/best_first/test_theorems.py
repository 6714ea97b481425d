"""What is proven of SSS* and DUAL* in the literature: which leaves they look at, and in which order.

Stockman (1979) and Roizen & Pearl (1983): where ties go to the leftmost, SSS* looks at no leaf that alpha-beta leaves
out.
Plaat, Schaeffer, Pijls & de Bruin (1996): MTD from +∞ looks at the same leaves in the same order.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree import Analysis, Tree
from gametree.search.best_first import mtd, stockman
from search.best_first.trees import MOVERS, ragged_tree


class Observed(Tree):
    """A tree that writes down whose utility is asked for."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.asked: list[int] = []

    def utility(self, state: int, player: int) -> float:
        self.asked.append(state)
        return super().utility(state, player)


@contextmanager
def watching() -> Iterator[list[int]]:
    """Within this block the leaves are collected that a search looks at, without what it does before and after."""
    seen: list[int] = []

    def watched(work: Callable[..., Any], game_of: Callable[..., Observed]) -> Callable[..., Any]:
        def wrapped(subject: Any, *args: Any) -> Any:
            game = game_of(subject)
            game.asked.clear()
            found = work(subject, *args)
            seen[:] = dict.fromkeys(game.asked)  # each leaf where it was first looked at
            return found

        return wrapped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mtd, "narrowed", watched(mtd.narrowed, lambda root: root.game))
        patch.setattr(stockman.Search, "run", watched(stockman.Search.run, lambda search: search.ground.game))
        yield seen


def leaves(search: Callable[..., Analysis], tree: Observed, **options: Any) -> list[int]:
    with watching() as seen:
        search(tree, compile="never", **options)
    return list(seen)


def observed(rng: random.Random) -> Observed:
    tree = ragged_tree(rng)
    return Observed(tree.spec())


def alphabeta_leaves(tree: Tree) -> set[int]:
    return {state for state in oracle.alphabeta(tree).visited if tree.is_terminal(state)}


def check_dominance(seed: int, count: int) -> int:
    """How often SSS* and DUAL* were strictly better than alpha-beta."""
    rng = random.Random(seed)
    better = 0
    for _ in range(count):
        tree = observed(rng)
        known = alphabeta_leaves(tree)
        for search in (gt.sss, gt.dual):
            as_list = leaves(search, tree, form="list")
            assert set(as_list) <= known, (search.__name__, tree.spec())
            assert leaves(search, tree) == as_list, (search.__name__, tree.spec())
            better += len(as_list) < len(known)
    return better


def test_no_leaf_is_looked_at_that_alpha_beta_leaves_out_and_both_forms_look_at_the_same() -> None:
    assert check_dominance(71, 200) > 10


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_no_leaf_is_looked_at_that_alpha_beta_leaves_out_on_many_trees(part: int) -> None:
    assert check_dominance(710 + part, 20_000) > 1000


def test_where_everything_is_tied_both_look_at_the_leaves_of_alpha_beta() -> None:
    for movers in MOVERS:
        tree = Observed([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], movers)
        known = alphabeta_leaves(tree)
        for search in (gt.sss, gt.dual):
            assert set(leaves(search, tree, form="list")) == known
            assert set(leaves(search, tree)) == known


def test_the_textbook_example() -> None:
    # MAX: alpha-beta looks at 3 12 8, 2, 14 5 2. SSS* looks at the first leaf of each branch and stays with the best.
    tree = Observed([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    seen = [tree.payoff[leaf, 0] for leaf in leaves(gt.sss, tree, form="list")]
    assert seen == [3, 2, 14, 5, 2, 12, 8]
    assert len(alphabeta_leaves(tree)) == 7


def test_among_equals_the_leftmost_goes_first() -> None:
    tree = Observed([[5, 1], [5, 9], [5, 7]])
    first = int(tree.first[1])
    assert leaves(gt.sss, tree, form="list")[:4] == [first, first + 2, first + 4, first + 1]
