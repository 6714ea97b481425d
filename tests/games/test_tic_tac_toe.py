"""Tic-tac-toe and its larger relatives."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from gametree.errors import InputError
from gametree.games.tic_tac_toe import State, TicTacToe

BOARDS = [(3, 3, 3), (4, 3, 3), (3, 5, 3), (5, 5, 4), (1, 6, 3), (6, 1, 2), (12, 5, 5), (2, 12, 3)]


@st.composite
def played(draw: st.DrawFn) -> tuple[TicTacToe, State]:
    """A game on some board, and a state that was reached by play."""
    game = TicTacToe(*draw(st.sampled_from(BOARDS)))
    state = game.initial()
    for _ in range(draw(st.integers(0, game.squares))):
        if game.is_terminal(state):
            break
        state = game.result(state, draw(st.sampled_from(list(game.actions(state)))))
    return game, state


def rows(game: TicTacToe, state: State) -> list[str]:
    """The board once more, without bits."""
    text = ["XO"[state.o >> n & 1] if (state.x | state.o) >> n & 1 else "." for n in range(game.squares)]
    return ["".join(text[at : at + game.width]) for at in range(0, game.squares, game.width)]


def segments(game: TicTacToe) -> list[list[tuple[int, int]]]:
    """Every line of k squares, found by walking."""
    found = []
    for row in range(game.height):
        for column in range(game.width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, column + i * right) for i in range(game.k)]
                if all(0 <= r < game.height and 0 <= c < game.width for r, c in line):
                    found.append(line)
    return found


def test_perfect_play_ends_in_a_draw() -> None:
    found = oracle.alphabeta(TicTacToe())
    assert found.value == 0
    assert found.action == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (".../.../...", 0),
        (".../.X./...", 8 - 4),
        ("X../.../...", 8 - 5),
        (".X./.../...", 8 - 6),
        ("XO./.../...", 6 - 5),
        ("X../..O/...", 6 - 5),
        ("X../.O./...", 4 - 5),
        (".O./.X./...", 6 - 4),
        ("O../.X./...", 5 - 4),
        ("X.O/.../...", 5 - 5),
        ("X../.../..O", 5 - 5),
        ("XO./..X/...", 6 - 3),
    ],
)
def test_the_evaluation_is_that_of_the_lectures(text: str, value: int) -> None:
    game = TicTacToe()
    state = game.parse_state(text)
    assert game.evaluate(state, 0) == value
    assert game.evaluate(state, 1) == -value


@given(played())
def test_lines_and_their_ends_are_those_found_by_walking(pair: tuple[TicTacToe, State]) -> None:
    game, state = pair
    board = rows(game, state)
    lines = [{board[row][column] for row, column in line} for line in segments(game)]
    won = {"X"} in lines, {"O"} in lines
    assert game.is_terminal(state) == (any(won) or "." not in "".join(board))
    assert game.evaluate(state, 0) == sum("O" not in line for line in lines) - sum(
        "X" not in line for line in lines
    )
    if game.is_terminal(state):
        assert game.utility(state, 0) == won[0] - won[1] == -game.utility(state, 1)
        assert list(game.actions(state)) == []


@given(played())
def test_what_is_shown_is_read_back(pair: tuple[TicTacToe, State]) -> None:
    game, state = pair
    assert game.parse_state(game.show(state)) == state
    assert game.parse_state("/".join(rows(game, state))) == state
    assert game.parse_state("/".join(rows(game, state)).lower().replace(".", "-")) == state
    mover = "XO"[game.player(state)]
    assert game.parse_state("/".join(rows(game, state)) + f" {mover}") == state


@given(played())
def test_the_name_of_a_square_is_read_back(pair: tuple[TicTacToe, State]) -> None:
    game, state = pair
    for action in game.actions(state):
        name = game.name_action(state, action)
        assert game.parse_action(state, name.upper()) == game.parse_action(state, str(action + 1)) == action


@given(played())
def test_symmetries_keep_the_evaluation_and_lead_back(pair: tuple[TicTacToe, State]) -> None:
    game, state = pair
    others = list(game.symmetries(state))
    assert len(others) == (7 if game.width == game.height else 3)
    for other in others:
        assert game.evaluate(other, 0) == game.evaluate(state, 0)
        assert game.is_terminal(other) == game.is_terminal(state)
        assert state in game.symmetries(other)


def test_there_are_three_first_moves_up_to_symmetry() -> None:
    game = TicTacToe()
    firsts = [game.result(game.initial(), action) for action in game.actions(game.initial())]
    assert len({min(state, *game.symmetries(state)) for state in firsts}) == 3


def test_squares_are_named_as_in_chess_with_row_1_at_the_bottom() -> None:
    game = TicTacToe()
    names = [game.name_action(game.initial(), action) for action in game.actions(game.initial())]
    assert names == ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"]


def test_the_board_is_shown_with_its_squares_and_fits_forty_columns() -> None:
    game = TicTacToe()
    shown = game.show(game.parse_state("XOX/.O./..."))
    assert shown == "3  X O X\n2  . O .\n1  . . .\n   a b c\nX to move"
    assert max(map(len, shown.splitlines())) <= 40


@pytest.mark.parametrize(
    ("text", "status"),
    [("XXX/OO./...", "X has won"), ("OOO/XX./X..", "O has won"), ("XOX/XOO/OXX", "a draw")],
)
def test_the_last_line_says_how_the_game_ended(text: str, status: str) -> None:
    game = TicTacToe()
    state = game.parse_state(text)
    assert game.show(state).splitlines()[-1] == status
    with pytest.raises(InputError, match=f"the game is over: {status}"):
        game.parse_action(state, "c1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"has 3 rows, this text has 1: write the rows .* for example X\.O/\.\.\./\.\.\."),
        ("X.O/.X.", "the board has 3 rows, this text has 2"),
        ("X to move", "the board has 3 rows, this text has 0"),
        ("X.O/.X/...", "row 2 has 2 squares, the board is 3 wide"),
        ("X.O/.X./....", "row 3 has 4 squares"),
        ("X.O/.X./...X", "row 3 has 4 squares"),
        ("X.O/.#./...", "'#' in row 2 is no stone: use X, O and"),
        ("X.O/.0./...", "'0' in row 2 is no stone"),
        ("XX./.../...", "2 X and 0 O cannot be: X moves first"),
        ("O../.../...", "0 X and 1 O cannot be"),
        ("XXX/OOO/...", "X and O both have 3 in a row"),
        ("XXX/OO./O..", "X has 3 in a row, so the game was over before O moved last"),
        ("OOO/XX./XX.", "O has 3 in a row, so the game was over before X moved last"),
        ("X.O/.X./... X", "X cannot be the one to move: with 2 X and 1 O it is O"),
        (".../.../... O", "O cannot be the one to move"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        TicTacToe().parse_state(text)


def test_two_lines_that_no_single_stone_completes_are_refused() -> None:
    with pytest.raises(InputError, match="X has 3 in a row, but no last stone can have completed it"):
        TicTacToe(4, 4, 3).parse_state("XXX./OO../XXX./OO.O")


def test_two_lines_that_the_last_stone_completes_at_once_are_a_win() -> None:
    game = TicTacToe()
    assert game.utility(game.parse_state("XXX/XOO/XOO"), 0) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("d1", r"'d1' is no square of this board: they are a1 \(bottom left\) to c3, or the numbers 1 to 9"),
        ("a4", "'a4' is no square"),
        ("a0", "'a0' is no square"),
        ("0", "'0' is no square"),
        ("10", "'10' is no square"),
        ("", "'' is no square"),
        ("9" * 5000, "is no square"),
        ("b2", "b2 is taken: choose an empty square"),
        ("5", "b2 is taken"),
    ],
)
def test_an_illegal_move_is_refused(text: str, message: str) -> None:
    game = TicTacToe()
    with pytest.raises(InputError, match=message):
        game.parse_action(game.parse_state(".../.X./..."), text)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"width": 8, "height": 8},
            "a board of 8 by 8 is too big: it has 64 squares and can have at most 62",
        ),
        ({"width": 27, "height": 1}, "lettered a to z"),
        ({"k": 4}, "k=4: 4 in a row do not fit on a board of 3 by 3"),
        ({"k": 1}, "k=1: k must be a whole number of at least 2"),
        ({"width": 0}, "width=0"),
        ({"height": "3"}, "height='3'"),
    ],
)
def test_parameters_that_make_no_game_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TicTacToe(**params)
