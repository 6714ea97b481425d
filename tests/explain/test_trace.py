"""Traces: what they find, what they say, and that both are true."""

import itertools
import math
import random
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.conventions import Conventions
from gametree.explain.traces.trace import Trace, suggest, trace
from gametree.games.tic_tac_toe import TicTacToe
from gametree.games.tree.outline import Outline, Path, outline

AIMA: list[Any] = [[3, 12, 8], [2, "x", "y"], [14, 5, 2]]
SHALLOW: list[Any] = [[[10, 4], [14, [7, 9]]], [[6, 2], [1, 8]]]
"""The root has nothing yet; MIN holds MAX to 10 at B, and its second child E can give at least 14."""
DEEP: list[Any] = [10, [[[5, [7, 8]], 1], 2]]
"""The root has 10 by its left move; D is worth at most 5, and its second child is not looked at."""
THREE: list[Any] = [[(4, 3, 2), (7, 4, 1)], [(1, 5, 2), (7, 7, 1)]]


def spec_of(rng: random.Random) -> Any:
    return oracle.random_tree_spec(
        rng,
        depth=rng.randint(1, 5),
        branching=rng.randint(2, 4),
        high=rng.choice((1, 5)),
        leaf=rng.random() * 0.4,
    )


def compare(told: Trace, truth: oracle.Drawn) -> None:
    assert told.value == truth.value
    assert told.values == truth.returned
    assert list(told.visited) == truth.visited
    assert list(told.leaves) == truth.leaves
    cuts = [oracle.Crossed(cut.path, cut.kind, cut.depth, cut.by, list(cut.skipped)) for cut in told.cuts]
    assert cuts == truth.crossed


def sweep(trees: int, seed: int) -> dict[str, int]:
    """Compares traces with the reference for every convention, and counts what was met on the way."""
    rng = random.Random(seed)
    met = {"cuts": 0, "deep": 0, "alpha": 0, "beta": 0}
    for _ in range(trees):
        spec = spec_of(rng)
        movers = rng.choice([(0, 1), (0, 1), (1, 0), (0, 1, 1), (0, 0, 1)])
        tree = outline(gt.Tree(spec, movers=movers), most=5000)
        for cut, fail, backwards in itertools.product((">=", ">"), ("soft", "hard"), (False, True)):
            direction = "right-to-left" if backwards else "left-to-right"
            told = trace(tree, "alphabeta", Conventions(cut=cut, fail=fail, direction=direction))  # type: ignore[arg-type]
            compare(told, oracle.drawn_alphabeta(spec, movers, cut, fail, backwards))
            for one in told.cuts:
                met["cuts"] += 1
                met["deep"] += one.depth == "deep"
                met[one.kind] += 1
    return met


def test_values_leaves_and_cuts_are_those_of_the_textbook_for_every_convention() -> None:
    met = sweep(400, seed=1)
    assert all(times > 50 for times in met.values()), met


@pytest.mark.slow
def test_values_leaves_and_cuts_are_those_of_the_textbook_on_100000_trees() -> None:
    met = sweep(100_000, seed=2)
    assert all(times > 10_000 for times in met.values()), met


def node_numbers(tree: gt.Tree) -> dict[int, Path]:
    """The path of each node of a Tree."""
    paths: dict[int, Path] = {0: ()}
    for node in range(len(tree.count)):
        for action in tree.actions(node):
            paths[tree.result(node, action)] = (*paths[node], action)
    return paths


@pytest.mark.parametrize("seed", range(60))
def test_the_compiled_search_visits_the_nodes_of_the_trace(seed: int) -> None:
    rng = random.Random(1000 + seed)
    tree = gt.Tree(spec_of(rng), movers=rng.choice([(0, 1), (1, 0), (0, 1, 1)]))
    told = trace(tree)
    found = gt.alphabeta(tree)
    assert found.nodes == len(told.visited)
    assert found.values[0] == told.value
    assert (found.action,) == (told.move or (None,))
    paths = node_numbers(tree)
    assert [paths[state] for state in oracle.alphabeta(tree).visited] == list(told.visited)


class Watched(gt.Tree):
    """A tree that remembers at which nodes the search asked whether the game is over."""

    def __init__(self, spec: Any):
        super().__init__(spec)
        self.seen: list[int] = []

    def is_terminal(self, state: int) -> bool:
        self.seen.append(state)
        return super().is_terminal(state)


