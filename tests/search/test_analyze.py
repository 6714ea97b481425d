"""`analyze`: the nearest win, the longest resistance, and an answer whenever it is stopped."""

import gc
import itertools
import random
import weakref
from typing import Any, NamedTuple

import numpy as np
import pytest

import oracle
from gametree import Analysis, Game, InputError, Limit, Tree, Value, alphabeta, analyze, minimax
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.search.analyze import Engine
from gametree.search.core import memory
from gametree.search.engine.profiles import GENERAL, ROOT, Profile
from search.agreement import WAYS, facts
from search.test_equivalence import MOVERS

FAR = Limit(depth=30)


def ends(spec: Any, movers: tuple[int, ...] = (0, 1)) -> Tree:
    """A tree whose payoffs −1 and 1 are losses and wins."""
    return Tree(spec, movers, payoffs=(-1, 1))


def by_distance(tree: Tree, state: int, plies: int = 0) -> Value:
    """What a node is worth to player 0, by plain recursion: wins the sooner, losses the later the better."""
    if tree.is_terminal(state):
        payoff = tree.utility(state, 0)
        if payoff >= 1:
            return Value.win(1, plies)
        return Value.loss(-1, plies) if payoff <= -1 else Value(payoff)
    children = [by_distance(tree, tree.result(state, action), plies + 1) for action in tree.actions(state)]
    return max(children) if tree.player(state) == 0 else min(children)


def turned(value: Value) -> Value:
    """The same for the other player, where payoffs sum to zero."""
    if value.outcome is None:
        return Value(-value.payoff)
    return (Value.loss if value.outcome == "win" else Value.win)(-value.payoff, value.plies)


class State(NamedTuple):
    left: int
    mover: int


