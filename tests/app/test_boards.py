"""Boards in colours, in plain text and in ASCII."""

import re
from dataclasses import replace
from typing import Any

import pytest

from app.conftest import Run
from gametree import Board, Game, Tree, games
from gametree.app.boards import painted, picture, plain
from gametree.games import Checkers, Chess, ConnectFour, Hex, Nim, Othello, Pig
from idioms.games.hexapawn import Hexapawn

GAMES = [Chess(), Checkers(), Othello(), Othello(size=6), ConnectFour(), ConnectFour(width=12, height=4)]


def pictured(game: Game, state: Any, before: Any = None, near: int | None = None) -> Board:
    shown = picture(game, state, before, near)
    assert shown is not None
    return shown


def after(game: Game, *moves: str) -> tuple[Any, Any]:
    """The last two states of a line."""
    before = state = game.initial()
    for move in moves:
        before, state = state, game.result(state, game.parse_action(state, move))
    return before, state


@pytest.mark.parametrize("game", GAMES, ids=repr)
@pytest.mark.parametrize("near", [None, 0, 1])
def test_a_board_has_every_piece_that_the_game_shows(game: Game, near: int | None) -> None:
    state = game.initial()
    for _ in range(12):
        body = "".join(game.show(state).splitlines()[:-1])
        shown = pictured(game, state, near=near)
        pieces = sorted(cell.piece.symbol for cell in shown.cells if cell.piece)
        letters = (
            "[bwBW]"
            if isinstance(game, Checkers)
            else "[A-Zxo]"
            if not isinstance(game, Chess)
            else "[a-zA-Z]"
        )
        expected = re.findall(letters, body.replace("   a b c d e f g h", ""))
        assert pieces == sorted(expected)
        state = game.result(state, next(iter(game.actions(state))))


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_ascii_boards_are_ascii_and_all_boards_are_straight(game: Game) -> None:
    before, state = game.initial(), game.result(game.initial(), next(iter(game.actions(game.initial()))))
    shown = pictured(game, state, before)
    assert plain(shown, ascii=True).isascii() and not plain(shown).isascii()
    for text in (plain(shown), plain(shown, ascii=True)):
        framed = [line for line in text.splitlines() if line[-1] in "|│┐┘+"]
        assert len(framed) == shown.size[1] + 2 and len(set(map(len, framed))) == 1
        assert max(map(len, text.splitlines())) <= 42
    high = int(shown.size[1])
    rows = ["".join(text for text, _ in line) for line in painted(shown)][:high]
    assert len(set(map(len, rows))) == 1 and len(rows) == high


def test_the_last_move_is_in_brackets() -> None:
    text = plain(pictured(Chess(), *reversed(after(Chess(), "e4"))), ascii=True)
    assert "4 |  .  .  .  . [P] .  .  .  |" in text and "2 |  P  P  P  P [.] P  P  P  |" in text
    assert text.count("[") == 2


def test_turned_discs_are_not_marked_but_the_one_put_down_is() -> None:
    text = plain(pictured(Othello(), *reversed(after(Othello(), "d3"))))
    assert text.count("[●]") == 1 and text.count("[") == 1


def test_a_jump_in_checkers_leaves_three_traces() -> None:
    before, state = after(Checkers(), "11-15", "22-18", "15x22")
    shown = pictured(Checkers(), state, before)
    assert sorted(shown.last) == ["15", "18", "22"] and "22b*" in plain(shown, ascii=True)


def test_everybody_sits_at_the_bottom() -> None:
    assert pictured(Chess(), Chess().initial(), near=0).rows[-1] == "1"
    assert pictured(Chess(), Chess().initial(), near=1).rows[-1] == "8"
    before, state = after(Chess(), "e4")
    turned = pictured(Chess(), state, before, near=1)
    assert turned.columns[3] == "e" and turned.last == ("e2", "e4")
    assert (turned.cell("e4").x, turned.cell("e4").y) == (3, 3)
    assert place(pictured(Checkers(), Checkers().initial(), near=0), "1") == (6, 7)
    assert place(pictured(Checkers(), Checkers().initial(), near=1), "1") == (1, 0)
    assert pictured(Othello(), Othello().initial(), near=1).rows[0] == "1"


def place(board: Board, id: str) -> tuple[float, float]:
    return board.cell(id).x, board.cell(id).y


def test_figurines_tell_the_sides_apart_without_colours() -> None:
    text = plain(pictured(Chess(), Chess().initial()))
    assert text.count("♙") == text.count("♟") == 8 and "♔" in text and "♚" in text


