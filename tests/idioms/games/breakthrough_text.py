# mypy: ignore-errors
# ruff: noqa
"""Breakthrough on rows of strings with slashes; moves as texts like "a2-a3"."""
import gametree as gt

COLS = "abc"
ROWS = 4

def at(board, r, c):
    return board.split("/")[r][c]

def cell_name(r, c):
    return f"{COLS[c]}{r + 1}"

class Breakthrough(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return ("www/.../.../bbb", "w")
    def player(self, s):
        return 0 if s[1] == "w" else 1
    def actions(self, s):
        board, side = s
        rows = board.split("/")
        step = 1 if side == "w" else -1
        out = []
        for r in range(ROWS):
            for c in range(3):
                if rows[r][c] != side:
                    continue
                nr = r + step
                if not 0 <= nr < ROWS:
                    continue
                for dc in (-1, 0, 1):
                    nc = c + dc
                    if 0 <= nc < 3:
                        target = rows[nr][nc]
                        if target == "." or (dc != 0 and target != side):
                            out.append(cell_name(r, c) + "-" + cell_name(nr, nc))
        return out
    def result(self, s, a):
        board, side = s
        src, dst = a.split("-")
        rows = [list(row) for row in board.split("/")]
        rows[int(src[1]) - 1][COLS.index(src[0])] = "."
        rows[int(dst[1]) - 1][COLS.index(dst[0])] = side
        return ("/".join("".join(row) for row in rows), "b" if side == "w" else "w")
    def is_terminal(self, s):
        rows = s[0].split("/")
        return "w" in rows[-1] or "b" in rows[0] or not self.actions(s)
    def utility(self, s, p):
        loser = self.player(s)
        return -1 if p == loser else 1
GAME = Breakthrough
DEPTH = 5
