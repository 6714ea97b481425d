"""`solve`: every value is proven, every claim of it true, and what cannot be finished is refused."""

import dataclasses
import json
import random
import threading
from collections import Counter
from typing import Any

import pytest

import gametree as gt
import oracle
from fixtures.graphs import Draw2, Draw3, Forbid2, Loss2, Nodes, Undeclared, Win2, cycles, forest
from fixtures.kuhn_poker import KuhnPoker
from gametree import InputError, Limit, Tree, UnsuitableError, Value
from gametree.compiled import native
from gametree.games import ConnectFour, Nim, TicTacToe
from gametree.search.core.stopwatch import StopWatch
from gametree.search.solve import solver as solving
from gametree.search.solve.estimate import duration, estimate
from gametree.search.solve.proving import Prover, Trend
from gametree.search.solve.solution import Progress, Solution
from gametree.search.solve.solver import CannotFinishError, Solver, solve
from gametree.search.solve.task import WHO_WINS, SolveTask
from gametree.search.statistics import power
from search.endless import Toggle, chain
from search.test_repetition import Truth, play_out, wander

COMPILES = not native.unavailable()
SIZE = 8


def check_tree(game: Nodes, root: int, **options: Any) -> Solution:
    """A solution of a graph without circles, against plain minimax and its distances."""
    found = solve(game, root, moves=root % 10 == 0, **options)
    assert found.solved and found.exact and found.value is not None
    assert oracle.score_of(found.value, found.player) == oracle.score_to_depth(game, root, 100)
    for move in found.moves:
        assert move.exact
        after = oracle.one_ply_farther(oracle.score_to_depth(game, game.result(root, move.action), 100))
        assert oracle.score_of(move.value, found.player) == after
    if found.moves:
        best = max(found.moves, key=lambda move: move.value).value
        assert [move.value for move in found.moves if move.action == found.action] == [best] == [found.value]
    state = root
    for action in found.line:
        state = game.result(state, action)
    assert game.is_terminal(state) and game.utility(state, 0) == found.values[0]
    assert found.value.plies in (None, len(found.line))
    return found


def solved(kind: type[Nodes], seed: int, count: int, levels: int, **options: Any) -> int:
    """Solves the trees of a forest, each against minimax; how many came out right."""
    game = forest(seed, count, levels=levels, kind=kind)
    return sum(check_tree(game, root, **options).solved for root in range(count))


@pytest.mark.parametrize(("kind", "seed"), [(Nodes, 81), (Undeclared, 82)])
def test_trees_are_worth_what_minimax_says(kind: type[Nodes], seed: int) -> None:
    count = 5_000 if COMPILES else 1_500
    assert solved(kind, seed, count, levels=3) == count
    assert solved(kind, seed + 10, 100, levels=5) == 100


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_trees_are_worth_what_minimax_says(part: int) -> None:
    assert solved(Nodes, 8100 + part, 10_000, levels=5) == 10_000


@pytest.mark.parametrize("kind", [Nodes, Undeclared])
def test_the_search_finds_the_same_as_the_graph(kind: type[Nodes]) -> None:
    assert solved(kind, 83, 32, levels=5, method="search", compile="never", hash_mb=0.1) == 32


def check_circles(kind: type[Nodes], seed: int, graphs: int, **options: Any) -> int:
    """Solutions of graphs with circles; how many values do not rest on what endless play is worth."""
    game = cycles(seed, graphs, size=SIZE, kind=kind)
    rng = random.Random(seed)
    firm = 0
    for graph in range(graphs):
        states = list(range(graph * SIZE, (graph + 1) * SIZE))
        *before, root = wander(game, states, rng)
        found = solve(game, root, moves=True, history=before, **options)
        truth = Truth(game, states, before, root)
        even = oracle.fixpoint(game, states, 0.0, truth.drawn)
        assert found.solved and found.value is not None
        assert oracle.score_of(found.value, found.player) == even[root]
        assert found.exact == (len(truth.of_root()) == 1) == (found.assumed is None)
        for move in found.moves:
            child = game.result(root, move.action)
            worth = 0.0 if child in truth.drawn else oracle.one_ply_farther(even[child])
            assert oracle.score_of(move.value, found.player) == worth
            assert move.exact == (len(truth.of(move.action)) == 1)
        firm += found.exact
    return firm


