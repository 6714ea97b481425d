"""pns and dfpn prove what is true and disprove what is not, and say by how much."""

import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import gametree as gt
import oracle
from fixtures.graphs import Nodes, Undeclared
from gametree import Limit, Proof, Tree, Value
from gametree.games import Chess, ConnectFour, Nim, TicTacToe
from gametree.games.chess.pgn import read_epd
from search.best_first.trees import BEST_MODE, COMPILES, end_of, meeting_trees, ragged_tree

Search = Callable[..., Proof]
SEARCHES: dict[str, tuple[Search, dict[str, Any]]] = {
    "pns": (gt.pns, {}),
    "dfpn": (gt.dfpn, {"compile": BEST_MODE}),
    "dfpn, tiny table": (gt.dfpn, {"compile": BEST_MODE, "hash_mb": 1e-6}),
}
BOTH = pytest.mark.parametrize("search", [gt.pns, gt.dfpn], ids=["pns", "dfpn"])
SHARE = 480 if COMPILES else 150


def check_proof(game: gt.Game, root: Any, found: Proof, bar: float, why: Any) -> None:
    """Proven where it is true, disproven where it is not; the value, the line and the numbers agree with that."""
    truth = oracle.minimax(game, root)
    value = truth.value if found.player == 0 else (game.total or 0) - truth.value
    assert found.at_least == bar, why
    assert found.proven is (value >= bar), why
    numbers = (found.proof_number, found.disproof_number)
    assert numbers == ((0, math.inf) if found.proven else (math.inf, 0)), why
    assert found.stopped_by == "end"
    assert found.value is not None
    payoff = float(found.value)
    if found.bound == "exact":
        assert found.exact
        assert payoff == value, why
    else:
        assert found.bound == ("lower" if found.proven else "upper"), why
        assert bar <= payoff <= value if found.proven else value <= payoff < bar, why
    end = end_of(game, root, found.line)
    assert game.is_terminal(end), why
    assert (game.utility(end, found.player) >= bar) is found.proven, why
    assert found.size is not None
    assert len(found.line) + 1 <= found.size, why


def asked(rng: random.Random, game: gt.Game) -> tuple[dict[str, Any], float]:
    """A goal, in words or as a number, and what it is worth."""
    half = (game.total or 0) / 2
    goals: list[tuple[dict[str, Any], float]] = [({"goal": "draw"}, half)]
    if game.payoffs is not None:
        goals += [({}, 4.0), ({"goal": "win"}, 4.0)]
    goals += [({"at_least": bar}, bar) for bar in (-4.0, -1.0, 0.5, 1.0, 3.5)]
    return rng.choice(goals)


def sweep(seed: int, count: int, kind: type[Nodes], names: list[str]) -> int:
    """Proves or disproves something of each tree; how many proofs were checked."""
    rng = random.Random(seed)
    checked = 0
    for number, (game, root) in enumerate(meeting_trees(seed, count, kind)):
        name = names[number % len(names)]
        search, options = SEARCHES[name]
        goal, bar = asked(rng, game)
        check_proof(game, root, search(game, root, **goal, **options), bar, (name, seed, root, goal))
        checked += 1
    return checked


def test_trees_whose_branches_meet_are_proven_or_disproven() -> None:
    assert sweep(81, SHARE, Nodes, list(SEARCHES)) == SHARE


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_trees_are_proven_or_disproven(name: str, part: int) -> None:
    assert sweep(800 + 20 * part, 5_000, Nodes, [name]) == 5_000
    assert sweep(810 + 20 * part, 5_000, Undeclared, [name]) == 5_000


@BOTH
def test_ragged_trees_with_players_out_of_turn_are_proven_or_disproven(search: Search) -> None:
    rng = random.Random(82)
    for _ in range(150):
        tree = ragged_tree(rng)
        bar = rng.choice([-2, -1, 0, 0.5, 1, 2])
        found = search(tree, at_least=bar, compile="never")
        check_proof(tree, 0, found, bar, tree.spec())


# --- how big a proof is -------------------------------------------------------------------------------


def solution_size(game: gt.Game, state: Any, player: int, bar: float) -> int:
    """The least tree that proves or disproves that a player gets as much."""
    if game.is_terminal(state):
        return 1
    children = [game.result(state, action) for action in game.actions(state)]
    true = oracle.minimax(game, state).value >= bar
    assert player == 0
    if (game.player(state) == player) == true:
        fitting = [child for child in children if (oracle.minimax(game, child).value >= bar) == true]
        return 1 + min(solution_size(game, child, player, bar) for child in fitting)
    return 1 + sum(solution_size(game, child, player, bar) for child in children)


