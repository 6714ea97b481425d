"""A matrix game that is played several times: everybody sees what was chosen in the rounds before."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games.matrix.classics import PrisonersDilemma
from gametree.games.matrix.game import OPEN, Matrix
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class State(NamedTuple):
    """How many rounds are over, the choices of this one (−1 where open), and all that was chosen before."""

    round: int
    choices: tuple[int, ...]
    history: int
    """The cell of each round as a digit, the first round the highest."""


class Repeated(Game):
    """A matrix game, played a number of rounds; the payoffs add up.

    >>> twice = Repeated(PrisonersDilemma(), rounds=2)
    >>> state = twice.parse_state("silent betray betray")
    >>> print(twice.show(state))
    1: silent betray
    2: betray –
    >>> twice.observe(state, 1)
    State(round=1, choices=(-1, -1), history=1)
    """

    def __init__(self, matrix: Matrix, rounds: int = 5):
        self.rounds: int = whole_number("rounds", rounds, least=1)
        cells = len(matrix.form.payoffs)
        if cells**rounds >= 2**62:
            most = next(n for n in range(64) if cells ** (n + 1) >= 2**62)
            raise InputError(
                f"rounds={rounds}: what was chosen has to fit a word; at most {most} rounds of this matrix"
            )
        self.matrix = matrix
        self.cells: int = cells
        self.players: int = matrix.players
        self.player_names: tuple[str, ...] = matrix.player_names
        self.sizes: tuple[int, ...] = matrix.sizes
        self.payoff: NDArray[np.float64] = matrix.payoff
        low, high = matrix.payoffs or (0.0, 0.0)
        self.payoffs: tuple[float, float] | None = (low * rounds, high * rounds)
        self.total: float | None = None if matrix.total is None else matrix.total * rounds
        self._open: tuple[int, ...] = (OPEN,) * matrix.players

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State(0, self._open, 0)

    def player(self, state: State) -> int:
        for player in range(self.players):
            if state.choices[player] < 0:
                return player
        return 0

    def actions(self, state: State) -> Iterable[int]:
        if self.is_terminal(state):
            return range(0)
        return range(self.sizes[self.player(state)])

    def result(self, state: State, action: int) -> State:
        player = self.player(state)
        choices = put(state.choices, player, action)
        if player < self.players - 1:
            return State(state.round, choices, state.history)
        cell = 0
        for one in range(self.players):
            cell = cell * self.sizes[one] + choices[one]
        return State(state.round + 1, self._open, state.history * self.cells + cell)

    def is_terminal(self, state: State) -> bool:
        return state.round == self.rounds

    def utility(self, state: State, player: int) -> float:
        total = 0.0
        history = state.history
        for _ in range(self.rounds):
            total += float(self.payoff[history % self.cells, player])
            history //= self.cells
        return total

    def observe(self, state: State, player: int) -> State:
        """The rounds before, and one's own choice in this one."""
        return State(state.round, put(self._open, player, state.choices[player]), state.history)

    def mask(self, observation: State, player: int) -> State:
        """What a player sees is a state in which the choices of the others are open."""
        return observation

    # --- text and boards ----------------------------------------------------------------------------

    def name_action(self, state: State, action: int) -> str:
        return self.matrix.form.choices[self.player(state)][action]

    def _past(self, state: State) -> list[tuple[int, ...]]:
        """The choices of the rounds that are over."""
        past = []
        history = state.history
        for _ in range(state.round):
            history, cell = divmod(history, self.cells)
            choices = []
            for size in reversed(self.sizes):
                cell, choice = divmod(cell, size)
                choices.append(choice)
            past.append(tuple(choices[::-1]))
        return past[::-1]

    def show(self, state: State) -> str:
        rounds = self._past(state)
        if not self.is_terminal(state):
            rounds.append(state.choices)
        called = self.matrix.form.choices
        lines = [
            f"{number}: {' '.join('–' if choice < 0 else names[choice] for choice, names in zip(one, called))}"
            for number, one in enumerate(rounds, start=1)
        ]
        if self.is_terminal(state):
            lines.append("payoffs: " + ", ".join(f"{self.utility(state, p):g}" for p in range(self.players)))
        return "\n".join(lines)

    def show_observation(self, observation: State, player: int) -> str:
        return self.show(observation)

    def parse_state(self, text: str) -> State:
        """The state from all choices in their order, "silent betray betray", or from what `show` printed."""
        state = self.initial()
        for line in text.splitlines():
            if line.startswith("payoffs:"):
                continue
            for word in line.rpartition(":")[2].replace(",", " ").split():
                if word == "–":
                    continue
                if self.is_terminal(state):
                    raise InputError(f"{word!r} is one choice too many: there are {self.rounds} rounds")
                state = self.result(state, self.parse_action(state, word))
        return state

    def board(self, state: State) -> Board:
        """A row of cards for each player, one for each round."""
        rounds = [*self._past(state), state.choices][: self.rounds]
        called = self.matrix.form.choices
        cells = []
        for number in range(self.rounds):
            for player, name in enumerate(self.player_names):
                choice = rounds[number][player] if number < len(rounds) else OPEN
                piece = Piece("-" if choice < 0 else called[player][choice], owner=player)
                cells.append(Cell(f"{name} {number + 1}", x=number, y=player, piece=piece, owner=player))
        status = self.show(state).splitlines()[-1]
        return Board("counters", tuple(cells), mover=mover_at(self, state), status=status)

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return (f"{self.player_names[self.player(state)]} {state.round + 1}",)

    def __repr__(self) -> str:
        if type(self).__init__ is Repeated.__init__:
            return f"{type(self).__name__}({self.matrix!r}, rounds={self.rounds})"
        return super().__repr__()


class IteratedPrisonersDilemma(Repeated):
    """The prisoner's dilemma, played several times by the same two, who see what the other did before.

    >>> game = IteratedPrisonersDilemma(rounds=2)
    >>> game.utility(game.parse_state("silent silent betray silent"), 0)
    -1.0
    """

    def __init__(self, rounds: int = 5):
        super().__init__(PrisonersDilemma(), rounds)
