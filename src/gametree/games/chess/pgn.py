"""Chess games and positions as files: PGN for games, EPD for positions with what is known of them.

After the standard of S. J. Edwards (1994). Comments, variations and annotations are read and left out; the main line
is written.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from gametree.errors import InputError
from gametree.games.chess.board import State
from gametree.games.chess.moves import has_move, in_check, moved
from gametree.games.chess.notation import START, read_fen, read_move, write_fen, write_san

ROSTER: Final = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every game has, in this order."""
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
_WIDTH = 79


@dataclass(frozen=True)
class Record:
    """A game that was played: where it began, the moves, and what is said about it."""

    start: State
    actions: tuple[int, ...] = ()
    result: str = "*"
    tags: Mapping[str, str] = field(default_factory=dict)
    chess960: bool = False

    def states(self) -> Iterator[State]:
        """The positions of the game, the first included."""
        state = self.start
        yield state
        for action in self.actions:
            state = moved(state, action)
            yield state


@dataclass(frozen=True)
class Problem:
    """A line of EPD: a position, and operations such as the best moves (`bm`) or its name (`id`)."""

    state: State
    operations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What the operation `id` says; empty where it is missing."""
        return " ".join(self.operations.get("id", ()))

    @property
    def best(self) -> tuple[int, ...]:
        """The moves of `bm`."""
        return tuple(read_move(self.state, move) for move in self.operations.get("bm", ()))

    @property
    def avoid(self) -> tuple[int, ...]:
        """The moves of `am`."""
        return tuple(read_move(self.state, move) for move in self.operations.get("am", ()))


# --- EPD --------------------------------------------------------------------------------------------

_OPERATION = re.compile(r'\s*(?P<code>[A-Za-z]\w*)(?P<operands>(?:\s+(?:"[^"]*"|[^\s";]+))*)\s*(?:;|$)')
_OPERAND = re.compile(r'"([^"]*)"|(\S+)')


def read_epd(line: str, chess960: bool = False) -> Problem:
    """The position and the operations of a line of EPD; `bm` and `am` have to be legal moves.

    >>> task = read_epd('4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 Kf2; id "pawn 1";')
    >>> task.name, len(task.best), task.operations["bm"]
    ('pawn 1', 2, ('e4', 'Kf2'))
    """
    fields = line.split(None, 4)
    if len(fields) < 4:
        raise InputError(f"EPD begins with four fields of a FEN; this line has {len(fields)}: {line[:80]!r}")
    text = fields[4] if len(fields) == 5 else ""
    counters = re.match(r"([0-9]{1,5}\s+[0-9]{1,5})(?:\s+|$)", text)
    if counters:  # a whole FEN, as many files have it
        fields[3] += f" {counters[1]}"
        text = text[counters.end() :]
    state = read_fen(" ".join(fields[:4]), chess960)
    operations: dict[str, tuple[str, ...]] = {}
    at = 0
    while text[at:].strip():
        found = _OPERATION.match(text, at)
        if not found:
            raise InputError(
                f'operations of EPD look like `bm Nf3;` or `id "a name";`, not {text[at:][:80]!r}'
            )
        operands = (one or other for one, other in _OPERAND.findall(found["operands"]))
        operations[found["code"]] = tuple(operands)
        at = found.end()
    for move in (*operations.get("bm", ()), *operations.get("am", ())):
        read_move(state, move)  # refuses what is not legal
    return Problem(state, operations)


# --- PGN --------------------------------------------------------------------------------------------

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*)"\s*\]')
_TOKEN = re.compile(
    r"""(?P<gap>\s+|^%[^\n]*|;[^\n]*|\{[^}]*\}|\$[0-9]+|[0-9]+\s*\.+|\.+|<[^>]*>|[!?]+)
    |(?P<tag>\[)
    |(?P<open>\()|(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s;{(\[]|$)
    |(?P<move>[A-Za-z0-9][-A-Za-z0-9+\#=:!?/]*)""",
    re.VERBOSE | re.MULTILINE,
)


def read_pgn(text: str) -> Iterator[Record]:
    """The games of a PGN text, one after another; an InputError says in which game and at which move it goes wrong.

    >>> (game,) = read_pgn('[White "Anderssen"]\\n\\n1. e4 {best} e5 (1... c5 2. Nf3) 2. f4 $1 exf4 *')
    >>> game.tags["White"], len(game.actions), game.result
    ('Anderssen', 4, '*')
    """
    at, number = len(text) - len(text.lstrip("\ufeff")), 0
    while True:
        tags, at = _read_tags(text, at)
        if not tags and at >= len(text):
            return
        number += 1
        try:
            record, at = _read_game(text, at, tags)
        except InputError as error:
            raise InputError(f"game {number}: {error}") from None
        yield record


def _read_tags(text: str, at: int) -> tuple[dict[str, str], int]:
    """The tags before a game, and where they end; gaps are skipped."""
    tags: dict[str, str] = {}
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token and token["gap"]:
            at = token.end()
        elif token and token["tag"]:
            found = _TAG.match(text, at)
            if not found:
                line = text[at:].splitlines()[0]
                raise InputError(f'a tag of PGN looks like [Event "a name"], not {line[:80]!r}')
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
            at = found.end()
        else:
            break
    return tags, at


def _read_game(text: str, at: int, tags: dict[str, str]) -> tuple[Record, int]:
    chess960 = re.search("960|fischer", tags.get("Variant", ""), re.IGNORECASE) is not None
    start = state = read_fen(tags.get("FEN", START), chess960)
    actions: list[int] = []
    result = tags.get("Result", "*")
    depth = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if not token:
            raise InputError(f"{_turn(state)}: {text[at : at + 20]!r} is neither a move nor a comment")
        if token["tag"] and not depth:
            break  # the next game; this one has no result of its own
        at = token.end()
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
            if depth < 0:
                raise InputError(f"{_turn(state)}: a variation ends that did not begin")
        elif token["result"] and not depth:
            result = token["result"]
            break
        elif token["move"] and not depth:
            try:
                actions.append(read_move(state, token["move"]))
            except InputError as error:
                raise InputError(f"{_turn(state)}: {error}") from None
            state = moved(state, actions[-1])
    if depth:
        raise InputError("a variation does not end")
    if result not in RESULTS:
        raise InputError(f"the result is one of {', '.join(RESULTS)}, not {result[:20]!r}")
    return Record(start, tuple(actions), result, tags, chess960), at


def _turn(state: State) -> str:
    return f"move {state.number}{'.' if state.turn == 0 else '...'}"


def write_pgn(record: Record) -> str:
    """A game as PGN: the seven tags that every game has, then its others, then the moves.

    >>> (game,) = read_pgn("1. f3 e5 2. g4 Qh4#")
    >>> print(write_pgn(game).splitlines()[-1])
    1. f3 e5 2. g4 Qh4# 0-1
    """
    words: list[str] = []
    state = record.start
    for state, action in zip(record.states(), record.actions):
        if state.turn == 0:
            words.append(f"{state.number}.")
        elif not words:
            words.append(f"{state.number}...")
        words.append(write_san(state, action))
    result = record.result
    if record.actions and result == "*":
        result = _outcome(moved(state, record.actions[-1]))
    tags = dict.fromkeys(ROSTER, "?") | {"Date": "????.??.??"} | dict(record.tags) | {"Result": result}
    fen = write_fen(record.start, record.chess960)
    if record.chess960:
        tags |= {"Variant": "Chess960"}
    if fen != START:
        tags |= {"SetUp": "1", "FEN": fen}
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    return "\n".join([*lines, "", *_wrapped([*words, result]), ""])


def _outcome(state: State) -> str:
    """What mate and stalemate say about the result; "*" where the game is not over."""
    if has_move(state):
        return "*"
    if not in_check(state):
        return "1/2-1/2"
    return "0-1" if state.turn == 0 else "1-0"


def _escaped(value: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", " ".join(value.split()))


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line
