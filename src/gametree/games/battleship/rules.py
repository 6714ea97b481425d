"""Battleship: hide a fleet, and find the other's."""

import functools
from collections.abc import Callable, Iterable, Iterator
from string import ascii_lowercase
from typing import Any, Final, NamedTuple

from gametree.board.data import Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import Game
from gametree.games.battleship.posterior import HIT, MISS, SUNK, UNKNOWN, Fleets, Places, Posterior
from gametree.games.cell_numbers import no_numbers, number_at, numbered
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

LARGEST: Final = 11
NOWHERE: Final = -1
SOMEWHERE: Final = -2
"""The place of a ship that lies where its player alone knows: states that are only made to be shown have it."""
MOST_SHIPS: Final = 10
WATER: Final = Piece("o", shape="nought")
STRUCK: Final = Piece("x", shape="cross")
OWN: Final = Piece("#")

Ships = tuple[int, ...]
Shots = tuple[int, ...]


class State(NamedTuple):
    """Where the ships of both players lie, which shots were fired at whose board, and how many all in all.

    A ship that lies across is numbered by its first cell, one that lies down by that and the number of cells. Shots are
    numbers for cells (`cell_numbers.py`): for each cell which shot of the game fell there, 0 where none did. `told` is
    only for showing: what a player was told of his shots, where the ships are not known.
    """

    first: Ships
    second: Ships
    at_first: Shots
    at_second: Shots
    fired: int
    told: Shots


