"""Why this move, and why not mine: true, and in words."""

import random
from typing import Any

import pytest

import gametree as gt
import oracle
from gametree.errors import InputError, UnsuitableError
from gametree.explain.reasons import Why, why
from gametree.game import offers
from gametree.games.tic_tac_toe import TicTacToe
from gametree.result import Limit

XO = ("X", "O")


def ask(board: str, move: str | None = None) -> Why:
    game = TicTacToe()
    state = game.parse_state(board)
    action = None if move is None else game.parse_action(state, move)
    return why(game, state, action, Limit(depth=9), compile="never")


def random_position(game: gt.Game, rng: random.Random, plies: int) -> Any:
    state = game.initial()
    for _ in range(plies):
        if game.is_terminal(state):
            break
        state = game.result(state, rng.choice(list(game.actions(state))))
    return state


def test_on_tic_tac_toe_every_answer_is_that_of_the_oracle() -> None:
    game, rng = TicTacToe(), random.Random(1)
    verdicts = set()
    for _ in range(80):
        state = random_position(game, rng, rng.randint(3, 7))
        if game.is_terminal(state):
            continue
        sign = 1 - 2 * game.player(state)
        actions = list(game.actions(state))
        truth = {action: sign * oracle.minimax(game, game.result(state, action)).value for action in actions}
        action = rng.choice(actions)
        found = why(game, state, action, Limit(depth=9), compile="never")
        assert float(found.best.value) == max(truth.values()) == truth[found.best.action]
        assert found.best.over
        check_line(game, state, found.best.names, found.best.states)
        if found.other is None:
            assert action == found.best.action
            continue
        assert float(found.other.value) == truth[action]
        assert found.other.action == action
        assert found.other.over
        check_line(game, state, found.other.names, found.other.states)
        end = found.other.states[-1]
        assert game.utility(end, game.player(state)) == truth[action]
        if found.other.value.outcome is not None:
            assert found.other.value.plies == len(found.other.names)
        verdicts.add(found.verdict)
        worse = truth[action] < max(truth.values())
        assert (found.verdict in ("loses", "draws", "worse")) == worse
    assert verdicts >= {"same", "loses", "draws", "slower"}


def check_line(game: gt.Game, state: Any, names: tuple[str, ...], states: tuple[Any, ...]) -> None:
    for name, after in zip(names, states, strict=True):
        state = game.result(state, game.parse_action(state, name))
        assert state == after


def test_helmerts_first_position_is_won_at_once() -> None:
    found = ask("XOX/.O./X.O", "b1")
    assert found.sentences(XO) == [
        "Best for X is a2: it wins at once.",
        "b1 lets the win slip: with best play the game is a draw.",
        "After b1 O plays a2; the line goes on c2, and the game is a draw.",
    ]


def test_helmerts_second_position_is_won_by_two_threats() -> None:
    (sentence,) = ask("..X/.O./X.O").sentences(XO)
    assert sentence == "Best for X is a3: it wins in three plies. The line is a3 b3 a2, and X has won."
    assert ask("..X/.O./X.O", "c2").sentences(XO)[1:] == [
        "c2 turns a win into a loss: O wins in two plies.",
        "After c2 O plays a3, and O has won.",
    ]


@pytest.mark.parametrize(
    ("board", "move", "verdict", "words"),
    [
        ("X.O/.X./..O", "a1", "loses", "a1 turns a draw into a loss: O wins in two plies."),
        ("XX./OO./...", "a1", "loses", "a1 turns a win into a loss: O wins in two plies."),
        ("X.X/O../.O.", "a1", "slower", "a1 wins too, but two plies later: in three plies."),
        ("X../.O./...", "a2", "same", "a2 is as good: it draws with best play."),
    ],
)
def test_what_a_move_loses_is_said(board: str, move: str, verdict: str, words: str) -> None:
    found = ask(board, move)
    assert found.verdict == verdict
    assert found.sentences(XO)[1] == words


