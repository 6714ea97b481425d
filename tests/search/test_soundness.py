"""Without selectivity the engine finds what naive minimax finds: value, action and line, whatever is switched on."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

import gametree as gt
import oracle
from fixtures.graphs import Nodes, Undeclared, forest
from gametree.compiled import native
from gametree.game import offers
from gametree.search.analyze import Engine
from gametree.search.engine.profiles import ASPIRATION, BY_KILLERS, GENERAL, PATIENT, PVS, TABLE

BEST_MODE = "never" if native.unavailable() else "always"
TABLES: dict[str, dict[str, Any]] = {
    "table": {"hash_mb": 1.0},
    "no table": {"without": TABLE},
    "16 entries": {"hash_mb": 1e-6},
}
SWITCHES = (ASPIRATION, PVS, BY_KILLERS)
COMBINATIONS = [
    (table, off, threads)
    for table in TABLES
    for off in itertools.chain.from_iterable(itertools.combinations(SWITCHES, n) for n in range(4))
    for threads in (1, 2)
]
DEPTHS = 7
"""Forests have five plies below the root, unless told otherwise: depths that end before, there and behind."""


def test_there_are_48_combinations() -> None:
    assert len(COMBINATIONS) == len(set(COMBINATIONS)) == 48


class Truth:
    """The score of every node of a forest to every depth, from the horizon upwards."""

    def __init__(self, game: Nodes):
        self.game = game
        self.to_depth = [np.where(game.count == 0, self._finals(), game.guess)]
        for _ in range(DEPTHS):
            self.to_depth.append(self._one_deeper(self.to_depth[-1]))

    def _finals(self) -> Any:
        low, high = self.game.payoffs or (-np.inf, np.inf)
        payoff = self.game.payoff
        finals = np.where(payoff >= high, oracle.WON_IN_0, payoff)
        return np.where(payoff <= low, -oracle.WON_IN_0, finals)

    def _one_deeper(self, scores: Any) -> Any:
        game = self.game
        after = farther(scores)[game.child]
        there = np.arange(game.child.shape[1]) < game.count[:, None]
        most = np.where(there, after, -np.inf).max(axis=1)
        least = np.where(there, after, np.inf).min(axis=1)
        return np.where(game.count == 0, scores, np.where(game.mover == 0, most, least))

    def check(self, root: int, depth: int, found: gt.Analysis, why: Any) -> None:
        """The value is the score, the action attains it, and the line, played out, earns it."""
        truth = self.to_depth[depth][root]
        assert found.value is not None, why
        assert found.bound == "exact", why
        assert oracle.score_of(found.value, found.player) == truth, why
        assert found.action in range(self.game.count[root]), why
        after = self.game.result(root, found.action)
        assert farther(self.to_depth[depth - 1][after]) == truth, why
        assert self.earned(root, depth, found.line) == truth, why

    def earned(self, state: int, depth: int, line: tuple[int, ...]) -> float:
        """What a line is worth where it ends, which has to be the end of the game or the horizon."""
        for action in line:
            assert action in range(self.game.count[state])
            state = self.game.result(state, action)
        assert self.game.is_terminal(state) or len(line) == depth
        worth = float(self.to_depth[0][state])
        for _ in line:
            worth = oracle.one_ply_farther(worth)
        return worth


def farther(scores: Any) -> Any:
    """`oracle.one_ply_farther` for many."""
    return scores - np.sign(scores) * (np.abs(scores) > oracle.WON_IN_0 / 2)


def sweep(kind: type[Nodes], seed: int, trees: int, compile: str) -> int:
    """Searches every tree of a forest, by one combination after the other; how many values were compared."""
    game = forest(seed, trees, kind=kind)
    truth = Truth(game)
    rng = random.Random(seed)
    engines = [
        Engine(game, **settings(table, off), threads=threads, selective=False, compile=compile)
        for table, off, threads in COMBINATIONS
    ]
    compared = 0
    for root in range(trees):
        depth = rng.randint(1, DEPTHS)
        which = root % len(engines)
        found = engines[which].analyze(root, depth=depth)
        truth.check(root, depth, found, (seed, root, depth, COMBINATIONS[which]))
        compared += found.value is not None
    return compared


def settings(table: str, off: tuple[int, ...], on: int = 0) -> dict[str, Any]:
    """The arguments of an engine with one of the tables, and with those features on that are not switched off."""
    given = {"without": 0, **TABLES[table]}
    without = given.pop("without") | sum(off)
    return {**given, "profile": (GENERAL | sum(SWITCHES) | on) & ~without}


def test_the_scores_of_a_forest_are_those_of_plain_minimax() -> None:
    for kind in (Nodes, Undeclared):
        game = forest(1, 60, kind=kind)
        truth = Truth(game)
        for root in range(60):
            for depth in range(DEPTHS + 1):
                assert truth.to_depth[depth][root] == oracle.score_to_depth(game, root, depth)
                if kind is Undeclared:
                    assert truth.to_depth[depth][root] == oracle.minimax(game, root, depth).value


def test_a_forest_has_all_that_may_make_a_search_stumble() -> None:
    game = forest(1, 500)
    inner = np.flatnonzero(game.count > 0)
    children = [game.child[n, i] for n in inner for i in range(game.count[n])]
    assert len(set(children)) < 0.9 * len(children)  # transpositions
    ends = game.payoff[game.count == 0]
    assert {-4.0, 4.0, 0.0} < set(ends)  # wins, losses, ties
    assert (ends != ends.round()).mean() > 0.1  # floats
    same = [game.mover[n] == game.mover[game.child[n, 0]] for n in inner]
    assert 0.1 < np.mean(same) < 0.9  # some alternate, some do not
    assert len({int(n) for n in game.count}) == 4  # ragged


def test_the_value_is_that_of_minimax_in_every_combination() -> None:
    trees = 2880 if BEST_MODE == "always" else 480
    assert sweep(Nodes, 11, trees, BEST_MODE) == trees


def test_the_value_is_that_of_minimax_where_no_payoff_is_declared_a_win() -> None:
    assert sweep(Undeclared, 12, 192, "never") == 192


@pytest.mark.parametrize("threads", [1, 2])
def test_the_value_is_that_of_minimax_where_the_kernel_walks_over_the_root(threads: int) -> None:
    trees = 300 if BEST_MODE == "always" else 60
    for branching in (4, 9):
        game = forest(31, trees, levels=5, branching=branching)
        truth = Truth(game)
        for table in TABLES:
            engine = Engine(
                game, **settings(table, (), PATIENT), threads=threads, selective=False, compile=BEST_MODE
            )
            for root in range(trees):
                depth = 1 + root % DEPTHS if branching == 4 else 4
                truth.check(root, depth, engine.analyze(root, depth=depth), (branching, table, root, depth))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_the_value_is_that_of_minimax_on_a_million_trees(part: int) -> None:
    for chunk in range(5):
        kind = Undeclared if chunk == 4 else Nodes
        assert sweep(kind, 1000 + 5 * part + chunk, 10_000, BEST_MODE) == 10_000


@pytest.mark.parametrize("threads", [1, 2])
def test_bushier_trees_too(threads: int) -> None:
    """Where a node has many actions, killers, windows and the table have more to do."""
    trees = 200 if BEST_MODE == "always" else 12
    game = forest(21, trees, levels=5, branching=9)
    truth = Truth(game)
    for table in TABLES:
        engine = Engine(game, **settings(table, ()), threads=threads, selective=False, compile=BEST_MODE)
        for root in range(trees):
            truth.check(root, 4, engine.analyze(root, depth=4), (table, root))


# --- the games that are shipped ------------------------------------------------------------------------

GAMES = {
    "tic-tac-toe": (100, 5),
    "connect-four": (100, 3),
    "nim": (100, 8),
    "checkers": (60, 3),
    "othello": (60, 2),
    "chess": (5, 2),
    "go": (5, 2),
    "hex": (3, 2),
    "chinese-checkers": (5, 2),
}
"""How many positions are searched by default, and how deep."""
WIDE = ("chess", "go", "hex", "chinese-checkers")
SAMPLED = 100
"""Of so many positions of a wide game, the interpreted oracle looks at one."""


def positions(game: gt.Game, seed: int, count: int) -> list[Any]:
    """Positions from random play, none of them terminal."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game.initial()
        for _ in range(rng.randrange(60)):
            after = game.result(state, rng.choice(list(game.actions(state))))
            if game.is_terminal(after):
                break
            state = after
        found.append(state)
    return found


