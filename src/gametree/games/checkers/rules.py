"""Checkers, English draughts on 8 by 8: jump over what you can; whoever cannot move has lost."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games.checkers import endings as endings
from gametree.games.checkers import notation as notation
from gametree.games.parameters import whole_number
from gametree.games.replay import replay

# The 32 dark squares lie in 35 bits; after every second row one bit belongs to no square.
#
#         squares 1 to 32                        bits                     off the board
#      .  1  .  2  .  3  .  4           .  0  .  1  .  2  .  3
#      5  .  6  .  7  .  8  .           4  .  5  .  6  .  7  .                8
#      .  9  . 10  . 11  . 12           .  9  . 10  . 11  . 12
#     13  . 14  . 15  . 16  .          13  . 14  . 15  . 16  .               17
#      . 17  . 18  . 19  . 20           . 18  . 19  . 20  . 21
#     21  . 22  . 23  . 24  .          22  . 23  . 24  . 25  .               26
#      . 25  . 26  . 27  . 28           . 27  . 28  . 29  . 30
#     29  . 30  . 31  . 32  .          31  . 32  . 33  . 34  .
#
# So the four neighbours of every square are 4 and 5 bits away, and a step over the edge falls on a bit that is
# no square. Black begins on 1 to 12 and moves down the page, towards greater numbers.
BOARD: Final = 0b1111_1111_0_1111_1111_0_1111_1111_0_1111_1111
FIRST_ROW: Final = 0b1111
LAST_ROW: Final = FIRST_ROW << 31
CENTRE: Final = notation.bits(10, 11, 14, 15, 18, 19, 22, 23)
"""The eight squares in the middle."""
GUARDS: Final = (notation.bits(1, 3), notation.bits(30, 32))
"""Where Black's and White's men keep the other from making kings."""
HALVES: Final = (notation.bits(*range(17, 33)), notation.bits(*range(1, 17)))
"""The far half of the board, for Black and for White."""
CAMPS: Final = (notation.bits(*range(21, 33)), notation.bits(*range(1, 13)))
"""The three rows on which the other begins."""
FEW: Final = 10
"""From so few pieces on, kings that are ahead hunt."""

# Directions 0 to 3 add 4, add 5, subtract 4, subtract 5; `direction ^ 2` is the way back.
#
#       −5  −4
#         ↖ ↗          0 and 1 are forwards for Black (player 0), 2 and 3 for White (player 1):
#         ↙ ↘          a direction is forwards for player `direction >> 1`
#       +4  +5
#
# An action is an int:
#
#     bit 0–5   the bit of the square from which the piece moves
#     bit 6–9   how many pieces it jumps over, 0 for a step
#     bit 10 …  the directions, two bits each, the first one lowest


def shifted(squares: int, direction: int) -> int:
    """All squares one step away in a direction; what leaves the board is for the caller to mask."""
    step = 4 + (direction & 1)
    return squares << step if direction < 2 else squares >> step


class State(NamedTuple):
    """The pieces of both sides, which of them are kings, who moves (0 is Black), and how many plies in a row
    have been king's steps, without a capture and without a man that advanced."""

    black: int
    white: int
    kings: int
    mover: int
    quiet: int


