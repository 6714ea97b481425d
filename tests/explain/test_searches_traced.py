"""Every traced search is the search that it tells of: visits, values, cuts, answers of the table, simulations."""

import math
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import gametree as gt
import oracle
from gametree.errors import InputError, UnsuitableError
from gametree.explain.traces.methods import METHODS
from gametree.explain.traces.settings import Settings
from gametree.explain.traces.trace import Trace, trace
from gametree.games.tic_tac_toe import TicTacToe
from gametree.games.tree.outline import outline
from gametree.search.best_first.mtd import Converging
from gametree.search.core.bound_table import BoundTable
from gametree.search.core.memory import Sparse
from gametree.search.core.root import Payoffs
from gametree.search.core.task import Needs, Task

MANY = pytest.param(10_000, marks=pytest.mark.slow)
TREE: Any = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


class Lattice(gt.Game):
    """Layers of positions with moves from each to the next: many ways lead to the same position."""

    repetition = None

    def __init__(self, seed: int, movers: tuple[int, ...] = (0, 1)):
        rng = random.Random(seed)
        self.movers = movers
        self.layers = rng.randint(2, 4)
        wide = [1] + [rng.randint(2, 4) for _ in range(self.layers)]
        self.below: dict[Any, tuple[Any, ...]] = {}
        self.worth: dict[Any, float] = {}
        self.noisy: dict[Any, tuple[int, ...]] = {}
        self.alarm: set[Any] = set()
        for layer, width in enumerate(wide):
            for at in range(width):
                here = (layer, at)
                self.worth[here] = float(rng.randint(-5, 5))
                over = layer == self.layers or (layer > 0 and rng.random() < 0.1)
                kids = 0 if over else rng.randint(1, 4)
                self.below[here] = tuple((layer + 1, rng.randrange(wide[layer + 1])) for _ in range(kids))
                self.noisy[here] = tuple(i for i in range(kids) if rng.random() < 0.4)
                if kids and rng.random() < 0.1:
                    self.alarm.add(here)

    def initial(self) -> Any:
        return (0, 0)

    def player(self, state: Any) -> int:
        return self.movers[int(state[0]) % len(self.movers)]

    def actions(self, state: Any) -> list[int]:
        return list(range(len(self.below[state])))

    def result(self, state: Any, action: int) -> Any:
        return self.below[state][action]

    def is_terminal(self, state: Any) -> bool:
        return not self.below[state]

    def utility(self, state: Any, player: int) -> float:
        return self.worth[state] if player == 0 else -self.worth[state]

    evaluate = utility

    def order(self, state: Any, action: int) -> float:
        return float(hash((state, action)) % 7)


class Tactical(Lattice):
    """The same with captures, checks and passes."""

    def tactical(self, state: Any) -> tuple[int, ...]:
        return self.noisy[state]

    def threatened(self, state: Any) -> bool:
        return state in self.alarm

    def null(self, state: Any) -> Any:
        return self.below[state][-1] if self.below[state] else None


def lattices(count: int, kind: type[Lattice] = Lattice) -> Iterator[Lattice]:
    for seed in range(count):
        yield kind(seed, movers=random.Random(seed).choice([(0, 1), (1, 0), (0, 1, 1)]))


# --- a reference: negamax on the states of a game ----------------------------------------------------


class Looked(NamedTuple):
    value: float
    nodes: int


def reference(game: Any, depth: int, *, quiet: bool = False, null: bool = False, keep: int = 99) -> Looked:
    """Alpha-beta as one writes it for a game, from the mover's side, with what the method adds."""
    nodes = 0

    def negamax(state: Any, left: int, alpha: float, beta: float, top: bool, passed: bool) -> float:
        nonlocal nodes
        nodes += 1
        me = game.player(state) if not game.is_terminal(state) else None
        if me is None:
            raise AssertionError
        best = -math.inf
        follow = list(game.actions(state))
        if left <= 0 and not game.threatened(state):
            best = float(game.evaluate(state, me))
            follow = list(game.tactical(state))
            if best >= beta:
                return best
            alpha = max(alpha, best)
        if null and left >= 2 and not passed and not top and not game.threatened(state):
            after = game.null(state)
            if math.isfinite(beta):
                v = child(state, after, left - 2, alpha, beta, True)
                if v >= beta:
                    return v
        if keep < len(follow):
            seems = {a: game.evaluate(game.result(state, a), me) for a in follow}
            kept = sorted(follow, key=lambda a: -seems[a])[:keep]
            follow = [a for a in follow if a in kept]
        for a in follow:
            best = max(best, child(state, game.result(state, a), left - 1, alpha, beta, False))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def child(state: Any, after: Any, left: int, alpha: float, beta: float, passed: bool) -> float:
        nonlocal nodes
        me = game.player(state)
        if game.is_terminal(after):
            nodes += 1
            return float(game.utility(after, me))
        goes_on = quiet and (game.threatened(after) or game.tactical(after)) and left > -6
        if left <= 0 and not goes_on:
            nodes += 1
            return float(game.evaluate(after, me))
        if game.player(after) == me:
            return negamax(after, left, alpha, beta, False, passed)
        return -negamax(after, left, -beta, -alpha, False, passed)

    start = game.initial()
    value = negamax(start, depth, -math.inf, math.inf, True, False)
    return Looked(value if game.player(start) == 0 else -value, nodes)


