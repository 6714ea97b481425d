"""What `benchmarks/ordering.py` counts and draws, against the theory and against the naive truth."""

import random
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
import oracle
import ordering
import ordering_quality
from gametree.games import ConnectFour
from minimal_tree import minimal_tree
from position_graph import Ordered, graph_of
from uniform_trees import (
    effective_branching,
    independent,
    minimal_leaves,
    random_order_rate,
    running_sums,
    scramble,
)

DOCUMENT = Path(__file__).parents[2] / "docs" / "ordering.md"


# --- trees ------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(0, 10_000))
def test_scrambled_numbers_stay_different(seed: int) -> None:
    scores = scramble(np.arange(5000, dtype=float), seed)
    assert len(set(scores.tolist())) == 5000
    assert scores.min() >= 0 and scores.max() < 1
    assert 0.4 < scores.mean() < 0.6


def test_a_tree_cut_off_is_the_tree_of_lesser_height() -> None:
    for made in (independent, running_sums):
        cut, small = made(3, 6, 1).cut(4), made(3, 4, 1)
        assert cut.starts == small.starts
        assert (cut.children == small.children).all() and (cut.scores == small.scores).all()


def test_running_sums_add_up_along_the_path() -> None:
    tree, steps = running_sums(3, 4, 7), independent(3, 4, 7).scores - 0.5
    for node in range(1, len(tree.scores)):
        path = []
        while node:
            path.append(node)
            node = (node - 1) // 3
        assert tree.scores[path[0]] == pytest.approx(steps[path].sum())


# --- orders -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", ordering.ORDERS)
def test_an_order_has_the_same_children_and_the_same_value(order: str) -> None:
    graph = graph_of(ConnectFour(5, 4), None, 5, compile="never")
    rows = ordering.rows_in(order, graph, graph.scores, seed=1)
    assert (np.sort(rows, axis=1) == np.sort(graph.children, axis=1)).all()
    present = rows >= 0
    assert (present == np.sort(present, axis=1)[:, ::-1]).all(), "what is no child stands last"
    found = oracle.alphabeta(Ordered(graph, rows))
    assert found.value == graph.values()[0]


def test_best_first_begins_with_the_best_and_worst_first_ends_with_it() -> None:
    graph = running_sums(4, 3, 3)
    values = graph.values()
    best, worst = (ordering.rows_in(order, graph, graph.scores, 0) for order in ("best", "worst"))
    for node in range(len(graph.children)):
        assert values[best[node, 0]] == values[worst[node, -1]] == values[node]
    assert (best == worst[:, ::-1]).all()


@pytest.mark.parametrize("branching, height", [(2, 6), (3, 5), (5, 3)])
def test_best_first_sees_the_tree_of_knuth_and_moore(branching: int, height: int) -> None:
    for seed in range(3):
        tree = independent(branching, height, seed)
        game = Ordered(tree, ordering.rows_in("best", tree, tree.scores, seed))
        search = oracle.alphabeta(game)
        leaves = sum(game.is_terminal(state) for state in search.visited)
        assert leaves == minimal_leaves(branching, height)
        assert search.nodes == sum(minimal_leaves(branching, ply) for ply in range(height + 1))
        assert gt.alphabeta(game, compile="never").nodes == search.nodes


def test_no_order_sees_less_than_the_minimal_proof_tree() -> None:
    graph = graph_of(ConnectFour(5, 4), None, 6, compile="never")
    least = minimal_tree(graph)
    for order in ordering.ORDERS:
        nodes = gt.alphabeta(
            Ordered(graph, ordering.rows_in(order, graph, graph.scores, 5)), compile="never"
        ).nodes
        assert nodes >= least
        assert order != "minimal" or nodes == least


# --- theory -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("branching", [2, 3, 5, 8, 35])
def test_pearls_rate_solves_his_equation_and_lies_between_best_and_worst(branching: int) -> None:
    rate = random_order_rate(branching)
    root = rate / (1 + rate)
    assert root**branching + root == pytest.approx(1)
    assert branching**0.5 < rate < branching**0.75 < branching


