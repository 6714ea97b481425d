"""The language of the protocol: the commands that a chess program sends, the positions and moves in them, and what it
is told.

A line that cannot be understood is an InputError, whose message goes back as `info string error: …`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gametree.errors import InputError
from gametree.games.chess.board import ALL, State, bit
from gametree.games.chess.moves import moved, moves
from gametree.games.chess.notation import START, read_fen, write_uci
from gametree.result import Analysis, Bound, Move, Value

_NUMBERS: Final = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
_FLAGS: Final = ("infinite", "ponder")
_MAY_BE_NEGATIVE: Final = ("wtime", "btime", "winc", "binc", "movetime")
"""A clock that has run out, as some programs send it."""
_AT_LEAST_ONE: Final = ("depth", "nodes", "mate")
_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_LARGEST: Final = 10**15
_WORDS: Final = (
    "uci", "isready", "ucinewgame", "stop", "ponderhit", "quit", "d", "eval",
)  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A command that is one word."""

    name: str


@dataclass(frozen=True)
class Debug:
    """Whether to say more than a program needs."""

    on: bool


@dataclass(frozen=True)
class SetOption:
    """An option and its value; None where none was sent."""

    name: str
    value: str | None = None


@dataclass(frozen=True)
class SetPosition:
    """A position: a FEN, or None for the initial one, and the moves that followed."""

    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Go:
    """What to search for. Times are milliseconds; what was not sent is None."""

    wtime: int | None = None
    btime: int | None = None
    winc: int | None = None
    binc: int | None = None
    movestogo: int | None = None
    movetime: int | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    infinite: bool = False
    ponder: bool = False
    searchmoves: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    """Words that mean nothing here. The protocol asks to pass over them."""

    @property
    def endless(self) -> bool:
        """Whether only `stop` ends it: nothing was said about when to."""
        limits = (self.wtime, self.btime, self.movetime, self.depth, self.nodes, self.mate)
        return self.infinite or all(one is None for one in limits)


Command = Word | Debug | SetOption | SetPosition | Go


def read(line: str) -> Command | None:
    """The command in a line; None in an empty line.

    >>> read("go movetime 500 searchmoves e2e4 d2d4")
    Go(wtime=None, btime=None, winc=None, binc=None, movestogo=None, movetime=500, depth=None, nodes=None, mate=None, infinite=False, ponder=False, searchmoves=('e2e4', 'd2d4'), unknown=())
    >>> read("position startpos moves e2e4")
    SetPosition(fen=None, moves=('e2e4',))
    """  # noqa: E501
    words = line.split()
    if not words:
        return None
    name, rest = words[0], words[1:]
    if name in _WORDS:
        if rest:
            raise InputError(f"`{name}` takes nothing after it, not {quoted(' '.join(rest))}")
        return Word(name)
    if name == "position":
        return _place(rest)
    if name == "go":
        return _go(rest)
    if name == "setoption":
        return _option(line)
    if name == "debug":
        if rest not in (["on"], ["off"]):
            raise InputError("write `debug on` or `debug off`")
        return Debug(rest == ["on"])
    if name == "register":  # nothing to register: it is free
        return None
    known = ", ".join(sorted({*_WORDS, "position", "go", "setoption", "debug"}))
    raise InputError(f"unknown command {quoted(name)}; there are {known}")


def quoted(text: str) -> str:
    """A text as it is quoted in a message: in one line, and not the whole of a long one.

    >>> quoted("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    """
    return ascii(text if len(text) <= 40 else text[:37] + "...")


def _place(words: list[str]) -> SetPosition:
    if not words or words[0] not in ("startpos", "fen"):
        raise InputError("write `position startpos` or `position fen` and a FEN, then `moves` and moves")
    at = words.index("moves") if "moves" in words else len(words)
    fields, moves = words[1:at], tuple(words[at + 1 :])
    if words[0] == "startpos" and fields:
        raise InputError(f"after `position startpos` comes `moves`, not {quoted(fields[0])}")
    if words[0] == "fen" and not fields:
        raise InputError("`position fen` needs a FEN after it")
    for move in moves:
        require_move(move)
    return SetPosition(" ".join(fields) if words[0] == "fen" else None, moves)


def require_move(text: str) -> None:
    """Refuses what is no move in UCI's notation, legal or not."""
    if not _MOVE.fullmatch(text):
        raise InputError(f"{quoted(text)} is no move: write e2e4, or e7e8q for a promotion")


def _go(words: list[str]) -> Go:
    given: dict[str, int | bool] = {}
    moves: list[str] = []
    unknown: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _NUMBERS:
            given[word] = _number(word, next(rest, ""))
        elif word in _FLAGS:
            given[word] = True
        elif word == "searchmoves":
            moves += _moves(rest, given)
        else:
            unknown.append(word)
    go = Go(**given, searchmoves=tuple(moves), unknown=tuple(unknown))  # type: ignore[arg-type]
    if unknown and go.endless and not (go.infinite or go.ponder):
        # A slip in the one limit that was meant must not become a search without end.
        raise InputError(f"{unknown_words(go)}, and says nothing about when to stop")
    return go


def unknown_words(go: Go) -> str:
    """What is wrong with a `go` that has words which mean nothing."""
    known = ", ".join((*_NUMBERS, *_FLAGS))
    return f"`go` has unknown {quoted(' '.join(go.unknown))}; there are {known} and searchmoves"


