"""Games as text, out of the page and into it: PGN, PDN, SGF, strings of columns, positions, JSON."""

import io
import json

import chess.pgn
import pytest

from app.page.visitor import Visitor

PEOPLE = "seats=p,p"
TREE = "e4,e5(c5,~The%20Sicilian,Nf3,d6),Nf3,Nc6(Nf6,Nxe5)"
_BUTTON = """const found = [...document.querySelectorAll('.tools .button')];
found.find((one) => one.textContent === arguments[0]).click()"""


def shared(visitor: Visitor) -> dict[str, str]:
    """The game on the table in every format that is offered."""
    visitor.see(_BUTTON, "Share")
    names = visitor.until("return [...document.querySelectorAll('dialog option')].map((one) => one.value)")
    found = {}
    for name in names:
        visitor.choose("dialog select", name)
        found[name] = visitor.see("return document.querySelector('dialog textarea').value")
    return found


def imported(visitor: Visitor, text: str) -> None:
    visitor.see(_BUTTON, "Import")
    visitor.until("return document.querySelector('dialog textarea')")
    visitor.see("document.querySelector('dialog textarea').value = arguments[0]", text)
    visitor.click("dialog .button.primary")
    visitor.until(
        "return !document.querySelector('dialog') || !document.querySelector('dialog .trouble').hidden"
    )


def moves(visitor: Visitor) -> list[str]:
    return list(
        visitor.see("return [...document.querySelectorAll('.moves .move')].map((one) => one.textContent)")
    )


def test_a_game_of_chess_goes_out_and_comes_in_again(visitor: Visitor) -> None:
    visitor.play("chess", f"{PEOPLE}&moves=e4,c5&tree={TREE}")
    written = shared(visitor)
    pgn = written["Moves (PGN, PDN)"]
    assert "1. e4 e5 (1... c5 {The Sicilian} 2. Nf3 d6) 2. Nf3 Nc6 (2... Nf6 3. Nxe5)" in pgn
    assert written["Position"].startswith("rnbqkbnr/pp1ppppp/8/2p5/4P3")
    assert json.loads(written["JSON"])["game"] == "chess"
    read = chess.pgn.read_game(io.StringIO(pgn))
    assert read is not None and not read.errors
    assert [one.san() for one in read.mainline()] == ["e4", "e5", "Nf3", "Nc6"]
    assert [one.comment for one in read[0].variations] == ["", "The Sicilian"]
    for name in ("Moves (PGN, PDN)", "JSON", "Position"):
        visitor.play("chess", PEOPLE)
        imported(visitor, written[name])
        if name == "Position":
            visitor.until("return location.hash.includes('position=rnbqkbnr')")
        else:
            visitor.shows(".moves", "The Sicilian")
            assert len(moves(visitor)) == 9


def test_pgn_of_other_programs_comes_in(visitor: Visitor) -> None:
    visitor.play("chess", PEOPLE)
    imported(
        visitor,
        """[Event "Rated game"]
[Result "1-0"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. e4 { [%eval 0.3] [%clk 0:03:00] } 1... Kd7?! $6 (1... Kf7 2. e5) 2.e5 ; the rest of the line
Ke6 1-0""",
    )
    visitor.until("return document.querySelectorAll('.moves .move').length === 6")
    assert moves(visitor) == ["e4", "Kd7", "Kf7", "e5", "e5", "Ke6"]
    assert "position=4k3" in visitor.address


