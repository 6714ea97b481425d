# mypy: ignore-errors
# ruff: noqa
# Notakto on one board: both play X, whoever completes a line loses.
import gametree as gt


class Notakto(gt.Game):
    payoffs = (-1, 1)

    def initial(self):
        return (0, 0, 0, 0, 0, 0, 0, 0, 0)

    def player(self, board):
        return sum(board) % 2

    def actions(self, board):
        moves = []
        for i in range(9):
            if board[i] == 0:
                moves.append(i)
        return moves

    def result(self, board, move):
        new = list(board)
        new[move] = 1
        return tuple(new)

    def is_terminal(self, board):
        for i in range(3):
            if board[3 * i] and board[3 * i + 1] and board[3 * i + 2]:
                return True
            if board[i] and board[i + 3] and board[i + 6]:
                return True
        if board[0] and board[4] and board[8]:
            return True
        if board[2] and board[4] and board[6]:
            return True
        return False

    def utility(self, board, player):
        # the one who would move now did not make the line
        if self.player(board) == player:
            return 1
        else:
            return -1

    def evaluate(self, board, player):
        # count moves which do not lose at once: an odd number is good for the mover
        safe = 0
        for move in self.actions(board):
            if not self.is_terminal(self.result(board, move)):
                safe += 1
        value = 0.5 if safe % 2 == 1 else -0.5
        if self.player(board) != player:
            value = -value
        return value


GAME = Notakto
DEPTH = None
