# mypy: ignore-errors
# ruff: noqa
"""Ultimate tic-tac-toe, boards as tuples of strings, None where free choice."""
from typing import NamedTuple, Optional, Tuple
import gametree as gt

WINS = ((0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6))

class State(NamedTuple):
    boards: Tuple[str, ...]
    big: str
    active: Optional[int]
    mover: str

def winner(cells):
    for a, b, c in WINS:
        if cells[a] in "XO" and cells[a] == cells[b] == cells[c]:
            return cells[a]
    if "." not in cells:
        return "#"
    return "."

def put(text, i, c):
    return text[:i] + c + text[i + 1:]

class Ultimate(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return State(("." * 9,) * 9, "." * 9, None, "X")
    def player(self, s):
        return 0 if s.mover == "X" else 1
    def actions(self, s):
        boards = range(9) if s.active is None else [s.active]
        return [(b, i) for b in boards if s.big[b] == "." for i in range(9) if s.boards[b][i] == "."]
    def result(self, s, a):
        b, i = a
        board = put(s.boards[b], i, s.mover)
        boards = s.boards[:b] + (board,) + s.boards[b + 1:]
        big = put(s.big, b, winner(board))
        return State(boards, big, i if big[i] == "." else None, "O" if s.mover == "X" else "X")
    def is_terminal(self, s):
        return winner(s.big) != "."
    def utility(self, s, p):
        w = winner(s.big)
        if w == "#":
            return 0
        return 1 if (w == "X") == (p == 0) else -1
    def evaluate(self, s, p):
        score = s.big.count("X") - s.big.count("O")
        return (score if p == 0 else -score) / 10
GAME = Ultimate
DEPTH = 3
