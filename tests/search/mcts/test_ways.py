"""The same seed gives the same tree, interpreted and compiled; threads share one; whoever says stop is heard."""

import random
import threading
from typing import Any

import pytest

import gametree as gt
from gametree.games import ConnectFour, TicTacToe
from gametree.kernel.clock import BY_CLOCK, BY_DRIVER, BY_NODES, RUNNING, Clock
from gametree.search.core.repetition import Path
from gametree.search.core.stopwatch import StopWatch
from gametree.search.mcts import playout
from gametree.search.mcts.memory import LONGEST, MOVES, Settings
from gametree.search.mcts.running import MctsRun, thread_for
from gametree.search.mcts.view import SearchTree
from search.mcts.forest import random_tree
from search.mcts.test_tree import assert_consistent, each

PARTS: list[dict[str, Any]] = [
    {},
    {"solver": False, "exploration": 0.5},
    {"tree_policy": "ucb1-tuned"},
    {"tree_policy": "epsilon-greedy", "epsilon": 0.3},
    {"tree_policy": "boltzmann", "temperature": 0.2},
    {"tree_policy": "puct", "solver": False},
    {"amaf": "rave", "amaf_bias": 0.1},
    {"amaf": "grave", "amaf_reference": 5, "solver": False},
    {"bias": 2.0, "widening": (1, 0.4), "solver": False},
    {"transpositions": True},
    {"expand_after": 3, "when_full": "stop", "final": "secure"},
]
JUDGING: list[dict[str, Any]] = [
    {"cutoff": 4},
    {"default_policy": "evaluate"},
    {"default_policy": "greedy", "playout_epsilon": 0.5},
    {"tree_policy": "puct", "default_policy": "evaluate"},
    {"bias": 1.0, "widening": (2, 0.5), "default_policy": "greedy", "cutoff": 2},
]


def image(tree: SearchTree) -> list[Any]:
    """All that is in a tree."""
    return [
        (node, state, tree.visits(node), tree.bounds(node, 0), tree.children(node))
        for node, state in each(tree)
    ]


def searched(
    game: gt.Game, seed: int, compile: str, state: Any = None, **options: Any
) -> tuple[Any, list[Any]]:
    search = gt.MonteCarlo(game, seed=seed, memory_mb=4, compile=compile, **options)
    found = search.analyze(state, simulations=150, moves=True)
    about = (found.action, found.value, found.values, found.line, found.moves, found.nodes, found.exact)
    return about, image(search.tree)


@pytest.mark.needs_compiler
@pytest.mark.parametrize("parts", PARTS, ids=str)
def test_compiled_and_interpreted_searches_grow_the_same_tree(parts: dict[str, Any]) -> None:
    for seed in range(4):
        game = random_tree(seed, 4, 2 + seed % 2, 0.3, ragged=False)
        assert searched(game, seed, "never", **parts) == searched(game, seed, "always", **parts)


class Uneven(TicTacToe):
    """Every other point is three times as likely."""

    def prior(self, state: Any, action: int) -> float:
        return 3.0 if action % 2 else 1.0


@pytest.mark.needs_compiler
@pytest.mark.parametrize("parts", [{}, {"tree_policy": "puct"}, {"amaf": "rave"}], ids=str)
def test_they_do_so_with_playouts_by_the_prior(parts: dict[str, Any]) -> None:
    for seed in range(4):
        ways = [searched(Uneven(), seed, way, default_policy="prior", **parts) for way in ("never", "always")]
        assert ways[0] == ways[1] != searched(Uneven(), seed, "never", **parts)


@pytest.mark.slow
@pytest.mark.needs_compiler
@pytest.mark.parametrize("parts", [*PARTS, *JUDGING], ids=str)
def test_they_do_so_in_real_games(parts: dict[str, Any]) -> None:
    games: tuple[gt.Game, ...] = (TicTacToe(), ConnectFour(5, 4))
    for game in games:
        state = game.initial()
        rng = random.Random(1)
        for seed in range(3):
            same = [searched(game, seed, way, state, **parts) for way in ("never", "always")]
            assert same[0] == same[1]
            state = game.result(state, rng.choice(list(game.actions(state))))


def test_the_same_seed_gives_the_same_answer_and_another_one_another_tree() -> None:
    game = TicTacToe()
    trees = [searched(game, seed, "never")[1] for seed in (1, 1, 2)]
    assert trees[0] == trees[1] != trees[2]


@pytest.mark.parametrize("parts", JUDGING, ids=str)
def test_playouts_may_ask_the_evaluation(parts: dict[str, Any]) -> None:
    game = TicTacToe()
    state = game.parse_state("XX./OO./...")
    found = gt.mcts(game, state, simulations=150, compile="never", **parts)
    assert found.name == "c3" and found.exact and str(found.value) == "win"


