"""Connect Four, on the usual board and on others."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from gametree.errors import InputError
from gametree.games.connect_four import ConnectFour, State

BOARDS = [(7, 6), (4, 4), (5, 4), (4, 5), (6, 9), (10, 5), (1, 8), (2, 30), (31, 1), (8, 3), (3, 8)]


@st.composite
def played(draw: st.DrawFn) -> tuple[ConnectFour, State, list[int]]:
    """A game on some board, a state that was reached by play, and the moves."""
    game = ConnectFour(*draw(st.sampled_from(BOARDS)))
    state = game.initial()
    moves = []
    for _ in range(draw(st.integers(0, game.width * game.height))):
        if game.is_terminal(state):
            break
        moves.append(draw(st.sampled_from(list(game.actions(state)))))
        state = game.result(state, moves[-1])
    return game, state, moves


def board(game: ConnectFour, moves: list[int]) -> list[str]:
    """The columns after some moves, each from the bottom up, without bits."""
    columns = [""] * game.width
    for ply, move in enumerate(moves):
        columns[move] += "XO"[ply % 2]
    return [column.ljust(game.height, ".") for column in columns]


def segments(game: ConnectFour) -> list[list[tuple[int, int]]]:
    """Every line of four squares, as (column, row), found by walking."""
    found = []
    for column in range(game.width):
        for row in range(game.height):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= c < game.width and 0 <= r < game.height for c, r in line):
                    found.append(line)
    return found


@given(played())
def test_lines_and_ends_are_those_found_by_walking(
    game_and_play: tuple[ConnectFour, State, list[int]],
) -> None:
    game, state, moves = game_and_play
    columns = board(game, moves)
    lines = [{columns[column][row] for column, row in line} for line in segments(game)]
    won = {"X"} in lines, {"O"} in lines
    full = "." not in "".join(columns)
    assert game.player(state) == len(moves) % 2
    assert game.is_terminal(state) == (any(won) or full)
    difference = sum("O" not in line for line in lines) - sum("X" not in line for line in lines)
    assert game.evaluate(state, 0) == difference == -game.evaluate(state, 1)
    open_columns = [] if any(won) else [c for c in range(game.width) if columns[c][-1] == "."]
    assert sorted(game.actions(state)) == open_columns
    if game.is_terminal(state):
        assert game.utility(state, 0) == won[0] - won[1] == -game.utility(state, 1)


@given(played())
def test_what_is_shown_is_read_back(game_and_play: tuple[ConnectFour, State, list[int]]) -> None:
    game, state, moves = game_and_play
    assert game.parse_state(game.show(state)) == state
    columns = board(game, moves)
    rows = "/".join("".join(column[row] for column in columns) for row in range(game.height - 1, -1, -1))
    assert game.parse_state(rows) == state
    assert game.parse_state(f"{rows} {'XO'[len(moves) % 2]}".lower()) == state
    separator = "" if game.width < 10 else " "
    assert game.parse_state(separator.join(str(move + 1) for move in moves)) == state
    assert game.parse_state(", ".join(str(move + 1) for move in moves)) == state


@given(played())
def test_the_mirror_image_is_the_game_of_mirrored_moves(
    game_and_play: tuple[ConnectFour, State, list[int]],
) -> None:
    game, state, moves = game_and_play
    mirrored = game.initial()
    for move in moves:
        mirrored = game.result(mirrored, game.width - 1 - move)
    assert list(game.symmetries(state)) == [mirrored]


@given(played())
def test_the_name_of_a_column_is_read_back(game_and_play: tuple[ConnectFour, State, list[int]]) -> None:
    game, state, _ = game_and_play
    for action in game.actions(state):
        assert game.parse_action(state, game.name_action(state, action)) == action


def test_the_middle_columns_come_first() -> None:
    game = ConnectFour()
    assert list(game.actions(game.initial())) == [3, 2, 4, 1, 5, 0, 6]


def test_the_usual_board_has_69_lines() -> None:
    game = ConnectFour()
    assert len(segments(game)) == game.lines(game.full) == 69


def test_the_middle_column_is_worth_seven_lines_and_the_corner_three() -> None:
    game = ConnectFour()
    values = [game.evaluate(game.parse_state(str(column)), 0) for column in range(1, 8)]
    assert values == [3, 4, 5, 7, 5, 4, 3]


def test_perfect_play_on_a_board_of_four_by_four_ends_in_a_draw_as_tromp_found() -> None:
    assert oracle.alphabeta(ConnectFour(4, 4)).value == 0


def test_a_column_is_filled_and_then_closed() -> None:
    game = ConnectFour()
    state = game.parse_state("444444")
    assert 3 not in game.actions(state)
    assert not game.is_terminal(state)


def test_a_win_closes_every_column() -> None:
    game = ConnectFour()
    state = game.parse_state("1212121")
    assert game.is_terminal(state)
    assert list(game.actions(state)) == []
    assert game.show(state).splitlines()[-1] == "X has won"


def test_the_last_stone_of_a_full_board_can_win() -> None:
    game = ConnectFour(1, 8)
    assert not game.aligned(game.parse_state("1" * 8).mine)
    assert game.show(game.parse_state("1" * 8)).splitlines()[-1] == "a draw"
    row = ConnectFour(4, 1)
    assert row.show(row.parse_state("1234")).splitlines()[-1] == "a draw"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("8", "move 1 of '8': '8' is no column of this board: they are 1 to 7"),
        ("40", "move 2 of '40': '0' is no column"),
        ("4a", "move 2 of '4a': 'a' is no column"),
        ("4444444", "move 7 of '4444444': column 4 is full: the open ones are 1, 2, 3, 5, 6, 7"),
        ("12121213", "move 8 of '12121213': the game is over: X has won"),
    ],
)
def test_moves_that_cannot_be_played_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ConnectFour().parse_state(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("..../....", "the board has 4 rows, this text has 2"),
        ("..../..../..../XO.", "row 4 has 3 squares, the board is 4 wide"),
        ("..../..../..../XOZ.", "'Z' in row 4 is no stone"),
        ("..../..../X.../....", "a stone in column 1 hangs in the air: stones fall to the bottom"),
        ("..../..../..../XX..", "2 X and 0 O cannot be"),
        ("..../..../..../XO.. O", "O cannot be the one to move"),
        ("..../..../OOOO/XXXX", "X and O both have four in a row"),
        ("..../O.../OOO./XXXX", "X has four in a row, so the game was over before O moved last"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ConnectFour(4, 4).parse_state(text)


def test_a_line_that_lies_under_other_stones_is_refused() -> None:
    # The four of X at the bottom were complete before anything could lie on all of them.
    with pytest.raises(InputError, match="X has four in a row, but no last stone can have completed it"):
        ConnectFour(4, 4).parse_state("..../O.../OOXO/XXXX")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        (
            {"width": 8, "height": 7},
            r"8 by 7 is too big: width times \(height \+ 1\) is 64 and can be at most 62",
        ),
        ({"width": 3, "height": 3}, "four in a row do not fit on a board of 3 by 3"),
        ({"width": 0}, "width=0"),
        ({"height": 6.0}, "height=6.0"),
    ],
)
def test_parameters_that_make_no_game_are_refused(params: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ConnectFour(**params)
