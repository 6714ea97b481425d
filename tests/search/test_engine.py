"""The engine behind `analyze` finds what naive minimax finds, whatever it remembers and in whatever order it looks."""

import random
from typing import Any

import numpy as np
import pytest

import gametree as gt
import oracle
from fixtures.exchange import CAPTURE, QUIET, Exchange
from gametree.compiled import native
from gametree.kernel.clock import Clock
from gametree.kernel.primitives import WIN, bits, unbits
from gametree.search.analyze import analyze
from gametree.search.core.memory import Sparse
from gametree.search.core.repetition import Path
from gametree.search.engine import kernel, node
from gametree.search.engine.memory import NOT_JUDGED, allocate

pytestmark = pytest.mark.bounds

MODES = ["never"] if native.unavailable() else ["never", "always"]


class Graph(gt.Game):
    """Layers of nodes in which many paths meet; who moves is drawn by lot, and every node has an estimate."""

    def __init__(self, seed: int, layers: int = 6, wide: int = 5, branching: int = 3):
        rng = np.random.default_rng(seed)
        nodes = layers * wide
        self.wide = wide
        self.count = rng.integers(0, branching + 1, nodes)
        self.count[:wide] = branching
        self.count[-wide:] = 0
        self.child = rng.integers(0, wide, (nodes, branching))
        self.mover = rng.integers(0, 2, nodes)
        self.payoff = rng.integers(-4, 5, nodes) / 2.0
        self.guess = rng.integers(-9, 10, nodes) / 4.0

    def initial(self) -> int:
        return 0

    def player(self, node: int) -> int:
        return int(self.mover[node])

    def actions(self, node: int) -> range:
        return range(self.count[node])

    def result(self, node: int, action: int) -> int:
        return int((node // self.wide + 1) * self.wide + self.child[node, action])

    def is_terminal(self, node: int) -> bool:
        return bool(self.count[node] == 0)

    def utility(self, node: int, player: int) -> float:
        return float(self.payoff[node] if player == 0 else -self.payoff[node])

    def evaluate(self, node: int, player: int) -> float:
        return float(self.guess[node] if player == 0 else -self.guess[node])


@pytest.mark.parametrize("compile", MODES)
@pytest.mark.parametrize("hash_mb", [1e-6, 1.0])
def test_the_value_is_that_of_minimax_on_graphs_with_a_tiny_and_a_large_table(
    compile: str, hash_mb: float
) -> None:
    for seed in range(400 if compile == "always" else 60):
        game = Graph(seed)
        for depth in (1, 2, 3, 5, 8):
            found = analyze(
                game, limit=gt.Limit(depth=depth), compile=compile, hash_mb=hash_mb, selective=False
            )
            truth = oracle.minimax(game, depth=depth)
            assert found.values[0] == truth.value, (seed, depth)
            assert found.action in truth.best, (seed, depth)


@pytest.mark.parametrize("compile", MODES)
def test_the_line_earns_the_value(compile: str) -> None:
    for seed in range(200 if compile == "always" else 40):
        game = Graph(seed)
        found = analyze(game, limit=gt.Limit(depth=20), compile=compile)
        state = game.initial()
        for action in found.line:
            state = game.result(state, action)
        assert game.is_terminal(state)
        assert game.utility(state, 0) == found.values[0]
        assert found.exact


@pytest.mark.parametrize("compile", MODES)
@pytest.mark.parametrize(
    ("name", "depth"), [("tic-tac-toe", 3), ("tic-tac-toe", 9), ("connect-four", 4), ("nim", 30)]
)
def test_random_positions_have_the_value_of_minimax_with_wins_by_distance(
    compile: str, name: str, depth: int
) -> None:
    game = gt.games.load(name, counters=9) if name == "nim" else gt.games.load(name)
    rng = random.Random(5)
    for _ in range(60 if compile == "always" else 8):
        state, before = game.initial(), 4 if name == "tic-tac-toe" else rng.randrange(2, 20)
        for _ in range(before):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(list(game.actions(state))))
        if game.is_terminal(state):
            continue
        found = analyze(game, state, gt.Limit(depth=depth), compile=compile, selective=False)
        scores = {a: _score(game, game.result(state, a), depth - 1, 1) for a in game.actions(state)}
        best = (max if game.player(state) == 0 else min)(scores.values())
        assert found.value is not None
        if abs(best) > WIN / 2:
            assert found.value.plies == WIN - abs(best)
            assert (found.value.outcome == "win") == ((best > 0) == (game.player(state) == 0))
        else:
            assert found.values[0] == best
        assert scores[found.action] == best


def _score(game: gt.Game, state: Any, depth: int, plies: int) -> float:
    """Minimax by the book, with wins and losses by distance."""
    if game.is_terminal(state):
        payoff = game.utility(state, 0)
        return float(payoff) if abs(payoff) < 1 else (WIN - plies) * (1 if payoff > 0 else -1)
    if depth == 0:
        return float(game.evaluate(state, 0)) if hasattr(type(game), "lines") else 0.0
    values = [_score(game, game.result(state, a), depth - 1, plies + 1) for a in game.actions(state)]
    return max(values) if game.player(state) == 0 else min(values)


@pytest.mark.parametrize("compile", MODES)
def test_quiescence_sees_the_recapture_that_a_fixed_depth_pushes_over_the_horizon(compile: str) -> None:
    one_ply = gt.Limit(depth=1)
    greedy = analyze(Exchange(), limit=one_ply, compile=compile, selective=False)
    assert (greedy.action, greedy.values[0]) == (CAPTURE, 1)
    wary = analyze(Exchange(), limit=one_ply, compile=compile)
    assert (wary.action, wary.values[0]) == (QUIET, 0)
    assert oracle.minimax(Exchange()).best == [QUIET]


def test_nobody_stands_pat_in_check() -> None:
    """1. Rxe8+ Rxe8 2. Rxe8 mate: past the horizon of one ply Black has to answer the check."""
    chess = gt.games.Chess()
    state = chess.parse_state("3rr1k1/5ppp/8/8/8/8/4R3/4R1K1 w - - 0 1")
    found = analyze(chess, state, gt.Limit(depth=1), compile="never")
    assert found.value is not None
    assert (found.name, found.value.outcome, found.value.plies) == ("Rxe8+", "win", 3)


class Calm(gt.games.Chess):
    """Chess in which nobody notices a check."""

    def threatened(self, state: Any) -> bool:
        return False


def test_without_a_threat_the_estimate_counts() -> None:
    state = Calm().parse_state("3rr1k1/5ppp/8/8/8/8/4R3/4R1K1 w - - 0 1")
    found = analyze(Calm(), state, gt.Limit(depth=1), compile="never")
    assert found.value is not None and found.value.outcome is None


@pytest.mark.parametrize("compile", MODES)
def test_without_selectivity_a_game_with_tactical_actions_has_the_value_of_minimax(compile: str) -> None:
    for depth in range(1, 7):
        found = analyze(Exchange(), limit=gt.Limit(depth=depth), compile=compile, selective=False)
        assert found.values[0] == oracle.minimax(Exchange(), depth=depth).value


def test_an_entry_comes_back_with_its_distance_adjusted() -> None:
    table = [0] * (8 * node.LAYOUT.bucket_words)
    memory = allocate(compiled=False, wary=False, table=table, buckets=8, age=1)
    node.remember(77, WIN - 9, 4, 6 | node.EXACT << node.BOUND_SHIFT | node.PROVEN, NOT_JUDGED, memory)
    slot = node.probe(table, 8, 77)
    assert slot >= 0
    assert node.stored_value(table, slot, 4) == WIN - 9
    assert node.stored_value(table, slot, 2) == WIN - 7
    assert node.probe(table, 8, 78) == -1


def test_a_torn_entry_is_no_entry() -> None:
    table = [0] * (8 * node.LAYOUT.bucket_words)
    memory = allocate(compiled=False, wary=False, table=table, buckets=8, age=1)
    node.remember(77, 0.5, 0, 6 | node.EXACT << node.BOUND_SHIFT, NOT_JUDGED, memory)
    slot = node.probe(table, 8, 77)
    table[slot + 1] = bits(0.25)
    assert node.probe(table, 8, 77) == -1


def test_the_bits_of_a_float_go_there_and_back() -> None:
    for number in (0.0, -0.0, 1.5, -2.25, 1e300, WIN - 3):
        assert unbits(bits(number)) == number


@pytest.mark.skipif(bool(native.unavailable()), reason="threads are for compiled searches")
def test_two_threads_find_the_value_of_minimax_too() -> None:
    for seed in range(60):
        game = Graph(seed, layers=8)
        found = analyze(game, limit=gt.Limit(depth=6), threads=2, hash_mb=1e-3, selective=False)
        truth = oracle.minimax(game, depth=6)
        assert found.values[0] == truth.value, seed
        assert found.action in truth.best, seed


def test_a_number_of_threads_that_is_none_is_refused() -> None:
    for threads in (0, -1, 1.5, "two"):
        with pytest.raises(gt.InputError, match="threads"):
            analyze(gt.games.load("nim"), threads=threads)  # type: ignore[arg-type]


def test_the_profile_can_be_changed_from_search_to_search() -> None:
    def nodes(engine: gt.Engine) -> int:
        engine.clear()
        return engine.analyze(limit=gt.Limit(depth=6)).nodes

    plain, lean = (
        nodes(gt.Engine(gt.games.ConnectFour(), compile="never", profile=profile))
        for profile in ("general", "fast")
    )
    engine = gt.Engine(gt.games.ConnectFour(), compile="never")
    engine.profile = "fast"
    assert nodes(engine) == lean != plain
    engine.profile = "general"
    assert nodes(engine) == plain
    for wrong in ("clairvoyant", "", -1, 1 << 40, True):
        with pytest.raises(gt.InputError, match='it is "general", "fast" or "patient"'):
            engine.profile = wrong
    assert nodes(engine) == plain


def test_a_table_size_that_is_none_is_refused() -> None:
    for size in (0, -1, "big", float("nan")):
        with pytest.raises(gt.InputError, match="hash_mb"):
            analyze(gt.games.load("nim"), hash_mb=size)  # type: ignore[arg-type]


def test_a_window_that_is_not_open_is_refused_where_things_are_checked() -> None:
    game = gt.games.load("tic-tac-toe")
    with_evaluation = gt.Engine(game, compile="never")
    with pytest.raises(AssertionError):
        kernel.value(
            with_evaluation.game,
            game.initial(),
            2,
            0,
            1.0,
            1.0,
            allocate(compiled=False, wary=False),
            Clock.allocate(False),
            Path.allocate(False, places=Sparse()),
        )