def compare(name: str, seed: int, count: int, depth: int, compile: str, fast: bool = False) -> None:
    """Positions by one combination after the other: value, action and line are those of minimax."""
    game = gt.games.load(name)
    engines = [
        Engine(game, **settings(table, off), threads=threads, selective=False, compile=compile)
        for table, off, threads in COMBINATIONS
    ]
    for number, state in enumerate(positions(game, seed, count)):
        found = engines[number % len(engines)].analyze(state, depth=depth)
        why = (state, COMBINATIONS[number % len(engines)])
        assert found.value is not None, why
        score = _score(game, found.value, found.player)
        if not (fast and number % SAMPLED and _agrees(game, state, depth, found)):
            after = {
                action: oracle.one_ply_farther(
                    oracle.score_to_depth(game, game.result(state, action), depth - 1)
                )
                for action in game.actions(state)
            }
            truth = oracle.best_score(game, state, list(after.values()))
            assert score == truth, why
            assert after[found.action] == truth, why
        assert _earned(game, state, found.line, depth) == score, why


def _agrees(game: gt.Game, state: Any, depth: int, found: gt.Analysis) -> bool:
    """Whether compiled minimax, itself compared with the oracle elsewhere, finds an estimate and action as good.

    Its wins and estimates lie on one scale, so that it says nothing where somebody wins. A game that judges nothing
    is worth nothing at the horizon.
    """
    assert found.value is not None
    if found.value.outcome is not None:
        return False
    judge = None if offers(game, "evaluate") else _nothing
    plain = gt.minimax(game, state, depth=depth, evaluation=judge, moves=True, compile="always")
    payoffs = {move.action: move.value.payoff for move in plain.moves}
    return payoffs[found.action] == max(payoffs.values()) == found.value.payoff


