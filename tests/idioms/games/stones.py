# mypy: ignore-errors
# ruff: noqa
"""Three in a row on a small board: a tuple of stones and None, an Enum with a method."""

from dataclasses import dataclass
from enum import Enum
import gametree as gt
class Stone(Enum):
    BLACK="b"
    WHITE="w"
    def flip(self): return Stone.WHITE if self is Stone.BLACK else Stone.BLACK
@dataclass(frozen=True)
class S:
    cells: tuple
    turn: Stone
class Gomoku(gt.Game):
    payoffs=(-1,1)
    n=4
    def initial(self): return S((None,)*16, Stone.BLACK)
    def player(self,s): return 0 if s.turn is Stone.BLACK else 1
    def actions(self,s): return [i for i,c in enumerate(s.cells) if c is None]
    def result(self,s,a):
        cells=list(s.cells); cells[a]=s.turn
        return S(tuple(cells), s.turn.flip())
    def line(self,s):
        for i in range(16):
            if s.cells[i] is None: continue
            r,c=divmod(i,4)
            for dr,dc in [(0,1),(1,0),(1,1),(1,-1)]:
                if 0<=r+2*dr<4 and 0<=c+2*dc<4 and all(s.cells[(r+k*dr)*4+c+k*dc]==s.cells[i] for k in (1,2)):
                    return s.cells[i]
        return None
    def is_terminal(self,s): return self.line(s) is not None or None not in s.cells
    def utility(self,s,p):
        w=self.line(s)
        if w is None: return 0
        return 1 if (w is Stone.BLACK)==(p==0) else -1
GAME=Gomoku; DEPTH=3
