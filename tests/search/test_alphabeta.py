"""Alpha-beta alone: windows, bounds, what it looks at, the values of all moves."""

import math
import random
from typing import Any, get_args

import pytest

import oracle
from gametree import Analysis, InputError, Limit, Tree, Value, alphabeta, minimax
from gametree.games import ConnectFour
from gametree.result import Bound, Move
from search.agreement import WAYS, Recording, facts, recording
from search.test_equivalence import MOVERS

pytestmark = pytest.mark.bounds

INFINITE = (-math.inf, math.inf)


def random_spec(rng: random.Random) -> Any:
    return oracle.random_tree_spec(rng, depth=rng.randint(1, 5), floats=rng.random() < 0.2)


def random_window(rng: random.Random) -> tuple[float, float]:
    """Windows as wide as the values of the tree, and as narrow as one value."""
    while True:
        low, high = sorted(rng.choice([rng.randint(-6, 6), rng.uniform(-6, 6)]) for _ in range(2))
        window = (rng.choice([low, low, -math.inf]), rng.choice([high, high, math.inf]))
        if window[0] < window[1]:
            return window


def assert_true(claim: Analysis | Move, value: float) -> None:
    """A bound lies on the side that it says it lies on."""
    assert claim.value is not None
    found = float(claim.value)
    assert {"exact": found == value, "lower": found <= value, "upper": found >= value}[claim.bound]


# --- windows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fail", ["soft", "hard"])
def test_with_any_window_it_finds_what_the_oracle_finds(way: str, fail: Any) -> None:
    rng = random.Random(11)
    for _ in range(1_500):
        tree = Tree(random_spec(rng), rng.choice(MOVERS))
        alpha, beta = window = random_window(rng)
        found = alphabeta(tree, window=window, fail=fail, compile=way)
        true = oracle.alphabeta(tree, alpha=alpha, beta=beta, fail=fail)
        assert (found.values[0], found.action, found.nodes) == (true.value, true.action, true.nodes)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("fail", ["soft", "hard"])
def test_what_a_bound_says_is_true_for_whoever_moves(way: str, fail: Any) -> None:
    rng = random.Random(12)
    met = set()
    for _ in range(1_500):
        tree = Tree(random_spec(rng), rng.choice(MOVERS))
        alpha, beta = window = random_window(rng)
        true = oracle.minimax(tree).value
        found = alphabeta(tree, window=window, fail=fail, compile=way)
        assert_true(found, true if found.player == 0 else -true)
        assert (found.bound == "exact") == (alpha < true < beta)
        assert found.exact == (found.bound == "exact")
        met.add((found.player, found.bound))
    assert met == {(player, bound) for player in (0, 1) for bound in get_args(Bound)}


@pytest.mark.parametrize("way", WAYS)
def test_outside_the_window_soft_tells_more_than_hard(way: str) -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    soft = alphabeta(tree, window=(6, 9), compile=way)
    hard = alphabeta(tree, window=(6, 9), fail="hard", compile=way)
    assert (soft.value, soft.bound) == (Value(5), "upper")
    assert (hard.value, hard.bound) == (Value(6), "upper")
    assert soft.nodes == hard.nodes
    soft = alphabeta(tree, window=(-9, 1), compile=way)
    hard = alphabeta(tree, window=(-9, 1), fail="hard", compile=way)
    assert (soft.value, soft.bound) == (Value(3), "lower")
    assert (hard.value, hard.bound) == (Value(1), "lower")


@pytest.mark.parametrize("way", WAYS)
def test_a_leaf_below_the_root_fails_hard_like_any_other_node(way: str) -> None:
    found = alphabeta(Tree([5, 1]), window=(0, 3), fail="hard", compile=way)
    assert (found.value, found.bound, found.nodes) == (Value(3), "lower", 2)


@pytest.mark.parametrize("way", WAYS)
def test_for_player_one_a_window_stays_that_of_player_zero_and_the_bound_turns_round(way: str) -> None:
    tree = Tree([3, 5], movers=(1,))
    low = alphabeta(tree, window=(4, 9), compile=way)
    assert (low.value, low.bound, low.values) == (Value(-3), "lower", (3, -3))
    high = alphabeta(tree, window=(0, 2), compile=way)
    assert (high.value, high.bound, high.values) == (Value(-3), "upper", (3, -3))


@pytest.mark.parametrize(
    "window", [(1, 0), (1, 1), (math.inf, -math.inf), (math.nan, 1), (0, math.nan)], ids=str
)
def test_a_window_without_room_is_refused(window: tuple[float, float]) -> None:
    with pytest.raises(InputError, match=r"window=.*alpha < beta"):
        alphabeta(Tree([1, 2]), window=window)


@pytest.mark.parametrize("fail", ["x", "", None, "Soft"])
def test_it_fails_soft_or_hard_and_in_no_other_way(fail: Any) -> None:
    with pytest.raises(InputError, match=r'fail=.*"soft" or "hard"'):
        alphabeta(Tree([1, 2]), fail=fail)


# --- what it looks at -------------------------------------------------------------------------------


