"""Games that go in circles: no value marked `exact` differs from the truth; estimates may."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import gametree as gt
import oracle
from fixtures.graphs import Clocked, Corridor, Draw2, Draw3, Forbid2, Loss2, Nodes, Win2, cycles
from gametree.compiled import native
from gametree.search.analyze import Engine, analyze
from gametree.search.engine import root as engine_root
from gametree.search.engine.profiles import GENERAL, PVS, ROOT, TABLE

BEST_MODE = "never" if native.unavailable() else "always"
SIZE = 8
NEARLY_WON = 3.9
"""Play that never ends is no win: worth less than the payoff of one, 4, and more than any other."""

SETTINGS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "every feature": {"profile": "patient"},
    "a tiny table": {"hash_mb": 1e-6},
    "two threads": {"threads": 2},
    "not selective": {"selective": False},
    "the root by the kernel": {"profile": GENERAL | ROOT, "selective": False},
    "no table": {"profile": GENERAL & ~TABLE},
    "neither": {"profile": GENERAL & ~(TABLE | PVS), "selective": False},
}
UNPRUNED = {"as it comes": 0, "every feature": 0, "two threads": 30}
"""After how many nodes lines are left out; such small trees would never get as far as the engine's own limit."""


class Truth:
    """The least and the greatest that a position can be worth, by where it has been before."""

    def __init__(self, game: Nodes, states: list[int], before: list[int], root: int):
        self.game = game
        self.root = root
        self.drawn = frozenset[int]()
        if game.repetition is None:
            ends = (-NEARLY_WON, NEARLY_WON)
        else:
            often = Counter([*before, root])
            self.drawn = frozenset(s for s in states if often[s] >= game.repetition[1] - 1)
            ends = (0.0, 0.0)
        self.scores = [oracle.fixpoint(game, states, end, self.drawn) for end in ends]

    def of_root(self) -> set[float]:
        return {scores[self.root] for scores in self.scores}

    def of(self, action: int) -> set[float]:
        child = self.game.result(self.root, action)
        if child in self.drawn:
            return {0.0}
        return {oracle.one_ply_farther(scores[child]) for scores in self.scores}


def check_claims(truth: Truth, found: gt.Analysis, why: Any) -> int:
    """How many values the engine marked exact; all of them have to be true."""
    claims = 0
    if found.exact:
        assert found.value is not None
        assert {oracle.score_of(found.value, found.player)} == truth.of_root(), why
        claims += 1
    for move in (*found.moves, *found.lines):
        if move.exact and move.bound == "exact":
            assert {oracle.score_of(move.value, found.player)} == truth.of(move.action), (why, move)
            claims += 1
    return claims


def wander(game: Nodes, states: list[int], rng: random.Random) -> list[int]:
    """A game up to some position that is not over, by the rule on recurring positions neither."""
    path = [rng.choice([s for s in states if not game.is_terminal(s)])]
    for _ in range(rng.choice([0, 0, 2, 5])):
        after = game.result(path[-1], rng.choice(list(game.actions(path[-1]))))
        often = path.count(after) + 1
        if not game.is_terminal(after) and (game.repetition is None or often < game.repetition[1]):
            path.append(after)
    return path


def asked(rng: random.Random) -> dict[str, Any]:
    return rng.choice([{}, {}, {"moves": True}, {"lines": 3}])


