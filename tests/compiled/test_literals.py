"""A function is compiled once for all whole numbers, and once for each only where it has to be."""

from typing import Any

import pytest

from gametree import Game, minimax
from gametree.compiled import native

pytestmark = pytest.mark.skipif(bool(native.unavailable()), reason="nothing is compiled here")


def doubled(number: int) -> int:
    return 2 * number


def part(pair: tuple[int, float], place: int) -> Any:
    return pair[place]


class Countdown(Game):
    """Take one or two of four; a function of a number and a look into a pair of two types."""

    def initial(self) -> tuple[int, int]:
        return (4, 0)

    def player(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> Any:
        for taken in (1, 2):
            if taken <= state[0]:
                yield taken

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        left = doubled(state[0]) - doubled(action)
        return left // doubled(1), doubled(1) - 1 - state[1]

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int], player: int) -> Any:
        pair = (state[1], 0.5)
        value = part(pair, 1) + doubled(0)
        return -value if player == part(pair, 0) else value


def test_numbers_written_in_the_rules_do_not_multiply_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    from gametree.compiled.codegen import unit

    made: dict[str, Any] = {}
    plain = unit.Unit._jit

    def remember(self: unit.Unit, function: Any) -> Any:
        made[function.__name__] = plain(self, function)
        return made[function.__name__]

    monkeypatch.setattr(unit.Unit, "_jit", remember)
    monkeypatch.setattr("gametree.compiled.cache.load", lambda key: None)
    found = minimax(Countdown(), compile="always")
    assert found.value == minimax(Countdown(), compile="never").value
    assert len(made["doubled"].overloads) == 1
    assert len(made["part"].overloads) == 2
