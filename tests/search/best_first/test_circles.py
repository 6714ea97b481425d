"""Games that go in circles: nothing is proven that is not true."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import gametree as gt
import oracle
from fixtures.graphs import Clocked, Draw2, Draw3, Forbid2, Loss2, Nodes, Win2, cycles
from search.best_first.trees import BEST_MODE
from search.endless import Toggle

SIZE = 8
FAR = oracle.WON_IN_0 / 2


def wander(game: Nodes, states: list[int], rng: random.Random) -> list[int]:
    """A game up to some position that is not over, by the rule on recurring positions neither."""
    path = [rng.choice([s for s in states if not game.is_terminal(s)])]
    for _ in range(rng.choice([0, 0, 2, 5])):
        after = game.result(path[-1], rng.choice(list(game.actions(path[-1]))))
        often = path.count(after) + 1
        if not game.is_terminal(after) and (game.repetition is None or often < game.repetition[1]):
            path.append(after)
    return path


def payoff(score: float) -> float:
    """What a score is worth near or far."""
    return score if abs(score) < FAR else 4.0 if score > 0 else -4.0


def drawn_score(game: Nodes, states: list[int], path: list[int]) -> float:
    """The score of the last position of a path where a recurrence is a draw: the fixpoint of all positions."""
    assert game.repetition is not None
    often = Counter(path)
    drawn = frozenset(s for s in states if often[s] >= game.repetition[1] - 1)
    return oracle.fixpoint(game, states, 0.0, drawn)[path[-1]]


def knots(
    seed: int, graphs: int, kind: type[Nodes], *, size: int = 14, branching: int = 2, ends: int = 2
) -> Nodes:
    """Graphs with few ways out: most positions are met again on many paths."""
    rng = np.random.default_rng(seed)
    nodes = graphs * size
    place = np.arange(nodes) % size
    base = (np.arange(nodes) - place)[:, None]
    count = np.where(place >= size - ends, 0, rng.integers(1, branching + 1, nodes))
    inside = base + rng.integers(0, size - ends, (nodes, branching))
    outside = base + size - 1 - rng.integers(0, ends, (nodes, branching))
    child = np.where(rng.random((nodes, branching)) < 0.15, outside, inside)
    return kind(count, child, rng.integers(0, 2, nodes), rng.choice([-4.0, 4.0], nodes), np.zeros(nodes))


# --- where a recurrence is a draw -----------------------------------------------------------------------


def trap() -> Draw2:
    """What is true on one path is not true on another.

    0 (player 0) → 1 (player 1) → 2 or 6; 2 (player 0) → 3 or 4; 3 (player 1) → 2; 4 (player 1) → 5, where player 0
    wins; 6 (player 0) → 3 or 7, 8, 9, 10 (player 1), which all lose: → 11. On the way 0 1 2 3 the only action at 3
    leads back to 2, a draw. Yet player 0 wins at all of 0 to 6, by 3 → 2 → 4 → 5.
    """
    follow = [[1], [2, 6], [3, 4], [2], [5], [], [3, 7, 8, 9, 10], [11], [11], [11], [11], []]
    return Draw2(
        np.array([len(after) for after in follow]),
        np.array([after + [0] * (5 - len(after)) for after in follow]),
        np.array([0, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0]),
        np.array([0.0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, -4]),
        np.zeros(12),
    )


@pytest.mark.parametrize("root", [0, 1, 2, 3, 4, 6])
def test_a_draw_on_one_path_is_not_taken_for_one_on_another(root: int) -> None:
    game = trap()
    for search in (gt.pns, gt.dfpn):
        for goal in ("win", "draw"):
            found = search(game, root, goal=goal, compile="never")
            assert found.proven is (game.player(root) == 0), (search, goal)
            assert not found.proven or goal != "win" or found.value == gt.Value.win(4)
    for valuing in (gt.mtdf, gt.sss, gt.dual):
        assert valuing(game, root, compile="never").values == (4, -4)


GOALS: list[tuple[dict[str, Any], float]] = [
    ({"goal": "win"}, 4.0),
    ({"goal": "draw"}, 0.0),
    ({"at_least": 0.5}, 0.5),
    ({"at_least": -0.25}, -0.25),
    ({"at_least": -4.0}, -4.0),
]


def check_draws(kind: type[Nodes], seed: int, graphs: int, compile: str, pns: bool = True) -> int:
    """How many proofs and disproofs there were; all of them have to be true, and without a depth all are found."""
    game = cycles(seed, graphs, size=SIZE, kind=kind)
    rng = random.Random(seed)
    claims = 0
    for graph in range(graphs):
        states = list(range(graph * SIZE, (graph + 1) * SIZE))
        *before, root = path = wander(game, states, rng)
        value = payoff(drawn_score(game, states, path))
        value = value if game.player(root) == 0 else -value
        goal, bar = rng.choice(GOALS)
        why = (kind.__name__, seed, before, root, goal)
        hash_mb = rng.choice([64, 64, 1e-6])
        found = gt.dfpn(game, root, history=before, compile=compile, hash_mb=hash_mb, **goal)
        assert found.proven is (value >= bar), why
        if found.bound == "exact":
            assert float(found.value or 0) == value, why
        short = gt.dfpn(game, root, history=before, depth=rng.randint(1, 9), compile=compile, **goal)
        assert short.proven is None or short.proven is (value >= bar), why
        claims += short.proven is not None
        if pns:
            by_paths = gt.pns(game, root, history=before, limit=gt.Limit(nodes=3000), **goal)
            assert by_paths.proven is None or by_paths.proven is (value >= bar), why
            claims += by_paths.proven is not None
    return claims


@pytest.mark.parametrize("kind", [Draw2, Draw3])
def test_df_pn_proves_what_the_fixpoint_says(kind: type[Nodes]) -> None:
    assert check_draws(kind, 91, 70, "never") > 70


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Draw2, Draw3])
@pytest.mark.parametrize("part", range(5))
def test_df_pn_proves_what_the_fixpoint_says_on_many_graphs(kind: type[Nodes], part: int) -> None:
    assert check_draws(kind, 910 + part, 4000, BEST_MODE, pns=part == 0) > 2000


@pytest.mark.parametrize("name", ["mtdf", "sss", "dual"])
def test_no_value_marked_exact_by_a_search_with_memory_differs_from_the_fixpoint(name: str) -> None:
    assert check_values(name, 92, 20, "never") > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mtdf", "sss", "dual"])
def test_no_value_marked_exact_by_a_search_with_memory_differs_on_many_graphs(name: str) -> None:
    assert check_values(name, 920, 4000, BEST_MODE) > 2000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_nothing_false_is_said_of_ten_thousand_knots(part: int) -> None:
    size = 14
    game = knots(99 + part, 2000, Draw2, size=size, branching=2 + part % 2)
    for graph in range(2000):
        states = list(range(graph * size, (graph + 1) * size))
        root = states[0]
        truth = payoff(drawn_score(game, states, [root]))
        mine = truth if game.player(root) == 0 else -truth
        for goal, bar in GOALS:
            assert gt.dfpn(game, root, compile=BEST_MODE, **goal).proven is (mine >= bar), (part, root, goal)
        for search in (gt.mtdf, gt.sss, gt.dual):
            found = search(game, root, compile=BEST_MODE)
            assert found.exact
            assert found.values[0] == truth, (part, root, search)


def check_values(name: str, seed: int, graphs: int, compile: str) -> int:
    claims = 0
    for kind in (Draw2, Draw3):
        game = cycles(seed, graphs, size=SIZE, kind=kind)
        rng = random.Random(seed)
        for graph in range(graphs):
            states = list(range(graph * SIZE, (graph + 1) * SIZE))
            *before, root = path = wander(game, states, rng)
            for depth in (None, rng.randint(1, 9)):
                found = getattr(gt, name)(game, root, depth=depth, history=before, compile=compile)
                if found.exact:
                    claims += 1
                    truth = payoff(drawn_score(game, states, path))
                    assert found.values[0] == truth, (kind, path, depth)
    return claims


# --- where nothing is said of recurrence ------------------------------------------------------------------


def check_within(seed: int, graphs: int, compile: str) -> int:
    """Without a rule play may go on for ever; within so many plies a win is one exactly where the fixpoint has it."""
    game = cycles(seed, graphs, size=SIZE)
    rng = random.Random(seed)
    wins = 0
    for graph in range(graphs):
        states = list(range(graph * SIZE, (graph + 1) * SIZE))
        scores = oracle.fixpoint(game, states, 0.0)
        root = rng.choice([s for s in states if not game.is_terminal(s)])
        depth = rng.randint(1, 12)
        score = scores[root] if game.player(root) == 0 else -scores[root]
        soon = score >= oracle.WON_IN_0 - depth
        found = gt.dfpn(game, root, depth=depth, compile=compile)
        assert found.proven is (True if soon else found.proven)
        assert soon or not found.proven, (seed, root, depth)
        by_tree = gt.pns(game, root, depth=min(depth, 5))
        assert not by_tree.proven or score >= oracle.WON_IN_0 - min(depth, 5)
        assert found.proven is not False or score < FAR
        wins += soon
    return wins


def test_within_a_depth_df_pn_finds_exactly_the_wins_that_there_are() -> None:
    assert check_within(93, 150, "never") > 30


@pytest.mark.slow
def test_within_a_depth_df_pn_finds_exactly_the_wins_that_there_are_on_many_graphs() -> None:
    assert check_within(930, 20_000, BEST_MODE) > 3000


@pytest.mark.parametrize("count", [150, pytest.param(5000, marks=pytest.mark.slow)])
def test_what_a_position_is_worth_with_some_plies_left_is_not_taken_for_its_worth_with_others(
    count: int,
) -> None:
    size = 14
    game = knots(96, count, Nodes, size=size)
    game.guess[:] = np.random.default_rng(96).integers(-3, 4, len(game.guess))
    searches = (gt.mtdf, gt.sss, gt.dual)
    for graph in range(count):
        for depth in (5, 6):
            found = searches[graph % 3](game, graph * size, depth=depth, compile="never")
            assert found.values[0] == oracle.minimax(game, graph * size, depth).value, (graph, depth)


def test_a_game_without_an_end_is_refused_and_a_depth_is_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gametree.search.best_first.dfpn.MAX_PLIES", 500)
    with pytest.raises(gt.TooDeepError, match="depth"):
        gt.dfpn(Toggle(), at_least=1, compile="never")
    for search in (gt.pns, gt.dfpn):
        assert search(Toggle(), at_least=1, depth=6, compile="never").proven is None


# --- where the path decides ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "count"),
    [(Forbid2, 40), (Loss2, 40), (Win2, 40), (Draw2, 40)]
    + [pytest.param(kind, 1500, marks=pytest.mark.slow) for kind in (Forbid2, Loss2, Win2, Draw2)],
)
def test_searches_that_keep_paths_apart_find_what_trying_every_path_finds(
    kind: type[Nodes], count: int
) -> None:
    size = 6
    game = cycles(94, count, size=size, escapes=True, kind=kind)
    rng = random.Random(94)
    for graph in range(count):
        *before, root = path = wander(game, list(range(graph * size, (graph + 1) * size)), rng)
        truth = payoff(oracle.score_by_paths(game, path))
        for search in (gt.sss, gt.dual):
            assert search(game, root, history=before, form="list").values[0] == truth, path
        goal, bar = rng.choice(GOALS)
        found = gt.pns(game, root, history=before, **goal)
        mine = truth if game.player(root) == 0 else -truth
        assert found.proven is (mine >= bar), (path, goal)


class DeadEnd(Nodes):
    """0 → 1 → 2 → 1 …, where no position may recur: at 2 there is no way on; 0 → 3 ends the game."""

    repetition = ("forbid", 2)


def test_where_every_action_is_forbidden_the_rules_are_told_so() -> None:
    game = DeadEnd(
        np.array([2, 1, 1, 0]),
        np.array([[1, 3], [2, 0], [1, 0], [0, 0]]),
        np.array([0, 1, 0, 0]),
        np.zeros(4),
        np.zeros(4),
    )
    for search in (gt.pns, lambda game: gt.sss(game, form="list")):
        with pytest.raises(gt.RulesError, match="must not recur"):
            search(game)


# --- a clock that is no part of the key -----------------------------------------------------------------------


def timed(game: gt.Game, state: Any, known: dict[Any, float]) -> float:
    """The payoff of a state of a game that a clock ends, by trying everything."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    if state not in known:
        after = [timed(game, game.result(state, action), known) for action in game.actions(state)]
        known[state] = oracle.best_score(game, state, after)
    return known[state]