class Checkers(Game):
    """Jump over the other's pieces; whoever cannot move has lost.

    Player 0 is Black, begins, and moves from squares 1–12 towards 32; player 1 is White. Men step and jump
    forwards, kings both ways. Who can jump has to, with any piece and along any path, until the piece can jump
    no further. A man that reaches the last row becomes a king, and its move ends there, as men do not jump
    backwards. After `draw_after` moves of each side without a capture and without a man's step the game is drawn.
    Repeated positions do not end it earlier.

    A win is worth 100, more than any evaluation, so that a search to a fixed depth prefers it to all material.

    The lectures' Black moves towards square 1. It is White here, and their Red is our Black:

    >>> game = Checkers()
    >>> state = game.parse_state("W:W20,21,K31:B23,K22")
    >>> game.evaluate_lecture(state, 1)
    1
    >>> sorted(game.name_action(state, action) for action in game.actions(state))
    ['20-16', '21-17', '31-26', '31-27']
    >>> state = game.result(state, game.parse_action(state, "31-26"))
    >>> for action in game.actions(state):
    ...     game.name_action(state, action), game.evaluate_lecture(game.result(state, action), 1)
    ('22x31', -4)
    ('23x30', -8)
    """

    player_names: tuple[str, ...] = notation.SIDES
    payoffs: tuple[float, float] | None = (-100, 100)

    def __init__(self, draw_after: int = 40):
        self.draw_after: int = whole_number("draw_after", draw_after, least=1)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(notation.bits(*range(1, 13)), notation.bits(*range(21, 33)), 0, 0, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterator[int]:
        left = self.jumpers(state)
        if left == 0:
            for direction in range(4):
                movers = self.steppers(state, direction)
                while movers:
                    low = movers & -movers
                    movers ^= low
                    yield (low - 1).bit_count() | direction << 10
        mine, theirs = self.split(state)
        while left:
            # All paths of one piece, depth first. `path` is the stack: two bits for every jump so far.
            here = left & -left
            left ^= here
            start = (here - 1).bit_count()
            king = state.kings & here
            free = BOARD ^ (mine | theirs) | here
            path = 0
            count = 0
            direction = 0
            further = True
            while direction < 4 or count > 0:
                if direction < 4:
                    over = shifted(here, direction) & theirs
                    landing = shifted(over, direction) & free
                    if landing and (king or direction >> 1 == state.mover):
                        theirs ^= over
                        here = landing
                        path |= direction << 2 * count
                        count += 1
                        direction = 0
                        further = False
                    else:
                        direction += 1
                else:
                    if not further:
                        yield start | count << 6 | path << 10
                    count -= 1
                    direction = path >> 2 * count & 3
                    path ^= direction << 2 * count
                    over = shifted(here, direction ^ 2)
                    theirs |= over
                    here = shifted(over, direction ^ 2)
                    direction += 1
                    further = True

    def result(self, state: State, action: int) -> State:
        piece = 1 << (action & 63)
        count = action >> 6 & 15
        path = action >> 10
        here = piece
        captured = 0
        if count == 0:
            here = shifted(piece, path)
        for _ in range(count):
            over = shifted(here, path & 3)
            captured |= over
            here = shifted(over, path & 3)
            path >>= 2
        king = state.kings & piece
        kings = state.kings & ~(piece | captured)
        if king or here & (FIRST_ROW | LAST_ROW):
            kings |= here
        quiet = state.quiet + 1 if king and count == 0 else 0
        if state.mover == 0:
            return State(state.black ^ piece | here, state.white ^ captured, kings, 1, quiet)
        return State(state.black ^ captured, state.white ^ piece | here, kings, 0, quiet)

    def is_terminal(self, state: State) -> bool:
        return state.quiet >= 2 * self.draw_after or not self.can_move(state)

    def utility(self, state: State, player: int) -> float:
        if self.can_move(state):
            return 0
        return -100 if player == state.mover else 100

    def clock(self, state: State) -> int:
        return max(0, 2 * self.draw_after - state.quiet)

    # --- endgame databases --------------------------------------------------------------------------

    def slice(self, state: State) -> int:
        return endings.slice_of(state.black, state.white, state.kings)

    def slice_size(self, slice: int) -> int:
        return endings.slice_size(slice)

    def slice_place(self, state: State) -> int:
        return endings.slice_place(state.black, state.white, state.kings, state.mover)

    def slice_state(self, slice: int, place: int) -> State | None:
        black, white, kings, mover = endings.unnumbered(slice, place)
        if black == 0:
            return None
        return State(black, white, kings, mover, 0)

    def slices(self, most: int) -> Iterator[int]:
        return endings.slices(most)

    def name_slice(self, slice: int) -> str:
        return endings.name_slice(slice)

    def parse_slice(self, text: str) -> int:
        return endings.parse_slice(text)

    # --- what stands where --------------------------------------------------------------------------

    def split(self, state: State) -> tuple[int, int]:
        """The pieces of the player to move, and those of the other."""
        if state.mover == 0:
            return state.black, state.white
        return state.white, state.black

    def steppers(self, state: State, direction: int) -> int:
        """The pieces that can step in a direction: men forwards, kings both ways."""
        mine, theirs = self.split(state)
        empty = BOARD ^ (mine | theirs)
        pieces = mine if direction >> 1 == state.mover else mine & state.kings
        return pieces & shifted(empty, direction ^ 2)

    def jumpers(self, state: State) -> int:
        """The pieces that can jump, in whatever direction."""
        mine, theirs = self.split(state)
        empty = BOARD ^ (mine | theirs)
        found = 0
        for direction in range(4):
            pieces = mine if direction >> 1 == state.mover else mine & state.kings
            found |= pieces & shifted(theirs & shifted(empty, direction ^ 2), direction ^ 2)
        return found

    def can_move(self, state: State) -> bool:
        """Whether the player to move has an action."""
        for direction in range(4):
            if self.steppers(state, direction):
                return True
        return self.jumpers(state) != 0

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """Material in units of a man, worth more the fewer are left, and where the pieces stand.

        >>> game = Checkers()
        >>> game.evaluate(game.initial(), 0)
        0.05
        """
        pieces = (state.black | state.white).bit_count()
        difference = self.material(state, 0) - self.material(state, 1)
        # Who is ahead wins by exchanging pieces, the more so the fewer there are, and by going after what is left.
        score = difference * (1 + (24 - pieces) / 40 + max(0, 8 - pieces) / 16)
        score += self.places(state, 0) - self.places(state, 1)
        if pieces <= FEW and difference != 0:
            score += self.hunt(state, 0) if difference > 0 else -self.hunt(state, 1)
        score += 0.05 if state.mover == 0 else -0.05
        return score if player == 0 else -score

    def material(self, state: State, player: int) -> float:
        """The pieces of a player, a king counting as 1.4 men."""
        pieces = state.black if player == 0 else state.white
        return pieces.bit_count() + 0.4 * (pieces & state.kings).bit_count()

    def places(self, state: State, player: int) -> float:
        """What the places of a player's pieces are worth: advanced men, guards at home, kings in the middle."""
        pieces = state.black if player == 0 else state.white
        others = state.white if player == 0 else state.black
        kings = pieces & state.kings
        men = pieces ^ kings
        worth = 0.03 * (men & HALVES[player]).bit_count() + 0.06 * (men & CAMPS[player]).bit_count()
        worth += 0.02 * (men & CENTRE).bit_count() + 0.1 * (kings & CENTRE).bit_count()
        if others & ~state.kings:
            worth += 0.08 * (men & GUARDS[player]).bit_count()
        return worth

    def hunt(self, state: State, player: int) -> float:
        """What it is worth that the kings of a player are near the other's pieces: those do not come by themselves."""
        kings = (state.black if player == 0 else state.white) & state.kings
        near = state.white if player == 0 else state.black
        worth = 0.0
        for _ in range(6):
            near |= (near << 4 | near << 5 | near >> 4 | near >> 5) & BOARD
            worth += 0.05 * (kings & near).bit_count()
        return worth

    def evaluate_lecture(self, state: State, player: int) -> float:
        """E(s) of the lectures: kings count 5 and singles 1, those of `player` less those of the other."""
        black = state.black.bit_count() + 4 * (state.black & state.kings).bit_count()
        white = state.white.bit_count() + 4 * (state.white & state.kings).bit_count()
        return black - white if player == 0 else white - black

    def terms_lecture(self, state: State, player: int) -> Iterator[tuple[int, int]]:
        """5·x1 + x2 − 5·r1 − r2: kings and singles of `player`, then those of the other."""
        sides = (state.black, state.white) if player == 0 else (state.white, state.black)
        for sign, pieces in zip((1, -1), sides, strict=True):
            yield 5 * sign, (pieces & state.kings).bit_count()
            yield sign, (pieces & ~state.kings).bit_count()

    def tactical(self, state: State) -> Iterator[int]:
        """The jumps: a position in which somebody can jump is not quiet."""
        if self.jumpers(state):
            yield from self.actions(state)

    def order(self, state: State, action: int) -> float:
        """Long jumps first, then men that make a king, then other men's steps by how far they have come."""
        piece = 1 << (action & 63)
        if action >> 6 & 15:
            return 100 + (action >> 6 & 15)
        if state.kings & piece:
            return 0
        bit = action & 63
        return (bit if state.mover == 0 else 34 - bit) / 8

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        return notation.draw(*state[:3], self._status(state))

    def board(self, state: State) -> Board:
        return notation.board(*state[:3], mover_at(self, state), self._status(state))

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        """The squares on which a piece stands in turn, then those of the pieces it jumps over."""
        here, count, path = 1 << (action & 63), action >> 6 & 15, action >> 10
        over = []
        for _ in range(count):
            jumped = shifted(here, path & 3)
            over.append(notation.number(jumped.bit_length() - 1))
            here, path = shifted(jumped, path & 3), path >> 2
        return tuple(map(str, (*self.squares(action), *over)))

    def _status(self, state: State) -> str:
        name = notation.SIDES[state.mover]
        status = f"{name} to move"
        if not self.can_move(state):
            status = f"{notation.SIDES[1 - state.mover]} has won: {name} has no move"
        elif self.is_terminal(state):
            status = f"a draw: {name} would be the next"
        if state.quiet:
            plies = "ply" if state.quiet == 1 else "plies"
            status += f", {state.quiet} {plies} without a capture or a man's step"
        return status

    def fen(self, state: State) -> str:
        """The position in the notation of PDN files.

        >>> Checkers().fen(Checkers().parse_state("W:WK31,20,21:BK22,23"))
        'W:W20,21,K31:BK22,23'
        """
        return notation.write_fen(*state)

    def parse_state(self, text: str) -> State:
        """The state from a FEN, "W:W20,21,K31:BK22,23"; from a board as `show` prints it; or from the moves that
        were played, "11-15 23-19"."""
        if notation.is_fen(text):
            return State(*notation.read_fen(text))
        if notation.is_board(text):
            return State(*notation.read_board(text))
        words = re.sub(r"\d+\.+", " ", text).replace(",", " ").split()
        how = " (a position is a FEN such as W:W20,21,K31:BK22,23, or the moves that lead to it)"
        return replay(self, words, f" of {notation.excerpt(text)}", how)[-1]  # type: ignore[no-any-return]

    def squares(self, action: int) -> list[int]:
        """The squares that a piece touches in an action, from the first to the last.

        >>> game = Checkers()
        >>> [game.squares(action) for action in game.actions(game.initial())][0]
        [9, 13]
        """
        here = 1 << (action & 63)
        count = action >> 6 & 15
        touched = [here]
        for i in range(max(1, count)):
            direction = action >> 10 + 2 * i & 3
            here = shifted(here, direction)
            if count:
                here = shifted(here, direction)
            touched.append(here)
        return [notation.number(one.bit_length() - 1) for one in touched]

    def name_action(self, state: State, action: int) -> str:
        """`11-15` for a step, `22x15x8` with all landings for jumps."""
        return ("x" if action >> 6 & 15 else "-").join(map(str, self.squares(action)))

    def parse_action(self, state: State, text: str) -> int:
        """The action from its squares, "11-15" or "22x15x8"; landings in between may be left out: "22x8"."""
        wanted = text.strip()
        if not re.fullmatch(r"\d{1,2}(\s*[-x:×]\s*\d{1,2})+", wanted, re.IGNORECASE):
            raise InputError(f"{notation.excerpt(wanted)} is no move: write 11-15, or 22x15x8 for jumps")
        said = [int(word) for word in re.findall(r"\d+", wanted)]
        for square in said:
            if not 1 <= square <= 32:
                raise InputError(f"{wanted}: there is no square {square}; they are 1 to 32")
        legal = list(self.actions(state))
        fits = [action for action in legal if self._fits(self.squares(action), said)]
        exact = [action for action in fits if self.squares(action) == said]
        if exact or len(fits) == 1:
            return (exact or fits)[0]
        names = [self.name_action(state, action) for action in fits or legal]
        shown = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        if fits:
            raise InputError(f"{wanted} can be {shown}: write the whole path")
        raise InputError(f"{wanted} is not legal here{self._why(state, said)}; legal are: {shown or 'none'}")

    def _fits(self, path: list[int], said: list[int]) -> bool:
        """Whether the squares that were said are those of a path, some of the landings left out."""
        rest = iter(path[1:-1])
        return path[0] == said[0] and path[-1] == said[-1] and all(one in rest for one in said[1:-1])

    def _why(self, state: State, said: list[int]) -> str:
        mine, theirs = self.split(state)
        name = notation.SIDES[state.mover]
        start = notation.bits(said[0])
        if self.is_terminal(state):
            return f": the game is over ({self._status(state)})"
        if not mine & start:
            whose = f"a piece of {notation.SIDES[1 - state.mover]}" if theirs & start else "no piece"
            return f": there is {whose} on {said[0]}, and {name} is to move"
        if self.jumpers(state):
            return ": who can jump has to, to the end"
        return ""
