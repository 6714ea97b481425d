"""The m,n,k-game for two, three or four players: place a stone, get k in a row."""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final, NamedTuple

from gametree.board.data import CROSSES_AND_NOUGHTS, Board, Piece
from gametree.errors import InputError
from gametree.game import mover_at
from gametree.games import grid
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

SYMBOLS: Final = "XOYZ"
PIECES: Final = {**CROSSES_AND_NOUGHTS, "Y": Piece("Y", 2), "Z": Piece("Z", 3)}


class State(NamedTuple):
    """The squares of each player and who moves. Square number n, in reading order from the top left, is bit n."""

    stones: tuple[int, ...]
    mover: int


class MNK(grid.KInARow):
    """Fill a board in turn, two to four players; the first with `k` in a row wins against all others.

    The winner gets players − 1, everybody else −1, and nobody anything where the board is full. Players are X, O, Y and
    Z in this order; an action is the number of a square. `null` passes, for searches that let others wait.

    >>> game = MNK()
    >>> state = game.parse_state("XX.O/YO../Y.../....")
    >>> print(game.show(state))
    4  X X . O
    3  Y O . .
    2  Y . . .
    1  . . . .
       a b c d
    X to move
    >>> after = game.result(state, game.parse_action(state, "c4"))
    >>> [game.utility(after, player) for player in range(3)]
    [2, -1, -1]
    """

    def __init__(self, width: int = 4, height: int = 4, k: int = 3, players: int = 3):
        self.players: int = whole_number("players", players, least=2)
        if self.players > len(SYMBOLS):
            raise InputError(f"players={players}: two to {len(SYMBOLS)} can play")
        super().__init__(width, height, k)
        self.payoffs: tuple[float, float] | None = (-1, self.players - 1)
        self.player_names: tuple[str, ...] = tuple(SYMBOLS[: self.players])
        self.rows_of_k: tuple[int, ...] = tuple(self._rows_of_k())

    def _rows_of_k(self) -> Iterator[int]:
        """Every row, column and diagonal of k squares, as a set."""
        for square in range(self.squares):
            row, column = divmod(square, self.width)
            for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                last_column, last_row = column + (self.k - 1) * right, row + (self.k - 1) * down
                if 0 <= last_column < self.width and last_row < self.height:
                    yield sum(1 << square + i * (down * self.width + right) for i in range(self.k))

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State((0,) * self.players, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            taken = self.taken(state)
            for square in range(self.squares):
                if not taken >> square & 1:
                    yield square

    def result(self, state: State, action: int) -> State:
        mine = state.stones[state.mover] | 1 << action
        return State(put(state.stones, state.mover, mine), (state.mover + 1) % self.players)

    def is_terminal(self, state: State) -> bool:
        return self.taken(state) == self.full or self.winner(state) >= 0

    def utility(self, state: State, player: int) -> float:
        winner = self.winner(state)
        if winner < 0:
            return 0
        return self.players - 1 if player == winner else -1

    def null(self, state: State) -> State:
        return State(state.stones, (state.mover + 1) % self.players)

    def taken(self, state: State) -> int:
        """The squares on which somebody has a stone."""
        taken = 0
        for mine in state.stones:
            taken |= mine
        return taken

    def winner(self, state: State) -> int:
        """Who has k in a row; −1 where nobody has."""
        for player in range(self.players):
            mine = state.stones[player]
            for row in self.rows_of_k:
                if mine & row == row:
                    return player
        return -1

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The rows still open to a player, against what is open to all on average; between −1 and 1, zero in sum."""
        taken = self.taken(state)
        mine = 0
        every = 0
        for other in range(self.players):
            against = taken & ~state.stones[other]
            for row in self.rows_of_k:
                if against & row == 0:
                    every += 1
                    if other == player:
                        mine += 1
        return (self.players * mine - every) / (self.players * len(self.rows_of_k))

    # --- text ---------------------------------------------------------------------------------------

    def board(self, state: State) -> Board:
        return self.lettered(state.stones, PIECES, mover_at(self, state), self._status(state))

    def _status(self, state: State) -> str:
        winner = self.winner(state)
        if winner >= 0:
            return f"{SYMBOLS[winner]} has won"
        return "a draw" if self.is_terminal(state) else f"{SYMBOLS[state.mover]} to move"

    def parse_state(self, text: str) -> State:
        """The state from rows, top to bottom: "XX.O/YO../Y.../....". The stones tell whose turn it is."""
        symbols = SYMBOLS[: self.players]
        lines = [line.strip() for line in re.split(r"[/\n]", text.strip())]
        status = rf"[{symbols}] (to move|has won)|a draw"
        columns = list(ascii_lowercase[: self.width])
        lines = [line for line in lines if not re.fullmatch(status, line) and line.split() != columns]
        rows = ["".join(re.sub(r"^\d+\s+", "", line).split()).upper().replace("-", ".") for line in lines]
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise InputError(
                f"a board is {self.height} rows of {self.width} squares, from top to bottom, separated by /"
            )
        squares = "".join(rows)
        for symbol in squares:
            if symbol not in symbols + grid.EMPTY:
                raise InputError(
                    f"{symbol!r} is no stone: use {', '.join(symbols)} and '.' for an empty square"
                )
        counts = [squares.count(symbol) for symbol in symbols]
        if counts != sorted(counts, reverse=True) or counts[0] - counts[-1] > 1:
            told = ", ".join(f"{count} {symbol}" for count, symbol in zip(counts, symbols))
            raise InputError(f"{told} cannot be: players take turns in the order {', '.join(symbols)}")
        stones = tuple(sum(1 << at for at, one in enumerate(squares) if one == symbol) for symbol in symbols)
        state = State(stones, sum(counts) % self.players)
        last = (state.mover - 1) % self.players
        for player, mine in enumerate(stones):
            if player != last and any(mine & row == row for row in self.rows_of_k):
                raise InputError(
                    f"{symbols[player]} has {self.k} in a row, so the game was over before {symbols[last]} moved last"
                )
        return state