def sweep(kind: type[Nodes], seed: int, graphs: int, compile: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Searches graphs, each from several positions with one table, by one setting after the other."""
    game = cycles(seed, graphs, size=SIZE, kind=kind)
    rng = random.Random(seed)
    engines = {name: Engine(game, compile=compile, **{"hash_mb": 0.1, **SETTINGS[name]}) for name in SETTINGS}
    claims = 0
    for graph in range(graphs):
        name = list(engines)[graph % len(engines)]
        monkeypatch.setattr(engine_root, "UNPRUNED_NODES", UNPRUNED.get(name, 30_000))
        states = list(range(graph * SIZE, (graph + 1) * SIZE))
        for _ in range(2):
            *before, root = wander(game, states, rng)
            depth = rng.randint(1, 8)
            found = engines[name].analyze(root, depth=depth, history=before, **asked(rng))
            truth = Truth(game, states, before, root)
            claims += check_claims(truth, found, (kind.__name__, seed, before, root, depth, name))
    return claims


@pytest.mark.parametrize("kind", [Nodes, Draw3])
def test_no_value_marked_exact_differs_from_the_fixpoint(
    kind: type[Nodes], monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = 600 if BEST_MODE == "always" else 60
    assert sweep(kind, 41, graphs, BEST_MODE, monkeypatch) > graphs / 3


def test_no_value_marked_exact_differs_from_the_fixpoint_where_the_first_recurrence_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert sweep(Draw2, 42, 120, "never", monkeypatch) > 40


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Nodes, Draw2, Draw3])
@pytest.mark.parametrize("part", range(10))
def test_no_value_marked_exact_differs_from_the_fixpoint_on_a_hundred_thousand_graphs(
    kind: type[Nodes], part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sweep(kind, 4000 + part, 3400, BEST_MODE, monkeypatch) > 1000


@pytest.mark.parametrize("kind", [Draw2, Draw3])
def test_the_fixpoint_is_what_trying_every_path_finds(kind: type[Nodes]) -> None:
    size = 5
    game = cycles(43, 60, size=size, branching=2, kind=kind)
    rng = random.Random(43)
    for graph in range(60):
        states = list(range(graph * size, (graph + 1) * size))
        path = wander(game, states, rng)
        truth = Truth(game, states, path[:-1], path[-1])
        assert truth.of_root() == {oracle.score_by_paths(game, path)}, path
        for action in game.actions(path[-1]):
            child = game.result(path[-1], action)
            if child not in truth.drawn:
                after = oracle.one_ply_farther(oracle.score_by_paths(game, [*path, child]))
                assert truth.of(action) == {after}, (path, action)


# --- rules under which the path decides ------------------------------------------------------------------


def small(kind: type[Nodes], seed: int, graphs: int) -> Iterator[tuple[Nodes, list[int]]]:
    """Tiny graphs, each with a game so far, in which every path can be tried."""
    size = 6
    game = cycles(seed, graphs, size=size, escapes=True, kind=kind)
    rng = random.Random(seed)
    for graph in range(graphs):
        yield game, wander(game, list(range(graph * size, (graph + 1) * size)), rng)


def payoff(score: float) -> float:
    """What a score is worth near or far."""
    return score if abs(score) < oracle.WON_IN_0 / 2 else 4.0 if score > 0 else -4.0


def play_out(game: Nodes, path: list[int], line: tuple[int, ...]) -> float:
    """What player 0 gets at the end of a line; the rule on recurring positions is kept."""
    what, times = game.repetition or ("", 0)
    path = list(path)
    for number, action in enumerate(line, start=1):
        mover = game.player(path[-1])
        path.append(game.result(path[-1], action))
        if not game.is_terminal(path[-1]) and path.count(path[-1]) >= times:
            assert what != "forbid"
            assert number == len(line)
            return 0.0 if what == "draw" else 4.0 if (what == "win") == (mover == 0) else -4.0
    assert game.is_terminal(path[-1])
    return game.utility(path[-1], 0)


def check_rule(kind: type[Nodes], seed: int, graphs: int, compile: str) -> None:
    for game, path in small(kind, seed, graphs):
        *before, root = path
        truth = oracle.score_by_paths(game, path)
        for search in (gt.minimax, gt.alphabeta):
            found = search(game, root, history=before, compile=compile)
            assert found.exact
            assert found.values[0] == payoff(truth), (search, path)
            assert play_out(game, path, found.line) == payoff(truth), (search, path)
        for off in (0, PVS):
            found = analyze(
                game,
                root,
                depth=14,
                history=before,
                profile=GENERAL & ~(TABLE | off),
                selective=not off,
                compile=compile,
            )
            assert found.value is not None
            assert oracle.score_of(found.value, found.player) == truth, (off, path)
            assert found.exact, path
            assert play_out(game, path, found.line) == payoff(truth), (off, path)
        found = analyze(game, root, depth=14, history=before, compile=compile, hash_mb=0.01)
        if found.exact:
            assert found.value is not None
            assert oracle.score_of(found.value, found.player) == truth, path


@pytest.mark.parametrize("kind", [Forbid2, Loss2, Win2, Draw2])
def test_where_the_path_decides_every_search_finds_what_trying_every_path_finds(kind: type[Nodes]) -> None:
    check_rule(kind, 44, 25, "never")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Forbid2, Loss2, Win2, Draw2])
def test_where_the_path_decides_many_graphs(kind: type[Nodes]) -> None:
    check_rule(kind, 45, 2000, BEST_MODE)


@pytest.mark.parametrize("kind", [Forbid2, Loss2, Win2])
def test_where_the_path_decides_a_kept_table_makes_no_false_claim(kind: type[Nodes]) -> None:
    engine = None
    for game, path in small(kind, 46, 40):
        engine = engine or Engine(game, compile="never", hash_mb=0.1)
        for start in range(len(path)):
            *before, root = path[: start + 1]
            found = engine.analyze(root, depth=10, history=before)
            if found.exact:
                assert found.value is not None
                truth = oracle.score_by_paths(game, path[: start + 1])
                assert oracle.score_of(found.value, found.player) == truth, path[: start + 1]


class DeadEnd(Nodes):
    """0 → 1 → 2 → 1 …, where no position may recur: at 2 there is no way on; 0 → 3 ends the game."""

    repetition = ("forbid", 2)


@pytest.mark.parametrize("search", [gt.minimax, gt.alphabeta, gt.analyze])
def test_where_every_action_is_forbidden_the_rules_are_told_so(search: Any) -> None:
    game = DeadEnd(
        np.array([2, 1, 1, 0]),
        np.array([[1, 3], [2, 0], [1, 0], [0, 0]]),
        np.array([0, 1, 0, 0]),
        np.zeros(4),
        np.zeros(4),
    )
    with pytest.raises(gt.RulesError, match="must not recur"):
        search(game, depth=6, compile="never")


# --- a clock that is no part of the key --------------------------------------------------------------------


def timed(game: gt.Game, state: Any, known: dict[Any, float]) -> float:
    """The score of a state of a game that a clock ends, by trying everything."""
    if game.is_terminal(state):
        return oracle.final_score(game, state)
    if state not in known:
        after = [timed(game, game.result(state, action), known) for action in game.actions(state)]
        known[state] = oracle.best_score(game, state, [oracle.one_ply_farther(score) for score in after])
    return known[state]


@pytest.mark.parametrize("selective", [True, False])
@pytest.mark.parametrize("branching", [1, 2, 3])
def test_what_is_true_while_there_is_time_is_not_taken_for_true_when_it_runs_out(
    branching: int, selective: bool
) -> None:
    claims = 0
    for seed in range(12):
        nodes = cycles(seed, 1, size=12, branching=branching)
        game = Clocked(nodes.count, nodes.child, nodes.mover, nodes.payoff, nodes.guess)
        engine = Engine(game, compile="never", hash_mb=0.1, selective=selective)
        rng = random.Random(seed)
        known: dict[Any, float] = {}
        for _ in range(8):
            state = (rng.randrange(6), rng.choice([2, 3, 4, 6, 9, 14]))
            if game.is_terminal(state):
                continue
            found = engine.analyze(state, depth=rng.randint(1, 6))
            if found.exact:
                claims += 1
                assert found.value is not None
                assert oracle.score_of(found.value, found.player) == timed(game, state, known), (seed, state)
    assert claims > 20


@pytest.mark.parametrize("tactical", [False, True])
def test_a_line_of_forced_moves_is_not_followed_past_the_clock(tactical: bool) -> None:
    game = Corridor(tactical)
    engine = Engine(game, compile="never", hash_mb=0.1)
    assert engine.analyze((0, 100), depth=20).value == gt.Value.win(1, 20)
    for depth in range(1, 9):
        found = engine.analyze((-1, 15), depth=depth)
        assert not found.exact or found.value == 0
