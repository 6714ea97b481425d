# mypy: ignore-errors
# ruff: noqa
"""A small Kalah: three pits each with three seeds. A last seed in your own store gives another turn,
a last seed in an empty pit of yours captures it and the seeds opposite."""

from gametree import Game

# pits 0 1 2, store 3 of the first player; pits 4 5 6, store 7 of the second player
PITS = {0: (0, 1, 2), 1: (4, 5, 6)}
STORE = {0: 3, 1: 7}


class Kalah(Game):
    def __init__(self, seeds=3):
        self.seeds = seeds

    def initial(self):
        n = self.seeds
        return (n, n, n, 0, n, n, n, 0, 0)  # the last number says who moves

    def player(self, state):
        return state[-1]

    def actions(self, state):
        me = state[-1]
        for pit in PITS[me]:
            if state[pit] > 0:
                yield pit

    def result(self, state, pit):
        *board, me = state
        seeds = board[pit]
        board[pit] = 0
        i = pit
        while seeds > 0:
            i = (i + 1) % 8
            if i == STORE[1 - me]:
                continue
            board[i] += 1
            seeds -= 1
        if i == STORE[me]:
            return tuple(board) + (me,)
        if i in PITS[me] and board[i] == 1 and board[6 - i] > 0:
            board[STORE[me]] += 1 + board[6 - i]
            board[i] = 0
            board[6 - i] = 0
        return tuple(board) + (1 - me,)

    def is_terminal(self, state):
        return sum(state[pit] for pit in PITS[state[-1]]) == 0

    def utility(self, state, player):
        # what is left belongs to the owner of the pits
        first = sum(state[:4])
        second = sum(state[4:8])
        return first - second if player == 0 else second - first

    def evaluate(self, state, player):
        return state[STORE[player]] - state[STORE[1 - player]]


GAME = Kalah
DEPTH = 10
