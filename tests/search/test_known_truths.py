"""What the literature knows, found again."""

import pytest

import oracle
from gametree import Tree, Value, alphabeta, minimax
from gametree.games import ConnectFour, Nim, TicTacToe
from search.agreement import WAYS, Recording, recording

LECTURE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


@pytest.mark.parametrize("way", WAYS)
def test_tic_tac_toe_is_a_draw_that_plain_minimax_sees_after_549946_nodes(way: str) -> None:
    found = minimax(TicTacToe(), compile=way)
    assert (found.value, found.nodes, found.exact) == (Value(0), 549_946, True)
    assert len(found.line) == 9


@pytest.mark.parametrize("way", WAYS)
def test_the_tree_of_the_lecture_is_worth_three_by_its_first_move(way: str) -> None:
    for search, nodes in ((minimax, 13), (alphabeta, 11)):
        found = search(Tree(LECTURE), compile=way)
        assert (found.value, found.line, found.nodes, found.exact) == (Value(3), (0, 0), nodes, True)


def test_alphabeta_never_looks_at_the_leaves_4_and_6_of_the_lecture() -> None:
    tree = Recording(LECTURE)
    leaves = {state for state in range(len(tree.count)) if tree.count[state] == 0}
    with recording():
        minimax(tree, compile="never")
        assert set(tree.visited) == set(range(13))
        alphabeta(tree, compile="never")
    ignored = leaves - set(tree.visited)
    assert sorted(tree.utility(leaf, 0) for leaf in ignored) == [4, 6]
    assert {int(tree.parent[leaf]) for leaf in ignored} == {2}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("width", "height", "k", "value"), [(3, 3, 3, 0), (4, 3, 3, 1), (3, 4, 3, 1), (2, 2, 2, 1)]
)
def test_small_mnk_games_have_their_known_values(
    way: str, width: int, height: int, k: int, value: int
) -> None:
    found = alphabeta(TicTacToe(width, height, k), compile=way)
    assert (found.value, found.exact, found.player) == (Value(value), True, 0)


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_four_in_a_row_on_four_by_four_squares_is_a_draw() -> None:
    found = alphabeta(TicTacToe(4, 4, 4), compile="always")
    assert (found.value, found.exact) == (Value(0), True)


@pytest.mark.parametrize("way", WAYS)
def test_connect_four_on_four_by_four_is_a_draw(way: str) -> None:
    game = ConnectFour(width=4, height=4)
    found = alphabeta(game, compile=way)
    assert (found.value, found.nodes, found.exact) == (Value(0), 155_968, True)
    assert oracle.alphabeta(game).nodes == 155_968


@pytest.mark.needs_compiler
def test_connect_four_on_five_by_four_is_a_draw() -> None:
    found = alphabeta(ConnectFour(width=5, height=4), compile="always")
    assert (found.value, found.nodes, found.exact) == (Value(0), 7_692_028, True)
    assert len(found.line) == 20


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("counters", range(1, 17))
def test_in_nim_the_first_player_loses_exactly_at_multiples_of_four(way: str, counters: int) -> None:
    found = alphabeta(Nim(counters=counters), compile=way)
    assert (found.value, found.exact) == (Value(-1 if counters % 4 == 0 else 1), True)
    if counters % 4:
        assert found.action == counters % 4