@pytest.mark.parametrize("seed", range(20))
def test_the_search_looks_at_the_very_nodes_that_the_trace_visits(seed: int) -> None:
    tree = Watched(spec_of(random.Random(2000 + seed)))
    gt.alphabeta(tree, compile="never")
    paths = node_numbers(tree)
    # The rehearsal before the search and the walk along the best line look at some nodes as well.
    assert {paths[state] for state in tree.seen} >= set(trace(tree).visited)


def test_minimax_visits_everything_and_agrees_with_the_oracle() -> None:
    rng = random.Random(3)
    for _ in range(200):
        tree = gt.Tree(spec_of(rng))
        told = trace(outline(tree, most=5000), "minimax")
        truth = oracle.minimax(tree)
        assert told.value == truth.value
        assert len(told.visited) == truth.nodes
        assert told.move == ((truth.best[0],) if truth.best else None)
        assert told.cuts == ()


# --- the sentences are true -------------------------------------------------------------------------


def values_below(node: Outline) -> dict[Path, float]:
    values: dict[Path, float] = {}
    for one in reversed(list(node.walk())):
        if one.is_leaf:
            assert isinstance(one.payoff, float)
            values[one.path] = one.payoff
        else:
            pick = max if one.kind == "max" else min
            values[one.path] = pick(values[child.path] for child in one.children)
    return values


def claimed(sentence: str) -> tuple[str, float]:
    """What "B is worth at most 3." says: the relation and the number."""
    worth = sentence.partition(" is worth ")[2].partition(";")[0].rstrip(".").replace("−", "-")
    for relation in ("at most", "at least"):
        if worth.startswith(relation):
            return relation, float(worth.removeprefix(relation))
    return "", float(worth)


@pytest.mark.parametrize("fail", ["soft", "hard"])
@pytest.mark.parametrize("cut", [">=", ">"])
def test_what_is_said_of_a_node_when_it_is_left_is_true(fail: Any, cut: Any) -> None:
    rng = random.Random(4)
    relations = set()
    for _ in range(150):
        tree = outline(spec_of(rng), most=5000)
        truth = values_below(tree)
        for event in trace(tree, "alphabeta", Conventions(fail=fail, cut=cut)).events:
            if event.kind == "leave":
                relation, value = claimed(event.sentence)
                relations.add(relation)
                real = truth[event.path]
                assert real <= value if relation == "at most" else real >= value
                assert relation or real == value
    assert relations == {"", "at most", "at least"}


def test_intervals_hold_the_value_and_only_shrink() -> None:
    rng = random.Random(5)
    for _ in range(40):
        tree = outline(oracle.random_tree_spec(rng, depth=3, branching=3))
        truth = values_below(tree)
        told = trace(tree)
        before = {node.path: (-math.inf, math.inf) for node in tree.walk()}
        for shot in told.snapshots():
            for path, mark in shot.marks.items():
                assert mark.low is not None
                assert mark.high is not None
                assert before[path][0] <= mark.low <= truth[path] <= mark.high <= before[path][1]
                before[path] = mark.low, mark.high
        assert before[()] == (truth[()], truth[()])


# --- the trees of the lectures ----------------------------------------------------------------------


def test_the_two_ply_tree_is_told_with_its_intervals_at_every_step() -> None:
    told = trace(AIMA, "alphabeta", Conventions(bounds="intervals"))
    assert told.value == 3
    assert told.leaves == ((0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2))
    inf = math.inf
    steps = {}
    for shot in told.snapshots():
        if shot.event is not None and shot.event.kind == "leaf":
            marks = (shot.marks[path] for path in ((), (0,), (1,), (2,)))
            steps[shot.event.path] = [(mark.low, mark.high) for mark in marks]
    free = (-inf, inf)
    # Figure 5.5 of Russell & Norvig, (a) to (f).
    assert steps == {
        (0, 0): [free, (-inf, 3), free, free],
        (0, 1): [free, (-inf, 3), free, free],
        (0, 2): [(3, inf), (3, 3), free, free],
        (1, 0): [(3, inf), (3, 3), (-inf, 2), free],
        (2, 0): [(3, 14), (3, 3), (-inf, 2), (-inf, 14)],
        (2, 1): [(3, 5), (3, 3), (-inf, 2), (-inf, 5)],
        (2, 2): [(3, 3), (3, 3), (-inf, 2), (2, 2)],
    }
    (cut,) = told.cuts
    assert (cut.path, cut.kind, cut.depth, cut.by, cut.skipped) == (
        (1,),
        "alpha",
        "shallow",
        (),
        ((1, 1), (1, 2)),
    )
    (event,) = (event for event in told.events if event.cut)
    assert event.sentence == (
        "MIN can hold MAX to 2 here, and MAX already has 3 at the root: the other two leaves cannot matter."
    )


