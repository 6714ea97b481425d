"""Positions and games with mistakes in them: each is read or refused, never an error of another kind."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from gametree.errors import InputError
from gametree.games import Backgammon, Checkers, Chess, ConnectFour, Go, Hex, Othello
from gametree.games.checkers.pdn import read_pdn
from gametree.games.chess.pgn import read_epd, read_pgn
from mutation import mutated

pytestmark = pytest.mark.same_in_all_modes

FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 12 40",
    "4k3/P7/8/8/8/8/7p/4K3 w - -",
)
EPDS = (
    '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";',
    '8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; am Kg6; c0 "a comment";',
)
PGNS = (
    '[Event "?"]\n[White "Morphy"]\n[Black "Allies"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 {weak} 4. dxe5'
    " Bxf3 (4... dxe5 5. Qxd8+) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7"
    " 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n",
    '[SetUp "1"]\n[FEN "8/P7/8/8/8/8/8/k1K5 w - - 0 1"]\n\n1. a8=Q+ $1 ; mate\n*\n',
    "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 *",
)
PDNS = (
    '[Event "an example"]\n[Result "1/2-1/2"]\n1. 11-15 23-19 2. 8-11 22-17 3. 4-8 {book} 17-13 (25-22 9-14)'
    " 4. 15-18 24-20 5. 11-15 28-24 1/2-1/2\n",
    '[GameType "21"]\n[FEN "W:W20,21,K31:BK22,23"]\n1. 31-26 22x31 2. 20-16 *\n',
    "1. 11-15 22-18 2. 15x22 25x18 *",
)
DRAUGHTS = ("W:W20,21,K31:BK22,23", "B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29", "W:W21-32:B1-12:H3")
BACKGAMMON = Backgammon().show(Backgammon().initial()._replace(dice=31))

KINDS: list[tuple[str, Callable[[str], Any], Sequence[str]]] = [
    ("chess FEN", Chess().parse_state, FENS),
    ("Chess960 FEN", Chess(chess960=True).parse_state, FENS),
    ("EPD", read_epd, EPDS),
    ("PGN", lambda text: list(read_pgn(text)), PGNS),
    ("PDN", read_pdn, PDNS),
    ("draughts FEN", Checkers().parse_state, DRAUGHTS),
    ("othello", Othello().parse_state, ("f5d6c3d3c4f4", "-" * 27 + "OX------XO" + "-" * 27 + " X")),
    ("connect four", ConnectFour().parse_state, ("4453", "......./......./......./......./...O.../..XX...")),
    ("backgammon", Backgammon().parse_state, ("4HPwATDgc/ABMA X 31", "31 8/5 6/5 64", BACKGAMMON)),
    ("go", Go(5).parse_state, ("C3 C4 pass", ".X.../..O../...../...../...../O to move, ko at A1")),
    ("hex", Hex(5, swap=True).parse_state, ("c3 swap b2", ".X.../..O../...../...../.....")),
]


every_kind = pytest.mark.parametrize(("kind", "parse", "texts"), KINDS, ids=[kind for kind, *_ in KINDS])


def suffer(kind: str, parse: Callable[[str], Any], texts: Sequence[str], count: int) -> None:
    """Reads so many malformed texts: each is read or refused in words, within a second."""
    rng = random.Random(f"malformed {kind}")
    refused = 0
    for _ in range(count):
        text = mutated(rng.choice(texts), rng, texts)
        begun = time.monotonic()
        try:
            parse(text)
        except InputError as error:
            refused += 1
            message = str(error)
            assert message and len(message) < 1000, (text, message)
        took = time.monotonic() - begun
        assert took < 1, f"{took:.1f} s for {text[:200]!r}"
    assert refused > count / 4  # most of the texts were wrong indeed


@every_kind
def test_malformed_texts_are_read_or_refused(
    kind: str, parse: Callable[[str], Any], texts: Sequence[str]
) -> None:
    suffer(kind, parse, texts, 1500)


@pytest.mark.slow
@every_kind
def test_ten_thousand_malformed_texts_are_read_or_refused(
    kind: str, parse: Callable[[str], Any], texts: Sequence[str]
) -> None:
    suffer(kind, parse, texts, 10_000)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        (Chess(), ("e2e4", "Nf3", "O-O", "e8=Q", "exd5", "Ng1-f3")),
        (Checkers(), ("11-15", "22x15x8", "9-14")),
        (Othello(), ("d3", "pass", "f5")),
        (ConnectFour(), ("4", "7")),
        (Go(5), ("C3", "pass", "E5")),
        (Hex(5), ("c3", "swap", "e5")),
    ],
    ids=["chess", "checkers", "othello", "connect four", "go", "hex"],
)
def test_a_thousand_malformed_moves_are_read_or_refused(game: Any, moves: Sequence[str]) -> None:
    rng = random.Random(f"moves {game!r}")
    state = game.initial()
    legal = set(game.actions(state))
    for _ in range(1000):
        text = mutated(rng.choice(moves), rng, moves)
        try:
            assert game.parse_action(state, text) in legal
        except InputError as error:
            assert str(error)


@every_kind
def test_the_texts_themselves_are_right(kind: str, parse: Callable[[str], Any], texts: Sequence[str]) -> None:
    assert texts
    for text in texts:
        assert parse(text) is not None