@pytest.mark.parametrize("branching", [1, 2, 3])
def test_what_is_true_while_there_is_time_is_not_taken_for_true_when_it_runs_out(branching: int) -> None:
    for seed in range(12):
        nodes = cycles(seed, 1, size=12, branching=branching)
        game = Clocked(nodes.count, nodes.child, nodes.mover, nodes.payoff, nodes.guess)
        rng = random.Random(seed)
        known: dict[Any, float] = {}
        for _ in range(6):
            state = (rng.randrange(6), rng.choice([2, 3, 4, 6, 9]))
            if game.is_terminal(state):
                continue
            truth = timed(game, state, known)
            for search in (gt.mtdf, gt.sss, gt.dual):
                assert search(game, state, compile="never").values[0] == truth, (seed, state)
                depth = rng.randint(1, 6)
                shallow = search(game, state, depth=depth, compile="never")
                assert shallow.values[0] == oracle.minimax(game, state, depth).value, (seed, state, depth)
            mine = truth if game.player(state) == 0 else -truth
            for goal, bar in GOALS:
                found = gt.dfpn(game, state, compile="never", **goal)
                assert found.proven is (mine >= bar), (seed, state, goal)


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_compiled_df_pn_goes_in_the_same_circles() -> None:
    game = cycles(95, 60, size=SIZE, kind=Draw3)
    for root in range(0, 60 * SIZE, SIZE):
        one, other = (gt.dfpn(game, root, goal="draw", compile=way) for way in ("always", "never"))
        assert (one.proven, one.nodes, one.line) == (other.proven, other.nodes, other.line)