@pytest.mark.parametrize(("kind", "seed"), [(Nodes, 84), (Draw2, 85), (Draw3, 86)])
def test_games_that_go_in_circles_are_worth_what_the_fixpoint_says(kind: type[Nodes], seed: int) -> None:
    firm = check_circles(kind, seed, 150)
    assert firm == 150 if kind.repetition else 30 < firm < 150


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Nodes, Draw2, Draw3])
@pytest.mark.parametrize("part", range(5))
def test_many_games_that_go_in_circles(kind: type[Nodes], part: int) -> None:
    check_circles(kind, 8400 + part, 4_000)


@pytest.mark.parametrize("kind", [Forbid2, Loss2, Win2])
def test_where_the_path_decides_the_value_is_that_of_trying_every_path(kind: type[Nodes]) -> None:
    game = cycles(87, 20, size=6, escapes=True, kind=kind)
    rng = random.Random(87)
    for graph in range(20):
        path = wander(game, list(range(graph * 6, (graph + 1) * 6)), rng)
        *before, root = path
        found = solve(game, root, history=before, compile="never")
        assert found.solved and found.exact and found.value is not None
        assert oracle.score_of(found.value, found.player) == oracle.score_by_paths(game, path)
        assert play_out(game, path, found.line) == found.values[0]


def test_what_endless_play_is_worth_can_be_said() -> None:
    found = solve(Toggle())
    assert found.solved and not found.exact and found.assumed == 0.0 and found.value == 0
    assert "the rules do not say what it is worth" in str(found)
    given = solve(Toggle(), endless=2)
    assert given.exact and given.assumed is None and given.value == 2 and given.circular
    assert solve(Toggle(), 1, endless=2).value == -2


# --- what is known of games -----------------------------------------------------------------------------


def test_tic_tac_toe_is_a_draw_of_765_positions() -> None:
    found = solve(TicTacToe(), moves=True)
    assert (found.outcome, found.value, found.exact, found.positions) == ("draw", Value(0), True, 765)
    assert len(found.moves) == 9 and all(move.value == 0 and move.exact for move in found.moves)
    assert len(found.line) == 9 and found.circular is False
    assert found.proof is not None and 100 < found.proof < 765


@pytest.mark.parametrize("text", [".../.../...", "X.O/.X./..O", "X../.../..."])
def test_positions_are_counted_once_with_their_mirror_images(text: str) -> None:
    game = TicTacToe()
    waiting = [game.parse_state(text)]
    images = set()
    for state in waiting:
        image = min([tuple(state), *map(tuple, game.symmetries(state))])
        if image not in images:
            images.add(image)
            if not game.is_terminal(state):
                waiting += [game.result(state, action) for action in game.actions(state)]
    assert solve(game, game.parse_state(text)).positions == len(images)


@pytest.mark.parametrize(
    ("width", "height", "k", "outcome", "plies"),
    [
        (2, 2, 2, "win", 3),
        (3, 2, 2, "win", 3),
        (3, 3, 2, "win", 3),
        (3, 1, 2, "win", 3),
        (3, 2, 3, "draw", None),
    ],
)
def test_small_boards_have_their_known_outcomes(
    width: int, height: int, k: int, outcome: str, plies: int | None
) -> None:
    found = solve(TicTacToe(width, height, k))
    assert found.value is not None
    assert (found.outcome, found.value.plies) == (outcome, plies)


class Shared(Nim):
    """Nim for a point: who takes the last counter gets it."""

    payoffs = (0, 1)
    total = 1

    def utility(self, state: Any, player: int) -> float:
        return 1 if player != state.mover else 0


def test_payoffs_need_not_sum_to_nothing() -> None:
    for counters in range(1, 13):
        found = solve(Shared(counters=counters), moves=True)
        plain = solve(Nim(counters=counters), moves=True)
        assert found.outcome == plain.outcome and found.value is not None and plain.value is not None
        assert found.value.plies == plain.value.plies and sum(found.values) == 1
        assert [move.value.outcome for move in found.moves] == [move.value.outcome for move in plain.moves]
        assert solve(Shared(counters=counters), method="search", compile="never").value == found.value


