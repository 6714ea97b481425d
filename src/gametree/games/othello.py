"""Othello: enclose the other's discs and turn them over; whoever has more in the end wins the difference."""

import re
from collections.abc import Iterator
from string import ascii_lowercase
from typing import Final, NamedTuple

import numpy as np

from gametree.board.data import Board, discs
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games import grid

PASS: Final = 64
"""The action of a player who can turn nothing over."""

# A board is a np.uint64, because its last square is bit 63. Such a word stays in company of its kind: beside
# another word or a literal, never beside an int. Shifts drop what leaves the word, interpreted and compiled.
ZERO: Final = np.uint64(0)
ONE: Final = np.uint64(1)
INNER: Final = np.uint64(0x7E7E_7E7E_7E7E_7E7E)
"""The columns b to g: a disc on a or h is never enclosed along a row or a diagonal."""
NOT_A: Final = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H: Final = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
OPENING: Final = 8
"""Up to so many discs mirror images are told: later on hardly any two lines of play meet in one."""
STABLE_FROM: Final = 7
"""With fewer empty squares it takes longer to look for stable discs than it saves."""
DISCS: Final = discs()
LONGEST: Final = 2000
"""No text of a position has more characters."""


class State(NamedTuple):
    """The discs of the player to move, those of the other, and who moves. Square a1 is bit 0, h8 is bit 63:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7      the step to a neighbour:
    2   8  9 10 11 12 13 14 15
    3  16 17 18 19 20 21 22 23        −9  −8  −7
    4  24 25 26 27 28 29 30 31          ↖  ↑  ↗
    5  32 33 34 35 36 37 38 39     −1   ←     →   +1
    6  40 41 42 43 44 45 46 47          ↙  ↓  ↘
    7  48 49 50 51 52 53 54 55        +7  +8  +9
    8  56 57 58 59 60 61 62 63

    A board of 6 by 6 is the part from a1 to f6 with the same bits; columns g and h then stay empty.
    """

    mine: np.uint64
    theirs: np.uint64
    mover: int


