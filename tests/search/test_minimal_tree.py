"""The minimal proof tree, against every order of every node, and against the proof itself."""

import dataclasses
import doctest
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gametree as gt
import minimal_tree as minimal_trees
import oracle
import position_graph
import uniform_trees
from gametree import Tree
from gametree.games import ConnectFour, Othello, TicTacToe
from minimal_tree import cheapest_proof, merged_proof, minimal_tree, plain_minimal_tree
from position_graph import Graph, Ordered, graph_of

MOVERS = ((0, 1), (1, 0), (0, 0, 1), (0, 1, 1))


def every_order(spec: Any) -> Iterator[Any]:
    """A tree with the children of every node in every order."""
    if not isinstance(spec, list):
        yield spec
        return
    for order in itertools.permutations(spec):
        yield from (list(children) for children in itertools.product(*(list(every_order(c)) for c in order)))


def orders_of(spec: Any) -> int:
    if not isinstance(spec, list):
        return 1
    count = 1
    for place, child in enumerate(spec, 1):
        count *= place * orders_of(child)
    return count


def small_trees(count: int, seed: int, most: int) -> Iterator[tuple[Any, tuple[int, ...]]]:
    """Ragged trees with ties whose orders can be counted, and who moves on which level."""
    rng = random.Random(seed)
    while count:
        spec = oracle.random_tree_spec(rng, depth=4, branching=3, low=-2, high=2, leaf=0.3)
        if 6 <= orders_of(spec) <= most:
            yield spec, MOVERS[count % len(MOVERS)]
            count -= 1


def leaves_seen(game: Tree, search: oracle.AlphaBeta) -> int:
    return sum(game.is_terminal(state) for state in search.visited)


@pytest.mark.parametrize("count, most", [(40, 600), pytest.param(400, 5000, marks=pytest.mark.slow)])
def test_it_is_what_alpha_beta_sees_in_the_best_of_all_orders(count: int, most: int) -> None:
    for spec, movers in small_trees(count, seed=count, most=most):
        game = Tree(spec, movers=movers)
        nodes, leaves = [], []
        for order in every_order(spec):
            tree = Tree(order, movers=movers)
            search = oracle.alphabeta(tree)
            nodes.append(search.nodes)
            leaves.append(leaves_seen(tree, search))
        assert min(nodes) == plain_minimal_tree(game), (spec, movers)
        assert min(leaves) == plain_minimal_tree(game, leaves=True), (spec, movers)


@pytest.mark.parametrize("movers", MOVERS)
def test_arrays_and_recursion_agree_and_an_order_attains_it(movers: tuple[int, ...]) -> None:
    rng = random.Random(len(movers))
    for _ in range(25):
        floats = rng.random() < 0.3
        game = Tree(
            oracle.random_tree_spec(rng, depth=6, branching=4, leaf=0.15, floats=floats), movers=movers
        )
        graph = graph_of(game, None, 20, compile="never")
        assert minimal_tree(graph) == plain_minimal_tree(game)
        assert minimal_tree(graph, leaves=True) == plain_minimal_tree(game, leaves=True)
        best = cheapest_proof(graph)
        assert gt.alphabeta(Ordered(graph, best.rows), compile="never").nodes == minimal_tree(graph)
        assert gt.alphabeta(game, compile="never").nodes >= minimal_tree(graph)


@pytest.mark.parametrize("branching, height", [(1, 5), (2, 7), (3, 5), (4, 4), (7, 3)])
def test_on_a_uniform_tree_it_is_the_tree_of_knuth_and_moore(branching: int, height: int) -> None:
    for seed in range(3):
        tree = uniform_trees.independent(branching, height, seed)
        layers = [uniform_trees.minimal_leaves(branching, ply) for ply in range(height + 1)]
        assert minimal_tree(tree) == sum(layers)
        assert minimal_tree(tree, leaves=True) == layers[-1]


