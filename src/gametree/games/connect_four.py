"""Connect Four: drop a stone into a column, get four in a row."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, discs
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games import grid
from gametree.games.parameters import whole_number
from gametree.games.replay import replay

MIRRORED: Final = 14
"""Up to so many stones mirror images are taken for the same: later on hardly any two lines of play meet in one."""
LATE: Final = 24
"""With so many empty squares or more every player still has a line of four that is not blocked, as good as always."""

DISCS: Final = discs("red", "yellow")


class State(NamedTuple):
    """The stones of the player to move, and all stones. Every column has one bit more than the board is high:

        6 13 20 27 34 41 48    the lid: closed (in `mask`) once somebody has won
        5 12 19 26 33 40 47    top row
        4 11 18 25 32 39 46
        3 10 17 24 31 38 45
        2  9 16 23 30 37 44
        1  8 15 22 29 36 43
        0  7 14 21 28 35 42    bottom row

    No line runs through the lid, so a shift by one column or one row never wraps around. Adding the bottom
    bit of a column to `mask` carries up to its lowest empty square: that is where the next stone falls.
    """

    mine: int
    mask: int


class ConnectFour(Game):
    """Drop stones into columns in turn; the first with four in a row wins.

    Player 0 is X and begins. An action is a column, counted from 0 on the left and written from 1; the middle
    columns come first, because they are the better ones. `actions` is empty once the game is over, so that
    `perft` counts games as the literature does. `result` looks for four in a row, once, and closes the lid.

    >>> game = ConnectFour()
    >>> state = game.parse_state("4453")
    >>> print(game.show(state))
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . O . . .
    . . O X X . .
    1 2 3 4 5 6 7
    X to move
    >>> list(game.actions(state))
    [3, 2, 4, 1, 5, 0, 6]
    """

    player_names: tuple[str, ...] = ("X", "O")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, width: int = 7, height: int = 6):
        self.width: int = whole_number("width", width, least=1)
        self.height: int = whole_number("height", height, least=1)
        self.stride: int = self.height + 1
        # A state has to fit the signed 64-bit integers of the compiled rules.
        if self.width * self.stride > 62:
            raise InputError(
                f"a board of {width} by {height} is too big: width times (height + 1) is"
                f" {self.width * self.stride} and can be at most 62"
            )
        if max(self.width, self.height) < 4:
            raise InputError(f"four in a row do not fit on a board of {width} by {height}")
        self.bottom: int = sum(1 << column * self.stride for column in range(self.width))
        self.full: int = self.bottom * ((1 << self.height) - 1)
        self.lid: int = self.bottom << self.height
        self.size: int = self.width * self.height
        # The squares that the player who follows up leaves to the other: every second one from the top.
        self.given: int = sum(self.bottom << row for row in range(self.height - 2, -1, -2))
        self.columns: tuple[int, ...] = tuple(
            sorted(range(self.width), key=lambda column: abs(2 * column - self.width + 1))
        )
        # Up, along the row, along both diagonals; only where a line fits, so that no shift exceeds a word.
        vertical = (1,) if self.height >= 4 else ()
        horizontal = (self.stride,) if self.width >= 4 else ()
        diagonal = (self.stride - 1, self.stride + 1) if self.width >= 4 and self.height >= 4 else ()
        self.sideways: tuple[int, ...] = horizontal + diagonal
        self.steps: tuple[int, ...] = vertical + self.sideways

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(0, 0)

    def player(self, state: State) -> int:
        return (state.mask & self.full).bit_count() & 1

    def actions(self, state: State) -> Iterator[int]:
        for column in self.columns:
            # Neither the top square nor the lid above it.
            if not state.mask >> column * self.stride + self.height - 1 & 3:
                yield column

    def result(self, state: State, action: int) -> State:
        theirs = state.mask ^ state.mine
        mask = state.mask | state.mask + (1 << action * self.stride)
        if self.aligned(mask ^ theirs):
            mask |= self.lid
        return State(theirs, mask)

    def is_terminal(self, state: State) -> bool:
        # The lid of the last column is the highest bit of all.
        return state.mask >= self.full

    def utility(self, state: State, player: int) -> float:
        if state.mask <= self.full:
            return 0
        return -1 if player == self.player(state) else 1

    def aligned(self, stones: int) -> bool:
        """Whether four of the stones are in a row."""
        for step in self.steps:
            pairs = stones & stones >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The lines of four still possible for `player` less those still possible for the other.

        >>> game = ConnectFour()
        >>> game.evaluate(game.parse_state("4"), 0)
        7
        """
        theirs = (state.mask & self.full) ^ state.mine
        difference = self.lines(self.full ^ theirs) - self.lines(self.full ^ state.mine)
        return difference if player == self.player(state) else -difference

    def terms(self, state: State, player: int) -> Iterator[tuple[int, int]]:
        """What the evaluation consists of: the lines possible for `player`, less those possible for the other."""
        theirs = (state.mask & self.full) ^ state.mine
        mine, other = self.lines(self.full ^ theirs), self.lines(self.full ^ state.mine)
        if player != self.player(state):
            mine, other = other, mine
        yield 1, mine
        yield -1, other

    def lines(self, squares: int) -> int:
        """How many lines of four lie within the squares."""
        count = 0
        for step in self.steps:
            pairs = squares & squares >> step
            count += (pairs & pairs >> 2 * step).bit_count()
        return count

    def symmetries(self, state: State) -> Iterator[State]:
        """The board mirrored left to right."""
        column = (1 << self.stride) - 1
        mine = 0
        mask = 0
        for i in range(self.width):
            here = i * self.stride
            there = (self.width - 1 - i) * self.stride
            mine |= (state.mine >> here & column) << there
            mask |= (state.mask >> here & column) << there
        yield State(mine, mask)

    # --- hints for the exact solver -----------------------------------------------------------------

    def margin(self, state: State, player: int) -> int:
        """One more than the stones that the winner has left: a win with the very last stone counts 1."""
        if state.mask <= self.full:
            return 0
        left = self.size - (state.mask & self.full).bit_count()
        return -(left // 2 + 1) if player == self.player(state) else left // 2 + 1

    def distance(self, state: State, margin: int) -> int:
        """From the stones that the winner has left to those that are still dropped; a draw fills the board.

        >>> ConnectFour().distance(State(0, 0), 1), ConnectFour().distance(State(0, 0), 18)
        (41, 7)
        """
        left = self.size - (state.mask & self.full).bit_count()
        if margin == 0:
            return left
        # Of the two numbers of empty squares at the end that count the same, only one lets the winner drop the last.
        plies = left - 2 * (abs(margin) - 1)
        return plies if plies & 1 == (margin > 0) else plies - 1

    def threats(self, stones: int, empty: int) -> int:
        """The empty squares that would complete four of the stones in a row."""
        found = stones << 1 & stones << 2 & stones << 3
        for step in self.sideways:
            pair = stones << step & stones << 2 * step
            found |= pair & (stones << 3 * step | stones >> step)
            pair = stones >> step & stones >> 2 * step
            found |= pair & (stones >> 3 * step | stones << step)
        return found & empty

    def safe(self, drops: int, danger: int) -> int:
        """Of the squares where a stone can fall, those that do not lose at once to the other's threats.

        Two threats cannot both be stopped, and a stone below a threat only lifts the other up to it.
        """
        must = drops & danger
        if must & must - 1:
            return 0
        return (must if must else drops) & ~(danger >> 1)

    def sensible(self, state: State) -> Iterator[int]:
        """The columns that do not lose at once."""
        empty = self.full ^ state.mask
        danger = self.threats(state.mask ^ state.mine, empty)
        safe = self.safe(state.mask + self.bottom & self.full, danger)
        for column in self.columns:
            if safe >> column * self.stride & (1 << self.height) - 1:
                yield column

    def forced(self, state: State) -> State:
        """The state after the stones that have to be dropped to stop a threat, as long as that is possible."""
        mine, mask = state.mine, state.mask
        while mask < self.full:
            theirs = mask ^ mine
            empty = self.full ^ mask
            drops = mask + self.bottom & self.full
            danger = self.threats(theirs, empty)
            must = drops & danger
            if must == 0 or self.safe(drops, danger) == 0 or self.wins_now(mine, empty, drops):
                break
            mine, mask = theirs, mask | must
        return State(mine, mask)

    def wins_now(self, mine: int, empty: int, drops: int) -> bool:
        """Whether the next stone can complete four in a row; the first test is quick and nearly always enough."""
        return self.aligned(mine | drops) and self.threats(mine, empty) & drops != 0

    def prospects(self, state: State) -> tuple[int, int]:
        """What wins or loses at once; then that there are lines left, and what the other can do by following up."""
        mine, mask = state.mine, state.mask
        if mask >= self.full:
            margin = self.margin(state, self.player(state))
            return margin, margin
        empty = self.full ^ mask
        left = empty.bit_count()
        drops = mask + self.bottom & self.full
        if self.wins_now(mine, empty, drops):
            return (left + 1) // 2, (left + 1) // 2
        theirs = mask ^ mine
        danger = self.threats(theirs, empty)
        if self.safe(drops, danger) == 0:
            return -(left // 2), -(left // 2)
        if left <= 2:
            return 0, 0
        low = -((left - 2) // 2)
        if left < LATE and not self.aligned(theirs | empty):
            low = 0
        return low, self.ceiling(mine, theirs, empty, drops, danger & ~drops)

    def ceiling(self, mine: int, theirs: int, empty: int, drops: int, danger: int) -> int:
        """The most that the mover can get if the other follows up: answers in the same column, right on top.

            . . o .     Where the number of empty squares is even, there is always an answer: on top in a column with
            . . x .     an even number of them, else at the bottom of another column with an odd number. So the mover
            . o o .     gets no more than every second square from the top (`given`) and the squares where stones fall
            . x x .     now (`drops`). No four among these and the stones there are: the mover will not win.

        A threat of the other on a square that is not `given` then even wins, when the mover runs out of squares and
        has to play below it. With an odd number of empty squares this needs a threat on a `given` square with an odd
        number of empty squares below it: the other follows up everywhere and never has to play there.
        """
        left = empty.bit_count()
        high = (left - 1) // 2
        even = left & 1 == 0
        reach = mine | drops | empty & self.given
        if even and not self.aligned(reach):
            high = -1 if self.aligned(theirs | empty & ~(self.given | drops)) else 0
        elif not even and left < LATE and not self.aligned(mine | empty):
            high = 0
        danger &= ~self.given if even else self.given
        while danger:
            square = danger & -danger
            danger ^= square
            # The lid of its column; from the square up to the lid; the empty squares of the column.
            lid = self.lid & -square
            lid &= -lid
            above = lid - square
            column = lid - (lid >> self.height) & empty
            margin = -((above.bit_count() + 1) // 2)
            if margin >= high or (not even and not drops & column & ~self.given):
                continue
            here = column & square - 1 & (reach if even else ~self.given)
            if not self.aligned(reach & ~column | here):
                high = margin
        return high

    def urgency(self, state: State, action: int) -> float:
        """How many squares would complete four in a row after the action: the more, the sooner it is looked at."""
        stone = state.mask + (1 << action * self.stride) & ~state.mask
        return self.threats(state.mine | stone, self.full ^ (state.mask | stone)).bit_count()

    def value_key(self, state: State) -> int:
        """One number for a state and its mirror image: the stones of the mover, and a bit on top of every column."""
        key = state.mine + state.mask + self.bottom
        if state.mask.bit_count() > MIRRORED:
            return key
        column = (1 << self.stride) - 1
        mirrored = 0
        for i in range(self.width):
            mirrored |= (key >> i * self.stride & column) << (self.width - 1 - i) * self.stride
        return min(key, mirrored)

    # --- text ---------------------------------------------------------------------------------------

    def _labels(self) -> list[str]:
        return [str(column + 1) for column in range(self.width)]

    def show(self, state: State) -> str:
        return grid.draw(self.board(state))

    def board(self, state: State) -> Board:
        return Board.grid(
            self._rows(state),
            DISCS,
            columns=self._labels(),
            ground="blue",
            mover=mover_at(self, state),
            status=self._status(state),
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        fallen = (state.mask >> action * self.stride & (1 << self.height) - 1).bit_count()
        return (str((self.height - 1 - fallen) * self.width + action),)

    def _rows(self, state: State) -> list[str]:
        mover = self.player(state)
        rows = []
        for row in range(self.height - 1, -1, -1):
            bits = [1 << column * self.stride + row for column in range(self.width)]
            rows.append(
                "".join(
                    grid.EMPTY
                    if not state.mask & bit
                    else grid.SYMBOLS[mover if state.mine & bit else 1 - mover]
                    for bit in bits
                )
            )
        return rows

    def _status(self, state: State) -> str:
        mover = self.player(state)
        if not self.is_terminal(state):
            return f"{grid.SYMBOLS[mover]} to move"
        return f"{grid.SYMBOLS[1 - mover]} has won" if state.mask > self.full else "a draw"

    def parse_state(self, text: str) -> State:
        """The state from the columns that were played, "4453", or from rows as `show` prints them."""
        return self._from_rows(text) if re.search(r"[XxOo./-]", text) else self._from_moves(text)

    def _from_moves(self, text: str) -> State:
        words = re.split(r"[\s,]+", text.strip())
        # Beyond nine columns a digit alone would not do.
        moves = list("".join(words)) if self.width < 10 else [word for word in words if word]
        return replay(self, moves, f" of {text.strip()[:60]!r}")[-1]  # type: ignore[no-any-return]

    def _from_rows(self, text: str) -> State:
        rows, said = grid.read(text, self._labels(), self.height)
        mover = grid.mover_of(rows, said)
        stones = [0, 0]
        last: list[list[int]] = [[], []]
        for column in range(self.width):
            # From the bottom to the top.
            symbols = "".join(row[column] for row in reversed(rows)).rstrip(grid.EMPTY)
            if grid.EMPTY in symbols:
                raise InputError(
                    f"a stone in column {column + 1} hangs in the air: stones fall to the bottom"
                )
            for row, symbol in enumerate(symbols):
                stones[grid.SYMBOLS.index(symbol)] |= 1 << column * self.stride + row
            if symbols:
                top = 1 << column * self.stride + len(symbols) - 1
                last[grid.SYMBOLS.index(symbols[-1])].append(top)
        x, o = stones
        grid.check_lines((x, o), mover, last[1 - mover], self.aligned, "four in a row")
        won = self.aligned(stones[1 - mover])
        return State(stones[mover], x | o | self.lid if won else x | o)

    def name_action(self, state: State, action: int) -> str:
        return str(action + 1)

    def parse_action(self, state: State, text: str) -> int:
        """The column from its number, 1 on the left."""
        wanted = text.strip()
        if not re.fullmatch(r"[0-9]{1,3}", wanted) or not 1 <= int(wanted) <= self.width:
            raise InputError(f"{wanted!r} is no column of this board: they are 1 to {self.width}")
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        column = int(wanted) - 1
        if column not in self.actions(state):
            open_columns = ", ".join(self.name_action(state, one) for one in sorted(self.actions(state)))
            raise InputError(f"column {wanted} is full: the open ones are {open_columns}")
        return column
