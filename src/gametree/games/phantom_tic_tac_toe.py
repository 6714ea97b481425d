"""Phantom tic-tac-toe: tic-tac-toe in which nobody sees the other's marks."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gametree.board.data import CROSSES_AND_NOUGHTS, Board
from gametree.game import Game
from gametree.games import grid, tic_tac_toe

TRY_BITS = 5
"""A try takes so many bits: 1 + 2 · square, and one more where the square was taken."""
ON, X_WON, O_WON, DRAWN = range(4)
UNKNOWN = -1
"""Who moves in a state that is only shown: who is not asked does not know."""


class State(NamedTuple):
    """The squares of X and of O as in tic-tac-toe, what each has tried (his last try in the lowest bits), who is to
    move, and who has won."""

    x: int
    o: int
    x_tried: int
    o_tried: int
    mover: int
    won: int


class PhantomTicTacToe(tic_tac_toe.TicTacToe):
    """Three in a row wins, but nobody sees the other's marks: who tries a taken square is told so, and tries again.

    Player 0 is X and begins. A player sees his own tries and what came of them, and the end of the game; not how often
    the other tried.

    >>> game = PhantomTicTacToe()
    >>> state = game.result(game.initial(), 4)
    >>> failed = game.result(state, 4)
    >>> game.player(failed), list(game.actions(failed))
    (1, [0, 1, 2, 3, 5, 6, 7, 8])
    >>> game.observe(failed, 0) == game.observe(state, 0)
    True
    >>> print(game.show(game.mask(game.observe(failed, 1), 1)))
    3  . . .
    2  . X .
    1  . . .
       a b c
    <BLANKLINE>
    """

    def __init__(self) -> None:
        super().__init__()

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:  # type: ignore[override]
        return State(0, 0, 0, 0, 0, ON)

    def player(self, state: Any) -> int:
        return state.mover  # type: ignore[no-any-return]

    def actions(self, state: Any) -> Iterator[int]:
        if state.won == ON:
            known = self.tries(state.x_tried if state.mover == 0 else state.o_tried, 1)
            for square in range(9):
                if not known >> square & 1:
                    yield square

    def result(self, state: Any, action: int) -> State:  # type: ignore[override]
        bit = 1 << action
        taken = 1 if (state.x | state.o) & bit else 0
        tried = 1 + 2 * action + taken
        x, o, x_tried, o_tried, mover, won = state
        if mover == 0:
            x_tried = x_tried << TRY_BITS | tried
        else:
            o_tried = o_tried << TRY_BITS | tried
        if taken == 0:
            if mover == 0:
                x |= bit
            else:
                o |= bit
            if self.aligned(x if mover == 0 else o):
                won = X_WON + mover
            elif x | o == self.full:
                won = DRAWN
            mover = 1 - mover
        return State(x, o, x_tried, o_tried, mover, won)

    def is_terminal(self, state: Any) -> bool:
        return state.won != ON  # type: ignore[no-any-return]

    def utility(self, state: Any, player: int) -> float:
        if state.won == DRAWN:
            return 0
        return 1 if state.won == X_WON + player else -1

    def tries(self, tried: int, which: int) -> int:
        """The squares that were tried: all (1), those that were free (2) or those that were taken (3)."""
        squares = 0
        while tried:
            code = (tried & (1 << TRY_BITS) - 1) - 1
            if which == 1 or code & 1 == which - 2:
                squares |= 1 << (code >> 1)
            tried >>= TRY_BITS
        return squares

    symmetries: Any = Game.symmetries
    """What was tried is in a state, too: a board that is turned is another game."""

    # --- what is hidden -----------------------------------------------------------------------------

    def observe(self, state: Any, player: int) -> tuple[int, int]:
        """The player's tries, and who has won."""
        return (state.x_tried if player == 0 else state.o_tried), state.won

    def mask(self, observation: tuple[int, int], player: int) -> State:
        """His own marks, and those of the other that he has found."""
        tried, won = observation
        own, found = self.tries(tried, 2), self.tries(tried, 3)
        if player == 0:
            return State(own, found, tried, 0, UNKNOWN, won)
        return State(found, own, 0, tried, UNKNOWN, won)

    # --- text ---------------------------------------------------------------------------------------

    def board(self, state: Any) -> Board:
        mover = None if state.won != ON or state.mover == UNKNOWN else state.mover
        return self.lettered(state, CROSSES_AND_NOUGHTS, mover, self._status(state))

    def _status(self, state: Any) -> str:
        if state.won == DRAWN:
            return "a draw"
        if state.won != ON:
            return f"{grid.SYMBOLS[state.won - X_WON]} has won"
        return "" if state.mover == UNKNOWN else f"{grid.SYMBOLS[state.mover]} to move"

    def parse_state(self, text: str) -> State:  # type: ignore[override]
        """The state after tries, in their order: "b2 b2 a1"; no board says what was tried."""
        state = self.initial()
        for word in text.replace(",", " ").split():
            state = self.result(state, self.parse_action(state, word))
        return state

    def parse_action(self, state: Any, text: str) -> int:
        """A square that the player has not tried, from "b2"."""
        return Game.parse_action(self, state, text)  # type: ignore[no-any-return]
