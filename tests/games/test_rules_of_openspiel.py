"""Our rules beside OpenSpiel's on random games, where OpenSpiel is installed (the extra `bench`)."""

import random
from typing import Any

import pytest

from gametree.game import CHANCE
from gametree.games.backgammon import Backgammon
from gametree.games.backgammon_board import OPENING, State, number
from gametree.games.backgammon_notation import sides, steps
from gametree.games.go import PASS, Go
from gametree.games.hex import Hex

pyspiel = pytest.importorskip("pyspiel")

Position = tuple[tuple[int, ...], tuple[int, ...]]
BAR = 100
"""Where OpenSpiel keeps what was hit."""
POINTS = (*range(24, 0, -1), 25)
X_PLACES = (*range(24), BAR)
O_PLACES = (*range(23, -1, -1), BAR)


# --- backgammon -------------------------------------------------------------------------------------


def ours(state: State) -> Position:
    """The checkers of X and of O, each from its point 24 down to 1 and then on the bar."""
    x, o = sides(state)
    return tuple([number(x, p) for p in POINTS]), tuple([number(o, p) for p in POINTS])


def theirs(state: Any) -> Position:
    board = state.board
    return tuple([board(0, place) for place in X_PLACES]), tuple([board(1, place) for place in O_PLACES])


def endings(state: Any, mover: int) -> dict[Position, Any]:
    """The positions after a whole turn, each with a state; doubles are two turns in OpenSpiel."""
    halfway: dict[Position, Any] = {}
    for action in state.legal_actions():
        after = state.child(action)
        halfway.setdefault(theirs(after), after)
    found: dict[Position, Any] = {}
    for position, after in halfway.items():
        again = not (after.is_terminal() or after.is_chance_node()) and after.current_player() == mover
        found |= endings(after, mover) if again else {position: after}
    return found


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
        # Their first throw is of any order: the second of two outcomes lets O begin.
        first = rng.choice(other.chance_outcomes())[0]
        text = other.action_to_string(CHANCE, first)
        high, low = sorted(text[-3:-1], reverse=True)
        state = game.result(state, int(high + low) if "X starts" in text else int(low + high))
        other.apply_action(first)
        while not game.is_terminal(state):
            assert state.dice > OPENING and ours(state) == theirs(other)
            assert other.current_player() == state.mover
            mine = {ours(game.result(state, a)): a for a in game.actions(state)}
            found = endings(other, state.mover)
            if state.dice % 11:
                assert mine.keys() == found.keys(), game.show(state)
            else:
                assert mine.keys() <= found.keys(), game.show(state)
                most = len(steps(state, next(iter(mine.values()))))
                for position in found.keys() - mine.keys():
                    assert most == 4 or sum(position[state.mover]) == sum(ours(state)[state.mover])
                    assert moved(ours(state), position, state.mover, state.dice % 10) < most, game.show(state)
                    fewer += 1
            chosen = rng.choice(sorted(mine))
            state, other = game.result(state, mine[chosen]), found[chosen]
            assert game.is_terminal(state) == other.is_terminal()
            if not game.is_terminal(state):
                thrown, _ = rng.choice(other.chance_outcomes())
                digits = sorted(other.action_to_string(CHANCE, thrown)[-3:-1], reverse=True)
                state = game.result(state, int("".join(digits)))
                other.apply_action(thrown)
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
            legal = {size * size if a == PASS else a // 10 * size + a % 10: a for a in game.actions(state)}
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
