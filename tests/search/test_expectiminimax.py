"""Expectiminimax = the naive truth: values, actions, distributions, however it prunes, with and without a table."""

import itertools
import json
import math
import random
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from fixtures.dice_nim import DiceNim, Loud, Ordered, State, Undeclared
from fixtures.kuhn_poker import KuhnPoker
from gametree import (
    CHANCE,
    Analysis,
    Chance,
    Game,
    InputError,
    Limit,
    RulesError,
    TooDeepError,
    Tree,
    Turn,
    UnsuitableError,
    alphabeta,
    analyze,
    expectiminimax,
)
from gametree.games import ConnectFour, Nim, Pig
from gametree.games.tree.game import ChanceTree
from gametree.search.chance.expectiminimax import Pruning
from search.agreement import COMPILES, WAYS, facts

pytestmark = pytest.mark.bounds

PRUNINGS: tuple[Pruning, ...] = ("none", "alphabeta", "star1", "star2")
TINY = 1e-6
"""A table of eight buckets, in which entries replace each other all the time."""
VARIANTS = tuple(itertools.product(PRUNINGS, (0, TINY, 1)))
SWEEPS = 10
TREES = 10_000
SOME_TREES = 120 if COMPILES else 60
MOST = 4


def chance_tree(rng: random.Random) -> ChanceTree:
    """A ragged tree of players in no fixed order and chance, with or without declared payoffs."""
    depth, branching = rng.choice([1, 2, 3, 3, 4, 4, 5]), rng.choice([2, 3, 3, 4])
    spec = oracle.random_chance_spec(rng, depth, branching, MOST)
    payoffs = rng.choice([None, (-MOST, MOST), (-MOST, MOST), (-MOST, MOST + 3)])
    return ChanceTree(spec, rng.choice([(0, 1), (1, 0), (0, 0, 1)]), payoffs=payoffs)


def assert_truth(game: Game, state: Any, depth: int | None, ways: Iterable[str], variants: Any) -> int:
    """Every way to prune finds the value to nine digits and the first of the best actions; how many ways there were."""
    truth = oracle.expectiminimax(game, state, depth)
    checked = 0
    for way, (pruning, hash_mb) in itertools.product(ways, variants):
        found = expectiminimax(game, state, depth=depth, pruning=pruning, hash_mb=hash_mb, compile=way)
        about = (way, pruning, hash_mb)
        assert found.values[0] == pytest.approx(truth.value, abs=1e-9), about
        assert found.action == (truth.best[0] if truth.best else None), about
        assert found.bound == "exact", about
        if pruning == "none" and hash_mb == 0:
            assert found.nodes == truth.nodes, about
        checked += 1
    return checked


def sweep(trees: int, seed: int, ways: Iterable[str], variants: Any = VARIANTS) -> int:
    rng = random.Random(seed)
    return sum(assert_truth(chance_tree(rng), 0, None, ways, variants) for _ in range(trees))


# --- the truth ----------------------------------------------------------------------------------------


def test_trees_with_chance_have_one_answer_however_they_are_searched() -> None:
    assert sweep(SOME_TREES, 0, WAYS) == SOME_TREES * len(WAYS) * len(VARIANTS)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(SWEEPS))
def test_a_hundred_thousand_trees_with_chance_have_one_answer_each(number: int) -> None:
    variants = [(pruning, size) for pruning in ("none", "star1", "star2") for size in (0, 1)]
    assert sweep(TREES, 1 + number, WAYS[-1:], variants) == TREES * len(variants)


@pytest.mark.slow
def test_ten_thousand_trees_with_chance_have_one_answer_interpreted() -> None:
    assert sweep(10_000, 11, ["never"]) == 10_000 * len(VARIANTS)


PROBABILITIES = st.sampled_from(
    [(1.0,), (0.5, 0.5), (0.1, 0.2, 0.7), (1 / 3, 1 / 3, 1 / 3), (1e-9, 1 - 1e-9)]
)
LEAVES = st.integers(-3, 3) | st.floats(-3, 3)


