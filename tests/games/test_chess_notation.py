"""Chess as text: FEN, SAN, UCI, boards."""

import random

import pytest

from gametree.errors import InputError
from gametree.games.chess.notation import chess960_fen
from gametree.games.chess.rules import Chess

pytestmark = pytest.mark.same_in_all_modes

CHESS = Chess()
CHESS960 = Chess(chess960=True)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


# --- FEN --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 12 40",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "8/8/8/8/8/8/6k1/4K2R b K - 150 200",
    ],
)
def test_a_position_is_written_as_it_was_read(fen: str) -> None:
    assert CHESS.fen(CHESS.parse_state(fen)) == fen


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("  4k3/8/8/8/8/8/8/4K3  b - - 3 0 ", "4k3/8/8/8/8/8/8/4K3 b - - 3 1"),
        # Nobody can take: the en passant square says nothing.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
    ],
)
def test_a_position_has_one_fen(text: str, fen: str) -> None:
    assert CHESS.fen(CHESS.parse_state(text)) == fen


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "a FEN has six fields .* this text has 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0", "this text has 5"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks separated by /, not 7"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 9 squares, not 8"),
        ("4k2/8/8/8/8/8/8/4K3 w - - 0 1", "rank 8 has 7 squares, not 8"),
        ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", "rank 7 has two numbers in a row"),
        ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", "'x' on rank 5 is no piece"),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9' on rank 7 is no piece"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has no king, and must have one"),
        ("4k3/8/8/8/8/8/8/4K1K1 w - - 0 1", "White has 2 kings, and must have one"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn cannot stand on h8"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns; there are eight"),
        ("4k3/8/8/8/8/RRR5/RRRRRRRR/RRRRKRRR w - - 0 1", "White has 19 pieces; there are sixteen"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "the side to move is w or b, not 'x'"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "White is to move, but Black's king is in check"),
        ("8/8/8/8/8/8/4k3/4K3 b - - 0 1", "Black is to move, but White's king is in check"),
        ("4k3/4r3/8/8/7b/3n4/8/4K3 w - - 0 1", "White's king is attacked by more than two pieces"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling right K: White has no rook on h1"),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "White cannot have castling rights with the king on d1"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "castling rights name the same side of White twice"),
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "some of KQkq; files of rooks belong to chess960=True"),
        ("4k3/8/8/8/8/8/8/4K2R w K-k - 0 1", "castling rights are - or some of KQkq"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1", "with White to move, on rank 6; not 'd3'"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - i6 0 1", "the en passant square is - or"),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "no pawn can just have moved from d7 to d5"),
        ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", "no pawn can just have moved from d7 to d5"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "capture or pawn move is 0 to 150, not '-1'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 151 1", "capture or pawn move is 0 to 150, not '151'"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", "the number of the move is 0 to 99999, not 'x'"),
        (f"4k3/8/8/8/8/8/8/4K3 w - - 0 {'9' * 5000}", "the number of the move is 0 to 99999"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(fen: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        CHESS.parse_state(fen)


@pytest.mark.parametrize(
    ("text", "fen"),
    [
        # X-FEN writes the outermost rook as K or Q, another one by its file.
        ("4k3/8/8/8/8/8/8/R3K1RR w HA - 0 1", "4k3/8/8/8/8/8/8/R3K1RR w KQ - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K1RR w GA - 0 1", "4k3/8/8/8/8/8/8/R3K1RR w GQ - 0 1"),
        ("1r3krb/8/8/8/8/8/8/1R3KRB b KQkq - 0 1", "1r3krb/8/8/8/8/8/8/1R3KRB b KQkq - 0 1"),
    ],
)
def test_chess960_reads_rooks_by_file_and_writes_the_outermost_without(text: str, fen: str) -> None:
    assert CHESS960.fen(CHESS960.parse_state(text)) == fen


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4k3/8/8/8/8/8/8/R3K1RR w GH - 0 1", "castling rights name the same side of White twice"),
        ("4k3/8/8/8/8/8/8/R3K1RR w C - 0 1", "castling right C: White has no rook on c1"),
        ("4k3/8/8/8/8/8/8/4K1RR w Q - 0 1", "castling right Q: White has no rook on that side of e1"),
        ("4k3/8/8/8/8/8/8/4K1RR w X - 0 1", "some of KQkq, or the file of a rook"),
        ("4k3/8/8/8/8/8/4K3/6RR w K - 0 1", "White cannot have castling rights with the king on e2"),
        ("960", "the starts of Chess960 have the numbers 0 to 959; 960 is none"),
    ],
)
def test_impossible_castling_rights_of_chess960_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        CHESS960.parse_state(text)


def test_number_518_of_chess960_is_the_usual_start() -> None:
    assert chess960_fen(518) == START
    assert CHESS960.parse_state("518") == CHESS960.initial() == CHESS.initial()