def test_random_order_grows_as_pearl_says() -> None:
    rng, leaves = random.Random(4), {8: 0, 12: 0}
    for seed in range(30):
        for height in leaves:
            tree = independent(2, height, rng.randrange(1 << 20) + seed)
            game = Ordered(tree)
            leaves[height] += sum(game.is_terminal(state) for state in oracle.alphabeta(game).visited)
    rate = (leaves[12] / leaves[8]) ** 0.25
    assert rate == pytest.approx(random_order_rate(2), rel=0.06)


@settings(deadline=None)
@given(st.floats(1.1, 9), st.integers(1, 9))
def test_the_effective_branching_factor_of_a_uniform_tree_is_its_own(branching: float, depth: int) -> None:
    nodes = sum(branching**ply for ply in range(depth + 1))
    assert effective_branching(nodes, depth) == pytest.approx(branching)


# --- what is told -----------------------------------------------------------------------------------


def rows_of(table: str) -> list[list[str]]:
    return [line.split() for line in table.splitlines() if re.match(r" +\d+ ", line)]


def test_the_tables_of_the_document_are_what_is_measured() -> None:
    shown = re.findall(r"```text\n( +m .*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    subjects = ordering.subjects(4, compile="never")
    assert len(shown) == len(subjects)
    for table, subject in zip(shown, subjects):
        shallow = replace(subject, depth=min(5, subject.depth), seeds=subject.seeds)
        ordering.measure(shallow, compile="never")
        ours = rows_of(ordering.table(shallow))
        assert len(ours) == shallow.depth
        assert rows_of(table)[: len(ours)] == ours, subject.title


def test_the_figures_of_the_document_hold_every_line_of_its_tables() -> None:
    figures = sorted((DOCUMENT.parent / "images").glob("ordering-*.svg"))
    assert len(figures) == 2
    for figure in figures:
        text = figure.read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        labels = "".join("".join(ElementTree.fromstring(text).itertext()).split())
        for label in (
            "minimax",
            "worst first",
            "random",
            "evaluated",
            "best first",
            "Pearl",
            "depth m, in plies",
        ):
            assert labels.count(label.replace(" ", "")) >= 2, f"{figure.name} lacks {label}"


def test_figures_are_drawn_and_the_same_counts_give_the_same_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    measured = ordering.subjects(4, compile="never")
    for subject in measured:
        ordering.measure(subject, compile="never")
    for folder in ("one", "two"):
        ordering.draw(measured, tmp_path / folder)
    for name in ("ordering-random.svg", "ordering-informed.svg"):
        one, two = (tmp_path / folder / name for folder in ("one", "two"))
        ElementTree.parse(one)
        assert one.read_bytes() == two.read_bytes()


def test_the_quality_report_compares_the_last_depth_with_the_proof() -> None:
    (row,) = ordering_quality.uniform(3, 4, 1, compile="never")
    assert row.minimal == row.merged == sum(minimal_leaves(3, ply) for ply in range(5))
    for table in ordering_quality.ASKED:
        spent = row.spent[table]
        assert row.minimal <= spent.last < spent.whole
    told = ordering_quality.table([row], 4) + ordering_quality.verdicts([row], 4)
    assert f"{row.minimal}" in told and "asked ≤ 4" in told


@pytest.mark.needs_compiler
def test_positions_of_the_quality_report_are_undecided_and_repeatable() -> None:
    game = ConnectFour()
    once = [(name, graph.values()[0]) for name, _, graph in ordering_quality.undecided(game, 4, 5)]
    again = [(name, graph.values()[0]) for name, _, graph in ordering_quality.undecided(game, 4, 5)]
    assert once == again and len({name for name, _ in once}) == 5
    for name, value in once:
        state = game.initial() if name == "empty" else game.parse_state(name)
        assert gt.analyze(game, state, depth=4, selective=False).values[0] == value
