"""The rules checker on what a game tells the exact solver."""

from typing import Any

import pytest

from checking.race import found
from gametree.checking.checker import check
from gametree.games import ConnectFour


class Small(ConnectFour):
    def __init__(self) -> None:
        super().__init__(4, 4)


class HalfMargin(Small):
    def margin(self, state: Any, player: int) -> Any:
        return 0.5


class Winless(Small):
    def margin(self, state: Any, player: int) -> int:
        return abs(super().margin(state, player))


class Upside(Small):
    def prospects(self, state: Any) -> Any:
        low, high = super().prospects(state)
        return (low, high) if low == high else (high, low)


class Unfinished(Small):
    def prospects(self, state: Any) -> Any:
        return (-8, 8)


class Optimist(Small):
    def prospects(self, state: Any) -> Any:
        low, high = super().prospects(state)
        return (low, high) if low == high else (max(low, 1), max(high, 1))


class Foreign(Small):
    def sensible(self, state: Any) -> Any:
        return [9]


class Idle(Small):
    def sensible(self, state: Any) -> Any:
        return []


class Raising(Small):
    def prospects(self, state: Any) -> Any:
        raise ZeroDivisionError


class Timid(Small):
    """Looks at the worst action only."""

    def sensible(self, state: Any) -> Any:
        def at_most(action: int) -> int:
            return -int(self.prospects(self.result(state, action))[0])

        return [min(self.actions(state), key=at_most)]


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        (HalfMargin(), "margin-number"),
        (Winless(), "margin-sign"),
        (Upside(), "prospects-bounds"),
        (Unfinished(), "prospects-end"),
        (Optimist(), "prospects-contradiction"),
        (Foreign(), "sensible-subset"),
        (Idle(), "sensible-subset"),
        (Raising(), "prospects-raises"),
        (Timid(), "sensible-loss"),
    ],
)
def test_wrong_hints_are_named(game: ConnectFour, kind: str) -> None:
    assert found(game, kind, seconds=1, plays=12)


def test_right_hints_are_no_trouble() -> None:
    report = check(Small(), compile="never", seconds=1, plays=12)
    assert not report.problems
