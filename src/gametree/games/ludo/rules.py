"""Ludo: bring your tokens round the board and home, by the dice; two to four players, alone or in two teams."""

import functools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from gametree.board.data import PALETTE, Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import CHANCE, Game, mover_at
from gametree.games.ludo.track import COLUMN, SYMBOLS, spots, ways
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

SEATS: Final = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""For so many players the quarters in which they begin."""
YARD: Final = 0
PIECES: Final = tuple(
    Piece(symbol, player, "disc", color) for player, (symbol, color) in enumerate(zip(SYMBOLS, PALETTE))
)
SHELTER: Final = 8
"""So many squares behind each entry is another safe square."""


@functools.cache
def empty_cells(quarter: int, seats: tuple[int, ...]) -> tuple[Cell, ...]:
    """The places of the board without tokens; the safe squares are dark."""
    return tuple(
        Cell(id, x, y, owner=owner, shade="dark" if id.isdecimal() and is_shelter(quarter, int(id)) else "")
        for id, x, y, owner in spots(quarter, seats)
    )


def is_shelter(quarter: int, square: int) -> bool:
    """Whether nobody is sent back from a square: the entries, and the squares eight behind them."""
    return square % quarter in (0, SHELTER)


def _unlike(pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces that are not like the first one."""
    return tuple(piece for piece in pieces if piece != pieces[0])


class State(NamedTuple):
    """For each token of each player how far it has come: 0 is the yard, 1 the entry. `die` is 0 before it is rolled.

    `sixes` counts the sixes that the mover has rolled and played in this turn.
    """

    tokens: tuple[int, ...]
    mover: int
    die: int
    sixes: int


