"""The m,n,k-game for two to four players."""

import random

import pytest

import oracle_many
from gametree import check, maxn, minimax
from gametree.errors import InputError
from gametree.games import MNK, TicTacToe


def test_between_two_it_is_tic_tac_toe() -> None:
    game, known = MNK(width=3, height=3, k=3, players=2), TicTacToe()
    rng = random.Random(1)
    for _ in range(50):
        state, same = game.initial(), known.initial()
        while not known.is_terminal(same):
            assert list(game.actions(state)) == list(known.actions(same))
            assert game.show(state) == known.show(same)
            action = rng.choice(list(known.actions(same)))
            state, same = game.result(state, action), known.result(same, action)
        assert game.is_terminal(state)
        assert [game.utility(state, player) for player in (0, 1)] == [
            known.utility(same, player) for player in (0, 1)
        ]


def test_tic_tac_toe_is_a_draw_by_maxn_too() -> None:
    start = TicTacToe().parse_state("X.O/.../...")
    board = MNK(width=3, height=3, players=2)
    same = board.parse_state("X.O/.../...")
    assert maxn(board, same, compile="never").values == minimax(TicTacToe(), start, compile="never").values


def test_the_winner_takes_what_the_others_lose() -> None:
    game = MNK()
    state = game.parse_state("XX.O/YO../Y.../....")
    after = game.result(state, game.parse_action(state, "c4"))
    assert game.is_terminal(after)
    assert [game.utility(after, player) for player in range(3)] == [2, -1, -1]
    assert list(game.actions(after)) == []


def test_three_on_a_small_board_are_solved_as_by_brute_force() -> None:
    game = MNK(width=3, height=3, k=2)
    state = game.parse_state("X.O/.../..Y")
    truth = oracle_many.maxn(game, state)
    for pruning in ("auto", "never"):
        found = maxn(game, state, pruning=pruning, compile="never")
        assert (found.values, found.action) == (truth.values, truth.action)
        assert found.exact
    assert maxn(game, state, compile="never").nodes < truth.nodes


def test_what_is_shown_is_read() -> None:
    rng = random.Random(2)
    for players in (2, 3, 4):
        game = MNK(players=players)
        state = game.initial()
        while not game.is_terminal(state):
            assert game.parse_state(game.show(state)) == state
            state = game.result(state, rng.choice(list(game.actions(state))))
        assert game.parse_state(game.show(state)) == state


def test_estimates_sum_to_nothing() -> None:
    game = MNK(players=4)
    state = game.parse_state("X.O./.Y../..Z./....")
    assert sum(game.evaluate(state, player) for player in range(4)) == pytest.approx(0)


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"players": 5}, "two to 4 can play"),
        ({"players": 1}, "at least 2"),
        ({"width": 8, "height": 8}, "at most 62"),
        ({"k": 5}, "5 in a row do not fit"),
    ],
)
def test_boards_that_cannot_be_are_refused(params: dict[str, int], words: str) -> None:
    with pytest.raises(InputError, match=words):
        MNK(**params)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XO/..", "4 rows of 4 squares"),
        ("Q.../..../..../....", "'Q' is no stone"),
        ("O.../..../..../....", "take turns in the order X, O, Y"),
        ("XXX./OO../YY../O...", "X has 3 in a row, so the game was over before O moved last"),
    ],
)
def test_texts_that_are_no_position_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        MNK().parse_state(text)


@pytest.mark.parametrize("way", ["never", pytest.param("auto", marks=pytest.mark.slow)])
def test_the_rules_keep_the_contract(way: str) -> None:
    report = check(MNK(), plays=5, seconds=0.3, compile=way)
    assert report.exit_code == 0, str(report)
