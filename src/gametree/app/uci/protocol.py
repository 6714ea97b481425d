"""The lines that a chess program is sent, as values. Nothing here knows a position.

A line that cannot be understood is an InputError, whose message goes back as `info string error: …`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gametree.errors import InputError

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
class Place:
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


Command = Word | Debug | SetOption | Place | Go


def read(line: str) -> Command | None:
    """The command in a line; None in an empty line.

    >>> read("go movetime 500 searchmoves e2e4 d2d4")
    Go(wtime=None, btime=None, winc=None, binc=None, movestogo=None, movetime=500, depth=None, nodes=None, mate=None, infinite=False, ponder=False, searchmoves=('e2e4', 'd2d4'), unknown=())
    >>> read("position startpos moves e2e4")
    Place(fen=None, moves=('e2e4',))
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


def _place(words: list[str]) -> Place:
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
    return Place(" ".join(fields) if words[0] == "fen" else None, moves)


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
