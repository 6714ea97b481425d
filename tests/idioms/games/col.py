# mypy: ignore-errors
# ruff: noqa
"""Col on a small map: neighbouring countries must not get the same colour. Who cannot colour loses."""

from __future__ import annotations

from dataclasses import dataclass

import gametree as gt

MAP = {
    0: [1, 2],
    1: [0, 2, 3],
    2: [0, 1, 3, 4],
    3: [1, 2, 5],
    4: [2, 5],
    5: [3, 4, 6],
    6: [5],
}


@dataclass(frozen=True)
class State:
    colours: tuple[int, ...]
    mover: int

    def can_colour(self, country: int) -> bool:
        if self.colours[country] != 0:
            return False
        return all(self.colours[n] != self.mover + 1 for n in MAP[country])

    def colour(self, country: int) -> State:
        colours = list(self.colours)
        colours[country] = self.mover + 1
        return State(tuple(colours), 1 - self.mover)


class Col(gt.Game):
    payoffs = (-1, 1)

    def initial(self) -> State:
        return State((0,) * len(MAP), 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> list[int]:
        return [country for country in MAP if state.can_colour(country)]

    def result(self, state: State, action: int) -> State:
        return state.colour(action)

    def is_terminal(self, state: State) -> bool:
        return not any(state.can_colour(country) for country in MAP)

    def utility(self, state: State, player: int) -> int:
        return 1 if state.mover != player else -1


GAME = Col
DEPTH = None