@pytest.mark.parametrize("counters", [*range(1, 13), 200])
def test_in_nim_the_first_player_loses_exactly_at_multiples_of_four(counters: int) -> None:
    found = solve(Nim(counters=counters))
    lost = counters % 4 == 0
    # The winner takes as long as the loser can make it: a round is four counters.
    plies = counters // 4 * 2 + (0 if lost else 1)
    assert found.value == (Value.loss(-1, plies) if lost else Value.win(1, plies))
    assert found.positions == solve(Nim(counters=counters), method="graph").positions


def test_connect_four_on_four_by_four_is_a_draw() -> None:
    game = ConnectFour(width=4, height=4)
    state = game.parse_state("2233")
    by_graph = solve(game, state, method="graph", moves=True)
    found = solve(game, state, compile="never", hash_mb=0.1, moves=True)
    assert found.outcome == by_graph.outcome
    assert found.margin is not None and found.solved and found.exact
    signs = [(margin > 0) - (margin < 0) for margin in found.margins]
    assert signs == [float(move.value) for move in by_graph.moves]
    assert found.margin == max(found.margins)


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4)])
def test_small_boards_of_connect_four_are_draws(width: int, height: int) -> None:
    found = solve(ConnectFour(width=width, height=height), compile="never")
    assert (found.outcome, found.margin, found.solved) == ("draw", 0, True)
    assert len(found.line) == width * height


@pytest.mark.skipif(not COMPILES, reason="interpreted threads would only wait for each other")
def test_threads_solve_together() -> None:
    game = ConnectFour(width=5, height=4)
    alone, together = (solve(game, threads=threads) for threads in (1, 2))
    assert (together.outcome, together.margin, together.solved) == (alone.outcome, alone.margin, True)