def test_a_move_that_is_a_mirror_image_of_the_best_one_is_known_as_that() -> None:
    # O draws with every corner, and with nothing else.
    corners = {"a1", "a3", "c1", "c3"}
    best = ask(".../.X./...", "a1").best.name
    assert best in corners
    for move in corners - {best}:
        found = ask(".../.X./...", move)
        assert found.verdict == "same"
        assert found.sentences(XO)[1] == f"{move} is the same move on the board turned or mirrored."


def test_where_every_move_loses_the_one_that_holds_out_longest_is_best() -> None:
    game = gt.games.load("nim", counters=8, take=3)
    found = why(game, None, 3, Limit(depth=20), compile="never")
    assert found.sentences() == [
        "Best for the first player is 1: every move loses, and none holds out longer: in four plies. The line is"
        " 1 3 1 3, and the second player has won.",
        "3 is as good: it loses in four plies.",
    ]


def test_a_move_that_loses_sooner_is_told_apart() -> None:
    game, rng = TicTacToe(), random.Random(5)
    while True:
        state = random_position(game, rng, rng.randint(3, 5))
        if game.is_terminal(state):
            continue
        for action in game.actions(state):
            found = why(game, state, action, Limit(depth=9), compile="never")
            if found.verdict == "sooner":
                assert found.other is not None
                assert "loses two plies sooner: in two plies." in found.sentences()[1]
                assert found.best.value.plies == 4
                return


def test_what_is_lost_by_estimate_is_said_with_the_ply() -> None:
    game = gt.games.load("chess")
    state = game.parse_state("r3k3/8/2n5/8/8/8/3Q3P/4K2R w - - 0 1")
    found = why(game, state, game.parse_action(state, "Qd4"), Limit(depth=2), compile="never")
    assert (found.verdict, found.turn) == ("worse", 2)
    assert "Qd4 gives away " in found.sentences(("White", "Black"))[1]
    assert found.sentences(("White", "Black"))[2].startswith("After Qd4 Black plays Nxd4; the line goes on ")
    assert "What is lost shows after two plies, with Nxd4." in found.sentences()[2]


def plain(name: str) -> bool:
    game = gt.games.load(name)
    return game.players == 2 and not offers(game, "chance") and not offers(game, "observe")


@pytest.mark.parametrize("name", [name for name in gt.games.names() if plain(name)])
def test_every_shipped_game_can_be_asked(name: str) -> None:
    game = gt.games.load(name)
    rng = random.Random(3)
    for plies in (0, 5):
        state = random_position(game, rng, plies)
        action = list(game.actions(state))[-1]
        found = why(game, state, action, Limit(nodes=400), compile="never")
        check_line(game, state, found.best.names, found.best.states)
        assert all(sentence.endswith(".") for sentence in found.sentences())
        assert all(caption.startswith("After ") and board for caption, board in found.boards())
        data = found.to_dict()
        assert data["schema"] == "gametree.why/1"
        assert (data["other"] is None) == (found.other is None)


def test_the_boards_are_those_of_the_line() -> None:
    found = ask("X.O/.X./..O", "a1")
    ((caption, board),) = found.boards()
    assert caption == "After a1 c2:"
    assert found.other is not None
    assert board == found.game.show(found.other.states[1])


def test_what_cannot_be_asked_is_refused() -> None:
    game = TicTacToe()
    with pytest.raises(InputError, match="the game is over here"):
        why(game, game.parse_state("XXX/OO./..."))
    with pytest.raises(InputError, match=r"99 is not a legal action here; legal are: "):
        why(game, None, 99)
    with pytest.raises(InputError, match="stopped before it knew a move"):
        why(game, None, None, Limit(nodes=1), compile="never")
    with pytest.raises(InputError, match="why takes a game, not its class"):
        why(TicTacToe)  # type: ignore[arg-type]
    with pytest.raises(UnsuitableError, match="chance"):
        why(gt.Tree(gt.Chance([(0.5, 1), (0.5, [2, 3])])))
