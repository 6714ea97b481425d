# mypy: ignore-errors
# ruff: noqa
"""Clobber on a tuple of rows, match on actions."""
import gametree as gt

class Clobber(gt.Game):
    payoffs = (-1, 1)
    def initial(self):
        return (("XOX", "OXO", "XOX"), "X")
    def player(self, state):
        match state[1]:
            case "X":
                return 0
            case _:
                return 1
    def actions(self, state):
        rows, me = state
        other = "O" if me == "X" else "X"
        moves = []
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if cell != me:
                    continue
                for direction in ("up", "down", "left", "right"):
                    rr, cc = self.go(r, c, direction)
                    if 0 <= rr < 3 and 0 <= cc < 3 and rows[rr][cc] == other:
                        moves.append((r, c, direction))
        return moves
    def go(self, r, c, direction):
        match direction:
            case "up":
                return r - 1, c
            case "down":
                return r + 1, c
            case "left":
                return r, c - 1
            case "right":
                return r, c + 1
        return r, c
    def result(self, state, action):
        rows, me = state
        r, c, direction = action
        rr, cc = self.go(r, c, direction)
        grid = [list(row) for row in rows]
        grid[r][c] = "."
        grid[rr][cc] = me
        return tuple("".join(row) for row in grid), "O" if me == "X" else "X"
    def is_terminal(self, state):
        return not self.actions(state)
    def utility(self, state, player):
        return -1 if self.player(state) == player else 1
GAME = Clobber
DEPTH = 5
