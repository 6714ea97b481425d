"""Dark Hex: what is told, what is seen, what is refused, and worlds that fit."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

import gametree as gt
from gametree.games.dark_hex import DarkHex
from gametree.view import view_of


def positions(game: DarkHex, seed: int) -> Iterator[tuple[Any, list[Any]]]:
    """The states of a random play in which somebody moves, each with those before it."""
    rng = random.Random(seed)
    state: Any = game.initial()
    history: list[Any] = []
    while not game.is_terminal(state):
        yield state, list(history)
        history.append(state)
        state = game.result(state, rng.choice(list(game.actions(state))))


def test_who_tries_a_taken_cell_tries_again_and_nobody_else_is_told() -> None:
    game = DarkHex(3)
    before, state = game.parse_state("b2"), game.parse_state("b2 b2")
    assert game.player(state) == 1 and 4 not in game.actions(state)
    assert game.observe(state, 0) == game.observe(before, 0)
    assert game.observe(state, 1) != game.observe(before, 1)


def test_the_order_of_the_own_tries_is_remembered() -> None:
    game = DarkHex(3)
    one, other = game.parse_state("a1 c3 b1 a3 c1"), game.parse_state("b1 c3 a1 a3 c1")
    assert game.show(one) == game.show(other) and game.observe(one, 0) != game.observe(other, 0)


def test_top_and_bottom_connected_win() -> None:
    game = DarkHex(3)
    state = game.parse_state("b1 a1 b2 a2 b3")
    assert game.is_terminal(state) and [game.utility(state, player) for player in (0, 1)] == [1, -1]
    assert game.show(state).endswith("X has won") and game.observe(state, 1)[3] == 1


def test_the_rules_keep_the_contract() -> None:
    assert not gt.check(DarkHex(2), compile="never").findings


@pytest.mark.parametrize("size", [2, 3, 5, 11])
def test_worlds_fit_what_the_player_has_seen(size: int) -> None:
    game, rng = DarkHex(size), random.Random(size)
    for seed in range(3):
        for state, _ in list(positions(game, seed))[:: max(1, size * size // 8)]:
            player = state.mover
            seen = game.observe(state, player)
            for _ in range(5):
                world: Any = game.worlds(seen, player, rng.randrange)
                assert world.mover == player and game.observe(world, player) == seen
                assert not game.is_terminal(world) and not game.has_won(world, 1 - player)


def test_every_world_there_is_may_be_drawn() -> None:
    """On a small board all plays are listed, and each state in which a player sees the same comes up."""
    game, rng = DarkHex(2), random.Random(1)
    alike: dict[Any, set[Any]] = {}

    def walk(state: Any) -> None:
        if not game.is_terminal(state):
            alike.setdefault((state.mover, game.observe(state, state.mover)), set()).add(state)
            for action in game.actions(state):
                walk(game.result(state, action))

    walk(game.initial())
    assert len(alike) > 10
    for (player, seen), states in alike.items():
        assert {game.worlds(seen, player, rng.randrange) for _ in range(40 * len(states))} == states


def test_what_the_other_hides_changes_nothing() -> None:
    game = DarkHex(3)
    state, history = list(positions(game, 2))[5]
    view = view_of(game, state, history)
    wanted = gt.ismcts(game, view, simulations=50, moves=True, compile="never")
    found = gt.ismcts(game, state, history=history, simulations=50, moves=True, compile="never")
    assert (found.action, found.values, found.moves) == (wanted.action, wanted.values, wanted.moves)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: DarkHex(12), "at most 11 rows"),
        (lambda: DarkHex(3).parse_state("b2 b2 b2"), "b2 was tried before"),
        (lambda: DarkHex(3).parse_state("d4"), "no cell of this board"),
        (lambda: DarkHex(2).parse_state("a1 b1 a2 b2"), "the game is over: X has won"),
    ],
)
def test_what_cannot_be_is_refused(ask: Any, words: str) -> None:
    with pytest.raises(gt.InputError, match=words):
        ask()
