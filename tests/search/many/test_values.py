"""The searches of many players find what brute force finds, pruned or not, interpreted or compiled."""

import random
from typing import Any

import pytest

import oracle
import oracle_many
from gametree import Analysis, Game, Tree, alphabeta, best_reply, maxn, minimax, paranoid
from search.agreement import WAYS, follow
from search.many.random_games import Numbers, RandomGame, SureGame, random_tree, random_vectors

FEW, MANY = 120, 100_000
SWEEP = pytest.mark.parametrize(
    "count", [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)]
)
"""A sweep over random trees: some by default, a hundred thousand where there is time."""
TIES: tuple[Any, ...] = ("first", "paranoid", "friendly", "spiteful", "generous")
ALONE, MIXED, PAIRS = RandomGame(3), RandomGame(3, dice=True), RandomGame(4, teams=2, dice=True)
THREE_TEAMS = RandomGame(6, teams=3)


class TeamTree(Tree):
    """A tree for four players of whom 0 and 2 are one team; 1 and 3 are another, or play alone."""

    def team(self, player: int) -> int:
        return (0, 1, 0, 1)[player] if self.players == 4 else player


COMPILED = {
    (RandomGame, maxn),
    (SureGame, best_reply),
}
"""Where compiling is tried in every run; elsewhere only in sweeps of sheer number, as it takes seconds each."""


def agreed(search: Any, game: Game, state: Any, *, always: bool = False, **given: Any) -> Analysis:
    """What a search finds, the same interpreted and compiled."""
    ways = WAYS if always or (type(game), search) in COMPILED else WAYS[:1]
    found = [search(game, state, compile=way, **given) for way in ways]
    for one in found[1:]:
        for what in ("action", "value", "values", "line", "moves", "nodes", "exact", "depth", "stopped_by"):
            assert getattr(one, what) == getattr(found[0], what), what
    return found[0]  # type: ignore[no-any-return]


def a_state(rng: random.Random, players: int = 3) -> Numbers:
    return Numbers(rng.randrange(1, 2_000_000_000), rng.randint(1, 5), rng.randrange(players))


# --- max^n ------------------------------------------------------------------------------------------


@SWEEP
def test_maxn_without_pruning_is_brute_force(count: int) -> None:
    rng = random.Random(1)
    for number in range(count):
        tree = random_tree(rng, chance=0.15 * (number % 2), twice=0.2)
        ties = TIES[number % 5]
        truth = oracle_many.maxn(tree, ties=ties)
        found = agreed(maxn, tree, 0, always=count == MANY, pruning="never", ties=ties)
        assert found.values == pytest.approx(truth.values, abs=1e-12)
        assert (found.action, found.nodes) == (truth.action, truth.nodes)
        assert found.exact or tree.is_terminal(0)


@SWEEP
def test_pruning_does_not_change_the_vector(count: int) -> None:
    rng = random.Random(2)
    saved = 0
    for number in range(count):
        tree = random_tree(rng, chance=0.1 * (number % 2), twice=0.15, floats=number % 7 == 0)
        ties = TIES[number % 5] if number % 3 == 0 else "first"
        truth = oracle_many.maxn(tree, ties=ties)
        found = agreed(maxn, tree, 0, always=count == MANY, ties=ties)
        assert found.values == pytest.approx(truth.values, abs=1e-12)
        assert found.action == truth.action
        assert found.nodes <= truth.nodes
        saved += truth.nodes - found.nodes
    assert saved > count / 2


@SWEEP
def test_the_nodes_are_those_of_korfs_procedure(count: int) -> None:
    """Where means that are not whole numbers tie, rounding might decide: there the search cuts nothing."""
    rng = random.Random(3)
    for number in range(count):
        chance = 0.1 if number % 4 == 0 else 0.0
        tree = random_tree(rng, players=3, low=0, twice=0.1, chance=chance)
        if tree.payoffs is None:
            continue
        most = None if tree.total is not None else 3 * tree.payoffs[1] - 1
        sums = [tree.payoff[node].sum() for node in range(len(tree.count)) if tree.count[node] == 0]
        if most is not None and max(sums) > most:
            continue
        truth = oracle_many.shallow(tree, most=most)
        found = agreed(maxn, tree, 0, always=count == MANY, sum_at_most=most)
        assert found.values == pytest.approx(truth.values, abs=1e-12)
        assert found.nodes >= truth.nodes if chance else found.nodes == truth.nodes


