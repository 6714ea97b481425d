"""Outlines: a tree as plain data."""

import math
from collections.abc import Iterator
from typing import Any

import pytest

import gametree as gt
from gametree.errors import InputError, RulesError, UnsuitableError
from gametree.games.tic_tac_toe import TicTacToe
from gametree.games.tree.outline import letters, outline

LECTURE: list[Any] = [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]


class Dice(gt.Game):
    """Throw a coin, then the second player takes 1 or 2."""

    def initial(self) -> tuple[int, ...]:
        return ()

    def player(self, state: tuple[int, ...]) -> int:
        return gt.CHANCE if not state else 1

    def actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return (1, 2)

    def chance(self, state: tuple[int, ...]) -> Iterator[tuple[int, float]]:
        yield 5, 0.25
        yield 7, 0.75

    def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        return (*state, action)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        return len(state) == 2

    def utility(self, state: tuple[int, ...], player: int) -> float:
        return sum(state) * (1 - 2 * player)


def test_a_lecture_tree_keeps_its_shape() -> None:
    root = outline(LECTURE)
    assert (root.kind, root.player, root.name, root.move, root.path) == ("max", 0, "A", "", ())
    assert [child.name for child in root.children] == ["B", "C", "D"]
    assert [child.kind for child in root.children] == ["min"] * 3
    assert [leaf.payoff for leaf in root.leaves] == [3, 12, 8, 2, "x", "y", 14, 5, 2]
    assert [leaf.move for leaf in root.at((2,)).children] == ["1", "2", "3"]
    assert root.unknowns == ("x", "y")
    assert root.size == 13
    assert [node.path for node in root.walk()][:5] == [(), (0,), (0, 0), (0, 1), (0, 2)]
    assert (root.shown, root.state) == ("", None)


def test_names_go_level_by_level() -> None:
    root = outline([[[1, 2], 3], [[4], 5]])
    assert [node.name for node in root.walk()] == ["A", "B", "D", "", "", "", "C", "E", "", ""]
    assert len({letters(index) for index in range(2000)}) == 2000


def test_moves_keep_the_names_they_were_given() -> None:
    root = outline({"left": [1, 2], "right": 3})
    assert [child.move for child in root.children] == ["left", "right"]


def test_payoff_vectors_make_players() -> None:
    root = outline(gt.Tree([[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]], movers=(0, 2)))
    assert (root.kind, root.player) == ("player", 0)
    assert (root.children[0].kind, root.children[0].player) == ("player", 2)
    assert root.leaves[0].payoff == (4, 3, 2)


def test_chance_nodes_have_outcomes_with_probabilities() -> None:
    for root in (outline(Dice()), outline(gt.Chance([(0.25, [6, 7]), (0.75, [8, 9])]))):
        assert (root.kind, root.player) == ("chance", None)
        assert [child.probability for child in root.children] == [0.25, 0.75]
        assert [leaf.payoff for leaf in root.leaves] == [6, 7, 8, 9]
        assert root.leaves[0].probability is None
    assert outline(Dice()).children[0].kind == "min"


def test_a_game_shows_its_boards_and_judges_at_the_depth() -> None:
    game = TicTacToe()
    root = outline(game, depth=1)
    assert len(root.children) == 9
    assert root.state == game.initial()
    assert root.shown == game.show(game.initial())
    assert all(child.estimated and child.is_leaf for child in root.children)
    assert root.children[0].payoff == game.evaluate(root.children[0].state, 0)
    assert not outline(game, game.parse_state("XXX/OO./...")).estimated


def test_symmetric_moves_are_merged_where_asked() -> None:
    root = outline(TicTacToe(), depth=2, merge_symmetric=True)
    assert [child.alike for child in root.children] == [4, 4, 1]
    assert [len(child.children) for child in root.children] == [5, 5, 2]
    assert [child.path for child in root.children] == [(0,), (1,), (2,)]


def test_a_game_without_evaluation_has_unknown_leaves_at_the_depth() -> None:
    root = outline(gt.games.load("nim", counters=4), depth=2)
    assert [leaf.payoff for leaf in root.leaves] == ["x1", "x2", -1, "x3", -1, -1]


def test_a_question_mark_is_an_unknown_of_its_own_each_time() -> None:
    assert outline(["?", "x1", "?"]).unknowns == ("x2", "x1", "x3")


def test_an_outline_is_its_own_outline() -> None:
    root = outline(LECTURE)
    assert outline(root) is root


def test_numbers_take_the_place_of_unknowns() -> None:
    root = outline(LECTURE).with_values({"x": 7})
    assert root.at((1, 1)).payoff == 7
    assert root.unknowns == ("y",)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"z": 1}, "the tree has no unknown leaf 'z'; its unknown leaves are: x, y"),
        ({"x": math.nan}, "x = nan: the value of a leaf is a finite number"),
        ({"x": "4"}, "x = '4': the value of a leaf"),
        ({"x": True}, "x = True: the value of a leaf"),
    ],
)
def test_what_is_no_value_for_an_unknown_is_refused(values: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        outline(LECTURE).with_values(values)


def test_a_tree_that_is_too_large_is_refused_before_it_is_unfolded() -> None:
    with pytest.raises(
        InputError, match=r"more than 500 nodes, too many .* smaller depth, or raise .* most=5000"
    ):
        outline(gt.games.load("chess"))
    with pytest.raises(InputError, match=r"more than 10 nodes.* You can raise the limit with most=100"):
        outline(gt.games.load("chess"), depth=1, most=10)
    assert outline(gt.games.load("chess"), depth=1).size == 21


def test_a_tree_that_is_too_deep_is_refused() -> None:
    deep: Any = 1
    for _ in range(210):
        deep = [deep]
    with pytest.raises(InputError, match="more than 200 levels: give a depth"):
        outline(deep)
    assert outline(gt.Tree(deep), depth=200).size == 201


@pytest.mark.parametrize("depth", [-1, 1.5, True, "2"])
def test_what_is_no_depth_is_refused(depth: Any) -> None:
    with pytest.raises(InputError, match=r"depth=.*: the depth is a number of moves, 0 or more"):
        outline(TicTacToe(), depth=depth)


def test_a_path_that_leads_nowhere_is_refused() -> None:
    with pytest.raises(InputError, match=r"the tree has no node at \(0, 3\): \(0,\) has 3 children"):
        outline(LECTURE).at((0, 3))


def test_hidden_information_is_refused() -> None:
    class Hidden(Dice):
        def observe(self, state: Any, player: int) -> Any:
            return len(state)

    with pytest.raises(UnsuitableError, match="Hidden hides information"):
        outline(Hidden())


def test_rules_that_break_the_contract_are_refused() -> None:
    class Stuck(TicTacToe):
        def actions(self, state: Any) -> Any:
            return ()

    class Nothing(TicTacToe):
        def evaluate(self, state: Any, player: int) -> float:
            return math.nan

    with pytest.raises(RulesError, match="Stuck has no actions in a state that is not terminal"):
        outline(Stuck())
    with pytest.raises(RulesError, match=r"Nothing values .* at nan"):
        outline(Nothing(), depth=1)


def test_players_are_called_as_their_game_calls_them() -> None:
    assert outline(gt.games.MNK(), depth=1).who == "X"
    assert outline(gt.Tree([(1, 2, 3), (3, 2, 1)], movers=(1, 0, 2))).who == "the second player"
    assert outline(gt.games.TicTacToe(), depth=1).who == "MAX"
