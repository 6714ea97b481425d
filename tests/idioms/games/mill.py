# mypy: ignore-errors
# ruff: noqa
"""Three men's morris with phases, a frozen dataclass and actions as tuples of text."""
from dataclasses import dataclass, replace
from typing import Optional
import gametree as gt

MILLS = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8)]
NEIGHBOURS = {0:[1,3],1:[0,2,4],2:[1,5],3:[0,4,6],4:[1,3,5,7],5:[2,4,8],6:[3,7],7:[4,6,8],8:[5,7]}

@dataclass(frozen=True)
class Position:
    board: tuple[Optional[str], ...]
    mover: str
    to_place: tuple[int, int]
    moves: int = 0

    @property
    def phase(self):
        return "place" if sum(self.to_place) > 0 else "move"

    def other(self):
        return "B" if self.mover == "W" else "W"

    def has_mill(self, who):
        return any(all(self.board[i] == who for i in mill) for mill in MILLS)

class Morris(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return Position((None,) * 9, "W", (3, 3))
    def player(self, s):
        return "WB".index(s.mover)
    def actions(self, s):
        if s.phase == "place":
            return [("place", i) for i in range(9) if s.board[i] is None]
        moves = []
        for i in range(9):
            if s.board[i] == s.mover:
                for j in NEIGHBOURS[i]:
                    if s.board[j] is None:
                        moves.append(("move", i, j))
        return moves
    def result(self, s, a):
        board = list(s.board)
        me = self.player(s)
        if a[0] == "place":
            board[a[1]] = s.mover
            left = (s.to_place[0] - 1, s.to_place[1]) if me == 0 else (s.to_place[0], s.to_place[1] - 1)
            return replace(s, board=tuple(board), mover=s.other(), to_place=left, moves=s.moves + 1)
        kind, src, dst = a
        board[src] = None
        board[dst] = s.mover
        return replace(s, board=tuple(board), mover=s.other(), moves=s.moves + 1)
    def is_terminal(self, s):
        return s.has_mill("W") or s.has_mill("B") or s.moves >= 12 or not self.actions(s)
    def utility(self, s, p):
        if s.has_mill("W"):
            return 1 if p == 0 else -1
        if s.has_mill("B"):
            return 1 if p == 1 else -1
        if not self.actions(s) and s.moves < 12:
            return -1 if p == self.player(s) else 1
        return 0
GAME = Morris
DEPTH = 5