class Tempting(Game):
    """A corridor: step on towards a sure win at its end, or leave for a room that looks far better than it is."""

    payoffs = (-1, 1)

    def __init__(self, length: int = 3, promise: float = 1e6):
        self.length = length
        self.promise = np.array([promise], dtype=float)  # run-time data: no promise compiles anew

    def initial(self) -> State:
        return State(self.length, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> range:
        # In the room, and for the other player, there is nothing to choose.
        return range(1) if state.left < 0 or state.mover == 1 else range(2)

    def result(self, state: State, action: int) -> State:
        if state.left < 0:
            return State(state.left - 1, 1 - state.mover)
        if action == 0 and state.mover == 0:
            return State(-1, 1)
        return State(state.left - 1, 1 - state.mover)

    def is_terminal(self, state: State) -> bool:
        return state.left == 0 or state.left <= -40

    def utility(self, state: State, player: int) -> float:
        if state.left != 0:
            return 0
        return 1 if player == 0 else -1

    def evaluate(self, state: State, player: int) -> float:
        worth = float(self.promise[0]) if state.left < 0 else 0.0
        return worth if player == 0 else -worth


# --- wins and losses by distance --------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_of_two_wins_the_nearer_is_chosen(way: str) -> None:
    found = analyze(ends([[[1]], 1, [[1]]]), limit=FAR, compile=way)
    assert (found.action, found.value, found.line) == (1, Value.win(1, plies=1), (1,))
    assert (found.exact, found.stopped_by) == (True, "end")
    # The textbook sees payoffs only, and takes the first.
    assert alphabeta(ends([[[1]], 1, [[1]]]), compile=way).action == 0


@pytest.mark.parametrize("way", WAYS)
def test_who_is_lost_resists_as_long_as_possible(way: str) -> None:
    found = analyze(ends([[-1], [[[-1]]], [-1]]), limit=FAR, compile=way)
    assert (found.action, found.value) == (1, Value.loss(-1, plies=4))
    assert found.line == (1, 0, 0, 0)
    assert found.exact


@pytest.mark.parametrize("way", WAYS)
def test_the_opponent_wins_as_soon_as_possible_too(way: str) -> None:
    found = analyze(ends([[[[-1]], -1, 0]]), limit=FAR, compile=way)
    assert (found.value, found.line) == (Value.loss(-1, plies=2), (0, 1))


@pytest.mark.parametrize("way", WAYS)
def test_on_random_trees_it_finds_the_nearest_win_and_the_latest_loss(way: str) -> None:
    rng = random.Random(31)
    outcomes = set()
    for _ in range(150):
        spec = oracle.random_tree_spec(rng, depth=5, branching=3, low=-1, high=1)
        tree = ends(spec, rng.choice(MOVERS))
        turn = turned if tree.player(0) == 1 else (lambda value: value)
        found = analyze(tree, limit=FAR, compile=way)
        true = [turn(by_distance(tree, tree.result(0, action), 1)) for action in tree.actions(0)]
        assert found.value == max(true)
        assert true[found.action] == max(true)
        assert (found.exact, found.stopped_by) == (True, "end")
        outcomes.add((found.player, max(true).outcome))
    assert outcomes == {(player, outcome) for player in (0, 1) for outcome in ("win", "loss", None)}


@pytest.mark.parametrize("way", WAYS)
def test_the_line_is_as_long_as_the_win_is_far(way: str) -> None:
    for counters in (5, 6, 7, 9):
        found = analyze(Nim(counters), limit=FAR, compile=way)
        assert found.value is not None
        assert (found.value.outcome, found.value.plies) == ("win", len(found.line))
        assert found.action == counters % 4


@pytest.mark.parametrize("way", WAYS)
def test_for_player_one_value_and_values_say_the_same(way: str) -> None:
    game = TicTacToe()
    state = game.parse_state("X.X/OO./X..")
    found = analyze(game, state, FAR, compile=way)
    assert (found.player, found.value, found.values) == (1, Value.win(1, plies=1), (-1, 1))
    assert found.name == "c2"


@pytest.mark.parametrize("way", WAYS)
def test_payoffs_that_sum_to_one_keep_their_meaning(way: str) -> None:
    for movers, value, values in (
        ((0, 1), Value.loss(0, plies=2), (0, 1)),
        ((1, 0), Value.win(1, plies=1), (0, 1)),
    ):
        tree = Tree([[0.5, 0], 0], movers, total=1, payoffs=(0, 1))
        found = analyze(tree, limit=FAR, compile=way)
        assert (found.value, found.values) == (value, values)
        assert float(value) == values[found.player]


@pytest.mark.parametrize("way", WAYS)
def test_where_payoffs_are_not_declared_it_compares_payoffs_only(way: str) -> None:
    found = analyze(Tree([[[7]], 3, [[5]]]), limit=FAR, compile=way)
    assert (found.value, found.values, found.exact) == (Value(7), (7, -7), True)
    assert found.value is not None
    assert found.value.outcome is None


@pytest.mark.parametrize("way", WAYS)
def test_large_payoffs_are_payoffs(way: str) -> None:
    assert analyze(Tree([[2e12], 1]), limit=FAR, compile=way).value == 2e12


# --- estimates --------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("promise", [2, 1e6, 1e10])
def test_no_estimate_beats_a_proven_win(way: str, promise: float) -> None:
    game = Tempting(length=3, promise=promise)
    short = analyze(game, limit=Limit(depth=2), compile=way)
    assert (short.action, short.value, short.exact) == (0, Value(promise), False)
    found = analyze(game, limit=Limit(depth=10), compile=way)
    assert (found.action, found.value, found.exact) == (1, Value.win(1, plies=3), True)
    assert found.depth == 3


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("promise", [2e11, 1e15, float("inf")])
def test_no_estimate_beats_a_proven_win_however_large_it_is(way: str, promise: float) -> None:
    found = analyze(Tempting(length=3, promise=promise), limit=Limit(depth=10), compile=way)
    assert (found.action, found.value, found.exact) == (1, Value.win(1, plies=3), True)


@pytest.mark.parametrize("way", WAYS)
def test_who_has_no_evaluation_is_even_until_the_end_is_seen(way: str) -> None:
    found = analyze(Nim(21), limit=Limit(depth=4), compile=way)
    assert (found.value, found.values, found.exact, found.stopped_by) == (Value(0), (0, 0), False, "depth")
    half = analyze(Tree([[[[0]]]], total=3), limit=Limit(depth=2), compile=way)
    assert half.values == (1.5, 1.5)


@pytest.mark.parametrize("way", WAYS)
def test_to_a_depth_it_is_worth_what_minimax_says(way: str) -> None:
    game = ConnectFour()
    rng = random.Random(32)
    for _ in range(10):
        state = game.initial()
        for _ in range(rng.randrange(6)):
            state = game.result(state, rng.choice(list(game.actions(state))))
        found = analyze(game, state, Limit(depth=3), compile=way)
        true = oracle.minimax(game, state, depth=3)
        assert found.values[0] == true.value
        assert found.action in true.best


# --- deeper and deeper ------------------------------------------------------------------------------


def progress(game: Game, limit: Limit, way: str) -> tuple[Analysis, list[Analysis]]:
    seen: list[Analysis] = []
    return analyze(game, limit=limit, on_progress=seen.append, compile=way), seen


@pytest.mark.parametrize("way", WAYS)
def test_every_finished_depth_is_told(way: str) -> None:
    found, seen = progress(ConnectFour(), Limit(depth=5), way)
    assert [one.depth for one in seen] == [1, 2, 3, 4, 5]
    assert [one.nodes for one in seen] == sorted({one.nodes for one in seen})
    assert facts(seen[-1]) == facts(found)
    assert {len(one.line) for one in seen if one.depth == 5} == {5}


@pytest.mark.parametrize("way", WAYS)
def test_stopped_within_a_depth_it_returns_the_last_finished_one(way: str) -> None:
    _, seen = progress(ConnectFour(), Limit(depth=5), way)
    for before, after in itertools.pairwise(seen):
        limit = Limit(nodes=before.nodes + 1)
        found = analyze(ConnectFour(), limit=limit, compile=way)
        assert (found.nodes, found.stopped_by, found.exact) == (limit.nodes, "nodes", False)
        assert (found.depth, found.action, found.value, found.line) == (
            before.depth,
            before.action,
            before.value,
            before.line,
        )
        whole = analyze(ConnectFour(), limit=Limit(nodes=after.nodes, depth=after.depth), compile=way)
        assert (whole.depth, whole.stopped_by) == (after.depth, "depth")


@pytest.mark.parametrize("profile", ["general", GENERAL | ROOT])
def test_wherever_it_is_stopped_it_tells_its_depth(profile: Profile) -> None:
    engine = Engine(ConnectFour(), profile=profile, compile="never")
    for nodes in range(20, 1_500, 20):
        engine.clear()
        found = engine.analyze(limit=Limit(nodes=nodes))
        assert found.depth is not None, nodes


@pytest.mark.parametrize("nodes", [1, 2, 5, 50, 64, 500, 1_024, 5_000])
def test_a_node_limit_is_kept_to_the_node_and_there_is_always_an_action(nodes: int) -> None:
    found = [analyze(ConnectFour(), limit=Limit(nodes=nodes), compile=way) for way in WAYS]
    for one in found:
        assert (one.nodes, one.stopped_by) == (nodes, "nodes")
        assert one.action in range(7)


@pytest.mark.parametrize("way", WAYS)
def test_stopped_before_anything_was_known_it_names_a_legal_action_without_a_value(way: str) -> None:
    found = analyze(ConnectFour(), limit=Limit(nodes=1), compile=way)
    assert (found.action, found.value, found.values, found.exact) == (3, None, (), False)


@pytest.mark.parametrize("way", WAYS)
def test_a_proven_result_ends_the_search_at_once(way: str) -> None:
    found, seen = progress(Nim(5), FAR, way)
    assert (found.value, found.exact, found.stopped_by) == (Value.win(1, plies=3), True, "end")
    assert [one.exact for one in seen] == [False, False, True]


@pytest.mark.parametrize("way", WAYS)
def test_a_limit_of_seconds_is_kept(way: str) -> None:
    found = analyze(ConnectFour(), limit=Limit(seconds=0.3), compile=way)
    assert (found.stopped_by, found.exact) == ("seconds", False)
    assert found.depth is not None
    assert found.depth >= 1
    assert found.seconds < 5


@pytest.mark.parametrize("way", WAYS)
def test_what_a_listener_raises_ends_the_search(way: str) -> None:
    class Enough(Exception):
        pass

    def stop(found: Analysis) -> None:
        raise Enough

    with pytest.raises(Enough):
        analyze(ConnectFour(), limit=Limit(depth=3), on_progress=stop, compile=way)


@pytest.mark.parametrize("way", WAYS)
def test_asked_for_moves_it_gives_the_value_of_each(way: str) -> None:
    tree = ends([[[1]], 1, [-1], 0.5])
    found = analyze(tree, limit=FAR, moves=True, compile=way)
    assert [move.action for move in found.moves] == [0, 1, 2, 3]
    assert found.action == 1
    values = {move.action: move.value for move in found.moves}
    assert values[1] == Value.win(1, plies=1)
    assert values[3] == 0.5
    assert max(values.values()) == found.value


# --- methods ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("moves", [False, True])
def test_a_textbook_method_can_be_asked_for_by_name(way: str, moves: bool) -> None:
    limit = Limit(depth=3)
    for method, search in (("minimax", minimax), ("alphabeta", alphabeta)):
        found = analyze(ConnectFour(), limit=limit, method=method, moves=moves, compile=way)
        assert facts(found) == facts(search(ConnectFour(), limit=limit, moves=moves, compile=way))
        assert found.method == method


@pytest.mark.parametrize("method", ["magic", "", None], ids=repr)
def test_a_method_that_does_not_exist_is_refused_with_those_that_do(method: Any) -> None:
    with pytest.raises(InputError, match=r"method=.*auto.*minimax.*alphabeta"):
        analyze(Nim(), method=method)


@pytest.mark.parametrize("way", WAYS)
def test_where_the_game_is_over_or_the_depth_is_zero_nothing_is_searched(way: str) -> None:
    over = analyze(Nim(3), Nim(3).parse_state("0 second"), compile=way)
    assert (over.action, over.values, over.exact, over.nodes) == (None, (1, -1), True, 1)
    flat = analyze(ConnectFour(), ConnectFour().parse_state("4"), Limit(depth=0), compile=way)
    assert (flat.action, flat.values, flat.exact, flat.nodes) == (None, (7, -7), False, 1)


@pytest.mark.parametrize("way", WAYS)
def test_the_same_search_twice_gives_the_same_result(way: str) -> None:
    for limit in (Limit(depth=5), Limit(nodes=3_000)):
        once, again = (facts(analyze(ConnectFour(), limit=limit, compile=way)) for _ in range(2))
        assert once == again


@pytest.mark.needs_compiler
@pytest.mark.parametrize(
    ("limit", "huge"),
    [
        (Limit(seconds=0.01), False),
        (Limit(seconds=0.05), True),
        (Limit(nodes=1_000), False),
        (Limit(nodes=20_000), True),
        (Limit(seconds=10, nodes=1_000), False),
        (Limit(depth=2), False),
        (Limit(depth=12, nodes=20_000), True),
        (Limit(depth=10), True),
    ],
)
def test_only_a_long_search_pays_for_a_table_in_huge_pages(
    limit: Limit, huge: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def block(words: int, huge: bool = False) -> Any:
        asked.append(huge)
        return real(words, huge)

    real = memory.block
    monkeypatch.setattr(memory, "block", block)
    analyze(Nim(counters=9), limit=limit, hash_mb=0.1)
    assert asked == [huge]


@pytest.mark.needs_compiler
def test_a_table_that_is_given_up_is_given_back_at_once() -> None:
    """Tables of many megabytes must not wait for the garbage collector."""
    engine = Engine(ConnectFour(), hash_mb=1, compile="always")
    gc.disable()
    try:
        engine.analyze(depth=6)
        table = weakref.ref(engine._knowledge.table)
        engine.clear()
        engine.analyze(depth=6)
        assert table() is None
    finally:
        gc.enable()
