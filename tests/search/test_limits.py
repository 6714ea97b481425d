"""When a search stops, and what it says then."""

import math
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import oracle
from gametree import Analysis, Game, Limit, TooDeepError, Tree, Value, alphabeta, analyze, minimax
from gametree.games import ConnectFour, Nim, TicTacToe
from search.agreement import SEARCHES, WAYS, facts
from search.endless import JudgedToggle, Toggle, chain, staircase
from search.test_alphabeta import assert_true
from search.test_equivalence import MOVERS

BOTH = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)


# --- nodes ------------------------------------------------------------------------------------------

LIMITS = [
    1,
    2,
    3,
    4,
    7,
    15,
    16,
    17,
    100,
    1_000,
    1_023,
    1_024,
    1_025,
    2_047,
    2_048,
    2_049,
    3_333,
    4_096,
    5_000,
    9_999,
]


@BOTH
@pytest.mark.parametrize("nodes", LIMITS)
def test_a_node_limit_is_kept_to_the_node_and_both_ways_of_running_stop_alike(
    search: Any, nodes: int
) -> None:
    found = [search(ConnectFour(), depth=8, limit=Limit(nodes=nodes), compile=way) for way in WAYS]
    for one in found:
        assert (one.nodes, one.stopped_by, one.exact) == (nodes, "nodes", False)
        assert facts(one) == facts(found[0])


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_a_limit_of_just_enough_nodes_is_enough_and_one_less_is_not(search: Any, way: str) -> None:
    game = ConnectFour()
    needed = search(game, depth=4, compile=way).nodes
    enough = search(game, depth=4, limit=Limit(nodes=needed), compile=way)
    assert (enough.nodes, enough.stopped_by, enough.bound) == (needed, "depth", "exact")
    short = search(game, depth=4, limit=Limit(nodes=needed - 1), compile=way)
    assert (short.nodes, short.stopped_by, short.exact) == (needed - 1, "nodes", False)


@pytest.mark.parametrize("way", WAYS)
def test_every_node_limit_on_a_small_tree_is_kept(way: str) -> None:
    rng = random.Random(21)
    for _ in range(50):
        tree = Tree(oracle.random_tree_spec(rng, depth=4), rng.choice(MOVERS))
        whole = alphabeta(tree, compile=way)
        for nodes in range(1, whole.nodes):
            found = alphabeta(tree, limit=Limit(nodes=nodes), compile=way)
            assert (found.nodes, found.stopped_by, found.exact) == (nodes, "nodes", False)
        found = alphabeta(tree, limit=Limit(nodes=whole.nodes), compile=way)
        assert (found.value, found.line, found.stopped_by) == (whole.value, whole.line, "end")


@pytest.mark.parametrize("way", WAYS)
def test_what_a_stopped_search_claims_is_true(way: str) -> None:
    rng = random.Random(22)
    claims = 0
    for _ in range(300):
        tree = Tree(oracle.random_tree_spec(rng, depth=4), rng.choice(MOVERS))
        true = oracle.minimax(tree).value * (1 if tree.player(0) == 0 else -1)
        for search in (minimax, alphabeta):
            found = search(tree, limit=Limit(nodes=rng.randint(1, 20)), compile=way)
            if found.stopped_by == "nodes" and found.value is not None:
                assert found.bound == "lower"
                assert float(found.value) <= true
                claims += 1
    assert claims > 50


def test_what_a_stopped_search_with_a_window_claims_is_true() -> None:
    tree = Tree([[1, -5], [2, -6]])
    # The first move is worth at most 1: its second reply, −5, lies beyond the window and is not looked at.
    found = alphabeta(tree, window=(3, 9), limit=Limit(nodes=3), compile="never")
    assert (found.nodes, found.stopped_by) == (3, "nodes")
    if found.value is not None:
        assert_true(found, oracle.minimax(tree).value)


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_stopped_before_anything_was_known_there_is_no_value(search: Any, way: str) -> None:
    found = search(ConnectFour(), depth=8, limit=Limit(nodes=5), compile=way)
    assert (found.value, found.values, found.action, found.line) == (None, (), None, ())
    assert not found.exact
    assert "not known" in str(found)
    assert '"value": null' in found.to_json()