def test_the_status_shows_which_discs_are_meant() -> None:
    assert plain(pictured(Othello(), Othello().initial())).endswith("● X to move")
    assert plain(pictured(Othello(), Othello().initial()), ascii=True).endswith("\nX to move")


def test_a_board_that_is_found_in_the_state_is_drawn_too_and_says_whose_turn_it_is() -> None:
    game: Game = Hexapawn()
    before = game.initial()
    text = plain(pictured(game, game.result(before, next(iter(game.actions(before)))), before))
    assert text.splitlines()[1:5] == ["  │ B  B  B │", "  │[W] ·  · │", "  │[·] W  W │", "  └─────────┘"]
    assert text.endswith("\nThe second player to move")


class Quiet(Chess):
    """Chess by somebody who tells no board and shows it in another way."""

    board = Game.board  # type: ignore[assignment]

    def show(self, state: Any) -> str:
        return self.fen(state)


def test_what_a_game_shows_itself_comes_before_a_board_that_would_have_to_be_found() -> None:
    assert picture(Quiet(), Quiet().initial()) is None


def test_a_game_without_a_board_is_drawn_as_it_shows_itself() -> None:
    assert picture(Tree([1, 2]), 0) is None


def test_heaps_and_scores_are_told() -> None:
    assert plain(pictured(Nim(counters=5), Nim(counters=5).initial())).splitlines()[0] == "|||||"
    assert plain(pictured(Nim(counters=40), Nim(counters=40).initial())).splitlines()[0] == "|" * 30 + "..."
    assert (
        plain(pictured(Pig(), Pig().parse_state("3 4 5"))).splitlines()[0] == "first 3, second 4, this turn 5"
    )


def test_a_board_of_hexagons_leans() -> None:
    game = Hex(size=3)
    assert plain(pictured(game, *reversed(after(game, "b2", "a3"))), ascii=True).splitlines() == [
        "   a   b   c",
        "1  .   .   .",
        "  2  .   X   .",
        "    3 [O]  .   .",
        "X to move",
    ]


def test_piles_hang_from_both_sides_and_high_ones_are_numbers() -> None:
    game = games.load("backgammon")
    state = game.parse_state("31")
    text = plain(pictured(game, state), ascii=True).splitlines()
    assert text[0].split() == [*map(str, range(13, 25))] and text[12].split() == [*map(str, range(12, 0, -1))]
    assert text[1].split() == list("X...O.O....X") and text[5].split() == list("X.....O.....")
    assert text[-2:] == ["dice 3-1", "X to play 3-1"]


@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("near", [0, 1])
def test_every_shipped_game_is_drawn_in_text_in_ascii_and_in_colours(name: str, near: int) -> None:
    game = games.load(name)
    before, state = None, game.initial()
    for _ in range(25):
        shown = pictured(game, state, before, near)
        assert plain(shown, ascii=True).isascii()
        assert plain(shown).splitlines()[-1].endswith(shown.status) and list(painted(shown))
        assert max(map(len, plain(replace(shown, status="")).splitlines())) <= 80
        if game.is_terminal(state):
            break
        choices = (
            [one for one, _ in game.chance(state)] if game.player(state) < 0 else list(game.actions(state))
        )
        before, state = state, game.result(state, choices[len(choices) // 2])


# --- on a screen ------------------------------------------------------------------------------------


def test_a_game_of_chess_is_drawn_on_a_screen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = run("play", "chess", "--player", "both", stdin="e2-e4\ne7e5\nnf3\nzz\nqh5\n")
    assert outcome.code == 0 and "4 │  ·  ·  ·  · [♙] ·  ·  ·  │" in outcome.out
    assert (
        "'zz' is no chess move" in outcome.out
        and "qh5 is not legal here: the queen on d8 cannot" in outcome.out
    )
    assert run("play", "chess", "--player", "both", "--ascii", stdin="e4\n").out.isascii()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = run("play", "chess", "--player", "both", stdin="e4\n").out
    assert "\x1b[" in coloured and "┌" not in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("play", "chess", "--player", "both", stdin="e4\n").out


@pytest.mark.parametrize("game", ["chess", "checkers", "othello", "connect-four"])
def test_forty_columns_are_enough_for_boards(run: Run, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    outcome = run("play", game, "--player", "both", stdin="moves\nzz\n")
    assert outcome.code == 0 and max(map(len, outcome.out.splitlines())) <= 40