class Battleship(Game):
    """Hide a fleet on a board of your own and shoot at the other's in turn; who has sunk all ships wins.

    A shot is told to be water, a hit, or the end of the ship that it sank. Ships may touch. An action is a cell to
    shoot at; before that, the place of the next ship: its first cell, and across or down. Who has left no room for a
    ship has lost.

    >>> game = Battleship(width=3, height=3, fleet="2")
    >>> state = game.parse_state("a1> c1v b1 c3 c2 a1")
    >>> print(game.show_observation(game.observe(state, 0), 0))
       a b c   a b c
    1  x # .   . o .
    2  . . .   . . x
    3  . . o   . . .
    """

    player_names: tuple[str, ...] = ("the first player", "the second player")
    payoffs: tuple[float, float] | None = (-1, 1)

    def __init__(self, width: int = 10, height: int = 10, fleet: str = "5 4 3 3 2"):
        self.width: int = whole_number("width", width, least=1)
        self.height: int = whole_number("height", height, least=1)
        if max(width, height) > LARGEST:
            raise InputError(
                f"width={width}, height={height}: boards have at most {LARGEST} rows and columns"
            )
        self.fleet: str = " ".join(str(fleet).replace(",", " ").split())
        self.lengths: tuple[int, ...] = _lengths(fleet, max(self.width, self.height))
        self.cells: int = self.width * self.height
        self.ships: int = len(self.lengths)
        self.no_shots: Shots = no_numbers(self.cells)
        if sum(self.lengths) > self.cells:
            raise InputError(f"fleet={fleet!r}: these ships do not fit on a board of {width} by {height}")

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        nowhere = (NOWHERE,) * self.ships
        return State(nowhere, nowhere, self.no_shots, self.no_shots, 0, self.no_shots)

    def player(self, state: State) -> int:
        if state.first[self.ships - 1] == NOWHERE:
            return 0
        if state.second[self.ships - 1] == NOWHERE:
            return 1
        return state.fired & 1

    def placing(self, state: State) -> int:
        """Which ship the player to move has to place; the number of ships where all are placed."""
        mine = state.first if state.first[self.ships - 1] == NOWHERE else state.second
        ship = 0
        while ship < self.ships and mine[ship] != NOWHERE:
            ship += 1
        return ship

    def actions(self, state: State) -> Iterator[int]:
        ship = self.placing(state)
        if ship < self.ships:
            mine = state.first if self.player(state) == 0 else state.second
            for place in range(2 * self.cells):
                if self.can_lie(place, ship, mine):
                    yield place
        elif not self.is_terminal(state):
            shots = state.at_second if state.fired & 1 == 0 else state.at_first
            for cell in range(self.cells):
                if self.order_at(shots, cell) == 0:
                    yield cell

    def can_lie(self, place: int, ship: int, mine: Ships) -> bool:
        """Whether a ship can lie at a place: on the board, and clear of the ships before it."""
        length = self.lengths[ship]
        cell = place % self.cells
        row = cell // self.width
        column = cell % self.width
        if place >= self.cells:
            if length == 1 or row + length > self.height:
                return False
        elif column + length > self.width:
            return False
        step = self.width if place >= self.cells else 1
        for i in range(length):
            for other in range(ship):
                if self.covers(mine[other], other, cell + i * step):
                    return False
        return True

    def covers(self, place: int, ship: int, cell: int) -> bool:
        """Whether a ship that lies at a place covers a cell."""
        if place < 0:
            return False
        begin = place % self.cells
        if place >= self.cells:
            away = (cell - begin) // self.width
            return cell >= begin and (cell - begin) % self.width == 0 and away < self.lengths[ship]
        return begin <= cell < begin + self.lengths[ship]

    def order_at(self, shots: Shots, cell: int) -> int:
        """Which shot of the game fell here, by its number; 0 where none did."""
        return number_at(shots, cell)

    def result(self, state: State, action: int) -> State:
        first, second, at_first, at_second, fired, told = state
        ship = self.placing(state)
        if ship < self.ships:
            if self.player(state) == 0:
                return State(put(first, ship, action), second, at_first, at_second, fired, told)
            return State(first, put(second, ship, action), at_first, at_second, fired, told)
        if fired & 1 == 0:
            return State(first, second, at_first, numbered(at_second, action, fired + 1), fired + 1, told)
        return State(first, second, numbered(at_first, action, fired + 1), at_second, fired + 1, told)

    def is_terminal(self, state: State) -> bool:
        if self.placing(state) < self.ships:
            return self.has_no_room(state)
        return self.is_sunk(state.second, state.at_second) or self.is_sunk(state.first, state.at_first)

    def has_no_room(self, state: State) -> bool:
        """Whether the player to move cannot place his next ship."""
        ship = self.placing(state)
        mine = state.first if self.player(state) == 0 else state.second
        for place in range(2 * self.cells):  # noqa: SIM110
            if self.can_lie(place, ship, mine):
                return False
        return True

    def is_sunk(self, ships: Ships, shots: Shots) -> bool:
        """Whether all ships of a player are sunk."""
        for ship in range(self.ships - 1, -1, -1):
            if ships[ship] < 0 or self.last_shot(ships[ship], ship, shots) == 0:
                return False
        return True

    def last_shot(self, place: int, ship: int, shots: Shots) -> int:
        """The number of the shot that sank a ship; 0 while it floats."""
        last = 0
        step = self.width if place >= self.cells else 1
        for i in range(self.lengths[ship]):
            order = self.order_at(shots, place % self.cells + i * step)
            if order == 0:
                return 0
            last = max(last, order)
        return last

    def utility(self, state: State, player: int) -> float:
        if self.placing(state) < self.ships:
            return -1 if player == self.player(state) else 1
        return 1 if self.is_sunk(state.second, state.at_second) == (player == 0) else -1

    # --- what is hidden -----------------------------------------------------------------------------

    def observe(self, state: State, player: int) -> tuple[Ships, Shots, Shots, Shots]:
        """The own ships, the shots at them, the own shots, and what was told of these: 4 bits or so for each cell."""
        if player == 0:
            return state.first, state.at_first, state.at_second, self.answers(state.second, state.at_second)
        return state.second, state.at_second, state.at_first, self.answers(state.first, state.at_first)

    def answers(self, ships: Ships, shots: Shots) -> Shots:
        """What was told of shots: HIT, or SUNK and which ship, in the place of their numbers; nothing for water."""
        told = self.no_shots
        for ship in range(self.ships):
            place = ships[ship]
            if place >= 0:
                last = self.last_shot(place, ship, shots)
                step = self.width if place >= self.cells else 1
                for i in range(self.lengths[ship]):
                    cell = place % self.cells + i * step
                    order = self.order_at(shots, cell)
                    if order > 0:
                        code = SUNK + ship if order == last else HIT
                        told = numbered(told, cell, code)
        return told

    def mask(self, observation: tuple[Ships, Shots, Shots, Shots], player: int) -> State:
        own, at_own, at_other, told = observation
        other = (NOWHERE if own[self.ships - 1] == NOWHERE else SOMEWHERE,) * self.ships
        fired = sum(
            self.order_at(shots, cell) > 0 for shots in (at_own, at_other) for cell in range(self.cells)
        )
        if player == 0:
            return State(own, other, at_own, at_other, fired, told)
        return State(other, own, at_other, at_own, fired, told)

    # --- what a player can know ---------------------------------------------------------------------

    def seen(self, observation: tuple[Ships, Shots, Shots, Shots]) -> tuple[int, ...]:
        """What a player knows of every cell of the other's board: UNKNOWN, MISS, HIT, or SUNK + the ship."""
        _, _, shots, told = observation
        return tuple(
            (self.order_at(told, cell) or MISS) if self.order_at(shots, cell) else UNKNOWN
            for cell in range(self.cells)
        )

    def posterior(self, observation: tuple[Ships, Shots, Shots, Shots]) -> Posterior:
        """With which probability each cell of the other's board is occupied, by what a player has seen."""
        found = self._fleets(observation)
        return Posterior(tuple(map(float, found.occupied)), found.fleets, found.exact)

    def _fleets(self, observation: tuple[Ships, Shots, Shots, Shots]) -> Fleets:
        order = tuple(self.order_at(observation[2], cell) for cell in range(self.cells))
        return _fleets(self._places, self.seen(observation), order)

    @functools.cached_property
    def _places(self) -> Places:
        return Places(self.width, self.height, self.lengths)

    def worlds(
        self, observation: tuple[Ships, Shots, Shots, Shots], player: int, draw: Callable[[int], int]
    ) -> State:
        """The other's ships somewhere where they agree with every shot."""
        own, at_own, at_other, _ = observation
        fired = sum(
            self.order_at(shots, cell) > 0 for shots in (at_own, at_other) for cell in range(self.cells)
        )
        other = (NOWHERE,) * self.ships
        if player == 1 or own[self.ships - 1] != NOWHERE:
            other = tuple(map(self._place_of, self._fleets(observation).draw(draw)))
        if player == 0:
            return State(own, other, at_own, at_other, fired, self.no_shots)
        return State(other, own, at_other, at_own, fired, self.no_shots)

    def _place_of(self, cells: Any) -> int:
        """The number of the place of a ship that covers some cells."""
        covered = [int(cell) for cell in cells.nonzero()[0]]
        down = len(covered) > 1 and covered[1] - covered[0] == self.width
        return covered[0] + (self.cells if down and self.width > 1 else 0)

    def appraise(
        self, observation: tuple[Ships, Shots, Shots, Shots], player: int
    ) -> Iterable[tuple[int, float]]:
        """The chance of every shot to hit; before the ships are placed, nothing."""
        own, _, shots, _ = observation
        if own[self.ships - 1] == NOWHERE:
            return
        occupied = self.posterior(observation).occupied
        for cell in range(self.cells):
            if self.order_at(shots, cell) == 0:
                yield cell, occupied[cell]

    # --- text ---------------------------------------------------------------------------------------

    @property
    def columns(self) -> str:
        """The letters of the columns."""
        return ascii_lowercase[: self.width]

    def name_cell(self, cell: int) -> str:
        """A cell by column and row: "a1" is the upper left one."""
        return f"{ascii_lowercase[cell % self.width]}{cell // self.width + 1}"

    def name_action(self, state: State, action: int) -> str:
        """ "c3" is a shot; "c3>" a ship across that begins there, "c3v" one down."""
        if self.placing(state) == self.ships:
            return self.name_cell(action)
        return self.name_cell(action % self.cells) + ("v" if action >= self.cells else ">")

    def parse_action(self, state: State, text: str) -> int:
        legal = {self.name_action(state, action): action for action in self.actions(state)}
        wanted = text.strip().lower()
        if wanted in legal:
            return legal[wanted]
        ship = self.placing(state)
        if ship < self.ships:
            raise InputError(
                f"{text.strip()[:20]!r} is no place for a ship of {self.lengths[ship]}: write its first cell and > for"
                " across or v for down, as in a1>; it has to be on the board and clear of the others"
            )
        raise InputError(
            f"{text.strip()[:20]!r} is no shot: write a cell from a1 to {self.name_cell(self.cells - 1)} at which you"
            " have not shot yet"
        )

    def parse_state(self, text: str) -> State:
        """The state after so many actions: first the ships of both, then the shots, as in "a1> c1v b1 c3"."""
        state = self.initial()
        for word in text.replace(",", " ").split():
            if self.is_terminal(state):
                raise InputError(f"the game is over before {word!r}")
            state = self.result(state, self.parse_action(state, word))
        return state

    def show(self, state: State) -> str:
        seas = [self._rows(cells) for cells in self._seas(state)]
        lines = ["   " + "   ".join(" ".join(self.columns) for _ in seas)]
        for row in range(self.height):
            lines.append(f"{row + 1:<2} " + "   ".join(sea[row] for sea in seas))
        return "\n".join(lines)

    def show_observation(self, observation: tuple[Ships, Shots, Shots, Shots], player: int) -> str:
        """Your board on your side, and what you know of the other's."""
        return self.show(self.mask(observation, player))

    def board(self, state: State) -> Board:
        known = SOMEWHERE not in (state.first[0], state.second[0])
        mover = self.player(state) if known and not self.is_terminal(state) else None
        status = self._status(state) if known else ""
        cells = []
        for side, sea in enumerate(self._seas(state)):
            for cell, symbol in enumerate(sea):
                row, column = divmod(cell, self.width)
                piece = {"x": STRUCK, "o": WATER, "#": OWN}.get(symbol)
                id = f"{'first' if side == 0 else 'second'} {self.name_cell(cell)}"
                cells.append(Cell(id, column + side * (self.width + 1), row, piece, owner=side))
        return Board(
            "grid",
            tuple(cells),
            pieces=(STRUCK, WATER, OWN),
            columns=(*self.columns, " ", *self.columns),
            rows=tuple(map(str, range(1, self.height + 1))),
            ground="green",
            mover=mover,
            status=status,
        )

    def _status(self, state: State) -> str:
        if self.is_terminal(state):
            return f"{self.player_names[self.utility(state, 0) < 0]} has won"
        who, ship = self.player_names[self.player(state)], self.placing(state)
        return f"{who} to shoot" if ship == self.ships else f"{who} to place a ship of {self.lengths[ship]}"

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        ship = self.placing(state)
        if ship == self.ships:
            return (f"{'second' if state.fired & 1 == 0 else 'first'} {self.name_cell(action)}",)
        side = "first" if self.player(state) == 0 else "second"
        step = self.width if action >= self.cells else 1
        begin = action % self.cells
        return tuple(f"{side} {self.name_cell(begin + i * step)}" for i in range(self.lengths[ship]))

    def _seas(self, state: State) -> Iterator[list[str]]:
        """Both boards: "#" a ship, "x" one that was hit, "o" water that was shot at, "." the rest."""
        for ships, shots in ((state.first, state.at_first), (state.second, state.at_second)):
            sea = []
            for cell in range(self.cells):
                ship = any(self.covers(place, which, cell) for which, place in enumerate(ships))
                hit = ship or (ships[0] < 0 and self.order_at(state.told, cell) > 0)
                shot = self.order_at(shots, cell) > 0
                sea.append(("x" if hit else "o") if shot else "#" if ship else ".")
            yield sea

    def _rows(self, sea: list[str]) -> list[str]:
        return [" ".join(sea[row * self.width : (row + 1) * self.width]) for row in range(self.height)]


@functools.lru_cache(maxsize=4)
def _fleets(places: Places, seen: tuple[int, ...], order: tuple[int, ...]) -> Fleets:
    """The fleets that agree with some shots: many worlds are drawn of the same."""
    found = Fleets(places, seen, order)
    if not found.fleets:
        raise InputError("no fleet agrees with these shots")
    return found


def _lengths(fleet: Any, most: int) -> tuple[int, ...]:
    """The lengths of ships from "5 4 3 3 2", or from a sequence of numbers."""
    words = str(fleet).replace(",", " ").replace("(", " ").replace(")", " ").split()
    if (
        not all(word.isdecimal() and 1 <= int(word) <= most for word in words)
        or not 1 <= len(words) <= MOST_SHIPS
    ):
        raise InputError(
            f"fleet={fleet!r}: it takes the lengths of 1 to {MOST_SHIPS} ships, for example 5 4 3 3 2; none is longer"
            f" than {most}, the longer side of the board"
        )
    return tuple(map(int, words))