@pytest.mark.parametrize("way", WAYS)
def test_the_same_search_twice_gives_the_same_result(way: str) -> None:
    game = ConnectFour()
    for limit in (Limit(depth=5), Limit(depth=9, nodes=4_321)):
        once = [facts(search(game, limit=limit, compile=way)) for search in (minimax, alphabeta, analyze)]
        again = [facts(search(game, limit=limit, compile=way)) for search in (minimax, alphabeta, analyze)]
        assert once == again


# --- seconds ----------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seconds", [0, 0.2])
def test_a_limit_of_seconds_ends_a_search_that_would_take_years(
    search: Any, way: str, seconds: float
) -> None:
    search(ConnectFour(), depth=1, compile=way)  # compiles
    start = time.perf_counter()
    found = search(ConnectFour(), limit=Limit(seconds=seconds), compile=way)
    assert time.perf_counter() - start < 5
    assert (found.stopped_by, found.exact, found.value) == ("seconds", False, None)


@pytest.mark.parametrize("way", WAYS)
def test_a_search_that_ends_in_time_does_not_blame_the_clock(way: str) -> None:
    found = alphabeta(TicTacToe(), limit=Limit(seconds=600), compile=way)
    assert (found.stopped_by, found.exact) == ("end", True)
    assert found.seconds < 600


# --- depth ------------------------------------------------------------------------------------------


@BOTH
def test_of_two_depths_the_smaller_counts(search: Any) -> None:
    game = ConnectFour()
    two = search(game, depth=2)
    assert facts(search(game, depth=2, limit=Limit(depth=3))) == facts(two)
    assert facts(search(game, depth=3, limit=Limit(depth=2))) == facts(two)
    assert (two.depth, two.stopped_by) == (2, "depth")


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_at_depth_zero_the_root_is_judged(search: Any, way: str) -> None:
    game = ConnectFour()
    state = game.parse_state("4")
    found = search(game, state, depth=0, compile=way)
    assert (found.value, found.values, found.player) == (-7, (7, -7), 1)
    assert (found.action, found.line, found.nodes) == (None, (), 1)
    assert (found.depth, found.exact, found.stopped_by) == (0, False, "depth")


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_where_the_game_is_over_there_is_nothing_to_search(search: Any, way: str) -> None:
    game = ConnectFour()
    state = game.parse_state("4141414")
    for depth in (None, 0, 3):
        found = search(game, state, depth=depth, compile=way)
        assert (found.values, found.player, found.value) == ((1, -1), 1, -1)
        assert (found.action, found.line, found.nodes) == (None, (), 1)
        assert (found.depth, found.exact, found.stopped_by) == (None, True, "end")


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_depth_one_judges_the_children(search: Any, way: str) -> None:
    game = ConnectFour()
    found = search(game, depth=1, compile=way)
    true = oracle.minimax(game, depth=1)
    assert (found.value, found.action, found.nodes) == (true.value, true.best[0], 8)
    assert found.line == (true.best[0],)


# --- Ctrl-C -----------------------------------------------------------------------------------------

