"""The exact solver finds what plain recursion finds, with every hint and with none."""

import itertools
import random
import threading
from typing import Any

import pytest

import oracle
from gametree import Limit, Tree
from gametree.compiled import native
from gametree.errors import InputError, UnsuitableError
from gametree.game import Game
from gametree.games import Chess, ConnectFour, Nim, Othello, TicTacToe
from gametree.search.solve.exact import kernel, table
from gametree.search.solve.exact.scores import Exact, score
from search.exact import slow_truth

COMPILES = not native.unavailable()
WAYS = ["never", "always"] if COMPILES else ["never"]


def assert_true(game: Game, state: Any, solver: Exact, known: dict[Any, int] | None = None) -> None:
    """Margin, line and every action are those of the slow truth."""
    truth = slow_truth.margin(game, state, known)
    found = solver.score(state, moves=True)
    assert found.exact and found.stopped_by == "end"
    assert found.value == truth
    mover = game.player(state)
    if game.is_terminal(state):
        assert found.action is None and found.line == () and found.moves == ()
        return
    assert dict(found.moves) == {
        action: slow_truth.margin_of(game, state, action, known) for action in game.actions(state)
    }
    assert dict(found.moves)[found.action] == truth
    for action in found.line:
        assert action in list(game.actions(state))
        state = game.result(state, action)
    assert game.is_terminal(state) and game.margin(state, mover) == truth


def assert_endings(game: Game, way: str, plies: int, left: int, count: int) -> None:
    """Endings of random play are solved as the slow truth has it."""
    solver = Exact(game, compile=way)
    known: dict[Any, int] = {}
    for state in slow_truth.endings(game, random.Random(plies), plies, left, count):
        assert_true(game, state, solver, known)


@pytest.mark.parametrize("way", WAYS)
def test_endings_of_connect_four(way: str) -> None:
    assert_endings(ConnectFour(4, 4), way, 16, 9, 12)


@pytest.mark.parametrize(("width", "height"), [(5, 4), (4, 5), (3, 7), (8, 2)])
def test_endings_on_other_boards(width: int, height: int) -> None:
    assert_endings(ConnectFour(width, height), "never", width * height, 8, 6)


def test_endings_of_othello() -> None:
    assert_endings(Othello(6), "never", 32, 5, 4)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4), (4, 5), (5, 5), (6, 4)])
def test_endings_of_connect_four_at_length(width: int, height: int, way: str) -> None:
    assert_endings(ConnectFour(width, height), way, width * height, 12, 100)


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("way", WAYS)
def test_endings_of_othello_at_length(size: int, way: str) -> None:
    assert_endings(Othello(size), way, size * size - 4, 7, 30)


@pytest.mark.skipif(not COMPILES, reason="interpreted threads would only wait for each other")
def test_two_threads_find_the_same() -> None:
    game = ConnectFour(4, 4)
    states = list(slow_truth.endings(game, random.Random(6), 16, 12, 12))
    one, two = (Exact(game, hash_mb=1) for _ in range(2))
    for state in states:
        alone, together = one.score(state, line=False), two.score(state, line=False, threads=2)
        assert (alone.value, alone.exact) == (together.value, together.exact)


@pytest.mark.skipif(not COMPILES, reason="interpreted threads would only wait for each other")
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_stop_for_a_larger_table_and_go_on(threads: int) -> None:
    solver = Exact(ConnectFour(5, 5), hash_mb=4)
    found = solver.score(line=False, threads=threads)
    buckets = solver._last.buckets
    assert found.value == 0 and found.stopped_by == "end"
    assert table.FEW < buckets <= solver._most


@pytest.mark.skipif(not COMPILES, reason="interpreted threads would only wait for each other")
def test_a_limit_of_nodes_stops_all_threads() -> None:
    found = score(ConnectFour(), limit=Limit(nodes=50_000), threads=2)
    assert found.stopped_by == "nodes" and not found.exact


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.skipif(not COMPILES, reason="takes too long interpreted")
def test_another_thread_may_stop_a_search(threads: int) -> None:
    solver = Exact(ConnectFour(), hash_mb=8)
    done = threading.Event()

    def nag() -> None:
        while not done.wait(0.05):
            solver.stop()

    thread = threading.Thread(target=nag)
    thread.start()
    found = solver.score(limit=Limit(seconds=60), threads=threads)
    done.set()
    thread.join()
    assert found.stopped_by == "cancelled" and found.seconds < 30 and found.low <= 1 <= found.high


