# mypy: ignore-errors
# ruff: noqa
"""Kayles: knock down one pin, or two pins which stand next to each other. The last to hit wins."""

from gametree import Game

PINS = 8
MOVES = [1 << i for i in range(PINS)] + [3 << i for i in range(PINS - 1)]


class Kayles(Game):
    # the state is one int: the pins, and above them a bit for who moves
    TURN = 1 << PINS
    ALL = (1 << PINS) - 1

    payoffs = (-1, 1)

    def initial(self):
        return self.ALL

    def player(self, s):
        return 1 if s & self.TURN else 0

    def actions(self, s):
        for move in MOVES:
            if s & move == move:
                yield move

    def result(self, s, move):
        return (s ^ move) ^ self.TURN

    def is_terminal(self, s):
        return s & self.ALL == 0

    def utility(self, s, p):
        return -1 if self.player(s) == p else 1

    def evaluate(self, s, p):
        single = 0
        pins = s & self.ALL
        while pins:
            low = pins & -pins
            if not (low << 1 | low >> 1) & pins:
                single += 1
            pins ^= low
        h = 0.1 if single % 2 else -0.1
        return h if self.player(s) == p else -h

    def show(self, s):
        return "".join("|" if s >> i & 1 else "." for i in range(PINS))


GAME = Kayles
DEPTH = 6