def test_where_there_is_only_one_proof_its_size_is_known() -> None:
    tree = Tree([[1, 1, [0, 1]], [0, 1], [1, [[0, 0], 1], 0]])
    for search in (gt.pns, gt.dfpn):
        found = search(tree, at_least=1, compile="never")
        assert found.proven
        assert found.action == 0
        assert found.size == solution_size(tree, 0, 0, 1) == 6


@BOTH
def test_no_proof_is_smaller_than_the_smallest(search: Search) -> None:
    rng = random.Random(83)
    for _ in range(60):
        tree = ragged_tree(rng)
        if tree.player(0) != 0:
            continue
        found = search(tree, at_least=1, compile="never")
        assert found.size is not None
        assert solution_size(tree, 0, 0, 1) <= found.size <= len(tree.count)


# --- games --------------------------------------------------------------------------------------------


@BOTH
def test_two_proofs_make_the_draw_of_tic_tac_toe(search: Search) -> None:
    # Interpreted pns takes its time for the empty board: it looks at every path.
    game = TicTacToe()
    state = game.initial() if search is gt.dfpn else game.parse_state("X../.O./...")
    win = search(game, state, goal="win", compile="never")
    draw = search(game, state, goal="draw", compile="never")
    assert (win.proven, win.value, win.bound) == (False, Value(0), "upper")
    assert (draw.proven, draw.value, draw.bound) == (True, Value(0), "lower")


def test_who_takes_from_a_multiple_of_four_loses_at_nim() -> None:
    for counters in range(1, 14):
        for search in (gt.pns, gt.dfpn):
            found = search(Nim(counters=counters), compile="never")
            assert found.proven is (counters % 4 != 0)
            assert found.value == (Value.win(1) if found.proven else Value.loss(-1))
            assert found.exact


def test_the_four_by_four_board_of_connect_four_is_no_win() -> None:
    game = ConnectFour(width=4, height=4)
    state = game.initial()
    for column in (0, 0, 1, 1):
        state = game.result(state, list(game.actions(state))[column])
    found = gt.dfpn(game, state, compile="never")
    known = gt.alphabeta(game, state, compile="never")
    assert found.proven is (float(known.values[0]) == 1)


