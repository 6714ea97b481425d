# mypy: ignore-errors
# ruff: noqa
"""Tic-tac-toe on a string."""
import gametree as gt

LINES = [(0,1,2),(3,4,5),(6,7,8),(0,3,6),(1,4,7),(2,5,8),(0,4,8),(2,4,6)]

class TicTacToe(gt.Game):
    payoffs = (-1, 1)
    def initial(self): return "........."
    def turn(self, s): return "X" if s.count("X") == s.count("O") else "O"
    def player(self, s): return 0 if self.turn(s) == "X" else 1
    def actions(self, s): return [i for i, c in enumerate(s) if c == "."]
    def result(self, s, a): return s[:a] + self.turn(s) + s[a+1:]
    def winner(self, s):
        for a, b, c in LINES:
            if s[a] != "." and s[a] == s[b] == s[c]:
                return s[a]
        return None
    def is_terminal(self, s): return self.winner(s) is not None or "." not in s
    def utility(self, s, p):
        w = self.winner(s)
        if w is None:
            return 0
        return 1 if (w == "X") == (p == 0) else -1
GAME = TicTacToe
DEPTH = 6