class Othello(Game):
    """Enclose discs between your own and turn them over; the difference in discs at the end is the payoff.

    Player 0 is X (Black) and begins. An action is the number of a square, or PASS, the only action of a player
    who can turn nothing over. The game is over when neither player can; `actions` has the pass there too, so that
    `perft` counts games as the literature does. Empty squares count for nobody: a game that ends 20 to 10 is worth
    10, not 44 as in tournaments that give them to the winner.

    >>> game = Othello()
    >>> state = game.result(game.initial(), game.parse_action(game.initial(), "f5"))
    >>> print(game.show(state))
    1  . . . . . . . .
    2  . . . . . . . .
    3  . . . . . . . .
    4  . . . O X . . .
    5  . . . X X X . .
    6  . . . . . . . .
    7  . . . . . . . .
    8  . . . . . . . .
       a b c d e f g h
    O to move
    >>> [game.name_action(state, action) for action in game.actions(state)]
    ['f4', 'd6', 'f6']
    """

    player_names: tuple[str, ...] = ("X", "O")

    def __init__(self, size: int = 8):
        if size not in (6, 8) or isinstance(size, bool):
            raise InputError(f"size={size!r}: Othello is played on a board of 8 by 8 or of 6 by 6")
        self.size: int = int(size)
        self.payoffs: tuple[float, float] | None = (-float(size * size), float(size * size))
        squares = [(row, column) for row in range(self.size) for column in range(self.size)]
        last = self.size - 1
        self.all_squares: np.uint64 = _bits(squares)
        self.corners: np.uint64 = _bits([(row, column) for row in (0, last) for column in (0, last)])
        self.sides: np.uint64 = _bits([(row, column) for row, column in squares if column in (0, last)])
        self.ends: np.uint64 = _bits([(row, column) for row, column in squares if row in (0, last)])
        self.turns: tuple[tuple[int, ...], ...] = grid.turns(self.size, self.size, 8)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        high = self.size // 2
        low = high - 1
        return State(_bits([(low, high), (high, low)]), _bits([(low, low), (high, high)]), 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        left = self.moves(state.mine, state.theirs)
        if left == 0:
            yield PASS
        while left != 0:
            rest = left & (left - ONE)
            # The bits below the lowest one are as many as its number.
            yield ((left ^ rest) - ONE).bit_count()
            left = rest

    def result(self, state: State, action: int) -> State:
        if action == PASS:
            return State(state.theirs, state.mine, 1 - state.mover)
        turned = self.turned(state.mine, state.theirs, action)
        return State(state.theirs ^ turned, state.mine | turned | ONE << action, 1 - state.mover)

    def is_terminal(self, state: State) -> bool:
        mine, theirs = state.mine, state.theirs
        return bool(self.moves(mine, theirs) == 0 and self.moves(theirs, mine) == 0)

    def utility(self, state: State, player: int) -> float:
        ahead = difference(state.mine, state.theirs)
        return ahead if player == state.mover else -ahead

    def moves(self, mine: np.uint64, theirs: np.uint64) -> np.uint64:
        """The empty squares from which a run of `theirs` leads to a disc of `mine`."""
        inner = theirs & INNER
        found = (
            self.beyond(mine, inner, 1)
            | self.beyond(mine, inner, 7)
            | self.beyond(mine, theirs, 8)
            | self.beyond(mine, inner, 9)
        )
        return found & (self.all_squares ^ (mine | theirs))

    def beyond(self, mine: np.uint64, theirs: np.uint64, step: int) -> np.uint64:
        """The squares behind all runs of `theirs` that begin beside `mine`, forwards and backwards along a line.

        A run is at most six long. It grows by one disc, by one more, and then by pairs: 1, 2, 4, 6.
        """
        ahead = theirs & mine << step
        ahead |= theirs & ahead << step
        pairs = theirs & theirs << step
        ahead |= pairs & ahead << 2 * step
        ahead |= pairs & ahead << 2 * step
        back = theirs & mine >> step
        back |= theirs & back >> step
        pairs >>= step
        back |= pairs & back >> 2 * step
        back |= pairs & back >> 2 * step
        return ahead << step | back >> step

    def turned(self, mine: np.uint64, theirs: np.uint64, square: int) -> np.uint64:
        """The discs of `theirs` that a disc of `mine` on `square` turns over."""
        disc = ONE << square
        inner = theirs & INNER
        return (
            self.enclosed(disc, mine, inner, 1)
            | self.enclosed(disc, mine, inner, 7)
            | self.enclosed(disc, mine, theirs, 8)
            | self.enclosed(disc, mine, inner, 9)
        )

    def enclosed(self, disc: np.uint64, mine: np.uint64, theirs: np.uint64, step: int) -> np.uint64:
        """The runs of `theirs` between `disc` and `mine`, forwards and backwards along a line."""
        ahead = theirs & disc << step
        ahead |= theirs & ahead << step
        pairs = theirs & theirs << step
        ahead |= pairs & ahead << 2 * step
        ahead |= pairs & ahead << 2 * step
        back = theirs & disc >> step
        back |= theirs & back >> step
        pairs >>= step
        back |= pairs & back >> 2 * step
        back |= pairs & back >> 2 * step
        # A run that no disc of mine closes stays as it is.
        if ahead << step & mine == 0:
            ahead = ZERO
        if back >> step & mine == 0:
            back = ZERO
        return ahead | back

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The difference in discs that is to be expected, from mobility, corners, stability and parity.

        The weights change with the number of empty squares. They are a least-squares fit to the results of 900
        games on 8 by 8 that this program played against itself, from random openings, looking five plies ahead.
        """
        mine, theirs = state.mine, state.theirs
        empty = self.all_squares ^ (mine | theirs)
        left = empty.bit_count()
        open_corners = self.corners & empty
        # Squares from which the other could get a corner.
        diagonal = self.diagonal(open_corners)
        beside = self.beside(open_corners)
        score = (3.2 - 0.054 * left) * self.mobility(mine, theirs)
        # Empty squares next to the other's discs may become moves.
        near = (self.around(theirs) & empty).bit_count() - (self.around(mine) & empty).bit_count()
        score += (0.027 * left - 0.7) * near
        score += (0.45 * left - 2.3) * difference(mine & self.corners, theirs & self.corners)
        score -= (0.3 * left - 0.6) * difference(mine & diagonal, theirs & diagonal)
        score -= (0.015 * left + 1.4) * difference(mine & beside, theirs & beside)
        score += difference(self.stable(mine), self.stable(theirs))
        # With an odd number of empty squares the mover also has the last move, if nobody passes.
        score += (2.5 - 0.026 * left) * (1 if left & 1 else -1)
        score += (0.17 - 0.015 * left) * difference(mine, theirs)
        most = self.size * self.size - 1
        score = max(-most, min(most, score))
        return score if player == state.mover else -score

    def evaluate_discs(self, state: State, player: int) -> float:
        """The discs of `player` less those of the other: what beginners count."""
        ahead = difference(state.mine, state.theirs)
        return ahead if player == state.mover else -ahead

    def evaluate_mobility(self, state: State, player: int) -> float:
        """The moves that `player` has less those that the other would have."""
        ahead = self.mobility(state.mine, state.theirs)
        return ahead if player == state.mover else -ahead

    def mobility(self, mine: np.uint64, theirs: np.uint64) -> int:
        """How many more moves one side has than the other."""
        return difference(self.moves(mine, theirs), self.moves(theirs, mine))

    def around(self, discs: np.uint64) -> np.uint64:
        """The discs and all squares next to them."""
        row = discs | (discs & NOT_H) << 1 | (discs & NOT_A) >> 1
        return row | row << 8 | row >> 8

    def diagonal(self, corners: np.uint64) -> np.uint64:
        """The squares diagonally next to corners, b2 for a1: the X-squares."""
        around = corners << 9 | corners >> 9 | corners << 7 | corners >> 7
        return around & self.all_squares & ~(self.sides | self.ends)

    def beside(self, corners: np.uint64) -> np.uint64:
        """The squares next to corners along the edges, a2 and b1 for a1: the C-squares."""
        along = (corners & NOT_H) << 1 | (corners & NOT_A) >> 1
        return (along | corners << 8 | corners >> 8) & self.all_squares

    def stable(self, discs: np.uint64) -> np.uint64:
        """Discs that nothing can turn over any more, as far as that is seen from the corners.

        A disc stands firm along a line when a neighbour on it is stable, or when the board ends there; it is
        stable when it stands firm along all four. What a shift carries around the edge lands on an edge.
        """
        edges = self.sides | self.ends
        stable = discs & self.corners
        while stable != 0:
            more = (
                discs
                & (stable << 1 | stable >> 1 | self.sides)
                & (stable << 8 | stable >> 8 | self.ends)
                & (stable << 9 | stable >> 9 | edges)
                & (stable << 7 | stable >> 7 | edges)
            )
            if more | stable == stable:
                break
            stable |= more
        return stable

    def order(self, state: State, action: int) -> float:
        """Corners first, then what leaves the other the fewest replies."""
        if action == PASS:
            return 0
        after = self.result(state, action)
        replies = self.moves(after.mine, after.theirs).bit_count()
        return 10 - replies if self.corners >> action & ONE == ONE else -replies

    # --- hints for the exact solver -----------------------------------------------------------------

    def prospects(self, state: State) -> tuple[int, int]:
        """The end itself where one square or none is left, else what the discs that cannot turn any more leave open."""
        mine, theirs = state.mine, state.theirs
        empty = self.all_squares ^ (mine | theirs)
        left = empty.bit_count()
        if left <= 1:
            margin = self.last(mine, theirs, empty)
            return margin, margin
        if self.moves(mine, theirs) == 0 and self.moves(theirs, mine) == 0:
            margin = difference(mine, theirs)
            return margin, margin
        most = self.size * self.size
        if left < STABLE_FROM:
            return -most, most
        return 2 * self.stable(mine).bit_count() - most, most - 2 * self.stable(theirs).bit_count()

    def last(self, mine: np.uint64, theirs: np.uint64, empty: np.uint64) -> int:
        """The margin to the mover where one square or none is empty: whoever can takes it."""
        margin = difference(mine, theirs)
        if empty == ZERO:
            return margin
        square = (empty - ONE).bit_count()
        turned = self.turned(mine, theirs, square).bit_count()
        if turned > 0:
            return margin + 2 * turned + 1
        turned = self.turned(theirs, mine, square).bit_count()
        return margin - 2 * turned - 1 if turned > 0 else margin

    def value_key(self, state: State) -> tuple[np.uint64, np.uint64]:
        """Who moves does not matter, only whose discs are whose."""
        return state.mine, state.theirs

    def symmetries(self, state: State) -> Iterator[State]:
        """The board turned and mirrored, seven others, as long as there are few discs."""
        if (state.mine | state.theirs).bit_count() <= OPENING:
            for turn in self.turns:
                yield State(self.image(state.mine, turn), self.image(state.theirs, turn), state.mover)

    def image(self, discs: np.uint64, turn: tuple[int, ...]) -> np.uint64:
        """The discs where a turn of the board puts them."""
        image = ZERO
        while discs != 0:
            rest = discs & (discs - ONE)
            image |= ONE << turn[((discs ^ rest) - ONE).bit_count()]
            discs = rest
        return image

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        return grid.draw(self.board(state))

    def board(self, state: State) -> Board:
        return Board.grid(
            self._rows(state),
            DISCS,
            columns=ascii_lowercase[: self.size],
            rows=[str(rank) for rank in range(1, self.size + 1)],
            ground="green",
            checkered=True,
            mover=mover_at(self, state),
            status=self._status(state),
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == PASS else (self.name_action(state, action),)

    def _rows(self, state: State) -> list[str]:
        x, o = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        rows = []
        for row in range(self.size):
            bits = [1 << row * 8 + column for column in range(self.size)]
            rows.append("".join("X" if int(x) & bit else "O" if int(o) & bit else grid.EMPTY for bit in bits))
        return rows

    def _status(self, state: State) -> str:
        mover = grid.SYMBOLS[state.mover]
        if not self.is_terminal(state):
            return f"{mover} to move"
        payoff = self.utility(state, 0)
        counts = sorted((int(state.mine.bit_count()), int(state.theirs.bit_count())), reverse=True)
        end = "a draw" if payoff == 0 else "X has won" if payoff > 0 else "O has won"
        return f"{end} {counts[0]} to {counts[1]}, {mover} would be the next"

    def parse_state(self, text: str) -> State:
        """The state from rows as `show` prints them; from the squares in one line and who moves, as in .obf files,
        "---…--- X"; or from the moves that were played, "f5d6c3", where passes may be left out."""
        text = text.strip()
        if len(text) > LONGEST:
            raise InputError(f"a position has at most {LONGEST} characters, this text has {len(text)}")
        if re.fullmatch(r"(?:(?:pass|[a-z]\d)[\s,;-]*)*", text, re.IGNORECASE):
            return self._from_moves(text)
        return self._from_squares(text)

    def _from_moves(self, text: str) -> State:
        state = self.initial()
        for number, move in enumerate(re.findall(r"pass|[a-z]\d", text.lower()), 1):
            if move != "pass" and not self.is_terminal(state) and list(self.actions(state)) == [PASS]:
                state = self.result(state, PASS)
            try:
                state = self.result(state, self.parse_action(state, move))
            except InputError as error:
                raise InputError(f"move {number}: {error}") from None
        return state

    def _from_squares(self, text: str) -> State:
        lines = text.strip().split(";")[0].splitlines() or [""]
        said = re.fullmatch(
            r"(.*?)(?:\s*\b([XO]) (?:to move|would be the next)|\s+([XO]))\s*", lines[-1], re.I
        )
        if not said:
            raise InputError(
                f"the text {' '.join(text.split())[:80]!r} does not say who moves: write the {self.size}² squares row"
                " by row from a1 with X, O and - and then X or O for the player to move"
            )
        mover = grid.SYMBOLS.index((said[2] or said[3]).upper())
        board = "\n".join([*lines[:-1], "" if said[2] else said[1]]).strip()
        squares = "".join(board.split())
        if len(squares) == self.size * self.size:
            board = "/".join(squares[at : at + self.size] for at in range(0, len(squares), self.size))
        rows, _ = grid.read(board, ascii_lowercase[: self.size], self.size)
        x, o = (
            _bits([(r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == one])
            for one in grid.SYMBOLS
        )
        return State(x, o, 0) if mover == 0 else State(o, x, 1)

    def name_action(self, state: State, action: int) -> str:
        if action == PASS:
            return "pass"
        row, column = divmod(action, 8)
        return f"{ascii_lowercase[column]}{row + 1}"

    def parse_action(self, state: State, text: str) -> int:
        """The square from "f5" (column f, row 5 from the top), or "pass"."""
        wanted = text.strip().lower()
        last = f"{ascii_lowercase[self.size - 1]}{self.size}"
        if wanted == "pass":
            square = PASS
        elif re.fullmatch(f"[a-{last[0]}][1-{last[1]}]", wanted):
            square = (int(wanted[1]) - 1) * 8 + ascii_lowercase.index(wanted[0])
        else:
            raise InputError(
                f"{text.strip()[:40]!r} is no square of this board: they are a1 (top left) to {last}, or pass"
            )
        if self.is_terminal(state):
            raise InputError(f"the game is over: {self._status(state)}")
        legal = list(self.actions(state))
        if square in legal:
            return square
        names = ", ".join(self.name_action(state, action) for action in legal)
        if square == PASS:
            raise InputError(f"only who can turn nothing over passes; legal are: {names}")
        if int(state.mine | state.theirs) >> square & 1:
            raise InputError(f"{wanted} is taken; legal are: {names}")
        raise InputError(f"{wanted} turns no disc over; legal are: {names}")


def difference(mine: np.uint64, theirs: np.uint64) -> int:
    """How many more squares the first board has."""
    return mine.bit_count() - theirs.bit_count()


def _bits(squares: list[tuple[int, int]]) -> np.uint64:
    """The board with these squares, each a row and a column."""
    return np.uint64(sum(1 << row * 8 + column for row, column in squares))