def _nodes(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    by_chance = PROBABILITIES.flatmap(
        lambda odds: st.tuples(*[below] * len(odds)).map(lambda subtrees: Chance(list(zip(odds, subtrees))))
    )
    return st.lists(below, min_size=1, max_size=3) | by_chance


@given(spec=st.recursive(LEAVES, _nodes, max_leaves=12), movers=st.sampled_from([(0, 1), (1, 0), (1, 1, 0)]))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_tree_with_chance_has_one_value(spec: Any, movers: tuple[int, ...]) -> None:
    tree = ChanceTree(spec, movers, payoffs=(-3, 3))
    truth = oracle.expectiminimax(tree)
    for pruning, hash_mb in VARIANTS:
        found = expectiminimax(tree, pruning=pruning, hash_mb=hash_mb, compile="never")
        assert found.values[0] == pytest.approx(truth.value, abs=1e-9)
        assert found.action is None or any(found.action == best for best in truth.best)


def test_a_game_in_which_paths_meet_has_the_value_of_its_tree() -> None:
    assert_truth(DiceNim(1, 1, 2), None, None, ["never"], VARIANTS)
    assert_truth(Ordered(1, 1, 2), State((1, 1, 2), 3, 1), None, ["never"], VARIANTS)


def test_to_a_depth_estimates_stand_for_values() -> None:
    for depth, (game, state) in itertools.product(
        (1, 2),
        [(DiceNim(2, 3, 4), State((2, 3, 4), 2, 0)), (Ordered(2, 3, 4), None), (Undeclared(2, 3, 3), None)],
    ):
        assert_truth(game, state, depth, ["never"], VARIANTS)
        assert not expectiminimax(game, state, depth=depth, compile="never").exact


def test_depth_counts_actions_and_not_throws() -> None:
    game, state = DiceNim(2, 3, 4), State((2, 3, 4), 2, 0)
    best = max(game.evaluate(game.result(state, action), 0) for action in game.actions(state))
    assert expectiminimax(game, state, depth=1, compile="never").value == best


def test_a_game_without_chance_has_the_value_of_minimax() -> None:
    nim = Nim(counters=9)
    for pruning, hash_mb in VARIANTS:
        found = expectiminimax(nim, pruning=pruning, hash_mb=hash_mb, compile="never")
        truth = alphabeta(nim, compile="never")
        assert (found.values, found.line) == (truth.values, truth.line)
    four = ConnectFour(width=4, height=4)
    truth = alphabeta(four, depth=3, compile="never")
    assert expectiminimax(four, depth=3, compile="never").values == truth.values


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_give_the_same_answer_node_for_node() -> None:
    rng = random.Random(5)
    for _ in range(40):
        tree = chance_tree(rng)
        for pruning, hash_mb in VARIANTS:
            given: Any = {"pruning": pruning, "hash_mb": hash_mb, "moves": True, "distribution": True}
            found = [facts(expectiminimax(tree, compile=way, **given)) for way in WAYS]
            assert found[0] == found[1], (pruning, hash_mb)


def test_the_lecture_expectations_are_not_kept_by_a_transformation_that_keeps_the_order() -> None:
    """Russell & Norvig, figure 5.12: minimax sees the order of payoffs alone, expectiminimax their size."""

    def tree(one: float, two: float, three: float, four: float) -> Tree:
        return Tree(
            [
                Chance([(0.9, [two, two]), (0.1, [three, three])]),
                Chance([(0.9, [one, one]), (0.1, [four, four])]),
            ]
        )

    before, after = tree(1, 2, 3, 4), tree(1, 20, 30, 400)
    assert (expectiminimax(before).action, expectiminimax(after).action) == (0, 1)
    assert expectiminimax(before).value == pytest.approx(2.1)
    assert expectiminimax(after).value == pytest.approx(40.9)
    for certain in ([[1, 2], [3, 4]], [[1, 20], [30, 400]]):
        assert alphabeta(Tree(certain)).action == 1


# --- pruning ------------------------------------------------------------------------------------------


def counted(game: Game, **given: Any) -> dict[str, int]:
    return {way: expectiminimax(game, pruning=way, compile="never", **given).nodes for way in PRUNINGS}


def test_each_star_looks_at_fewer_nodes_than_the_one_before() -> None:
    nodes = counted(Ordered(2, 3, 4), depth=2, hash_mb=0)
    assert nodes["none"] > nodes["star1"] > nodes["star2"]


def test_star1_leaves_a_chance_node_as_soon_as_the_rest_cannot_matter() -> None:
    # After 0 with probability 1/2, at most (0 + 10)/2 = 5 is left: not more than 6.
    tree = Tree([6, Chance([(0.5, 0), (0.5, [9, 9, 9, 9])])], payoffs=(-10, 10))
    assert counted(tree, hash_mb=0) == {"none": 9, "alphabeta": 9, "star1": 4, "star2": 4}


def test_star2_asks_each_outcome_one_question_first() -> None:
    # One reply each shows that MIN keeps both outcomes at 1 or less, and MAX has 2 already.
    tree = Tree([2, Chance([(0.5, [1, 9, 9, 9]), (0.5, [1, 9, 9, 9])])], payoffs=(-10, 10))
    assert counted(tree, hash_mb=0) == {"none": 13, "alphabeta": 13, "star1": 10, "star2": 7}


def test_without_declared_payoffs_star_pruning_is_off_and_the_result_says_so() -> None:
    found = expectiminimax(Undeclared(), depth=2, compile="never")
    assert found.parameters["pruning"] == "alphabeta"
    assert found.notes == ("Undeclared declares no `payoffs`, so Star pruning is off",)
    assert "declares no `payoffs`" in str(found)
    assert found.to_dict()["notes"] == list(found.notes)
    assert expectiminimax(Undeclared(), depth=2, pruning="alphabeta", compile="never").notes == ()


def test_payoffs_without_an_end_are_no_bounds() -> None:
    tree = ChanceTree([Chance([(0.5, 1), (0.5, 2)]), 1], payoffs=(-2, math.inf))
    found = expectiminimax(tree, compile="never")
    assert found.value == 1.5
    assert found.notes == ("ChanceTree has no bound on its `payoffs`, so Star pruning is off",)


@pytest.mark.parametrize("state", [None, State((1, 2, 2), 2, 0)], ids=["chance", "player"])
@pytest.mark.parametrize("depth", [1, 2])
def test_an_estimate_outside_of_payoffs_switches_star_pruning_off(state: Any, depth: int) -> None:
    game = Loud()
    found = expectiminimax(game, state, depth=depth, compile="never")
    assert found.values[0] == pytest.approx(oracle.expectiminimax(game, state, depth).value)
    assert found.parameters["pruning"] == "alphabeta"
    assert found.notes == (
        "Loud.evaluate gives estimates outside of `payoffs` = (-1, 1), so Star pruning is off",
    )


# --- the root -----------------------------------------------------------------------------------------


def test_at_a_chance_node_there_is_a_value_and_no_action() -> None:
    found = expectiminimax(Tree(Chance([(0.25, [1, 5]), (0.75, 4)]), payoffs=(-5, 5)), moves=True)
    assert (found.player, found.action, found.line, found.names) == (CHANCE, None, (), ())
    assert found.values == (4.25, -4.25)
    assert found.value == 4.25
    assert [(move.name, float(move.value)) for move in found.moves] == [("1", 5.0), ("2", 4.0)]
    assert found.exact
    assert "chance decides" in str(found)
    assert "4.25 for MAX" in str(found)


def test_an_outcome_that_cannot_happen_is_not_looked_at() -> None:
    class Never(DiceNim):
        """A die with a face that never comes, behind which the rules break."""

        def chance(self, s: State) -> Iterator[tuple[int, float]]:
            yield 6, 0.0
            yield 2, 1.0
            yield 5, 0.0

        def player(self, s: State) -> int:
            assert s.die in (0, 2)
            return super().player(s)

    for pruning in PRUNINGS:
        assert expectiminimax(Never(1, 1, 2), pruning=pruning, compile="never").exact


def test_the_line_ends_where_chance_decides() -> None:
    tree = Tree([[[Chance([(0.5, 3), (0.5, [1, 2])])], [9]], [0]], payoffs=(-9, 9))
    found = expectiminimax(tree)
    assert (found.line, found.names) == ((0, 0, 0), ("1", "1", "1"))
    assert found.value == 2


def test_of_equal_actions_the_first_is_taken_whatever_rounding_says() -> None:
    third = Chance([(1 / 3, 0.1), (1 / 3, 0.1), (1 / 3, 0.1)])
    tenths = Chance([(0.1, 0.1)] * 10)
    assert sum([0.1 * 0.1] * 10) != 1 / 3 * 0.1 * 3
    for first, second in itertools.permutations([third, tenths, 0.1], 2):
        for pruning, hash_mb in VARIANTS:
            tree = Tree([first, second], payoffs=(-1, 1))
            assert expectiminimax(tree, pruning=pruning, hash_mb=hash_mb, compile="never").action == 0


def test_every_move_has_its_exact_value_on_request() -> None:
    game, state = DiceNim(1, 1, 2), State((1, 1, 2), 2, 1)
    for pruning, hash_mb in VARIANTS:
        found = expectiminimax(game, state, moves=True, pruning=pruning, hash_mb=hash_mb, compile="never")
        truth = [
            -oracle.expectiminimax(game, game.result(state, action)).value for action in game.actions(state)
        ]
        assert [float(move.value) for move in found.moves] == pytest.approx(truth)
        assert all(move.exact and move.bound == "exact" for move in found.moves)


def test_probabilities_may_be_fractions() -> None:
    class Fair(DiceNim):
        def chance(self, s: State) -> Iterator[tuple[int, Any]]:
            for face in range(1, 7):
                yield face, Fraction(1, 6)

    assert expectiminimax(Fair(), compile="never").values == expectiminimax(DiceNim(), compile="never").values


@pytest.mark.parametrize("depth", [0, 3])
def test_a_terminal_state_and_depth_zero_are_valued_at_once(depth: int) -> None:
    game = DiceNim()
    end = expectiminimax(game, State((0, 0, 0), 0, 1), depth=depth, distribution=True)
    assert (end.values, end.exact, end.distribution) == ((1.0, -1.0), True, ((1.0, 1.0),))
    if depth == 0:
        here = expectiminimax(game, depth=0)
        assert (here.player, here.values[0], here.exact) == (CHANCE, game.evaluate(game.initial(), 0), False)


# --- distributions ------------------------------------------------------------------------------------


def assert_distribution(game: Game, state: Any, depth: int | None, found: Analysis) -> None:
    assert found.distribution is not None
    truth = oracle.distribution(game, state, depth)
    total = game.total or 0
    mine = {total - payoff if found.player == 1 else payoff: chance for payoff, chance in truth.items()}
    assert [payoff for payoff, _ in found.distribution] == sorted(mine)
    assert [chance for _, chance in found.distribution] == pytest.approx(
        [mine[p] for p in sorted(mine)], abs=1e-12
    )
    assert sum(chance for _, chance in found.distribution) == pytest.approx(1)
    assert sum(p * chance for p, chance in found.distribution) == pytest.approx(
        float(found.value or 0), abs=1e-9
    )


def test_the_distribution_is_that_of_best_play() -> None:
    rng = random.Random(3)
    for number in range(SOME_TREES):
        tree = chance_tree(rng)
        pruning, hash_mb = VARIANTS[number % len(VARIANTS)]
        found = expectiminimax(
            tree, pruning=pruning, hash_mb=hash_mb, distribution=True, compile=WAYS[number % len(WAYS)]
        )
        assert_distribution(tree, 0, None, found)


def test_the_distribution_to_a_depth_has_estimates_in_it() -> None:
    game = Ordered(1, 2, 2)
    for depth, state in itertools.product((1, 2), (None, State((1, 2, 2), 2, 1))):
        found = expectiminimax(game, state, depth=depth, distribution=True, compile="never")
        assert_distribution(game, state, depth, found)


def test_two_games_of_one_mean_are_told_apart_by_their_distributions() -> None:
    safe, bold = Tree([[3]]), Tree([Chance([(0.5, 0), (0.5, 6)])])
    found = [expectiminimax(tree, distribution=True, compile="never") for tree in (safe, bold)]
    assert found[0].value == found[1].value == 3
    assert [one.distribution for one in found] == [((3.0, 1.0),), ((0.0, 0.5), (6.0, 0.5))]
    assert "outcomes  0: 0.5, 6: 0.5" in str(found[1])
    assert json.loads(found[1].to_json())["distribution"] == [
        {"payoff": 0.0, "probability": 0.5},
        {"payoff": 6.0, "probability": 0.5},
    ]
    assert "distribution" not in expectiminimax(bold, compile="never").to_dict()


def test_of_many_payoffs_the_likeliest_are_printed() -> None:
    tree = Tree(Chance([(1 / 20, payoff) for payoff in range(20)]))
    assert "and 8 less likely ones" in str(expectiminimax(tree, distribution=True))


# --- limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", [1, 2, 7, 40, 200, 1500])
def test_out_of_nodes_the_last_finished_depth_answers(nodes: int) -> None:
    game, state = DiceNim(2, 3, 3), State((2, 3, 3), 4, 0)
    found = expectiminimax(game, state, limit=Limit(nodes=nodes), compile="never")
    assert found.nodes == nodes
    assert found.stopped_by == "nodes"
    if nodes >= 40:
        whole = expectiminimax(game, state, depth=found.depth, compile="never")
        assert (found.values, found.action, found.bound) == (whole.values, whole.action, "exact")


def test_under_a_limit_a_game_is_searched_deeper_until_it_is_proven() -> None:
    told: list[Analysis] = []
    found = expectiminimax(
        DiceNim(1, 1, 2), limit=Limit(nodes=1_000_000), compile="never", on_progress=told.append
    )
    assert found.exact and found.stopped_by == "end"
    assert [one.depth for one in told] == [1, 2, 3]
    assert found.value == pytest.approx(oracle.expectiminimax(DiceNim(1, 1, 2)).value)


def test_out_of_time_the_last_finished_depth_answers() -> None:
    found = expectiminimax(DiceNim(30, 40, 50), limit=Limit(seconds=0.05), compile="never")
    assert (found.stopped_by, found.exact, found.value is not None) == ("seconds", False, True)
    assert found.depth is not None and found.depth >= 1


def test_out_of_time_there_is_no_distribution() -> None:
    found = expectiminimax(DiceNim(9, 9, 9), limit=Limit(nodes=2000), distribution=True, compile="never")
    assert (found.stopped_by, found.distribution) == ("nodes", None)


# --- refusals -----------------------------------------------------------------------------------------


class Unfair(DiceNim):
    """A die whose probabilities are not what they should be where few counters are left."""

    odds: float

    def __init__(self, odds: float):
        super().__init__(1, 1, 2)
        self.odds = odds

    def chance(self, s: State) -> Iterator[tuple[int, float]]:
        if s.heaps[1] == 0:
            yield 1, 0.5
            yield 2, self.odds
        else:
            yield 1, 1.0


class Nothing(DiceNim):
    """A die without faces."""

    def chance(self, s: State) -> Iterator[tuple[int, float]]:
        return iter(())


class Liar(DiceNim):
    """Pays more than it declares where player 1 wins."""

    def utility(self, s: State, p: int) -> float:
        return (5 if super().utility(s, 1) > 0 else 1) * super().utility(s, p)


class Rule(DiceNim):
    repetition = ("draw", 2)


class Circle(DiceNim):
    """Chance follows on chance for ever."""

    def player(self, s: State) -> int:
        return CHANCE

    def result(self, s: State, a: int) -> State:
        return s


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (0.4, "sum to 0.9; they have to sum to 1"),
        (0.5 + 1e-8, "they have to sum to 1"),
        (-0.5, "gives the probability -0.5"),
    ],
)
@pytest.mark.parametrize("pruning", PRUNINGS)
def test_probabilities_that_do_not_sum_to_one_are_refused(odds: float, words: str, pruning: Any) -> None:
    with pytest.raises(RulesError, match=r"Unfair\.chance") as refusal:
        expectiminimax(Unfair(odds), pruning=pruning, compile="never")
    assert words in str(refusal.value)
    assert refusal.value.path[0] == "1"