def _moves(rest: Iterator[str], given: dict[str, int | bool]) -> Iterator[str]:
    """The moves after `searchmoves`, up to the next word that is a limit; that one is read as well."""
    for word in rest:
        if word in _NUMBERS:
            given[word] = _number(word, next(rest, ""))
        elif word in _FLAGS:
            given[word] = True
        elif word != "searchmoves":
            require_move(word)
            yield word


def _number(name: str, text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", text):
        what = quoted(text) if text else "nothing"
        raise InputError(f"`go {name}` needs a whole number after it, not {what}")
    number = min(int(text), _LARGEST)
    if number < 0 and name in _MAY_BE_NEGATIVE:
        return 0
    if number < (name in _AT_LEAST_ONE):
        raise InputError(f"`go {name}` needs a number of at least {int(name in _AT_LEAST_ONE)}, not {number}")
    return number


_OPTION: Final = re.compile(r"\s*setoption\s+name\s+(?P<name>\S.*?)(?:\s+value(?:\s+(?P<value>.*?))?)?\s*")


def _option(line: str) -> SetOption:
    found = _OPTION.fullmatch(line)
    if not found:
        raise InputError("write `setoption name Hash value 64`, or `setoption name Clear Hash`")
    return SetOption(" ".join(found["name"].split()), found["value"])


# --- positions and moves ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Position:
    """Where a game stands: the line that said so, the present state, and those before it, the oldest first."""

    place: SetPosition
    state: State
    history: tuple[State, ...] = ()
    chess960: bool = False


def start(chess960: bool = False) -> Position:
    """The position in which games begin."""
    return Position(SetPosition(), read_fen(START, chess960), (), chess960)


def arranged(place: SetPosition, chess960: bool, before: Position | None = None) -> Position:
    """The position that a `position` line describes.

    Where the line goes on from that of `before`, as programs send it during a game, only the new moves are made.

    >>> from gametree.games.chess.notation import write_fen
    >>> write_fen(arranged(SetPosition(None, ("e2e4", "e7e5")), chess960=False).state)
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """
    known = len(before.place.moves) if before is not None else 0
    if (
        before is not None
        and before.chess960 == chess960
        and before.place.fen == place.fen
        and before.place.moves == place.moves[:known]
    ):
        states = [*before.history, before.state]
    else:
        known = 0
        states = [read_fen(START if place.fen is None else place.fen, chess960)]
    for number, text in enumerate(place.moves[known:], known + 1):
        try:
            action = read_uci(states[-1], text)
        except InputError as error:
            raise InputError(f"move {number}: {error}") from None
        states.append(moved(states[-1], action))
    return Position(place, states.pop(), tuple(states), chess960)


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


# --- what the engine says -----------------------------------------------------------------------------

_BOUNDS: Final = {"exact": "", "lower": " lowerbound", "upper": " upperbound"}
_FAR: Final = 29_999
"""A win whose distance is not known, in centipawns."""


def score(value: Value, bound: Bound = "exact") -> str:
    """A value, which evaluations give in pawns, in centipawns; a proven win or loss in moves until mate.

    >>> score(Value(0.25)), score(Value.win(plies=3)), score(Value.loss(plies=4)), score(Value(-1), "upper")
    ('cp 25', 'mate 2', 'mate -2', 'cp -100 upperbound')
    """
    if value.outcome is None:
        payoff = min(max(value.payoff, -_FAR / 100), _FAR / 100)
        text = f"cp {round(100 * payoff)}"
    elif value.plies is None:
        text = f"cp {_FAR if value.outcome == 'win' else -_FAR}"
    else:
        moves = (value.plies + 1) // 2
        text = f"mate {moves if value.outcome == 'win' else -moves}"
    return text + _BOUNDS[bound]


def info_lines(analysis: Analysis, state: State, chess960: bool, seconds: float) -> list[str]:
    """An `info` line for every line of play that was asked for, the best first."""
    if analysis.value is None:
        return []
    best = Move(analysis.action, analysis.value, analysis.bound, "", analysis.exact)
    lines: list[tuple[Move, tuple[int, ...]]] = [(best, analysis.line)]
    if len(analysis.lines) > 1:
        lines = [(move, move.line or (move.action,)) for move in analysis.lines]
    return [_info(analysis, n, *line, state, chess960, seconds) for n, line in enumerate(lines, 1)]


def _info(
    analysis: Analysis,
    number: int,
    move: Move,
    line: tuple[int, ...],
    state: State,
    chess960: bool,
    seconds: float,
) -> str:
    depth = analysis.depth if analysis.depth is not None else len(line)
    words = [f"info depth {depth}"]
    if analysis.selective_depth is not None:
        words.append(f"seldepth {analysis.selective_depth}")
    words.append(f"multipv {number} score {score(move.value, move.bound)}")
    words.append(f"nodes {analysis.nodes} nps {round(analysis.nodes / max(seconds, 1e-6))}")
    if analysis.table_fill is not None:
        words.append(f"hashfull {round(1000 * analysis.table_fill)}")
    words.append(f"time {round(1000 * seconds)}")
    if line:
        words.append(f"pv {line_text(state, line, chess960)}")
    return " ".join(words)