LONG = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import gametree as gt
game = gt.games.ConnectFour()
gt.alphabeta(game, depth=2, compile={way!r})
print("ready", flush=True)
print(gt.{call}, flush=True)
"""
CALLS = ["alphabeta(game, compile={way!r})", "analyze(game, limit=gt.Limit(seconds=600), compile={way!r})"]


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("call", CALLS, ids=["alphabeta", "analyze"])
@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_ends_a_search_at_once(way: str, call: str) -> None:
    program = LONG.format(way=way, call=call.format(way=way))
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    finally:
        process.kill()
        process.communicate()
    assert time.perf_counter() - start < 10
    assert output == ""
    assert "KeyboardInterrupt" in errors
    assert process.returncode not in (0, -signal.SIGSEGV, -signal.SIGABRT)


# --- several searches at once -----------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_searches_on_several_threads_do_not_disturb_each_other(way: str) -> None:
    rng = random.Random(23)
    trees = [Tree(oracle.random_tree_spec(rng, depth=4), rng.choice(MOVERS)) for _ in range(200)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda tree: alphabeta(tree, compile=way), trees))
    for tree, one in zip(trees, found):
        true = oracle.alphabeta(tree)
        assert (one.values[0], one.action, one.nodes) == (true.value, true.action, true.nodes)


def test_one_game_can_be_searched_on_several_threads_in_both_ways() -> None:
    game = ConnectFour()
    jobs = [(nodes, way) for nodes in (500, 1_500, 2_500, 3_500) for way in WAYS] * 2

    def search(job: tuple[int, str]) -> Analysis:
        return facts(alphabeta(game, depth=7, limit=Limit(nodes=job[0]), compile=job[1]))

    with ThreadPoolExecutor(len(jobs)) as pool:
        found = list(pool.map(search, jobs))
    assert found == [search(job) for job in jobs]


class Gate(Tree):
    """A tree on the way through which something happens, at node 500."""

    def __init__(self, spec: Any, gate: Callable[[], Any]):
        super().__init__(spec)
        self.gate = gate

    def actions(self, state: int) -> Iterable[int]:
        if state == 500:
            self.gate()
        return super().actions(state)


def test_a_deep_search_goes_on_when_a_search_on_another_thread_ends() -> None:
    given = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000)
    shallow_runs, deep_runs, shallow_ended = (threading.Event() for _ in range(3))

    def hold(state: int, player: int) -> float:
        shallow_runs.set()
        assert deep_runs.wait(20)
        return 0.0

    def gate() -> None:
        deep_runs.set()
        assert shallow_ended.wait(20)

    def deep() -> Analysis:
        assert shallow_runs.wait(20)
        return alphabeta(Gate(chain(5_000, 7), gate), compile="never")

    try:
        with ThreadPoolExecutor(1) as pool:
            later = pool.submit(deep)
            alphabeta(Tree([[1]]), depth=1, evaluation=hold, compile="never")
            shallow_ended.set()
            assert later.result().value == 7
        assert sys.getrecursionlimit() == 1_000
    finally:
        sys.setrecursionlimit(given)


# --- deep and endless games -------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "game", [Nim(counters=100_000), Toggle(), JudgedToggle()], ids=["nim", "cycle", "judged"]
)
def test_without_an_end_in_sight_it_asks_for_a_depth(search: Any, way: str, game: Game) -> None:
    with pytest.raises(TooDeepError, match=rf"{type(game).__name__}.*depth="):
        search(game, compile=way)


@pytest.mark.parametrize("way", WAYS)
def test_with_a_depth_an_endless_game_is_searched(way: str) -> None:
    found = alphabeta(JudgedToggle(), depth=5, compile=way)
    true = oracle.alphabeta(JudgedToggle(), depth=5)
    assert (found.value, found.nodes, found.exact) == (Value(true.value), true.nodes, False)
    assert len(found.line) == 5


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_a_tree_of_fifty_thousand_plies_gives_its_value(search: Any, way: str) -> None:
    found = search(Tree(chain(50_000, 7)), compile=way)
    assert (found.value, found.nodes, found.exact) == (7, 50_001, True)
    assert found.line == (0,) * 50_000


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_a_deep_tree_with_choices_gives_its_line(search: Any, way: str) -> None:
    found = search(Tree(staircase(1_000, 0)), compile=way)
    assert (found.value, found.nodes, found.exact) == (0, 2_001, True)
    assert found.line == (1,) * 1_000


@pytest.mark.parametrize("way", WAYS)
def test_a_node_limit_ends_an_endless_search_before_the_stack_does(way: str) -> None:
    found = alphabeta(Toggle(), limit=Limit(nodes=5_000), compile=way)
    assert (found.nodes, found.stopped_by, found.value) == (5_000, "nodes", None)


def test_after_a_deep_search_the_recursion_limit_is_what_it_was() -> None:
    before = sys.getrecursionlimit()
    alphabeta(Tree(chain(5_000, 1)), compile="never")
    assert sys.getrecursionlimit() == before


def test_analyze_needs_no_end_to_have_an_answer() -> None:
    found = analyze(Nim(counters=100_000), limit=Limit(depth=6))
    assert (found.value, found.exact, found.depth) == (Value(0), False, 6)
    assert math.isfinite(found.seconds)


@pytest.mark.needs_compiler
def test_a_deep_search_fits_a_thread_with_a_small_stack() -> None:
    program = f"""
import sys, threading
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
import gametree as gt
from search.endless import chain

tree = gt.Tree(chain(19_000, 1))
threading.stack_size(256 << 10)
thread = threading.Thread(target=lambda: print(gt.alphabeta(tree, compile="always").value))
thread.start()
thread.join()
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stdout) == (0, "1\n")