def test_priors_of_the_game_lead_puct() -> None:
    class Biased(TicTacToe):
        def prior(self, state: Any, action: Any) -> float:
            return 100.0 if self.name_action(state, action) == "a1" else 1.0

    search = gt.MonteCarlo(
        Biased(), tree_policy="puct", exploration=20, default_policy="evaluate", compile="never"
    )
    search.analyze(simulations=60)
    tree = search.tree
    shares = {
        tree.game.name_action(tree.state, action): (tree.prior(child), tree.visits(child))
        for child, action in tree.steps(tree.root, tree.state)
    }
    assert shares["a1"][0] == pytest.approx(100 / 108)
    assert shares["a1"][1] > 40


class Draw(gt.Game):
    """One action of four, each with its prior: it is also what player 0 gets."""

    players = 1
    payoffs = (0, 3)

    def __init__(self, priors: tuple[float, ...]):
        self.priors = priors

    def initial(self) -> int:
        return -1

    def player(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> range:
        return range(4)

    def result(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return state >= 0

    def utility(self, state: int, player: int) -> float:
        return state

    def prior(self, state: int, action: int) -> float:
        return self.priors[action]


@pytest.mark.parametrize(
    "priors", [(1.0, 1.0, 1.0, 1.0), (0.0, 5.0, 0.0, 5.0), (0.0, 0.0, 1e-6, 0.0), (1e-3, 0.0, 0.0, 3e-3)]
)
def test_playouts_draw_actions_in_proportion_to_their_priors(priors: tuple[float, ...]) -> None:
    game = Draw(priors)
    # The rest of the settings is not asked for.
    settings = Settings.allocate(False, default_policy=playout.LIKELY, width=1, cutoff=LONGEST)
    thread = thread_for(game, settings, 1, seed=1, compiled=False)
    path = Path.allocate(False, places=[0] * (MOVES + 2))
    counts = [0] * 4
    for _ in range(4000):
        playout.playout(game, -1, 0, settings, thread, Clock.allocate(False), path)
        counts[int(thread.gains[0])] += 1
    for count, prior in zip(counts, priors):
        assert count == pytest.approx(4000 * prior / sum(priors), abs=150) and (count > 0) == (prior > 0)


@pytest.mark.parametrize("options", [{}, {"exploration": 1.4}, {"tree_policy": "ucb1-tuned"}], ids=str)
@pytest.mark.parametrize("amaf", ["rave", "grave"])
def test_an_action_that_was_only_heard_of_is_explored_like_any_other(
    amaf: str, options: dict[str, Any]
) -> None:
    search = gt.MonteCarlo(TicTacToe(), amaf=amaf, solver=False, compile="never", **options)
    search.analyze(simulations=400)
    tree = search.tree
    visits = {tree.place(child): tree.visits(child) for child in tree.children(tree.root)}
    assert min(visits.values()) > 0 and max(visits, key=lambda place: visits[place]) == 4, visits


def test_widening_opens_children_one_after_another() -> None:
    search = gt.MonteCarlo(TicTacToe(), widening=(1, 0.5), solver=False, compile="never")
    search.analyze(simulations=20)
    tree = search.tree
    assert sum(tree.visits(child) > 0 for child in tree.children(tree.root)) == 5


@pytest.mark.parametrize(
    ("options", "in_order"),
    [({}, False), ({"amaf": "rave"}, False), ({"widening": (20, 0.5)}, True)],
    ids=["plain", "rave", "widening"],
)
def test_which_new_child_comes_first_is_left_to_chance(options: dict[str, Any], in_order: bool) -> None:
    search = gt.MonteCarlo(ConnectFour(), seed=3, compile="never", **options)
    search.analyze(simulations=300)
    tree = search.tree
    below = [
        node for node, _ in each(tree) if sum(tree.visits(child) > 0 for child in tree.children(node)) == 1
    ]
    if in_order:
        # Children stand in the order of their priors, so that one of the first goes first.
        heads = [tree.children(node)[0] for node in below]
        assert all(tree.visits(head) > 0 for head in heads)
    else:
        firsts = {tree.place(child) for node in below for child in tree.children(node) if tree.visits(child)}
        assert firsts == set(range(7))


# --- threads and stopping -----------------------------------------------------------------------------


@pytest.mark.needs_compiler
@pytest.mark.parametrize("options", [{}, {"solver": False}, {"memory_mb": 0.02, "solver": False}], ids=str)
def test_threads_share_one_tree_whose_numbers_add_up(options: dict[str, Any]) -> None:
    for seed in range(5):
        game = random_tree(seed, 6, 2 + seed % 2, 0.2, ragged=False)
        search = gt.MonteCarlo(game, threads=2, compile="always", **options)
        found = search.analyze(simulations=30_001)
        tree = search.tree
        assert tree.visits(tree.root) == found.nodes
        assert found.nodes == 30_001 or found.exact
        assert_consistent(tree)


def run_at(nodes: int, limit: int, stopped: int, during: int = 0) -> MctsRun:
    """A run that has made so many simulations, and makes `during` more while another looks at it."""

    class Watched(Clock):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "limit" and hasattr(self, "deadline"):
                self.nodes += during

    run = MctsRun.__new__(MctsRun)
    run.clock = Watched.allocate(False, nodes=nodes, limit=limit, stop=stopped)
    run.watch = StopWatch(gt.Limit())
    return run


def test_a_thread_that_is_done_takes_over_half_of_what_another_has_to_do() -> None:
    done, slow = run_at(5000, 5000, BY_NODES), run_at(1000, 5000, RUNNING)
    assert done.relieve(slow)
    assert (done.clock.limit, slow.clock.limit) == (7000, 3000)
    assert done.stopped == RUNNING and not done.has_more()


@pytest.mark.parametrize(
    ("nodes", "stopped", "during", "own"),
    [
        (4500, RUNNING, 0, BY_NODES),
        (1000, BY_CLOCK, 0, BY_NODES),
        (1000, RUNNING, 0, BY_CLOCK),
        (1000, RUNNING, 2000, BY_NODES),
    ],
    ids=["too little", "the other has stopped", "told to stop", "the other went on"],
)
def test_a_thread_leaves_the_others_theirs(nodes: int, stopped: int, during: int, own: int) -> None:
    done, slow = run_at(5000, 5000, own), run_at(nodes, 5000, stopped, during)
    assert not done.relieve(slow)
    assert done.clock.limit == slow.clock.limit == 5000 and done.stopped == own


def test_a_thread_that_stopped_too_early_goes_on() -> None:
    run = run_at(4000, 5000, BY_NODES)
    assert run.has_more() and run.stopped == RUNNING
    assert not run_at(4000, 5000, BY_CLOCK).has_more()
    run = run_at(4000, 5000, BY_NODES)
    run.watch.told = BY_DRIVER  # somebody says stop at this moment
    assert not run.has_more() and run.stopped == BY_DRIVER


def test_whoever_watches_may_stop_it() -> None:
    search = gt.MonteCarlo(TicTacToe(), solver=False, compile="never")
    seen: list[gt.Analysis] = []

    def watch(found: gt.Analysis) -> None:
        seen.append(found)
        search.stop()

    found = search.analyze(limit=gt.Limit(nodes=1_000_000), on_progress=watch)
    assert [one.nodes for one in seen] == [1000] and found.stopped_by == "cancelled" and found.nodes < 1_010


def test_a_search_that_is_being_prepared_may_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    search = gt.MonteCarlo(ConnectFour(), compile="never")
    search.stop()  # nothing is under way, and nothing will come of it
    assert search.analyze(simulations=50).stopped_by == "nodes"
    planted = search._planted

    def slowly(*given: Any) -> Any:
        search.stop()
        return planted(*given)

    monkeypatch.setattr(search, "_planted", slowly)
    found = search.analyze(limit=gt.Limit(seconds=60, nodes=2000))
    assert found.stopped_by == "cancelled" and found.nodes == 0 and found.action is not None
    monkeypatch.undo()
    assert search.analyze(simulations=50).stopped_by == "nodes"


@pytest.mark.needs_compiler
def test_another_thread_may_stop_it_and_the_clock_does() -> None:
    search = gt.MonteCarlo(random_tree(1, 6, ragged=False), solver=False, compile="always")
    search.prepare()
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    assert search.analyze(limit=gt.Limit(seconds=60)).stopped_by == "cancelled"
    timer.join()
    assert search.analyze(limit=gt.Limit(seconds=0.02)).stopped_by == "seconds"


def test_limits_count_simulations_of_this_call_alone() -> None:
    search = gt.MonteCarlo(TicTacToe(), solver=False, compile="never")
    for limit, simulations, expected in (
        (gt.Limit(nodes=30), None, 30),
        (gt.Limit(nodes=30), 20, 20),
        (None, 25, 25),
        (gt.Limit(seconds=60), 10, 10),
    ):
        assert search.analyze(limit=limit, simulations=simulations).nodes == expected
    assert search.analyze(limit=gt.Limit(seconds=0)).stopped_by == "seconds"


def test_without_time_for_a_simulation_there_is_still_an_action() -> None:
    game = TicTacToe()
    found = gt.mcts(game, limit=gt.Limit(seconds=0), compile="never")
    assert found.stopped_by == "seconds" and found.action in list(game.actions(game.initial()))
    # Whether the first simulation comes before the clock is looked at depends on the machine.
    assert (found.value is None) == (found.nodes == 0)
