"""Trees from a lecture."""

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from gametree.errors import InputError
from gametree.game import CHANCE, offers
from gametree.games.tree.game import Chance, ChanceTree, Tree

LECTURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
SPECS = st.recursive(
    st.integers(-9, 9) | st.floats(-9, 9) | st.sampled_from(["x", "y"]),
    lambda below: (
        st.lists(below, min_size=1, max_size=4)
        | st.dictionaries(st.sampled_from(["left", "middle", "right"]), below, min_size=1)
        | st.lists(below, min_size=1, max_size=4).map(
            lambda some: Chance([(1 / len(some), one) for one in some])
        )
    ),
    max_leaves=25,
)


def unfold(tree: Tree, state: int) -> Any:
    """The tree as nested lists again, through the rules alone."""
    if tree.is_terminal(state):
        try:
            return tree.utility(state, 0)
        except ValueError as error:
            return str(error).split("'")[1]
    return [unfold(tree, tree.result(state, action)) for action in tree.actions(state)]


def bare(spec: Any) -> Any:
    """A spec without names and probabilities."""
    if isinstance(spec, Chance):
        return [bare(subtree) for _, subtree in spec.outcomes]
    if isinstance(spec, (list, dict)):
        return [bare(one) for one in (spec.values() if isinstance(spec, dict) else spec)]
    return spec if isinstance(spec, str) else float(spec)


def test_the_tree_of_the_lecture_is_worth_3() -> None:
    found = oracle.minimax(Tree(LECTURE))
    assert found == (3, [0], 13)


def test_unknown_leaves_that_are_cut_off_do_no_harm() -> None:
    found = oracle.alphabeta(Tree([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))
    assert (found.value, found.action, found.nodes) == (3, 0, 11)


def test_an_unknown_leaf_that_is_looked_at_is_named() -> None:
    with pytest.raises(ValueError, match=r"leaf 'x' has no value; .* \(it is at root → 2 → 2\)"):
        oracle.minimax(Tree([[3, 12, 8], [2, "x", "y"], [14, 5, 2]]))


def test_only_leaves_have_a_utility() -> None:
    with pytest.raises(ValueError, match="root → 2 is not a leaf"):
        Tree(LECTURE).utility(2, 0)


def test_nodes_are_numbered_level_by_level_with_children_side_by_side() -> None:
    tree = Tree([[1, [2]], 3])
    assert tree.first[:2].tolist() == [1, 3]
    assert tree.count.tolist() == [2, 2, 0, 0, 1, 0]
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1, 4]
    assert [tree.result(1, action) for action in tree.actions(1)] == [3, 4]


def test_attributes_that_compiled_rules_use_are_arrays() -> None:
    tree = Tree(LECTURE)
    assert {tree.first.dtype, tree.count.dtype, tree.mover.dtype} == {np.dtype(np.int64)}
    assert tree.payoff.dtype == np.float64
    assert tree.payoff.shape == (13, 2)


def test_states_and_actions_are_plain_numbers() -> None:
    tree = Tree(LECTURE)
    state = tree.result(tree.initial(), 1)
    assert type(state) is type(tree.player(state)) is int
    assert type(tree.utility(4, 1)) is float
    assert type(tree.is_terminal(state)) is bool


@given(SPECS)
def test_a_tree_holds_what_was_written(spec: Any) -> None:
    tree = Tree(spec)
    assert unfold(tree, 0) == bare(spec)
    assert offers(tree, "chance") == isinstance(tree, ChanceTree)


@given(SPECS)
def test_a_tree_is_shown_from_any_node(spec: Any) -> None:
    tree = Tree(spec)
    for state in range(len(tree.count)):
        shown = tree.show(state).splitlines()
        assert len(shown) == tree._size(state) or (len(shown) == 61 and shown[-1].startswith("… and "))


