"""Go on boards of up to 9 by 9: surround more of the board than the other."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.arguments import number
from gametree.board.data import Board
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games import grid
from gametree.games.go import notation as notation
from gametree.games.go.board import (
    LARGEST,
    NONE,
    WIDTH,
    Points,
    across,
    at,
    beside,
    beside_two,
    both,
    connected,
    either,
    first,
    is_empty,
    is_single,
    last_breath,
    rest,
    size,
    without,
)
from gametree.games.parameters import whole_number

PASS: Final = 100
"""The action that places no stone."""
NOWHERE: Final = -1
SMALLEST: Final = 2


class State(NamedTuple):
    """The stones of the player to move and of the other; the stones of both whose group has one liberty left; the
    point where a single stone was just taken and must not be retaken at once, or −1; how many passes have come in a
    row; who moves (0 is Black)."""

    mine: Points
    theirs: Points
    atari: Points
    ko: int
    passes: int
    mover: int


class Go(Game):
    """Surround more of the board than the other; White gets `komi` points for moving second.

    Player 0 is Black, shown as X, and begins. Area scoring: stones, and empty points from which one colour alone can
    be reached; all stones that are on the board at the end are alive. Suicide is illegal. No position of the board may
    come about a second time (positional superko): `repetition` says so to searches and to `play`, which know the game
    so far. The state itself knows the simple ko. Two passes end the game. A win is worth 1 and a loss −1; with a whole
    `komi` there are draws.

    >>> game = Go(size=5)
    >>> state = game.parse_state("C3 C4 D4 pass B4 pass")
    >>> print(game.show(game.result(state, game.parse_action(state, "c5"))))
    5  . . X . .
    4  . X . X .
    3  . . X . .
    2  . . . . .
    1  . . . . .
       A B C D E
    O to move
    """

    player_names: tuple[str, ...] = ("X", "O")
    payoffs: tuple[float, float] | None = (-1, 1)
    repetition: tuple[str, int] | None = ("forbid", 2)

    def __init__(self, size: int = 9, komi: float = 7.5):
        self.size: int = whole_number("size", size, least=SMALLEST)
        if self.size > LARGEST:
            raise InputError(f"size={size!r}: boards have {SMALLEST} to {LARGEST} rows")
        number("komi", komi, "komi is a number of points, 7.5 for example", -1000, 1000)
        if 2 * komi != int(2 * komi):
            raise InputError(f"komi={komi!r}: komi counts whole and half points")
        self.komi: float = float(komi)
        self.all_points: Points = NONE
        for row in range(self.size):
            for column in range(self.size):
                self.all_points = either(self.all_points, at(WIDTH * row + column))

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(NONE, NONE, NONE, NOWHERE, 0, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        if state.passes < 2:
            left = self.legal(state)
            while left.low:
                yield ((left.low & -left.low) - 1).bit_count()
                left = Points(left.low & left.low - 1, left.high)
            while left.high:
                yield 50 + ((left.high & -left.high) - 1).bit_count()
                left = Points(0, left.high & left.high - 1)
            yield PASS

    def legal(self, state: State) -> Points:
        """Where a stone may be placed: beside an empty point, beside a group of one's own with a liberty to spare,
        or on the last liberty of one of the other's; the ko apart."""
        empty = self.empty(state)
        own = without(state.mine, state.atari)
        taken = both(state.theirs, state.atari)
        found = both(empty, beside(either(empty, either(own, taken))))
        if state.ko != NOWHERE:
            found = without(found, at(state.ko))
        return found

    def empty(self, state: State) -> Points:
        """The points without a stone."""
        return without(self.all_points, either(state.mine, state.theirs))

    def result(self, state: State, action: int) -> State:
        if action == PASS:
            return State(state.theirs, state.mine, state.atari, NOWHERE, state.passes + 1, 1 - state.mover)
        stone = at(action)
        around = both(beside(stone), self.all_points)
        mine = either(state.mine, stone)
        empty = without(self.empty(state), stone)
        atari = state.atari
        # Their groups beside the stone lose a liberty: the last one, the last but one, or one of several.
        captured = NONE
        doomed = both(around, both(state.theirs, atari))
        if not is_empty(doomed):
            captured = connected(doomed, state.theirs)
            empty = either(empty, captured)
            # Their neighbours, except those that the stone joins, now have two liberties or more.
            saved = both(beside(captured), both(state.mine, atari))
            if not is_empty(saved):
                atari = without(atari, connected(saved, state.mine))
        theirs = without(state.theirs, captured)
        wide = beside_two(empty)
        touched = without(both(around, theirs), wide)
        while not is_empty(touched):
            atari = either(atari, last_breath(at(first(touched)), theirs, empty, wide))
            touched = rest(touched)
        # The stone breathes for the groups that it joins, or all of them are left with one liberty.
        joined = both(around, both(state.mine, atari))
        if not is_empty(joined):
            atari = without(atari, connected(joined, state.mine))
        group = last_breath(stone, mine, empty, wide)
        ko = first(captured) if is_single(captured) and is_single(group) else NOWHERE
        atari = either(without(atari, captured), group)
        return State(theirs, mine, atari, ko, 0, 1 - state.mover)

    def is_terminal(self, state: State) -> bool:
        return state.passes >= 2

    def utility(self, state: State, player: int) -> float:
        ahead = self.score(state)
        if ahead == 0:
            return 0
        return 1 if (ahead > 0) == (player == 0) else -1

    def score(self, state: State) -> float:
        """Black's area less White's and the komi."""
        empty = self.empty(state)
        mine = connected(both(beside(state.mine), empty), empty)
        theirs = connected(both(beside(state.theirs), empty), empty)
        ahead = size(state.mine) + size(without(mine, theirs))
        ahead -= size(state.theirs) + size(without(theirs, mine))
        return (ahead if state.mover == 0 else -ahead) - self.komi

    def repetition_key(self, state: State) -> tuple[int, int, int, int, int]:
        """The stones, whoever is to move: positional superko. A pass brings nothing about again."""
        black, white = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return black.low, black.high, white.low, white.high, state.passes

    # --- judgement ----------------------------------------------------------------------------------

    def order(self, state: State, action: int) -> float:
        """Captures first, then what keeps stones from being captured, then the middle of the board; passes last."""
        if action == PASS:
            return -100
        around = beside(at(action))
        if not is_empty(both(around, both(state.theirs, state.atari))):
            return 20
        if not is_empty(both(around, both(state.mine, state.atari))):
            return 10
        row, column = action // WIDTH, action % WIDTH
        middle = self.size - 1
        return -(abs(2 * row - middle) + abs(2 * column - middle)) / 2

    def prior(self, state: State, action: int) -> float:
        """Nobody fills an eye of his own, or passes while there is something else to do."""
        if action == PASS:
            return 0.01
        return 0.0 if self.is_eye(state, action) else 1.0

    def is_eye(self, state: State, point: int) -> bool:
        """Whether an empty point is an eye of the mover: his safe stones beside it, and enough of its corners not lost.

        The other may have one corner in the middle of the board, and none at its edge.
        """
        around = both(beside(at(point)), self.all_points)
        if not is_empty(without(around, without(state.mine, state.atari))):
            return False
        corners = both(across(at(point)), self.all_points)
        lost = size(both(corners, state.theirs))
        return lost <= (1 if size(corners) == 4 else 0)

    # --- positions ----------------------------------------------------------------------------------

    def place(self, black: Points, white: Points, mover: int, ko: int = NOWHERE, passes: int = 0) -> State:
        """The state with these stones. A group without a liberty is refused."""
        mine, theirs = (black, white) if mover == 0 else (white, black)
        empty = without(self.all_points, either(black, white))
        atari = NONE
        for stones in (black, white):
            left = stones
            while not is_empty(left):
                group = connected(at(first(left)), stones)
                left = without(left, group)
                liberties = both(beside(group), empty)
                if is_empty(liberties):
                    where = notation.name(first(group))
                    raise InputError(
                        f"the group at {where} has no liberty: it would have been taken off the board"
                    )
                if is_single(liberties):
                    atari = either(atari, group)
        return State(mine, theirs, atari, ko, passes, mover)

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        return grid.draw(self.board(state))

    def board(self, state: State) -> Board:
        black, white = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return notation.board(black, white, self.size, mover_at(self, state), self._status(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        """The point, then those of the stones that are taken."""
        if action == PASS:
            return ()
        taken = without(state.theirs, self.result(state, action).mine)
        return notation.name(action), *notation.names(taken)

    def _status(self, state: State) -> str:
        mover = notation.SYMBOLS[state.mover]
        if state.passes >= 2:
            ahead = self.score(state)
            end = "a draw" if ahead == 0 else f"{'X' if ahead > 0 else 'O'} has won by {abs(ahead):g}"
            return f"{end}, {mover} would be the next"
        status = f"{mover} to move"
        if state.ko != NOWHERE:
            status += f", ko at {notation.name(state.ko)}"
        return status + (" after a pass" if state.passes else "")

    def parse_state(self, text: str) -> State:
        """The state from rows as `show` prints them, or from the moves so far: "E5 C3 pass"."""
        found = notation.read_board(text, self.size)
        if found is None:
            return notation.from_moves(self, text)
        state = self.place(found.black, found.white, found.mover, found.ko, found.passes)
        if found.ko != NOWHERE and is_empty(both(at(found.ko), self.empty(state))):
            raise InputError(f"there is a stone on {notation.name(found.ko)}: no ko can be there")
        return state

    def name_action(self, state: State, action: int) -> str:
        return "pass" if action == PASS else notation.name(action)

    def parse_action(self, state: State, text: str) -> int:
        """The point from "E5", the columns being A to J without I and the rows counted from below; or "pass"."""
        wanted = text.strip()
        if state.passes >= 2:
            raise InputError(f"the game is over: {self._status(state)}")
        if wanted.casefold() == "pass":
            return PASS
        point = notation.read_point(wanted, self.size)
        if not is_empty(both(at(point), self.legal(state))):
            return point
        shown = notation.name(point)
        if not is_empty(both(at(point), either(state.mine, state.theirs))):
            raise InputError(f"there is a stone on {shown}")
        if point == state.ko:
            raise InputError(f"{shown} would retake the ko at once; play elsewhere first")
        raise InputError(f"a stone on {shown} would have no liberty: suicide is not allowed")