def test_a_mate_is_found_however_large_the_game_is() -> None:
    game = gt.games.load("chess")
    found = solve(game, game.parse_state("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), compile="never")
    assert (found.solved, found.value, found.names) == (True, Value.win(1, 1), ("Ra8#",))
    assert found.positions is None


def test_weak_solving_asks_who_wins() -> None:
    game = TicTacToe(4, 3, 3)
    state = game.parse_state("..../.X../....")
    weak = solve(game, state, strong=False, method="search", compile="never")
    assert weak.outcome == "loss" and weak.solved
    strong = solve(game, state, method="search", compile="never")
    assert strong.value == Value.loss(-1, 6) and strong.exact


# --- the end of the game, one move ------------------------------------------------------------------------


def test_a_game_that_is_over_is_worth_what_it_pays() -> None:
    game = TicTacToe()
    found = solve(game, game.parse_state("XXX/OO./..."))
    assert found.solved and found.exact and found.action is None and found.value == -1
    assert found.outcome == "loss" and found.player == 1


def test_a_tree_without_choice_is_walked_to_its_end() -> None:
    found = solve(Tree(chain(900, 2.5)))
    assert found.value == 2.5
    assert (len(found.line), found.positions, found.proof) == (900, 901, 901)


# --- limits, stopping, going on ---------------------------------------------------------------------------


def test_a_limit_on_positions_is_exact_and_the_solver_goes_on_from_there() -> None:
    solver = Solver(TicTacToe())
    steps = []
    while not (found := solver.solve(limit=Limit(nodes=100))).solved:
        assert found.stopped_by == "nodes" and found.nodes == 100 and found.value is None
        assert found.estimate is not None and "not solved" in str(found)
        steps.append(found)
    assert len(steps) == 7 and found.nodes == 65
    assert found.outcome == "draw" and found.positions == 765
    assert solver.solve().nodes == 0
    game = TicTacToe()
    below = solver.solve(game.parse_state("X../.O./..."))
    assert below.nodes == 0 and below.positions is not None and below.positions < 765
    solver.clear()
    assert solver.solve().nodes == 765


def test_time_is_kept() -> None:
    found = solve(TicTacToe(), limit=Limit(seconds=0))
    assert not found.solved and found.stopped_by == "seconds" and found.nodes == 0


def test_stop_is_heard_while_exploring_and_while_searching() -> None:
    for method in ("graph", "search"):
        solver = Solver(ConnectFour(6, 5) if method == "graph" else TicTacToe(5, 5, 5), compile="never")
        heard: list[Progress] = []

        def tell(progress: Progress, solver: Solver = solver, heard: list[Progress] = heard) -> None:
            heard.append(progress)
            solver.stop()

        found = solver.solve(method=method, on_progress=tell, limit=Limit(seconds=60))
        assert heard and not found.solved and found.stopped_by == "cancelled"
        assert heard[0].stage == ("exploring" if method == "graph" else "searching")
        assert str(heard[0]) and found.seconds < 50


def test_any_thread_may_stop_it_and_only_one_may_use_it() -> None:
    solver = Solver(ConnectFour(6, 5))
    begun = threading.Event()
    found: list[Solution] = []
    thread = threading.Thread(
        target=lambda: found.append(
            solver.solve(method="graph", limit=Limit(seconds=60), on_progress=lambda _: begun.set())
        )
    )
    thread.start()
    assert begun.wait(30)
    with pytest.raises(InputError, match="at work"):
        solver.solve()
    solver.stop()
    thread.join(30)
    assert found[0].stopped_by == "cancelled"
    solver.stop()  # nothing is under way: nothing happens


def test_ctrl_c_leaves_a_solver_to_go_on_with() -> None:
    solver = Solver(TicTacToe())

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gametree.search.core.stopwatch.REPORT", 0.0)
        with pytest.raises(KeyboardInterrupt):
            solver.solve(on_progress=interrupt)
    assert solver.solve().outcome == "draw"


# --- refusals -------------------------------------------------------------------------------------------


def test_what_cannot_be_finished_is_refused_with_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "TRIAL", 0.05)
    monkeypatch.setattr(solving, "FEW_STATES", 100)
    game = TicTacToe(7, 7, 7)
    with pytest.raises(CannotFinishError, match=r"10\^\d+ years.*Give a limit") as refusal:
        solve(game, compile="never")
    guess = refusal.value.estimate
    assert guess is not None and guess.tree_log10 > 50 and guess.longest <= 49
    found = solve(game, limit=Limit(nodes=500), compile="never")
    assert not found.solved and found.estimate is not None and not found.exact
    assert "estimate" in str(found) and "stopped by" in str(found)


class Ring(gt.Game):
    """A cat and a mouse on a ring of squares; the cat wins where it catches the mouse."""

    payoffs = (-1, 1)
    repetition = ("draw", 2)

    def __init__(self, squares: int):
        self.squares = squares

    def initial(self) -> tuple[int, int, int]:
        return 0, self.squares // 2, 0

    def player(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def actions(self, state: tuple[int, int, int]) -> tuple[int, ...]:
        return -1, 0, 1

    def result(self, state: tuple[int, int, int], action: int) -> tuple[int, int, int]:
        cat, mouse, mover = state
        if mover == 0:
            return (cat + action) % self.squares, mouse, 1
        return cat, (mouse + action) % self.squares, 0

    def is_terminal(self, state: tuple[int, int, int]) -> bool:
        return state[0] == state[1]

    def utility(self, state: tuple[int, int, int], player: int) -> float:
        return 1 if player == 0 else -1


def test_circles_are_listed_within_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW_STATES", 50)
    monkeypatch.setattr("gametree.search.statistics.LONGEST", 200)
    found = solve(Ring(40), limit=Limit(nodes=20_000), compile="never")
    assert (found.solved, found.outcome, found.positions, found.circular) == (True, "draw", 3200, True)
    short = solve(Ring(40), limit=Limit(nodes=900), compile="never")
    assert not short.solved and short.nodes == 900 and short.stopped_by == "nodes"


def test_a_graph_with_too_many_positions_is_refused() -> None:
    with pytest.raises(CannotFinishError, match=r"more than 100 positions.*most_states"):
        solve(TicTacToe(), method="graph", most_states=100)


class Wander(Toggle):
    """A walk along an endless road."""

    def player(self, state: int) -> int:
        return state & 1

    def result(self, state: int, action: int) -> int:
        return max(0, state + (2 * action - 1))


def test_a_game_without_end_and_without_bounds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "TRIAL", 0.05)
    monkeypatch.setattr(solving, "FEW_STATES", 50)
    monkeypatch.setattr("gametree.search.statistics.LONGEST", 200)
    with pytest.raises(CannotFinishError, match="It goes in circles and has more than 500 positions"):
        solve(Wander(), most_states=500, compile="never")


def test_a_game_that_hides_something_has_an_equilibrium_but_no_positions_with_values() -> None:
    solution = gt.solve(KuhnPoker(), method="cfr", exploitability=1e-4)
    assert solution.solved and solution.equilibrium is not None
    assert solution.values[0] == pytest.approx(-1 / 18, abs=1e-3)
    with pytest.raises(UnsuitableError, match="hides information"):
        Solver(KuhnPoker()).values()


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Tree([(1, 2, 3), (4, 5, 6)], movers=(0, 1, 2)), "3 players; solve needs two"),
        (Tree([(1, 2), (4, 5)]), "do not sum to a constant"),
    ],
)
def test_games_that_solving_is_not_for_are_refused_by_name(game: gt.Game, words: str) -> None:
    with pytest.raises(UnsuitableError, match=words):
        solve(game)


