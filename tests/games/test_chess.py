"""The rules of chess."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree import games
from gametree.checking.agreement import differences
from gametree.compiled import cache as disk
from gametree.errors import InputError
from gametree.games.chess.board import State, zobrist
from gametree.games.chess.rules import Chess

AT_ONCE = 2_500
COMPILED = 5_000_000

CHESS = Chess()
CHESS960 = Chess(chess960=True)


def position(*lines: str, game: Chess = CHESS) -> State:
    """The position after a FEN, or the initial one, and moves."""
    state = game.parse_state(lines[0]) if "/" in lines[0] else game.initial()
    for move in lines[1:] if "/" in lines[0] else lines:
        state = game.result(state, game.parse_action(state, move))
    return state


def names(state: State, game: Chess = CHESS) -> set[str]:
    return {game.name_action(state, action) for action in game.actions(state)}


@cache
def walk(seed: int, count: int) -> tuple[State, ...]:
    """Positions of random games."""
    rng = random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = CHESS.initial()
        while not CHESS.is_terminal(state) and len(states) < count:
            states.append(state)
            state = CHESS.result(state, rng.choice(list(CHESS.actions(state))))
    return tuple(states)


# --- counts from outside ----------------------------------------------------------------------------


def perft_cases(least: int, most: int) -> list[Any]:
    cases = []
    for line in Path(__file__).with_name("chess_perft.epd").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            fen, *figures = (part.strip() for part in line.split(";"))
            game = CHESS if set(fen.split()[2]) <= set("KQkq-") else CHESS960
            for figure in figures:
                depth, count = figure.removeprefix("D").split()
                if least <= int(count) < most:
                    cases.append(pytest.param(game, fen, int(depth), int(count), id=f"{fen}, D{depth}"))
    return cases


@pytest.mark.parametrize(("game", "fen", "depth", "count"), perft_cases(0, AT_ONCE))
def test_perft_agrees_with_figures_from_outside(game: Chess, fen: str, depth: int, count: int) -> None:
    assert oracle.perft(game, depth, game.parse_state(fen)) == count


@pytest.mark.needs_compiler
@pytest.mark.parametrize(("game", "fen", "depth", "count"), perft_cases(AT_ONCE, COMPILED))
def test_compiled_perft_agrees_with_figures_from_outside(
    game: Chess, fen: str, depth: int, count: int
) -> None:
    assert gt.perft(game, depth, game.parse_state(fen), compile="always") == count


@pytest.mark.slow
@pytest.mark.needs_compiler
@pytest.mark.parametrize(("game", "fen", "depth", "count"), perft_cases(COMPILED, 1 << 62))
def test_deep_perft_agrees_with_figures_from_outside(game: Chess, fen: str, depth: int, count: int) -> None:
    assert gt.perft(game, depth, game.parse_state(fen), compile="always") == count


# --- special moves ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"O-O", "O-O-O"}),
        ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", {"O-O-O"}),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),
        # The king is in check, would cross an attacked square, or would end on one.
        ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", set()),
        ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", {"O-O-O"}),
        ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", {"O-O-O"}),
        ("4k3/8/8/8/8/8/2r5/R3K2R w KQ - 0 1", {"O-O"}),
        # An attacked rook may castle, also across an attacked square.
        ("4k3/8/8/8/8/8/1r5r/R3K2R w KQ - 0 1", {"O-O", "O-O-O"}),
    ],
)
def test_a_king_castles_neither_out_of_check_nor_through_it_nor_into_it(fen: str, legal: set[str]) -> None:
    assert {name for name in names(position(fen)) if name.startswith("O")} == legal


def test_castling_is_lost_by_moving_the_king_or_a_rook_and_by_losing_the_rook() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert CHESS.fen(position(fen, "Ke2")).split()[2] == "kq"
    assert CHESS.fen(position(fen, "Rb1")).split()[2] == "Kkq"
    assert CHESS.fen(position(fen, "Rxh8+")).split()[2] == "Qq"
    assert CHESS.fen(position(fen, "O-O")).split()[2] == "kq"


@pytest.mark.parametrize(
    ("fen", "move", "after"),
    [
        # King and rook change places; the king stays; the rook stays.
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/3RK3 w D - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"),
        ("bk5r/8/8/8/8/8/8/4K3 b h - 0 1", "b8h8", "b4rk1/8/8/8/8/8/8/4K3 w - - 1 2"),
    ],
)
def test_chess960_castles_to_the_usual_squares_from_anywhere(fen: str, move: str, after: str) -> None:
    assert CHESS960.fen(position(fen, move, game=CHESS960)) == after


def test_in_chess960_a_rook_that_shields_the_king_from_its_own_rank_cannot_castle() -> None:
    state = CHESS960.parse_state("4k3/8/8/8/8/8/8/rRK5 w B - 0 1")
    assert "O-O-O" not in names(state, CHESS960)


def test_a_pawn_is_taken_en_passant_at_once_or_not_at_all() -> None:
    state = position("e4", "a6", "e5", "d5")
    assert "exd6" in names(state)
    assert CHESS.fen(position("e4", "a6", "e5", "d5", "exd6")).startswith("rnbqkbnr/1pp1pppp/p2P4/8/")
    assert "exd6" not in names(position("e4", "a6", "e5", "d5", "h3", "h6"))


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",  # both pawns leave the rank
        "4r3/8/8/3pP3/8/8/8/k3K3 w - d6 0 1",  # the taking pawn is pinned to its file
        "6k1/8/8/3pP3/8/8/8/r6K w - d6 0 1",  # in check from elsewhere
    ],
)
def test_en_passant_that_leaves_the_king_in_check_is_illegal_and_leaves_no_trace(fen: str) -> None:
    state = position(fen)
    assert "exd6" not in names(state)
    assert CHESS.fen(state).split()[3] == "-"
    assert state == position(fen.replace("d6", "-"))


def test_a_pawn_that_gives_check_can_be_taken_en_passant() -> None:
    assert "exd6" in names(position("8/8/8/3pP3/4K3/8/2k5/8 w - d6 0 1"))


def test_a_pawn_on_the_last_rank_becomes_one_of_four_pieces() -> None:
    state = position("3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1")
    promotions = {name for name in names(state) if "=" in name}
    assert promotions == {
        *("e8=Q+", "e8=R+", "e8=B", "e8=N"),
        *("exd8=Q+", "exd8=R+", "exd8=B", "exd8=N"),
    }


def test_a_pinned_piece_moves_in_its_line_only() -> None:
    assert {n for n in names(position("4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1")) if n[0] == "R"} == {
        *("Re3", "Re4", "Re5", "Re6", "Re7", "Rxe8+")
    }


# --- ends -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "payoff", "status"),
    [
        (("f3", "e5", "g4", "Qh4"), -1, "checkmate, Black has won"),
        (("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7"), 1, "checkmate, White has won"),
        (("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",), 0, "a draw by stalemate"),
        (("8/8/8/4k3/8/8/4K3/8 w - - 0 1",), 0, "a draw: nobody can mate with what is left"),
    ],
)
def test_the_game_ends(lines: tuple[str, ...], payoff: int, status: str) -> None:
    state = position(*lines)
    assert CHESS.is_terminal(state)
    assert [CHESS.utility(state, player) for player in (0, 1)] == [payoff, -payoff]
    assert CHESS.show(state).splitlines()[-1] == status
    with pytest.raises(InputError, match="the game is over"):
        CHESS.parse_action(state, "e4")


@pytest.mark.parametrize(
    ("pieces", "drawn"),
    [
        ("", True),
        ("N", True),
        ("B", True),
        ("Bb", False),
        ("B1b", True),
        ("NN", False),
        ("Nn", False),
        ("Bn", False),
        ("R", False),
        ("P", False),
        ("B1B1B", True),
    ],
)
def test_a_game_is_drawn_where_no_sequence_of_moves_can_mate(pieces: str, drawn: bool) -> None:
    gap = 8 - sum(int(letter) if letter.isdigit() else 1 for letter in pieces)
    state = position(f"7k/8/8/8/{pieces}{gap or ''}/8/4K3/8 w - - 0 1")
    assert CHESS.is_terminal(state) == drawn
    assert bool(list(CHESS.actions(state)))


def test_75_moves_without_capture_or_pawn_move_end_the_game_unless_the_last_one_mates() -> None:
    state = position("7k/8/6K1/8/8/8/8/R7 w - - 149 100")
    assert CHESS.clock(state) == 1
    assert not CHESS.is_terminal(state)
    assert CHESS.may_claim_fifty(state)
    quiet, mate = position(CHESS.fen(state), "Rb1"), position(CHESS.fen(state), "Ra8")
    assert CHESS.is_terminal(quiet)
    assert CHESS.utility(quiet, 0) == 0
    assert CHESS.clock(quiet) == 0
    assert CHESS.utility(mate, 0) == 1


def test_a_capture_or_pawn_move_starts_the_clock_again() -> None:
    fen = "4k3/8/8/3p4/8/8/4P3/3RK3 w - - 40 60"
    assert CHESS.clock(position(fen, "Rd2")) == 109
    assert CHESS.clock(position(fen, "Rxd5")) == 150
    assert CHESS.clock(position(fen, "e3")) == 150
    assert not CHESS.may_claim_fifty(position(fen))


# --- identity ---------------------------------------------------------------------------------------


def test_the_key_is_carried_along_as_it_would_be_computed_from_scratch() -> None:
    for state in walk(1, 400):
        assert state.hash == zobrist(state)


def test_positions_with_the_same_moves_have_the_same_key_whatever_the_way() -> None:
    there = position("Nf3", "Nf6", "Nc3", "Nc6")
    back = position("Nc3", "Nc6", "Nf3", "Nf6")
    assert CHESS.key(there) == CHESS.key(back)
    again = position("Nf3", "Nf6", "Ng1", "Ng8")
    assert CHESS.repetition_key(again) == CHESS.repetition_key(CHESS.initial())
    # Lost castling rights make another position; a pawn that nobody can take en passant does not.
    assert CHESS.repetition_key(position("e4", "e5", "Ke2", "Ke7", "Ke1", "Ke8")) != CHESS.repetition_key(
        position("e4", "e5")
    )
    assert CHESS.repetition_key(position("e3", "Nf6", "e4")) == CHESS.repetition_key(
        position("rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2")
    )


def test_a_player_in_check_is_threatened() -> None:
    assert CHESS.threatened(position("e4", "f6", "d3", "g5", "Qh5"))
    assert not CHESS.threatened(position("e4", "f6", "d3", "g5"))


@pytest.mark.parametrize(
    "state",
    [
        *walk(5, 400)[::5],
        position("5k2/8/8/8/8/8/8/4K2R w K - 0 1"),  # castling gives check
        position("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1"),  # en passant uncovers the rook
        position(
            "8/3P2k1/8/8/8/8/8/4K3 w - - 0 1", game=CHESS
        ),  # a pawn that becomes a queen gives none, or check
        position("k7/2P5/8/8/8/8/8/4K3 w - - 0 1"),
        position("7k/8/8/8/3N4/8/1B6/4K3 w - - 0 1"),  # the bishop behind the knight
    ],
    ids=CHESS.fen,
)
def test_that_a_move_gives_check_is_known_before_it_is_made(state: State) -> None:
    for action in CHESS.actions(state):
        assert CHESS.threatens(state, action) == CHESS.threatened(CHESS.result(state, action))


def test_passing_is_assumed_where_it_is_sound() -> None:
    passed = CHESS.null(position("e4", "d5", "e5", "f5"))
    assert passed is not None
    assert CHESS.fen(passed).split()[1:4] == ["b", "KQkq", "-"]
    assert passed.hash == zobrist(passed)
    assert CHESS.null(position("e4", "f6", "d3", "g5", "Qh5")) is None  # in check
    assert CHESS.null(position("4k3/4p3/8/8/8/8/8/Q3K3 b - - 0 1")) is None  # nothing but pawns


# --- the whole --------------------------------------------------------------------------------------


def test_the_contract_is_kept() -> None:
    report = gt.check(CHESS, compile="never", seconds=3)
    assert not report.problems, str(report)


@pytest.mark.needs_compiler
def test_the_machine_code_of_the_engine_is_kept_on_disk() -> None:
    gt.Engine(CHESS, compile="always").analyze(limit=gt.Limit(depth=1))
    kept = [(entry.game, entry.kernel) for entry in disk.entries()]
    assert ("Chess", "kernel") in kept


@pytest.mark.needs_compiler
def test_compiled_rules_are_the_interpreted_ones() -> None:
    assert differences(CHESS, walk(2, 250)) == ([], "")
    starts = [CHESS960.parse_state(str(number)) for number in range(0, 960, 60)]
    assert differences(CHESS960, starts) == ([], "")


@pytest.mark.needs_compiler
@pytest.mark.parametrize(
    ("fen", "moves", "key"),
    [
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "Ra6"),  # Paul Morphy
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "Ra6+"),
    ],
)
def test_mates_are_found(fen: str, moves: int, key: str) -> None:
    analysis = gt.analyze(CHESS, position(fen), gt.Limit(depth=2 * moves - 1))
    assert analysis.name == key
    assert str(analysis.value) == f"win in {2 * moves - 1}"
    assert analysis.exact


def test_chess_is_found_by_its_name() -> None:
    assert isinstance(games.load("chess"), Chess)
    assert repr(games.load("chess", chess960="yes")) == "Chess(chess960=True)"
    assert games.Chess is Chess
