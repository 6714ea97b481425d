# mypy: ignore-errors
# ruff: noqa
# Tron on a small grid, one cycle after the other. You leave a wall behind you; who is stuck loses.
from gametree import Game

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3


class Tron(Game):
    payoffs = (-100, 100)

    def __init__(self, width=5, height=5):
        self.width = width
        self.height = height

    def initial(self):
        walls = [0] * (self.width * self.height)
        a = 0
        b = self.width * self.height - 1
        walls[a] = 1
        walls[b] = 1
        return tuple(walls), a, b, 0

    def player(self, state):
        walls, a, b, turn = state
        return turn

    def step(self, place, direction):
        """The next place, or -1 where the grid ends."""
        x = place % self.width
        y = place // self.width
        match direction:
            case 0:
                y -= 1
            case 1:
                x += 1
            case 2:
                y += 1
            case 3:
                x -= 1
        if x < 0 or x >= self.width or y < 0 or y >= self.height:
            return -1
        return y * self.width + x

    def actions(self, state):
        walls, a, b, turn = state
        place = a if turn == 0 else b
        possible = []
        for direction in (UP, RIGHT, DOWN, LEFT):
            to = self.step(place, direction)
            if to != -1 and walls[to] == 0:
                possible.append(direction)
        return possible

    def result(self, state, direction):
        walls, a, b, turn = state
        to = self.step(a if turn == 0 else b, direction)
        new_walls = tuple(1 if i == to else w for i, w in enumerate(walls))
        if turn == 0:
            return new_walls, to, b, 1
        return new_walls, a, to, 0

    def is_terminal(self, state):
        return self.actions(state) == []

    def utility(self, state, player):
        return -100 if state[3] == player else 100

    def space(self, walls, place, seen):
        """Fills `seen` with all that can be reached from a place, returns how much it is."""
        count = 0
        for direction in range(4):
            to = self.step(place, direction)
            if to >= 0 and walls[to] == 0 and not seen[to]:
                seen[to] = True
                count += 1 + self.space(walls, to, seen)
        return count

    def evaluate(self, state, player):
        walls, a, b, turn = state
        first = self.space(walls, a, [False] * len(walls))
        second = self.space(walls, b, [False] * len(walls))
        return first - second if player == 0 else second - first


GAME = Tron
DEPTH = 10
