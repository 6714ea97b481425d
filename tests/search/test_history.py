"""What cut before is looked at sooner: on its own, and as an answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree.compiled import native
from gametree.games import Chess, Othello
from gametree.kernel.clock import Ledger
from gametree.kernel.primitives import CODES, action_code
from gametree.search.engine import memory as book
from gametree.search.engine.ordering import ACTION, BOUND, RANK, _credit, note_cut, rank_all
from gametree.search.engine.profiles import FORESIGHT, GENERAL, WARY, features

MODES = ["never"] if native.unavailable() else ["never", "always"]
CHESS = Chess()
STATE = CHESS.parse_state("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1")
WIDTH = ACTION + 1
PLIES, BEFORE = 3, 78


def shelf(*names: str, on: str) -> Any:
    """A ledger in which these moves of STATE lie on the shelf."""
    ledger = Ledger([0] * book.END)
    ledger[book.FEATURES] = features(on.split())
    for k, name in enumerate(names):
        ledger[book.SHELF + k * WIDTH + ACTION] = CHESS.parse_action(STATE, name)
    return ledger


def cut(ledger: Any, count: int) -> None:
    """The last of so many moves cut at depth 5."""
    last = book.SHELF + (count - 1) * WIDTH
    note_cut(CHESS, STATE, 0, PLIES, 5, BEFORE, book.SHELF, last, WIDTH, ledger)


def ranks(ledger: Any, count: int, plies: int = PLIES, before: int = BEFORE) -> list[int]:
    end = book.SHELF + count * WIDTH
    rank_all(CHESS, STATE, 0, 5, plies, before, book.SHELF, end, WIDTH, ledger)
    return [ledger[book.SHELF + k * WIDTH + RANK] for k in range(count)]


def code(name: str) -> int:
    return action_code(CHESS.parse_action(STATE, name))


@given(st.lists(st.tuples(st.integers(1, 60), st.booleans()), max_size=300))
def test_a_history_never_leaves_its_bounds(cuts: list[tuple[int, bool]]) -> None:
    ledger = [0]
    for depth, good in cuts:
        bonus = min(depth * depth * 16, 1 << 13)
        _credit(0, bonus if good else -bonus, ledger)
        assert abs(ledger[0]) <= BOUND


def test_only_calm_moves_become_killers_and_answers() -> None:
    ledger = shelf("exd5", on="killers counter history")
    cut(ledger, 1)
    assert ledger[book.KILLERS + 2 * PLIES] == 0
    assert ledger[book.COUNTERS + BEFORE - 1] == 0
    ledger = shelf("Ra7", on="killers counter history")
    cut(ledger, 1)
    assert ledger[book.KILLERS + 2 * PLIES] == code("Ra7") + 1
    assert ledger[book.COUNTERS + BEFORE - 1] == code("Ra7") + 1


def test_what_was_tried_before_the_cut_counts_against_itself() -> None:
    ledger = shelf("Ra2", "Ra3", "Ra7", on="history")
    cut(ledger, 3)
    first, second, third = ranks(ledger, 3)
    assert first == second < 0 < third


def test_an_answer_ranks_higher_after_the_same_action_than_after_another() -> None:
    ledger = shelf("Ra7", on="counter history")
    cut(ledger, 1)
    (same,) = ranks(ledger, 1)
    (other,) = ranks(ledger, 1, before=BEFORE + 1)
    assert same > other == ledger[book.HISTORY + code("Ra7")] > 0


def test_what_is_learned_lies_apart_from_everything_else() -> None:
    assert slice(book.HISTORY, book.HISTORY + 4 * CODES) == book.LEARNED
    assert book.LEARNED.stop == book.KILLERS


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
    bold, cautious = book.reductions(wary=False), book.reductions(wary=True)
    assert all(less <= more for less, more in zip(cautious, bold)) and cautious != bold