class OnceOnly(Toggle):
    """Who switches the lamp back has lost."""

    payoffs = (-1, 1)
    repetition = ("loss", 2)


def test_options_that_make_no_sense_are_refused() -> None:
    for options, words in (
        ({"most_states": 0}, "most_states=0"),
        ({"endless": "draw"}, "endless='draw'"),
        ({"endless": float("nan")}, "endless=nan"),
        ({"method": "magic"}, "method='magic'"),
        ({"limit": 3}, "limit=3"),
        ({"compile": "perhaps"}, "compile='perhaps'"),
    ):
        with pytest.raises(InputError, match=words):
            solve(TicTacToe(), **options)
    with pytest.raises(InputError, match="takes a game, not its class"):
        solve(TicTacToe)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="says itself what a repeated position is worth"):
        solve(cycles(1, 1, kind=Draw2), endless=1)
    with pytest.raises(UnsuitableError, match=r"depends on those before it\. Use the method search"):
        solve(gt.games.load("chess"), method="graph")
    with pytest.raises(UnsuitableError, match="goes in circles and a repeated position is a loss"):
        solve(OnceOnly(), method="graph")


# --- how it is shown --------------------------------------------------------------------------------------


def test_a_solution_is_printed_for_people() -> None:
    found = solve(Nim(counters=6))
    assert str(found).splitlines()[:4] == [
        "Nim, solved by retrograde analysis",
        "  value     win in 3 for the first player",
        "  best      2",
        "  line      2 1 3",
    ]
    assert "  proof     6 positions to check, every reply considered" in str(found)
    assert (
        "<table>" in found._repr_html_() and "win in 3" in found._repr_html_() and repr(found) == str(found)
    )


def test_a_solution_is_json_by_its_schema() -> None:
    data = json.loads(solve(Nim(counters=6), moves=True).to_json())
    assert data["schema"] == "gametree.solution/1" and data["analysis"]["schema"] == "gametree.analysis/1"
    assert (data["solved"], data["outcome"], data["positions"]) == (True, "win", 12)
    assert [move["action"] for move in data["analysis"]["moves"]] == ["1", "2", "3"]
    unsolved = json.loads(solve(TicTacToe(), limit=Limit(nodes=5)).to_json())
    assert unsolved["estimate"]["longest"] == 9 and unsolved["analysis"]["value"] is None


def test_the_size_of_a_tree_is_estimated_near_the_truth() -> None:
    found = estimate(TicTacToe(), None, speed=1e6, seed=3)
    assert 549_946 / 1.5 < 10**found.tree_log10 < 549_946 * 1.5
    assert found.seconds_log10 == pytest.approx(found.tree_log10 / 2 - 6)


def test_times_are_said_in_words() -> None:
    assert [duration(x) for x in (-3, 0.5, 2, 4.5, 6, 8.6)] == [
        "less than a second",
        "about 3 s",
        "about 2 minutes",
        "about 9 hours",
        "about 12 days",
        "about 13 years",
    ]
    assert (power(3), power(77.7)) == ("1,000", "10^78")


