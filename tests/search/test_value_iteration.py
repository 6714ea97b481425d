"""Solving games with chance: every position valued, circles included, within the error that is stated."""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import oracle
from fixtures.dice_nim import DiceNim, State
from gametree import (
    CHANCE,
    Chance,
    Game,
    InputError,
    Limit,
    RulesError,
    Solver,
    Tree,
    UnsuitableError,
    best_response,
    expectiminimax,
    solve,
    strategy,
)
from gametree.games import Pig
from gametree.games import pig as pigs
from gametree.search.solve import chance_listing, chance_solving
from gametree.search.solve.chance_graph import ChanceGraph
from gametree.search.solve.solver import CannotFinishError
from gametree.search.solve.value_iteration import Iteration
from search.agreement import WAYS

PIGLET = {
    # Neller & Presser 2004, table for Piglet with a goal of 2: own points, the other's, those of this turn.
    (0, 0, 0): Fraction(4, 7),
    (0, 0, 1): Fraction(5, 7),
    (0, 1, 0): Fraction(2, 5),
    (0, 1, 1): Fraction(3, 5),
    (1, 0, 0): Fraction(4, 5),
    (1, 1, 0): Fraction(2, 3),
}


def naive(game: Game) -> dict[Any, float]:
    """The values to player 0 that reproduce themselves: from even payoffs on, again and again until nothing changes."""
    states, waiting = {game.initial()}, [game.initial()]
    follow = {}
    for state in waiting:
        if game.is_terminal(state):
            continue
        if game.player(state) == CHANCE:
            follow[state] = [(game.result(state, outcome), odds) for outcome, odds in game.chance(state)]
        else:
            follow[state] = [(game.result(state, action), 1.0) for action in game.actions(state)]
        for child, _ in follow[state]:
            if child not in states:
                states.add(child)
                waiting.append(child)
    values = {s: float(game.utility(s, 0)) if game.is_terminal(s) else (game.total or 0) / 2 for s in states}
    changed = True
    while changed:
        changed = False
        for state, children in reversed(follow.items()):
            player = game.player(state)
            if player == CHANCE:
                value = sum(odds * values[child] for child, odds in children)
            else:
                value = (max if player == 0 else min)(values[child] for child, _ in children)
            changed = changed or abs(value - values[state]) > 1e-14
            values[state] = value
    return values


class Seen(Pig):
    """Pig that does not tell which positions are worth the same."""

    value_key = Game.value_key  # type: ignore[assignment]


