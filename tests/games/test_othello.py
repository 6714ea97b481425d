"""Othello on 8 by 8 and 6 by 6: the bits against a board that is walked over."""

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametree as gt
import oracle
from gametree.checking.agreement import differences
from gametree.errors import InputError
from gametree.games import load
from gametree.games.othello import PASS, Othello, State, difference

GAMES = {size: Othello(size) for size in (6, 8)}
# Position 40 of the FFO endgame test suite (20 empty squares): X to move wins by 38 with a2.
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"
FFO_VALUES = (38, 0, 6, -12, -14)
# X has no move: the only row has nothing of X beyond the O's. O can enclose at the other end.
ONE_PASSES = "OOX-----" + "--------" * 7


@st.composite
def played(draw: st.DrawFn) -> tuple[Othello, State, list[int]]:
    """A game on either board, a state that was reached by play, and the actions."""
    game = GAMES[draw(st.sampled_from((6, 8)))]
    rng = random.Random(draw(st.integers(0, 10_000)))
    state = game.initial()
    actions: list[int] = []
    for _ in range(draw(st.integers(0, 64))):
        if game.is_terminal(state):
            break
        actions.append(rng.choice(list(game.actions(state))))
        state = game.result(state, actions[-1])
    return game, state, actions


def board(game: Othello, state: State) -> dict[tuple[int, int], int]:
    """Who has a disc on which row and column, without bits."""
    return {
        (row, column): state.mover if int(state.mine) >> row * 8 + column & 1 else 1 - state.mover
        for row in range(game.size)
        for column in range(game.size)
        if int(state.mine | state.theirs) >> row * 8 + column & 1
    }


def walk(game: Othello, discs: dict[tuple[int, int], int], mover: int) -> dict[int, set[tuple[int, int]]]:
    """For every legal square the discs that it turns over, found by walking in eight directions."""
    found: dict[int, set[tuple[int, int]]] = {}
    for row in range(game.size):
        for column in range(game.size):
            turned: set[tuple[int, int]] = set()
            for down, right in [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]:
                run = []
                r, c = row + down, column + right
                while discs.get((r, c)) == 1 - mover:
                    run.append((r, c))
                    r, c = r + down, c + right
                if discs.get((r, c)) == mover:
                    turned.update(run)
            if turned and (row, column) not in discs:
                found[row * 8 + column] = turned
    return found


def sample(size: int, count: int, seed: int = 7) -> list[State]:
    """States from random games."""
    game, rng = GAMES[size], random.Random(seed)
    states: list[State] = []
    while len(states) < count:
        state = game.initial()
        while not game.is_terminal(state):
            states.append(state)
            state = game.result(state, rng.choice(list(game.actions(state))))
        states.append(state)
    return states[:count]


# --- the rules --------------------------------------------------------------------------------------


@given(played())
def test_moves_and_turned_discs_are_those_found_by_walking(play: tuple[Othello, State, list[int]]) -> None:
    game, state, _ = play
    discs = board(game, state)
    legal = walk(game, discs, state.mover)
    assert list(game.actions(state)) == (sorted(legal) or [PASS])
    assert game.is_terminal(state) == (not legal and not walk(game, discs, 1 - state.mover))
    for action, turned in legal.items():
        after = game.result(state, action)
        mine = dict.fromkeys(turned | {divmod(action, 8)}, state.mover)
        assert board(game, after) == discs | mine
        assert game.player(after) == 1 - state.mover


@given(played())
def test_the_payoff_is_the_difference_in_discs(play: tuple[Othello, State, list[int]]) -> None:
    game, state, _ = play
    owners = list(board(game, state).values())
    assert game.utility(state, 0) == owners.count(0) - owners.count(1) == -game.utility(state, 1)
    assert game.payoffs == (-(game.size**2), game.size**2)


def test_who_can_turn_nothing_over_passes_and_the_turn_goes_on() -> None:
    game = Othello()
    state = game.parse_state(ONE_PASSES + " X")
    assert list(game.actions(state)) == [PASS]
    assert not game.is_terminal(state)
    assert game.name_action(state, PASS) == "pass"
    after = game.result(state, PASS)
    assert after == State(state.theirs, state.mine, 1)
    assert [game.name_action(after, action) for action in game.actions(after)] == ["d1"]


def test_the_game_is_over_when_neither_can_turn_anything_over() -> None:
    game = Othello()
    state = game.result(
        game.parse_state(ONE_PASSES + " O"), game.parse_action(game.parse_state(ONE_PASSES + " O"), "d1")
    )
    assert game.is_terminal(state)
    assert list(game.actions(state)) == [PASS]
    assert (game.utility(state, 0), game.utility(state, 1)) == (-4, 4)
    assert game.show(state).splitlines()[-1] == "O has won 4 to 0, X would be the next"


