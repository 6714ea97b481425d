# mypy: ignore-errors
# ruff: noqa
"""Kalah with dict-free dataclass and helper functions."""
import dataclasses
from typing import List, Tuple
import gametree as gt

PITS = 3
STONES = 2

@dataclasses.dataclass(frozen=True, slots=True)
class Board:
    pits: Tuple[Tuple[int, ...], Tuple[int, ...]]
    stores: Tuple[int, int]
    to_move: int

    @classmethod
    def start(cls):
        return cls(((STONES,) * PITS,) * 2, (0, 0), 0)

    @property
    def over(self) -> bool:
        return any(sum(row) == 0 for row in self.pits)

class Kalah(gt.Game):
    def initial(self):
        return Board.start()
    def player(self, board):
        return board.to_move
    def actions(self, board):
        return [i for i, n in enumerate(board.pits[board.to_move]) if n > 0]
    def result(self, board, pit):
        pits = [list(row) for row in board.pits]
        stores = list(board.stores)
        me = board.to_move
        side, i = me, pit
        hand = pits[side][i]
        pits[side][i] = 0
        again = False
        while hand:
            i += 1
            if i == PITS:
                if side == me:
                    stores[me] += 1
                    hand -= 1
                    if hand == 0:
                        again = True
                        break
                side = 1 - side
                i = -1
                continue
            pits[side][i] += 1
            hand -= 1
        if not again and side == me and pits[side][i] == 1 and pits[1 - side][PITS - 1 - i] > 0:
            stores[me] += 1 + pits[1 - side][PITS - 1 - i]
            pits[side][i] = pits[1 - side][PITS - 1 - i] = 0
        return dataclasses.replace(
            board,
            pits=(tuple(pits[0]), tuple(pits[1])),
            stores=tuple(stores),
            to_move=me if again else 1 - me,
        )
    def is_terminal(self, board):
        return board.over
    def utility(self, board, p):
        totals = [store + sum(row) for store, row in zip(board.stores, board.pits)]
        return totals[p] - totals[1 - p]
    def evaluate(self, board, p):
        return board.stores[p] - board.stores[1 - p]
GAME = Kalah
DEPTH = 7
