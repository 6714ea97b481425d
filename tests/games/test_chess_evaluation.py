"""Judging chess positions: evaluation, exchanges, the order of moves."""

import math
import random
from functools import cache

import numpy as np
import pytest

from gametree.game import evaluations
from gametree.games.chess.board import State, squares, zobrist
from gametree.games.chess.evaluation import FEATURES, default_weights
from gametree.games.chess.exchange import exchange_gains, is_loud
from gametree.games.chess.features import Counts, count
from gametree.games.chess.rules import Chess

pytestmark = pytest.mark.same_in_all_modes

CHESS = Chess()


@cache
def walk(seed: int, count: int) -> tuple[State, ...]:
    """Positions of random games that take whenever they can, every other time."""
    rng = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = CHESS.initial()
        while not CHESS.is_terminal(state) and len(states) < count:
            states.append(state)
            actions = list(CHESS.actions(state))
            loud = [action for action in actions if is_loud(state, action)]
            state = CHESS.result(state, rng.choice(loud if loud and rng.random() < 0.5 else actions))
    return tuple(states)


def mirrored(state: State) -> State:
    """The same position with the colours exchanged."""
    boards = [sum(1 << (square ^ 56) for square in squares(board)) for board in state[:9]]
    kinds, white, black, castling = boards[:6], boards[6], boards[7], boards[8]
    passant = state.passant if state.passant < 0 else state.passant ^ 56
    made = State._make((*kinds, black, white, castling, 1 - state.turn, passant, 0, 1, 0))
    return made._replace(hash=zobrist(made))


def counts(fen: str) -> tuple[Counts, Counts]:
    state = CHESS.parse_state(fen)
    return count(state, 0)[0], count(state, 1)[0]


# --- evaluation -------------------------------------------------------------------------------------


def test_lolli_counts_1_3_3_5_9() -> None:
    assert evaluations(CHESS) == ("default", "lecture", "lolli", "network")
    for letter, value in zip("PNBRQ", (1, 3, 3, 5, 9)):
        state = CHESS.parse_state(f"7k/8/8/8/{letter}7/8/8/K7 b - - 0 1")
        assert CHESS.evaluate_lolli(state, 0) == value
        assert CHESS.evaluate_lolli(state, 1) == -value


def test_evaluations_are_the_same_with_colours_exchanged() -> None:
    for state in walk(1, 300):
        for evaluate in (CHESS.evaluate, CHESS.evaluate_lolli):
            assert evaluate(mirrored(state), 0) == -evaluate(state, 0) == evaluate(state, 1)


def test_the_evaluation_is_features_times_weights() -> None:
    for state in walk(2, 40):
        for player in (0, 1):
            features = np.array(list(CHESS.features(state, player)))
            assert features.size + 1 == 2 * FEATURES + 1 == CHESS.weights.size
            total = CHESS.weights[0] + features @ CHESS.weights[1:]
            assert math.isclose(total, CHESS.evaluate(state, player), rel_tol=1e-9, abs_tol=1e-9)


def test_other_weights_make_another_evaluation() -> None:
    game = Chess()
    game.weights[:] = 0
    state = game.parse_state("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    assert game.evaluate(state, 0) == 0
    game.weights[0] = 0.25
    assert game.evaluate(state, 0) == game.evaluate(state, 1) == 0.25
    assert CHESS.evaluate(state, 0) > 5


def test_default_weights_are_multiples_of_a_128th() -> None:
    assert np.all(default_weights() * 128 == np.round(default_weights() * 128))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # More material.
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        # A knight in the middle, a king behind its pawns, a pawn near the end, pawns side by side.
        ("4k3/8/8/4N3/8/8/PPP5/1K6 w - - 0 1", "4k3/8/8/8/8/8/PPP5/1K5N w - - 0 1"),
        ("1q3rk1/8/8/8/8/8/PPP5/1KR1Q3 w - - 0 1", "1q3rk1/8/8/3K4/8/8/PPP5/2R1Q3 w - - 0 1"),
        ("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1"),
        ("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1"),
        # In the endgame the king belongs in the middle.
        ("8/4k3/8/4K3/8/8/P7/8 w - - 0 1", "8/4k3/8/8/8/8/P7/7K w - - 0 1"),
    ],
)
def test_what_is_better_is_judged_better(better: str, worse: str) -> None:
    assert CHESS.evaluate(CHESS.parse_state(better), 0) > CHESS.evaluate(CHESS.parse_state(worse), 0)


def test_pawns_are_counted_by_their_structure() -> None:
    white, black = counts("4k3/pp3p2/5p2/3P4/8/P7/P2P2PP/4K3 w - - 0 1")
    assert (white.pawns, white.doubled, white.isolated, white.supported) == (6, 2, 4, 2)
    assert (black.pawns, black.doubled, black.isolated, black.supported) == (4, 1, 2, 2)
    # d5 is free; the pawns on g and h are held up by f, those on a by b, and d2 stands behind d5.
    assert [white[Counts._fields.index(f"passed_{rank}")] for rank in range(2, 8)] == [1, 0, 0, 1, 0, 0]
    assert white.passed_free == 1 + 4
    assert black.tempo == 0
    assert white.tempo == 1


