"""Soccer on a grid: two players move at the same time, and chance says whose move comes first (Littman 1994)."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, Game, mover_at
from gametree.games.parameters import whole_number

NOBODY: Final = -1
OPEN: Final = -1
MOVES: Final = ("up", "down", "left", "right", "stand")


class State(NamedTuple):
    """Where the players stand (squares in reading order), who has the ball, and what they chose (−1 where open)."""

    first: int
    second: int
    ball: int
    one: int
    other: int
    scored: int
    """Who has scored; −1 while the game goes on."""


class GridSoccer(Game):
    """Carry the ball over the other's side: A to the right, B to the left. Who walks into the other loses the ball.

    Both choose a step at the same time; chance says whose is made first. The game may go on for ever, so it is solved
    with a discount: `shapley(GridSoccer(), discount=0.9)`. Goals are the middle rows, all where there are two or fewer.

    >>> game = GridSoccer(width=3, height=1)
    >>> print(game.show(game.initial()))
    a . B
    """

    player_names: tuple[str, ...] = ("A", "B")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, width: int = 5, height: int = 4):
        self.width: int = whole_number("width", width, least=2)
        self.height: int = whole_number("height", height, least=1)
        if width * height > 400:
            raise InputError(f"width={width}, height={height}: the pitch has at most 400 squares")

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        row = (self.height - 1) // 2
        return State(row * self.width, row * self.width + self.width - 1, 1, OPEN, OPEN, NOBODY)

    def player(self, state: State) -> int:
        if state.one == OPEN:
            return 0
        return 1 if state.other == OPEN else CHANCE

    def actions(self, state: State) -> Iterable[int]:
        return range(0) if self.is_terminal(state) else range(5)

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        """Whose step is made first."""
        yield 0, 0.5
        yield 1, 0.5

    def result(self, state: State, action: int) -> State:
        if state.one == OPEN:
            return State(state.first, state.second, state.ball, action, OPEN, NOBODY)
        if state.other == OPEN:
            return State(state.first, state.second, state.ball, state.one, action, NOBODY)
        after = self._step(state, action)
        if after.scored == NOBODY:
            after = self._step(after, 1 - action)
        return State(after.first, after.second, after.ball, OPEN, OPEN, after.scored)

    def _step(self, state: State, player: int) -> State:
        """A step: into the other it loses the ball, over the other's side it scores, off the pitch it is none."""
        here = state.first if player == 0 else state.second
        there = state.second if player == 0 else state.first
        step = state.one if player == 0 else state.other
        row = here // self.width
        column = here % self.width
        if step == 0:
            row -= 1
        elif step == 1:
            row += 1
        elif step == 2:
            column -= 1
        elif step == 3:
            column += 1
        over = (player == 0 and column == self.width) or (player == 1 and column == -1)
        if over and state.ball == player and self._is_goal(row):
            return State(state.first, state.second, state.ball, state.one, state.other, player)
        if row < 0 or row >= self.height or column < 0 or column >= self.width:
            return state
        target = row * self.width + column
        if target == there:
            return State(state.first, state.second, 1 - player, state.one, state.other, NOBODY)
        if player == 0:
            return State(target, state.second, state.ball, state.one, state.other, NOBODY)
        return State(state.first, target, state.ball, state.one, state.other, NOBODY)

    def _is_goal(self, row: int) -> bool:
        low = (self.height - 1) // 2
        return self.height <= 2 or low <= row <= self.height - 1 - low

    def is_terminal(self, state: State) -> bool:
        return state.scored != NOBODY

    def utility(self, state: State, player: int) -> float:
        return 1 if state.scored == player else -1

    def observe(self, state: State, player: int) -> State:
        """Everything but what the other is choosing."""
        if state.other != OPEN:
            return state
        one = state.one if player == 0 else OPEN
        return State(state.first, state.second, state.ball, one, OPEN, state.scored)

    def mask(self, observation: State, player: int) -> State:
        return observation

    # --- text and boards ----------------------------------------------------------------------------

    def name_action(self, state: State, action: int) -> str:
        return ("A-first", "B-first")[action] if self.player(state) == CHANCE else MOVES[action]

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        if self.player(state) != CHANCE:
            return ()
        after = self.result(state, action)
        squares = (state.first, after.first, state.second, after.second)
        return tuple(str(square) for square in dict.fromkeys(squares))

    def show(self, state: State) -> str:
        """The pitch; a capital letter has the ball."""
        squares = ["."] * (self.width * self.height)
        squares[state.first] = "A" if state.ball == 0 else "a"
        squares[state.second] = "B" if state.ball == 1 else "b"
        rows = [" ".join(squares[at : at + self.width]) for at in range(0, len(squares), self.width)]
        if state.scored != NOBODY:
            rows.append(f"{self.player_names[state.scored]} has scored")
        return "\n".join(rows)

    def show_observation(self, observation: State, player: int) -> str:
        return self.show(observation)

    def board(self, state: State) -> Board:
        cells = []
        for square in range(self.width * self.height):
            piece = None
            if square == state.first:
                piece = Piece("A" if state.ball == 0 else "a", owner=0)
            elif square == state.second:
                piece = Piece("B" if state.ball == 1 else "b", owner=1)
            cells.append(Cell(str(square), x=square % self.width, y=square // self.width, piece=piece))
        return Board(
            "grid", tuple(cells), mover=mover_at(self, state), status=self.show(state).splitlines()[-1]
        )