@pytest.mark.parametrize(
    ("game", "query", "wanted"),
    [
        ("checkers", "moves=11-15,23-19,8-11", {"Moves (PGN, PDN)": "1. 11-15 23-19 2. 8-11"}),
        ("connect-four", "moves=4,4,5", {"Columns": "445"}),
        ("othello", "moves=d3,c5", {"Moves (PGN, PDN)": "1. d3 c5"}),
        (
            "go",
            "s.size=5&s.komi=0.5&moves=C3,pass,D4",
            {"SGF": "(;FF[4]GM[1]SZ[5]KM[0.5];B[cc];W[];B[db])"},
        ),
        # The last throw was made: dice that roll by themselves would add one.
        (
            "backgammon",
            "moves=3-1,8%2F5%206%2F5,2-1",
            {"Moves (PGN, PDN)": '1. 3-1 "8/5 6/5" 2. 2-1'},
        ),
    ],
)
def test_what_goes_out_comes_in_again(
    visitor: Visitor, game: str, query: str, wanted: dict[str, str]
) -> None:
    visitor.play(game, f"{query}&seats=p,p")
    ply, before = visitor.ply, moves(visitor)
    written = shared(visitor)
    for name, text in wanted.items():
        assert text in written[name]
    settings = [one for one in query.split("&") if one.startswith("s.")]
    for name, text in written.items():
        visitor.play(game, "&".join([*(settings if name == "Position" else []), PEOPLE]))
        imported(visitor, text)
        if name == "Position":
            visitor.until("return location.hash.includes('position=')")
        else:
            visitor.until("return document.querySelector('.stage').dataset.ply === String(arguments[0])", ply)
            assert moves(visitor) == before, name
        assert all(one in visitor.address for one in settings)


def test_notations_of_other_programs_come_in(visitor: Visitor) -> None:
    for game, text, last in (
        ("connect-four", "445", "5"),
        ("checkers", '[Event "x"]\n[GameType "21"]\n\n1. 11-15 23-19 2. 8-11 *', "8-11"),
        ("go", "(;FF[4]GM[1]SZ[9];B[ee];W[gc](;B[cc])(;B[cg]C[a comment]))", "C7"),
        ("othello", "d3 c5", "c5"),
        ("hex", "f6, g5", "g5"),
    ):
        visitor.play(game, PEOPLE)
        imported(visitor, text)
        visitor.until(
            "return [...document.querySelectorAll('.move[aria-current]')].at(-1)?.textContent === arguments[0]",
            last,
        )


def test_sgf_with_a_handicap_comes_in_and_goes_out(visitor: Visitor) -> None:
    text = "(;FF[4]GM[1]SZ[9]KM[0.5]HA[2]AB[gc][cg];W[cc];B[gg];B[ee])"
    visitor.play("go", PEOPLE)
    imported(visitor, text)
    visitor.until("return document.querySelectorAll('.moves .move').length === 4")
    assert moves(visitor) == ["C7", "G3", "pass", "E5"], "Black plays twice: White passes"
    labels = "return [...document.querySelectorAll('.cell')].map((one) => one.ariaLabel.split(',').slice(0, 2).join())"
    stones = {one.split(", ")[0]: one.split(", ")[1] for one in visitor.see(labels) if "empty" not in one}
    assert stones.keys() == {"G7", "C3", "C7", "G3", "E5"}
    assert stones["G7"] == stones["C3"] == stones["G3"] != stones["C7"]
    assert shared(visitor)["SGF"].strip() == "(;FF[4]GM[1]SZ[9]AB[gc][cg]PL[W]KM[0.5];W[cc];B[gg];W[];B[ee])"


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        ("chess", "1. e4 e5 2. Qh6", "Qh6"),
        ("chess", "", "paste moves or a position"),
        ("chess", "{", "This is no JSON"),
        ("chess", '{"game": "go"}', "This is a game of go, and chess is on the table"),
        ("go", "(;SZ[19];B[pd])", "size"),
        ("go", "(;SZ[9]AB[zz];W[cc])", "AB[zz] is no point of this board"),
        ("go", "(;SZ[9];B[cc];AW[dd])", "in the middle of a game"),
        ("connect-four", "448", "8"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(
    visitor: Visitor, game: str, text: str, why: str
) -> None:
    visitor.play(game, PEOPLE)
    imported(visitor, text)
    assert why in visitor.text("dialog .trouble")