def test_probabilities_are_refused_at_the_root_too() -> None:
    state = State((0, 0, 2), 0, 0)
    for moves in (False, True):
        with pytest.raises(RulesError, match=r"sum to 0\.9"):
            expectiminimax(Unfair(0.4), state, moves=moves, compile="never")
    with pytest.raises(RulesError, match=r"Nothing\.chance gives no outcomes"):
        expectiminimax(Nothing(), compile="never")


def test_a_payoff_outside_of_payoffs_is_seen_before_the_search() -> None:
    with pytest.raises(RulesError, match=r"Liar.utility returned -?5.0, which is outside `payoffs"):
        expectiminimax(Liar(0, 1, 1), compile="never")


@pytest.mark.parametrize("state", [State((0, 1, 1), 0, 0), State((0, 0, 2), 2, 1), State((0, 0, 1), 0, 1)])
def test_a_payoff_outside_of_payoffs_that_only_the_search_sees_is_refused(state: Any) -> None:
    game = Liar(0, 0, 1)
    with pytest.raises(
        RulesError, match=r"Liar.utility returned -?5 for player 0, which is outside of `payoffs`"
    ):
        expectiminimax(game, state, compile="never")
    assert abs(float(expectiminimax(game, state, pruning="none", compile="never").value or 0)) > 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (KuhnPoker(), "KuhnPoker hides information (it defines `observe`); {} assumes"),
        (
            Tree([Chance([(1, (1, 2, 3))])], movers=(0, 1, 2)),
            "has 3 players; {} needs two. Use maxn",
        ),
        (Tree([Chance([(0.5, (1, 1)), (0.5, (0, 5))])]), "(total = None)"),
        (Rule(), "Rule has a rule on repeated positions (`repetition`)"),
    ],
    ids=["hidden", "players", "total", "repetition"],
)
def test_a_game_that_does_not_fit_is_refused_by_name(game: Game, words: str) -> None:
    for ask, name in (
        (expectiminimax, "expectiminimax"),
        (partial(analyze, method="expectiminimax"), "analyze"),
    ):
        with pytest.raises(UnsuitableError) as refusal:
            ask(game)
        assert words.format(name) in str(refusal.value)


