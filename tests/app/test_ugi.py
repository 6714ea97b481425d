"""`gametree ugi`: any game by the Universal Game Interface."""

import pytest

import gametree as gt
from app.conftest import Run
from gametree.app.ugi import Session
from gametree.arena.engines.ugi import in_one_line
from gametree.arena.playing import Referee
from gametree.errors import UnsuitableError
from gametree.games import Kuhn, Nim, TicTacToe

pytestmark = pytest.mark.same_in_all_modes


def said(game: gt.Game, *lines: str) -> list[str]:
    told: list[str] = []
    Session(game, told.append, hash_mb=1).run(lines)
    return told


def test_it_says_who_it_is_and_when_it_is_ready() -> None:
    assert said(TicTacToe(), "ugi", "isready", "quit")[-2:] == ["ugiok", "readyok"]


def test_it_finds_the_winning_move_after_the_moves_of_a_position() -> None:
    told = said(TicTacToe(), "position startpos moves a1 b1 a2 b2", "go depth 4")
    assert told[-1] == "bestmove a3" and told[-2].startswith("info depth ")


def test_a_position_is_read_as_the_game_writes_it() -> None:
    game = TicTacToe()
    state = game.parse_state("XX./OO./...")
    for text in ("XX./OO./...", in_one_line(game.show(state))):
        assert said(game, f"position fen {text}", "go nodes 1000")[-1] == "bestmove c3"


def test_two_of_them_play_a_whole_game() -> None:
    game, moves = Nim(9), list[str]()
    referee = Referee(game)
    while said(game, f"position startpos moves {' '.join(moves)}", "query gameover") == ["response false"]:
        told = said(game, f"position startpos moves {' '.join(moves)}", "go depth 9")
        moves.append(told[-1].split()[1])
        referee.enter(game.parse_action(referee.state, moves[-1]))
    assert referee.end() is not None
    result = said(game, f"position startpos moves {' '.join(moves)}", "query result", "query p1turn")
    assert result == ["response p1win", "response false"]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["hello"], "unknown command 'hello'"),
        (["position"], "position startpos, or position fen"),
        (["position startpos moves 9"], "move 1: '9' is no legal move here"),
        (["position fen rubbish"], "info string"),
        (["go depth x"], "depth 'x': a whole number"),
        (["query mood"], "query gameover, query p1turn or query result"),
        (["setoption name Hash value 3"], "there are no options"),
        (["position startpos moves 3 3 3", "go"], "the game is over"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(lines: list[str], why: str) -> None:
    told = said(Nim(9), *lines, "isready")
    assert why in told[0] and told[0].startswith("info string ") and told[-1] == "readyok"


def test_stop_ends_a_search() -> None:
    told = said(TicTacToe(), "go infinite", "stop")
    assert told[-1].startswith("bestmove ")


def test_games_for_others_are_refused(run: Run) -> None:
    with pytest.raises(UnsuitableError, match="ugi is for two players who see everything, not for Kuhn"):
        Session(Kuhn(), print)
    found = run("ugi", "ludo", stdin="quit\n")
    assert found.code == 2 and "not for Ludo" in found.err
    assert "bestmove" in run("ugi", "nim", stdin="go nodes 100\n").out