def test_a_text_with_a_slip_is_a_position_or_refused_in_words() -> None:
    rng = random.Random(1)
    fens = [START, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq e6 12 40"]
    for _ in range(3_000):
        text = list(rng.choice(fens))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(3)] = rng.choice("/ -kKpPqQ0123456789wbeé\n\x00")
        game = rng.choice((CHESS, CHESS960))
        try:
            state = game.parse_state("".join(text))
        except InputError:
            continue
        assert game.parse_state(game.fen(state)) == state


# --- moves ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (START, "g1f3", "Nf3"),
        (START, "e2e4", "e4"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", "Rd1"),
        ("6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("6k1/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"),
        ("6k1/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e1", "Q4e1"),
        ("1k6/8/8/8/4Q2Q/8/2K5/7Q w - - 0 1", "h4e1", "Qh4e1"),
        # A pinned knight is no rival.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", "e5e6", "e6"),
        ("rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "e5d6", "exd6"),
        ("1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q"),
        ("1n6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
    ],
)
def test_moves_are_written_in_san_and_uci_and_read_in_both(fen: str, uci: str, san: str) -> None:
    state = CHESS.parse_state(fen)
    action = CHESS.parse_action(state, uci)
    assert CHESS.parse_action(state, san) == action
    assert CHESS.name_action(state, action) == san
    assert CHESS.uci(state, action) == uci


@pytest.mark.parametrize(
    ("fen", "texts", "uci"),
    [
        (
            START,
            ["Nf3", " nf3 ", "Ng1f3", "Ng1-f3", "Ngf3", "N1f3", "g1f3", "g1-f3", "Nf3!?", "Nf3+"],
            "g1f3",
        ),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O", "0-0", "o-o", "OO", "e1g1", "e1h1", "Ke1g1"], "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["O-O-O", "0-0-0", "000", "e1c1", "e1a1"], "e1c1"),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", ["exd8=Q", "exd8Q", "ed8=q", "e7xd8=Q+", "e7d8q"], "e7d8q"),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", ["e8=N", "e8(N)", "e8n", "e7e8n"], "e7e8n"),
        (
            "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            ["exd6", "exd6 e.p.", "exd6ep", "ed6", "e5d6"],
            "e5d6",
        ),
        ("4k3/8/8/8/8/1p6/2P5/4K3 w - - 0 1", ["cxb3", "c:b3", "cb3", "cb3!!"], "c2b3"),
        ("4k3/8/8/8/8/2p5/1P2B3/4K3 w - - 0 1", ["bxc3", "b2xc3"], "b2c3"),
    ],
)
def test_moves_may_be_typed_in_many_ways(fen: str, texts: list[str], uci: str) -> None:
    state = CHESS.parse_state(fen)
    for text in texts:
        assert CHESS.uci(state, CHESS.parse_action(state, text)) == uci, text


def test_in_chess960_a_king_step_and_castling_are_told_apart() -> None:
    state = CHESS960.parse_state("4k3/8/8/8/8/8/8/5K1R w K - 0 1")
    step, castling = (CHESS960.parse_action(state, text) for text in ("f1g1", "f1h1"))
    assert CHESS960.name_action(state, step) == "Kg1"
    assert CHESS960.name_action(state, castling) == "O-O"
    assert CHESS960.uci(state, castling) == "f1h1"


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        (START, "", "'' is no chess move: write Nf3, exd5"),
        (START, "hello", "'hello' is no chess move"),
        (START, "Nf9", "'Nf9' is no chess move"),
        (START, "Nf6", "Nf6 is not legal here: no knight can go to f6; near are: Na3, Nc3, Nf3, Nh3"),
        (START, "O-O", "O-O is not legal here"),
        (START, "e1g1", "e1g1 is not legal here"),
        (START, "e2e4q", "e2e4q is not legal here"),
        ("6k1/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "Rd1 may be one of several moves: Rad1, Rhd1"),
        ("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8", r"several moves: e8=Q\+, e8=R\+, e8=B, e8=N"),
    ],
)
def test_a_text_that_is_no_legal_move_is_refused_with_what_is(fen: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        CHESS.parse_action(CHESS.parse_state(fen), text)


# --- boards -----------------------------------------------------------------------------------------


def test_a_board_is_shown_with_who_moves() -> None:
    state = CHESS.parse_state("4k3/8/8/8/8/8/4q3/R3K2R w KQ - 0 1")
    assert CHESS.show(state) == (
        "8  . . . . k . . .\n"
        "7  . . . . . . . .\n"
        "6  . . . . . . . .\n"
        "5  . . . . . . . .\n"
        "4  . . . . . . . .\n"
        "3  . . . . . . . .\n"
        "2  . . . . q . . .\n"
        "1  R . . . K . . R\n"
        "   a b c d e f g h\n"
        "White to move (in check)"
    )
