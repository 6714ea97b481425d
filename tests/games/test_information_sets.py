"""Trees in which nodes belong to one information set: written, read, observed, refused."""

from typing import Any

import pytest

import gametree as gt
from gametree.explain import trace

pytestmark = pytest.mark.interpreted_anyway

LEFT = {"silent": (-1, -1), "betray": (-3, 0)}
RIGHT = {"silent": (0, -3), "betray": (-2, -2)}
SPEC = {"silent": gt.Turn(1, LEFT, set="B"), "betray": gt.Turn(1, RIGHT, set="B")}
TREE = gt.Tree(SPEC)


def test_nodes_of_one_set_look_the_same_to_the_mover_alone() -> None:
    assert TREE.observe(1, 1) == TREE.observe(2, 1) and TREE.observe(1, 0) != TREE.observe(2, 0)
    assert TREE.information_set(1) == "B" and TREE.information_set(0) is None
    ends = {TREE.observe(node, player) for node in range(3, 7) for player in (0, 1)}
    assert len(ends) == 8
    assert not gt.check(TREE).findings


@pytest.mark.parametrize(
    "text",
    [
        "{silent: MIN in B {silent: (-1,-1), betray: (-3,0)}, betray: MIN in B {silent: (0,-3), betray: (-2,-2)}}",
        '{silent: player 1 in "B" {silent: (-1,-1), betray: (-3,0)},'
        " betray: MIN in B {silent: (0,-3), betray: (-2,-2)}}",
        TREE.to_json(),
        TREE.show(0),
        "silent: MIN in B\n  silent: (-1,-1)\n  betray: (-3,0)\nbetray: MIN in B\n  silent: (0,-3)\n  betray: (-2,-2)",
    ],
)
def test_texts_and_json_say_information_sets(text: str) -> None:
    again = gt.Tree.parse(text)
    assert again.to_json() == TREE.to_json() and again.observe(1, 1) == again.observe(2, 1)


def test_a_name_of_two_words_is_kept_through_json() -> None:
    tree = gt.Tree([gt.Turn(1, [1, 2], set="two words"), gt.Turn(1, [3, 4], set="two words")])
    assert gt.Tree.parse(tree.to_json()).information_set(2) == "two words"
    assert (
        'MIN in "two words"' in tree.show(0) and gt.Tree.parse(tree.show(0)).information_set(1) == "two words"
    )


def test_chance_and_information_sets_go_together() -> None:
    tree = gt.Tree(gt.Chance([(0.5, gt.Turn(0, [1, -1], set="S")), (0.5, gt.Turn(0, [-1, 1], set="S"))]))
    assert tree.observe(1, 0) == tree.observe(2, 0) and list(tree.chance(0)) == [(0, 0.5), (1, 0.5)]


def test_searches_that_see_everything_refuse_such_a_tree() -> None:
    with pytest.raises(gt.UnsuitableError, match="HiddenTree hides information"):
        gt.minimax(TREE)
    with pytest.raises(gt.UnsuitableError, match=r"information sets \(B\)"):
        trace(TREE)


def test_the_equilibria_of_the_tree_are_those_of_the_matrix() -> None:
    assert [one.pure for one in gt.equilibria(TREE)] == [(1, 1)]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ([gt.Turn(1, [1, 2], set="S"), gt.Turn(1, [1, 2, 3], set="S")], "they have different moves"),
        ([gt.Turn(1, {"a": 1}, set="S"), gt.Turn(1, {"b": 1}, set="S")], "they have different moves"),
        (
            [gt.Turn(1, [1, 2], set="S"), gt.Turn(0, [1, 2], set="S")],
            "player 1 moves at the first and player 0",
        ),
        ([gt.Turn(0, [1, 2], set="S"), gt.Turn(0, [1, 2], set="S")], "would have to forget"),
        (gt.Turn(0, [gt.Turn(0, [1, 2], set="S"), 5], set="S"), "would have to forget"),
    ],
)
def test_sets_that_cannot_be_are_refused(spec: Any, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        gt.Tree(spec)
    with pytest.raises(gt.InputError, match="an information set has a name"):
        gt.Turn(1, [1, 2], set=" ")
    with pytest.raises(gt.InputError, match="the name of an information set is expected"):
        gt.Tree.parse("MIN in [3, 5]")