def test_pieces_are_counted_by_what_they_do() -> None:
    white, black = counts("4k1b1/pp6/8/1n6/2B3B1/8/PP6/R2RK3 w - - 0 1")
    assert (white.bishop_pair, black.bishop_pair) == (1, 0)
    assert (white.rook_open, white.rook_half_open) == (1, 0)
    assert white.rook_mobility == 14 + 30  # 2 squares and 9
    assert black.minor_threats == white.minor_threats == 0


def test_the_king_counts_its_pawns_open_files_and_attackers() -> None:
    white, black = counts("5rk1/5ppp/8/6N1/2B4q/8/5P1P/R4RK1 w - - 0 1")
    assert (white.shield, white.king_open) == (2, 1)
    assert (black.shield, black.king_open) == (3, 0)
    assert white.king_attack > 0
    assert black.king_attack == 0  # one attacker alone is no attack


# --- exchanges --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "move", "worth"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 1),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -2),
        ("4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5", -8),
        ("4k3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "Qxd5", 1),
        ("4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", "exd5", 4),
        # A rook behind a rook joins in; a king does not take what is defended.
        ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "Rxd5", -4),
        ("3r2k1/8/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "Rxd5", 1),
        ("8/4k3/3p4/8/8/8/3R4/3R2K1 w - - 0 1", "Rxd6", 1),
        ("8/4k3/3p4/8/8/8/3R4/6K1 w - - 0 1", "Rxd6", -4),
        # En passant, promotion, quiet moves, castling.
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 1),
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0),
        ("1r4k1/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 13),
        ("1r4k1/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", -1),
        ("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", "Qd5", -9),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", 0),
    ],
)
def test_an_exchange_is_worth_what_both_sides_make_of_it(fen: str, move: str, worth: int) -> None:
    state = CHESS.parse_state(fen)
    action = CHESS.parse_action(state, move)
    assert exchange_gains(state, action, worth)
    assert not exchange_gains(state, action, worth + 1)


def swap(state: State, action: int) -> int:
    """The exchange by trying it: take with the least valuable piece as long as it pays, pins and checks included."""
    values = (1, 3, 3, 5, 9, 100)

    def value_of(position: State, square: int) -> int:
        kinds = [kind for kind in range(6) if position[kind] >> square & 1]
        return values[kinds[0]] if kinds else 0

    target = action >> 6 & 63
    won = value_of(state, target)
    after = CHESS.result(state, action)
    takers = [other for other in CHESS.actions(after) if other >> 6 & 63 == target and not other >> 12]
    if not takers:
        return won
    best = min(takers, key=lambda other: value_of(after, other & 63))
    return won - max(0, swap(after, best))


def test_exchanges_agree_with_trying_them_nearly_always() -> None:
    # They overlook pins and checks, so that a few differ.
    same = total = 0
    for state in walk(3, 1_200):
        for action in CHESS.actions(state):
            if is_loud(state, action) and not action >> 12 and state.passant != action >> 6 & 63:
                worth = swap(state, action)
                total += 1
                same += exchange_gains(state, action, worth) and not exchange_gains(state, action, worth + 1)
    assert total > 300
    assert same > 0.9 * total


# --- what is looked at ------------------------------------------------------------------------------


def named(state: State) -> set[str]:
    return {CHESS.name_action(state, action) for action in CHESS.tactical(state)}


def test_tactical_moves_are_captures_and_queens_that_lose_nothing() -> None:
    state = CHESS.parse_state("1r2k3/P6p/2p5/3p4/4P3/8/8/R2QK2R w KQ - 0 1")
    assert named(state) == {"axb8=Q+", "a8=Q", "exd5", "Rxh7"}
    assert named(CHESS.initial()) == set()


def test_in_check_every_move_is_tactical() -> None:
    state = CHESS.parse_state("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert named(state) == {"Kd1", "Kf1", "Kxe2"}


def test_tactical_moves_are_some_of_the_legal_ones() -> None:
    for state in walk(4, 200):
        actions, tactical = list(CHESS.actions(state)), list(CHESS.tactical(state))
        assert set(tactical) <= set(actions)
        assert len(set(tactical)) == len(tactical)


def test_the_biggest_victim_and_the_least_attacker_come_first_and_losing_captures_last() -> None:
    state = CHESS.parse_state("4k3/1P6/2p5/3p1q2/4P1B1/8/8/3QK3 w - - 0 1")
    ranked = sorted(CHESS.actions(state), key=lambda action: -CHESS.order(state, action))
    order = [CHESS.name_action(state, action) for action in ranked]
    assert order[:3] == ["exf5", "Bxf5", "b8=Q+"]
    assert order[-1] == "Qxd5"
    assert CHESS.order(state, CHESS.parse_action(state, "Ke2")) == 0