def test_it_looks_at_the_nodes_of_the_textbook_in_the_order_of_the_textbook() -> None:
    rng = random.Random(13)
    skipped = 0
    with recording():
        for number in range(1_000):
            tree = Recording(random_spec(rng), rng.choice(MOVERS))
            alpha, beta = window = random_window(rng) if number % 2 else INFINITE
            found = alphabeta(tree, window=window, compile="never")
            visited = list(tree.visited)
            assert visited == oracle.alphabeta(tree, alpha=alpha, beta=beta).visited
            assert found.nodes == len(visited)
            skipped += len(tree.count) - len(visited)
    assert skipped > 1_000


def test_minimax_looks_at_every_node_once() -> None:
    rng = random.Random(14)
    with recording():
        for _ in range(200):
            tree = Recording(random_spec(rng))
            minimax(tree, compile="never")
            assert sorted(tree.visited) == list(range(len(tree.count)))


# --- the values of all moves ------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_asked_for_moves_it_gives_the_true_value_of_each(way: str) -> None:
    rng = random.Random(15)
    for _ in range(500):
        tree = Tree(random_spec(rng), rng.choice(MOVERS))
        sign = 1 if tree.player(0) == 0 else -1
        children = [tree.result(0, action) for action in tree.actions(0)]
        true = [sign * oracle.minimax(tree, child).value for child in children]
        for search in (alphabeta, minimax):
            found = search(tree, compile=way, moves=True)
            assert [move.value for move in found.moves] == true
            assert [move.action for move in found.moves] == list(tree.actions(0))
            assert {move.bound for move in found.moves} == {"exact"}
            assert found.value == max(true)
            assert found.action == true.index(max(true))
        costs = [oracle.alphabeta(tree, child).nodes for child in children]
        assert alphabeta(tree, compile=way, moves=True).nodes == 1 + sum(costs)


@pytest.mark.parametrize("way", WAYS)
def test_with_a_window_the_bound_of_every_move_is_true(way: str) -> None:
    rng = random.Random(16)
    for _ in range(500):
        tree = Tree(random_spec(rng), rng.choice(MOVERS))
        sign = 1 if tree.player(0) == 0 else -1
        found = alphabeta(tree, compile=way, moves=True, window=random_window(rng))
        for move in found.moves:
            assert_true(move, sign * oracle.minimax(tree, tree.result(0, move.action)).value)


def test_unasked_it_gives_no_moves() -> None:
    assert alphabeta(Tree([1, 2])).moves == ()


@pytest.mark.parametrize("way", WAYS)
def test_moves_are_named_as_people_write_them(way: str) -> None:
    found = alphabeta(ConnectFour(), depth=2, moves=True, compile=way)
    assert [move.name for move in found.moves] == ["4", "3", "5", "2", "6", "1", "7"]
    assert [move.action for move in found.moves] == [3, 2, 4, 1, 5, 0, 6]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("movers", [(0, 1), (1, 0)])
def test_ties_go_to_the_first_action(way: str, movers: tuple[int, int]) -> None:
    same = Tree([[2, 2], 2, [2], 2], movers)
    for search in (alphabeta, minimax):
        for moves in (False, True):
            assert search(same, compile=way, moves=moves).line == (0, 0)
    worse = 1 if movers == (0, 1) else 3
    for search in (alphabeta, minimax):
        assert search(Tree([worse, 2, [2, 2], 2], movers), compile=way).line == (1,)


# --- to a depth -------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_at_the_depth_the_evaluation_judges_and_the_value_is_an_estimate(way: str) -> None:
    game = ConnectFour()
    found = alphabeta(game, depth=3, compile=way)
    assert (found.exact, found.depth, found.stopped_by) == (False, 3, "depth")
    assert len(found.line) == 3
    assert found.parameters["depth"] == 3


@pytest.mark.parametrize("way", WAYS)
def test_a_depth_beyond_the_end_of_the_game_proves_the_value(way: str) -> None:
    tree = Tree([[1, [2, 3]], 4])
    found = alphabeta(tree, depth=3, compile=way, evaluation=lambda state, player: 99)
    assert (found.value, found.exact, found.stopped_by) == (Value(4), True, "end")
    cut = alphabeta(tree, depth=2, compile=way, evaluation=lambda state, player: 99)
    assert (cut.value, cut.exact) == (Value(4), False)


@pytest.mark.parametrize("way", WAYS)
def test_one_evaluation_may_be_exchanged_for_another(way: str) -> None:
    game = ConnectFour()
    own = alphabeta(game, depth=2, compile=way)
    assert facts(alphabeta(game, depth=2, compile=way, evaluation="default")) == facts(own)
    none = alphabeta(game, depth=2, compile=way, evaluation=lambda state, player: 0.0)
    assert own.value != 0
    assert (none.value, none.action) == (Value(0), 3)


def test_the_result_says_how_it_was_obtained() -> None:
    found = alphabeta(ConnectFour(), limit=Limit(depth=2, nodes=10_000), fail="hard", compile="never")
    assert found.method == "alphabeta"
    assert found.game == "ConnectFour"
    assert found.parameters == {"depth": 2, "nodes": 10_000, "fail": "hard", "compiled": False}