# --- what is known ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [Pig, Seen])
def test_piglet_has_the_published_probabilities(rules: type[Pig]) -> None:
    # A coin for a die: heads, which count one, are a two here, and all points are doubled.
    piglet = rules(goal=4, sides=2)
    found = solve(piglet)
    assert found.policy is not None and found.error is not None
    assert found.solved and found.exact and found.circular and found.error < 1e-9
    assert found.positions == (6 if rules is Pig else 12)
    for (mine, theirs, turn), truth in PIGLET.items():
        for state in (
            pigs.State(2 * mine, 2 * theirs, 2 * turn, 0, False),
            pigs.State(2 * theirs, 2 * mine, 2 * turn, 1, False),
        ):
            assert float(found.policy.value(state)) == pytest.approx(float(truth), abs=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_a_small_pig_has_the_values_that_reproduce_themselves(way: str) -> None:
    pig = Pig(goal=9, sides=3)
    if way == "always":
        compiled, plain = solve(pig, compile="always"), solve(pig, compile="never")
        assert compiled.values == plain.values
        assert (compiled.action, compiled.error) == (plain.action, plain.error)
        return
    found = solve(pig, compile=way)
    assert found.policy is not None
    for state, truth in naive(pig).items():
        assert found.policy.worth(state, 0) == pytest.approx(truth, abs=1e-9)
        assert found.policy.worth(state, 1) == pytest.approx(1 - truth, abs=1e-9)


@pytest.mark.slow
def test_the_first_player_wins_pig_with_probability_0_5306() -> None:
    found = solve(Pig(), moves=True)
    assert found.policy is not None and found.error is not None
    assert found.values[0] == pytest.approx(0.5306, abs=5e-5)
    assert found.error < 1e-9
    assert [(move.name, round(float(move.value), 4)) for move in found.moves] == [("roll", 0.5306)]
    # At the start of the game one rolls with 20 points and holds with 21 (Neller & Presser).
    assert [found.policy(pigs.State(0, 0, turn, 0, False)) for turn in (19, 20, 21)] == [0, 0, 1]


def test_a_game_without_circles_has_the_value_of_its_tree() -> None:
    game = DiceNim(1, 1, 2)
    found = solve(game, compile="never")
    assert found.value == pytest.approx(oracle.expectiminimax(game).value)
    assert (found.circular, found.player, found.action) == (False, CHANCE, None)
    assert found.error == 0
    deeper = expectiminimax(DiceNim(2, 3, 3), compile="never")
    assert solve(DiceNim(2, 3, 3)).values == pytest.approx(deeper.values)


def test_trees_with_chance_are_solved() -> None:
    tree = Tree([Chance([(0.5, [1, 2]), (0.5, 8)]), 3], total=10)
    found = solve(tree, moves=True)
    assert (found.action, found.values, found.names) == (0, (4.5, 5.5), ("1",))
    assert [float(move.value) for move in found.moves] == [4.5, 3.0]
    second = solve(tree, 1)
    assert (second.player, second.value) == (CHANCE, second.analysis.value)
    assert solve(tree, 1, moves=True).values == (4.5, 5.5)
    last = solve(Tree(Chance([(0.5, 1), (0.5, 2)])), moves=True, compile=WAYS[-1])
    assert (last.values, last.positions, last.error) == ((1.5, -1.5), 0, 0.0)


def test_the_policy_is_as_good_as_it_says() -> None:
    pig = Pig(goal=12, sides=3)
    policy = solve(pig).policy
    assert policy is not None
    best = policy

    class Followed(Pig):
        """Pig in which the first player has to follow the policy."""

        def actions(self, state: pigs.State) -> list[int]:
            legal = list(super().actions(state))
            return [best(state)] if state.mover == 0 and legal else legal

    held = naive(Followed(goal=12, sides=3))[pig.initial()]
    assert policy(pigs.State(0, 0, 5, 0, False)) == pigs.HOLD
    assert held == pytest.approx(policy.worth(pig.initial(), 0), abs=1e-8)


def test_the_solution_prints_and_writes_what_it_knows() -> None:
    found = solve(Pig(goal=6), moves=True)
    text = str(found)
    for words in (
        "Pig, solved by value iteration",
        "for the first player",
        "the error is at most",
        "play can go in circles",
    ):
        assert words in text
    assert found.outcome is None
    data = json.loads(found.to_json())
    assert data["error"] == found.error and data["outcome"] is None and data["circular"] is True
    rolling = pigs.State(0, 0, 0, 0, True)
    thrown = solve(Pig(goal=6), rolling, moves=True)
    assert "chance decides" in str(thrown)
    assert [move.name for move in thrown.moves] == list("123456")


# --- limits -------------------------------------------------------------------------------------------


def test_solving_stops_at_a_limit_and_is_taken_up_again() -> None:
    solver = Solver(Pig(goal=12), compile="never")
    stopped = solver.solve(limit=Limit(nodes=50))
    assert (stopped.solved, stopped.value, stopped.stopped_by) == (False, None, "nodes")
    assert stopped.estimate is not None
    whole = solver.solve()
    assert whole.solved and whole.value == solve(Pig(goal=12), compile="never").value
    solver.clear()
    assert not solver.solve(limit=Limit(seconds=0)).solved


def test_while_bounds_are_narrowed_it_can_be_stopped_and_tells_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gametree.search.core.stopwatch.REPORT", 0.0)
    told: list[str] = []
    solver = Solver(Pig(goal=12), compile="never")

    def stop(progress: Any) -> None:
        told.append(str(progress))
        if progress.stage == "iterating" and progress.nodes >= 3:
            solver.stop()

    assert solver.solve(on_progress=stop).stopped_by == "cancelled"
    assert any("positions looked at" in text for text in told)
    assert any(text.startswith("3 passes done, bounds are at most") for text in told)
    assert solver.solve().solved


def test_too_many_positions_are_refused_with_the_way_out() -> None:
    with pytest.raises(
        CannotFinishError, match=r"more than 20 positions from here.*most_states.*expectiminimax"
    ):
        solve(Pig(), most_states=20)


# --- refusals -----------------------------------------------------------------------------------------


class Stalling(DiceNim):
    """Who does not like the die passes it on, for ever."""

    def actions(self, s: State) -> Iterator[int]:
        yield 99
        yield from super().actions(s)

    def result(self, s: State, a: int) -> State:
        return State(s.heaps, 0, 1 - s.mover) if a == 99 else super().result(s, a)


class Unfair(DiceNim):
    def chance(self, s: State) -> Iterator[tuple[int, float]]:
        yield 1, 0.5
        yield 2, 0.5 if s.heaps[0] else 0.4


class Wheel(DiceNim):
    """Dice that are thrown for ever once a heap is gone."""

    def player(self, s: State) -> int:
        return CHANCE if s.heaps[0] == 0 else super().player(s)

    def result(self, s: State, a: int) -> State:
        return s if s.heaps[0] == 0 else super().result(s, a)


class Priceless(DiceNim):
    payoffs = None  # type: ignore[assignment]

    def utility(self, s: State, p: int) -> float:
        return float("inf") if p else float("-inf")


def test_a_game_that_the_players_can_keep_from_ending_is_refused_with_what_is_known() -> None:
    with pytest.raises(
        UnsuitableError, match=r"can keep the game from ending.*lies between -1 and 1.*a rule"
    ):
        solve(Stalling(1, 1, 2), State((1, 1, 2), 1, 0))


def test_rules_that_are_not_sound_are_refused() -> None:
    with pytest.raises(RulesError, match=r"sum to 0\.9; they have to sum to 1"):
        solve(Unfair(1, 1, 2))
    with pytest.raises(RulesError, match="chance follows on chance more than 100 times"):
        solve(Wheel(1, 1, 2))
    with pytest.raises(RulesError, match=r"utility returned -?inf"):
        solve(Priceless(1, 1, 2))


def test_what_solving_with_chance_does_not_do_is_refused() -> None:
    with pytest.raises(
        InputError, match=r'method="search": DiceNim has chance nodes, so its positions are listed'
    ):
        solve(DiceNim(), method="search")
    for ask in (
        lambda: Solver(DiceNim()).values(),
        lambda: strategy(DiceNim()),
        lambda: strategy(Pig(goal=4)),
    ):
        with pytest.raises(UnsuitableError, match=r"has chance nodes.*solve\(game\)\.policy"):
            ask()
    with pytest.raises(UnsuitableError, match="has chance nodes"):
        best_response(DiceNim(), lambda state: 0, player=1)


def test_a_policy_knows_only_what_follows() -> None:
    policy = solve(Pig(goal=10), Pig(goal=10).parse_state("5 5")).policy
    assert policy is not None
    with pytest.raises(InputError, match="does not follow from the position that was solved"):
        policy(pigs.State(0, 0, 4, 0, False))
    assert policy.line(pigs.State(5, 5, 0, 0, False)) == [pigs.ROLL]


class Choice(DiceNim):
    """Who has thrown a six may win at once or go on for ever."""

    def actions(self, s: State) -> Iterator[int]:
        yield from (98, 99) if s.die == 6 else super().actions(s)

    def result(self, s: State, a: int) -> State:
        if a == 98:
            return State((0, 0, 0), 0, 1 - s.mover)
        return s if a == 99 else super().result(s, a)


def test_play_that_never_ends_may_be_worth_more_than_any_payoff() -> None:
    state = State((1, 1, 2), 6, 0)
    assert solve(Choice(1, 1, 2), state).value == 1
    with pytest.raises(UnsuitableError, match=r"can keep the game from ending.*between 1 and 5"):
        solve(Choice(1, 1, 2), state, endless=5)


def test_a_solver_that_has_seen_more_counts_what_follows_from_here() -> None:
    solver, pig = Solver(Pig(goal=12, sides=3)), Pig(goal=12, sides=3)
    later = pig.parse_state("8 8")
    whole, part = solver.solve(), solver.solve(later)
    alone = solve(pig, later)
    assert whole.positions is not None and part.positions == alone.positions
    assert part.positions is not None and part.positions < whole.positions
    assert part.values == pytest.approx(alone.values)


# --- listed by compiled rules -------------------------------------------------------------------------


@pytest.mark.needs_compiler
def test_compiled_rules_list_the_same_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = solve(Pig(goal=12), compile="never")
    monkeypatch.setattr(chance_solving, "FEW", 10)
    monkeypatch.setattr(chance_listing, "CHUNK", 37)
    monkeypatch.setattr(chance_listing, "EDGES_EACH", 1)
    solver = Solver(Pig(goal=12), most_states=1000)
    stopped = solver.solve(limit=Limit(nodes=100))
    assert (stopped.solved, stopped.stopped_by, stopped.nodes) == (False, "nodes", 100)
    fast = solver.solve(moves=True)
    assert fast.policy is not None and plain.policy is not None
    assert isinstance(fast.policy._graph, chance_listing.Listed)
    assert (fast.positions, fast.circular, fast.action) == (plain.positions, plain.circular, plain.action)
    assert fast.values == pytest.approx(plain.values, abs=1e-10)
    for text in ("0 0 5", "3 7 4 second", "8 2 0 second", "7 7 3 rolls"):
        state = Pig(goal=12).parse_state(text)
        assert fast.policy.worth(state, 0) == pytest.approx(plain.policy.worth(state, 0), abs=1e-10)
    later = solver.solve(Pig(goal=12).parse_state("8 8"))
    assert later.positions is not None and later.positions < (fast.positions or 0)
    with pytest.raises(CannotFinishError, match=r"more than 100 positions from here \(101 were found"):
        solve(Pig(goal=12), most_states=100)


@pytest.mark.needs_compiler
def test_what_compiled_rules_stumble_over_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance_solving, "FEW", 1)
    with pytest.raises(RulesError, match=r"sum to 0\.9; they have to sum to 1"):
        solve(Unfair(1, 1, 2))