def test_the_refusal_of_a_rule_on_repetition_says_what_to_do() -> None:
    class Still(Nim):
        repetition = ("draw", 2)

    with pytest.raises(UnsuitableError, match="Use alphabeta"):
        expectiminimax(Still())
    with pytest.raises(UnsuitableError, match="into the state"):
        expectiminimax(Rule())


def test_a_game_without_an_end_is_refused_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gametree.search.chance.root.MAX_PLIES", 300)
    monkeypatch.setattr("gametree.search.core.root.MAX_PLIES", 300)
    with pytest.raises(TooDeepError, match=r"Pig has no end in sight.*depth=2.*solve"):
        expectiminimax(Pig(goal=10), compile="never")
    with pytest.raises(TooDeepError, match="Circle has no end in sight"):
        expectiminimax(Circle(), compile="never")


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_a_game_of_65536_plies_is_too_deep(way: str) -> None:
    with pytest.raises(TooDeepError, match=r"Pig has no end in sight.*depth=2.*solve"):
        expectiminimax(Pig(goal=10), compile=way)


def test_a_depth_needs_an_evaluation() -> None:
    tree = Tree([Chance([(0.5, [[1, 2]]), (0.5, 3)])])
    for depth in (0, 1, 2):
        with pytest.raises(
            UnsuitableError, match=rf"has no `evaluate`, so expectiminimax cannot stop at depth {depth}"
        ):
            expectiminimax(tree, depth=depth, compile="never")
    assert expectiminimax(tree, depth=3, compile="never").exact


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"pruning": "star3"}, "pruning='star3': it is 'star2', 'star1', 'alphabeta', 'none'"),
        ({"hash_mb": -1}, "hash_mb=-1"),
        ({"hash_mb": True}, "hash_mb=True"),
        ({"compile": "maybe"}, "compile='maybe'"),
        ({"depth": -1}, "depth must be a whole number"),
        ({"limit": 3}, r"limit=3: write limit=Limit\(seconds=3\)"),
        ({"state": 5}, "a state of DiceNim is a State"),
        ({"evaluation": "best"}, "DiceNim has no evaluation 'best'"),
    ],
    ids=str,
)
def test_what_cannot_be_meant_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        expectiminimax(DiceNim(), **given)
    with pytest.raises(InputError, match="expectiminimax takes a game, not its class"):
        expectiminimax(DiceNim)  # type: ignore[arg-type]


