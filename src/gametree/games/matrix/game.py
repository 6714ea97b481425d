"""A matrix game: everybody chooses once, at the same time."""

import inspect
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games.matrix.spec import form_of, read_cells
from gametree.games.matrix.text import parse, write_json, write_nfg
from gametree.kernel.put import put
from gametree.strategic import Form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OPEN: Final = -1
"""In a state: this player has not chosen yet."""
State = tuple[int, ...]
_MOST_SHOWN: Final = 12


class Matrix(Game):
    """Everybody chooses once, not seeing what the others choose: nested lists of payoffs, a level for each player.

    A cell is a tuple with the payoff of each player; where two play and what one gains the other loses, it may be
    the payoff of the first alone. Payoffs are kept exactly: whole numbers, fractions, and floats as the short
    fractions that they stand for. `rows` and `columns` name the choices of the first two players, `actions` those
    of all, `names` the players.

    As a game the players choose one after the other, and `observe` hides the choices until all are made. A state is the
    choice of each player by its number, −1 where it is still open.

    >>> both = ("silent", "betray")
    >>> dilemma = Matrix([[(-1, -1), (-3, 0)], [(0, -3), (-2, -2)]], rows=both, columns=both)
    >>> print(dilemma)
    A\\B     silent  betray
    silent  -1, -1  -3, 0
    betray  0, -3   -2, -2
    >>> dilemma.observe((1, -1), 1)
    (-1, -1)
    """

    payoff: "NDArray[np.float64]"
    """For each profile, the choice of the last player changing fastest, the payoff of each player."""

    def __init__(
        self,
        cells: Any,
        rows: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        *,
        actions: Sequence[Sequence[str]] | None = None,
        names: Sequence[str] | None = None,
    ):
        if isinstance(cells, Form):
            form = cells
        else:
            sizes, payoffs = read_cells(cells)
            if actions is not None and (rows is not None or columns is not None):
                raise InputError("give rows and columns, or actions for all players, not both")
            given: Sequence[Sequence[str] | None] = (
                actions if actions is not None else (rows, columns, *(None,) * len(sizes))[: len(sizes)]
            )
            form = form_of(sizes, payoffs, given, names)
        self._lay_out(form)

    def _lay_out(self, form: Form) -> None:
        import numpy as np

        self.form: Form = form
        """The strategic form, with exact payoffs."""
        self.players: int = form.players
        self.player_names: tuple[str, ...] = form.names
        self.sizes: tuple[int, ...] = form.sizes
        self.payoff = np.array([[float(value) for value in vector] for vector in form.payoffs])
        self.payoffs: tuple[float, float] | None = (float(self.payoff.min()), float(self.payoff.max()))
        total = form.total
        self.total: float | None = None if total is None else float(total)
        self._open: State = (OPEN,) * form.players

    # --- other ways to write a matrix ---------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> "Matrix":
        """The game that a text describes: a table, one line, brackets, JSON, or Gambit's .nfg.

        docs/matrix-games.md has the formats.

        >>> print(Matrix.parse("A/B left right; up 1,2 0,0; down 0,0 2,1"))
        A\\B   left  right
        up    1, 2  0, 0
        down  0, 0  2, 1
        """
        return Matrix(parse(text))

    @classmethod
    def of(cls, *tables: Any, **options: Any) -> "Matrix":
        """The game of several players whose payoffs stand in a table for each.

        >>> Matrix.of([[1, 0]], [[2, 5]]).form.payoffs[1]
        (Fraction(0, 1), Fraction(5, 1))
        """
        plain = [table.tolist() if hasattr(table, "tolist") else table for table in tables]

        def together(parts: Sequence[Any], level: int) -> Any:
            if level == len(plain):
                return tuple(parts)
            if not all(isinstance(part, list) and len(part) == len(parts[0]) for part in parts):
                raise InputError(
                    f"Matrix.of takes a table for each player: {len(plain)} tables of one shape, with a level of lists"
                    " for each"
                )
            return [together(entries, level + 1) for entries in zip(*parts)]

        if len(plain) < 2:
            raise InputError(
                "Matrix.of takes a table of payoffs for each player; a zero-sum game is Matrix(table)"
            )
        return Matrix(together(plain, 0), **options)

    def to_json(self) -> str:
        """The game as JSON, which `Matrix.parse` reads."""
        return write_json(self.form)

    def to_nfg(self, title: str = "") -> str:
        """The game as Gambit reads it."""
        return write_nfg(self.form, title or type(self).__name__)

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return self._open

    def player(self, state: State) -> int:
        for player in range(self.players):
            if state[player] < 0:
                return player
        return 0

    def actions(self, state: State) -> Iterable[int]:
        if self.is_terminal(state):
            return range(0)
        return range(self.sizes[self.player(state)])

    def result(self, state: State, action: int) -> State:
        return put(state, self.player(state), action)

    def is_terminal(self, state: State) -> bool:
        return state[self.players - 1] >= 0

    def utility(self, state: State, player: int) -> float:
        index = 0
        for one in range(self.players):
            index = index * self.sizes[one] + state[one]
        return float(self.payoff[index, player])

    def observe(self, state: State, player: int) -> State:
        """One's own choice; at the end those of all."""
        if self.is_terminal(state):
            return state
        return put(self._open, player, state[player])

    def mask(self, observation: State, player: int) -> State:
        """What a player sees is a state in which the choices of the others are open."""
        return observation

    # --- text and boards ----------------------------------------------------------------------------

    def board(self, state: State) -> Board:
        """A card for each player with what he has chosen."""
        cells = tuple(
            Cell(
                name,
                x=player,
                piece=Piece("-" if choice < 0 else called[choice], owner=player),
                owner=player,
            )
            for player, (name, choice, called) in enumerate(zip(self.player_names, state, self.form.choices))
        )
        return Board(
            "counters", cells, mover=mover_at(self, state), status=self.show(state).replace("\n", ", ")
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return (self.player_names[self.player(state)],)

    def show_observation(self, observation: State, player: int) -> str:
        """On one line, for tables of what players know."""
        return self.show(observation).replace("\n", ", ")

    def name_action(self, state: State, action: int) -> str:
        return self.form.choices[self.player(state)][action]

    def show(self, state: State) -> str:
        chosen = [
            f"{name}: {'–' if choice < 0 else called[choice]}"
            for name, choice, called in zip(self.player_names, state, self.form.choices)
        ]
        if not self.is_terminal(state):
            return "\n".join(chosen)
        vector = ", ".join(map(str, self.form.payoffs[self.form.index(state)]))
        return "\n".join([*chosen, f"payoffs: {vector}"])

    def parse_state(self, text: str) -> State:
        """The state from the choices that are made: "" is the start, "silent" or "silent betray" what follows."""
        state = self.initial()
        for line in text.splitlines() if ":" in text else text.replace(",", " ").split():
            word = line.rpartition(":")[2].strip()
            if line.startswith("payoffs:") or word in ("", "–"):
                continue
            if self.is_terminal(state):
                raise InputError(f"{word!r} is one choice too many: {self.players} players choose once each")
            state = self.result(state, self.parse_action(state, word))
        return state

    def __str__(self) -> str:
        return "\n".join(table(self.form))

    def __repr__(self) -> str:
        sizes = " × ".join(map(str, self.sizes))
        if type(self).__init__ is Matrix.__init__:
            # Games are told apart by what they print: saved profiles and matches name theirs so.
            about = self.payoff.tobytes() + repr((self.form.names, self.form.choices)).encode()
            return f"{type(self).__name__}({sizes}, {sha256(about).hexdigest()[:8]})"
        if len(inspect.signature(type(self).__init__).parameters) > 1:
            return super().__repr__()
        return f"{type(self).__name__}({sizes})"


def table(form: Form) -> list[str]:
    """The payoffs as lines of text: for two players a table, for more a table for each choice of the others."""
    if form.players == 1:
        return [f"{name}: {vector[0]}" for name, vector in zip(form.choices[0], form.payoffs)]
    lines: list[str] = []
    rest = form.only([(0,), (0,), *map(range, form.sizes[2:])])
    for profile in rest.profiles():
        if form.players > 2:
            told = (f"{form.names[at]}: {form.choices[at][profile[at]]}" for at in range(2, form.players))
            lines.append(", ".join(told))
        lines += _table(form, profile[2:])
    return lines


def _table(form: Form, others: tuple[int, ...]) -> list[str]:
    wide = min(form.sizes[1], _MOST_SHOWN)
    more = ["…"] * (wide < form.sizes[1])
    grid = [[f"{form.names[0]}\\{form.names[1]}", *form.choices[1][:wide], *more]]
    for row in range(min(form.sizes[0], _MOST_SHOWN)):
        vectors = (form.payoffs[form.index((row, column, *others))] for column in range(wide))
        grid.append([form.choices[0][row], *(", ".join(map(str, vector)) for vector in vectors), *more])
    if form.sizes[0] > _MOST_SHOWN:
        grid.append(["…"] * len(grid[0]))
    widths = [max(map(len, column)) for column in zip(*grid)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in grid]