class Ludo(Game):
    """Roll a die and move a token; bring all of them home first. With `teams`, players opposite each other share a win.

    A six brings a token from the yard to the entry, and one more roll; the third six in a row ends the turn. A token
    that lands on others' sends them back to the yard, except on the entries and the squares eight behind them. Home has
    to be reached exactly. The first who has all tokens home gets players − 1, the others −1; a team needs all tokens of
    both, and then each of its players gets 1, the others −1. `quarter` is a fourth of the track.

    An action is the number of a token (the first of those on the same square), or `tokens` for a pass where none can
    move. At a chance node it is what the die shows.

    >>> game = Ludo(players=2, tokens=2)
    >>> state = game.result(game.initial(), 6)
    >>> [game.name_action(state, action) for action in game.actions(state)]
    ['in']
    >>> print(game.show(game.result(state, 0)))
    A  1 yard
    B  yard yard
    |A.......*....|*.......*....|*.......*....|*.......*....|
    A to roll after 1 six
    """

    def __init__(self, players: int = 4, tokens: int = 4, teams: bool = False, quarter: int = 13):
        self.players: int = whole_number("players", players, least=2)
        if self.players not in SEATS:
            raise InputError(f"players={players}: two, three or four can play")
        self.each: int = whole_number("tokens", tokens, least=1)
        if self.each > 4:
            raise InputError(f"tokens={tokens}: a player has at most four tokens")
        self.quarter: int = whole_number("quarter", quarter, least=2)
        if not isinstance(teams, bool):
            raise InputError(f"teams={teams!r}: teams must be True or False")
        if teams and self.players != 4:
            raise InputError(f"teams=True takes four players, two against two, and players={players}")
        self.teams = teams
        self.payoffs: tuple[float, float] | None = (-1, 1) if teams else (-1, self.players - 1)
        self.player_names: tuple[str, ...] = tuple(SYMBOLS[: self.players])
        self.seats: tuple[int, ...] = SEATS[self.players]
        self.track: int = 4 * self.quarter
        self.home: int = self.track + COLUMN

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        return State((YARD,) * (self.players * self.each), 0, 0, 0)

    def player(self, state: State) -> int:
        return CHANCE if state.die == 0 else state.mover

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        for die in range(1, 7):
            yield die, 1 / 6

    def actions(self, state: State) -> Iterator[int]:
        if self.is_terminal(state):
            return
        none = True
        first = state.mover * self.each
        for token in range(self.each):
            at = state.tokens[first + token]
            movable = state.die == 6 if at == YARD else at + state.die <= self.home and at < self.home
            for other in range(token):
                if state.tokens[first + other] == at:
                    movable = False
            if movable:
                none = False
                yield token
        if none:
            yield self.each

    def result(self, state: State, action: int) -> State:
        if state.die == 0:
            if action == 6 and state.sixes == 2:
                return State(state.tokens, self.after(state.tokens, state.mover), 0, 0)
            return State(state.tokens, state.mover, action, state.sixes)
        tokens = state.tokens
        if action < self.each:
            token = state.mover * self.each + action
            end = 1 if tokens[token] == YARD else tokens[token] + state.die
            tokens = put(tokens, token, end)
            square = self.square(state.mover, end)
            if square >= 0 and not self.is_safe(square):
                for other in range(self.players):
                    if self.team(other) != self.team(state.mover):
                        for foe in range(other * self.each, (other + 1) * self.each):
                            if self.square(other, tokens[foe]) == square:
                                tokens = put(tokens, foe, YARD)
        if self.is_home(tokens, state.mover) and self.winner(tokens) >= 0:
            return State(tokens, 0, 0, 0)
        if state.die == 6 and not self.is_home(tokens, state.mover):
            return State(tokens, state.mover, 0, state.sixes + 1)
        return State(tokens, self.after(tokens, state.mover), 0, 0)

    def square(self, player: int, at: int) -> int:
        """The square of the track on which a token stands; −1 in the yard, in the own column and at home."""
        if at == YARD or at >= self.track:
            return -1
        return (self.seats[player] * self.quarter + at - 1) % self.track

    def is_safe(self, square: int) -> bool:
        """Whether nobody is sent back from a square."""
        return is_shelter(self.quarter, square)

    def is_home(self, tokens: tuple[int, ...], player: int) -> bool:
        """Whether all tokens of a player are home."""
        first = player * self.each
        return all(tokens[first + token] == self.home for token in range(self.each))

    def after(self, tokens: tuple[int, ...], player: int) -> int:
        """Who rolls next: the next player who has a token left to move; the next one where nobody has."""
        for step in range(1, self.players):
            other = (player + step) % self.players
            if not self.is_home(tokens, other):
                return other
        return player

    def is_terminal(self, state: State) -> bool:
        return self.winner(state.tokens) >= 0

    def winner(self, tokens: tuple[int, ...]) -> int:
        """A player who has won, alone or with a partner; −1 where nobody has."""
        for player in range(self.players):
            if self.is_home(tokens, player) and (
                not self.teams or self.is_home(tokens, (player + 2) % self.players)
            ):
                return player
        return -1

    def utility(self, state: State, player: int) -> float:
        winner = self.winner(state.tokens)
        if self.team(player) != self.team(winner):
            return -1
        return 1 if self.teams else self.players - 1

    def team(self, player: int) -> int:
        return player % 2 if self.teams else player

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """How far a player's tokens have come (a team's, on average), less what all have on average; zero in sum."""
        mine = 0
        every = 0
        members = 0
        for other in range(self.players):
            way = 0
            for token in range(other * self.each, (other + 1) * self.each):
                way += state.tokens[token]
            every += way
            if self.team(other) == self.team(player):
                mine += way
                members += 1
        return (self.players * mine / members - every) / (self.players * self.each * self.home)

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        lines = self._tally(state, gap="  ")
        squares = ["*" if self.is_safe(square) else "." for square in range(self.track)]
        for player, symbol in enumerate(SYMBOLS[: self.players]):
            for at in self._tokens(state, player):
                square = self.square(player, at)
                if square >= 0:
                    squares[square] = symbol if squares[square] in (".", "*", symbol) else "+"
        quarters = ["".join(squares[i : i + self.quarter]) for i in range(0, self.track, self.quarter)]
        return "\n".join([*lines, f"|{'|'.join(quarters)}|", self._status(state)])

    def board(self, state: State) -> Board:
        on: dict[str, list[Piece]] = {}
        for player, piece in enumerate(PIECES[: self.players]):
            for at in self._tokens(state, player):
                on.setdefault(self._cell(player, at), []).append(piece)
        cells = empty_cells(self.quarter, self.seats)
        filled = tuple(
            replace(
                cell,
                piece=on[cell.id][0],
                count=on[cell.id].count(on[cell.id][0]),
                under=_unlike(on[cell.id]),
            )
            if cell.id in on
            else cell
            for cell in cells
        )
        die = Cell("die", piece=Piece(str(state.die), shape="die") if state.die else None)
        return Board(
            "graph",
            filled,
            (die,),
            PIECES[: self.players],
            edges=ways(self.quarter, self.seats),
            mover=mover_at(self, state),
            # Moves are named by how far a token has come, which no square can tell for all players.
            status=f"{self._status(state)}; {', '.join(self._tally(state))}",
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        """From where and to where, then the yards of those who are sent back."""
        if state.die == 0:
            return ("die",)
        if action == self.each:
            return ()
        token = state.mover * self.each + action
        after = self.result(state, action).tokens
        back = [
            self._cell(other // self.each, YARD)
            for other, (old, new) in enumerate(zip(state.tokens, after))
            if other != token and old != new
        ]
        ends = (self._cell(state.mover, state.tokens[token]), self._cell(state.mover, after[token]))
        return tuple(dict.fromkeys((*ends, *back)))

    def _cell(self, player: int, at: int) -> str:
        """The id of the place where a token stands: its square of the track, or one of its player's own."""
        square = self.square(player, at)
        if square >= 0:
            return str(square)
        own = "yard" if at == YARD else "home" if at == self.home else str(at - self.track + 1)
        return f"{SYMBOLS[player]} {own}"

    def _tally(self, state: State, gap: str = " ") -> list[str]:
        """For each player how far the tokens have come."""
        return [
            f"{symbol}{gap}{' '.join(self._place(at) for at in self._tokens(state, player))}"
            for player, symbol in enumerate(self.player_names)
        ]

    def _tokens(self, state: State, player: int) -> tuple[int, ...]:
        return state.tokens[player * self.each : (player + 1) * self.each]

    def _place(self, at: int) -> str:
        return "yard" if at == YARD else "home" if at == self.home else str(at)

    def _status(self, state: State) -> str:
        winner = self.winner(state.tokens)
        if winner >= 0:
            partner = f" and {SYMBOLS[(winner + 2) % 4]} have" if self.teams else " has"
            return f"{SYMBOLS[winner]}{partner} won"
        roll = f" to move a {state.die}" if state.die else " to roll"
        again = f" after {state.sixes} six{'es' * (state.sixes > 1)}" if state.sixes else ""
        return f"{SYMBOLS[state.mover]}{roll}{again}"

    def parse_state(self, text: str) -> State:
        """The state from the places of each player's tokens and whose roll it is, as `show` prints it.

        Lines may be separated by /: "A 5 yard / B 1 home / B to move a 6".
        """
        symbols = SYMBOLS[: self.players]
        lines = [line.strip() for line in re.split(r"[/\n]", text.strip())]
        lines = [line for line in lines if line and not line.startswith("|")]
        places: dict[int, list[int]] = {}
        mover = die = sixes = 0
        for line in lines:
            turn = re.fullmatch(
                rf"([{symbols}]) to (?:roll|move a ([1-6]))(?: after ([12]) six(?:es)?)?", line
            )
            if turn:
                mover, die, sixes = symbols.index(turn[1]), int(turn[2] or 0), int(turn[3] or 0)
            elif not re.search(r" (has|have) won$", line):
                name, *words = line.split()
                if name not in symbols or len(words) != self.each:
                    raise InputError(
                        f"{line!r}: write a player ({', '.join(symbols)}) and the places of {self.each} tokens, such as"
                        f" 'A {' '.join(['yard'] * self.each)}', or who is to roll, such as 'A to roll'"
                    )
                places[symbols.index(name)] = [self._parse_place(word) for word in words]
        if len(places) != self.players:
            raise InputError(f"the tokens of {', '.join(symbols)} are wanted, a line for each player")
        return State(tuple(at for player in sorted(places) for at in places[player]), mover, die, sixes)

    def _parse_place(self, word: str) -> int:
        at = {"yard": YARD, "home": self.home}.get(word, -1)
        if word.isascii() and word.isdigit() and len(word) < 4:
            at = int(word)
        if not 0 <= at <= self.home:
            raise InputError(
                f"{word!r} is no place of a token: yard, 1 (the entry) to {self.home - 1}, or home"
            )
        return at

    def name_action(self, state: State, action: int) -> str:
        if state.die == 0:
            return str(action)
        if action == self.each:
            return "pass"
        at = state.tokens[state.mover * self.each + action]
        return "in" if at == YARD else f"{at}-{self._place(at + state.die)}"

    def parse_action(self, state: State, text: str) -> int:
        """A move by its name, "in", "13-19" or "pass"; at a chance node what the die shows."""
        if state.die:
            return int(super().parse_action(state, text))
        if text.strip() not in ("1", "2", "3", "4", "5", "6"):
            raise InputError(
                f"{text.strip()!r} is not what a die shows: {SYMBOLS[state.mover]} is to roll 1 to 6"
            )
        return int(text)