def rounds(told: Trace) -> list[int]:
    """How many nodes each round of a trace visits."""
    found = [0]
    for event in told.events:
        if event.kind == "start":
            found.append(0)
        elif event.kind in ("enter", "leaf", "table"):
            found[-1] += 1
    return found[1:] if len(found) > 1 else found


# --- depth, order, quiescence, passes, what is left out ----------------------------------------------


@pytest.mark.parametrize("count", [60, MANY])
def test_each_depth_of_iterative_deepening_is_alpha_beta_to_that_depth(count: int) -> None:
    for game in lattices(count):
        told = trace(game, "deepening", settings=Settings(depth=3))
        found = [gt.alphabeta(game, depth=depth, compile="never") for depth in range(1, 4)]
        height = max(len(node.path) for node in told.outline.walk())
        assert rounds(told) == [one.nodes for one in found[:height]]
        assert told.value == found[height - 1].values[0]
        assert told.move == (found[height - 1].action,)
        said = [event.sentence for event in told.events if event.kind == "end"]
        assert len(said) == height


@pytest.mark.parametrize("count", [60, MANY])
def test_quiescence_follows_what_a_plain_search_with_stand_pat_follows(count: int) -> None:
    followed = 0
    for game in lattices(count, Tactical):
        for depth in (1, 2):
            told = trace(game, "quiescence", settings=Settings(depth=depth))
            truth = reference(game, depth, quiet=True)
            assert (told.value, len(told.visited)) == (truth.value, truth.nodes)
            followed += sum(event.kind == "stand" for event in told.events)
    assert followed > count / 2


@pytest.mark.parametrize("count", [60, MANY])
def test_a_null_move_is_tried_and_leaves_as_in_a_plain_search_with_passes(count: int) -> None:
    left = 0
    for game in lattices(count, Tactical):
        told = trace(game, "null-move", settings=Settings(depth=4))
        truth = reference(game, 4, null=True)
        assert (told.value, len(told.visited)) == (truth.value, truth.nodes)
        left += sum(event.kind == "skip" for event in told.events)
    assert left > 0


@pytest.mark.parametrize("count", [60, MANY])
def test_forward_pruning_looks_at_the_best_children_alone(count: int) -> None:
    class Plain(Lattice):
        """Without an order of its own: evaluations tell what seems best."""

        order = gt.Game.order  # type: ignore[assignment]

    for seed in range(count):
        game = Plain(seed)
        told = trace(game, "forward-pruning", settings=Settings(depth=3, keep=2))
        truth = reference(game, 3, keep=2)
        assert (told.value, len(told.visited)) == (truth.value, truth.nodes)


@pytest.mark.parametrize("count", [60, MANY])
def test_ordered_children_are_those_of_alpha_beta_on_the_ordered_tree(count: int) -> None:
    def ordered(spec: Any, mine: bool) -> Any:
        if not isinstance(spec, list):
            return spec
        worth = [(oracle.minimax(gt.Tree(one, movers=(1, 0) if mine else (0, 1))).value) for one in spec]
        order = sorted(range(len(spec)), key=lambda i: -worth[i] if mine else worth[i])
        return [ordered(spec[i], not mine) for i in order]

    rng = random.Random(7)
    for _ in range(count):
        spec = oracle.random_tree_spec(rng, depth=3, branching=3)
        told = trace(spec, "ordering")
        found = oracle.alphabeta(gt.Tree(ordered(spec, True)))
        assert told.value == found.value
        assert len(told.visited) == found.nodes


class Once(Converging):
    """Alpha-beta with memory, called once with the whole window."""

    def deepen(self, window: Any) -> Any:
        self.table = BoundTable.allocate(self.run.compiled, entries=Sparse(), buckets=self.buckets, salt=0)
        return Payoffs.walk(self, self.deepest)


