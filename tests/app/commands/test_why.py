"""`gametree why`: what it prints and refuses."""

import json

from app.conftest import Run

DRAWN = ("why", "tic-tac-toe", "--position", "X.O/.X./..O", "--compile", "never")


def test_the_answer_is_in_words_and_on_the_board(run: Run) -> None:
    outcome = run(*DRAWN, "--not", "a1")
    assert outcome.code == 0, outcome.err
    assert outcome.out == (
        "3  X . O\n2  . X .\n1  . . O\n   a b c\nX to move\n\n"
        "Best for X is c2: it draws with best play. The line is c2 a2 a1 b3 b1, and the\ngame is a draw.\n"
        "a1 turns a draw into a loss: O wins in two plies.\n"
        "After a1 O plays c2, and O has won.\n\n"
        "After a1 c2:\n3  X . O\n2  . X O\n1  X . O\n   a b c\nO has won\n"
    )


def test_without_a_move_the_best_one_is_explained(run: Run) -> None:
    assert "Best for X is c2: it draws" in run(*DRAWN).out


def test_json_holds_both_lines(run: Run) -> None:
    data = json.loads(run(*DRAWN, "--not", "a1", "--json").out)
    assert data["schema"] == "gametree.why/1"
    assert (data["best"]["action"], data["other"]["action"], data["verdict"]) == ("c2", "a1", "loses")
    assert data["other"]["line"] == ["a1", "c2"]
    assert data["sentences"][1] == "a1 turns a draw into a loss: O wins in two plies."


def test_moves_made_before_count(run: Run) -> None:
    outcome = run(
        "why", "nim", "--set", "counters=5", "--moves-played", "1", "--not", "1", "--compile", "never"
    )
    assert "Best for the second player is" in outcome.out


def test_what_cannot_be_asked_is_refused(run: Run) -> None:
    assert run("why", "tic-tac-toe", "--position", "XXX/OO./...").refusal == (
        "the game is over here: there is no move to ask about"
    )
    assert "is no square of this board" in run("why", "tic-tac-toe", "--not", "z9").refusal
    assert "seconds must be a number" in run("why", "tic-tac-toe", "--seconds", "-1").refusal
    assert "'perhaps' is not one of" in run(*DRAWN[:4], "--compile", "perhaps").refusal


def test_the_help_has_an_example(run: Run) -> None:
    assert "gametree why connect-four --position 4453 --not 3" in run("why", "--help").out