def test_movers_repeat_level_by_level() -> None:
    tree = Tree([[[[1, 2]]]], movers=(0, 0, 1))
    assert [tree.player(state) for state in range(4)] == [0, 0, 1, 0]


def test_chance_nodes_are_not_counted_as_a_level() -> None:
    tree = Tree([Chance([(0.5, [1, 2]), (0.5, [3])]), [4]])
    assert tree.player(0) == 0
    assert tree.player(1) == CHANCE
    assert tree.player(2) == tree.player(3) == tree.player(4) == 1


def test_chance_nodes_give_their_outcomes_and_probabilities() -> None:
    tree = Tree([Chance([(0.25, 8), (0.75, Chance([(1, 4)]))])])
    assert isinstance(tree, ChanceTree)
    assert list(tree.chance(1)) == [(0, 0.25), (1, 0.75)]
    assert tree.utility(tree.result(1, 0), 0) == 8
    assert tree.player(tree.result(1, 1)) == CHANCE


def test_only_a_tree_with_chance_nodes_offers_chance() -> None:
    assert not offers(Tree(LECTURE), "chance")
    assert offers(Tree(Chance([(1, 3)])), "chance")
    assert offers(Tree({"roll": [Chance([(1, 3)])]}), "chance")


def test_a_class_derived_from_tree_is_kept() -> None:
    class Mine(Tree):
        pass

    class Dice(ChanceTree):
        pass

    assert type(Mine(LECTURE)) is Mine
    assert type(Dice(Chance([(1, 3)]))) is Dice
    with pytest.raises(InputError, match=r"derive it from gametree\.games\.tree\.game\.ChanceTree"):
        Mine(Chance([(1, 3)]))


def test_a_number_alone_is_a_tree_with_one_leaf() -> None:
    tree = Tree(7)
    assert tree.is_terminal(0)
    assert [tree.utility(0, player) for player in (0, 1)] == [7, -7]
    assert tree.show(0) == "7"
    assert repr(tree) == "Tree(1 node, 1 leaf)"


def test_numbers_of_other_kinds_are_leaves_too() -> None:
    tree = Tree([np.int64(3), np.float64(0.5), Fraction(1, 4)])
    assert [tree.utility(leaf, 0) for leaf in (1, 2, 3)] == [3, 0.5, 0.25]


def test_payoff_vectors_make_as_many_players() -> None:
    tree = Tree([[(1, 2, 3), (4, 5, 6)], [(0, 0, 0)]], movers=(0, 1, 2))
    assert tree.players == 3
    assert tree.total is None
    assert [tree.utility(4, player) for player in range(3)] == [4, 5, 6]
    assert tree.show(1) == "player 1\n  1: (1, 2, 3)\n  2: (4, 5, 6)"


def test_the_total_is_found_where_it_is_the_same_everywhere() -> None:
    assert Tree([1, 2]).total == 0
    assert Tree([(1, 2), (3, 0)]).total == 3
    assert Tree([(0.1, 0.2), (0.3, 0)]).total == pytest.approx(0.3)
    assert Tree([(1, 2), (3, 1)]).total is None
    assert Tree([(1, 2), (3, 0)], total=None).total is None
    assert Tree(["x"]).total == 0


def test_a_total_gives_the_other_player_the_rest() -> None:
    tree = Tree([1, 0, 0.5], total=1)
    assert [tree.utility(leaf, 1) for leaf in (1, 2, 3)] == [0, 1, 0.5]


def test_payoffs_are_declared_only_where_they_are_given() -> None:
    assert Tree(LECTURE).payoffs is None
    assert Tree(LECTURE, payoffs=(-14, 14)).payoffs == (-14, 14)


def test_unknown_leaves_alone_may_belong_to_any_number_of_players() -> None:
    assert Tree(["x", "y"], movers=(2,)).players == 3