def test_a_deep_cut_off_the_root_has_10_and_d_at_most_5() -> None:
    told = trace(DEEP)
    cut = told.cuts[0]
    node = told.outline.at(cut.path)
    assert (node.name, cut.kind, cut.depth, cut.by) == ("D", "alpha", "deep", ())
    (event, *_) = (event for event in told.events if event.cut)
    assert event.sentence == (
        "MIN can hold MAX to 5 here, and MAX already has 10 at the root: the other branch cannot matter."
    )
    leave = next(event for event in told.events if event.kind == "leave" and event.path == cut.path)
    assert leave.sentence == "D is worth at most 5."
    assert told.value == 10


def test_a_shallow_cut_off_b_is_at_least_14() -> None:
    told = trace(SHALLOW)
    cut = told.cuts[0]
    assert (cut.kind, cut.depth, cut.by, cut.skipped) == ("beta", "shallow", (0,), ((0, 1, 1),))
    (event, *_) = (event for event in told.events if event.cut)
    assert event.sentence == (
        "MAX can get 14 here, and MIN can already hold MAX to 10 at B: the other branch cannot matter."
    )
    leave = next(event for event in told.events if event.kind == "leave" and event.path == cut.path)
    assert leave.sentence == "E is worth at least 14."


def test_the_three_player_tree_is_worth_4_3_2() -> None:
    told = trace(gt.Tree(THREE, movers=(0, 2)), "maxn")
    assert told.value == (4, 3, 2)
    assert told.move == (0,)
    assert told.values[(0,)] == (4, 3, 2)
    assert told.values[(1,)] == (1, 5, 2)
    sentences = [event.sentence for event in told.events if event.kind == "backup"]
    assert sentences == [
        "The third player can get 2 at B: (4, 3, 2).",
        "The third player keeps (4, 3, 2) at B: 1 is no more than 2.",
        "The first player can get 4 at the root: (4, 3, 2).",
        "The third player can get 2 at C: (1, 5, 2).",
        "The third player keeps (1, 5, 2) at C: 1 is no more than 2.",
        "The first player keeps (4, 3, 2) at the root: 1 is no more than 4.",
    ]


@pytest.mark.parametrize("board", ["X O X / . O . / X . O", ". . X / . O . / X . O"])
def test_helmerts_two_positions_are_won_for_x(board: str) -> None:
    game = TicTacToe()
    state = game.parse_state(board.replace(" / ", "\n"))
    assert game.player(state) == 0
    told = trace(outline(game, state))
    assert told.value == 1
    assert trace(outline(game, state), "minimax").value == 1
    assert game.is_terminal(told.outline.at(told.line[-1]).state)
    assert game.utility(told.outline.at(told.line[-1]).state, 0) == 1
    assert told.events[-1].sentence == "The root is worth 1."


# --- other searches ---------------------------------------------------------------------------------


def test_expectiminimax_averages_at_chance_nodes() -> None:
    tree = gt.Tree([gt.Chance([(0.5, [2, 4]), (0.5, [6, 8])]), gt.Chance([(0.25, 0), (0.75, [5, 7])])])
    told = trace(tree, "expectiminimax")
    assert told.values[(0,)] == 0.5 * 2 + 0.5 * 6
    assert told.values[(1,)] == 0.75 * 5
    assert told.value == 4
    assert told.move == (0,)
    assert told.line == ((0,),)
    assert [event.sentence for event in told.events if event.kind == "backup" and event.path == (0,)] == [
        "2 with probability 0.5: the outcomes so far add up to 1 at B.",
        "6 with probability 0.5: the outcomes so far add up to 4 at B.",
    ]


def test_maxn_averages_at_chance_nodes_too() -> None:
    told = trace(gt.Tree([gt.Chance([(0.5, (2, 0)), (0.5, (4, 8))]), (2, 9)]), "maxn")
    assert told.value == (3, 4)


def test_without_chance_nodes_expectiminimax_is_minimax() -> None:
    rng = random.Random(6)
    for _ in range(50):
        tree = outline(spec_of(rng), most=5000)
        assert trace(tree, "expectiminimax").values == trace(tree, "minimax").values