@pytest.mark.parametrize("way", WAYS)
def test_trees_without_hints_whoever_moves_next(way: str) -> None:
    rng = random.Random(3)
    for movers in ((0, 1), (0, 0, 1), (1, 0, 1, 1)):
        for _ in range(8):
            game = Tree(oracle.random_tree_spec(rng), movers=movers)
            if game.is_terminal(game.initial()):
                continue
            assert_true(game, game.initial(), Exact(game, compile=way))
            sign = 1 if game.player(game.initial()) == 0 else -1
            found = score(game, compile=way)
            assert sign * found.value == oracle.minimax(game).value


def test_games_without_hints() -> None:
    game = TicTacToe()
    state = game.parse_state("XO./.X./..O")
    assert score(game, state, compile="never").value == oracle.minimax(game, state).value
    assert score(Nim(9), compile="never").value == oracle.minimax(Nim(9)).value


@pytest.mark.parametrize("way", WAYS)
def test_utilities_that_are_no_whole_numbers_are_refused_by_name(way: str) -> None:
    with pytest.raises(ValueError, match=r"whole number up to 32000, and the utility is 0\.5"):
        score(Tree([[1, 0.5], [2, 3]]), compile=way)


def test_a_table_of_random_bytes_changes_nothing() -> None:
    rng = random.Random(4)
    game = ConnectFour(4, 4)
    for way in WAYS:
        solver = Exact(game, compile=way, hash_mb=0.01)
        state = game.parse_state("2233")
        expected = solver.score(state, moves=True)
        words = len(solver._table)
        for _ in range(3):
            solver._generation = 0
            solver._table[:] = [rng.getrandbits(64) - (1 << 63) for _ in range(words)]
            found = solver.score(state, moves=True)
            assert (found.value, found.moves) == (expected.value, expected.moves)


def test_a_small_table_changes_nodes_and_no_margin() -> None:
    game = ConnectFour(4, 4)
    state = game.parse_state("22")
    small, large = (Exact(game, compile="never", hash_mb=size).score(state) for size in (0.0001, 1))
    assert small.value == large.value and small.nodes > large.nodes


def test_the_same_question_takes_the_same_nodes_in_both_ways() -> None:
    game = ConnectFour(4, 4)
    state = game.parse_state("22")
    counts = {score(game, state, compile=way, hash_mb=0.2).nodes for way in WAYS}
    assert len(counts) == 1


def test_many_states_in_one_loop_are_each_solved_alone() -> None:
    game = ConnectFour(4, 4)
    states = list(slow_truth.endings(game, random.Random(5), 16, 10, 20))
    for way in WAYS:
        margins, nodes, _ = Exact(game, compile=way, hash_mb=0.2).margins(states)
        alone = [Exact(game, compile=way, hash_mb=0.2) for _ in states]
        assert margins == [one.score(state, line=False).value for one, state in zip(alone, states)]
        assert nodes == sum(one.margins([state])[1] for one, state in zip(alone, states))


def test_node_limits_are_exact_and_what_is_proven_stays_true() -> None:
    game = ConnectFour(4, 4)
    truth = score(game, compile=WAYS[-1]).value
    for nodes in (1, 10, 100):
        for way in WAYS:
            found = score(game, limit=Limit(nodes=nodes), compile=way)
            assert (found.nodes, found.stopped_by, found.exact) == (nodes, "nodes", False)
            assert found.low <= truth <= found.high
            with pytest.raises(InputError, match="between"):
                _ = found.value


def test_the_clock_stops_a_search() -> None:
    found = score(ConnectFour(), limit=Limit(seconds=0.05), compile=WAYS[-1])
    assert found.stopped_by == "seconds" and not found.exact