def test_moves_are_named_by_position_or_as_given() -> None:
    tree = Tree({"left": [1, 2], "Right": {"2": 3, "1": 4}})
    assert [tree.name_action(0, action) for action in tree.actions(0)] == ["left", "Right"]
    assert tree.parse_action(0, " Right ") == tree.parse_action(0, "right") == tree.parse_action(0, "2") == 1
    assert tree.parse_action(1, "2") == 1
    assert tree.parse_action(2, "2") == 0
    assert tree.path(6) == "root → Right → 1"


@pytest.mark.parametrize("text", ["up", "0", "3", "", "-1", "9" * 5000])
def test_a_move_that_is_not_there_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a legal action here; legal are: left, right"):
        Tree({"left": 1, "right": 2}).parse_action(0, text)


def test_at_a_leaf_there_is_nothing_to_choose() -> None:
    with pytest.raises(InputError, match="root → left is a leaf"):
        Tree({"left": 1, "right": 2}).parse_action(1, "left")


def test_a_tree_is_shown_node_by_node() -> None:
    tree = Tree({"a": [3, "x"], "b": Chance([(0.5, 2.5), (0.5, [1])])})
    assert tree.show(0).splitlines() == [
        "MAX",
        "  a: MIN",
        "    1: 3",
        "    2: x",
        "  b: chance",
        "    1 (0.5): 2.5",
        "    2 (0.5): MIN",
        "      1: 1",
    ]
    assert repr(tree) == "Tree(8 nodes, 4 leaves)"


def test_a_large_tree_is_shown_in_part() -> None:
    shown = Tree([list(range(1000))] * 3).show(0).splitlines()
    assert len(shown) == 61
    assert shown[-1] == "… and 2,944 more nodes"


def test_a_chain_of_50000_moves_is_a_tree() -> None:
    spec: Any = [1]
    for level in range(50_000):
        spec = [spec, level] if level % 2 else Chance([(1, spec)])
    tree = Tree(spec)
    assert len(tree.count) == 75_002
    assert tree.path(len(tree.count) - 1).count("→") == 50_001
    assert tree.show(0).splitlines()[-1] == "… and 74,942 more nodes"


def test_a_subtree_may_be_written_once_and_used_twice() -> None:
    subtree = [1, 2]
    assert len(Tree([subtree, subtree]).count) == 7


