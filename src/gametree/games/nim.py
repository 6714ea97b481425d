"""Nim with one heap: take a few counters; the last one decides."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import ORDINALS, Game, mover_at
from gametree.games.parameters import whole_number


class State(NamedTuple):
    """How many counters are left and who moves."""

    left: int
    mover: int


class Nim(Game):
    """Take one to `take` counters in turn; whoever takes the last one wins, or loses where `misere` is set.

    >>> nim = Nim(counters=5)
    >>> list(nim.actions(State(left=2, mover=0)))
    [1, 2]
    >>> nim.result(nim.initial(), 3)
    State(left=2, mover=1)
    """

    player_names: tuple[str, ...] = ("the first player", "the second player")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, counters: int = 21, take: int = 3, misere: bool = False):
        self.counters: int = whole_number("counters", counters, least=1)
        self.take: int = whole_number("take", take, least=1)
        if not isinstance(misere, bool):
            raise InputError(f"misere={misere!r}: misere must be True or False")
        self.misere = misere

    def initial(self) -> State:
        return State(self.counters, 0)

    def player(self, state: State) -> int:
        return state.mover

    def actions(self, state: State) -> Iterable[int]:
        return range(1, min(self.take, state.left) + 1)

    def result(self, state: State, action: int) -> State:
        return State(state.left - action, 1 - state.mover)

    def is_terminal(self, state: State) -> bool:
        return state.left == 0

    def utility(self, state: State, player: int) -> float:
        # Whoever would have to move now did not take the last counter.
        took_last = player != state.mover
        return 1 if took_last != self.misere else -1

    def show(self, state: State) -> str:
        if state.left == 0:
            winner = 0 if self.utility(state, 0) > 0 else 1
            return f"0 counters left, the {ORDINALS[winner]} player has won"
        heap = "|" * state.left if state.left <= 30 else "|" * 27 + "..."
        noun = "counter" if state.left == 1 else "counters"
        return f"{heap}\n{state.left} {noun} left, the {ORDINALS[state.mover]} player moves"

    def board(self, state: State) -> Board:
        heap = Cell("heap", piece=Piece("|") if state.left else None, count=state.left)
        return Board(
            "counters",
            (heap,),
            mover=mover_at(self, state),
            status=self.show(state).rpartition("\n")[2],
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return ("heap",)

    def parse_state(self, text: str) -> State:
        """The state from "14" (the first player moves), "14 second", or what `show` printed."""
        line = text.strip().lower().rpartition("\n")[2]
        over = re.fullmatch(r"0 counters left, the (first|second) player has won", line)
        if over:
            ends = (State(0, 0), State(0, 1))
            return ends[0] if self.utility(ends[0], ORDINALS.index(over[1])) > 0 else ends[1]
        going = re.fullmatch(
            r"([0-9]{1,18})(?: counters? left,)?(?: (?:the )?(first|second)(?: player moves)?)?", line
        )
        if not going:
            raise InputError(
                f"{text!r} is no position of Nim: write how many counters are left and, where it is not the"
                " first, which player moves, for example 14 or 14 second"
            )
        left = int(going[1])
        if left > self.counters:
            raise InputError(f"{left} counters cannot be left: the game begins with {self.counters}")
        return State(left, ORDINALS.index(going[2] or "first"))

    def parse_action(self, state: State, text: str) -> int:
        """How many counters to take, from "2" or "take 2"."""
        most = min(self.take, state.left)
        if most == 0:
            raise InputError("the game is over: no counters are left")
        number = re.fullmatch(r"(?:take\s+)?([0-9]{1,18})", text.strip().lower())
        if not number or not 1 <= int(number[1]) <= most:
            raise InputError(
                f"{text.strip()!r} is not legal here: take 1 to {most}"
                if most > 1
                else f"{text.strip()!r} is not legal here: take 1"
            )
        return int(number[1])