def test_a_tree_of_one_leaf_is_its_payoff() -> None:
    for method in ("minimax", "alphabeta", "expectiminimax"):
        told = trace(7, method)
        assert (told.value, told.move, told.line, told.leaves) == (7, None, (), ((),))


@pytest.mark.parametrize("form", ["aima", "bound", "value-move"])
@pytest.mark.parametrize("fail", ["soft", "hard"])
def test_no_two_lines_of_code_after_each_other_are_empty(form: Any, fail: Any) -> None:
    kept = Conventions(form=form, fail=fail)
    chance = gt.Chance([(0.5, 1), (0.5, 2)])
    told = [
        trace([1, 2], "minimax", kept),
        trace([1, 2], "alphabeta", kept),
        trace([chance], "expectiminimax", kept),
    ]
    told += [trace(THREE, "maxn", kept), trace([gt.Chance([(1.0, (1, 2, 3))])], "maxn", kept)]
    for one in told:
        assert one.code[0] and one.code[-1]
        assert all(first or second for first, second in itertools.pairwise(one.code)), one.method


# --- events, steps and code -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["aima", "bound", "value-move"])
@pytest.mark.parametrize("fail", ["soft", "hard"])
@pytest.mark.parametrize("cut", [">=", ">"])
@pytest.mark.parametrize("method", ["minimax", "alphabeta", "expectiminimax"])
def test_every_event_points_at_the_line_that_does_it(form: Any, fail: Any, cut: Any, method: Any) -> None:
    told = trace(outline(DEEP), method, Conventions(form=form, fail=fail, cut=cut))
    words = {
        "enter": ("function", "node then"),
        "leaf": ("return",),
        "backup": ("←",),
        "cut": ("return",),
        "raise": ("α",),
        "lower": ("β",),
        "leave": ("return",),
    }
    for event in told.events:
        line = told.code[event.line - 1]
        assert any(word in line for word in words[event.kind]), (event, line)
    for event in told.events:
        line = told.code[event.line - 1]
        if event.kind == "cut":
            sign = {"alpha": "≤<", "beta": "≥>"}[event.cut.kind if event.cut else ""]
            assert sign[cut == ">"] in line


def test_a_snapshot_follows_the_events() -> None:
    told = trace(AIMA)
    start, end = told.at(0), told.at(len(told.events))
    assert {mark.status for mark in start.marks.values()} == {"unseen"}
    assert (start.event, start.nodes, start.leaves, start.cuts) == (None, 0, 0, 0)
    assert (end.nodes, end.leaves, end.cuts) == (11, 7, 1)
    assert {path for path, mark in end.marks.items() if mark.status == "cut"} == {(1, 1), (1, 2)}
    assert all(mark.status in ("done", "cut") for mark in end.marks.values())
    assert end.marks[()].best == (0,)
    middle = told.at(4)
    assert middle.marks[(0,)].status == "current"
    assert middle.marks[()].status == "open"
    assert (middle.marks[(0,)].value, middle.marks[(0,)].alpha, middle.marks[(0,)].beta) == (
        3,
        -math.inf,
        math.inf,
    )


def test_the_film_of_a_trace_shows_every_step() -> None:
    rng = random.Random(7)
    for number in range(30):
        tree = outline(oracle.random_tree_spec(rng, depth=3, branching=3))
        method = ("alphabeta", "minimax", "expectiminimax")[number % 3]
        told = trace(tree, method, Conventions(fail=("soft", "hard")[number % 2]))  # type: ignore[arg-type]
        check_snapshots(told)
    check_snapshots(trace(gt.Tree(THREE, movers=(0, 2)), "maxn"))


def check_snapshots(told: Trace) -> None:
    """Each snapshot shows what its events say, all read again from the first."""
    shots = list(told.snapshots())
    assert shots == [told.at(step) for step in range(len(told.events) + 1)]
    for step, shot in enumerate(shots):
        events = told.events[:step]
        last = {event.path: event for event in events}
        done = {event.path for event in events if event.kind in ("leave", "leaf")}
        skipped = {path for event in events if event.cut for path in event.cut.skipped}
        current = events[-1].path if events and step < len(told.events) else None
        ranges = proven(told, done)
        for node in told.outline.walk():
            path, mark = node.path, shot.marks[node.path]
            above = {path[:length] for length in range(len(path) + 1)}
            status = "open" if path in last else "unseen"
            status = "done" if path in done else status
            status = "current" if path == current else status
            assert mark.status == ("cut" if above & skipped else status)
            event = last.get(path)
            said = (mark.value, mark.alpha, mark.beta, mark.best)
            assert said == ((event.value, event.alpha, event.beta, event.best) if event else (None,) * 4)
            assert (mark.low, mark.high) == ranges.get(path, (None, None))
        assert (shot.step, shot.event) == (step, events[-1] if events else None)
        assert (shot.nodes, shot.leaves) == (len(last), sum(event.kind == "leaf" for event in events))
        assert list(shot.cut_at.values()) == [event.cut for event in events if event.cut]
        assert shot.skipped == skipped
        assert shot.best == ({(), *told.line} if step == len(told.events) else set())


