"""Hex: connect your two sides of the board before the other connects theirs."""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

import numpy as np

from gametree.board.data import Board, discs
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games import grid
from gametree.games.parameters import whole_number
from gametree.games.replay import replay

# Cell row · size + column, row 0 at the top; the six neighbours of a cell on a board of 5 by 5:
#
#      0   1   2   3   4
#        5   6   7   8   9               −size   −size + 1
#         10  11  12  13  14          −1       ·       +1
#           15  16  17  18  19         +size − 1   +size
#             20  21  22  23  24
#
# A set of cells is two words: cells 0 to 60 are the bits of the first, 61 to 121 those of the second.
SPLIT: Final = 61
LARGEST: Final = 11
DISCS: Final = discs("red", "blue")
LONGEST: Final = 5_000
"""No text of a position has more characters."""


class State(NamedTuple):
    """The stones of X and of O; those of them that are connected with the top (X) or with the left side (O), the first
    of the two that their player has to connect; and who moves."""

    x_low: int
    x_high: int
    o_low: int
    o_high: int
    linked_low: int
    linked_high: int
    mover: int


class Hex(Game):
    """Place stones in turn; X wins by connecting top and bottom, O by connecting left and right.

    Player 0 is X and begins. A full board has exactly one winner, so there are no draws. With `swap` the second player
    may answer the first stone with `swap`: it becomes a stone of O, mirrored along the diagonal from a1, and X moves
    again.

    >>> game = Hex(size=3)
    >>> state = game.parse_state("b2 a2 c1")
    >>> print(game.show(state))
       a b c
    1  . . X
     2  O X .
      3  . . .
    O to move
    >>> [game.name_action(state, action) for action in game.actions(state)]
    ['a1', 'b1', 'c2', 'a3', 'b3', 'c3']
    """

    player_names: tuple[str, ...] = ("X", "O")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, size: int = 11, swap: bool = False):
        self.size: int = whole_number("size", size, least=1)
        if self.size > LARGEST:
            raise InputError(f"size={size!r}: boards have at most {LARGEST} rows")
        if not isinstance(swap, bool):
            raise InputError(f"swap={swap!r}: it is True or False")
        self.swap = swap
        self.cells: int = self.size * self.size
        """One more than the last cell, and the number of the action `swap`."""
        every = range(self.cells)
        self.all_cells: tuple[int, int] = words_of(every)
        self.top: tuple[int, int] = words_of(cell for cell in every if cell < self.size)
        self.bottom: tuple[int, int] = words_of(cell for cell in every if cell >= self.cells - self.size)
        self.left: tuple[int, int] = words_of(cell for cell in every if cell % self.size == 0)
        self.right: tuple[int, int] = words_of(cell for cell in every if cell % self.size == self.size - 1)
        self.near: np.ndarray[Any, np.dtype[np.int64]] = np.array(
            [words_of(self._neighbours(cell)) for cell in every], dtype=np.int64
        ).ravel()

    def _neighbours(self, cell: int) -> Iterator[int]:
        row, column = divmod(cell, self.size)
        for down, right in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
            if 0 <= row + down < self.size and 0 <= column + right < self.size:
                yield (row + down) * self.size + column + right

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(0, 0, 0, 0, 0, 0, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            low = self.all_cells[0] & ~(state.x_low | state.o_low)
            high = self.all_cells[1] & ~(state.x_high | state.o_high)
            while low:
                yield ((low & -low) - 1).bit_count()
                low &= low - 1
            while high:
                yield SPLIT + ((high & -high) - 1).bit_count()
                high &= high - 1
            if self.may_swap(state):
                yield self.cells

    def may_swap(self, state: State) -> bool:
        """Whether O may take over the only stone on the board."""
        alone = state.o_low | state.o_high == 0 and state.x_low.bit_count() + state.x_high.bit_count() == 1
        return self.swap and state.mover == 1 and alone

    def result(self, state: State, action: int) -> State:
        return self.swapped(state) if action == self.cells else self.placed(state, action)

    def placed(self, state: State, action: int) -> State:
        """The state after a stone of the mover on a cell."""
        low = 1 << action if action < SPLIT else 0
        high = 0 if action < SPLIT else 1 << action - SPLIT
        near_low, near_high = int(self.near[2 * action]), int(self.near[2 * action + 1])
        linked_low, linked_high = state.linked_low, state.linked_high
        if state.mover == 0:
            own_low, own_high = state.x_low, state.x_high
            linked = low & self.top[0] | high & self.top[1]
        else:
            own_low, own_high = state.o_low, state.o_high
            linked = low & self.left[0] | high & self.left[1]
        linked |= near_low & own_low & linked_low | near_high & own_high & linked_high
        if linked:
            # The stone is connected with its side, and with it all stones that hang on it: each is met once in a game.
            next_low, next_high = low, high
            while next_low | next_high:
                if next_low:
                    cell = ((next_low & -next_low) - 1).bit_count()
                    linked_low |= next_low & -next_low
                else:
                    cell = SPLIT + ((next_high & -next_high) - 1).bit_count()
                    linked_high |= next_high & -next_high
                next_low = (next_low | int(self.near[2 * cell]) & own_low) & ~linked_low
                next_high = (next_high | int(self.near[2 * cell + 1]) & own_high) & ~linked_high
        if state.mover == 0:
            return State(
                own_low | low, own_high | high, state.o_low, state.o_high, linked_low, linked_high, 1
            )
        return State(state.x_low, state.x_high, own_low | low, own_high | high, linked_low, linked_high, 0)

    def swapped(self, state: State) -> State:
        """The first stone as a stone of O, mirrored."""
        low = state.x_low
        cell = (low - 1).bit_count() if low else SPLIT + (state.x_high - 1).bit_count()
        mirrored = cell % self.size * self.size + cell // self.size
        return self.placed(State(0, 0, 0, 0, 0, 0, 1), mirrored)

    def is_terminal(self, state: State) -> bool:
        return self.has_won(state, 0) or self.has_won(state, 1)

    def has_won(self, state: State, player: int) -> bool:
        """Whether a player's two sides are connected."""
        if player == 0:
            low, high = state.x_low & self.bottom[0], state.x_high & self.bottom[1]
        else:
            low, high = state.o_low & self.right[0], state.o_high & self.right[1]
        return low & state.linked_low | high & state.linked_high != 0

    def utility(self, state: State, player: int) -> float:
        return 1 if self.has_won(state, player) else -1

    # --- judgement ----------------------------------------------------------------------------------

    def order(self, state: State, action: int) -> float:
        """The middle of the board first."""
        if action == self.cells:
            return 0
        row, column = action // self.size, action % self.size
        # How far it is from the centre along the board's two directions, and along the short diagonal.
        down, right = 2 * row - self.size + 1, 2 * column - self.size + 1
        return -max(abs(down), abs(right), abs(down + right))

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        lines = ["   " + " ".join(self.columns)]
        for row, letters in enumerate(self._rows(state)):
            lines.append(f"{' ' * row}{row + 1:<2} {' '.join(letters)}")
        return "\n".join([*lines, self._status(state)])

    def board(self, state: State) -> Board:
        return self.hexagons(state, mover_at(self, state))

    def hexagons(self, state: State, mover: int | None) -> Board:
        """The board with its stones, and who moves."""
        return Board.hexagons(
            self._rows(state),
            DISCS,
            columns=self.columns,
            rows=[str(row + 1) for row in range(self.size)],
            mover=mover,
            status=self._status(state),
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        if action < self.cells:
            return (self.name_action(state, action),)
        # The only stone goes to the other side of the diagonal.
        low = state.x_low
        stone = (low - 1 if low else state.x_high - 1).bit_count() + (0 if low else SPLIT)
        row, column = divmod(stone, self.size)
        return self.name_action(state, stone), self.name_action(state, column * self.size + row)

    def _rows(self, state: State) -> list[str]:
        stones = {0: (state.x_low, state.x_high), 1: (state.o_low, state.o_high)}
        letters = [grid.EMPTY] * self.cells
        for who, words in stones.items():
            for cell in range(self.cells):
                if words[cell >= SPLIT] >> cell % SPLIT & 1:
                    letters[cell] = grid.SYMBOLS[who]
        return ["".join(letters[at : at + self.size]) for at in range(0, self.cells, self.size)]

    @property
    def columns(self) -> str:
        """The letters of the columns."""
        return ascii_lowercase[: self.size]

    def _status(self, state: State) -> str:
        for who in (0, 1):
            if self.has_won(state, who):
                return f"{grid.SYMBOLS[who]} has won"
        return f"{grid.SYMBOLS[state.mover]} to move"

    def parse_state(self, text: str) -> State:
        """The state from rows as `show` prints them, or from the moves so far: "f6 e7 swap"."""
        text = text.strip()
        if len(text) > LONGEST:
            raise InputError(f"a position has at most {LONGEST} characters, this text has {len(text)}")
        if re.fullmatch(r"(?:(?:swap|[a-z]\d{1,2})[\s,;]*)*", text, re.IGNORECASE):
            words = re.findall(r"swap|[a-z]\d+", text, re.IGNORECASE)
            return replay(self, words)[-1]  # type: ignore[no-any-return]
        return self._from_rows(text)

    def _from_rows(self, text: str) -> State:
        rows, said = grid.read(text, self.columns, self.size)
        stones = [
            [r * self.size + c for r, row in enumerate(rows) for c, one in enumerate(row) if one == symbol]
            for symbol in grid.SYMBOLS
        ]
        ahead = len(stones[0]) - len(stones[1])
        mover = (ahead if said is None else said) if self.swap and ahead in (-1, 0, 1) else None
        if mover is None or (ahead, mover) not in ((-1, 0), (0, 0), (0, 1), (1, 1)):
            mover = grid.mover_of(rows, said)
        # Placed one after the other, the stones link themselves; who has won was last to move.
        state = self.initial()
        for who in (1 - mover, mover)[::-1]:
            for cell in stones[who]:
                state = self.result(state._replace(mover=who), cell)
        if self.has_won(state, mover):
            raise InputError(f"{grid.SYMBOLS[mover]} has won, so it cannot be {grid.SYMBOLS[mover]}'s turn")
        return state._replace(mover=mover)

    def name_action(self, state: State, action: int) -> str:
        if action == self.cells:
            return "swap"
        return f"{ascii_lowercase[action % self.size]}{action // self.size + 1}"

    def parse_action(self, state: State, text: str) -> int:
        """The cell from "f6", column f and row 6 from the top; or "swap"."""
        wanted = text.strip().lower()
        if wanted == "swap" and not self.is_terminal(state):
            if self.may_swap(state):
                return self.cells
            why = "only the second move may be it" if self.swap else "this game has no swap (swap=true has)"
            raise InputError(f"`swap` is not possible here: {why}")
        cell = self.cell_of(state, text)
        if cell not in set(self.actions(state)):
            raise InputError(f"there is a stone on {wanted}")
        return cell

    def cell_of(self, state: State, text: str) -> int:
        """The cell that a text names, where the game is not over."""
        wanted = text.strip().lower()
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        said = re.fullmatch(r"([a-z])([1-9]\d?)", wanted) if wanted.isascii() else None
        last = f"{self.columns[-1]}{self.size}"
        if said is None or said[1] not in self.columns or int(said[2]) > self.size:
            raise InputError(
                f"{text.strip()[:40]!r} is no cell of this board: they are a1 (top left) to {last}"
            )
        return (int(said[2]) - 1) * self.size + ascii_lowercase.index(said[1])


def words_of(cells: "Iterator[int] | range") -> tuple[int, int]:
    """A set of cells as two words."""
    word = sum(1 << cell for cell in cells)
    return word & (1 << SPLIT) - 1, word >> SPLIT