# --- inside -------------------------------------------------------------------------------------------


def test_exploring_mends_what_was_left_half_done() -> None:
    graph = ChanceGraph(Pig(goal=8))
    graph.number(Pig(goal=8).initial())
    graph.explore(10_000, iter([False] * 5 + [True]).__next__)
    expected = graph.expanded
    graph.constant.append(7.0)
    graph.child.extend([1, 2])
    graph.weight.append(0.5)
    graph.begins.append(99)
    assert graph.expanded == expected
    assert graph.explore(10_000)
    whole = ChanceGraph(Pig(goal=8))
    whole.number(Pig(goal=8).initial())
    whole.explore(10_000)
    for name in ("first", "begins", "constant", "child", "weight", "states"):
        assert getattr(graph, name) == getattr(whole, name)


def test_bounds_only_ever_narrow_and_keep_the_value_between_them() -> None:
    pig = Pig(goal=7, sides=3)
    graph = ChanceGraph(pig)
    graph.number(pig.initial())
    graph.explore(10_000)
    truth = naive(pig)
    iteration = Iteration(graph, "never")
    before = iteration.widest()
    for _ in range(12):
        assert not iteration.narrow(iter([False, True]).__next__)
        assert iteration.widest() <= before
        before = iteration.widest()
        for node, state in enumerate(graph.states):
            value = truth[state] - 0.5 if state.mover == 0 else 0.5 - truth[state]
            assert iteration.low[node] - 1e-12 <= value <= iteration.high[node] + 1e-12
