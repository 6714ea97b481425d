"""The position that a program has sent, with the game that led to it; and moves as the protocol writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gametree.app.uci.protocol import Place, quoted
from gametree.errors import InputError
from gametree.games.chess.board import ALL, State, bit
from gametree.games.chess.moves import moved, moves
from gametree.games.chess.notation import START, read_fen, write_uci


@dataclass(frozen=True)
class Position:
    """Where a game stands: the line that said so, and every state from the first to the present one."""

    place: Place
    states: tuple[State, ...]
    chess960: bool = False

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    @property
    def history(self) -> tuple[State, ...]:
        """The states before the present one, the oldest first."""
        return self.states[:-1]


def start(chess960: bool = False) -> Position:
    """The position in which games begin."""
    return Position(Place(), (read_fen(START, chess960),), chess960)


def arranged(place: Place, chess960: bool, before: Position | None = None) -> Position:
    """The position that a `position` line describes.

    Where the line goes on from that of `before`, as programs send it during a game, only the new moves are made.

    >>> from gametree.games.chess.notation import write_fen
    >>> write_fen(arranged(Place(None, ("e2e4", "e7e5")), chess960=False).state)
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """
    known = len(before.place.moves) if before is not None else 0
    if (
        before is not None
        and before.chess960 == chess960
        and before.place.fen == place.fen
        and before.place.moves == place.moves[:known]
    ):
        states = list(before.states)
    else:
        known = 0
        states = [read_fen(START if place.fen is None else place.fen, chess960)]
    for number, text in enumerate(place.moves[known:], known + 1):
        try:
            action = read_uci(states[-1], text)
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None
        states.append(moved(states[-1], action))
    return Position(place, tuple(states), chess960)


def read_uci(state: State, text: str) -> int:
    """The legal move that UCI's notation names; castling also as king takes rook, whatever the variant."""
    target = "abcdefgh".index(text[2]) + 8 * (int(text[3]) - 1)
    for action in moves(state, bit(target)):
        if write_uci(state, action, chess960=True) == text:
            return action
    for action in moves(state, state.castling or bit(target)):
        if write_uci(state, action) == text:
            return action
    promotions = any(write_uci(state, action)[:4] == text for action in moves(state, bit(target)))
    why = ": a promotion names its piece, e7e8q" if promotions else ""
    raise InputError(f"{quoted(text)} is not legal in this position{why}")


def line_text(state: State, actions: Sequence[int], chess960: bool) -> str:
    """A line of play in UCI's notation."""
    words = []
    for action in actions:
        word, state = _step(state, action, chess960)
        words.append(word)
    return " ".join(words)


@lru_cache(maxsize=1024)
def _step(state: State, action: int, chess960: bool) -> tuple[str, State]:
    """A move in UCI's notation and where it leads. Line after line begins with the same moves."""
    return write_uci(state, action, chess960), moved(state, action)


def legal(state: State) -> list[int]:
    """The legal moves, also where a rule has ended the game."""
    return list(moves(state, ALL))
