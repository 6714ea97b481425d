"""What the games tell the exact solver is true: bounds hold, no good action is left out, equal keys are equal."""

import random
from typing import Any

import pytest

from gametree.game import Game
from gametree.games import ConnectFour, Othello
from search.exact import slow_truth

SMALL = [(4, 4, 10), (5, 4, 10), (4, 5, 10), (4, 6, 9), (6, 4, 9), (5, 5, 8), (7, 6, 8)]


def assert_hints_are_true(game: Game, state: Any, known: dict[Any, int], keys: dict[Any, int]) -> None:
    """All that a game says about a state, against plain recursion."""
    truth = slow_truth.margin(game, state, known)
    low, high = game.prospects(state)
    assert low <= truth <= high
    assert keys.setdefault(game.value_key(state), truth) == truth
    after = game.forced(state)
    later = slow_truth.margin(game, after, known)
    assert (later if game.player(after) == game.player(state) else -later) == truth
    if game.is_terminal(state):
        assert low == high and after == state
    elif low < high:
        actions = list(game.actions(state))
        sensible = list(game.sensible(state))
        assert sensible and set(sensible) <= set(actions)
        assert max(slow_truth.margin_of(game, state, action, known) for action in sensible) == truth


def sweep(game: Game, plies: int, left: int, count: int, seed: int) -> int:
    """Checks the hints at random endings and at all that follows; how many states there were."""
    known: dict[Any, int] = {}
    keys: dict[Any, int] = {}
    for state in slow_truth.endings(game, random.Random(seed), plies, left, count):
        slow_truth.margin(game, state, known)
    for state in list(known):
        assert_hints_are_true(game, state, known, keys)
    return len(known)


@pytest.mark.parametrize(("width", "height", "left"), SMALL)
def test_hints_of_connect_four(width: int, height: int, left: int) -> None:
    assert sweep(ConnectFour(width, height), width * height, left + 1, 20, width * height) > 300


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "left"), SMALL)
def test_hints_of_connect_four_at_length(width: int, height: int, left: int) -> None:
    assert sweep(ConnectFour(width, height), width * height, left + 3, 100, width * height) > 5_000


@pytest.mark.parametrize("size", [6, 8])
def test_hints_of_othello(size: int) -> None:
    assert sweep(Othello(size), size * size - 4, 5, 12, size) > 30


class WrongParity(ConnectFour):
    """Follows up with the wrong squares."""

    def __init__(self) -> None:
        super().__init__(4, 4)

    def prospects(self, state: Any) -> tuple[int, int]:
        low, high = super().prospects(state)
        return (low, min(high, 0)) if low < high else (low, high)


class Hasty(ConnectFour):
    """Overlooks the square below a threat."""

    def sensible(self, state: Any) -> Any:
        return list(super().sensible(state))[:1]


class Pushy(ConnectFour):
    """Takes the first legal action for forced."""

    def forced(self, state: Any) -> Any:
        return state if self.is_terminal(state) else self.result(state, next(iter(self.actions(state))))


class OneSided(ConnectFour):
    """Takes states for the same whose stones lie on the same squares."""

    def value_key(self, state: Any) -> int:
        return state.mask  # type: ignore[no-any-return]


@pytest.mark.parametrize("game", [WrongParity(), Hasty(4, 4), Pushy(4, 4), OneSided(4, 4)])
def test_wrong_hints_are_found_by_these_very_checks(game: Game) -> None:
    with pytest.raises(AssertionError):
        sweep(game, 16, 10, 20, 1)


def test_margins_of_connect_four_count_the_stones_that_are_left() -> None:
    game = ConnectFour()
    state = game.parse_state("1122334")
    assert game.margin(state, 0) == 18 and game.margin(state, 1) == -18
    assert game.margin(game.initial(), 0) == 0
