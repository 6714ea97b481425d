"""Boards in colours, in plain text and in ASCII."""

import re
from typing import Any

import pytest

from app.conftest import Run
from gametree import Game
from gametree.app.boards import Picture, painted, picture, plain
from gametree.games import Checkers, Chess, ConnectFour, Nim, Othello, TicTacToe

GAMES = [Chess(), Checkers(), Othello(), Othello(size=6), ConnectFour(), ConnectFour(width=12, height=4)]


def pictured(game: Game, state: Any, before: Any = None, near: int | None = None) -> Picture:
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
        pieces = sorted(cell.symbol for row in shown.rows for cell in row if cell.symbol)
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
        assert len(framed) == len(shown.rows) + 2 and len(set(map(len, framed))) == 1
        assert max(map(len, text.splitlines())) <= 42
    rows = ["".join(text for text, _ in line) for line in painted(shown)][: len(shown.rows)]
    assert len(set(map(len, rows))) == 1 and len(rows) == len(shown.rows)


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
    marked = sorted(int(shown.rows[y][x].label) for y, x in shown.marks)
    assert marked == [15, 18, 22] and "22b*" in plain(shown, ascii=True)


def test_everybody_sits_at_the_bottom() -> None:
    assert pictured(Chess(), Chess().initial(), near=0).ranks[-1] == "1"
    assert pictured(Chess(), Chess().initial(), near=1).ranks[-1] == "8"
    before, state = after(Chess(), "e4")
    turned = pictured(Chess(), state, before, near=1)
    assert turned.files[3] == "e" and (4, 3) not in turned.marks and (3, 3) in turned.marks
    assert pictured(Checkers(), Checkers().initial(), near=0).rows[-1][-2].label == "1"
    assert pictured(Checkers(), Checkers().initial(), near=1).rows[0][1].label == "1"
    assert pictured(Othello(), Othello().initial(), near=1).ranks[0] == "1"


def test_figurines_tell_the_sides_apart_without_colours() -> None:
    text = plain(pictured(Chess(), Chess().initial()))
    assert text.count("♙") == text.count("♟") == 8 and "♔" in text and "♚" in text


def test_the_status_shows_which_discs_are_meant() -> None:
    assert plain(pictured(Othello(), Othello().initial())).endswith("● X to move")
    assert plain(pictured(Othello(), Othello().initial()), ascii=True).endswith("\nX to move")


class Shown(Chess):
    """Chess that somebody shows in another way."""

    def show(self, state: Any) -> str:
        return self.fen(state)


@pytest.mark.parametrize("game", [Nim(), TicTacToe(), Shown()], ids=repr)
def test_other_games_are_drawn_as_they_show_themselves(game: Game) -> None:
    assert picture(game, game.initial()) is None


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