@pytest.mark.parametrize("count", [60, MANY])
def test_the_table_answers_as_in_alpha_beta_with_memory(count: int) -> None:
    answers = 0
    needs = Needs("mtdf", zero_sum=True, chance=False)
    for game in lattices(count):
        told = trace(game, "transpositions", settings=Settings(depth=4))
        task = Task.of(needs, game, None, depth=4, compile="never")
        found = Once.search(task, lambda game, state: 0.0, 1)
        assert (told.value, len(told.visited)) == (found.values[0], found.nodes)
        answers += sum(event.kind == "table" for event in told.events)
    assert answers > 10


# --- chance ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [150, MANY])
@pytest.mark.parametrize("method", ["star1", "star2"])
def test_star_looks_at_the_nodes_that_expectiminimax_looks_at(method: Any, count: int) -> None:
    rng = random.Random(11)
    left_out = 0
    for _ in range(count):
        tree = gt.Tree(oracle.random_chance_spec(rng, depth=4), payoffs=(-4, 4))
        if tree.is_terminal(tree.initial()):
            continue
        root = outline(tree, most=5000)
        told = trace(root, method, settings=Settings(payoffs=(-4, 4)))
        found = gt.expectiminimax(tree, pruning=method, hash_mb=0, compile="never")
        assert told.value == pytest.approx(found.values[0], abs=1e-9)
        assert len(told.visited) == found.nodes
        left_out += any(event.skipped for event in told.events)
    assert left_out > count / 20


# --- several players, best first ---------------------------------------------------------------------


def vectors(rng: random.Random, depth: int) -> Any:
    if depth == 0 or rng.random() < 0.15:
        return tuple(rng.randint(0, 5) for _ in range(3))
    return [vectors(rng, depth - 1) for _ in range(rng.randint(1, 3))]


@pytest.mark.parametrize("count", [60, MANY])
def test_max_n_and_paranoid_are_those_of_the_searches(count: int) -> None:
    rng = random.Random(13)
    for _ in range(count):
        tree = gt.Tree([vectors(rng, 3) for _ in range(2)], movers=(0, 1, 2))
        told, found = trace(tree, "maxn"), gt.maxn(tree, pruning="never", compile="never")
        assert (told.value, len(told.visited)) == (found.values, found.nodes)
        told, found = trace(tree, "paranoid"), gt.paranoid(tree, compile="never")
        assert told.value == found.value.payoff  # type: ignore[union-attr]
        assert len(told.visited) == found.nodes


@pytest.mark.parametrize("count", [100, MANY])
def test_sss_takes_the_states_that_stockmans_list_takes(count: int) -> None:
    rng = random.Random(17)
    for _ in range(count):
        tree = gt.Tree(
            [oracle.random_tree_spec(rng, depth=3, branching=3) for _ in range(2)],
            movers=rng.choice([(0, 1), (0, 1, 1)]),
        )
        told, found = trace(outline(tree, most=5000), "sss"), gt.sss(tree, form="list")
        assert (told.value, len(told.visited)) == (found.values[0], found.nodes)
        assert set(told.leaves) <= set(trace(outline(tree, most=5000)).leaves)


@pytest.mark.parametrize("count", [100, MANY])
def test_proof_numbers_expand_what_proof_number_search_expands(count: int) -> None:
    rng = random.Random(19)
    proven = set()
    for _ in range(count):
        tree = gt.Tree(
            [oracle.random_tree_spec(rng, depth=3, branching=3) for _ in range(2)],
            movers=rng.choice([(0, 1), (1, 0), (0, 1, 1)]),
        )
        bar = rng.randint(-4, 4)
        told = trace(outline(tree, most=5000), "pns", settings=Settings(at_least=bar))
        found = gt.pns(tree, at_least=bar)
        assert (told.value, len(told.visited)) == (found.values[0], found.nodes)
        proven.add(found.proven)
        for told_move in (told.move, *told.line):
            assert told_move is not None
    assert proven == {True, False}