def proven(told: Trace, done: set[tuple[int, ...]]) -> dict[tuple[int, ...], tuple[float, float]]:
    """What the leaves seen so far prove about the value of every node."""
    if told.method == "maxn":
        return {}
    ranges: dict[tuple[int, ...], tuple[float, float]] = {}
    for node in reversed(list(told.outline.walk())):
        if node.is_leaf:
            seen = isinstance(node.payoff, float) and node.path in done
            ranges[node.path] = (node.payoff, node.payoff) if seen else (-math.inf, math.inf)  # type: ignore[assignment]
        else:
            ranges[node.path] = node.combine([ranges[child.path] for child in node.children])
    return ranges


def test_what_lies_below_a_cut_branch_is_cut_too() -> None:
    end = trace(SHALLOW).at(len(trace(SHALLOW).events))
    assert end.marks[(0, 1, 1)].status == end.marks[(0, 1, 1, 0)].status == "cut"


def test_right_to_left_begins_with_the_last_child_and_ties_go_to_it() -> None:
    told = trace([[3, 5], [3, 4]], "alphabeta", Conventions(direction="right-to-left"))
    assert told.leaves == ((1, 1), (1, 0), (0, 1), (0, 0))
    assert told.move == (1,)


@pytest.mark.parametrize("step", [-1, 31])
def test_a_step_outside_the_trace_is_refused(step: int) -> None:
    with pytest.raises(InputError, match=f"step {step}: the trace has the steps 0 to 30"):
        trace(AIMA).at(step)


# --- what does not fit is refused -------------------------------------------------------------------


def test_an_unknown_leaf_that_the_search_needs_is_named_with_what_is_known() -> None:
    with pytest.raises(InputError) as refused:
        trace(AIMA, "minimax")
    assert str(refused.value) == (
        "minimax has to look at the unknown leaf 'x' (move 2 at C) and cannot go on without a number for it. What is"
        " known without: The value is 3 whatever x and y are. To trace the search, give it a number, for example"
        " values={'x': 4}"
    )
    assert trace(AIMA, "minimax", values={"x": 4, "y": 1}).values[(1,)] == 1


@pytest.mark.parametrize(
    ("tree", "method", "message"),
    [
        (
            gt.Tree(gt.Chance([(1, 3)])),
            "alphabeta",
            "the tree has chance nodes; alphabeta is not for such a tree",
        ),
        (THREE, "minimax", r"a payoff for each player; minimax is not .* Use method='maxn'"),
        ([1, 2], "maxn", r"payoffs of MAX alone; maxn .* Use method='alphabeta'"),
    ],
)
def test_a_search_that_does_not_fit_the_tree_is_refused(tree: Any, method: Any, message: str) -> None:
    with pytest.raises(UnsuitableError, match=message):
        trace(tree, method)


def test_a_method_that_is_not_there_is_refused() -> None:
    with pytest.raises(
        InputError, match="method='astar': a trace is of minimax, alphabeta, expectiminimax, maxn"
    ):
        trace([1], "astar")  # type: ignore[arg-type]


def test_the_search_that_fits_is_suggested() -> None:
    assert suggest(outline([1, 2])) == "alphabeta"
    assert suggest(outline(gt.Chance([(1, 3)]))) == "expectiminimax"
    assert suggest(outline(gt.Tree(THREE, movers=(0, 2)))) == "maxn"


@pytest.mark.parametrize(
    "wrong",
    [{"cut": "≥"}, {"fail": "softly"}, {"bounds": ""}, {"shapes": None}, {"direction": 1}, {"form": "x"}],
)
def test_a_convention_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(InputError, match=f"{name}=.* is no convention: {name} is "):
        Conventions(**wrong)