def test_an_estimate_of_nan_is_refused() -> None:
    with pytest.raises(RulesError, match=r"DiceNim\.evaluate or \.utility returned nan"):
        expectiminimax(DiceNim(), depth=2, evaluation=lambda state, player: math.nan, compile="never")


# --- analyze ------------------------------------------------------------------------------------------


def test_analyze_takes_expectiminimax_for_games_with_chance() -> None:
    found = analyze(DiceNim(1, 1, 2), compile="never")
    assert (found.method, found.exact) == ("expectiminimax", True)
    even = analyze(Tree([Chance([(0.5, [1, 2]), (0.5, 3)]), 1]), depth=1, compile="never")
    assert even.value == 1 and even.stopped_by == "depth"
    named = analyze(Nim(counters=5), method="expectiminimax", compile="never")
    assert named.method == "expectiminimax" and named.value == 1
    refused: list[dict[str, Any]] = [{"lines": 2}, {"actions": [0]}]
    for asked in refused:
        with pytest.raises(InputError, match="looks at all actions and gives one line"):
            analyze(DiceNim(), **asked)


def test_a_player_may_move_twice() -> None:
    tree = Tree([Chance([(0.5, Turn(0, [1, 4])), (0.5, Turn(0, [Turn(0, [7, 2])]))])], payoffs=(-9, 9))
    assert expectiminimax(tree).value == 5.5