def test_a_line_of_maxn_earns_its_vector() -> None:
    rng = random.Random(4)
    for _ in range(100):
        tree = random_tree(rng, twice=0.2)
        found = maxn(tree, ties=rng.choice(TIES), compile="never")
        end = follow(tree, 0, found.line)
        assert tuple(tree.utility(end, player) for player in range(tree.players)) == found.values


@SWEEP
def test_maxn_to_a_depth_judges_there(count: int) -> None:
    rng = random.Random(5)
    for number in range(count):
        game = (ALONE, MIXED, PAIRS, THREE_TEAMS)[number % 4]
        state = a_state(rng)
        depth = rng.randint(0, 4)
        truth = oracle_many.maxn(game, state, depth)
        found = agreed(maxn, game, state, always=count == MANY, depth=depth)
        assert found.values == pytest.approx(truth.values, abs=1e-12)
        assert (found.action, found.nodes) == (truth.action, truth.nodes)


def test_with_moves_every_action_has_its_value() -> None:
    rng = random.Random(6)
    for _ in range(50):
        tree = random_tree(rng, twice=0.2)
        if tree.is_terminal(0):
            continue
        found = agreed(maxn, tree, 0, moves=True)
        mover = tree.player(0)
        for move in found.moves:
            below = oracle_many.maxn(tree, tree.result(0, move.action))
            assert move.value == below.values[mover]
            assert move.exact
        assert len(found.moves) == tree.count[0]


# --- two sides --------------------------------------------------------------------------------------


@SWEEP
def test_between_two_players_maxn_paranoid_and_best_reply_are_minimax(count: int) -> None:
    rng = random.Random(7)
    for _ in range(count):
        tree = Tree(
            oracle.random_tree_spec(rng, depth=3, branching=3), rng.choice([(0, 1), (1, 0), (0, 1, 1)])
        )
        truth = minimax(tree, compile="never")
        for search in (maxn, paranoid, best_reply):
            found = agreed(search, tree, 0, always=count == MANY)
            assert (found.values, found.action, found.line) == (truth.values, truth.action, truth.line)
            assert found.nodes == oracle.alphabeta(tree).nodes


def test_the_nodes_of_paranoid_between_two_are_those_of_alphabeta() -> None:
    tree = Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    assert paranoid(tree, compile="never").nodes == alphabeta(tree, compile="never").nodes == 11


# --- paranoid ---------------------------------------------------------------------------------------


@SWEEP
def test_paranoid_is_brute_force_against_everybody(count: int) -> None:
    rng = random.Random(8)
    for _ in range(count):
        tree = random_tree(rng, twice=0.2)
        player = rng.randrange(tree.players)
        seen = oracle_many.Against(tree, player)
        truth = oracle.minimax(seen)
        found = agreed(paranoid, tree, 0, always=count == MANY, player=player)
        assert found.value == truth.value
        assert found.action == (truth.best[0] if truth.best else None)
        assert found.nodes == oracle.alphabeta(seen).nodes


@SWEEP
def test_paranoid_averages_over_chance_and_judges_at_a_depth(count: int) -> None:
    rng = random.Random(9)
    for number in range(count):
        game = (MIXED, PAIRS)[number % 2]
        state, depth = a_state(rng), rng.randint(0, 4)
        player = rng.randrange(game.players)
        found = agreed(paranoid, game, state, always=count == MANY, depth=depth, player=player)
        truth = oracle_many.expectation  # our side plays best …

        def worst(at: Any, left: float, game: Game = game, player: int = player) -> float:
            """… and everybody else against it."""
            end = oracle_many.leaf(game, at, left)
            if end is not None:
                return end[player]
            mover = game.player(at)
            if mover == -1:
                return sum(p * worst(game.result(at, o), left - 1) for o, p in game.chance(at))
            below = [worst(game.result(at, a), left - 1) for a in game.actions(at)]
            return max(below) if mover in oracle_many.team_of(game, player) else min(below)

        assert truth is not None
        assert float(found.value or 0) == pytest.approx(worst(state, depth), abs=1e-12)