def test_what_is_left_is_guessed_from_the_growth_of_the_last_depths() -> None:
    sample = gt.analyze(TicTacToe(), depth=1, compile="never")

    def after(*seconds: float, longest: int | None = 10) -> float | None:
        trend, left = Trend(longest), None
        for depth, passed in enumerate(seconds, 1):
            left = trend.left(dataclasses.replace(sample, depth=depth, seconds=passed, exact=False))
        return left

    assert after(1, 3, 7, 15) == pytest.approx(8 * (2 + 4 + 8 + 16 + 32 + 64), rel=0.02)
    assert after(1, 2, 3, 4) == pytest.approx(6)
    assert after(1, 2, 3) is after(1, 3, 7, 15, longest=None) is after(1, 3, 7, 15, longest=4) is None
    assert after(1, 11, 111, 1111, longest=5000) == pytest.approx(1e300)


# --- the searches behind it -------------------------------------------------------------------------------


def test_who_wins_is_answered_right_wherever_it_is_answered() -> None:
    game = forest(88, 150, levels=5)
    prover = Prover(game, compile="never", hash_mb=0.1, threads=1)
    kinds: Counter[str] = Counter()
    for root in range(150):
        question = SolveTask(
            game=game, state=root, limit=Limit(), strong=False, watch=StopWatch(Limit()).begin()
        )
        found = prover.who_wins(question, Limit())
        value = oracle.minimax(game, root).value
        if found is not None:
            assert found.value is not None
            assert found.exact == (value == 0)
            mine = value if found.player == 0 else -value
            kinds[found.bound] += 1
            if found.bound == "exact":
                assert float(found.value) == mine and (abs(value) == 4 or value == 0)
                assert (found.value.outcome is not None) == (abs(value) == 4)
            else:
                assert found.value == 0 and (mine > 0) == (found.bound == "lower") and 0 < abs(mine) < 4
    assert min(kinds[kind] for kind in ("exact", "lower", "upper")) > 10


def test_a_draw_is_proven_by_asking_who_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "TRIAL", 0.0)
    found = solve(TicTacToe(), method="search", compile="never")
    assert found.solved and found.exact and found.value == 0 and found.outcome == "draw"
    assert found.analysis.method == WHO_WINS and len(found.line) == 9


def test_who_wins_is_told_where_there_is_no_time_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = TicTacToe(4, 3, 3)
    monkeypatch.setattr(Prover, "deepen", lambda *_: None)
    found = solve(game, method="search", compile="never")
    assert not found.solved and found.outcome == "win" and not found.exact
    assert "win for X; how soon or by how much is not proven" in str(found)
    assert solve(game, method="search", strong=False, compile="never").solved


def test_an_exact_score_is_stopped_and_taken_up_again() -> None:
    game = ConnectFour(5, 4)
    start = game.parse_state("33")
    whole = solve(game, start, compile="never")
    solver = Solver(game, compile="never")
    parts = [solver.solve(start, limit=Limit(nodes=whole.nodes // 4))]
    while not parts[-1].solved:
        assert parts[-1].bounds is not None and parts[-1].stopped_by == "nodes"
        assert "between" in str(parts[-1])
        parts.append(solver.solve(start, limit=Limit(nodes=whole.nodes // 4)))
    assert len(parts) > 2 and parts[-1].margin == whole.margin == 0
    heard: list[Progress] = []

    def tell(progress: Progress) -> None:
        heard.append(progress)
        other.stop()

    other = Solver(game, compile="never")
    found = other.solve(on_progress=tell, limit=Limit(seconds=60))
    assert heard and "the score is" in str(heard[0])
    assert not found.solved and found.stopped_by == "cancelled"


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_compiled_searches_prove_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    five = solve(ConnectFour(5, 5), moves=True)
    assert (five.outcome, five.margin, len(five.line)) == ("draw", 0, 25)
    monkeypatch.setattr(solving, "TRIAL", 0.0)
    four = solve(TicTacToe(4, 4, 4), method="search", compile="always")
    assert (four.outcome, four.exact, four.analysis.method) == ("draw", True, WHO_WINS)
    won = solve(TicTacToe(4, 3, 3), method="search", compile="always", strong=False)
    assert won.solved and won.outcome == "win" and won.analysis.method == WHO_WINS
