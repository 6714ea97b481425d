"""The values of whole graphs, circles included, against values that reproduce themselves round by round."""

import math
import random
from typing import Any

import pytest

import oracle
from fixtures.graphs import Draw2, Draw3, Nodes, cycles, forest
from gametree import RulesError, Tree, Value
from gametree.games import TicTacToe
from gametree.search.solve.graph import Graph
from gametree.search.solve.retrograde import Solved, Worth, retrograde
from search.endless import Toggle

SIZE = 8
NEARLY_WON = 3.9


def graph_of(game: Nodes, states: list[int]) -> Graph:
    """The whole graph of some nodes, each numbered as it stands in the list."""
    graph = Graph(game)
    for state in states:
        graph.number(state)
    assert graph.explore(len(states))
    assert graph.states == states
    return graph


def score(worth: Worth, node: int) -> float:
    """A value on the scale of the oracle."""
    return oracle.score_of(worth.value(node, 0), 0)


def check_graph(game: Nodes, states: list[int], rng: random.Random) -> int:
    """Every node has the value of the oracle; how many nodes there are."""
    graph = graph_of(game, states)
    drawn: frozenset[int] = frozenset()
    endless = rng.choice([-NEARLY_WON, 0.0, NEARLY_WON])
    if game.repetition is not None:
        drawn = frozenset(rng.sample([s for s in states if not game.is_terminal(s)], 1))
        endless = 0.0
    truth = oracle.fixpoint(game, states, endless, drawn)
    worth = retrograde(graph, endless, [states.index(state) for state in drawn])
    assert [score(worth, node) for node in range(len(states))] == [truth[state] for state in states]
    return len(states)


def sweep(kind: type[Nodes], seed: int, graphs: int, size: int = SIZE) -> int:
    game = cycles(seed, graphs, size=size, kind=kind)
    rng = random.Random(seed)
    return sum(
        check_graph(game, list(range(graph * size, (graph + 1) * size)), rng) for graph in range(graphs)
    )


@pytest.mark.parametrize("kind", [Nodes, Draw3])
def test_every_node_of_a_graph_is_worth_what_the_fixpoint_says(kind: type[Nodes]) -> None:
    assert sweep(kind, 71, 400) == 400 * SIZE


def test_larger_graphs_too() -> None:
    assert sweep(Nodes, 72, 6, size=60) == 360


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Nodes, Draw2, Draw3])
@pytest.mark.parametrize("part", range(10))
def test_every_node_of_a_hundred_thousand_graphs(kind: type[Nodes], part: int) -> None:
    assert sweep(kind, 7100 + part, 3_400) == 3_400 * SIZE


def test_trees_and_graphs_without_circles_are_worth_what_minimax_says() -> None:
    game = forest(73, 40, levels=5)
    for root in range(40):
        graph = Graph(game)
        graph.number(root)
        assert graph.explore(10_000) and not graph.circular()
        worth = retrograde(graph, 0.0)
        for node, state in enumerate(graph.states):
            payoff = worth.value(node, 0).payoff
            assert payoff == oracle.minimax(game, state).value


def play(game: Nodes, start: int, solved: Solved, player: int, rng: random.Random) -> float:
    """What player 0 gets where one player follows the values and the other plays anything; 0 if it takes for ever."""
    state = start
    for _ in range(200):
        if game.is_terminal(state):
            return game.utility(state, 0)
        if game.player(state) == player:
            state = solved.best(state)[1]
        else:
            state = game.result(state, rng.choice(list(game.actions(state))))
    return 0.0


def test_who_follows_the_values_gets_what_they_promise_against_anything() -> None:
    game = cycles(74, 60, size=SIZE)
    rng = random.Random(74)
    for first in range(0, 60 * SIZE, SIZE):
        solved = Solved(graph := graph_of(game, list(range(first, first + SIZE))), retrograde(graph, 0.0))
        start = rng.choice([s for s in graph.states if not game.is_terminal(s)])
        for player in (0, 1):
            promised = solved.value(start, player).payoff
            for _ in range(5):
                got = play(game, start, solved, player, rng)
                assert (got if player == 0 else -got) >= promised