def _nothing(state: Any, player: int) -> float:
    return 0.0


def _score(game: gt.Game, value: gt.Value, player: int) -> float:
    if value.outcome is None and player == 1:
        return (game.total or 0) - value.payoff
    return oracle.score_of(value, player)


def _earned(game: gt.Game, state: Any, line: tuple[Any, ...], depth: int) -> float:
    for action in line:
        assert action in list(game.actions(state))
        state = game.result(state, action)
    assert game.is_terminal(state) or len(line) == depth
    worth = oracle.score_to_depth(game, state, 0)
    for _ in line:
        worth = oracle.one_ply_farther(worth)
    return worth


@pytest.mark.parametrize("name", GAMES)
def test_positions_of_a_shipped_game_have_the_value_of_minimax(name: str) -> None:
    count, depth = GAMES[name]
    compare(name, 31, count, depth, "never")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_positions_of_a_shipped_game_have_the_value_of_minimax(name: str, part: int) -> None:
    """Where the oracle would take hours, it looks at a sample and at all that compiled minimax would not confirm."""
    compare(name, 320 + part, 1_000, GAMES[name][1], BEST_MODE, fast=name in WIDE and BEST_MODE == "always")


def test_every_shipped_game_of_two_players_without_luck_is_among_them() -> None:
    assert set(GAMES) >= {name for name in gt.games.names() if _suits(gt.games.load(name))}


def _suits(game: gt.Game) -> bool:
    try:
        Engine(game)
    except gt.UnsuitableError:
        return False
    return True