def test_nobody_gets_less_than_paranoid_promises() -> None:
    rng = random.Random(10)
    for _ in range(100):
        tree = random_tree(rng)
        best = maxn(tree, compile="never")
        sure = paranoid(tree, compile="never")
        assert sure.value is not None
        assert best.value is not None
        assert sure.value <= best.value


# --- best reply -------------------------------------------------------------------------------------


@SWEEP
def test_best_reply_is_minimax_of_the_game_in_which_others_pass(count: int) -> None:
    rng = random.Random(11)
    for number in range(count):
        game = (SureGame(3), SureGame(4), SureGame(4, teams=2), SureGame(6, teams=3))[number % 4]
        state, depth = a_state(rng), rng.choice([None, 0, 1, 2, 3, 4])
        if game.is_terminal(state):
            continue
        seen = oracle_many.Replies(game, game.player(state))
        truth = oracle.minimax(seen, state, depth)
        found = agreed(best_reply, game, state, always=count == MANY, depth=depth)
        assert found.value == truth.value
        assert found.action == (truth.best[0] if truth.best else None)
        assert found.nodes == oracle.alphabeta(seen, state, depth).nodes
        assert not found.exact


# --- teams ------------------------------------------------------------------------------------------


def team_tree(rng: random.Random) -> TeamTree:
    """Two teams of two whose payoffs sum to nothing, or to nothing in particular."""
    constant = rng.random() < 0.7
    pairs = random_vectors(
        rng, 2, total=0 if constant else None, low=-3, high=3, depth=rng.randint(1, 4), twice=0.2
    )

    def for_four(spec: Any) -> Any:
        if isinstance(spec, tuple):
            return spec * 2
        return [for_four(child) for child in getattr(spec, "subtrees", spec)]

    return TeamTree(for_four(pairs), (0, 1, 2, 3), payoffs=(-3, 3))


@SWEEP
def test_teams_search_as_one(count: int) -> None:
    rng = random.Random(12)
    for _ in range(count):
        tree = team_tree(rng)
        truth = oracle_many.maxn(tree)
        assert agreed(maxn, tree, 0, always=count == MANY, pruning="never").values == truth.values
        found = agreed(maxn, tree, 0, always=count == MANY)
        assert found.values == truth.values
        if tree.total is not None:
            assert found.action == truth.action
            assert found.parameters["pruning"].startswith("alpha-beta")
            # Two teams are two players.
            seen = oracle_many.Against(tree, 0)
            assert found.values[0] == oracle.minimax(seen).value
            assert found.nodes == oracle.alphabeta(seen).nodes
            assert agreed(paranoid, tree, 0, always=count == MANY).values == truth.values


@SWEEP
def test_three_teams_are_pruned_by_the_size_of_the_teams(count: int) -> None:
    rng = random.Random(13)
    saved = 0

    class Three(Tree):
        def team(self, player: int) -> int:
            return player % 3

    for _ in range(count):
        spec = random_vectors(rng, 3, total=0, low=-2, high=4, depth=4, twice=0.1)

        def for_six(spec: Any) -> Any:
            if isinstance(spec, tuple):
                return spec * 2
            return [for_six(child) for child in getattr(spec, "subtrees", spec)]

        tree = Three(for_six(spec), (0, 1, 2, 3, 4, 5), payoffs=(-2, 4))
        truth = oracle_many.maxn(tree)
        found = maxn(tree, compile="never")
        assert found.values == truth.values
        assert found.action == truth.action
        saved += truth.nodes - found.nodes
    assert saved > 0