def test_a_line_of_best_play_ends_where_the_value_is_or_goes_in_a_circle() -> None:
    game = cycles(75, 100, size=SIZE)
    for first in range(0, 100 * SIZE, SIZE):
        solved = Solved(graph := graph_of(game, list(range(first, first + SIZE))), retrograde(graph, 0.0))
        state = first
        if game.is_terminal(state):
            continue
        line = solved.line(state)
        for action in line:
            state = game.result(state, action)
        value = solved.value(first, 0)
        if game.is_terminal(state):
            assert game.utility(state, 0) == value.payoff
            assert value.plies in (None, len(line))
        else:
            assert value == 0


def test_distances_are_those_of_a_chase() -> None:
    # MAX can win at once or in three plies, MIN can delay; all by hand.
    tree = Tree([[[5], [5, 5]], [[4]], [[[[5]]]]], payoffs=(-5, 5))
    graph = Graph(tree)
    graph.number(0)
    graph.explore(100)
    assert retrograde(graph, 0.0).value(0, 0) == Value.win(5, plies=3)
    assert retrograde(graph, 0.0).value(0, 1) == Value.loss(-5, plies=3)


def test_play_that_never_ends_is_worth_what_it_is_said_to_be() -> None:
    graph = Graph(Toggle())
    graph.number(0)
    assert graph.explore(10) and len(graph) == 2 and graph.circular()
    for endless in (-1.5, 0.0, 2.0):
        assert retrograde(graph, endless).value(0, 0) == endless


# --- exploring ------------------------------------------------------------------------------------------


def test_symmetric_positions_are_one() -> None:
    counts = []
    for merge in (True, False):
        graph = Graph(TicTacToe(), merge_symmetric=merge)
        graph.number(TicTacToe().initial())
        graph.explore(10_000)
        counts.append(len(graph))
    assert counts == [765, 5478]


def test_exploring_can_be_broken_off_and_taken_up_again() -> None:
    whole = Graph(TicTacToe())
    whole.number(TicTacToe().initial())
    whole.explore(10_000)
    graph = Graph(TicTacToe())
    graph.number(TicTacToe().initial())
    steps = 0
    while not graph.explore(10_000, told_to_stop=iter([False] * 7 + [True]).__next__):
        steps += 1
    assert steps > 100
    assert (graph.states, graph.child, graph.first) == (whole.states, whole.child, whole.first)


class Interrupted(TicTacToe):
    """Tic-tac-toe in which somebody presses Ctrl-C now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = [0]

    def result(self, state: Any, action: int) -> Any:
        self.calls[0] += 1
        if self.calls[0] % 101 == 0:
            raise KeyboardInterrupt
        return super().result(state, action)


def test_ctrl_c_while_exploring_leaves_a_graph_to_go_on_with() -> None:
    whole = Graph(TicTacToe())
    whole.number(TicTacToe().initial())
    whole.explore(10_000)
    graph = Graph(Interrupted())
    graph.number(TicTacToe().initial())
    times = 0
    while True:
        try:
            graph.explore(10_000)
            break
        except KeyboardInterrupt:
            times += 1
    assert times > 10
    assert (graph.states, graph.child, graph.first) == (whole.states, whole.child, whole.first)


class Nan(Toggle):
    def is_terminal(self, state: int) -> bool:
        return state == 1

    def utility(self, state: int, player: int) -> float:
        return math.nan


class Third(Toggle):
    def player(self, state: int) -> int:
        return 2


@pytest.mark.parametrize(("game", "words"), [(Nan(), "utility returned nan"), (Third(), "player returned 2")])
def test_rules_that_break_the_contract_are_told_so(game: Toggle, words: str) -> None:
    graph = Graph(game)
    graph.number(0)
    with pytest.raises(RulesError, match=words):
        graph.explore(10)


def test_rules_that_give_another_state_the_second_time_are_told_so() -> None:
    graph = Graph(game := Toggle())
    graph.number(0)
    graph.explore(10)
    solved = Solved(graph, retrograde(graph, 0.0))
    with pytest.raises(RulesError, match="rules have to be pure"):
        solved.node(5)
    assert solved.value(game.initial(), 0) == 0
