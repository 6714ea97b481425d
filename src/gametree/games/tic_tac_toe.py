"""Tic-tac-toe, and every m,n,k-game beside it: place a stone, get k in a row."""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import NamedTuple

from gametree.board.data import CROSSES_AND_NOUGHTS, Board
from gametree.errors import InputError
from gametree.game import mover_at
from gametree.games import grid


class State(NamedTuple):
    """The squares of X and of O. Square number n, in reading order from the top left, is bit n:

    0 1 2
    3 4 5
    6 7 8
    """

    x: int
    o: int


class TicTacToe(grid.KInARow):
    """Fill a board in turn; the first with `k` in a row wins.

    Player 0 is X and begins. An action is the number of a square; `actions` is empty once the game is over,
    so that `perft` counts games as the literature does.

    >>> game = TicTacToe()
    >>> state = game.parse_state("X.O/.X./...")
    >>> print(game.show(state))
    3  X . O
    2  . X .
    1  . . .
       a b c
    O to move
    >>> game.name_action(state, 8)
    'c1'
    >>> game.is_terminal(game.result(game.result(state, 1), 8))
    True
    """

    player_names: tuple[str, ...] = ("X", "O")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, width: int = 3, height: int = 3, k: int = 3):
        super().__init__(width, height, k)
        self.directions: tuple[tuple[int, int], ...] = self._directions()
        self.turns: tuple[tuple[int, ...], ...] = grid.turns(self.width, self.height, self.width)

    def _directions(self) -> tuple[tuple[int, int], ...]:
        """For rows, columns and both diagonals: how far the next square is, and where a line can begin."""
        directions = []
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            starts = 0
            for square in range(self.squares):
                row, column = divmod(square, self.width)
                end_column, end_row = column + (self.k - 1) * right, row + (self.k - 1) * down
                if 0 <= end_column < self.width and end_row < self.height:
                    starts |= 1 << square
            # A direction without lines is left out: its shifts could exceed the 64 bits of a machine word.
            if starts:
                directions.append((down * self.width + right, starts))
        return tuple(directions)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(0, 0)

    def player(self, state: State) -> int:
        return (state.x | state.o).bit_count() & 1

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            taken = state.x | state.o
            for square in range(self.squares):
                if not taken >> square & 1:
                    yield square

    def result(self, state: State, action: int) -> State:
        if self.player(state) == 0:
            return State(state.x | 1 << action, state.o)
        return State(state.x, state.o | 1 << action)

    def is_terminal(self, state: State) -> bool:
        return self.aligned(self.moved_last(state)) or (state.x | state.o) == self.full

    def utility(self, state: State, player: int) -> float:
        if not self.aligned(self.moved_last(state)):
            return 0
        return -1 if player == self.player(state) else 1

    def moved_last(self, state: State) -> int:
        """The stones of the player who moved last: only these can have completed a line."""
        return state.o if self.player(state) == 0 else state.x

    def aligned(self, stones: int) -> bool:
        """Whether k of the stones are in a row."""
        for step, starts in self.directions:
            runs = starts
            for i in range(self.k):
                runs &= stones >> i * step
            if runs:
                return True
        return False

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """E(s) of the lectures: the lines still open for X less those still open for O, from `player`'s side.

        >>> game = TicTacToe()
        >>> game.evaluate(game.parse_state(".../.X./..."), 0)
        4
        """
        difference = self.lines(self.full ^ state.o) - self.lines(self.full ^ state.x)
        return difference if player == 0 else -difference

    def terms(self, state: State, player: int) -> Iterator[tuple[int, int]]:
        """What E(s) consists of: the lines open for `player`, less those open for the other."""
        mine, theirs = self.lines(self.full ^ state.o), self.lines(self.full ^ state.x)
        if player == 1:
            mine, theirs = theirs, mine
        yield 1, mine
        yield -1, theirs

    def lines(self, squares: int) -> int:
        """How many lines of k lie within the squares."""
        count = 0
        for step, starts in self.directions:
            runs = starts
            for i in range(self.k):
                runs &= squares >> i * step
            count += runs.bit_count()
        return count

    def symmetries(self, state: State) -> Iterator[State]:
        """The board turned and mirrored: seven others on a square board, three on a rectangle."""
        for turn in self.turns:
            x = 0
            o = 0
            for square in range(self.squares):
                x |= (state.x >> square & 1) << turn[square]
                o |= (state.o >> square & 1) << turn[square]
            yield State(x, o)

    # --- text ---------------------------------------------------------------------------------------

    def board(self, state: State) -> Board:
        return self.lettered(state, CROSSES_AND_NOUGHTS, mover_at(self, state), self._status(state))

    def _status(self, state: State) -> str:
        if not self.is_terminal(state):
            return f"{grid.SYMBOLS[self.player(state)]} to move"
        payoff = self.utility(state, 0)
        return "a draw" if payoff == 0 else "X has won" if payoff > 0 else "O has won"

    def parse_state(self, text: str) -> State:
        """The state from rows, top to bottom: "X.O/.X./...", with " X" or " O" after it to say who moves."""
        rows, said = grid.read(text, ascii_lowercase[: self.width], self.height)
        mover = grid.mover_of(rows, said)
        symbols = "".join(rows)
        x, o = (sum(1 << at for at, symbol in enumerate(symbols) if symbol == one) for one in grid.SYMBOLS)
        bits = [1 << square for square in range(self.squares)]
        grid.check_lines((x, o), mover, bits, self.aligned, f"{self.k} in a row")
        return State(x, o)

    def parse_action(self, state: State, text: str) -> int:
        """The square from "b2" (column b, row 2 from the bottom) or from its number in reading order."""
        wanted = text.strip().lower()
        last = f"{ascii_lowercase[self.width - 1]}{self.height}"
        square = -1
        if re.fullmatch(r"[0-9]{1,3}", wanted):
            square = int(wanted) - 1
        elif re.fullmatch(r"[a-z][0-9]{1,3}", wanted):
            column, rank = ascii_lowercase.index(wanted[0]), int(wanted[1:])
            if column < self.width and 1 <= rank <= self.height:
                square = (self.height - rank) * self.width + column
        if not 0 <= square < self.squares:
            raise InputError(
                f"{text.strip()!r} is no square of this board: they are a1 (bottom left) to {last},"
                f" or the numbers 1 to {self.squares} in reading order"
            )
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        if (state.x | state.o) >> square & 1:
            raise InputError(f"{self.name_action(state, square)} is taken: choose an empty square")
        return square