def test_the_shortest_game_wipes_white_out_in_nine_moves() -> None:
    game = Othello()
    state = game.parse_state("e6f4e3f6g5d6e7f5c5")
    assert game.is_terminal(state)
    assert game.utility(state, 0) == 13


@pytest.mark.needs_compiler
def test_perft_agrees_with_figures_from_outside_to_ply_ten() -> None:
    known = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284]
    assert [gt.perft(Othello(), ply, compile="always") for ply in range(1, 11)] == known


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.needs_compiler
def test_compiled_rules_are_the_interpreted_ones(size: int) -> None:
    found, why_not = differences(GAMES[size], sample(size, 400))
    assert (found, why_not) == ([], "")


@pytest.mark.needs_compiler
@pytest.mark.parametrize("name", ["discs", "mobility"])
def test_compiled_evaluations_are_the_interpreted_ones(name: str) -> None:
    state = sample(8, 30)[-1]
    values = [
        gt.alphabeta(Othello(), state, depth=3, evaluation=name, compile=mode).values
        for mode in ("never", "always")
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize("size", [6, 8])
def test_the_rules_keep_the_contract(size: int) -> None:
    report = gt.check(Othello(size), seconds=2, compile="never")
    assert report.ok, str(report)
    assert not report.warnings


# --- judgement --------------------------------------------------------------------------------------


@given(played())
def test_evaluations_change_sign_with_the_colours_and_not_with_the_side_one_looks_from(
    play: tuple[Othello, State, list[int]],
) -> None:
    game, state, _ = play
    for evaluate in (game.evaluate, game.evaluate_discs, game.evaluate_mobility):
        value = evaluate(state, 0)
        assert evaluate(state, 1) == -value
        assert evaluate(state._replace(mover=1 - state.mover), 0) == -value
        assert -(game.size**2) < value < game.size**2 or evaluate == game.evaluate_discs
        for image in images(game, state):
            assert evaluate(image, 0) == pytest.approx(value)


def images(game: Othello, state: State) -> list[State]:
    return [
        State(game.image(state.mine, turn), game.image(state.theirs, turn), state.mover)
        for turn in game.turns
    ]


@given(played())
def test_the_seven_images_of_a_board_have_the_images_of_its_moves(
    play: tuple[Othello, State, list[int]],
) -> None:
    game, state, _ = play
    followers = {game.result(state, action) for action in game.actions(state)}
    told = list(game.symmetries(state))
    assert told == (images(game, state) if len(board(game, state)) <= 8 else [])
    for turn, image in zip(game.turns, images(game, state)):
        assert {game.result(image, action) for action in game.actions(image)} == {
            State(game.image(one.mine, turn), game.image(one.theirs, turn), one.mover) for one in followers
        }


@given(played(), st.integers(0, 1000))
def test_stable_discs_are_never_turned_over(play: tuple[Othello, State, list[int]], seed: int) -> None:
    game, state, _ = play
    rng = random.Random(seed)
    while not game.is_terminal(state):
        after = game.result(state, rng.choice(list(game.actions(state))))
        for mine, later in ((state.mine, after.theirs), (state.theirs, after.mine)):
            assert int(game.stable(mine)) & ~int(game.stable(later)) == 0
        state = after


def test_a_corner_makes_the_edge_beside_it_stable() -> None:
    game = Othello()
    state = game.parse_state("XXXO----X" + "-" * 54 + "X X")
    assert difference(game.stable(state.mine), game.stable(state.theirs)) == 5
    assert game.stable(np.uint64(0)) == 0


def test_corners_are_looked_at_first_and_then_what_leaves_few_replies() -> None:
    game = Othello()
    state = game.parse_state(FFO_40)
    ranked = sorted(game.actions(state), key=lambda action: -game.order(state, action))
    replies = [game.moves(*game.result(state, action)[:2]).bit_count() for action in ranked]
    assert replies == sorted(replies)
    corner = game.parse_state("-OX-----" + "-" * 56 + " X")
    assert game.order(corner, 0) == 10
    assert game.order(game.parse_state(ONE_PASSES + " X"), PASS) == 0


def test_the_mobility_at_the_start_is_even_and_a_disc_less_is_a_disc_less() -> None:
    game = Othello()
    assert game.evaluate_mobility(game.initial(), 0) == 0
    assert game.evaluate_discs(game.parse_state("f5"), 0) == 3


@pytest.mark.parametrize("seed", range(5))
def test_endgames_are_solved_as_naive_minimax_does(seed: int) -> None:
    rng = random.Random(seed)
    game = GAMES[6]
    state = game.initial()
    while int(state.mine | state.theirs).bit_count() < 30 and not game.is_terminal(state):
        state = game.result(state, rng.choice(list(game.actions(state))))
    if game.is_terminal(state):
        return
    truth = oracle.minimax(game, state)
    assert gt.alphabeta(game, state).values[0] == truth.value
    found = gt.analyze(game, state, gt.Limit(depth=20))
    assert found.exact
    assert found.action in truth.best


@pytest.mark.slow
@pytest.mark.needs_compiler
def test_the_first_ffo_endgame_is_worth_38() -> None:
    """With GAMETREE_DATA naming a folder with othello/ffo-40-44.obf, all five; the engine needs minutes for each."""
    folder = os.environ.get("GAMETREE_DATA")
    lines = [FFO_40]
    if folder:
        lines = (Path(folder) / "othello" / "ffo-40-44.obf").read_text(encoding="utf-8").splitlines()
    game = Othello()
    for line, value in zip(lines, FFO_VALUES):
        state = game.parse_state(line)
        empty = 64 - int((state.mine | state.theirs).bit_count())
        found = gt.analyze(game, state, gt.Limit(depth=empty + 2), compile="always")
        assert found.values[state.mover] == value


@pytest.mark.slow
def test_legal_moves_are_those_of_open_spiel_on_100000_positions() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, rng = Othello(), random.Random(1)
    theirs = pyspiel.load_game("othello")
    seen = 0
    while seen < 100_000:
        state, other = game.initial(), theirs.new_initial_state()
        while not other.is_terminal():
            assert list(game.actions(state)) == sorted(other.legal_actions())
            assert game.player(state) == other.current_player()
            action = rng.choice(list(game.actions(state)))
            state = game.result(state, action)
            other.apply_action(action)
            seen += 1
        assert game.is_terminal(state)
        # OpenSpiel pays 1, 0 and -1 for the difference in discs.
        assert np.sign(game.utility(state, 0)) == other.returns()[0]


# --- text -------------------------------------------------------------------------------------------


@given(played())
def test_what_is_shown_is_read_back(play: tuple[Othello, State, list[int]]) -> None:
    game, state, actions = play
    assert game.parse_state(game.show(state)) == state
    discs = board(game, state)
    line = "".join(
        "XO-"[discs.get((row, column), 2)] for row in range(game.size) for column in range(game.size)
    )
    for text in (line, line.lower(), line.replace("-", ".")):
        assert game.parse_state(f"{text} {'XO'[state.mover]}") == state
        assert game.parse_state(f"{text} {'xo'[state.mover]}; a1:+38; b1:+2;") == state
    rows = "/".join(line[at : at + game.size] for at in range(0, len(line), game.size))
    assert game.parse_state(f"{rows} {'XO'[state.mover]}") == state
    names = [game.name_action(state, action) for action in actions]
    assert game.parse_state(" ".join(names)) == state
    if PASS not in actions[-1:]:
        assert game.parse_state("".join(name for name in names if name != "pass").upper()) == state


@given(played())
def test_the_name_of_an_action_is_read_back(play: tuple[Othello, State, list[int]]) -> None:
    game, state, _ = play
    if not game.is_terminal(state):
        for action in game.actions(state):
            assert game.parse_action(state, game.name_action(state, action).upper()) == action


def test_a_position_of_the_ffo_suite_has_20_empty_squares() -> None:
    game = Othello()
    state = game.parse_state(FFO_40 + "; A2:+38; C7:+36;")
    assert state.mover == 0
    assert 64 - (state.mine | state.theirs).bit_count() == 20
    assert "a2" in [game.name_action(state, action) for action in game.actions(state)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-" * 64, "does not say who moves: write the 8² squares row by row"),
        ("", None),
        ("-" * 63 + " X", "the board has 8 rows, this text has 1"),
        ("-" * 63 + "Z X", "'Z' in row 8 is no stone"),
        ("f5a1", "move 2: a1 turns no disc over; legal are: f4, d6, f6"),
        ("f5f5", "move 2: f5 is taken"),
        ("f5f9", "move 2: 'f9' is no square of this board: they are a1 .top left. to h8, or pass"),
        ("pass", "move 1: only who can turn nothing over passes; legal are: d3, c4, f5, e6"),
        ("e6f4e3f6g5d6e7f5c5a1", "move 10: the game is over: X has won 13 to 0"),
        (" " * 1000 + "X" * 5000, "a position has at most 2000 characters"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, message: str | None) -> None:
    game = Othello()
    if message is None:
        assert game.parse_state(text) == game.initial()
        return
    with pytest.raises(InputError, match=message):
        game.parse_state(text)


@pytest.mark.parametrize("text", ["", "i1", "a0", "a9", "aa", "f55", "63", "passe"])
def test_what_is_no_square_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no square of this board"):
        Othello().parse_action(Othello().initial(), text)


@pytest.mark.parametrize("size", [0, 4, 7, 10, True, "8", 8.5])
def test_other_sizes_are_refused(size: Any) -> None:
    with pytest.raises(InputError, match="Othello is played on a board of 8 by 8 or of 6 by 6"):
        Othello(size)


def test_the_size_may_be_the_text_of_a_command_line() -> None:
    assert repr(load("othello", size="6")) == "Othello(size=6)"