def test_progress_narrows_the_range() -> None:
    heard: list[tuple[int, int]] = []
    game = ConnectFour(4, 4)
    score(game, compile=WAYS[-1], on_progress=lambda low, high, nodes, seconds: heard.append((low, high)))
    assert heard and heard[-1] == (0, 0)
    assert all(a[0] <= b[0] and b[1] <= a[1] for a, b in itertools.pairwise(heard))


@pytest.mark.parametrize(
    ("width", "height", "sign"), [(4, 4, 0), (5, 4, 0), (4, 5, 0), (6, 4, -1), (5, 5, 0)]
)
@pytest.mark.skipif(not COMPILES, reason="takes too long interpreted")
@pytest.mark.slow
def test_known_values_of_small_boards(width: int, height: int, sign: int) -> None:
    value = score(ConnectFour(width, height), line=False).value
    assert (value > 0) - (value < 0) == sign


@pytest.mark.skipif(not COMPILES, reason="takes too long interpreted")
@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "sign"), [(6, 5, 0), (6, 6, -1)])
def test_known_values_of_larger_boards(width: int, height: int, sign: int) -> None:
    value = score(ConnectFour(width, height), line=False, hash_mb=512).value
    assert (value > 0) - (value < 0) == sign


def test_halving_always_asks_inside_the_range() -> None:
    for low in range(-40, 40):
        for high in range(low + 1, 41):
            assert low <= kernel.middle(low, high) < high


def test_an_entry_gives_back_what_was_put_in() -> None:
    words = [0] * table.BUCKET_WORDS
    table.remember(words, 0, -5, -32_000, 32_000, 6, 1 << 40, 32_767)
    about = table.probe(words, 0, -5, 32_767)
    assert (table.lower(about), table.upper(about)) == (-32_000, 32_000)
    assert (about >> table.ACTION_SHIFT & table.BYTE) == 7
    assert table.probe(words, 0, -5, 32_766) == 0 and table.probe(words, 0, -6, 32_767) == 0
    assert all(-(1 << 63) <= word < 1 << 63 for word in words)


def test_what_was_least_work_gives_way() -> None:
    words = [0] * table.BUCKET_WORDS
    for key, nodes in ((1, 900), (2, 3), (3, 70), (4, 5000), (5, 20)):
        table.remember(words, 0, key, 0, 1, -1, nodes, 1)
    assert [key for key in range(1, 6) if table.probe(words, 0, key, 1)] == [1, 3, 4, 5]
    table.remember(words, 0, 6, 0, 1, -1, 1, 2)
    assert sum(table.probe(words, 0, key, 1) != 0 for key in range(1, 6)) == 3


class Halves(TicTacToe):
    """Half points."""

    payoffs = (-0.5, 0.5)

    def utility(self, state: Any, player: int) -> float:
        return super().utility(state, player) / 2


class Hasty(ConnectFour):
    """Knows of nothing that loses at once, and yet gives no action then."""

    prospects = Game.prospects  # type: ignore[assignment]


@pytest.mark.parametrize("way", ["never", pytest.param("auto", marks=pytest.mark.slow)])
def test_no_sensible_action_where_the_margin_is_open_is_refused_in_words(way: str) -> None:
    with pytest.raises(ValueError, match="`sensible` gives no action") as caught:
        score(Hasty(4, 4), compile=way)
    assert any("after" in note for note in caught.value.__notes__)


class Hurried(TicTacToe):
    """Ends by a clock."""

    def clock(self, state: Any) -> int:
        return 9


def test_refusals() -> None:
    with pytest.raises(UnsuitableError, match="has a clock"):
        score(Hurried())
    with pytest.raises(UnsuitableError, match="repeated positions"):
        score(Chess())
    with pytest.raises(UnsuitableError, match="whole numbers"):
        score(Halves())
    with pytest.raises(InputError, match="hash_mb"):
        Exact(TicTacToe(), hash_mb=0)
    with pytest.raises(InputError, match="threads"):
        score(TicTacToe(), threads=0)
    with pytest.raises(InputError, match="class"):
        score(TicTacToe)  # type: ignore[arg-type]
