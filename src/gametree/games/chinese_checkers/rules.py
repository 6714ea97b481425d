"""Chinese checkers: a race across the star, by steps and by jumps over anybody's pieces."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from gametree.board.data import PALETTE, ROW, Board, Cell, Piece
from gametree.errors import InputError
from gametree.game import Game, mover_at
from gametree.games.chinese_checkers.star import NOWHERE, Star
from gametree.games.parameters import whole_number
from gametree.kernel.put import put

SYMBOLS: Final = "ABCDEF"
PIECES: Final = tuple(
    Piece(symbol, player, "disc", color) for player, (symbol, color) in enumerate(zip(SYMBOLS, PALETTE))
)
EMPTY: Final = "."
HOMES: Final = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}
"""For so many players the triangles they start from, clockwise from the north; each goes to the one opposite."""
HALF: Final = 61
"""A set of holes is two integers: holes 0 to 60, and 61 to 120."""
PASS: Final = 0


class State(NamedTuple):
    """For each player the holes with a piece, below HALF and from there on; and how many moves were made."""

    low: tuple[int, ...]
    high: tuple[int, ...]
    ply: int


def has(low: int, high: int, hole: int) -> bool:
    """Whether a hole is in a set."""
    return (low >> hole & 1) == 1 if hole < HALF else (high >> hole - HALF & 1) == 1


def flipped(low: int, high: int, hole: int) -> tuple[int, int]:
    """A set with a hole put in, or taken out where it was in."""
    return (low ^ 1 << hole, high) if hole < HALF else (low, high ^ 1 << hole - HALF)


class ChineseCheckers(Game):
    """Bring all your pieces into the triangle opposite before anybody else does; two, three, four or six players.

    A piece steps into an empty hole beside it, or jumps over a piece of anybody into the empty hole behind, and on from
    there as often as it can and likes. Nothing is taken. Who has no move passes. The winner gets players − 1, everybody
    else −1; after `rounds` moves of each player nobody gets anything. `size` is the number of rows of a triangle: 4 is
    the star of 121 holes. An action is 128 · from + to; the way between does not matter.

    >>> game = ChineseCheckers()
    >>> moves = [game.name_action(game.initial(), action) for action in game.actions(game.initial())]
    >>> len(moves), moves[:3]
    (14, ['c1-e5', 'c1-e7', 'c2-e6'])
    >>> small = ChineseCheckers(size=1, players=3)
    >>> print(small.show(small.initial()))
    a     A
    b  . . . .
    c   . . .
    d  C . . B
    e     .
    A to move
    """

    def __init__(self, players: int = 2, size: int = 4, rounds: int = 100):
        self.players: int = whole_number("players", players, least=2)
        if self.players not in HOMES:
            raise InputError(f"players={players}: two, three, four or six can play on a star")
        self.size: int = whole_number("size", size, least=1)
        if self.size > 4:
            raise InputError(f"size={size}: a triangle has at most 4 rows, which is the star of 121 holes")
        self.rounds: int = whole_number("rounds", rounds, least=1)
        self.payoffs: tuple[float, float] | None = (-1, self.players - 1)
        self.player_names: tuple[str, ...] = tuple(SYMBOLS[: self.players])
        star = Star(self.size)
        self.holes: int = len(star.holes)
        self.names: tuple[str, ...] = star.names
        self.indents: tuple[int, ...] = tuple(hole.across + 3 * self.size for hole in star.holes)
        self.rows: tuple[int, ...] = tuple(hole.row for hole in star.holes)
        around = [[star.next_to(hole, way) for way in range(6)] for hole in range(self.holes)]
        self.beside: tuple[int, ...] = tuple(hole for each in around for hole in each)
        self.beyond: tuple[int, ...] = tuple(
            NOWHERE if hole == NOWHERE else around[hole][way]
            for each in around
            for way, hole in enumerate(each)
        )
        homes = HOMES[self.players]
        self.starts: tuple[tuple[int, ...], ...] = tuple(star.triangle(home) for home in homes)
        goals = [star.triangle((home + 3) % 6) for home in homes]
        self.goal_low: tuple[int, ...] = tuple(
            sum(1 << hole for hole in goal if hole < HALF) for goal in goals
        )
        self.goal_high: tuple[int, ...] = tuple(
            sum(1 << hole - HALF for hole in goal if hole >= HALF) for goal in goals
        )
        tips = [star.tip((home + 3) % 6) for home in homes]
        self.ways: tuple[int, ...] = tuple(
            star.distance(hole, tip) for tip in tips for hole in range(self.holes)
        )
        self.way_home: int = sum(star.distance(hole, tips[0]) for hole in goals[0])
        self.whole_way: int = sum(star.distance(hole, tips[0]) for hole in self.starts[0]) - self.way_home

    # --- the rules ----------------------------------------------------------------------------------

    def initial(self) -> State:
        low = tuple(sum(1 << hole for hole in start if hole < HALF) for start in self.starts)
        high = tuple(sum(1 << hole - HALF for hole in start if hole >= HALF) for start in self.starts)
        return State(low, high, 0)

    def player(self, state: State) -> int:
        return state.ply % self.players

    def actions(self, state: State) -> Iterator[int]:
        if self.is_terminal(state):
            return
        mover = self.player(state)
        low = 0
        high = 0
        for player in range(self.players):
            low |= state.low[player]
            high |= state.high[player]
        none = True
        for start in range(self.holes):
            if has(state.low[mover], state.high[mover], start):
                to_low, to_high = self.reached(low, high, start)
                for end in range(self.holes):
                    if has(to_low, to_high, end):
                        none = False
                        yield 128 * start + end
        if none:
            yield PASS

    def reached(self, low: int, high: int, start: int) -> tuple[int, int]:
        """Where the piece at `start` can go, on a board whose pieces are `low` and `high`."""
        # Its own hole is empty once it is lifted, and it may jump back there and on.
        low, high = flipped(low, high, start)
        to_low, to_high = flipped(0, 0, start)
        waiting_low, waiting_high = to_low, to_high
        at = start
        while waiting_low or waiting_high:
            while not has(waiting_low, waiting_high, at):
                at = (at + 1) % self.holes
            waiting_low, waiting_high = flipped(waiting_low, waiting_high, at)
            for way in range(6):
                over = self.beside[6 * at + way]
                end = self.beyond[6 * at + way]
                free = end >= 0 and not has(low, high, end) and not has(to_low, to_high, end)
                if free and has(low, high, over):
                    to_low, to_high = flipped(to_low, to_high, end)
                    waiting_low, waiting_high = flipped(waiting_low, waiting_high, end)
        for way in range(6):
            end = self.beside[6 * start + way]
            if end >= 0 and not has(low, high, end) and not has(to_low, to_high, end):
                to_low, to_high = flipped(to_low, to_high, end)
        return flipped(to_low, to_high, start)

    def result(self, state: State, action: int) -> State:
        mover = self.player(state)
        low = state.low[mover]
        high = state.high[mover]
        if action != PASS:
            low, high = flipped(low, high, action // 128)
            low, high = flipped(low, high, action % 128)
        return State(put(state.low, mover, low), put(state.high, mover, high), state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply >= self.rounds * self.players or self.winner(state) >= 0

    def utility(self, state: State, player: int) -> float:
        winner = self.winner(state)
        if winner < 0:
            return 0
        return self.players - 1 if player == winner else -1

    def winner(self, state: State) -> int:
        """Who has all pieces in the triangle opposite; −1 where nobody has. Only a move of one's own can do that."""
        last = (state.ply + self.players - 1) % self.players
        if state.low[last] == self.goal_low[last] and state.high[last] == self.goal_high[last]:
            return last
        return -1

    def null(self, state: State) -> State:
        return State(state.low, state.high, state.ply + 1)

    def key(self, state: State) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        over = state.ply >= self.rounds * self.players
        return state.low, state.high, -1 if over else state.ply % self.players

    def clock(self, state: State) -> int:
        return self.rounds * self.players - state.ply

    # --- judgement ----------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """How much of the way a player has behind, less what everybody has on average; zero in sum."""
        mine = 0
        every = 0
        for other in range(self.players):
            left = self.steps_left(state, other)
            every += left
            if other == player:
                mine = left
        return (every - self.players * mine) / (self.players * self.whole_way)

    def steps_left(self, state: State, player: int) -> int:
        """How far a player's pieces are from the triangle opposite, jumps left aside."""
        steps = -self.way_home
        for hole in range(self.holes):
            if has(state.low[player], state.high[player], hole):
                steps += self.ways[player * self.holes + hole]
        return steps

    def order(self, state: State, action: int) -> float:
        """Long ways forward first."""
        mover = self.player(state)
        return self.ways[mover * self.holes + action // 128] - self.ways[mover * self.holes + action % 128]

    # --- text ---------------------------------------------------------------------------------------

    def show(self, state: State) -> str:
        lines = [[" "] * (6 * self.size + 1) for _ in range(4 * self.size + 1)]
        for hole in range(self.holes):
            lines[self.rows[hole]][self.indents[hole]] = self._symbol(state, hole)
        rows = [
            f"{self.names[self.rows.index(row)][0]}  {''.join(line).rstrip()}"
            for row, line in enumerate(lines)
        ]
        return "\n".join([*rows, self._status(state)])

    def board(self, state: State) -> Board:
        cells = []
        for hole in range(self.holes):
            symbol = self._symbol(state, hole)
            piece = None if symbol == EMPTY else PIECES[SYMBOLS.index(symbol)]
            cells.append(Cell(self.names[hole], self.indents[hole] / 2, self.rows[hole] * ROW, piece))
        pieces = PIECES[: self.players]
        letters = tuple(dict.fromkeys(name[0] for name in self.names))
        return Board(
            "graph",
            tuple(cells),
            pieces=pieces,
            rows=letters,
            mover=mover_at(self, state),
            status=self._status(state),
        )

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == PASS else (self.names[action // 128], self.names[action % 128])

    def _symbol(self, state: State, hole: int) -> str:
        for player in range(self.players):
            if has(state.low[player], state.high[player], hole):
                return SYMBOLS[player]
        return EMPTY

    def _status(self, state: State) -> str:
        winner = self.winner(state)
        if winner >= 0:
            return f"{SYMBOLS[winner]} has won"
        if self.is_terminal(state):
            return "a draw"
        return f"{SYMBOLS[self.player(state)]} to move" + (f", move {state.ply + 1}" if state.ply else "")

    def parse_state(self, text: str) -> State:
        """The state from rows, top to bottom, separated by / or line breaks, then who moves: "A/..../…/./B to move".

        What `show` prints is read too. Without the number of the move it is as if the game had just begun.
        """
        symbols = SYMBOLS[: self.players]
        lines = [line for line in re.split(r"[/\n]", text.strip()) if line.strip()]
        ply = 0
        said = (
            re.fullmatch(rf"\s*([{symbols}]) to move(?:, move (\d{{1,6}}))?\s*", lines[-1]) if lines else None
        )
        if said:
            lines.pop()
            ply = symbols.index(said[1]) if said[2] is None else int(said[2]) - 1
            if ply % self.players != symbols.index(said[1]) or ply < 0:
                raise InputError(
                    f"{said[0].strip()!r} cannot be: players move in the order {', '.join(symbols)}"
                )
        rows = ["".join(re.sub(r"^\s*[a-q]\s+", "", line).split()) for line in lines]
        wanted = [self.rows.count(row) for row in range(4 * self.size + 1)]
        if [len(row) for row in rows] != wanted:
            raise InputError(
                f"a star has rows of {', '.join(map(str, wanted))} holes, from top to bottom, separated by /;"
                f" this text has {', '.join(str(len(row)) for row in rows)}"
            )
        low, high = [0] * self.players, [0] * self.players
        for hole, symbol in enumerate("".join(rows)):
            if symbol == EMPTY:
                continue
            if symbol not in symbols:
                raise InputError(
                    f"{symbol!r} in {self.names[hole]} is no piece: use {', '.join(symbols)}, and '.' for an empty hole"
                )
            player = symbols.index(symbol)
            if hole < HALF:
                low[player] |= 1 << hole
            else:
                high[player] |= 1 << hole - HALF
        for player, symbol in enumerate(symbols):
            count = low[player].bit_count() + high[player].bit_count()
            if count != len(self.starts[0]):
                raise InputError(
                    f"{symbol} has {count} pieces on this star, and should have {len(self.starts[0])}"
                )
        return State(tuple(low), tuple(high), ply)

    def name_action(self, state: State, action: int) -> str:
        return "pass" if action == PASS else f"{self.names[action // 128]}-{self.names[action % 128]}"
