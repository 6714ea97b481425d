"""Dark Hex: Hex in which nobody sees the other's stones."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from gametree.board.data import Board
from gametree.errors import InputError
from gametree.games import grid, hex
from gametree.games.cell_numbers import Words, no_numbers, number_at, numbered
from gametree.games.replay import replay

GOING_ON, X_WON, O_WON = range(3)
UNKNOWN: Final = -1
"""Who moves in a state that is only shown: who is not asked does not know."""
ATTEMPTS: Final = 100
"""So often a play that fits is drawn, where those before ended too early."""

FEW_DRAWS: Final = 8
"""After so many draws in vain the cells that fit are listed."""


class State(NamedTuple):
    """A position of Hex, who has won, the tries of X and of O: for every cell which of his tries it was, 0 for none
    (`cell_numbers.py`), and how many tries each has made."""

    x_low: int
    x_high: int
    o_low: int
    o_high: int
    linked_low: int
    linked_high: int
    mover: int
    won: int
    x_tried: Words
    o_tried: Words
    x_tries: int
    o_tries: int


class DarkHex(hex.Hex):
    """Hex without seeing the other's stones: who tries a taken cell is told so, and tries again.

    Player 0 is X, begins, and connects top and bottom; O connects left and right. A player sees his own tries and what
    came of them, and the end of the game; not how often the other tried.

    >>> game = DarkHex(size=3)
    >>> state = game.parse_state("b2 b2")
    >>> game.player(state), [game.name_action(state, cell) for cell in game.actions(state)]
    (1, ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3'])
    >>> game.observe(state, 0) == game.observe(game.parse_state("b2"), 0)
    True
    >>> print(game.show_observation(game.observe(state, 1), 1))
       a b c
    1  . . .
     2  . X .
      3  . . .
    """

    def __init__(self, size: int = 4):
        super().__init__(size)
        self.no_tries: Words = no_numbers(self.cells)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:  # type: ignore[override]
        return State(0, 0, 0, 0, 0, 0, 0, GOING_ON, self.no_tries, self.no_tries, 0, 0)

    def player(self, state: Any) -> int:
        return state.mover  # type: ignore[no-any-return]

    def actions(self, state: Any) -> Iterator[int]:
        if state.won == GOING_ON:
            tried = state.x_tried if state.mover == 0 else state.o_tried
            for cell in range(self.cells):
                if number_at(tried, cell) == 0:
                    yield cell

    def result(self, state: Any, action: int) -> State:  # type: ignore[override]
        x_tried, o_tried, x_tries, o_tries = state.x_tried, state.o_tried, state.x_tries, state.o_tries
        if state.mover == 0:
            x_tries += 1
            x_tried = numbered(x_tried, action, x_tries)
        else:
            o_tries += 1
            o_tried = numbered(o_tried, action, o_tries)
        low = 1 << action if action < hex.SPLIT else 0
        high = 0 if action < hex.SPLIT else 1 << action - hex.SPLIT
        x_low, x_high, o_low, o_high, linked_low, linked_high, mover = state[:7]
        won = state.won
        if (x_low | o_low) & low | (x_high | o_high) & high == 0:
            after = self.placed(
                hex.State(x_low, x_high, o_low, o_high, linked_low, linked_high, mover), action
            )
            if self.has_won(after, mover):
                won = X_WON + mover
            x_low, x_high, o_low, o_high, linked_low, linked_high, mover = after
        return State(
            x_low,
            x_high,
            o_low,
            o_high,
            linked_low,
            linked_high,
            mover,
            won,
            x_tried,
            o_tried,
            x_tries,
            o_tries,
        )

    def is_terminal(self, state: Any) -> bool:
        return state.won != GOING_ON  # type: ignore[no-any-return]

    def utility(self, state: Any, player: int) -> float:
        return 1 if state.won == X_WON + player else -1

    # --- what is hidden -----------------------------------------------------------------------------

    def observe(self, state: Any, player: int) -> tuple[Words, int, int, int]:
        """The player's tries in their order, his stones, and who has won."""
        if player == 0:
            return state.x_tried, state.x_low, state.x_high, state.won
        return state.o_tried, state.o_low, state.o_high, state.won

    def mask(self, observation: tuple[Words, int, int, int], player: int) -> State:
        """His own stones, and those of the other that he has found."""
        tried, low, high, won = observation
        found = hex.words_of(cell for cell in range(self.cells) if number_at(tried, cell))
        other = found[0] & ~low, found[1] & ~high
        stones = (low, high, *other) if player == 0 else (*other, low, high)
        return State(*stones, 0, 0, UNKNOWN, won, self.no_tries, self.no_tries, 0, 0)

    def worlds(
        self, observation: tuple[Words, int, int, int], player: int, draw: Callable[[int], int]
    ) -> State:
        """A play in which the other tried cells at random, held back where that would not fit what the player saw.

        The other has placed a stone between every two turns of the player. A stone that the player found was placed
        before he found it; where the other goes is never where the player placed a stone later on.
        """
        for _ in range(ATTEMPTS):
            state: State | None = self._played(observation, player, draw)
            if state is not None:
                return state
        raise InputError("no play was found that fits these tries: can they have been made?")

    def _played(
        self, observation: tuple[Words, int, int, int], player: int, draw: Callable[[int], int]
    ) -> Any:
        """The state after a play that fits the observation; None where what was drawn does not."""
        tried, low, high, _ = observation
        order = sorted((number_at(tried, cell), cell) for cell in range(self.cells) if number_at(tried, cell))
        own = {cell for _, cell in order if (low, high)[cell >= hex.SPLIT] >> cell % hex.SPLIT & 1}
        turns: list[list[int]] = [[]]
        """The player's tries, turn by turn; the last turn is not over."""
        for _, cell in order:
            turns[-1].append(cell)
            if cell in own:
                turns.append([])
        found_in = {cell: turn for turn, cells in enumerate(turns) for cell in cells if cell not in own}
        """In which turn the player found a stone."""
        mine: set[int] = set()
        stones: list[int] = []
        other: list[int] = []
        """What the other tried, in its order."""
        untried = list(range(self.cells))
        for turn, tries in enumerate(turns):
            if turn or player:
                placed = False
                pressing = self._pressing(
                    {cell: by for cell, by in found_in.items() if cell not in stones}, turn
                )
                while not placed:
                    at = _drawn(
                        untried, lambda cell, due=pressing: cell in mine or _may_take(cell, due, own), draw
                    )
                    if at is None:
                        return None
                    cell = untried[at]
                    untried[at] = untried[-1]
                    untried.pop()
                    other.append(cell)
                    placed = cell not in mine
                stones.append(cell)
            mine.update(cell for cell in tries if cell in own)
        state: Any = hex.Hex.initial(self)
        for mover, cells in ((player, sorted(mine)), (1 - player, stones)):
            for cell in cells:
                state = self.placed(state._replace(mover=mover), cell)
        if self.has_won(state, 1 - player):
            return None
        numbers = self.no_tries
        for at, cell in enumerate(other, 1):
            numbers = numbered(numbers, cell, at)
        state = state._replace(mover=player)
        if player == 0:
            return State._make((*state, GOING_ON, tried, numbers, len(order), len(other)))
        return State._make((*state, GOING_ON, numbers, tried, len(other), len(order)))

    def _pressing(self, waiting: dict[int, int], turn: int) -> set[int] | None:
        """The cells of which one has to be taken now, of those that will be found, each in its turn; none where there
        is time; None where there is too little."""
        for by in sorted(set(waiting.values())):
            due = {cell for cell, its in waiting.items() if its <= by}
            if len(due) > by - turn:
                return due if len(due) == by - turn + 1 else None
        return set()

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: Any) -> str:
        return super().show(state).rstrip()

    def show_observation(self, observation: Any, player: int) -> str:
        """The own stones, and the other's that were found."""
        return self.show(self.mask(observation, player))

    def board(self, state: Any) -> Board:
        mover = None if state.won != GOING_ON or state.mover == UNKNOWN else state.mover
        return self.hexagons(state, mover)

    def _status(self, state: Any) -> str:
        if state.won != GOING_ON:
            return f"{grid.SYMBOLS[state.won - X_WON]} has won"
        return "" if state.mover == UNKNOWN else f"{grid.SYMBOLS[state.mover]} to move"

    def parse_state(self, text: str) -> State:  # type: ignore[override]
        """The state after tries, in their order: "b2 b2 a1"; no board says what was tried."""
        return replay(self, text.replace(",", " ").split())[-1]  # type: ignore[no-any-return]

    def parse_action(self, state: Any, text: str) -> int:
        """A cell that the player has not tried, from "b2"."""
        cell = self.cell_of(state, text)
        if cell not in set(self.actions(state)):
            raise InputError(
                f"{self.name_action(state, cell)} was tried before: choose a cell that you have not tried"
            )
        return cell


def _may_take(cell: int, pressing: set[int] | None, own: set[int]) -> bool:
    """Whether the other may place a stone on a cell that is free."""
    if pressing is None:
        return False
    return cell in pressing if pressing else cell not in own


def _drawn(cells: list[int], fits: Callable[..., bool], draw: Callable[[int], int]) -> int | None:
    """Where one of the cells that fit stands, each as likely; None where none does."""
    for _ in range(FEW_DRAWS):
        at = draw(len(cells)) if cells else 0
        if cells and fits(cells[at]):
            return at
    places = [at for at, cell in enumerate(cells) if fits(cell)]
    return places[draw(len(places))] if places else None
