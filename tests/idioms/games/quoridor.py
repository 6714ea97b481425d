# mypy: ignore-errors
# ruff: noqa
"""A small Quoridor: BFS with a deque, walls as a frozenset."""
from collections import deque
from dataclasses import dataclass
import gametree as gt

SIZE = 3

@dataclass(frozen=True)
class State:
    pawns: tuple[tuple[int, int], tuple[int, int]]
    walls: frozenset[tuple[int, int, str]]
    left: tuple[int, int]
    turn: int
    ply: int

def blocked(walls, a, b):
    (r1, c1), (r2, c2) = a, b
    if r1 == r2:
        c = min(c1, c2)
        return (r1, c, "v") in walls or (r1 - 1, c, "v") in walls
    r = min(r1, r2)
    return (r, c1, "h") in walls or (r, c1 - 1, "h") in walls

def neighbours(walls, cell):
    r, c = cell
    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        nxt = (r + dr, c + dc)
        if 0 <= nxt[0] < SIZE and 0 <= nxt[1] < SIZE and not blocked(walls, cell, nxt):
            yield nxt

def distance(walls, start, goal_row):
    seen = {start}
    queue = deque([(start, 0)])
    while queue:
        cell, d = queue.popleft()
        if cell[0] == goal_row:
            return d
        for nxt in neighbours(walls, cell):
            if nxt not in seen:
                seen.add(nxt)
                queue.append((nxt, d + 1))
    return None

class Quoridor(gt.Game):
    payoffs = (-1, 1)
    goals = (SIZE - 1, 0)
    def initial(self):
        return State(((0, SIZE // 2), (SIZE - 1, SIZE // 2)), frozenset(), (1, 1), 0, 0)
    def player(self, s):
        return s.turn
    def actions(self, s):
        moves = []
        for cell in neighbours(s.walls, s.pawns[s.turn]):
            if cell != s.pawns[1 - s.turn]:
                moves.append(("move", cell[0], cell[1]))
        if s.left[s.turn] > 0:
            for r in range(SIZE - 1):
                for c in range(SIZE - 1):
                    for way in "hv":
                        if self.can_wall(s, (r, c, way)):
                            moves.append((way, r, c))
        if not moves:
            moves.append(("pass", 0, 0))
        return moves
    def can_wall(self, s, wall):
        r, c, way = wall
        if (r, c, "h") in s.walls or (r, c, "v") in s.walls:
            return False
        walls = s.walls | {wall}
        return all(distance(walls, s.pawns[p], self.goals[p]) is not None for p in (0, 1))
    def result(self, s, a):
        kind, r, c = a
        if kind == "pass":
            return State(s.pawns, s.walls, s.left, 1 - s.turn, s.ply + 1)
        if kind == "move":
            pawns = ((r, c), s.pawns[1]) if s.turn == 0 else (s.pawns[0], (r, c))
            return State(pawns, s.walls, s.left, 1 - s.turn, s.ply + 1)
        left = (s.left[0] - 1, s.left[1]) if s.turn == 0 else (s.left[0], s.left[1] - 1)
        return State(s.pawns, s.walls | {(r, c, kind)}, left, 1 - s.turn, s.ply + 1)
    def is_terminal(self, s):
        return s.pawns[0][0] == SIZE - 1 or s.pawns[1][0] == 0 or s.ply >= 20
    def utility(self, s, p):
        if s.pawns[0][0] == SIZE - 1:
            return 1 if p == 0 else -1
        if s.pawns[1][0] == 0:
            return 1 if p == 1 else -1
        return 0
    def evaluate(self, s, p):
        mine = distance(s.walls, s.pawns[p], self.goals[p])
        theirs = distance(s.walls, s.pawns[1 - p], self.goals[1 - p])
        return (theirs - mine) / 100
GAME = Quoridor
DEPTH = 4
