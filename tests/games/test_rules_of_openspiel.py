"""Our rules beside OpenSpiel's on random games, where OpenSpiel is installed (the extra `bench`)."""

import random

import pytest

from gametree.games.backgammon.board import OPENING
from gametree.games.backgammon.notation import steps
from gametree.games.backgammon.rules import Backgammon
from gametree.games.dark_hex import DarkHex
from gametree.games.go.rules import Go
from gametree.games.hex import Hex
from openspiel_games import POINTS, Position, our_position, our_word, their_position, their_turns, their_words

pytestmark = pytest.mark.openspiel

pyspiel = pytest.importorskip("pyspiel")


# --- backgammon -------------------------------------------------------------------------------------


def moved(before: Position, after: Position, mover: int, die: int) -> int:
    """How many times a die was played, from the pips that were gained where nothing was borne off."""
    gained: int = sum(p * (b - a) for p, b, a in zip(POINTS, before[mover], after[mover]))
    return gained // die


def compare_backgammon(count: int, seed: int) -> int:
    """Plays so many games; how often OpenSpiel let a player of doubles move fewer checkers than possible."""
    game, rules, rng = (
        Backgammon(),
        pyspiel.load_game("backgammon(scoring_type=full_scoring)"),
        random.Random(seed),
    )
    fewer = 0
    for _ in range(count):
        state, other = game.initial(), rules.new_initial_state()
        while not game.is_terminal(state):
            if other.is_chance_node():
                throws = their_words("backgammon", other)
                assert sorted(throws) == sorted(outcome for outcome, _ in game.chance(state))
                thrown = rng.choice(sorted(throws))
                state = game.result(state, thrown)
                other.apply_action(*throws[thrown])
            here = our_position(state)
            assert state.dice > OPENING and here == their_position(other)
            assert other.current_player() == state.mover
            mine = {our_word(game, state, a): a for a in game.actions(state)}
            found = their_turns(other)
            if state.dice % 11:
                assert mine.keys() == found.keys(), game.show(state)
            else:
                assert mine.keys() <= found.keys(), game.show(state)
                most = len(steps(state, next(iter(mine.values()))))
                for position in found.keys() - mine.keys():
                    assert most == 4 or sum(position[state.mover]) == sum(here[state.mover])
                    assert moved(here, position, state.mover, state.dice % 10) < most, game.show(state)
                    fewer += 1
            chosen = rng.choice(sorted(mine))
            state = game.result(state, mine[chosen])
            for step in found[chosen]:
                other.apply_action(step)
            assert game.is_terminal(state) == other.is_terminal()
        assert [game.utility(state, 0), game.utility(state, 1)] == other.returns()
    return fewer


def test_backgammon_is_played_as_openspiel_plays_it() -> None:
    compare_backgammon(25, seed=1)


@pytest.mark.slow
def test_ten_thousand_games_of_backgammon_are_played_as_openspiel_plays_them() -> None:
    compare_backgammon(10_000, seed=2)


# --- Go and Hex -------------------------------------------------------------------------------------


def compare_go(count: int, size: int, seed: int) -> None:
    """Legal moves at every state, and the result; OpenSpiel ends a game at a repetition or after a number of moves."""
    game, rng = Go(size), random.Random(seed)
    rules = pyspiel.load_game(f"go(board_size={size},komi=7.5)")
    for _ in range(count):
        state, other = game.initial(), rules.new_initial_state()
        seen = {game.repetition_key(state)}
        while not other.is_terminal():
            assert not game.is_terminal(state)
            legal = {our_word(game, state, a): a for a in game.actions(state)}
            assert sorted(legal) == sorted(other.legal_actions()), game.show(state)
            chosen = rng.choice(sorted(legal))
            state = game.result(state, legal[chosen])
            other.apply_action(chosen)
            if game.repetition_key(state) in seen:
                assert other.is_terminal() and other.returns() == [0, 0]
            seen.add(game.repetition_key(state))
        if game.is_terminal(state):
            assert [game.utility(state, 0), game.utility(state, 1)] == other.returns()


@pytest.mark.parametrize("size", [9, 5])
def test_go_is_played_as_openspiel_plays_it(size: int) -> None:
    compare_go(40, size, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("size", [9, 7, 5])
def test_two_thousand_games_of_go_are_played_as_openspiel_plays_them(size: int) -> None:
    compare_go(2000, size, seed=4)


@pytest.mark.parametrize("size", [3, 7, 11])
def test_hex_is_played_as_openspiel_plays_it(size: int) -> None:
    game, rng = Hex(size), random.Random(size)
    rules = pyspiel.load_game(f"hex(board_size={size})")
    for _ in range(20):
        state, other = game.initial(), rules.new_initial_state()
        while not other.is_terminal():
            assert sorted(game.actions(state)) == sorted(other.legal_actions())
            chosen = rng.choice(other.legal_actions())
            state = game.result(state, chosen)
            other.apply_action(chosen)
        assert game.is_terminal(state)
        assert [game.utility(state, 0), game.utility(state, 1)] == other.returns()


@pytest.mark.parametrize("size", [2, 3, 5])
def test_dark_hex_is_played_as_openspiel_plays_it(size: int) -> None:
    game, rng = DarkHex(size), random.Random(size)
    rules = pyspiel.load_game(f"dark_hex(board_size={size},gameversion=cdh,obstype=reveal-nothing)")
    for _ in range(30):
        state, other = game.initial(), rules.new_initial_state()
        while not other.is_terminal():
            assert game.player(state) == other.current_player()
            assert sorted(game.actions(state)) == sorted(other.legal_actions())
            chosen = rng.choice(other.legal_actions())
            state = game.result(state, chosen)
            other.apply_action(chosen)
        assert game.is_terminal(state)
        assert [game.utility(state, 0), game.utility(state, 1)] == other.returns()