def positions(game: gt.Game, count: int, seed: int) -> Iterator[Any]:
    """States of random plays that are not over."""
    rng = random.Random(seed)
    for _ in range(count):
        state = game.initial()
        for _ in range(rng.randrange(12)):
            following = game.result(state, rng.choice(list(game.actions(state))))
            if game.is_terminal(following):
                break
            state = following
        yield state


@pytest.mark.parametrize("game, depth", [(ConnectFour(5, 4), 4), (TicTacToe(), 4), (Othello(6), 3)])
def test_positions_of_games_agree_with_the_recursion(game: gt.Game, depth: int) -> None:
    for state in positions(game, 6, seed=1):
        graph = graph_of(game, state, depth, compile="never")
        assert minimal_tree(graph) == plain_minimal_tree(game, state, depth)
        found = gt.minimax(Ordered(graph), compile="never")
        assert found.nodes == oracle.minimax(game, state, depth).nodes
        assert found.values[0] == graph.values()[0]


def test_the_graph_holds_every_position_once() -> None:
    game = ConnectFour(5, 4)
    layer, sizes = {game.initial()}, [1]
    for _ in range(5):
        layer = {game.result(s, a) for s in layer if not game.is_terminal(s) for a in game.actions(s)}
        sizes.append(len({min(state, *game.symmetries(state)) for state in layer}))
    assert np.diff(graph_of(game, None, 5, compile="never").starts).tolist() == sizes


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_graphs_are_the_same() -> None:
    game = ConnectFour(5, 4)
    for state in positions(game, 3, seed=2):
        ours, plain = (graph_of(game, state, 5, compile=mode) for mode in ("always", "never"))
        assert ours.starts == plain.starts
        for name in ("children", "maximizing", "scores"):
            assert (getattr(ours, name) == getattr(plain, name)).all(), name


def test_a_graph_cut_off_is_the_graph_of_the_lesser_depth() -> None:
    game = ConnectFour(5, 4)
    deep = graph_of(game, None, 6, compile="never")
    for depth in range(1, 6):
        cut, shallow = deep.cut(depth), graph_of(game, None, depth, compile="never")
        assert np.diff(cut.starts).tolist() == np.diff(shallow.starts).tolist()
        assert cut.values()[0] == shallow.values()[0]
        assert minimal_tree(cut) == minimal_tree(shallow)


def proves(graph: Graph, needed: Any, unknown: float) -> float:
    """The value of the root if every leaf that a proof does not need is worth `unknown`."""
    return float(dataclasses.replace(graph, scores=np.where(needed > 0, graph.scores, unknown)).values()[0])


def test_a_merged_proof_proves_the_value_with_the_leaves_it_names() -> None:
    game = ConnectFour()
    for state in positions(game, 5, seed=3):
        graph = graph_of(game, state, 4, compile="never")
        value = graph.values()[0]
        for proof in (cheapest_proof(graph), merged_proof(graph)):
            assert proves(graph, proof.at_least, -np.inf) == value
            assert proves(graph, proof.at_most, np.inf) == value
            assert proof.looks <= minimal_tree(graph)


def test_where_no_position_recurs_merging_changes_nothing() -> None:
    for seed in range(5):
        tree = uniform_trees.running_sums(3, 5, seed)
        assert merged_proof(tree).looks == cheapest_proof(tree).looks == minimal_tree(tree)


def test_merging_counts_the_looks_of_a_table() -> None:
    # Both children of the root lead to one MAX node with two leaves. In the tree there are 1 + 2 + 2 + 4 nodes; whoever
    # remembers the MAX node looks at it twice and at its leaves once.
    graph = Graph(
        (0, 1, 3, 4, 6),
        np.array([[1, 2], [3, -1], [3, -1], [4, 5]]),
        np.array([True, False, False, True, False, False]),
        np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0]),
    )
    assert minimal_tree(graph) == 9
    assert merged_proof(graph).looks == 7


@pytest.mark.parametrize("module", [minimal_trees, position_graph, uniform_trees])
def test_examples_hold(module: Any) -> None:
    assert doctest.testmod(module) == (0, doctest.testmod(module).attempted)
