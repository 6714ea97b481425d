# mypy: ignore-errors
# ruff: noqa
"""Nim with several heaps. Whoever takes the last counter wins (or loses, with misere=True)."""

from typing import Iterator, NamedTuple

import gametree as gt


class Take(NamedTuple):
    heap: int
    count: int


class Position(NamedTuple):
    heaps: tuple[int, ...]
    mover: int


class Nim(gt.Game):
    payoffs = (-1, 1)

    def __init__(self, heaps: tuple[int, ...] = (2, 3, 3), misere: bool = False) -> None:
        self.heaps = heaps
        self.misere = misere

    def initial(self) -> Position:
        return Position(self.heaps, 0)

    def player(self, state: Position) -> int:
        return state.mover

    def actions(self, state: Position) -> Iterator[Take]:
        for heap, size in enumerate(state.heaps):
            for count in range(1, size + 1):
                yield Take(heap, count)

    def result(self, state: Position, action: Take) -> Position:
        heaps = tuple(
            size - action.count if heap == action.heap else size for heap, size in enumerate(state.heaps)
        )
        return Position(heaps, 1 - state.mover)

    def is_terminal(self, state: Position) -> bool:
        return not any(state.heaps)

    def utility(self, state: Position, player: int) -> float:
        won = state.mover != player
        return 1 if won != self.misere else -1

    def name_action(self, state: Position, action: Take) -> str:
        return f"{action.count} from heap {action.heap + 1}"


GAME = Nim
DEPTH = None