CIRCLE: list[Any] = [1]
CIRCLE.append({"again": CIRCLE})
DOUBLING: Any = 1
for _ in range(40):
    DOUBLING = [DOUBLING, DOUBLING]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ([], "root is empty: a node needs at least one subtree"),
        ([1, [2, []]], "root → 2 → 2 is empty"),
        ({"left": {}}, "root → left is empty"),
        ([1, math.nan], "root → 2: nan is no payoff: payoffs are finite numbers"),
        ([[math.inf]], "root → 1 → 1: inf is no payoff"),
        ([10**400], "root → 1: 1.* is no payoff"),
        ([2**60 + 1], "root → 1: 1152921504606846977 is too large to be kept exactly"),
        ([1, True], "root → 2: True as a leaf is no payoff: write a number such as 1 or 0"),
        ([(1, False)], "root → 1: False in a tuple is no payoff"),
        ([(1, 2), (1, 2, 3)], "root → 2 has 3 payoffs, but there are 2 players"),
        ([(1,), (2,)], "root → 1 has 1 payoff, but there are 2 players"),
        ([()], "root → 1 has 0 payoffs"),
        ([(1, 2), 3], "root → 2 is a number and root → 1 is a tuple"),
        ([None], r"root → 1: None \(NoneType\) cannot stand as a leaf: a node is a list of subtrees"),
        ([{1, 2}], r"root → 1: \{1, 2\} \(set\) cannot stand as a leaf"),
        ([([1], [2])], r"root → 1: \[1\] \(list\) cannot stand in a tuple"),
        (np.array([1, 2]), r"root: array.* cannot stand as a leaf: .*\.tolist\(\)"),
        ([1j], "complex"),
        ({3: 1}, "root: the move name 3 is not a text such as 'left'"),
        ({" ": 1}, "root: the move name ' ' is not a text"),
        ([""], "root → 1: an unknown leaf needs a name"),
        (CIRCLE, "the tree contains itself"),
        (DOUBLING, "the tree has more than 1,000 nodes: write its rules as a Game instead"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_place(
    spec: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gametree.games.tree.spec._MOST_NODES", 1_000)
    with pytest.raises(InputError, match=message):
        Tree(spec)


@pytest.mark.parametrize(
    ("spec", "params", "message"),
    [
        ([1], {"movers": ()}, r"movers=\(\): movers takes the player of each level"),
        ([1], {"movers": 0}, "movers=0: movers takes"),
        ([1], {"movers": "01"}, "movers='01'"),
        ([1], {"movers": (0, 1.5)}, "movers="),
        ([1], {"movers": (True, False)}, "movers="),
        ([1], {"movers": (0, -2)}, "movers="),
        ([1], {"movers": (0, CHANCE)}, "chance decides where the tree has Chance"),
        ([1], {"movers": (0, 1, 2)}, "names player 2, but the leaves are payoffs of player 0 alone"),
        ([(1, 2)], {"movers": (0, 1, 2)}, "names player 2, but the leaves have 2 payoffs"),
        ([1], {"total": None}, "with numbers as leaves the payoff of player 1 follows from the total"),
        ([1], {"total": "zero"}, "total='zero'"),
        ([1], {"total": math.nan}, "total=nan"),
        ([(1, 2), (1, 3)], {"total": 3}, "root → 2: the payoffs sum to 4, not to total=3"),
        ([1], {"payoffs": (1, -1)}, r"payoffs=\(1, -1\): payoffs are the least and the greatest"),
        ([1], {"payoffs": 3}, "payoffs=3"),
        ([1, 5], {"payoffs": (-1, 1)}, r"root → 2: the payoffs \(5, -5\) are not within payoffs=\(-1, 1\)"),
    ],
)
def test_parameters_that_do_not_fit_the_tree_are_refused(
    spec: Any, params: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Tree(spec, **params)


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ([], r"Chance\(\[\]\) has no outcomes"),
        ([(0.5, 1), (0.4, 2)], "the probabilities of a Chance sum to 0.9; they have to sum to 1"),
        ([(0, 1), (1, 2)], "0 is no probability"),
        ([(1.5, 1), (-0.5, 2)], "1.5 is no probability"),
        ([("half", 1)], "'half' is no probability"),
        ([(True, 1)], "True is no probability"),
        ([0.5, 0.5], "every outcome of Chance is a pair"),
        ([(1, 2, 3)], "every outcome of Chance is a pair"),
        ([(math.nan, 1)], "nan is no probability"),
    ],
)
def test_outcomes_that_are_no_lottery_are_refused(outcomes: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Chance(outcomes)


def test_probabilities_may_be_fractions_and_are_summed_exactly() -> None:
    assert repr(Chance([(Fraction(1, 3), 1)] * 3)) == "Chance(3 outcomes)"
    assert repr(Chance([(0.1, 1)] * 10)) == "Chance(10 outcomes)"
    assert repr(Chance([(1, 1)])) == "Chance(1 outcome)"


@pytest.mark.parametrize("seed", range(20))
def test_plain_alphabeta_finds_the_minimax_value_of_a_random_tree(seed: int) -> None:
    tree = Tree(
        oracle.random_tree_spec(random.Random(seed), floats=seed % 2 == 1), movers=(0, 1, 1)[: 2 + seed % 2]
    )
    truth = oracle.minimax(tree)
    for fail in ("soft", "hard"):
        found = oracle.alphabeta(tree, fail=fail)
        assert found.value == truth.value
        assert found.action == truth.best[0]
        assert found.nodes <= truth.nodes
