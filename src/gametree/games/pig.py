"""Pig: throw a die as often as you dare; a one takes the points of this turn."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell
from gametree.errors import InputError
from gametree.game import CHANCE, ORDINALS, Game, mover_at
from gametree.games.parameters import whole_number

ROLL: Final = 0
HOLD: Final = 1
_NAMES: Final = ("roll", "hold")
_SHOWN: Final = re.compile(
    r"first ([0-9]{1,9}), second ([0-9]{1,9})(?:, (first|second) holds ([0-9]{1,9}))?\n"
    r"the (first|second) player (moves|rolls|has won)"
)
_SHORT: Final = re.compile(r"([0-9]{1,9}) ([0-9]{1,9})(?: ([0-9]{1,9}))?(?: (first|second))?( rolls)?")


class State(NamedTuple):
    """The points that are safe, those of this turn, whose turn it is, and whether the die is in the air."""

    first: int
    second: int
    turn: int
    mover: int
    rolling: bool


class Pig(Game):
    """Roll for points, or hold to keep those of your turn; a one loses them. The first to reach `goal` wins.

    A turn begins with a roll. Whoever has the goal in sight wins at once: nobody would go on. `utility` is 1 for the
    winner and 0 for the loser, so that a value is the probability to win.

    >>> pig = Pig(goal=20)
    >>> state = pig.result(pig.initial(), ROLL)
    >>> [outcome for outcome, probability in pig.chance(state)]
    [1, 2, 3, 4, 5, 6]
    >>> pig.result(state, 5)
    State(first=0, second=0, turn=5, mover=0, rolling=False)
    >>> pig.result(pig.result(state, 5), HOLD)
    State(first=5, second=0, turn=0, mover=1, rolling=False)
    """

    player_names: tuple[str, ...] = ("the first player", "the second player")
    payoffs: tuple[float, float] | None = (0, 1)
    total: float | None = 1

    def __init__(self, goal: int = 100, sides: int = 6):
        self.goal: int = whole_number("goal", goal, least=1)
        self.sides: int = whole_number("sides", sides, least=2)

    def initial(self) -> State:
        return State(0, 0, 0, 0, False)

    def player(self, state: State) -> int:
        return CHANCE if state.rolling else state.mover

    def actions(self, state: State) -> Iterable[int]:
        if self.is_terminal(state):
            return range(0)
        return range(2) if state.turn > 0 else range(1)

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        for face in range(1, self.sides + 1):
            yield face, 1 / self.sides

    def result(self, state: State, action: int) -> State:
        first, second, turn, mover, rolling = state
        if not rolling and action == ROLL:
            return State(first, second, turn, mover, True)
        if rolling and action == 1:
            return State(first, second, 0, 1 - mover, False)
        gained = turn + action if rolling else turn
        mine = first if mover == 0 else second
        if rolling and mine + gained < self.goal:
            return State(first, second, gained, mover, False)
        after = mine + gained
        # Who reaches the goal stays on turn; otherwise the points were held.
        who = mover if after >= self.goal else 1 - mover
        return State(after if mover == 0 else first, after if mover == 1 else second, 0, who, False)

    def is_terminal(self, state: State) -> bool:
        return state.first >= self.goal or state.second >= self.goal

    def utility(self, state: State, player: int) -> float:
        return 1.0 if (state.first >= self.goal) == (player == 0) else 0.0

    def evaluate(self, state: State, player: int) -> float:
        """An even chance, moved by the lead in points, those of this turn included."""
        lead = state.first - state.second + (state.turn if state.mover == 0 else -state.turn)
        return 0.5 + (lead if player == 0 else -lead) / (2 * self.goal)

    def value_key(self, state: State) -> tuple[int, int, int, bool]:
        """The points of the player to move, those of the other, those of this turn."""
        if state.mover == 0:
            return state.first, state.second, state.turn, state.rolling
        return state.second, state.first, state.turn, state.rolling

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        who = ORDINALS[state.mover]
        score = f"first {state.first}, second {state.second}"
        if self.is_terminal(state):
            return f"{score}\nthe {ORDINALS[0 if state.first >= self.goal else 1]} player has won"
        held = f", {who} holds {state.turn}" if state.turn else ""
        return f"{score}{held}\nthe {who} player {'rolls' if state.rolling else 'moves'}"

    def board(self, state: State) -> Board:
        scores = (state.first, state.second)
        cells = [
            Cell(ORDINALS[player], x=player, count=score, owner=player) for player, score in enumerate(scores)
        ]
        turn = Cell("turn", x=2, count=state.turn, name="this turn", owner=state.mover)
        status = self.show(state).rpartition("\n")[2]
        return Board("counters", (*cells, turn), mover=mover_at(self, state), status=status)

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return ("turn",) if state.rolling or action == ROLL else ("turn", ORDINALS[state.mover])

    def parse_state(self, text: str) -> State:
        """The state from "23 41 12 second": both scores, the points of this turn, who moves; or what `show` printed."""
        wanted = text.strip().lower()
        shown, short = _SHOWN.fullmatch(wanted), _SHORT.fullmatch(" ".join(wanted.split()))
        if shown:
            first, second, holder, held, who, what = shown.groups()
            state = self._state(first, second, held, who, what == "rolls")
            over = self.is_terminal(state)
            if (holder or who) == who and over == (what == "has won") and not (over and held):
                return state
        elif short:
            first, second, held, who, rolls = short.groups()
            return self._state(first, second, held, who or "first", rolls is not None)
        raise InputError(
            f"{text[:80]!r} is no position of Pig: write both scores and, where there are any, the points of this turn"
            " and the player who moves, for example 23 41 12 second"
        )

    def _state(self, first: str, second: str, held: str | None, who: str, rolls: bool) -> State:
        points, turn, mover = (int(first), int(second)), int(held or 0), ORDINALS.index(who)
        if min(points) >= self.goal:
            raise InputError(f"{points[0]} to {points[1]}: only one player can have reached {self.goal}")
        if max(points) >= self.goal:
            if turn or rolls:
                raise InputError(f"{points[0]} to {points[1]}: the game is over at {self.goal}")
            return State(*points, 0, 0 if points[0] >= self.goal else 1, False)
        if turn and points[mover] + turn >= self.goal:
            raise InputError(f"{points[mover]} and {turn} of this turn reach {self.goal}: the game is over")
        if turn == 1:
            raise InputError("no turn has one point: a one ends it")
        return State(*points, turn, mover, rolls)

    def name_action(self, state: State, action: int) -> str:
        return str(action) if state.rolling else _NAMES[action]

    def parse_action(self, state: State, text: str) -> int:
        """The action from "roll" or "hold"; where the die is in the air, the face that it shows."""
        wanted = text.strip().lower()
        if self.is_terminal(state):
            raise InputError("the game is over")
        if state.rolling:
            if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 and 1 <= int(wanted) <= self.sides:
                return int(wanted)
            raise InputError(f"{text.strip()[:80]!r} is no face of the die: 1 to {self.sides}")
        legal = [_NAMES[action] for action in self.actions(state)]
        if wanted in legal:
            return _NAMES.index(wanted)
        raise InputError(f"{text.strip()[:80]!r} is not legal here: {' or '.join(legal)}")