# --- Monte-Carlo -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [12, pytest.param(1_000, marks=pytest.mark.slow)])
def test_simulations_are_those_of_monte_carlo_tree_search_with_the_same_seed(count: int) -> None:
    rng = random.Random(23)
    for seed in range(count):
        spec = [oracle.random_tree_spec(rng, depth=3, branching=3, leaf=0.1) for _ in range(3)]
        tree = gt.Tree(spec, payoffs=rng.choice([None, (-5, 5)]))
        told = trace(tree, "mcts", settings=Settings(simulations=20, seed=seed))
        thinker = gt.MonteCarlo(tree, seed=seed, solver=False, compile="never")
        found = thinker.analyze(simulations=20)
        last: dict[Any, int] = {}
        for event in told.events:
            if event.kind == "update":
                last[event.path] = last.get(event.path, 0) + 1
        seen = thinker.tree
        root = {child: seen.visits(child) for child in seen.children(seen.root)}
        assert {(seen.place(child),): n for child, n in root.items() if n} == {
            path: n for path, n in last.items() if len(path) == 1
        }
        assert last[()] == 20
        assert told.value == pytest.approx(seen.mean(seen.root, 0))
        assert told.move == (found.action,)
        # The sentence of every selection is true: the child that is taken has the greatest term.
        for before, event in zip(told.events, told.events[1:], strict=False):
            if before.kind == "select" and event.kind in ("select", "simulate", "expand", "leaf"):
                terms = {path: texts[-1] for path, texts in before.beside}
                numbers = {
                    path: float(term.partition("=")[2].replace("∞", "inf").replace("−", "-"))
                    for path, term in terms.items()
                }
                most = max(numbers.values())
                assert numbers[event.path] == most or numbers[event.path] >= most - 0.011 * abs(most)


def test_tic_tac_toe_is_simulated_from_any_position() -> None:
    game = TicTacToe()
    state = game.parse_state("XO./.X./..O")
    told = trace(game, "mcts", settings=Settings(simulations=25), state=state)
    assert {"start", "select", "expand", "simulate", "update", "end"} <= {event.kind for event in told.events}


# --- what every trace has ----------------------------------------------------------------------------


def every_trace() -> Iterator[Trace]:
    guesses = {"B": 4.0, "C": 5.0, "D": 1.0}
    chance = gt.Tree([gt.Chance([(0.5, [3, 5]), (0.5, [-2, 1])]), gt.Chance([(0.5, [-4, 0]), (0.5, 4)])])
    for method in METHODS:
        more: dict[str, Any] = {}
        tree: Any = chance if method in ("star1", "star2", "expectiminimax") else TREE
        if method in ("deepening", "forward-pruning"):
            more = {"estimates": guesses}
        if method == "quiescence":
            more = {"estimates": guesses, "depth": 1, "turbulent": ("C",)}
        if method == "mcts":
            more = {"simulations": 10}
        if method == "null-move":
            tree, more = Tactical(3), {"depth": 3}
        if method == "maxn":
            tree = gt.Tree([[(1, 2), (3, 4)], [(2, 2), (5, 0)]])
        yield trace(tree, method, settings=Settings(**more))  # type: ignore[arg-type]


def test_every_event_of_every_method_has_a_line_of_the_code_and_a_sentence() -> None:
    for told in every_trace():
        assert told.events
        for event in told.events:
            assert 1 <= event.line <= len(told.code), (told.method, event)
            assert told.code[event.line - 1].strip(), (told.method, event)
            assert event.sentence.endswith("."), event
            assert "  " not in event.sentence
        for _ in told.snapshots():
            pass


def test_every_method_is_drawn_and_stepped_through() -> None:
    from gametree.explain.pages.steps import page
    from gametree.explain.pictures.ascii import text_tree
    from gametree.explain.pictures.svg import svg
    from gametree.explain.pictures.tikz import tikz
    from gametree.explain.traces.serialization import data

    for told in every_trace():
        assert METHODS[told.method].title in page(told)
        for draw in (svg, tikz, text_tree):
            for step in (0, len(told.events) // 2, len(told.events)):
                assert draw(told, step=step)
        assert data(told)["method"] == told.method


@pytest.mark.parametrize(
    ("method", "settings", "says"),
    [
        ("sss", {"depth": 2}, "depth is not for sss"),
        ("alphabeta", {"simulations": 5}, "it is for mcts"),
        ("deepening", {"depth": 1, "estimates": {"B": 4}}, "needs an estimate of it"),
        ("deepening", {"estimates": {"Z": 4}}, "no inner node 'Z'"),
        ("null-move", {}, "for a game with `null`"),
        ("star1", {"payoffs": (0, 5)}, "lies outside"),
    ],
)
def test_what_does_not_fit_is_told(method: Any, settings: dict[str, Any], says: str) -> None:
    with pytest.raises((InputError, UnsuitableError), match=says):
        trace(TREE, method, settings=Settings(**settings))


def test_a_game_without_captures_has_no_quiescence() -> None:
    with pytest.raises(UnsuitableError, match="`tactical`"):
        trace(TicTacToe(), "quiescence", settings=Settings(depth=2))
    with pytest.raises(UnsuitableError, match="constant sum"):
        trace(gt.Tree([(1, 2, 3), (3, 2, 1)]), "mcts")
