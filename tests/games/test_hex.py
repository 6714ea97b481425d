"""Hex: links that grow with every stone against paths that are walked over."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametree as gt
from gametree.checking.agreement import differences
from gametree.errors import InputError
from gametree.games.hex import SPLIT, Hex, State

GAMES = {(size, swap): Hex(size, swap) for size in (1, 2, 3, 4, 5, 11) for swap in (False, True)}


def stones(game: Hex, state: State) -> tuple[set[int], set[int]]:
    """The cells of X and of O."""
    words = (state.x_low, state.x_high), (state.o_low, state.o_high)
    x, o = ({c for c in range(game.cells) if w[c >= SPLIT] >> c % SPLIT & 1} for w in words)
    return x, o


def reached(game: Hex, cells: set[int], player: int) -> set[int]:
    """The stones of a player that hang together with the top (X) or the left side (O), walked over row by row."""
    size = game.size
    found = {c for c in cells if (c // size if player == 0 else c % size) == 0}
    left = list(found)
    while left:
        row, column = divmod(left.pop(), size)
        for r, c in ((row - 1, column), (row - 1, column + 1), (row, column - 1)):
            for other in ((r, c), (2 * row - r, 2 * column - c)):
                cell = other[0] * size + other[1]
                if 0 <= other[0] < size and 0 <= other[1] < size and cell in cells and cell not in found:
                    found.add(cell)
                    left.append(cell)
    return found


@st.composite
def played(draw: st.DrawFn, over: bool = False) -> tuple[Hex, State]:
    """A state that random play has led to, at the end where that is asked for."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    rng = random.Random(draw(st.integers(0, 100_000)))
    state = game.initial()
    plies = 200 if over else draw(st.integers(0, 60))
    while plies > 0 and not game.is_terminal(state):
        state = game.result(state, rng.choice(list(game.actions(state))))
        plies -= 1
    return game, state


@given(played())
@settings(max_examples=80)
def test_links_and_actions_are_those_found_by_walking(play: tuple[Hex, State]) -> None:
    game, state = play
    x, o = stones(game, state)
    linked = stones(game, State(state.linked_low, state.linked_high, 0, 0, 0, 0, 0))[0]
    found = reached(game, x, 0), reached(game, o, 1)
    assert linked == found[0] | found[1]
    won = (
        any(c // game.size == game.size - 1 for c in found[0]),
        any(c % game.size == game.size - 1 for c in found[1]),
    )
    assert (game.has_won(state, 0), game.has_won(state, 1)) == won
    assert game.is_terminal(state) == any(won)
    free = [] if any(won) else sorted(set(range(game.cells)) - x - o)
    swap = game.swap and state.mover == 1 and len(x) == 1 and not o and not any(won)
    assert list(game.actions(state)) == free + [game.cells] * swap


@given(played(over=True))
@settings(max_examples=60)
def test_every_game_has_exactly_one_winner(play: tuple[Hex, State]) -> None:
    game, state = play
    assert game.is_terminal(state)
    assert sorted((game.utility(state, 0), game.utility(state, 1))) == [-1, 1]


@given(st.integers(0, 100_000))
@settings(max_examples=40)
def test_a_full_board_connects_one_pair_of_sides_and_not_the_other(seed: int) -> None:
    rng = random.Random(seed)
    game = GAMES[rng.choice((3, 5, 11)), False]
    cells = list(range(game.cells))
    rng.shuffle(cells)
    state = game.initial()
    for at, cell in enumerate(cells):
        state = game.placed(state._replace(mover=at % 2), cell)
    assert game.has_won(state, 0) != game.has_won(state, 1)


def test_the_first_player_wins_on_small_boards() -> None:
    for size in (1, 2, 3):
        found = gt.alphabeta(GAMES[size, False], compile="never")
        assert found.value == 1 and found.exact


def test_with_swap_the_second_player_wins_on_small_boards() -> None:
    for size in (2, 3):
        assert gt.alphabeta(GAMES[size, True], compile="never").value == -1


@pytest.mark.slow
def test_the_first_player_wins_on_four_by_four_in_the_middle_and_loses_in_the_corner() -> None:
    game = GAMES[4, False]
    worth = {}
    for action in game.actions(game.initial()):
        after = gt.alphabeta(game, game.result(game.initial(), action))
        assert after.values is not None
        worth[game.name_action(game.initial(), action)] = float(after.values[0])
    assert worth["b3"] == worth["c2"] == worth["a4"] == worth["d1"] == 1
    assert worth["a1"] == worth["d4"] == -1
    # The board turned by half a turn is the same board.
    assert list(worth.values()) == list(worth.values())[::-1]


def test_swap_mirrors_the_first_stone() -> None:
    game = GAMES[5, True]
    state = game.parse_state("d2 swap")
    assert stones(game, state) == (set(), {3 * 5 + 1})
    assert state.mover == 0 and "swap" not in [game.name_action(state, a) for a in game.actions(state)]
    # A stone on the top row is linked there, and as a stone of O on the left.
    assert game.parse_state("c1 swap").linked_low == 1 << 10


@pytest.mark.needs_compiler
def test_compiled_and_interpreted_rules_agree() -> None:
    game, rng = Hex(swap=True), random.Random(6)
    state, states = game.initial(), []
    while not game.is_terminal(state):
        states.append(state)
        state = game.result(state, rng.choice(list(game.actions(state))))
    assert differences(game, [*states[::8], state]) == ([], "")


@pytest.mark.parametrize("game", [Hex(3), Hex(4, swap=True)], ids=repr)
def test_the_rules_keep_the_contract(game: Hex) -> None:
    report = gt.check(game, compile="never", plays=5, seconds=1)
    assert report.ok, report


@given(played())
@settings(max_examples=40)
def test_boards_and_moves_are_read_as_they_are_written(play: tuple[Hex, State]) -> None:
    game, state = play
    if not game.is_terminal(state) or not game.swap:
        assert game.parse_state(game.show(state)) == state
    for action in game.actions(state):
        assert game.parse_action(state, game.name_action(state, action).upper()) == action


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f1", "move 1: 'f1' is no cell of this board: they are a1 .* to e5"),
        ("a0", "'a0' is no cell"),
        ("c3 c3", "move 2: there is a stone on c3"),
        ("c3 swap", "`swap` is not possible here: this game has no swap"),
        ("a1 b1 a2 b2 a3 b3 a4 b4 a5 b5", "move 10: the game is over: X has won"),
        ("XXX../...../...../...../.....", "3 X and 0 O cannot be"),
        ("X..../X..../X..../X..../XOOOO", "X has won, so it cannot be X's turn|5 X and 4 O"),
        ("..../....", "the board has 5 rows"),
        ("x" * 6000, "a position has at most 5000 characters"),
    ],
)
def test_what_is_no_position_is_refused(text: str, message: str) -> None:
    if "OOOO" in text:
        text = text[:-1] + "O/X to move"
    with pytest.raises(InputError, match=message):
        GAMES[5, False].parse_state(text)


@pytest.mark.parametrize(
    ("size", "swap", "message"),
    [(12, False, "boards have at most 11 rows"), (0, False, "at least 1"), (5, "yes", "it is True or False")],
)
def test_boards_that_do_not_fit_are_refused(size: int, swap: bool, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Hex(size, swap)


def test_who_has_won_cannot_move_next() -> None:
    with pytest.raises(InputError, match="X has won, so it cannot be X's turn"):
        GAMES[2, True].parse_state("XO/XO/X to move")