MATES = [
    (int(line[0]), line[2:])
    for line in (Path(__file__).parent / "mates.txt").read_text().splitlines()
    if not line.startswith("#")
]
KNOWN = [
    (1, "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"),
    (1, "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"),
    (2, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1"),
]


def check_mate(moves: int, fen: str, compile: str) -> None:
    """Proven within so many moves, with a line that mates, and not within one fewer."""
    game = Chess()
    state = game.parse_state(fen)
    found = gt.dfpn(game, state, depth=2 * moves - 1, compile=compile)
    assert found.proven, fen
    assert found.value == Value.win(1)
    assert end_is_mate(game, state, found.line), fen
    if moves > 1:
        sooner = gt.dfpn(game, state, depth=2 * moves - 3, compile=compile)
        assert (sooner.proven, sooner.stopped_by, sooner.line) == (None, "depth", ()), fen


@pytest.mark.parametrize(("moves", "fen"), [*KNOWN, MATES[0], MATES[1]])
def test_mates_are_proven_and_not_sooner_than_they_are(moves: int, fen: str) -> None:
    check_mate(moves, fen, "never")


@pytest.mark.slow
def test_all_mates_are_proven_and_not_sooner_than_they_are() -> None:
    for moves, fen in (*KNOWN, *MATES):
        check_mate(moves, fen, BEST_MODE)


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_the_hundred_mates_that_looking_at_everything_found_are_proven_and_not_sooner() -> None:
    texts = (Path(__file__).parents[2] / "games" / "mates.epd").read_text("utf-8").splitlines()
    for task in map(read_epd, texts):
        check_mate(int(task.operations["dm"][0]), Chess().fen(task.state), "always")


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_without_a_depth_a_mate_is_found_however_far_off_it_is() -> None:
    game = Chess()
    for _, fen in MATES[:16:3]:
        state = game.parse_state(fen)
        found = gt.dfpn(game, state, limit=Limit(nodes=20_000_000), compile="always")
        assert found.proven, fen
        assert end_is_mate(game, state, found.line), fen


def end_is_mate(game: Chess, state: Any, line: tuple[Any, ...]) -> bool:
    end = end_of(game, state, line)
    return bool(game.is_terminal(end)) and game.utility(end, game.player(state)) == 1


# --- limits -------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("nodes", [1, 2, 3, 10, 57])
def test_a_node_limit_is_exact_and_the_answer_is_not_known(search: Search, nodes: int) -> None:
    found = search(TicTacToe(), limit=Limit(nodes=nodes), compile="never")
    assert found.nodes == nodes
    assert found.stopped_by == "nodes"
    assert found.proven is None
    assert found.value is None
    assert found.size is None
    assert 0 < found.proof_number < math.inf
    assert 0 < found.disproof_number < math.inf
    assert "not known" in str(found)
    assert found.action is None or found.action in list(TicTacToe().actions(TicTacToe().initial()))


def test_the_memory_of_pns_is_limited() -> None:
    found = gt.pns(TicTacToe(), memory_nodes=500)
    assert (found.nodes, found.stopped_by, found.proven) == (500, "nodes", None)


@BOTH
def test_a_time_limit_is_kept(search: Search) -> None:
    found = search(ConnectFour(), limit=Limit(seconds=0.05), compile="never")
    assert found.stopped_by == "seconds"
    assert found.proven is None
    assert found.seconds < 2


@BOTH
def test_a_depth_that_is_not_enough_leaves_the_answer_open_and_one_that_is_does_not(search: Search) -> None:
    nim = Nim(counters=9)
    short = search(nim, depth=3, compile="never")
    assert (short.proven, short.stopped_by, short.depth) == (None, "depth", 3)
    assert search(nim, depth=9, compile="never").proven is True
    assert search(Nim(counters=4), depth=4, compile="never").proven is False


@BOTH
def test_a_depth_of_zero_and_the_end_of_the_game(search: Search) -> None:
    nim = Nim(counters=1)
    assert search(nim, depth=0, compile="never").proven is None
    over = nim.result(nim.initial(), 1)
    found = search(nim, over, compile="never")
    assert found.proven is (nim.utility(over, found.player) == 1)
    assert (found.line, found.size, found.nodes) == ((), 1, 1)


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_a_compiled_search_keeps_its_time_limit_too() -> None:
    game = ConnectFour()
    for search in (gt.dfpn, gt.mtdf, gt.sss, gt.dual):
        search(game, limit=Limit(nodes=10), compile="always")
        found = search(game, limit=Limit(seconds=0.2), compile="always")
        assert found.stopped_by == "seconds"
        assert found.seconds < 2


def test_the_same_call_gives_the_same_answer() -> None:
    for search in (gt.pns, gt.dfpn):
        one, other = (search(Nim(counters=13), compile="never") for _ in range(2))
        assert (one.nodes, one.line, one.size) == (other.nodes, other.line, other.size)


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_df_pn_are_the_same_to_the_node() -> None:
    for game, root in meeting_trees(84, 30, Nodes):
        for options in ({}, {"hash_mb": 1e-6}, {"limit": Limit(nodes=25)}, {"depth": 2}):
            one = gt.dfpn(game, root, compile="always", goal="draw", **options)
            other = gt.dfpn(game, root, compile="never", goal="draw", **options)
            assert (one.proven, one.line, one.nodes, one.size) == (
                other.proven,
                other.line,
                other.nodes,
                other.size,
            )
            assert (one.proof_number, one.disproof_number) == (other.proof_number, other.disproof_number)


# --- how it is told -------------------------------------------------------------------------------------


def test_what_is_not_reached_within_a_depth_is_said_so() -> None:
    assert "not within 3 plies, and beyond that not known" in str(gt.dfpn(Nim(), depth=3, compile="never"))


def test_a_proof_is_printed_and_is_an_analysis() -> None:
    found = gt.dfpn(TicTacToe(), goal="win", compile="never")
    assert "goal      win for X: disproven by a tree of" in str(found)
    assert isinstance(found, gt.Analysis)
    told = found.to_dict()["parameters"]
    assert told["goal"] == "win"
    assert told["proof"]["proven"] is False
    assert (told["proof"]["proof_number"], told["proof"]["disproof_number"]) == ("inf", 0)
    schema = json.loads((Path(gt.__file__).parent / "schemas/analysis.schema.json").read_text())
    jsonschema.validate(json.loads(found.to_json()), schema)
    open_question = gt.pns(TicTacToe(), limit=Limit(nodes=9))
    jsonschema.validate(json.loads(open_question.to_json()), schema)
    assert gt.pns(Nim(counters=5), at_least=0.5).to_dict()["parameters"]["at_least"] == 0.5
