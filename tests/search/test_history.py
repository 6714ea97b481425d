"""What cut before is looked at sooner: on its own, and as an answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree.compiled import native
from gametree.games import Chess, Othello
from gametree.kernel.primitives import action_code
from gametree.search.engine.actions import ACTION, BOUND, RANK, Row, _credit, note_cut, rank_all
from gametree.search.engine.memory import EngineMemory, allocate, learned, reductions
from gametree.search.engine.node import Node
from gametree.search.engine.profiles import FORESIGHT, GENERAL, WARY, features

MODES = ["never"] if native.unavailable() else ["never", "always"]
CHESS = Chess()
STATE = CHESS.parse_state("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1")
WIDTH = ACTION + 1
PLIES, BEFORE = 3, 78


def shelf(*names: str, on: str) -> EngineMemory:
    """A memory in which these moves of STATE lie on the shelf."""
    memory = allocate(compiled=False, wary=False, features=features(on.split()))
    memory.before[PLIES] = BEFORE
    for k, name in enumerate(names):
        memory.shelf[k * WIDTH + ACTION] = CHESS.parse_action(STATE, name)
    return memory


def node() -> Node:
    """STATE at depth 5."""
    return Node(0, 5, PLIES, 0, 1.0, -1.0, 1.0, False, -1)


def cut(memory: EngineMemory, count: int) -> None:
    """The last of so many moves cut at depth 5."""
    note_cut(CHESS, STATE, node(), 0, (count - 1) * WIDTH, memory)


def ranks(memory: EngineMemory, count: int, before: int = BEFORE) -> list[int]:
    memory.before[PLIES] = before
    rank_all(CHESS, STATE, node(), Row(0, count, 0), memory)
    return [memory.shelf[k * WIDTH + RANK] for k in range(count)]


def code(name: str) -> int:
    return action_code(CHESS.parse_action(STATE, name))


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), max_size=300))
def test_a_history_never_leaves_its_bounds(cuts: list[tuple[int, bool]]) -> None:
    history = [0]
    for depth, good in cuts:
        bonus = min(depth * depth * 16, 1 << 13)
        _credit(0, bonus if good else -bonus, history)
        assert abs(history[0]) <= BOUND


def test_only_calm_moves_become_killers_and_answers() -> None:
    memory = shelf("exd5", on="killers counter history")
    cut(memory, 1)
    assert memory.killers[2 * PLIES] == 0
    assert memory.answers[BEFORE - 1] == 0
    memory = shelf("Ra7", on="killers counter history")
    cut(memory, 1)
    assert memory.killers[2 * PLIES] == code("Ra7") + 1
    assert memory.answers[BEFORE - 1] == code("Ra7") + 1


def test_what_was_tried_before_the_cut_counts_against_itself() -> None:
    memory = shelf("Ra2", "Ra3", "Ra7", on="history")
    cut(memory, 3)
    first, second, third = ranks(memory, 3)
    assert first == second < 0 < third


def test_an_answer_ranks_higher_after_the_same_action_than_after_another() -> None:
    memory = shelf("Ra7", on="counter history")
    cut(memory, 1)
    (same,) = ranks(memory, 1)
    (other,) = ranks(memory, 1, before=BEFORE + 1)
    assert same > other == memory.history[code("Ra7")] > 0


def test_what_is_learned_is_kept_for_the_next_search_and_nothing_else() -> None:
    memory = shelf("Ra7", on="killers counter history")
    cut(memory, 1)
    later = allocate(compiled=False, wary=False, learned=learned(memory))
    assert later.history == memory.history and later.answers == memory.answers
    assert not later.killers
    memory.history[code("Ra7")] = 0
    assert later.history[code("Ra7")] > 0


@pytest.mark.parametrize("compile", MODES)
def test_with_all_of_it_the_value_is_that_of_minimax(compile: str) -> None:
    games: list[tuple[gt.Game, int, int]] = [(CHESS, 6, 2), (Othello(), 12, 3)]
    for game, plies, depth in games:
        state = game.initial()
        engine = gt.Engine(game, compile=compile, selective=False, profile="patient")
        for turn in range(plies):
            found = engine.analyze(state, gt.Limit(depth=depth))
            truth = oracle.minimax(game, state, depth=depth)
            assert found.values[0] == truth.value, turn
            assert found.action in truth.best, turn
            actions = list(game.actions(state))
            state = game.result(state, actions[turn * 7 % len(actions)])


MIDDLEGAMES = [
    CHESS.parse_state(fen)
    for fen in (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 3 9",
        "2r2rk1/1bqnbppp/pp1ppn2/8/2PQP3/1PN2NP1/PB3PBP/2RR2K1 w - - 0 15",
    )
]


@pytest.mark.skipif(bool(native.unavailable()), reason="interpreted, it would take minutes")
def test_a_depth_takes_fewer_nodes_with_foresight() -> None:
    plain, leaving_out = (
        sum(gt.analyze(CHESS, state, gt.Limit(depth=9), profile=profile).nodes for state in MIDDLEGAMES)
        for profile in (GENERAL, GENERAL | FORESIGHT)
    )
    assert leaving_out < plain


@pytest.mark.skipif(bool(native.unavailable()), reason="interpreted, it would take minutes")
def test_a_wary_search_takes_more_nodes_for_a_depth() -> None:
    plain, wary = (
        sum(gt.analyze(CHESS, state, gt.Limit(depth=9), profile=profile).nodes for state in MIDDLEGAMES)
        for profile in (GENERAL, GENERAL | WARY)
    )
    assert wary > plain
    bold, cautious = reductions(wary=False), reductions(wary=True)
    assert all(less <= more for less, more in zip(cautious, bold)) and cautious != bold
